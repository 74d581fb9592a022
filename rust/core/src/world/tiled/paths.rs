//! Questions about tiled goals that take more than one look.

use super::route_queue::Asker;
use crate::error::Result;
use crate::world::{FlowWorld, GoalId, QueryStatus};
use glam::IVec2;
use std::collections::BTreeSet;

impl FlowWorld {
    /// The cells from one to the tiled goal, both included.
    ///
    /// Tiles and routes each lead to cells of lower cost. While tiles are being built anew after an edit
    /// they may disagree; if that leads round in a circle, all tiles are built at once.
    pub(in crate::world) fn tiled_path(
        &mut self,
        goal: GoalId,
        movement: usize,
        start: IVec2,
    ) -> Result<Vec<IVec2>> {
        self.keep_up(goal, movement, Asker::GameAtOnce)?;
        let answer = self.ask(goal, movement, start, Asker::GameAtOnce)?;
        if answer.start.is_none() {
            return Ok(Vec::new());
        }
        if let Some(path) = self.walk(goal, movement, start)? {
            return Ok(path);
        }
        while (self.build_some(goal, movement, usize::MAX, &mut || false)).is_some() {}
        Ok(self.walk(goal, movement, start)?.unwrap_or_default())
    }

    /// The cells on the way to the goal; `None` if it leads nowhere.
    fn walk(&mut self, goal: GoalId, movement: usize, start: IVec2) -> Result<Option<Vec<IVec2>>> {
        let mut visited = BTreeSet::new();
        let (mut path, mut cell) = (vec![start], start);
        let mut route = self.tiled_route(goal, movement);
        while let Some(known) = &route {
            if known.is_goal(cell) {
                return Ok(Some(path));
            }
            if !visited.insert((cell.y, cell.x)) {
                return Ok(None);
            }
            let mut next = known.next_cell(cell);
            if next.is_none() {
                // In this sector nothing has been asked for yet. The one in hand would be copied.
                drop(route.take());
                self.ask(goal, movement, cell, Asker::GameAtOnce)?;
                route = self.tiled_route(goal, movement);
                next = route.as_ref().and_then(|route| route.next_cell(cell));
                let is_there = route.as_ref().is_some_and(|route| route.is_goal(cell));
                if is_there {
                    return Ok(Some(path));
                }
            }
            let Some(next) = next else {
                return Ok(None);
            };
            path.push(next);
            cell = next;
        }
        Ok(None)
    }

    /// How things stand at a cell with a route to a tiled goal.
    pub(in crate::world) fn tile_status(
        &self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> QueryStatus {
        let route = self.tiled_route(goal, movement);
        if route.is_some_and(|route| route.has_tile(cell)) {
            QueryStatus::Ok
        } else {
            QueryStatus::Pending
        }
    }
}
