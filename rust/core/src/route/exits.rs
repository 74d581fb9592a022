//! The windows by which plain tiles leave a sector (Emerson, Game AI Pro, 23.6.1). All cells of a window have the one
//! cost that the search over portals knows for the window.
//!
//! These costs are not the exact costs from each cell of a window, so comparing them cell by cell would not prevent
//! circles. The choice of windows does. For each connected part of a sector only those exits count whose cost is lower
//! than that of every window by which a known route enters the part. Each window that an agent crosses is therefore
//! nearer to the goal than the one before it, whichever cells the agent crossed in between, so agents arrive. Such an
//! exit always exists: a route that enters a sector costs more at its entry than at its exit.

use super::goal_routes::{ACROSS, GoalRoutes, TO_GOAL};
use super::graph::{PortalGraph, PortalId};
use super::sector_portals::NO_EDGE;
use crate::grid::CellRect;
use glam::IVec2;

/// The inputs of a sector's plain tile besides the ground.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Exits {
    /// The goal cells in the sector with their costs on the finest scale.
    pub(crate) goals: Vec<(IVec2, u32)>,
    /// The windows by which the tile leaves the sector: their cells just outside of it, and their cost.
    pub(crate) windows: Vec<(CellRect, u32)>,
}

/// Windows whose cost exceeds the best window's by this much are left out.
const TOO_EXPENSIVE: u64 = u32::MAX as u64 / 8;

impl GoalRoutes {
    /// Identifies the state of the search: while it is the same, [`Self::exits`] returns the same.
    pub(crate) fn knowledge(&self) -> (u64, usize) {
        (self.version(), self.settled())
    }

    /// The windows by which agents leave a sector, and the goals in it. Costs are relative to the least cost, for each
    /// connected part of the sector separately, and are rounded down to multiples of `grain`. A few operations for each
    /// pair of the sector's portals.
    pub(crate) fn exits(&self, graph: &PortalGraph, sector: u32, grain: u64) -> Exits {
        let sectors = graph.sectors();
        let rect = sectors.rect(sector);
        let width = (rect.high - rect.low).x;
        let goals = self.ends_in(graph, sector).into_iter();
        let goals: Vec<(IVec2, u64)> = goals
            .filter(|end| end.mark == TO_GOAL)
            .map(|end| {
                let place = i32::from(end.place);
                let cell = rect.low + IVec2::new(place % width, place / width);
                (cell, end.cost)
            })
            .collect();
        let exits = self.nearer_exits(graph, sector);
        let least_goal = goals.iter().map(|goal| goal.1).min();
        let base = |exit: &(PortalId, u64)| {
            let joined = exits
                .iter()
                .filter(|other| least_goal.is_some() || are_joined(graph, exit.0, other.0));
            let least = joined.map(|other| other.1).min();
            least_goal.into_iter().chain(least).min().unwrap_or(exit.1)
        };
        let in_grains = |cost: u64| cost / grain.max(1) * grain.max(1);
        let window = |exit: &(PortalId, u64)| {
            let cost = in_grains(exit.1 - base(exit));
            (cost < TOO_EXPENSIVE).then(|| (graph.cells(graph.across(exit.0)), cost as u32))
        };
        let windows: Vec<(CellRect, u32)> = exits.iter().filter_map(window).collect();
        let base = exits.iter().map(|exit| exit.1).chain(least_goal).min();
        let goal = |&(cell, cost): &(IVec2, u64)| {
            let cost = cost - base.unwrap_or_default();
            (cost < TOO_EXPENSIVE).then_some((cell, cost as u32))
        };
        Exits {
            goals: goals.iter().filter_map(goal).collect(),
            windows,
        }
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

/// Returns true if a path within their sector leads from one portal to the other.
fn are_joined(graph: &PortalGraph, from: PortalId, to: PortalId) -> bool {
    let costs = graph.sector(to.sector).costs_to(to.slot);
    from == to || costs[usize::from(from.slot)] != NO_EDGE
}
