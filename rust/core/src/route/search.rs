//! The search over portals (Emerson, Game AI Pro, 23.5).
//!
//! The search runs backward from the goal cells, so every settled portal has its cost to the goal and its next portal,
//! and it stops when the source is settled. Everything it knows is kept for the next source, from which it continues.
//! This is merging A* in the opposite direction: merging never makes a route longer, and all sources of a goal together
//! cost at most one search of the whole graph.
//!
//! A* directs the search at the sector of the source. For a source elsewhere the open list is reordered. Settled
//! portals stay settled, as their costs do not depend on the sector that the search was directed at (reverse resumable
//! A*: Silver, AIIDE 2005).
//!
//! Costs within a sector obey the triangle inequality, so two successive steps within one sector gain nothing. A portal
//! that is reached within a sector is therefore left across its window at once, and the open list contains only portals
//! that were reached across a window or by a link.
//!
//! A long search raises the weight of its estimates (weighted A*: Pohl 1970) and then no longer expands every portal
//! that might give a slightly cheaper route. The costs of portals that it reaches this way may decrease later, and such
//! portals are expanded again. In no order of events is a known cost less than that of the route that `next` describes.

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

/// Two sources are near each other if the estimated cost of a route is more than this many times the cost between them.
const NEAR: u64 = 8;

impl GoalRoutes {
    /// Relaxes the portal across the window of a portal, or the starts of the links that lead to it.
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
            self.open_at(graph, (across, graph.middle(across)), to_go);
        }
    }

    /// Adds a portal, with its middle, to the open list.
    #[inline]
    pub(super) fn open_at(&mut self, graph: &PortalGraph, portal: (PortalId, IVec2), to_go: u64) {
        let through = to_go + self.estimate(graph, portal);
        self.open.push(Entry::new(portal, to_go, through));
    }

    /// The weighted estimate of the cost from the source to a portal with its middle.
    #[inline]
    fn estimate(&mut self, graph: &PortalGraph, (portal, cell): (PortalId, IVec2)) -> u64 {
        match (&mut self.heuristic, &graph.clusters) {
            (Some(heuristic), Some(clusters)) => {
                let cost = heuristic.estimate(clusters, portal.sector, portal.slot, cell);
                cost * self.target.heuristic_weight / 100
            }
            _ => self.target.estimate(graph, cell),
        }
    }

    /// Relaxes the starts of the links that end in a portal with the cost `to_go`.
    fn cross_links(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64) {
        for (first, units) in graph.links_to(portal) {
            let to_go = to_go + units;
            let index = self.touch(graph, first.sector) + usize::from(first.slot);
            if to_go < self.to_go[index] {
                self.to_go[index] = to_go;
                self.next[index] = ACROSS;
                // A map with links has no level above.
                let cell = graph.middle(first);
                let through = to_go + self.target.estimate(graph, cell);
                self.open.push(Entry::new((first, cell), to_go, through));
            }
        }
    }

    /// Returns true if the entry has the current cost of its portal.
    fn is_live(&self, entry: &Entry) -> bool {
        let index = self.first[entry.sector as usize] as usize + usize::from(entry.slot);
        self.to_go[index] == entry.to_go && self.next[index] == ACROSS
    }

    /// The least estimated cost of the routes not yet found; [`NO_PATH`] if there are none.
    pub(super) fn least_open(&mut self) -> u64 {
        while let Some(entry) = self.open.peek() {
            if self.is_live(entry) {
                return entry.through;
            }
            self.open.pop();
        }
        NO_PATH
    }

    /// A lower bound of the cost of the routes not yet found from a cell of a sector. With estimates from the level
    /// above it is the approximate cost of a route by the sector that the search is directed at.
    pub(super) fn least_open_from(&mut self, graph: &PortalGraph, sector: u32) -> u64 {
        let (least, shift) = (self.least_open(), self.shift_to(graph, sector));
        match least {
            NO_PATH => NO_PATH,
            _ if self.heuristic.is_some() => least.saturating_add(shift),
            _ => least.saturating_sub(shift),
        }
    }

    /// The estimated cost up to which the search has to run to prove a cost from a sector, or to find a lower one.
    pub(super) fn limit(&self, graph: &PortalGraph, sector: u32, cost: u64) -> u64 {
        match cost {
            NO_PATH => NO_PATH,
            _ if self.heuristic.is_some() => cost.saturating_sub(self.shift_to(graph, sector)),
            _ => cost,
        }
    }

    /// The greatest difference between estimates for the target's sector and for another one.
    fn shift_to(&self, graph: &PortalGraph, sector: u32) -> u64 {
        let shift = self.target.shift_to(graph, sector);
        let heuristic = self.heuristic.as_ref();
        heuristic.map_or(shift, |heuristic| {
            heuristic.shift(shift, self.target.cheapest)
        })
    }

    /// Returns true if a sector is so near the target that the search keeps its direction.
    pub(super) fn is_near(&mut self, graph: &PortalGraph, sector: u32) -> bool {
        let away = self.shift_to(graph, sector);
        NEAR * away < self.least_open()
    }

    /// Directs the search at a source, with estimates from the level above.
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
        self.expanded_for_source = 0;
        self.reorder(graph);
    }

    /// Directs the search at a sector. Near the last target it keeps the weight of estimates, as sources that are close
    /// together should cost little more than one. Elsewhere it starts with a new expansion budget.
    pub(super) fn set_target(&mut self, graph: &PortalGraph, costs: &CostField, sector: u32) {
        let mut target = SearchTarget::new(graph, costs, sector);
        if self.heuristic.take().is_some() {
            self.expanded_for_source = 0;
            self.target = target;
            self.reorder(graph);
            return;
        }
        if self.is_near(graph, sector) {
            target.heuristic_weight = self.target.heuristic_weight;
        } else {
            self.expanded_for_source = 0;
        }
        let key = |target: &SearchTarget| (target.sector, target.cheapest, target.heuristic_weight);
        if key(&self.target) != key(&target) {
            self.target = target;
            self.reorder(graph);
        }
    }

    /// Reorders the open list for the current target.
    fn reorder(&mut self, graph: &PortalGraph) {
        let mut open = std::mem::take(&mut self.open).into_vec();
        open.retain(|entry| self.is_live(entry));
        for entry in &mut open {
            entry.through = entry.to_go + self.estimate(graph, (entry.portal(), entry.cell));
        }
        self.open = open.into();
    }

    /// Reorders the open list after a change of the weight alone. `before` is the former weight in percent.
    fn reweigh(&mut self, before: u64) {
        let mut open = std::mem::take(&mut self.open).into_vec();
        open.retain(|entry| self.is_live(entry));
        for entry in &mut open {
            let rest = entry.through - entry.to_go;
            entry.through = entry.to_go + rest * self.target.heuristic_weight / before;
        }
        self.open = open.into();
    }

    /// Expands portals until no route with an estimated cost below `limit` is left. An expanded portal in the source's
    /// sector lowers the limit to its cost plus `slack`. At most `portals` are expanded, by which that number
    /// decreases. Returns false if there were too few of them: the same call continues the search.
    pub(super) fn search(
        &mut self,
        graph: &PortalGraph,
        limit: &mut u64,
        slack: u64,
        portals: &mut usize,
    ) -> bool {
        while let Some(entry) = self.open.peek().copied() {
            if entry.through >= *limit {
                return true;
            }
            if *portals == 0 {
                return false;
            }
            self.open.pop();
            if !self.is_live(&entry) {
                continue;
            }
            if entry.sector == self.source_sector {
                *limit = (*limit).min(entry.to_go.saturating_add(slack));
            }
            self.expand(graph, &entry);
            self.settled += 1;
            *portals -= 1;
            self.expanded_for_source += 1;
            if self
                .expanded_for_source
                .is_multiple_of(self.expansion_budget)
            {
                if self.heuristic.is_some() {
                    let before = self.target.heuristic_weight;
                    self.target.raise_heuristic_weight();
                    self.reweigh(before);
                } else {
                    self.target
                        .set_heuristic_weight(self.expanded_for_source / self.expansion_budget);
                    self.reorder(graph);
                }
            }
        }
        true
    }

    /// Expands up to `portals` portals in the order of their cost to the goal, wherever they are. Returns true if none
    /// is left, so that routes are known from everywhere.
    pub(crate) fn spread(&mut self, graph: &PortalGraph, portals: usize) -> bool {
        self.unfinished = None;
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

    /// Expands a portal: relaxes the other portals of its sector, and those across their windows.
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
                self.open_at(graph, (PortalId { sector, slot }, cell), to_go);
            }
        }
    }

    /// Relaxes the portals of links in the sector of an expanded portal, whose entries begin at `first`, and the starts
    /// of these links. Unlike a window, the end of a link may also be the start of another.
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
                slot,
                ..entry.portal()
            };
            self.cross_links(graph, portal, to_go);
        }
    }
}
