//! Queries of tiled goals. They are answered by near fields and by what agents follow, where these lead on, and
//! otherwise by routes that are searched for queries alone ([`super::previews`]).

use crate::error::Result;
use crate::flow::follow;
use crate::world::FlowWorld;
use crate::world::flow_source::FlowSource as _;
use crate::world::goal_id::GoalId;
use crate::world::queries::QueryStatus;
use crate::world::tiled::following::TiledRoute;
use crate::world::walking::near_field::NearField;
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;

impl TiledRoute {
    /// The direction at a point in cell space in a cell, if this route leads on from there; zero at the goal and where
    /// agents take a link.
    fn known_direction(&self, point: Vec2, cell: IVec2) -> Option<Vec2> {
        let direction = self.sample_in(cell, point, 0.0);
        let is_end = || self.is_goal(cell) || self.link_from(cell).is_some();
        (direction != Vec2::ZERO || is_end()).then_some(direction)
    }
}

impl FlowWorld {
    fn near_field_at(&self, goal: GoalId, movement: usize, cell: IVec2) -> Option<&NearField> {
        self.near_fields(goal, movement)?.near_at(cell)
    }

    /// The unit directions at world positions in the grid.
    pub(in crate::world) fn tiled_directions(
        &mut self,
        goal: GoalId,
        movement: usize,
        positions: &[Vec2],
    ) -> Result<Vec<Vec2>> {
        let followed = self.followed(goal, movement);
        let near = self.near_fields(goal, movement).cloned();
        let grid = self.grid;
        let known_direction = |route: &TiledRoute, at: Vec2| {
            let cell = grid.clamped_cell_at(at);
            route.known_direction(grid.to_cell_space(at), cell)
        };
        let by_near = |at: Vec2| {
            let cell = grid.clamped_cell_at(at);
            let near = near.as_ref()?.near_at(cell)?;
            Some(near.sample_in(cell, grid.to_cell_space(at), 0.0))
        };
        let known = |&at: &Vec2| by_near(at).or_else(|| known_direction(followed.as_ref()?, at));
        let known: Vec<Option<Vec2>> = positions.iter().map(known).collect();
        drop(followed);
        let unknown = |known: &(&Vec2, &Option<Vec2>)| known.1.is_none();
        for (&at, _) in positions.iter().zip(&known).filter(unknown) {
            self.preview_from(goal, movement, grid.cell_at(at))?;
        }
        if known.iter().all(Option::is_some) {
            return Ok(known.into_iter().flatten().collect());
        }
        let previewed = self.previewed(goal, movement)?;
        let direction = |(&at, known): (&Vec2, Option<Vec2>)| {
            known
                .or_else(|| known_direction(&previewed, at))
                .unwrap_or(Vec2::ZERO)
        };
        Ok(positions.iter().zip(known).map(direction).collect())
    }

    /// The end of the link that agents take from a cell.
    pub(in crate::world) fn tiled_link(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> Result<Option<IVec2>> {
        if let Some(near) = self.near_field_at(goal, movement, cell) {
            return Ok(near.link_from(cell));
        }
        let middle = cell.as_vec2() + 0.5;
        if let Some(followed) = self.followed(goal, movement)
            && followed.known_direction(middle, cell).is_some()
        {
            return Ok(followed.link_from(cell));
        }
        self.preview_from(goal, movement, cell)?;
        Ok(self.previewed(goal, movement)?.link_from(cell))
    }

    /// The cost of the route from an open cell.
    pub(in crate::world) fn tiled_cost(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> Result<Option<f64>> {
        if let Some(near) = self.near_field_at(goal, movement, cell) {
            return Ok(near.cost_at(cell));
        }
        let followed = self.followed_to_goal(goal, movement);
        let known = followed.and_then(|route| route.known_start(cell));
        let start = match known {
            Some(start) => Some(start),
            None => self.preview_from(goal, movement, cell)?,
        };
        Ok(start.map(|start| start.cost))
    }

    /// The cells of the path from a cell to the tiled goal, both included; empty without a route.
    ///
    /// Tiles and routes each lead to cells of lower cost. While tiles wait to be rebuilt after an edit the two may
    /// disagree. If a path by both leads into a circle, the path follows routes alone.
    pub(in crate::world) fn tiled_path(
        &mut self,
        goal: GoalId,
        movement: usize,
        start: IVec2,
    ) -> Result<Vec<IVec2>> {
        if self.near_field_at(goal, movement, start).is_some() {
            let is_goal = |cell| {
                let near = self.near_field_at(goal, movement, cell);
                near.is_some_and(|near| near.is_goal(cell))
            };
            let next = |cell| self.near_field_at(goal, movement, cell)?.next_cell(cell);
            return Ok(follow(start, is_goal, next));
        }
        if self.preview_from(goal, movement, start)?.is_none() {
            return Ok(Vec::new());
        }
        if let Some(followed) = self.followed_to_goal(goal, movement)
            && let Some(path) = self.walk(goal, movement, start, Some(&followed))?
        {
            return Ok(path);
        }
        let path = self.walk(goal, movement, start, None)?;
        Ok(path.unwrap_or_default())
    }

    /// The cells of the path to the goal, by what agents follow where that leads on; `None` if the path does not reach
    /// the goal.
    fn walk(
        &mut self,
        goal: GoalId,
        movement: usize,
        start: IVec2,
        followed: Option<&TiledRoute>,
    ) -> Result<Option<Vec<IVec2>>> {
        let mut visited = BTreeSet::new();
        let (mut path, mut cell) = (vec![start], start);
        let mut previewed = Some(self.previewed(goal, movement)?);
        loop {
            let is_there = |route: &TiledRoute| route.is_goal(cell);
            if followed.is_some_and(is_there) || previewed.as_ref().is_some_and(is_there) {
                return Ok(Some(path));
            }
            if !visited.insert((cell.y, cell.x)) {
                return Ok(None);
            }
            let mut next = followed.and_then(|route| route.next_cell(cell));
            if next.is_none() {
                next = previewed.as_ref().and_then(|route| route.next_cell(cell));
            }
            if next.is_none() {
                // In this sector no route has been searched yet. The route is dropped first, as the search would copy
                // it otherwise.
                drop(previewed.take());
                self.preview_from(goal, movement, cell)?;
                let route = previewed.insert(self.previewed(goal, movement)?);
                if route.is_goal(cell) {
                    return Ok(Some(path));
                }
                next = route.next_cell(cell);
            }
            let Some(next) = next.filter(|&next| self.costs(movement).is_open(next)) else {
                return Ok(None);
            };
            path.push(next);
            cell = next;
        }
    }

    /// The status of the route from an open cell; `None` if there is no route.
    pub(in crate::world) fn tiled_status(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> Result<Option<QueryStatus>> {
        if self.awaits_graph(movement) && self.tiled_slot(goal, movement).is_none() {
            let is_queued = self.tiling.scheduler.queue.contains((goal, movement));
            let waiting = [QueryStatus::Pending, QueryStatus::Queued];
            return Ok(Some(waiting[usize::from(is_queued)]));
        }
        let has_route = self.tiled_cost(goal, movement, cell)?.is_some();
        if !has_route {
            return Ok(None);
        }
        if self.tiling.scheduler.queue.holds((goal, movement), cell) {
            return Ok(Some(QueryStatus::Queued));
        }
        let route = self.tiled_route(goal, movement);
        let waits = route.is_some_and(|route| route.waits_for_tile(cell));
        Ok(Some(if waits {
            QueryStatus::Pending
        } else {
            QueryStatus::Ok
        }))
    }
}
