//! The windows by which plain tiles leave a sector (Emerson, Game AI Pro, 23.6.1), in parts of a few cells. All cells
//! of a part have one cost. If the only goal is seen from the middle of the part, across any number of sectors, it is
//! that of the straight line. Otherwise it is that of the line to a later window of the route that is seen from there,
//! and the cost that the search over portals knows from that window on.
//!
//! These costs are not the exact costs from each cell of a window, so comparing them cell by cell would not prevent
//! circles. The choice of windows does. For each connected part of a sector only those exits count whose cost is lower
//! than that of every window by which a known route enters the part. Each window that an agent crosses is therefore
//! nearer to the goal than the one before it, whichever cells the agent crossed in between, so agents arrive. Such an
//! exit always exists: a route that enters a sector costs more at its entry than at its exit.

use super::goal_routes::{ACROSS, GoalRoutes};
use super::graph::{PortalGraph, PortalId};
use super::sector_portals::NO_EDGE;
use crate::grid::{CellRect, floor_to_cell};
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::{IVec2, Vec2};

/// The inputs of a sector's plain tile besides the ground.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Exits {
    /// The goal cells in the sector with their costs on the finest scale.
    pub(crate) goals: Vec<(IVec2, u32)>,
    /// The parts of windows by which the tile leaves the sector: their cells just outside of it, and their cost.
    pub(crate) windows: Vec<(CellRect, u32)>,
}

/// Parts of windows whose cost exceeds the least by this much are left out.
const TOO_EXPENSIVE: u64 = u32::MAX as u64 / 8;
/// A window as wide as a sector has this many parts. With more parts paths are shorter and there are more tiles. See
/// decision 0034.
const PARTS: u32 = 3;
/// The number of later windows of a route to which lines are tried. With more of them paths are not shorter in the
/// mean, as the cost from a window on is that of its middle.
const AHEAD: usize = 2;

/// A part of a window by which routes leave a sector.
struct Exit {
    portal: PortalId,
    /// The cells just outside of the sector.
    cells: CellRect,
    /// The cost from there to the goal.
    to_go: u64,
}

/// The parts of the window of a portal, about as wide as a third of a sector: their cells on the other side.
pub(crate) fn parts_of(graph: &PortalGraph, portal: PortalId) -> impl Iterator<Item = CellRect> {
    let cells = graph.cells(graph.across(portal));
    let usual = graph.sectors().size().div_ceil(PARTS) as i32;
    let size = cells.high - cells.low;
    let along = if size.x > 1 { IVec2::X } else { IVec2::Y };
    let width = size.max_element();
    let count = ((2 * width + usual) / (2 * usual)).max(1);
    (0..count).map(move |part| CellRect {
        low: cells.low + along * (width * part / count),
        high: cells.low + along * (width * (part + 1) / count - 1) + IVec2::ONE,
    })
}

impl GoalRoutes {
    /// Identifies the state of the search: while it and the ground are the same, [`Self::exits`] returns the same.
    pub(crate) fn knowledge(&self) -> (u64, usize) {
        (self.version(), self.settled())
    }

    /// The parts of windows by which agents leave a sector, and the goals in it. Costs are relative to the least cost,
    /// for each connected part of the sector separately. A few operations for each pair of the sector's portals, and
    /// some lines of sight for each part.
    pub(crate) fn exits(&self, graph: &PortalGraph, costs: &CostField, sector: u32) -> Exits {
        let goals = self.goals_in(graph, sector);
        let exits: Vec<Exit> = self
            .nearer_exits(graph, sector)
            .into_iter()
            .flat_map(|exit| parts_of(graph, exit.0).map(move |cells| (exit, cells)))
            .map(|((portal, to_go), cells)| Exit {
                portal,
                cells,
                to_go: self.cost_of_part(graph, costs, (portal, to_go), cells),
            })
            .collect();
        let least_goal = goals.iter().map(|goal| goal.1).min();
        let base = |exit: &Exit| {
            let joined = exits.iter().filter(|other| {
                least_goal.is_some() || are_joined(graph, exit.portal, other.portal)
            });
            let least = joined.map(|other| other.to_go).min();
            least_goal
                .into_iter()
                .chain(least)
                .min()
                .unwrap_or(exit.to_go)
        };
        let window = |exit: &Exit| {
            let cost = exit.to_go - base(exit);
            (cost < TOO_EXPENSIVE).then_some((exit.cells, cost as u32))
        };
        let windows: Vec<(CellRect, u32)> = exits.iter().filter_map(window).collect();
        let base = exits.iter().map(|exit| exit.to_go).chain(least_goal).min();
        let goal = |&(cell, cost): &(IVec2, u64)| {
            let cost = cost - base.unwrap_or_default();
            (cost < TOO_EXPENSIVE).then_some((cell, cost as u32))
        };
        Exits {
            goals: goals.iter().filter_map(goal).collect(),
            windows,
        }
    }

    /// The goal cells in a sector with their initial costs.
    fn goals_in(&self, graph: &PortalGraph, sector: u32) -> Vec<(IVec2, u64)> {
        let rect = graph.sectors().rect(sector);
        let width = (rect.high - rect.low).x;
        let goals = self.goals.iter().filter(|goal| goal.0 == sector);
        let goals = goals.map(|(_, goal)| {
            let place = i32::from(goal.place);
            let cell = rect.low + IVec2::new(place % width, place / width);
            (cell, goal.cost)
        });
        goals.collect()
    }

    /// The cost to the goal from the middle of a part of the window of a portal, from whose other side it is `to_go`.
    fn cost_of_part(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        (portal, to_go): (PortalId, u64),
        part: CellRect,
    ) -> u64 {
        let from = (part.low + part.high).as_vec2() / 2.0;
        let by_line = |(to, to_go): (Vec2, u64)| to_go + cost_of_line(costs, from, to);
        if let [(sector, _)] = self.goals[..] {
            let goals = self.goals_in(graph, sector).into_iter();
            let mut ends = goals.map(|(cell, cost)| (middle_of(cell), cost));
            if let Some(end) = ends.find(|end| costs.is_even_between(from, end.0)) {
                return by_line(end);
            }
        }
        let mut least = None;
        let mut next = Some(portal);
        for _ in 0..AHEAD {
            let Some(last) = next else { break };
            next = self.next_portal(graph, last);
            let end = match next {
                Some(next) => self
                    .index(next)
                    .map(|at| (graph.middle(next), self.to_go[at])),
                None => {
                    let entered = self.entered(graph, last);
                    let goals = entered.map(|last| self.goals_in(graph, last.sector));
                    let goals = goals.into_iter().flatten();
                    goals.min_by_key(|goal| by_line((middle_of(goal.0), goal.1)))
                }
            };
            let end = end.map(|(cell, to_go)| (middle_of(cell), to_go));
            let seen = end.filter(|end| costs.is_even_between(from, end.0));
            least = least.into_iter().chain(seen.map(by_line)).min();
        }
        // The cells of a window lie in one row, so its middle is always seen.
        least.unwrap_or_else(|| by_line((middle_of(graph.middle(graph.across(portal))), to_go)))
    }

    /// The portals by which known routes leave a sector, each with the cost from the other side of its window. Only
    /// portals count that are nearer to the goal than every portal by which routes enter the part of the sector that
    /// they belong to.
    fn nearer_exits(&self, graph: &PortalGraph, sector: u32) -> Vec<(PortalId, u64)> {
        let to_go = |portal| self.index(portal).map(|index| self.to_go[index]);
        let entries: Vec<(PortalId, u64)> = graph
            .portals_of(sector)
            .filter(|&portal| self.next_of(graph.across(portal)) == ACROSS)
            .filter_map(|portal| Some((portal, to_go(portal)?)))
            .collect();
        let is_nearer = |&(exit, cost): &(PortalId, u64)| {
            let mut before = entries.iter();
            before.all(|&(entry, least)| cost < least || !are_joined(graph, entry, exit))
        };
        graph
            .portals_of(sector)
            .filter(|&portal| self.next_of(portal) == ACROSS)
            .filter_map(|portal| Some((portal, to_go(graph.across(portal))?)))
            .filter(is_nearer)
            .collect()
    }
}

fn middle_of(cell: IVec2) -> Vec2 {
    cell.as_vec2() + 0.5
}

/// The cost of a straight line over cells of one cost.
fn cost_of_line(costs: &CostField, from: Vec2, to: Vec2) -> u64 {
    let cell_cost = costs.cost_at(floor_to_cell(from));
    let length = f64::from(from.distance_squared(to)).sqrt();
    (length * f64::from(FINEST.straight) * f64::from(cell_cost)) as u64
}

/// Returns true if a path within their sector leads from one portal to the other.
fn are_joined(graph: &PortalGraph, from: PortalId, to: PortalId) -> bool {
    let costs = graph.sector(to.sector).costs_to(to.slot);
    from == to || costs[usize::from(from.slot)] != NO_EDGE
}
