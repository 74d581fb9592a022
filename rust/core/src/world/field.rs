//! A finished field, as agents follow it and queries read it.
//!
//! To a goal that has walked since the whole map was solved, two or three parts lead: a field around where the goal
//! is now, which is exact; on large maps one around where it was a little earlier; and the far field, which leads to
//! where it was before. Each part holds where the next one leads to. See [`super::walking`] for why agents arrive.

use super::Guide;
use super::walking::NearField;
use crate::flow::{Direction, FlowField, follow};
use crate::grid::floor_to_cell;
use crate::integrate::IntegrationField;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// A finished field: the costs to a goal for one movement type, and the directions there.
#[derive(Debug, Clone)]
pub struct Field {
    /// Cost to the goal from every cell, where nothing nearer to it is known: see [`Self::cost_at`].
    pub integration: Arc<IntegrationField>,
    /// Direction to the goal from every cell, where nothing nearer to it is known: see [`Self::direction_at`].
    pub flow: Arc<FlowField>,
    /// Around where the goal is now; empty where the whole map leads there.
    pub(super) near: Arc<[Arc<NearField>]>,
    /// Around where it was a little earlier.
    pub(super) middle: Arc<[Arc<NearField>]>,
}

/// The parts of a field, from the one around where the goal is now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Near,
    Middle,
    Far,
}

impl Field {
    /// A field of a whole map.
    pub(super) fn whole(integration: Arc<IntegrationField>, flow: FlowField) -> Self {
        Self {
            integration,
            flow: Arc::new(flow),
            near: Arc::default(),
            middle: Arc::default(),
        }
    }

    /// The same far field with other fields near the goal.
    pub(super) fn with_near(&self, near: &[Arc<NearField>], middle: &[Arc<NearField>]) -> Self {
        Self {
            near: near.into(),
            middle: middle.into(),
            ..self.clone()
        }
    }

    /// The same without middle fields, which may not hold where the far field leads to then.
    pub(super) fn without_middle(&self) -> Self {
        Self {
            middle: Arc::default(),
            ..self.clone()
        }
    }

    /// Whether all of it leads to where the goal is now.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.near.is_empty()
    }

    /// Whether a cell of the grid is in the part that leads to where the goal is now.
    #[must_use]
    pub fn is_near(&self, cell: IVec2) -> bool {
        self.is_whole() || self.near.iter().any(|near| near.contains(cell))
    }

    /// Which part leads on from a cell.
    pub(super) fn part_at(&self, cell: IVec2) -> Part {
        let holds = |part: &Arc<NearField>| part.contains(cell);
        if self.near.iter().any(holds) {
            Part::Near
        } else if !self.is_whole() && self.middle.iter().any(holds) {
            Part::Middle
        } else {
            Part::Far
        }
    }

    /// The part that leads on from a cell, if it is not the far field.
    #[inline]
    fn part(&self, cell: IVec2) -> Option<&NearField> {
        if self.near.is_empty() {
            return None;
        }
        let mut parts = self.near.iter().chain(&*self.middle);
        parts.find(|part| part.contains(cell)).map(|part| &**part)
    }

    /// The cost from a cell of the grid in cost units: on clear ground the distance in cells. `None` where no goal can
    /// be reached. Far from a goal that has walked it is the cost to where it was and from there to it, which is a
    /// little more than the cheapest way may cost.
    #[must_use]
    pub fn cost_at(&self, cell: IVec2) -> Option<f64> {
        if self.is_whole() {
            return self.integration.cost_at(cell);
        }
        if let Some(near) = self.near.iter().find(|near| near.contains(cell)) {
            return near.cost_at(cell);
        }
        if let Some(middle) = self.middle.iter().find(|part| part.contains(cell)) {
            let rest = middle.goal_cells().map(|goal| self.cost_at(goal));
            return Some(middle.cost_at(cell)? + greatest(rest));
        }
        let far = self.integration.cost_at(cell)?;
        Some(far + greatest(self.far_goals().map(|goal| self.cost_at(goal))))
    }

    /// The cells that the far field leads to.
    pub(super) fn far_goals(&self) -> impl Iterator<Item = IVec2> {
        let goals = self.integration.goals().iter();
        goals.map(|&index| self.integration.cell(index))
    }

    /// The direction of a cell of the grid, to the nearest of [`crate::flow::ANGLES`] angles.
    #[must_use]
    pub fn direction_at(&self, cell: IVec2) -> Direction {
        match self.part(cell) {
            Some(part) => part.flow().direction_at(part.own(cell)),
            None => self.flow.direction_at(cell),
        }
    }

    /// Whether a cell of the grid is a goal.
    #[must_use]
    #[inline]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        if self.is_whole() {
            return self.flow.is_goal(cell);
        }
        self.near.iter().any(|near| near.is_goal(cell))
    }

    /// The exact target, in cell space, inside a cell of the grid.
    #[must_use]
    #[inline]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        if self.is_whole() {
            return self.flow.target_in(cell);
        }
        self.near.iter().find_map(|near| near.target_in(cell))
    }

    /// Distance, in cells, to the nearest target that is not in a wall. Linear in the targets.
    #[must_use]
    pub fn distance_to_target(&self, point: Vec2) -> f32 {
        if self.is_whole() {
            return self.flow.distance_to_target(point);
        }
        let distances = self.near.iter().map(|near| near.distance_to_target(point));
        distances.fold(f32::INFINITY, f32::min)
    }

    /// The unit direction at a point in cell space for the middle of a body of this radius, in cells; zero at the goal
    /// and where there is no route.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        self.sample_in(self.cell_at(point), point, radius)
    }

    /// The cell of the grid nearest to a point.
    fn cell_at(&self, point: Vec2) -> IVec2 {
        floor_to_cell(point).clamp(IVec2::ZERO, self.flow.size() - 1)
    }

    /// Where the link leads that is to be taken from a cell of the grid.
    #[must_use]
    #[inline]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        match self.part(cell) {
            Some(part) => Some(part.in_grid(part.flow().link_from(part.own(cell))?)),
            None => self.flow.link_from(cell),
        }
    }

    /// Whether the path from a cell of the grid is one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        if self.is_whole() {
            return self.flow.sees_target(cell);
        }
        let near = self.near.iter().find(|near| near.contains(cell));
        near.is_some_and(|near| near.flow().sees_target(near.own(cell)))
    }

    /// The cell that the field leads to from another one: a neighbour, or the end of a link. `None` at a goal and where
    /// there is no route.
    #[must_use]
    pub fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        match self.part(cell) {
            Some(part) => Some(part.in_grid(part.flow().next_cell(part.own(cell))?)),
            None => self.flow.next_cell(cell),
        }
    }

    /// The cells from `start` to the goal cell that the field leads to, both included; empty when `start` has no route.
    #[must_use]
    pub fn path_from(&self, start: IVec2) -> Vec<IVec2> {
        follow(
            start,
            |cell| self.is_goal(cell),
            |cell| self.next_cell(cell),
        )
    }

    /// All costs, row-major, as [`Self::cost_at`] has them; infinite where there is no path.
    #[must_use]
    pub fn to_costs(&self) -> Vec<f32> {
        let mut costs = self.integration.to_costs();
        if self.is_whole() {
            return costs;
        }
        let size = self.flow.size();
        let more = greatest(self.far_goals().map(|goal| self.cost_at(goal))) as f32;
        for cost in &mut costs {
            *cost += more;
        }
        self.for_each_near_cell(|cell| {
            let cost = self.cost_at(cell).map_or(f32::INFINITY, |cost| cost as f32);
            costs[(cell.y * size.x + cell.x) as usize] = cost;
        });
        costs
    }

    /// All directions, row-major, as unit vectors or zero.
    #[must_use]
    pub fn to_vectors(&self) -> Vec<Vec2> {
        let mut vectors = self.flow.to_vectors();
        let width = self.flow.size().x;
        self.for_each_near_cell(|cell| {
            if let Some(part) = self.part(cell) {
                vectors[(cell.y * width + cell.x) as usize] = part.vector_at(cell);
            }
        });
        vectors
    }

    /// Hands on every cell that is not led from by the far field.
    fn for_each_near_cell(&self, mut each: impl FnMut(IVec2)) {
        for part in self.middle.iter().chain(&*self.near) {
            let rect = part.cells();
            for y in rect.low.y..rect.high.y {
                for cell in (rect.low.x..rect.high.x).map(|x| IVec2::new(x, y)) {
                    if part.contains(cell) {
                        each(cell);
                    }
                }
            }
        }
    }
}

fn greatest(costs: impl Iterator<Item = Option<f64>>) -> f64 {
    costs.flatten().fold(0.0, f64::max)
}

impl Guide for Field {
    #[inline]
    fn is_goal(&self, cell: IVec2) -> bool {
        Self::is_goal(self, cell)
    }

    #[inline]
    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        Self::target_in(self, cell)
    }

    #[inline]
    fn distance_to_target(&self, point: Vec2) -> f32 {
        Self::distance_to_target(self, point)
    }

    #[inline]
    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        if self.is_whole() {
            return self.flow.target_within(point, reach);
        }
        let mut found = self.near.iter();
        found.find_map(|near| near.target_within(point, reach))
    }

    #[inline]
    fn sample_in(&self, cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        match self.part(cell) {
            Some(part) => part.sample_in(cell, point, radius),
            None => self.flow.sample_in(cell, point, radius),
        }
    }

    fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        match self.part(self.cell_at(point)) {
            Some(part) => part.lean(point, radius, direction, side),
            None => self.flow.lean(point, radius, direction, side),
        }
    }

    fn way_left(&self, cell: IVec2) -> f32 {
        let cost = self.cost_at(cell);
        cost.map_or(f32::INFINITY, |cost| cost as f32)
    }
}
