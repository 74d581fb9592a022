//! The routes to a goal as bytes, with the state of the search that found them.
//!
//! The indices of portals are those of the graph, which is saved too. What the next update would forget is left out, so
//! that all that is read can be checked against the graph.

use super::cluster_heuristic::ClusterHeuristic;
use super::goal_routes::{ACROSS, GoalRoutes, NOT_REACHED, Next, TO_GOAL, UNTOUCHED};
use super::graph::{PortalGraph, PortalId};
use super::open_entry::Entry;
use super::search_target::SearchTarget;
use super::sector_search::NO_PATH;
use super::table::SectorTable;
use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::integrate::GoalCell;
use crate::movement::CostField;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Costs of routes are less, so that they can be added up.
const GREATEST: u64 = 1 << 60;
/// Estimates are less, with the greatest weight that any search reaches.
const GREATEST_ESTIMATE: u64 = 1 << 52;
/// The most portals that a search may have settled or expanded: sums of such numbers fit into 64 bits.
const MOST_WORK: u64 = 1 << 48;

impl GoalRoutes {
    /// Writes the routes for a graph of which the sectors `changed` have changed since the last update of the routes.
    pub(crate) fn write(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        changed: &[u32],
        out: &mut Writer,
    ) {
        self.cells.write(out);
        let is_kept = !self.is_affected(graph, costs, changed);
        is_kept.write(out);
        // These stay when the search is restarted.
        self.target.sector.write(out);
        self.source_sector.write(out);
        self.expansion_budget.write(out);
        if !is_kept {
            return;
        }
        (self.version == graph.version()).write(out);
        self.goals.write(out);
        self.write_portals(graph, out);
        self.joined.write(out);
        self.open.as_slice().to_vec().write(out);
        self.target.write(out);
        self.heuristic.write(out);
        self.unfinished.write(out);
        self.unreachable.write(out);
        let is_fresh = |sector: &u32| changed.binary_search(sector).is_err();
        let tables = self.tables.iter().filter(|(sector, _)| is_fresh(sector));
        out.u32(tables.clone().count() as u32);
        for (sector, table) in tables {
            sector.write(out);
            table.write_known(out);
        }
        self.settled.write(out);
        self.expanded_for_source.write(out);
    }

    /// Writes the sectors that the search has reached, in the order of their portals, and what is known of these.
    fn write_portals(&self, graph: &PortalGraph, out: &mut Writer) {
        let reached = (0..).zip(&self.first);
        let reached = reached.filter(|&(_, &first)| first != UNTOUCHED);
        let mut sectors: Vec<u32> = reached.map(|(sector, _)| sector).collect();
        // Sectors without portals have no place among the others, and come last.
        sectors.sort_by_key(|&sector| match graph.sector(sector).count() {
            0 => u32::MAX,
            _ => self.first[sector as usize],
        });
        sectors.write(out);
        self.to_go.write(out);
        self.next.write(out);
    }

    /// Reads the routes to a goal over a graph. The second value says whether they are up to date with it.
    pub(crate) fn read(
        input: &mut Unpacker<'_>,
        graph: &PortalGraph,
        costs: &CostField,
    ) -> Result<(Self, bool)> {
        let mut routes = Self::without_goals(graph, costs);
        routes.first.resize(graph.sectors().count(), UNTOUCHED);
        routes.cells = Vec::<GoalCell>::read(input)?;
        let is_kept = bool::read(input)?;
        let sector = u32::read(input)?;
        routes.source_sector = u32::read(input)?;
        routes.expansion_budget = usize::read(input)?;
        let count = graph.sectors().count() as u32;
        if sector.max(routes.source_sector) >= count || routes.expansion_budget == 0 {
            return Err(input.bad("it has a search that makes no sense"));
        }
        routes.target = SearchTarget::new(graph, costs, sector);
        if !is_kept {
            // The next update restarts the search, as it has other links.
            routes.links = Arc::default();
            routes.version = graph.version().wrapping_sub(1);
            return Ok((routes, false));
        }
        let is_current = bool::read(input)?;
        routes.version = graph.version().wrapping_sub(u64::from(!is_current));
        routes.connectivity_version = graph.connectivity_version;
        routes.goals = Vec::read(input)?;
        routes.read_portals(input, graph)?;
        routes.joined = Vec::read(input)?;
        routes.open = read_open(input, graph)?.into();
        routes.target = SearchTarget::read_checked(input, graph)?;
        routes.heuristic = match (bool::read(input)?, &graph.clusters) {
            (false, _) => None,
            (true, Some(clusters)) => Some(ClusterHeuristic::read_checked(input, clusters)?),
            (true, None) => return Err(input.bad("it has estimates without clusters")),
        };
        routes.unfinished = Saved::read(input)?;
        routes.unreachable = Saved::read(input)?;
        routes.tables = read_tables(input, graph)?;
        routes.settled = usize::read(input)?;
        routes.expanded_for_source = usize::read(input)?;
        if routes.is_sound(graph) {
            let is_current = is_current && !routes.is_affected(graph, costs, &[]);
            Ok((routes, is_current))
        } else {
            Err(input.bad("it has routes that make no sense"))
        }
    }

    fn read_portals(&mut self, input: &mut Unpacker<'_>, graph: &PortalGraph) -> Result<()> {
        let mut count = 0;
        for sector in Vec::<u32>::read(input)? {
            let first = self.first.get_mut(sector as usize);
            let Some(first) = first.filter(|first| **first == UNTOUCHED) else {
                return Err(input.bad("it has routes over unknown sectors"));
            };
            *first = count;
            count += graph.sector(sector).count() as u32;
        }
        self.to_go = Vec::read(input)?;
        self.next = Vec::read(input)?;
        Ok(())
    }

    /// Returns true if all indices are in range, all costs can be added up, and routes end.
    fn is_sound(&self, graph: &PortalGraph) -> bool {
        let sectors = graph.sectors();
        let reached: Vec<PortalId> = self.reached_portals(graph);
        let count = reached.len();
        let lengths = [self.to_go.len(), self.next.len(), self.joined.len()];
        if lengths != [count; 3] {
            return false;
        }
        let is_cost = |cost: u64| cost < GREATEST;
        let is_goal = |&(sector, source): &(u32, super::sector_search::Source)| {
            (sector as usize) < sectors.count()
                && usize::from(source.place) < cells_of(graph, sector)
                && source.mark == TO_GOAL
                && is_cost(source.cost)
        };
        let has_cost = |(&to_go, &next): (&u64, &Next)| match to_go {
            NO_PATH => next == NOT_REACHED,
            _ => is_cost(to_go) && next != NOT_REACHED,
        };
        let is_next = |&portal: &PortalId| {
            let next = self.next_of(portal);
            next >= NOT_REACHED || usize::from(next) < graph.sector(portal.sector).count()
        };
        let is_open = |entry: &Entry| {
            self.index(entry.portal()).is_some()
                && is_cost(entry.to_go)
                && (entry.through.checked_sub(entry.to_go))
                    .is_some_and(|estimate| estimate < GREATEST_ESTIMATE)
        };
        let is_place = |&(sector, place): &(u32, u16)| {
            (sector as usize) < sectors.count() && usize::from(place) < cells_of(graph, sector)
        };
        self.goals.iter().all(is_goal)
            && self.goals.is_sorted_by_key(|goal| goal.0)
            && self.to_go.iter().zip(&self.next).all(has_cost)
            && reached.iter().all(is_next)
            && reached.iter().all(|&portal| self.descends(graph, portal))
            && self.open.iter().all(is_open)
            && self.unreachable.iter().all(is_place)
            && self
                .unfinished
                .is_none_or(|begun| begun.source.0 == self.source_sector && is_place(&begun.source))
            && self
                .heuristic
                .as_ref()
                .is_none_or(|_| self.target.is_weighted_from_above())
            && (self.settled as u64) < MOST_WORK
            && (self.expanded_for_source as u64) < MOST_WORK
            && self.routes_end(graph, &reached)
    }

    /// The portals of the sectors that the search has reached, in the order of their indices.
    fn reached_portals(&self, graph: &PortalGraph) -> Vec<PortalId> {
        let sectors = (0..graph.sectors().count() as u32).filter(|&sector| {
            let first = self.first.get(sector as usize);
            first.is_some_and(|&first| first != UNTOUCHED)
        });
        let portals = sectors.flat_map(|sector| graph.portals_of(sector));
        let mut reached: Vec<PortalId> = portals.collect();
        let index = |portal: &PortalId| {
            self.first[portal.sector as usize] as usize + usize::from(portal.slot)
        };
        reached.sort_unstable_by_key(index);
        reached
    }

    /// Returns true if the next portal costs no more than this one. The search closes no circle then, however it goes
    /// on.
    fn descends(&self, graph: &PortalGraph, portal: PortalId) -> bool {
        let cost = |portal: PortalId| Some(self.to_go[self.index(portal)?]);
        let is_last = matches!(self.next_of(portal), TO_GOAL | NOT_REACHED);
        let next = self.following(graph, portal).and_then(cost);
        is_last || next.is_some_and(|next| Some(next) <= cost(portal))
    }

    /// The portal that follows on the route from one; `None` where there is none, or none is known.
    fn following(&self, graph: &PortalGraph, portal: PortalId) -> Option<PortalId> {
        match self.next_of(portal) {
            ACROSS => self.entered(graph, portal),
            TO_GOAL | NOT_REACHED => None,
            slot => Some(PortalId { slot, ..portal }),
        }
    }

    /// Returns true if no route leads in a circle.
    fn routes_end(&self, graph: &PortalGraph, reached: &[PortalId]) -> bool {
        // The number of the walk that has visited a portal. A walk that meets itself is in a circle.
        let mut visited = vec![0_u32; reached.len()];
        for (walk, &portal) in (1..).zip(reached) {
            let mut at = Some(portal);
            while let Some(portal) = at
                && let Some(index) = self.index(portal)
            {
                match visited[index] {
                    0 => visited[index] = walk,
                    known if known == walk => return false,
                    _ => break,
                }
                at = self.following(graph, portal);
            }
        }
        true
    }
}

/// The number of cells of a sector.
fn cells_of(graph: &PortalGraph, sector: u32) -> usize {
    graph.sectors().rect(sector).cell_count()
}

/// Reads the open list of a search over a graph.
fn read_open(input: &mut Unpacker<'_>, graph: &PortalGraph) -> Result<Vec<Entry>> {
    let mut open = Vec::<Entry>::read(input)?;
    for entry in &mut open {
        if !graph.contains(entry.portal()) {
            return Err(input.bad("it has routes that make no sense"));
        }
        entry.cell = graph.middle(entry.portal());
    }
    Ok(open)
}

fn read_tables(
    input: &mut Unpacker<'_>,
    graph: &PortalGraph,
) -> Result<BTreeMap<u32, SectorTable>> {
    let mut tables = BTreeMap::new();
    for _ in 0..input.u32()? {
        let sector = u32::read(input)?;
        let table = SectorTable::read(input)?;
        let is_cost = |cost: u64| cost < GREATEST;
        let is_sound = (sector as usize) < graph.sectors().count() && {
            let count = graph.sector(sector).count();
            let is_mark = |mark: Next| usize::from(mark) < count || mark == TO_GOAL;
            table.is_sound(cells_of(graph, sector), is_cost, is_mark)
        };
        if !is_sound {
            return Err(input.bad("it has costs of a sector that make no sense"));
        }
        tables.insert(sector, table);
    }
    Ok(tables)
}

impl PortalGraph {
    /// Begins to count changes at a number that leaves room for routes of an earlier graph.
    pub(crate) fn count_from_one(&mut self) {
        self.version = 1;
        self.connectivity_version = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Reader, pack};
    use crate::grid::Grid;
    use crate::movement::MovementType;
    use crate::random;
    use crate::route::{PortalSettings, SectorSearch};
    use crate::terrain::Terrain;
    use crate::workers::Workers;
    use glam::{IVec2, Vec2};

    struct Map {
        costs: CostField,
        graph: PortalGraph,
    }

    impl Map {
        /// A map of which an eighth is wall, over sectors of the least size.
        fn new(size: i32) -> Self {
            let grid = Grid::new(IVec2::splat(size), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            let is_wall = |cell: usize| random::keyed(1, cell as u64, 0).is_multiple_of(8);
            let id = |cell: usize| if is_wall(cell) { 255 } else { 1 };
            let ids: Vec<u8> = (0..grid.cell_count()).map(id).collect();
            terrain.set_bytes(&ids).expect("of the size");
            for corner in [IVec2::splat(1), IVec2::splat(size - 2)] {
                terrain.set(corner, 1).expect("inside");
            }
            let costs = CostField::new(&grid, &terrain, &MovementType::default());
            let settings = PortalSettings {
                sector_size: 4,
                widest_window: 4,
            };
            let graph = PortalGraph::new(&costs, settings, &Workers::serial()).expect("valid");
            Self { costs, graph }
        }

        /// The routes from one corner to the other.
        fn routes(&self) -> GoalRoutes {
            let Self { costs, graph } = self;
            let size = graph.sectors().map_size();
            let (cell, cost) = (size - IVec2::splat(2), 0.0);
            let goals = [GoalCell { cell, cost }];
            let mut routes = GoalRoutes::new(graph, costs, &goals).expect("valid");
            let found = routes.find(graph, costs, IVec2::ONE, &mut SectorSearch::new());
            assert!(found.expect("inside").is_some(), "joined to the goal");
            routes
        }

        fn accepts(&self, routes: &GoalRoutes) -> bool {
            let Self { costs, graph } = self;
            let (mut out, mut packed) = (Writer::default(), Writer::default());
            routes.write(graph, costs, &[], &mut out);
            pack(&out.bytes, &mut packed);
            let mut input = Unpacker::new(Reader::new("routes", &packed.bytes));
            GoalRoutes::read(&mut input, graph, costs).is_ok()
        }
    }

    #[test]
    fn a_portal_has_a_cost_exactly_if_it_has_a_next_one() {
        let map = Map::new(48);
        let routes = map.routes();
        assert!(map.accepts(&routes));
        let mut seen = [0; 2];
        for index in 0..routes.next.len() {
            let altered = |cost: u64, next: Next| {
                let mut altered = routes.clone();
                (altered.to_go[index], altered.next[index]) = (cost, next);
                map.accepts(&altered)
            };
            let (cost, next) = (routes.to_go[index], routes.next[index]);
            seen[usize::from(next == NOT_REACHED)] += 1;
            if next == NOT_REACHED {
                assert!(!altered(7, next), "{index}: a cost of no route");
                assert!(!altered(cost, TO_GOAL), "{index}: a route without a cost");
            } else {
                assert!(!altered(cost, NOT_REACHED), "{index}: a cost of no route");
                assert!(!altered(NO_PATH, next), "{index}: a route without a cost");
            }
        }
        assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
    }

    /// Otherwise a cheaper route found later could lead in a circle.
    #[test]
    fn a_portal_costs_no_less_than_its_next_one() {
        let map = Map::new(48);
        let routes = map.routes();
        let mut seen = [0; 2];
        for portal in routes.reached_portals(&map.graph) {
            let index = routes.index(portal).expect("reached");
            let Some(next) = routes.following(&map.graph, portal) else {
                continue;
            };
            seen[usize::from(routes.next[index] == ACROSS)] += 1;
            let least = routes.to_go[routes.index(next).expect("reached")];
            let accepts = |cost: u64| {
                let mut altered = routes.clone();
                altered.to_go[index] = cost;
                map.accepts(&altered)
            };
            assert!(accepts(routes.to_go[index]) && !accepts(least.wrapping_sub(1)));
        }
        assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
    }

    #[test]
    fn an_open_portal_has_an_estimate() {
        let map = Map::new(48);
        let routes = map.routes();
        let open = routes.open.as_slice().to_vec();
        assert!(!open.is_empty());
        for at in 0..open.len() {
            let altered = |through: u64| {
                let (mut altered, mut open) = (routes.clone(), open.clone());
                open[at].through = through;
                altered.open = open.into();
                map.accepts(&altered)
            };
            let to_go = open[at].to_go;
            assert!(altered(to_go) && altered(to_go + GREATEST_ESTIMATE - 1));
            assert!(!altered(to_go - 1) && !altered(to_go + GREATEST_ESTIMATE));
        }
    }

    /// The next raise of the weight would divide by it.
    #[test]
    fn estimates_from_the_level_above_have_a_weight() {
        let map = Map::new(512);
        let routes = map.routes();
        assert!(routes.heuristic.is_some(), "far enough");
        for (weight, is_possible) in [(0, false), (100, true), (400, true), (401, false)] {
            let mut altered = routes.clone();
            altered.target.heuristic_weight = weight;
            assert_eq!(map.accepts(&altered), is_possible, "{weight}");
            altered.heuristic = None;
            assert!(map.accepts(&altered), "{weight}, from the distance");
        }
    }
}
