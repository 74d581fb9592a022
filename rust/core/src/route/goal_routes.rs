//! The known routes to one goal (Emerson, Game AI Pro, 23.5): for each portal that the search has reached, the cost to
//! the goal and the next portal; for each sector in which routes begin, the same for all of its cells.

use super::cluster_heuristic::ClusterHeuristic;
use super::graph::{PortalGraph, PortalId, in_units};
use super::open_entry::Entry;
use super::search_target::SearchTarget;
use super::sector_links::SectorLinks;
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::table::SectorTable;
use crate::bytes::saved;
use crate::error::{Result, in_range};
use crate::integrate::{FINEST, GoalCell, MAX_INITIAL_COST};
use crate::movement::CostField;
use glam::IVec2;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

/// Where the route from a portal continues: at the portal of that slot in the same sector, or one of the constants
/// below.
pub(super) type Next = u16;
/// Across the window, or by a link.
pub(super) const ACROSS: Next = Next::MAX;
/// To a goal cell in the same sector.
pub(super) const TO_GOAL: Next = Next::MAX - 1;
/// The portal has not been reached.
pub(super) const NOT_REACHED: Next = Next::MAX - 2;

/// The default expansion budget, in portals: about half a millisecond of search.
pub const DEFAULT_EXPANSION_BUDGET: usize = 2048;

/// The most portals for which memory is prepared.
const MOST_ROOM: usize = 32_768;

/// Marks a sector that the search has not reached.
pub(super) const UNTOUCHED: u32 = u32::MAX;

/// The routes to one goal that have been requested, and the state of the search that found them.
#[derive(Debug, Clone)]
pub struct GoalRoutes {
    /// The open goal cells with their sectors, in order.
    pub(super) goals: Vec<(u32, Source)>,
    pub(super) cells: Vec<GoalCell>,
    /// The version of the graph for which all this holds.
    pub(super) version: u64,
    pub(super) links: Arc<SectorLinks>,
    /// For each sector the index of its first portal in the arrays below.
    pub(super) first: Vec<u32>,
    /// For each portal of the sectors reached: the least known cost to the goal.
    pub(super) to_go: Vec<u64>,
    pub(super) next: Vec<Next>,
    /// Whether [`Self::join`] has returned the portal.
    pub(super) joined: Vec<bool>,
    pub(super) open: BinaryHeap<Entry>,
    pub(super) target: SearchTarget,
    /// Estimates from the level above, on very large maps.
    pub(super) heuristic: Option<ClusterHeuristic>,
    /// The sector of the current source.
    pub(super) source_sector: u32,
    /// The source for which the search is to be continued.
    pub(super) unfinished: Option<UnfinishedSearch>,
    /// The cells, as sectors and indices, from which the level above shows that there is no route.
    pub(super) unreachable: BTreeSet<(u32, u16)>,
    /// [`PortalGraph::connectivity_version`] when the search began.
    pub(super) connectivity_version: u64,
    pub(super) tables: BTreeMap<u32, SectorTable>,
    /// The number of portals that the search has expanded, in all and for the current source.
    pub(super) settled: usize,
    pub(super) expanded_for_source: usize,
    pub(super) expansion_budget: usize,
}

/// A search that has used up its portals.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnfinishedSearch {
    /// The cell at which it is directed, as a sector and an index.
    pub(super) source: (u32, u16),
    /// The estimated cost up to which it is to run.
    pub(super) limit: u64,
}

saved!(UnfinishedSearch { source, limit });

impl GoalRoutes {
    /// Makes routes to the nearest of `goals`; none is searched yet. Goals in walls or outside of the map are ignored.
    /// Without any other goal there are no routes.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for an initial cost outside 0..=[`MAX_INITIAL_COST`].
    pub fn new(graph: &PortalGraph, costs: &CostField, goals: &[GoalCell]) -> Result<Self> {
        let mut routes = Self::without_goals(graph, costs);
        routes.begin_at(graph, costs, goals)?;
        Ok(routes)
    }

    /// Makes routes without goals, with memory for routes across a large map.
    pub(crate) fn with_room(graph: &PortalGraph, costs: &CostField) -> Self {
        let sectors = graph.sectors().count();
        let portals = sectors.min(MOST_ROOM);
        let mut routes = Self::without_goals(graph, costs);
        // The system provides memory when it is first written.
        routes.first.resize(sectors, UNTOUCHED);
        routes.to_go.resize(portals, NO_PATH);
        routes.next.resize(portals, NOT_REACHED);
        routes.joined.resize(portals, false);
        let portal = PortalId { sector: 0, slot: 0 };
        let waiting = Entry::new((portal, IVec2::ZERO), 0, 0);
        routes.open = vec![waiting; portals / 4].into();
        routes
    }

    /// Replaces the goals. The result equals that of [`Self::new`].
    pub(crate) fn begin_at(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<()> {
        for goal in goals {
            in_range("initial_cost", goal.cost, 0.0, MAX_INITIAL_COST)?;
        }
        self.cells = goals.to_vec();
        self.restart(graph, costs, &mut SectorSearch::new());
        Ok(())
    }

    /// Makes routes without goals.
    pub(crate) fn without_goals(graph: &PortalGraph, costs: &CostField) -> Self {
        Self {
            goals: Vec::new(),
            cells: Vec::new(),
            version: 0,
            links: Arc::clone(graph.links()),
            first: Vec::new(),
            to_go: Vec::new(),
            next: Vec::new(),
            joined: Vec::new(),
            open: BinaryHeap::new(),
            target: SearchTarget::new(graph, costs, 0),
            heuristic: None,
            source_sector: 0,
            unfinished: None,
            unreachable: BTreeSet::new(),
            connectivity_version: 0,
            tables: BTreeMap::new(),
            settled: 0,
            expanded_for_source: 0,
            expansion_budget: DEFAULT_EXPANSION_BUDGET,
        }
    }

    /// Sets how many portals the search for one source expands before it accepts less than the cheapest route. After
    /// each further budget routes may cost more than the least by 1/8, 1/4, 1/2, 1, 2 and at last 3 times; where the
    /// costs of cells differ, by the ratio of these costs as well. In practice they cost a few percent more. With
    /// `usize::MAX` routes are always the cheapest, which on large maps takes tens of milliseconds.
    pub fn set_expansion_budget(&mut self, portals: usize) {
        self.expansion_budget = portals.max(1);
    }

    /// Forgets all routes and restarts the search at the goal.
    pub(super) fn restart(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        search: &mut SectorSearch,
    ) {
        let sectors = graph.sectors();
        self.version = graph.version();
        self.links = Arc::clone(graph.links());
        self.first.clear();
        self.first.resize(sectors.count(), UNTOUCHED);
        self.to_go.clear();
        self.next.clear();
        self.joined.clear();
        self.open.clear();
        self.tables.clear();
        self.settled = 0;
        self.expanded_for_source = 0;
        self.target = SearchTarget::new(graph, costs, self.target.sector);
        self.heuristic = None;
        self.unfinished = None;
        self.unreachable.clear();
        self.connectivity_version = graph.connectivity_version;
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
        // The sector of a blocked goal counts as reached, so that an edit that opens the goal restarts the search.
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

    /// Starts the search from the goal cells of one sector.
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

    /// Adds entries for the portals of a sector unless it has some. Returns the index of the first.
    #[inline]
    pub(super) fn touch(&mut self, graph: &PortalGraph, sector: u32) -> usize {
        let first = &mut self.first[sector as usize];
        if *first == UNTOUCHED {
            *first = self.to_go.len() as u32;
            let end = self.to_go.len() + graph.sector(sector).count();
            self.to_go.resize(end, NO_PATH);
            self.next.resize(end, NOT_REACHED);
            self.joined.resize(end, false);
        }
        *first as usize
    }

    /// The index of a portal's entries; `None` if its sector has not been reached.
    pub(super) fn index(&self, portal: PortalId) -> Option<usize> {
        let first = *self.first.get(portal.sector as usize)?;
        let index = first as usize + usize::from(portal.slot);
        (first != UNTOUCHED && index < self.to_go.len()).then_some(index)
    }

    pub(super) fn next_of(&self, portal: PortalId) -> Next {
        self.index(portal)
            .map_or(NOT_REACHED, |index| self.next[index])
    }

    /// The known ends of routes from within a sector: its goal cells, and portals that are left across their windows or
    /// by links.
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

    /// Takes over a change of the graph. `changed` are the sectors that [`PortalGraph::update`] returned. If known
    /// routes may depend on them, all routes are forgotten and true is returned.
    pub fn update(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        changed: &[u32],
        search: &mut SectorSearch,
    ) -> bool {
        let affected = self.is_affected(graph, costs, changed);
        if affected {
            self.restart(graph, costs, search);
        } else {
            self.version = graph.version();
            self.forget_tables(changed);
        }
        affected
    }

    /// Takes over changes of costs in some sectors that the graph lacks. Routes are forgotten, and true is returned,
    /// only if the estimates of their search would be too high.
    pub(crate) fn update_costs(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        changed: &[u32],
        search: &mut SectorSearch,
    ) -> bool {
        let is_cheaper = costs.cheapest() < self.target.cheapest;
        // Routes that were loaded without what was to be forgotten have other links.
        let is_forgotten = is_cheaper || !Arc::ptr_eq(&self.links, graph.links());
        if is_forgotten {
            self.restart(graph, costs, search);
        } else {
            self.forget_tables(changed);
        }
        is_forgotten
    }

    /// Removes the tables of `sectors`, ascending. There may be far more of these than tables.
    fn forget_tables(&mut self, sectors: &[u32]) {
        self.tables
            .retain(|sector, _| sectors.binary_search(sector).is_err());
    }

    /// Returns true if known routes may depend on a change of the graph: see [`Self::update`].
    pub(super) fn is_affected(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        changed: &[u32],
    ) -> bool {
        let first = |sector: u32| self.first.get(sector as usize);
        let touched = |&sector: &u32| first(sector).is_some_and(|&first| first != UNTOUCHED);
        // A cell cheaper than any before makes the estimates too high, and so do new links.
        let cheaper = costs.cheapest() < self.target.cheapest;
        // A search with estimates from the level above has not expanded parts that the level showed to be unconnected.
        let connectivity_changed = self.connectivity_version != graph.connectivity_version;
        let links_changed = !Arc::ptr_eq(&self.links, graph.links());
        cheaper || connectivity_changed || links_changed || changed.iter().any(touched)
    }

    /// The goal cells that the routes lead to, in walls or not.
    pub(crate) fn cells(&self) -> &[GoalCell] {
        &self.cells
    }

    /// The version of the graph for which the routes hold.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The number of portals that the search has expanded: the work that the routes took.
    #[must_use]
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// The approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables: usize = self.tables.values().map(SectorTable::bytes).sum();
        size_of_val(self.first.as_slice())
            + size_of_val(self.to_go.as_slice())
            + size_of_val(self.next.as_slice())
            + size_of_val(self.joined.as_slice())
            + self.open.len() * size_of::<Entry>()
            + tables
    }

    /// The known cost from the middle of a portal to the goal, in cost units. It is exact on every route that was
    /// found.
    #[must_use]
    pub fn cost_to_go(&self, portal: PortalId) -> Option<f64> {
        let to_go = self.to_go[self.index(portal)?];
        (to_go != NO_PATH).then(|| in_units(to_go))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Grid};
    use crate::movement::MovementType;
    use crate::route::PortalSettings;
    use crate::terrain::Terrain;
    use crate::workers::Workers;
    use glam::{IVec2, Vec2};

    /// Agents without tiles would be led by the costs of former ground.
    #[test]
    fn what_is_known_of_changed_sectors_is_forgotten_while_the_graph_lacks_the_change() {
        let grid = Grid::new(IVec2::splat(24), 1.0, Vec2::ZERO).expect("valid");
        let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let settings = PortalSettings {
            sector_size: 8,
            widest_window: 8,
        };
        let graph = PortalGraph::new(&costs, settings, &Workers::serial()).expect("valid");
        let goal = GoalCell {
            cell: IVec2::splat(22),
            cost: 0.0,
        };
        let mut routes = GoalRoutes::new(&graph, &costs, &[goal]).expect("inside");
        let mut search = SectorSearch::new();
        let starts = [IVec2::splat(2), IVec2::new(2, 20)];
        for start in starts {
            let found = routes.find(&graph, &costs, start, &mut search);
            assert!(found.expect("inside").is_some());
        }
        let wall = CellRect {
            low: IVec2::new(3, 0),
            high: IVec2::new(4, 7),
        };
        terrain.fill_rect(wall, 255).expect("inside");
        costs.update(&terrain, &kind, &[wall]);
        let changed = [graph.sectors().at(wall.low)];
        assert!(!routes.update_costs(&graph, &costs, &changed, &mut search));
        let known = starts.map(|start| routes.known_start(&graph, start).is_some());
        assert_eq!(known, [false, true]);
    }
}
