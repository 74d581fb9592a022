//! The search over portals (Emerson, Game AI Pro, 23.5), one for each goal.
//!
//! It runs backward, from the goal cells, so that every portal it settles knows the exact cost from
//! there and the next portal, and stops when the source is settled. It is kept: whoever asks next
//! finds what earlier sources have settled, and the search goes on only from where it stopped. This
//! is merging A*, turned round so that merging never makes a route longer. All sources of a goal
//! together cost at most one search of the whole graph.
//!
//! A* aims at the sector of the source. For a source elsewhere the open list is put in its new order;
//! what is settled stays so, for its costs do not depend on where the search was headed (reverse
//! resumable A*: Silver, AIIDE 2005).
//!
//! Costs within a sector obey the triangle inequality: two steps within the same sector, one after
//! the other, gain nothing. A portal reached within a sector is therefore left across its window at
//! once, and only what was reached across a window waits in the open list.

use super::graph::{NO_EDGE, PortalGraph, PortalId, in_units};
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::sectors::{Sectors, Side};
use super::table::SectorTable;
use crate::error::{Result, in_range};
use crate::grid::CellRect;
use crate::integrate::{FINEST, GoalCell, MAX_INITIAL_COST};
use crate::movement::CostField;
use glam::IVec2;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Where a way goes on from a portal: at the portal of that slot in the same sector, or one of these.
pub(super) type Next = u16;
/// Across the window.
pub(super) const ACROSS: Next = Next::MAX;
/// To a goal cell in the same sector.
pub(super) const TO_GOAL: Next = Next::MAX - 1;
/// The portal has not been reached.
const NOWHERE: Next = Next::MAX - 2;

/// A sector that the search has not reached.
const UNTOUCHED: u32 = u32::MAX;

/// Routes to one goal, from wherever they have been asked for.
#[derive(Debug)]
pub struct GoalRoutes {
    /// The open goal cells, with their sectors, in order.
    goals: Vec<(u32, Source)>,
    cells: Vec<GoalCell>,
    /// Of the graph that all this holds for.
    version: u64,
    /// For each sector where its portals begin in what follows.
    first: Vec<u32>,
    /// For each portal of the sectors reached: the least cost to the goal that is known. It is exact
    /// if, with the estimate, it is at most the least in the open list.
    to_go: Vec<u64>,
    next: Vec<Next>,
    /// Whether [`Self::join`] has been there.
    pub(super) joined: Vec<bool>,
    open: BinaryHeap<Entry>,
    pub(super) aim: Aim,
    pub(super) tables: BTreeMap<u32, SectorTable>,
    /// How many portals were settled and gone on from.
    settled: usize,
}

/// A portal from which the search goes on within its sector, having come across the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    /// The least cost of a route through here.
    through: u64,
    to_go: u64,
    sector: u32,
    slot: u16,
}

impl Ord for Entry {
    /// The greatest entry is the next one: the least cost, then the nearest to the source.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |entry: &Self| (entry.through, u64::MAX - entry.to_go);
        let place = |entry: &Self| (entry.sector, entry.slot);
        let by_cost = key(other).cmp(&key(self));
        by_cost.then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The sector that A* is headed for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    pub(super) sector: u32,
    /// Its first and last cell.
    low: IVec2,
    high: IVec2,
    cheapest: u8,
}

impl Aim {
    fn new(sectors: &Sectors, costs: &CostField, sector: u32) -> Self {
        let CellRect { low, high } = sectors.rect(sector);
        Self {
            sector,
            low,
            high: high - IVec2::ONE,
            cheapest: costs.cheapest(),
        }
    }

    /// A cost below which nothing leads from the sector to a cell.
    #[inline]
    fn estimate(&self, cell: IVec2) -> u64 {
        let away = (self.low - cell).max(cell - self.high).max(IVec2::ZERO);
        octile(away) * u64::from(self.cheapest)
    }

    /// By how much no estimate exceeds that of an aim at another sector.
    fn shift_to(&self, sectors: &Sectors, sector: u32) -> u64 {
        let other = sectors.rect(sector);
        let away = (self.low - other.low)
            .max(other.high - IVec2::ONE - self.high)
            .max(IVec2::ZERO);
        octile(away) * u64::from(self.cheapest)
    }
}

/// The cost of the shortest way over clear ground to a cell so far away on both axes.
#[inline]
fn octile(away: IVec2) -> u64 {
    let away = away.as_uvec2();
    let (diagonal, longer) = (away.min_element(), away.max_element());
    let straight = u64::from(longer - diagonal) * u64::from(FINEST.straight);
    straight + u64::from(diagonal) * u64::from(FINEST.diagonal)
}

impl GoalRoutes {
    /// Routes to the nearest of `goals`, of which none has been asked for yet. Goals in walls or
    /// outside the map are left out; without any other nothing is reached.
    ///
    /// # Errors
    /// An initial cost outside 0..=[`MAX_INITIAL_COST`].
    pub fn new(graph: &PortalGraph, costs: &CostField, goals: &[GoalCell]) -> Result<Self> {
        for goal in goals {
            in_range("initial_cost", goal.cost, 0.0, MAX_INITIAL_COST)?;
        }
        let mut routes = Self {
            goals: Vec::new(),
            cells: goals.to_vec(),
            version: 0,
            first: Vec::new(),
            to_go: Vec::new(),
            next: Vec::new(),
            joined: Vec::new(),
            open: BinaryHeap::new(),
            aim: Aim::new(graph.sectors(), costs, 0),
            tables: BTreeMap::new(),
            settled: 0,
        };
        routes.restart(graph, costs, &mut SectorSearch::new());
        Ok(routes)
    }

    /// Forgets all routes and begins again at the goal.
    pub(super) fn restart(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        search: &mut SectorSearch,
    ) {
        let sectors = graph.sectors();
        self.version = graph.version();
        self.first.clear();
        self.first.resize(sectors.count(), UNTOUCHED);
        self.to_go.clear();
        self.next.clear();
        self.joined.clear();
        self.open.clear();
        self.tables.clear();
        self.settled = 0;
        self.aim = Aim::new(sectors, costs, self.aim.sector);
        let inside = |goal: &&GoalCell| sectors.contains(goal.cell);
        let goals = self.cells.iter().filter(inside).map(|goal| {
            let source = Source {
                place: sectors.place(goal.cell) as u16,
                cost: (f64::from(goal.cost) * f64::from(FINEST.straight)).round() as u64,
                mark: TO_GOAL,
            };
            (goal.cell, (sectors.at(goal.cell), source))
        });
        let (open, closed): (Vec<_>, Vec<_>) = goals.partition(|goal| costs.is_open(goal.0));
        // A goal that opens is a change to note.
        for (_, (sector, _)) in closed {
            self.touch(graph, sector);
        }
        self.goals = open.into_iter().map(|goal| goal.1).collect();
        self.goals
            .sort_unstable_by_key(|&(sector, source)| (sector, source.place, source.cost));
        let goals = std::mem::take(&mut self.goals);
        for goals in goals.chunk_by(|one, other| one.0 == other.0) {
            self.begin(graph, costs, goals, search);
        }
        self.goals = goals;
    }

    /// Begins from the goal cells of one sector.
    fn begin(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        goals: &[(u32, Source)],
        search: &mut SectorSearch,
    ) {
        let sector = goals[0].0;
        let mut sources: Vec<Source> = goals.iter().map(|goal| goal.1).collect();
        search.load(costs, graph.sectors(), sector);
        search.spread(&mut sources);
        let first = self.touch(graph, sector);
        for portal in graph.portals_of(sector) {
            let place = graph.sectors().place(graph.middle(portal));
            let to_go = search.to_go[place];
            let index = first + usize::from(portal.slot);
            if to_go < self.to_go[index] {
                self.to_go[index] = to_go;
                self.next[index] = TO_GOAL;
                self.cross(graph, portal, to_go);
            }
        }
    }

    /// Leaves a portal across its window.
    fn cross(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64) {
        let across = graph.across(portal);
        let from = graph.sector(portal.sector).portals[usize::from(portal.slot)];
        let to_go = to_go + u64::from(FINEST.straight) * u64::from(from.cost_across);
        let index = self.touch(graph, across.sector) + usize::from(across.slot);
        if to_go < self.to_go[index] {
            self.to_go[index] = to_go;
            self.next[index] = ACROSS;
            let through = to_go + self.aim.estimate(graph.middle(across));
            self.open.push(Entry {
                through,
                to_go,
                sector: across.sector,
                slot: across.slot,
            });
        }
    }

    /// Makes room for the portals of a sector; returns where they begin.
    #[inline]
    fn touch(&mut self, graph: &PortalGraph, sector: u32) -> usize {
        let first = &mut self.first[sector as usize];
        if *first == UNTOUCHED {
            *first = self.to_go.len() as u32;
            let end = self.to_go.len() + graph.sector(sector).portals.len();
            self.to_go.resize(end, NO_PATH);
            self.next.resize(end, NOWHERE);
            self.joined.resize(end, false);
        }
        *first as usize
    }

    /// Where a portal of a sector that was reached has its entries.
    pub(super) fn index(&self, portal: PortalId) -> Option<usize> {
        let first = *self.first.get(portal.sector as usize)?;
        let index = first as usize + usize::from(portal.slot);
        (first != UNTOUCHED && index < self.to_go.len()).then_some(index)
    }

    pub(super) fn next_of(&self, portal: PortalId) -> Next {
        self.index(portal).map_or(NOWHERE, |index| self.next[index])
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

    /// The least cost, from anywhere in a sector, of any route that is still to be found.
    pub(super) fn least_open_from(&mut self, graph: &PortalGraph, sector: u32) -> u64 {
        match self.least_open() {
            NO_PATH => NO_PATH,
            least => least.saturating_sub(self.aim.shift_to(graph.sectors(), sector)),
        }
    }

    /// Turns the search towards a sector.
    pub(super) fn aim_at(&mut self, graph: &PortalGraph, costs: &CostField, sector: u32) {
        if self.aim.sector == sector && self.aim.cheapest == costs.cheapest() {
            return;
        }
        self.aim = Aim::new(graph.sectors(), costs, sector);
        let mut open = std::mem::take(&mut self.open).into_vec();
        open.retain(|entry| self.is_live(entry));
        for entry in &mut open {
            let portal = PortalId {
                sector: entry.sector,
                slot: entry.slot,
            };
            entry.through = entry.to_go + self.aim.estimate(graph.middle(portal));
        }
        self.open = open.into();
    }

    /// Settles portals until no route that costs less than `limit` is left to be found, or one that
    /// ends in the sector aimed at costs so much less that `slack` more would not do.
    pub(super) fn search(&mut self, graph: &PortalGraph, mut limit: u64, slack: u64) {
        while let Some(entry) = self.open.peek().copied() {
            if entry.through >= limit {
                return;
            }
            self.open.pop();
            if !self.is_live(&entry) {
                continue;
            }
            if entry.sector == self.aim.sector {
                limit = limit.min(entry.to_go.saturating_add(slack));
            }
            self.settled += 1;
            self.go_on(graph, &entry);
        }
    }

    /// Goes on from a settled portal to the others of its sector, and from those across.
    fn go_on(&mut self, graph: &PortalGraph, entry: &Entry) {
        let sectors = graph.sectors();
        let own = graph.sector(entry.sector);
        let rect = sectors.rect(entry.sector);
        let extent = rect.high - rect.low;
        let first = self.first[entry.sector as usize] as usize;
        let costs = own.costs_to(entry.slot);
        for side in Side::ALL {
            let slots = own.sides[side as usize]..own.sides[side as usize + 1];
            if slots.is_empty() {
                continue;
            }
            let sector = (entry.sector).wrapping_add_signed(sectors.beyond_offset(side));
            let across = graph.sector(sector).sides[side.opposite() as usize];
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
                let slot = slot - slots.start + across;
                let index = self.touch(graph, sector) + usize::from(slot);
                if to_go >= self.to_go[index] {
                    continue;
                }
                self.to_go[index] = to_go;
                self.next[index] = ACROSS;
                let cell = rect.low + portal.middle_in(side, extent) + side.step();
                self.open.push(Entry {
                    through: to_go + self.aim.estimate(cell),
                    to_go,
                    sector,
                    slot,
                });
            }
        }
    }

    /// Where routes from within a sector end, as far as is known: at its goal cells, and at portals
    /// that are left across their windows.
    pub(super) fn ends_in(&self, graph: &PortalGraph, sector: u32) -> Vec<Source> {
        let goals = self.goals.iter().filter(|goal| goal.0 == sector);
        let goals = goals.map(|goal| goal.1);
        let portals = graph.portals_of(sector).filter_map(|portal| {
            let index = self.index(portal)?;
            (self.next[index] == ACROSS).then(|| Source {
                place: graph.sectors().place(graph.middle(portal)) as u16,
                cost: self.to_go[index],
                mark: portal.slot,
            })
        });
        goals.chain(portals).collect()
    }

    /// Tells that only the parts of the graph in the sectors `changed` are new, as
    /// [`PortalGraph::update`] returned them. If routes may depend on any they are all forgotten, and
    /// true is returned.
    pub fn update(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        changed: &[u32],
        search: &mut SectorSearch,
    ) -> bool {
        let first = |sector: u32| self.first.get(sector as usize);
        let touched = |&sector: &u32| first(sector).is_some_and(|&first| first != UNTOUCHED);
        // What is cheaper than any cell was makes the estimates too high.
        let cheaper = costs.cheapest() < self.aim.cheapest;
        let affected = cheaper || changed.iter().any(touched);
        if affected {
            self.restart(graph, costs, search);
        } else {
            self.version = graph.version();
            for sector in changed {
                self.tables.remove(sector);
            }
        }
        affected
    }

    /// The graph's version that the routes hold for.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// How many portals the search has gone on from: what the routes took to find.
    #[must_use]
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// What it costs to reach the goal from the middle of a portal, as far as the search knows: exact
    /// on every route that was found. In cost units.
    #[must_use]
    pub fn cost_to_go(&self, portal: PortalId) -> Option<f64> {
        let to_go = self.to_go[self.index(portal)?];
        (to_go != NO_PATH).then(|| in_units(to_go))
    }
}
