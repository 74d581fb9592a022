//! Finished fields, which agents follow and queries read.
//!
//! The field of a goal that has walked since the whole map was solved has two or three parts: an exact near field
//! around the goal's present position; on large maps a middle field around a slightly earlier position; and the far
//! field of the whole map, which leads to an earlier position. See [`super::walking`]. The field of a goal of another
//! kind than SEEK has a zone around the targets. See [`super::zones`].

use crate::flow::{Direction, FlowField, follow};
use crate::grid::floor_to_cell;
use crate::integrate::IntegrationField;
use crate::retired::Retired;
use crate::world::flow_source::FlowSource;
use crate::world::walking::parts::{Part, Parts};
use crate::world::zones::zone::{Place, Zone};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// A finished field: the costs to a goal for one movement type, and the directions there.
#[derive(Debug, Clone)]
pub struct Field {
    /// The costs of the far field. [`Self::cost_at`] includes the nearer parts.
    pub integration: Arc<IntegrationField>,
    /// The directions of the far field. [`Self::direction_at`] includes the nearer parts.
    pub flow: Arc<FlowField>,
    /// The near and middle fields.
    pub(super) parts: Parts,
    /// The costs and directions around the targets of a goal of another kind than SEEK.
    pub(super) zone: Option<Arc<Zone>>,
    /// Those of the whole map for islands that hold no target, if agents there need them.
    pub(super) apart: Option<Arc<Zone>>,
}

impl Field {
    /// Has the memory of the far field given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        if let Some(flow) = Arc::into_inner(self.flow) {
            flow.retire(retired);
        }
        if let Some(integration) = Arc::into_inner(self.integration) {
            integration.retire(retired);
        }
    }

    /// A field of a whole map.
    pub(super) fn whole(integration: Arc<IntegrationField>, flow: FlowField) -> Self {
        Self {
            integration,
            flow: Arc::new(flow),
            parts: Parts::default(),
            zone: None,
            apart: None,
        }
    }

    /// The field of a goal to whose targets no path leads.
    pub(super) fn of_zone(zone: Arc<Zone>) -> Self {
        Self {
            zone: Some(zone),
            ..Self::whole(Arc::new(IntegrationField::empty()), FlowField::default())
        }
    }

    /// Whether there is nothing but a zone.
    pub(super) fn has_zone_alone(&self) -> bool {
        self.zone_alone().is_some()
    }

    fn zone_alone(&self) -> Option<(&Zone, IVec2)> {
        let zone = self.zone.as_deref()?;
        Some((zone, zone.grid_size()?))
    }

    /// The zone, and where a cell of the grid is; `None` where the field to the targets counts.
    #[inline]
    fn in_zone(&self, cell: IVec2) -> Option<(&Zone, Place)> {
        let zone = self.zone.as_deref()?;
        let own = match zone.place_of(cell) {
            Place::Seek => return self.apart_at(cell),
            Place::Substitute(_) if self.seek_cost(cell).is_some() => return None,
            Place::Substitute(own) | Place::Hidden(own) => own,
            place => return Some((zone, place)),
        };
        let in_zone = (zone, Place::Inside(own));
        Some(self.apart_at(cell).unwrap_or(in_zone))
    }

    /// The zone for islands without a target, and the cell there, if it leads from a cell of the grid.
    fn apart_at(&self, cell: IVec2) -> Option<(&Zone, Place)> {
        let apart = self.apart.as_deref()?;
        match apart.place_of(cell) {
            Place::Inside(own) => Some((apart, Place::Inside(own))),
            _ => None,
        }
    }

    /// Whether the whole field leads to the goal's present position.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a cell of the grid is in a part that leads to the goal's present position.
    #[must_use]
    pub fn is_near(&self, cell: IVec2) -> bool {
        self.is_whole() || self.parts.kind_at(cell) == Part::Near
    }

    /// The cost from a cell of the grid in cost units: on clear ground the distance in cells. `None` where no goal can
    /// be reached. Far from a goal that has walked it is the cost to an earlier position plus the cost from there to
    /// the goal, which may be a little more than the cheapest path.
    #[must_use]
    pub fn cost_at(&self, cell: IVec2) -> Option<f64> {
        match self.in_zone(cell) {
            None => self.seek_cost(cell),
            Some((zone, Place::Inside(own))) => zone.cost_at(own),
            Some((zone, _)) => zone.cost_beyond(cell),
        }
    }

    /// [`Self::cost_at`] in the field to the targets.
    fn seek_cost(&self, cell: IVec2) -> Option<f64> {
        if self.is_whole() {
            return self.integration.cost_at(cell);
        }
        if let Some(cost) = self.parts.cost_at(cell) {
            return Some(cost);
        }
        Some(self.integration.cost_at(cell)? + self.parts.greatest_cost(self.far_goals()))
    }

    /// The goal cells of the far field.
    fn far_goals(&self) -> impl Iterator<Item = IVec2> {
        self.integration.goal_cells()
    }

    /// The direction of a cell of the grid, to the nearest of [`crate::flow::ANGLES`] angles.
    #[must_use]
    pub fn direction_at(&self, cell: IVec2) -> Direction {
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => return zone.direction_at(own),
            Some((_, Place::Wall)) => return Direction::WALL,
            Some(_) => return Direction::GOAL,
        }
        match self.parts.at(cell) {
            Some(part) => part.direction_at(cell),
            None => self.flow.direction_at(cell),
        }
    }

    /// Whether a cell of the grid is a goal.
    #[must_use]
    #[inline]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => return zone.is_goal(own),
            Some((_, place)) => return matches!(place, Place::Arrived),
        }
        if self.is_whole() {
            return self.flow.is_goal(cell);
        }
        self.parts.is_goal(cell)
    }

    /// The exact target, in cell space, inside a cell of the grid. Goals of other kinds than SEEK have none.
    #[must_use]
    #[inline]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        if self.zone.is_some() {
            return None;
        }
        if self.is_whole() {
            return self.flow.target_in(cell);
        }
        self.parts.target_in(cell)
    }

    /// Distance, in cells, to the nearest target that is not in a wall; infinite for goals of other kinds than SEEK.
    /// Linear in the targets.
    #[must_use]
    pub fn distance_to_target(&self, point: Vec2) -> f32 {
        if self.zone.is_some() {
            return f32::INFINITY;
        }
        if self.is_whole() {
            return self.flow.distance_to_target(point);
        }
        self.parts.distance_to_target(point)
    }

    /// The unit direction at a point in cell space for the middle of a body of this radius, in cells; zero at the goal
    /// and where there is no route.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        self.sample_in(self.cell_at(point), point, radius)
    }

    /// The cell of the grid nearest to a point.
    fn cell_at(&self, point: Vec2) -> IVec2 {
        let size = self
            .zone_alone()
            .map_or_else(|| self.flow.size(), |(_, size)| size);
        floor_to_cell(point).clamp(IVec2::ZERO, size - 1)
    }

    /// The end of the link that the path from a cell of the grid takes; `None` if it takes none.
    #[must_use]
    #[inline]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => return zone.link_from(own),
            Some(_) => return None,
        }
        match self.parts.at(cell) {
            Some(part) => part.link_from(cell),
            None => self.flow.link_from(cell),
        }
    }

    /// Whether the path from a cell of the grid is one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        if self.in_zone(cell).is_some() {
            return false;
        }
        if self.is_whole() {
            return self.flow.sees_target(cell);
        }
        self.parts.sees_target(cell)
    }

    /// The next cell on the path from a cell: a neighbour, or the end of a link. `None` at a goal and where there is no
    /// route.
    #[must_use]
    pub fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => return zone.next_cell(own),
            Some(_) => return None,
        }
        match self.parts.at(cell) {
            Some(part) => part.next_cell(cell),
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
        let known = |cell| self.cost_at(cell).map_or(f32::INFINITY, |cost| cost as f32);
        if let Some((_, size)) = self.zone_alone() {
            return cells_of(size).map(known).collect();
        }
        let mut costs = self.seek_costs();
        let width = self.flow.size().x;
        for zone in [&self.zone, &self.apart].into_iter().flatten() {
            zone.for_each_cell(|cell| costs[(cell.y * width + cell.x) as usize] = known(cell));
        }
        costs
    }

    /// [`Self::to_costs`] of the field to the targets.
    fn seek_costs(&self) -> Vec<f32> {
        let mut costs = self.integration.to_costs();
        if self.is_whole() {
            return costs;
        }
        let size = self.flow.size();
        let more = self.parts.greatest_cost(self.far_goals()) as f32;
        for cost in &mut costs {
            *cost += more;
        }
        self.parts.for_each_cell(|cell| {
            let cost = self
                .seek_cost(cell)
                .map_or(f32::INFINITY, |cost| cost as f32);
            costs[(cell.y * size.x + cell.x) as usize] = cost;
        });
        costs
    }

    /// All directions, row-major, as unit vectors or zero.
    #[must_use]
    pub fn to_vectors(&self) -> Vec<Vec2> {
        let known = |cell| match self.in_zone(cell) {
            Some((zone, Place::Inside(own))) => Some(zone.vector_at(own)),
            Some(_) => Some(Vec2::ZERO),
            None => None,
        };
        if let Some((_, size)) = self.zone_alone() {
            return cells_of(size)
                .map(|cell| known(cell).unwrap_or_default())
                .collect();
        }
        let mut vectors = self.flow.to_vectors();
        let width = self.flow.size().x;
        self.parts.for_each_cell(|cell| {
            if let Some(part) = self.parts.at(cell) {
                vectors[(cell.y * width + cell.x) as usize] = part.vector_at(cell);
            }
        });
        for zone in [&self.zone, &self.apart].into_iter().flatten() {
            zone.for_each_cell(|cell| {
                if let Some(vector) = known(cell) {
                    vectors[(cell.y * width + cell.x) as usize] = vector;
                }
            });
        }
        vectors
    }

    /// The number of cells that have a path to the goal, goal cells included.
    #[must_use]
    pub fn reached_cell_count(&self) -> usize {
        if self.zone.is_none() && self.apart.is_none() && self.is_whole() {
            return self.integration.reached_cell_count();
        }
        let costs = self.to_costs();
        costs.iter().filter(|cost| cost.is_finite()).count()
    }
}

/// The cells of a grid, row by row.
fn cells_of(size: IVec2) -> impl Iterator<Item = IVec2> {
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
}

impl FlowSource for Field {
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
        if self.zone.is_some() {
            return None;
        }
        if self.is_whole() {
            return self.flow.target_within(point, reach);
        }
        self.parts.target_within(point, reach)
    }

    #[inline]
    fn sample_in(&self, cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => {
                return zone.sample_in((cell, own), point, radius);
            }
            Some(_) => return Vec2::ZERO,
        }
        match self.parts.at(cell) {
            Some(part) => part.sample_in(cell, point, radius),
            None => self.flow.sample_in(cell, point, radius),
        }
    }

    fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        let cell = self.cell_at(point);
        match self.in_zone(cell) {
            None => {}
            Some((zone, Place::Inside(own))) => {
                return zone.lean((cell, own), point, radius, direction, side);
            }
            Some(_) => return direction,
        }
        match self.parts.at(cell) {
            Some(part) => part.lean(point, radius, direction, side),
            None => self.flow.lean(point, radius, direction, side),
        }
    }

    fn remaining_cost(&self, cell: IVec2) -> f32 {
        let cost = self.cost_at(cell);
        cost.map_or(f32::INFINITY, |cost| cost as f32)
    }

    fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        Self::link_from(self, cell)
    }

    fn is_region(&self) -> bool {
        self.zone.is_some()
    }
}
