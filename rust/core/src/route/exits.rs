//! By which windows agents leave a sector on plain tiles (Emerson, Game AI Pro, 23.6.1): all cells of a window
//! have the one cost that the search over the portals knows for it.
//!
//! Such costs are not what walking from a cell of the window costs, so comparing them
//! along the way would not keep agents from going round in a circle. What does is the
//! choice of windows: of those by which known ways leave a part of a sector that hangs
//! together, only such count as are nearer to the goal than every window by which
//! ways come in. Each window that an agent crosses is then nearer to the goal than the
//! one before, whichever cells it walked, and so it arrives. There is always one: a
//! way that comes in costs more than the one from the window by which it goes out.

use super::goal_routes::{ACROSS, GoalRoutes, TO_GOAL};
use super::graph::{PortalGraph, PortalId};
use super::sector_portals::NO_EDGE;
use crate::grid::CellRect;
use glam::IVec2;

/// What the plain tile of a sector is made from, besides the ground.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Exits {
    /// Goal cells in the sector with their costs, on the finest scale.
    pub(crate) goals: Vec<(IVec2, u32)>,
    /// The windows to leave by: their cells just outside, and their cost.
    pub(crate) windows: Vec<(CellRect, u32)>,
}

/// Windows that cost so much more than the best one are left out.
const TOO_DEAR: u64 = u32::MAX as u64 / 8;

impl GoalRoutes {
    /// A number for what is known: while it stays, so do [`Self::exits`].
    pub(crate) fn knowledge(&self) -> (u64, usize) {
        (self.version(), self.settled())
    }

    /// The windows by which agents leave a sector, and the goals in it. Costs are less the least of them, for
    /// each part of the sector that hangs together by itself, and in whole multiples of `grain`. A few steps
    /// for each pair of the sector's portals.
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
            (cost < TOO_DEAR).then(|| (graph.cells(graph.across(exit.0)), cost as u32))
        };
        let windows: Vec<(CellRect, u32)> = exits.iter().filter_map(window).collect();
        let base = exits.iter().map(|exit| exit.1).chain(least_goal).min();
        let goal = |&(cell, cost): &(IVec2, u64)| {
            let cost = cost - base.unwrap_or_default();
            (cost < TOO_DEAR).then_some((cell, cost as u32))
        };
        Exits {
            goals: goals.iter().filter_map(goal).collect(),
            windows,
        }
    }

    /// The portals by which known ways leave a sector that are nearer to the goal than all by which ways
    /// come to where they can be reached from, and what ways cost from across them.
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

/// Whether there is a way within their sector from one portal to another.
fn are_joined(graph: &PortalGraph, from: PortalId, to: PortalId) -> bool {
    let costs = graph.sector(to.sector).costs_to(to.slot);
    from == to || costs[usize::from(from.slot)] != NO_EDGE
}
