//! What is known of the routes to one goal (Emerson, Game AI Pro, 23.5): of each portal that the search
//! has reached the cost to the goal and where the way goes on, and of each sector that routes begin in
//! the same of all its cells.

use super::cluster_heuristic::ClusterHeuristic;
use super::graph::{PortalGraph, PortalId, in_units};
use super::open_entry::Entry;
use super::search_target::SearchTarget;
use super::sector_links::SectorLinks;
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::table::SectorTable;
use crate::error::{Result, in_range};
use crate::integrate::{FINEST, GoalCell, MAX_INITIAL_COST};
use crate::movement::CostField;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

/// Where a way goes on from a portal: at the portal of that slot in the same sector, or one of these.
pub(super) type Next = u16;
/// Across the window, or by a link.
pub(super) const ACROSS: Next = Next::MAX;
/// To a goal cell in the same sector.
pub(super) const TO_GOAL: Next = Next::MAX - 1;
/// The portal has not been reached.
pub(super) const NOT_REACHED: Next = Next::MAX - 2;

/// How many portals a search expands before its estimates count for more, unless another number is chosen: half
/// a millisecond or so.
pub const DEFAULT_EXPANSION_BUDGET: usize = 2048;

/// For so many portals there is room at most in memory that is made ready.
const MOST_ROOM: usize = 32_768;

/// A sector that the search has not reached.
const UNTOUCHED: u32 = u32::MAX;

/// Routes to one goal, from wherever they have been asked for.
#[derive(Debug, Clone)]
pub struct GoalRoutes {
    /// The open goal cells, with their sectors, in order.
    pub(super) goals: Vec<(u32, Source)>,
    cells: Vec<GoalCell>,
    /// Of the graph that all this holds for.
    version: u64,
    links: Arc<SectorLinks>,
    /// For each sector where its portals begin in what follows.
    pub(super) first: Vec<u32>,
    /// For each portal of the sectors reached: the least cost to the goal that is known.
    pub(super) to_go: Vec<u64>,
    pub(super) next: Vec<Next>,
    /// Whether [`Self::join`] has been there.
    pub(super) joined: Vec<bool>,
    pub(super) open: BinaryHeap<Entry>,
    pub(super) target: SearchTarget,
    /// Estimates from the level above, on very large maps.
    pub(super) heuristic: Option<ClusterHeuristic>,
    /// The sector of the present source.
    pub(super) source_sector: u32,
    /// The places, with their sectors, from where the level above knows no way.
    pub(super) unreachable: BTreeSet<(u32, u16)>,
    /// What the level above had come to when all this began.
    connectivity_version: u64,
    pub(super) tables: BTreeMap<u32, SectorTable>,
    /// How many portals the search has gone on from, in all and for the present source.
    pub(super) settled: usize,
    pub(super) expanded: usize,
    pub(super) expansion_budget: usize,
}

impl GoalRoutes {
    /// Routes to the nearest of `goals`, of which none has been asked for yet. Goals in walls or
    /// outside the map are left out; without any other nothing is reached.
    ///
    /// # Errors
    /// An initial cost outside 0..=[`MAX_INITIAL_COST`].
    pub fn new(graph: &PortalGraph, costs: &CostField, goals: &[GoalCell]) -> Result<Self> {
        let mut routes = Self::without_goals(graph, costs);
        routes.begin_at(graph, costs, goals)?;
        Ok(routes)
    }

    /// Routes to no goal yet, with memory for those across a large map.
    pub(crate) fn with_room(graph: &PortalGraph, costs: &CostField) -> Self {
        let sectors = graph.sectors().count();
        let portals = sectors.min(MOST_ROOM);
        let mut routes = Self::without_goals(graph, costs);
        // Written to, or it is not there.
        routes.first.resize(sectors, UNTOUCHED);
        routes.to_go.resize(portals, NO_PATH);
        routes.next.resize(portals, NOT_REACHED);
        routes.joined.resize(portals, false);
        let waiting = Entry::new(PortalId { sector: 0, slot: 0 }, 0, 0);
        routes.open = vec![waiting; portals / 4].into();
        routes
    }

    /// Begins with other goals, as [`Self::new`] does.
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

    /// Routes to no goal yet.
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
            unreachable: BTreeSet::new(),
            connectivity_version: 0,
            tables: BTreeMap::new(),
            settled: 0,
            expanded: 0,
            expansion_budget: DEFAULT_EXPANSION_BUDGET,
        }
    }

    /// How many portals the search for one source expands before it contents itself with less than
    /// the cheapest route. With every so many more, routes may cost more by 1/8, 1/4, 1/2, 1, 2 and at
    /// last 3 times the least, where costs of cells differ also that many times more; in fact they cost
    /// a few percent more. `usize::MAX` is never: the
    /// cheapest routes, on large maps in tens of milliseconds.
    pub fn set_expansion_budget(&mut self, portals: usize) {
        self.expansion_budget = portals.max(1);
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
        self.links = Arc::clone(graph.links());
        self.first.clear();
        self.first.resize(sectors.count(), UNTOUCHED);
        self.to_go.clear();
        self.next.clear();
        self.joined.clear();
        self.open.clear();
        self.tables.clear();
        self.settled = 0;
        self.expanded = 0;
        self.target = SearchTarget::new(graph, costs, self.target.sector);
        self.heuristic = None;
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
        let sources: Vec<Source> = goals.iter().map(|goal| goal.1).collect();
        search.load(costs, graph.sectors(), sector);
        search.spread(&sources);
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

    /// Makes room for the portals of a sector; returns where they begin.
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

    /// Where a portal of a sector that was reached has its entries.
    pub(super) fn index(&self, portal: PortalId) -> Option<usize> {
        let first = *self.first.get(portal.sector as usize)?;
        let index = first as usize + usize::from(portal.slot);
        (first != UNTOUCHED && index < self.to_go.len()).then_some(index)
    }

    pub(super) fn next_of(&self, portal: PortalId) -> Next {
        self.index(portal)
            .map_or(NOT_REACHED, |index| self.next[index])
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
        // What is cheaper than any cell was makes the estimates too high, and so do new links.
        let cheaper = costs.cheapest() < self.target.cheapest;
        // A search that trusts in the level above has not looked at what that showed to lead nowhere.
        let connectivity_changed = self.connectivity_version != graph.connectivity_version;
        let links_changed = !Arc::ptr_eq(&self.links, graph.links());
        let affected =
            cheaper || connectivity_changed || links_changed || changed.iter().any(touched);
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

    /// About how many bytes it takes.
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

    /// What it costs to reach the goal from the middle of a portal, as far as the search knows: exact
    /// on every route that was found. In cost units.
    #[must_use]
    pub fn cost_to_go(&self, portal: PortalId) -> Option<f64> {
        let to_go = self.to_go[self.index(portal)?];
        (to_go != NO_PATH).then(|| in_units(to_go))
    }
}
