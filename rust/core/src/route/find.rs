//! Requests for routes (Emerson, Game AI Pro, 23.5).
//!
//! [`GoalRoutes::find`] answers from the table of the source's sector where that is final. Otherwise it directs the
//! search over portals at the source, continues it and refreshes the table, until the cost of the source is proven.

use super::cluster_heuristic::{ClusterHeuristic, Node};
use super::clusters::Clusters;
use super::goal_routes::{ACROSS, GoalRoutes, NOT_REACHED, Next, UnfinishedSearch};
use super::graph::{PortalGraph, PortalId, in_units};
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::table::SectorTable;
use crate::error::{Error, Result};
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// The start of the route from a cell to a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteStart {
    /// The cost of the route in cost units. Routes cross borders at the middles of portals. This is the cheapest of
    /// them unless an expansion budget ran out ([`GoalRoutes::set_expansion_budget`]).
    pub cost: f64,
    /// The portal by which the route leaves the cell's sector, or the portal of the link that it takes; `None` if it
    /// ends at a goal cell in the sector.
    pub exit: Option<PortalId>,
}

/// The result of a search of a limited number of portals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Found {
    /// The start of the route, if there is one.
    Route(Option<RouteStart>),
    /// The search is to be continued.
    Unfinished,
}

/// A route from sector to sector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// The sectors that it crosses, in order. The first is the source's, the last a goal cell's.
    pub sectors: Vec<u32>,
    /// The portal by which it leaves each sector but the last.
    pub portals: Vec<PortalId>,
}

impl GoalRoutes {
    /// Finds the cheapest route over the graph from a cell to the goal; `None` if there is none. A source in a sector
    /// whose costs are known from earlier requests costs a look-up.
    ///
    /// If the graph has changed and [`Self::update`] was not called, all routes are forgotten first.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn find(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        cell: IVec2,
        search: &mut SectorSearch,
    ) -> Result<Option<RouteStart>> {
        match self.find_within(graph, costs, cell, search, usize::MAX)? {
            Found::Route(start) => Ok(start),
            Found::Unfinished => Ok(None),
        }
    }

    /// [`Self::find`], which expands at most `portals` portals. If these are too few, a further call for the same cell
    /// continues the search, and finds the route that one call with more portals finds.
    pub(crate) fn find_within(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        cell: IVec2,
        search: &mut SectorSearch,
        mut portals: usize,
    ) -> Result<Found> {
        let sectors = graph.sectors();
        if !sectors.contains(cell) {
            let (width, height) = sectors.map_size().as_uvec2().into();
            return Err(Error::CellOutside {
                cell,
                width,
                height,
            });
        }
        if self.version() != graph.version() {
            self.restart(graph, costs, search);
        }
        let (sector, place) = (sectors.at(cell), sectors.place(cell));
        let source = (sector, place as u16);
        let mut begun = self.unfinished.take_if(|begun| begun.source == source);
        if !costs.is_open(cell) {
            return Ok(Found::Route(None));
        }
        // Most portals of a sector are at most this much farther than the nearest one.
        let slack = u64::from(sectors.size() * FINEST.diagonal) * u64::from(costs.cheapest());
        let mut is_directed = begun.is_some();
        while !self.is_proven(sector, place) {
            let mut limit = match begun.take() {
                Some(begun) => begun.limit,
                None => {
                    let to_go = self
                        .refresh_table(graph, costs, sector, search)
                        .to_go(place);
                    let is_more_needed = self.least_open_from(graph, sector) < to_go;
                    if is_more_needed && !std::mem::replace(&mut is_directed, true) {
                        let with = (to_go != NO_PATH, slack);
                        match self.direct_or_merge(graph, costs, source, with, search) {
                            Directed::ToSource => {}
                            Directed::Merged => continue,
                            Directed::Unreachable => break,
                        }
                    }
                    let limit = || self.limit(graph, sector, to_go);
                    is_more_needed.then(limit).unwrap_or_default()
                }
            };
            if !self.search(graph, &mut limit, slack, &mut portals) {
                self.unfinished = Some(UnfinishedSearch { source, limit });
                return Ok(Found::Unfinished);
            }
            let proven = self.least_open_from(graph, sector);
            let table = self.refresh_table(graph, costs, sector, search);
            table.proven = table.proven.max(proven);
        }
        Ok(Found::Route(self.start_at(sector, place)))
    }

    /// The cell of the source for which the search is to be continued.
    pub(crate) fn unfinished_source(&self, graph: &PortalGraph) -> Option<IVec2> {
        let (sector, place) = self.unfinished?.source;
        Some(graph.sectors().cell_of(sector, usize::from(place)))
    }

    /// Joins a source to known routes if these are near, and proves its cost; otherwise directs the search at it.
    fn direct_or_merge(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        (sector, place): (u32, u16),
        (is_known, slack): (bool, u64),
        search: &mut SectorSearch,
    ) -> Directed {
        let place = usize::from(place);
        if !is_known && self.merge_beside(graph, sector) {
            let table = self.refresh_table(graph, costs, sector, search);
            let to_go = table.to_go(place);
            if to_go != NO_PATH {
                table.proven = table.proven.max(to_go + slack);
                return Directed::Merged;
            }
        }
        let directed = self.direct_search(graph, costs, (sector, place), (is_known, slack), search);
        if matches!(directed, Directed::Merged) {
            let table = self.refresh_table(graph, costs, sector, search);
            let to_go = table.to_go(place).saturating_add(slack);
            table.proven = table.proven.max(to_go);
        }
        directed
    }

    /// Directs the search at a source, or joins the source to known routes if these are near.
    fn direct_search(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        (sector, place): (u32, usize),
        (is_known, slack): (bool, u64),
        search: &mut SectorSearch,
    ) -> Directed {
        self.source_sector = sector;
        let Some(clusters) = graph
            .clusters
            .as_ref()
            .filter(|_| self.expansion_budget < usize::MAX)
        else {
            self.set_target(graph, costs, sector);
            return Directed::ToSource;
        };
        let is_near = self.heuristic.is_some() && self.is_near(graph, sector);
        if is_near && is_known {
            return Directed::ToSource;
        }
        if self.unreachable.contains(&(sector, place as u16)) {
            return Directed::Unreachable;
        }
        let exits = exits_of(graph, costs, (sector, place), search);
        let Some(node) = part_of(clusters, sector, &exits) else {
            return if is_known {
                Directed::ToSource
            } else {
                Directed::Unreachable
            };
        };
        let heuristic = self.heuristic.as_ref();
        if is_near
            && heuristic.is_some_and(|heuristic| heuristic.knows(node))
            && self.merge(graph, (sector, &exits), slack / 2)
        {
            return Directed::Merged;
        }
        let goals = self
            .goals
            .iter()
            .map(|goal| (goal.0, usize::from(goal.1.place)));
        let goals: Vec<Node> = goals
            .filter_map(|goal| {
                let exits = exits_of(graph, costs, goal, search);
                part_of(clusters, goal.0, &exits)
            })
            .collect();
        let source = graph.sectors().cell_of(sector, place);
        match ClusterHeuristic::new(clusters, source, node, &goals) {
            Some(heuristic) if heuristic.is_far(clusters, &goals) => {
                self.set_target_by_heuristic(graph, costs, sector, heuristic);
            }
            Some(_) => self.set_target(graph, costs, sector),
            None => {
                self.unreachable.insert((sector, place as u16));
                return Directed::Unreachable;
            }
        }
        Directed::ToSource
    }

    /// Returns true if the table of a sector has the final cost from a cell.
    fn is_proven(&self, sector: u32, place: usize) -> bool {
        let table = self.tables.get(&sector);
        table.is_some_and(|table| table.to_go(place) <= table.proven)
    }

    /// The table of a sector. It is made again if the search knows more about the sector than the table does.
    fn refresh_table(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        sector: u32,
        search: &mut SectorSearch,
    ) -> &mut SectorTable {
        let ends = self.ends_in(graph, sector);
        let table = self.tables.entry(sector).or_default();
        if !table.is_of(&ends) {
            *table = if ends.is_empty() {
                let rect = graph.sectors().rect(sector);
                SectorTable::unreached((rect.high - rect.low).element_product() as usize)
            } else {
                search.load(costs, graph.sectors(), sector);
                SectorTable::new(ends, search)
            };
        }
        table
    }

    pub(super) fn start_at(&self, sector: u32, place: usize) -> Option<RouteStart> {
        let table = self.tables.get(&sector)?;
        let next = table.end(place)?;
        Some(RouteStart {
            cost: in_units(table.to_go(place)),
            exit: self.exit_from(sector, next),
        })
    }

    /// The portal that an agent without a tile walks to (23.12), in a sector from which a route has been found; `None`
    /// elsewhere, and where the route ends in the sector.
    #[must_use]
    pub fn next_window(&self, graph: &PortalGraph, cell: IVec2) -> Option<PortalId> {
        let sectors = graph.sectors();
        if !sectors.contains(cell) || self.version() != graph.version() {
            return None;
        }
        self.start_at(sectors.at(cell), sectors.place(cell))?.exit
    }

    /// The portal by which a route leaves a sector, where `portal` is the one by which it left the sector before;
    /// `None` if it ends in the sector, or if no route leads through `portal`.
    #[must_use]
    pub fn next_portal(&self, graph: &PortalGraph, portal: PortalId) -> Option<PortalId> {
        if self.next_of(portal) != ACROSS {
            return None;
        }
        let entered = self.entered(graph, portal)?;
        let next = self.next_of(entered);
        if next == ACROSS && graph.is_link(entered) {
            return Some(entered);
        }
        self.exit_from(entered.sector, next)
    }

    /// The portal at which a route that leaves its sector by `portal` continues: the other side of the window, or the
    /// end of the best link from there; `None` if no link with a known route starts there.
    #[must_use]
    pub fn entered(&self, graph: &PortalGraph, portal: PortalId) -> Option<PortalId> {
        if !graph.is_link(portal) {
            return Some(graph.across(portal));
        }
        // Costs that were found with weighted estimates may have decreased since; they never increase.
        let ends = graph.links_from(portal).filter_map(|(end, units)| {
            let to_go = self.to_go[self.index(end)?];
            (to_go != NO_PATH).then(|| (to_go.saturating_add(units), end))
        });
        ends.min().map(|(_, end)| end)
    }

    /// The portal by which the route to `next` leaves a sector. It mostly is the portal `next` itself. If estimates
    /// were weighted, a cheaper route from there may have been found since.
    fn exit_from(&self, sector: u32, mut next: Next) -> Option<PortalId> {
        while next < NOT_REACHED {
            let portal = PortalId { sector, slot: next };
            next = self.next_of(portal);
            if next == ACROSS {
                return Some(portal);
            }
        }
        None
    }

    /// The whole route that starts with `start`, for a source in the sector `from`.
    #[must_use]
    pub fn route(&self, graph: &PortalGraph, from: u32, start: &RouteStart) -> Route {
        let mut route = Route {
            sectors: vec![from],
            portals: Vec::new(),
        };
        let mut exit = start.exit;
        while let Some(portal) = exit {
            route.portals.push(portal);
            let entered = self.entered(graph, portal);
            route.sectors.extend(entered.map(|entered| entered.sector));
            exit = self.next_portal(graph, portal);
        }
        route
    }

    /// The portals of a route that no earlier call has returned, from the source on. At the first portal that an
    /// earlier call returned the route has joined an earlier one, whose further portals were returned then.
    pub fn join(&mut self, graph: &PortalGraph, start: &RouteStart) -> Vec<PortalId> {
        let mut portals = Vec::new();
        let mut exit = start.exit;
        while let Some(portal) = exit {
            let Some(index) = self.index(portal) else {
                break;
            };
            if std::mem::replace(&mut self.joined[index], true) {
                break;
            }
            portals.push(portal);
            exit = self.next_portal(graph, portal);
        }
        portals
    }
}

/// The result of directing the search at a source.
enum Directed {
    /// The search is to continue.
    ToSource,
    /// The source has been joined to a known route.
    Merged,
    /// The level above shows that no goal in another sector can be reached from the source.
    Unreachable,
}

/// The portals that can be reached from a cell of a sector, with approximate costs: those of the opposite direction,
/// from the portals to the cell.
fn exits_of(
    graph: &PortalGraph,
    costs: &CostField,
    (sector, place): (u32, usize),
    search: &mut SectorSearch,
) -> Vec<(u16, u64)> {
    let sectors = graph.sectors();
    search.load(costs, sectors, sector);
    let source = Source {
        place: place as u16,
        cost: 0,
        mark: 0,
    };
    search.spread(&mut [source]);
    let exit = |portal: PortalId| {
        let cost = search.to_go[sectors.place(graph.middle(portal))];
        (cost != NO_PATH).then_some((portal.slot, cost))
    };
    graph.portals_of(sector).filter_map(exit).collect()
}

/// The part of the portals that can be reached from a cell of a sector; `None` if there are none.
fn part_of(clusters: &Clusters, sector: u32, exits: &[(u16, u64)]) -> Option<Node> {
    let &(slot, _) = exits.first()?;
    let cluster = clusters.of(sector);
    Some((cluster, clusters.part_of(cluster, sector, slot)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Grid};
    use crate::integrate::GoalCell;
    use crate::movement::MovementType;
    use crate::random;
    use crate::route::PortalSettings;
    use crate::terrain::Terrain;
    use crate::workers::Workers;
    use glam::Vec2;

    /// A map of which a quarter is wall, over sectors of the least size.
    fn map(size: i32) -> (CostField, PortalGraph) {
        let grid = Grid::new(IVec2::splat(size), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let id = |cell: usize| match random::keyed(1, cell as u64, 0) % 8 {
            0 | 1 => 255,
            2 => 3,
            _ => 1,
        };
        let ids: Vec<u8> = (0..grid.cell_count()).map(id).collect();
        terrain.set_bytes(&ids).expect("of the size");
        let corner = CellRect {
            low: IVec2::splat(size - 6),
            high: IVec2::splat(size),
        };
        terrain.fill_rect(corner, 1).expect("inside");
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let settings = PortalSettings {
            sector_size: 4,
            widest_window: 4,
        };
        let graph = PortalGraph::new(&costs, settings, &Workers::serial()).expect("valid");
        (costs, graph)
    }

    #[test]
    fn a_search_in_slices_expands_what_one_search_expands() {
        // The larger map has a level above.
        for size in [96, 512] {
            let (costs, graph) = map(size);
            let goal = GoalCell {
                cell: IVec2::splat(size - 3),
                cost: 0.0,
            };
            let mut whole = GoalRoutes::new(&graph, &costs, &[goal]).expect("valid");
            whole.set_expansion_budget(64);
            let mut sliced = whole.clone();
            let mut search = SectorSearch::new();
            let mut slices = 0;
            for number in 0..40 {
                let drawn = |axis: u64| random::keyed(2, number, axis) % size as u64;
                let source = IVec2::new(drawn(0) as i32, drawn(1) as i32);
                let expected = whole.find(&graph, &costs, source, &mut search);
                let expected = expected.expect("inside");
                let found = loop {
                    let portals = 1 + drawn(2 + slices) as usize / 4;
                    let found = sliced.find_within(&graph, &costs, source, &mut search, portals);
                    slices += 1;
                    match found.expect("inside") {
                        Found::Route(start) => break start,
                        Found::Unfinished => {
                            assert_eq!(sliced.unfinished_source(&graph), Some(source));
                        }
                    }
                };
                assert_eq!(found, expected, "{size}, {source}");
                assert_eq!(sliced.unfinished_source(&graph), None);
                let state = |routes: &GoalRoutes| {
                    let known = (routes.to_go.clone(), routes.next.clone());
                    (known, routes.settled, routes.expanded_for_source)
                };
                assert_eq!(state(&sliced), state(&whole), "{size}, {source}");
            }
            assert!(slices > 80, "{size}: {slices} slices");
        }
    }
}
