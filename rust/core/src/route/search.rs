//! The search over portals (Emerson, Game AI Pro, 23.5).
//!
//! It runs backward, from the goal cells, so that every portal that it settles knows the cost from
//! there and where to go on, and stops when the source is settled. What it knows is kept for the next
//! source, for which it goes on from where it stopped. This is merging A* turned round, so that
//! merging never makes a route longer, and all sources of a goal together cost at most one search of
//! the whole graph.
//!
//! A* aims at the sector of the source. For a source elsewhere the open list is put in its new order;
//! what is settled stays so, as its costs do not depend on where the search was headed (reverse
//! resumable A*: Silver, AIIDE 2005).
//!
//! Costs within a sector obey the triangle inequality: two steps within the same sector, one after
//! the other, gain nothing. A portal reached within a sector is therefore left across its window at
//! once, and only what was reached across a window waits in the open list.
//!
//! A search that takes long raises the weight of its estimates (weighted A*: Pohl
//! 1970), so that it no longer looks at every way that might be a little cheaper. Costs of portals
//! reached so may fall later, and then they are gone on from again; no order of events makes a known
//! cost less than that of the way which `next` tells.

use super::cluster_heuristic::ClusterHeuristic;
use super::goal_routes::{ACROSS, GoalRoutes};
use super::graph::{PortalGraph, PortalId};
use super::open_entry::Entry;
use super::search_target::SearchTarget;
use super::sector_portals::NO_EDGE;
use super::sector_search::NO_PATH;
use super::sectors::Side;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// Sources stand together if the goal is so many times as far as they are from each other.
const NEAR: u64 = 8;

impl GoalRoutes {
    /// Leaves a portal across its window, or by the links that lead to it.
    pub(super) fn cross(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64) {
        if graph.is_link(portal) {
            return self.cross_links(graph, portal, to_go);
        }
        let across = graph.across(portal);
        let from = graph.sector(portal.sector).portals[usize::from(portal.slot)];
        let to_go = to_go + u64::from(FINEST.straight) * u64::from(from.cost_across);
        let index = self.touch(graph, across.sector) + usize::from(across.slot);
        if to_go < self.to_go[index] {
            self.to_go[index] = to_go;
            self.next[index] = ACROSS;
            let through = to_go + self.estimate(graph, across, graph.middle(across));
            self.open.push(Entry::new(across, to_go, through));
        }
    }

    /// What the rest of a route counts for that leads through a portal.
    #[inline]
    pub(super) fn estimate(&mut self, graph: &PortalGraph, portal: PortalId, cell: IVec2) -> u64 {
        match (&mut self.heuristic, &graph.clusters) {
            (Some(heuristic), Some(clusters)) => {
                let cost = heuristic.estimate(clusters, portal.sector, portal.slot, cell);
                cost * self.target.heuristic_weight / 100
            }
            _ => self.target.estimate(graph, cell),
        }
    }

    /// Goes on from a portal, from which it costs `to_go`, to the first cells of links that end there.
    fn cross_links(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64) {
        for (first, units) in graph.links_to(portal) {
            let to_go = to_go + units;
            let index = self.touch(graph, first.sector) + usize::from(first.slot);
            if to_go < self.to_go[index] {
                self.to_go[index] = to_go;
                self.next[index] = ACROSS;
                // Where there are links there is no level above.
                let through = to_go + self.target.estimate(graph, graph.middle(first));
                self.open.push(Entry::new(first, to_go, through));
            }
        }
    }

    /// Whether the entry still tells how its portal is left.
    fn is_live(&self, entry: &Entry) -> bool {
        let index = self.first[entry.sector as usize] as usize + usize::from(entry.slot);
        self.to_go[index] == entry.to_go && self.next[index] == ACROSS
    }

    /// The least cost of any route that is still to be found; [`NO_PATH`] if there is none.
    pub(super) fn least_open(&mut self) -> u64 {
        while let Some(entry) = self.open.peek() {
            if self.is_live(entry) {
                return entry.through;
            }
            self.open.pop();
        }
        NO_PATH
    }

    /// The least cost, from anywhere in a sector, of any route that is still to be found. With estimates from
    /// the level above it is what a route by way of the sector aimed at is about to cost.
    pub(super) fn least_open_from(&mut self, graph: &PortalGraph, sector: u32) -> u64 {
        let (least, shift) = (self.least_open(), self.shift_to(graph, sector));
        match least {
            NO_PATH => NO_PATH,
            _ if self.heuristic.is_some() => least.saturating_add(shift),
            _ => least.saturating_sub(shift),
        }
    }

    /// How far a search has to go that is to prove or better a cost from a sector.
    pub(super) fn limit(&self, graph: &PortalGraph, sector: u32, cost: u64) -> u64 {
        match cost {
            NO_PATH => NO_PATH,
            _ if self.heuristic.is_some() => cost.saturating_sub(self.shift_to(graph, sector)),
            _ => cost,
        }
    }

    /// By how much estimates for the sector aimed at and for another differ at most.
    fn shift_to(&self, graph: &PortalGraph, sector: u32) -> u64 {
        let shift = self.target.shift_to(graph, sector);
        let heuristic = self.heuristic.as_ref();
        heuristic.map_or(shift, |heuristic| {
            heuristic.shift(shift, self.target.cheapest)
        })
    }

    /// Whether a sector is so near the one aimed at that the search need not turn.
    pub(super) fn is_near(&mut self, graph: &PortalGraph, sector: u32) -> bool {
        let away = self.shift_to(graph, sector);
        NEAR * away < self.least_open()
    }

    /// Turns the search towards a source by estimates from the level above.
    pub(super) fn set_target_by_heuristic(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        sector: u32,
        heuristic: ClusterHeuristic,
    ) {
        self.target = SearchTarget::new(graph, costs, sector);
        self.target.heuristic_weight = self.target.initial_heuristic_weight();
        self.heuristic = Some(heuristic);
        self.expanded = 0;
        self.reorder(graph);
    }

    /// Turns the search towards a sector. Near the last one it keeps the weight of its estimates: sources that
    /// stand together are to cost little more than one. Elsewhere it begins with a new expansion budget.
    pub(super) fn set_target(&mut self, graph: &PortalGraph, costs: &CostField, sector: u32) {
        let mut target = SearchTarget::new(graph, costs, sector);
        if self.heuristic.take().is_some() {
            self.expanded = 0;
            self.target = target;
            self.reorder(graph);
            return;
        }
        if self.is_near(graph, sector) {
            target.heuristic_weight = self.target.heuristic_weight;
        } else {
            self.expanded = 0;
        }
        let key = |target: &SearchTarget| (target.sector, target.cheapest, target.heuristic_weight);
        if key(&self.target) != key(&target) {
            self.target = target;
            self.reorder(graph);
        }
    }

    /// Puts the open list in the order of the present target.
    fn reorder(&mut self, graph: &PortalGraph) {
        let mut open = std::mem::take(&mut self.open).into_vec();
        open.retain(|entry| self.is_live(entry));
        for entry in &mut open {
            let portal = PortalId {
                sector: entry.sector,
                slot: entry.slot,
            };
            entry.through = entry.to_go + self.estimate(graph, portal, graph.middle(portal));
        }
        self.open = open.into();
    }

    /// Puts the open list in order when nothing is new but how much estimates count, which was so many percent.
    fn reweigh(&mut self, before: u64) {
        let mut open = std::mem::take(&mut self.open).into_vec();
        open.retain(|entry| self.is_live(entry));
        for entry in &mut open {
            let rest = entry.through - entry.to_go;
            entry.through = entry.to_go + rest * self.target.heuristic_weight / before;
        }
        self.open = open.into();
    }

    /// Goes on until no route that counts for less than `limit` is left to be found, or one that ends
    /// in the sector aimed at counts for so much less that `slack` more would not do.
    pub(super) fn search(&mut self, graph: &PortalGraph, mut limit: u64, slack: u64) {
        while let Some(entry) = self.open.peek().copied() {
            if entry.through >= limit {
                return;
            }
            self.open.pop();
            if !self.is_live(&entry) {
                continue;
            }
            if entry.sector == self.source_sector {
                limit = limit.min(entry.to_go.saturating_add(slack));
            }
            self.expand(graph, &entry);
            self.settled += 1;
            self.expanded += 1;
            if self.expanded.is_multiple_of(self.expansion_budget) {
                if self.heuristic.is_some() {
                    let before = self.target.heuristic_weight;
                    self.target.raise_heuristic_weight();
                    self.reweigh(before);
                } else {
                    self.target
                        .set_heuristic_weight(self.expanded / self.expansion_budget);
                    self.reorder(graph);
                }
            }
        }
    }

    /// Goes on from up to so many portals, the nearest to the goal first, wherever they lie; whether none is left, so
    /// that ways are known from everywhere.
    pub(crate) fn spread(&mut self, graph: &PortalGraph, portals: usize) -> bool {
        if self.heuristic.take().is_some() || self.target.heuristic_weight > 0 {
            self.target.heuristic_weight = 0;
            self.reorder(graph);
        }
        for _ in 0..portals {
            let Some(entry) = self.open.pop() else {
                return true;
            };
            if self.is_live(&entry) {
                self.expand(graph, &entry);
                self.settled += 1;
            }
        }
        self.open.is_empty()
    }

    /// Goes on from a settled portal to the others of its sector, and from those across.
    fn expand(&mut self, graph: &PortalGraph, entry: &Entry) {
        let sectors = graph.sectors();
        let own = graph.sector(entry.sector);
        let rect = sectors.rect(entry.sector);
        let extent = rect.high - rect.low;
        let first = self.first[entry.sector as usize] as usize;
        let costs = own.costs_to(entry.slot);
        if own.links.is_some() {
            self.expand_to_links(graph, entry, first);
        }
        for side in Side::ALL {
            let slots = own.sides[side as usize]..own.sides[side as usize + 1];
            if slots.is_empty() {
                continue;
            }
            let sector = (entry.sector).wrapping_add_signed(sectors.beyond_offset(side));
            for slot in slots.clone() {
                let (cost, index) = (costs[usize::from(slot)], first + usize::from(slot));
                let to_go = entry.to_go + u64::from(cost);
                if cost == NO_EDGE || to_go >= self.to_go[index] {
                    continue;
                }
                self.to_go[index] = to_go;
                self.next[index] = entry.slot;
                let portal = own.portals[usize::from(slot)];
                let to_go = to_go + u64::from(FINEST.straight) * u64::from(portal.cost_across);
                let across = graph.sector(sector).sides[side.opposite() as usize];
                let slot = slot - slots.start + across;
                let index = self.touch(graph, sector) + usize::from(slot);
                if to_go >= self.to_go[index] {
                    continue;
                }
                self.to_go[index] = to_go;
                self.next[index] = ACROSS;
                let cell = rect.low + portal.middle_in(side, extent) + side.step();
                let portal = PortalId { sector, slot };
                let through = to_go + self.estimate(graph, portal, cell);
                self.open.push(Entry::new(portal, to_go, through));
            }
        }
    }

    /// Goes on from a settled portal to those of links in its sector, whose entries begin at `first`, and by
    /// the links to them. Unlike a window, a link's end may also be where another begins.
    fn expand_to_links(&mut self, graph: &PortalGraph, entry: &Entry, first: usize) {
        let own = graph.sector(entry.sector);
        let costs = own.costs_to(entry.slot);
        for slot in own.portals.len() as u16..own.count() as u16 {
            let (cost, index) = (costs[usize::from(slot)], first + usize::from(slot));
            let to_go = entry.to_go + u64::from(cost);
            if slot != entry.slot {
                if cost == NO_EDGE || to_go >= self.to_go[index] {
                    continue;
                }
                self.to_go[index] = to_go;
                self.next[index] = entry.slot;
            }
            let portal = PortalId {
                sector: entry.sector,
                slot,
            };
            self.cross_links(graph, portal, to_go);
        }
    }
}
