//! Requests for routes (Emerson, Game AI Pro, 23.5).

use super::cluster_heuristic::{ClusterHeuristic, Node};
use super::clusters::Clusters;
use super::goal_routes::{ACROSS, GoalRoutes, NOT_REACHED, Next};
use super::graph::{PortalGraph, PortalId, in_units};
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::table::SectorTable;
use crate::error::{Error, Result};
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// How the way from a cell to the goal begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteStart {
    /// What the way costs, in cost units: it crosses borders at the middles of portals, and is the
    /// cheapest of those that do unless an expansion budget ran out ([`GoalRoutes::set_expansion_budget`]).
    pub cost: f64,
    /// The portal through which it leaves the cell's sector, or the link by which it goes on; `None` if a
    /// goal cell lies in the sector.
    pub exit: Option<PortalId>,
}

/// A way from sector to sector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// The sectors that it crosses, in order; the first is the source's, the last a goal cell's.
    pub sectors: Vec<u32>,
    /// The portal through which it leaves each of them but the last.
    pub portals: Vec<PortalId>,
}

impl GoalRoutes {
    /// Finds the cheapest way over the graph from a cell to the goal; `None` if there is none. A
    /// source whose surroundings are known from earlier ones costs a look-up.
    ///
    /// If the graph has changed since and [`Self::update`] was not told how, all is searched anew.
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
        if !costs.is_open(cell) {
            return Ok(None);
        }
        let (sector, place) = (sectors.at(cell), sectors.place(cell));
        // Beyond the nearest portal most others are at most so much farther.
        let slack = u64::from(sectors.size() * FINEST.diagonal) * u64::from(costs.cheapest());
        let mut is_directed = false;
        while !self.is_proven(sector, place) {
            let to_go = self
                .refresh_table(graph, costs, sector, search)
                .to_go(place);
            if self.least_open_from(graph, sector) < to_go {
                if !std::mem::replace(&mut is_directed, true) {
                    if to_go == NO_PATH && self.merge_beside(graph, sector) {
                        let table = self.refresh_table(graph, costs, sector, search);
                        let to_go = table.to_go(place);
                        if to_go != NO_PATH {
                            table.proven = table.proven.max(to_go + slack);
                            continue;
                        }
                    }
                    let with = (to_go != NO_PATH, slack);
                    match self.direct_search(graph, costs, (sector, place), with, search) {
                        Heading::Turned => {}
                        Heading::Unreachable => break,
                        Heading::Merged => {
                            let table = self.refresh_table(graph, costs, sector, search);
                            let to_go = table.to_go(place).saturating_add(slack);
                            table.proven = table.proven.max(to_go);
                            continue;
                        }
                    }
                }
                self.search(graph, self.limit(graph, sector, to_go), slack);
            }
            let proven = self.least_open_from(graph, sector);
            let table = self.refresh_table(graph, costs, sector, search);
            table.proven = table.proven.max(proven);
        }
        Ok(self.start_at(sector, place))
    }

    /// Turns the search towards a source, or joins that to the routes known if it stands beside others.
    fn direct_search(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        (sector, place): (u32, usize),
        (is_known, slack): (bool, u64),
        search: &mut SectorSearch,
    ) -> Heading {
        self.source_sector = sector;
        let Some(clusters) = graph
            .clusters
            .as_ref()
            .filter(|_| self.expansion_budget < usize::MAX)
        else {
            self.set_target(graph, costs, sector);
            return Heading::Turned;
        };
        let is_near = self.heuristic.is_some() && self.is_near(graph, sector);
        if is_near && is_known {
            return Heading::Turned;
        }
        if self.unreachable.contains(&(sector, place as u16)) {
            return Heading::Unreachable;
        }
        let exits = exits_of(graph, costs, (sector, place), search);
        let Some(node) = part_of(clusters, sector, &exits) else {
            return if is_known {
                Heading::Turned
            } else {
                Heading::Unreachable
            };
        };
        let heuristic = self.heuristic.as_ref();
        if is_near
            && heuristic.is_some_and(|heuristic| heuristic.knows(node))
            && self.merge(graph, (sector, &exits), slack / 2)
        {
            return Heading::Merged;
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
                return Heading::Unreachable;
            }
        }
        Heading::Turned
    }

    /// Whether the table of a sector holds the final cost from a place.
    fn is_proven(&self, sector: u32, place: usize) -> bool {
        let table = self.tables.get(&sector);
        table.is_some_and(|table| table.to_go(place) <= table.proven)
    }

    /// A sector's table, made anew if the search knows more about the sector than it does.
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

    /// The portal that an agent without a tile heads for (23.12), in a sector from which a route has
    /// been found; `None` elsewhere, and where the goal itself lies in the sector.
    #[must_use]
    pub fn next_window(&self, graph: &PortalGraph, cell: IVec2) -> Option<PortalId> {
        let sectors = graph.sectors();
        if !sectors.contains(cell) || self.version() != graph.version() {
            return None;
        }
        self.start_at(sectors.at(cell), sectors.place(cell))?.exit
    }

    /// The portal through which a route leaves the sector that it enters through `portal`, the portal
    /// by which it left the one before; `None` if a goal cell lies there, or no route leads through.
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

    /// Where a route that leaves its sector through `portal` goes on: on the other side of the window, or at
    /// the end of the link that is best from there; `None` if no link is known to lead on.
    #[must_use]
    pub fn entered(&self, graph: &PortalGraph, portal: PortalId) -> Option<PortalId> {
        if !graph.is_link(portal) {
            return Some(graph.across(portal));
        }
        // Costs found with weighted estimates may have fallen since; they never rise.
        let ends = graph.links_from(portal).filter_map(|(end, units)| {
            let to_go = self.to_go[self.index(end)?];
            (to_go != NO_PATH).then(|| (to_go.saturating_add(units), end))
        });
        ends.min().map(|(_, end)| end)
    }

    /// The portal across which the way goes on that leads to `next` in a sector. Mostly it is that one;
    /// but a cheaper one may have been found since, if estimates were weighted.
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

    /// The whole way that begins at an exit, for a source in the sector `from`.
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

    /// The portals of a way that no earlier call has returned, from the source on: where it meets an
    /// earlier way it has joined it, and all that follows was returned then.
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

/// What has come of heading for a source.
enum Heading {
    /// The search is to go on towards it.
    Turned,
    /// Its way has been joined to one known.
    Merged,
    /// The level above shows that no way leads there from a goal in another sector.
    Unreachable,
}

/// The portals that can be reached from a place in a sector, and about what that costs: as if walking from there
/// to the place.
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
    search.spread(&[source]);
    let exit = |portal: PortalId| {
        let cost = search.to_go[sectors.place(graph.middle(portal))];
        (cost != NO_PATH).then_some((portal.slot, cost))
    };
    graph.portals_of(sector).filter_map(exit).collect()
}

/// The part to which a sector's portals belong that can be reached from a place in it; `None` if none can.
fn part_of(clusters: &Clusters, sector: u32, exits: &[(u16, u64)]) -> Option<Node> {
    let &(slot, _) = exits.first()?;
    let cluster = clusters.of(sector);
    Some((cluster, clusters.part_of(cluster, sector, slot)))
}
