//! Routes: the field, or the routes and tiles, that lead to a goal.

use crate::world::FlowWorld;
use crate::world::field::Field;
use crate::world::flow_source::FlowSource;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::GoalMode;
use crate::world::tiled::following::TiledRoute;
use crate::world::tiled::straight::StraightRoute;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The field, or the routes and tiles, that agents of a movement type follow to a goal, as of the call that returned
/// it. All points are in cell space.
#[derive(Debug, Clone)]
pub enum Route {
    /// A whole field.
    Whole(Arc<Field>),
    /// Routes and tiles.
    Tiled(TiledRoute),
    /// A straight line, until routes are searched.
    Straight(StraightRoute),
}

impl FlowSource for TiledRoute {
    fn is_goal(&self, cell: IVec2) -> bool {
        Self::is_goal(self, cell)
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        Self::target_in(self, cell)
    }

    fn distance_to_target(&self, point: Vec2) -> f32 {
        Self::distance_to_target(self, point)
    }

    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        Self::target_within(self, point, reach)
    }

    fn sample_in(&self, _cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        self.sample_for(point, radius)
    }

    fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        Self::lean(self, point, radius, direction, side)
    }

    fn remaining_cost(&self, cell: IVec2) -> f32 {
        self.distance_to_target(cell.as_vec2() + 0.5)
    }

    fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        Self::link_from(self, cell)
    }

    fn is_waiting(&self, cell: IVec2) -> bool {
        Self::is_waiting(self, cell)
    }
}

impl FlowSource for StraightRoute {
    fn is_goal(&self, cell: IVec2) -> bool {
        Self::is_goal(self, cell)
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        Self::target_in(self, cell)
    }

    fn distance_to_target(&self, point: Vec2) -> f32 {
        Self::distance_to_target(self, point)
    }

    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        Self::target_within(self, point, reach)
    }

    fn sample_in(&self, _cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        self.sample_for(point, radius)
    }

    fn lean(&self, _point: Vec2, _radius: f32, direction: Vec2, _side: f32) -> Vec2 {
        direction
    }

    fn remaining_cost(&self, cell: IVec2) -> f32 {
        self.distance_to_target(cell.as_vec2() + 0.5)
    }

    fn link_from(&self, _cell: IVec2) -> Option<IVec2> {
        None
    }

    fn is_waiting(&self, _cell: IVec2) -> bool {
        true
    }
}

impl Route {
    /// Whether a cell of the grid is a goal cell.
    #[must_use]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        match self {
            Self::Whole(field) => field.is_goal(cell),
            Self::Tiled(route) => route.is_goal(cell),
            Self::Straight(route) => route.is_goal(cell),
        }
    }

    /// The exact target in a cell of the grid.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        match self {
            Self::Whole(field) => field.target_in(cell),
            Self::Tiled(route) => route.target_in(cell),
            Self::Straight(route) => route.target_in(cell),
        }
    }

    /// Distance, in cells, to the nearest target that is not in a wall. Linear in the targets.
    #[must_use]
    pub fn distance_to_target(&self, point: Vec2) -> f32 {
        match self {
            Self::Whole(field) => field.distance_to_target(point),
            Self::Tiled(route) => route.distance_to_target(point),
            Self::Straight(route) => route.distance_to_target(point),
        }
    }

    /// See [`FlowSource::remaining_cost`].
    pub(crate) fn remaining_cost(&self, cell: IVec2) -> f32 {
        match self {
            Self::Whole(field) => FlowSource::remaining_cost(&**field, cell),
            Self::Tiled(route) => FlowSource::remaining_cost(route, cell),
            Self::Straight(route) => FlowSource::remaining_cost(route, cell),
        }
    }

    /// The cost from a cell of the grid to the goal, in cost units; the straight distance to the target where routes
    /// wait to be searched. `None` without a route.
    pub(crate) fn cost_to_goal(&self, cell: IVec2) -> Option<f64> {
        let cost = match self {
            Self::Whole(field) => return field.cost_at(cell),
            Self::Tiled(route) => route.cost_to_goal(cell),
            Self::Straight(_) => None,
        };
        let is_waiting = match self {
            Self::Whole(_) => false,
            Self::Tiled(route) => route.is_waiting(cell),
            Self::Straight(_) => true,
        };
        let distance = || f64::from(self.distance_to_target(cell.as_vec2() + 0.5));
        cost.or_else(|| is_waiting.then(distance))
    }

    /// The unit direction at a point, for the middle of a body of some radius in cells; zero at the goal and
    /// without a route.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        match self {
            Self::Whole(field) => field.sample_for(point, radius),
            Self::Tiled(route) => route.sample_for(point, radius),
            Self::Straight(route) => route.sample_for(point, radius),
        }
    }

    /// `direction`, which [`Self::sample_for`] found at a point for a body of this radius, turned by up to 31 degrees:
    /// from +x towards +y for a `side` up to 1, the other way for a `side` down to -1. It is returned unchanged where
    /// the turned direction would not lead to lower cost.
    #[must_use]
    pub fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        match self {
            Self::Whole(field) => FlowSource::lean(&**field, point, radius, direction, side),
            Self::Tiled(route) => route.lean(point, radius, direction, side),
            Self::Straight(_) => direction,
        }
    }

    /// The end of the link that the path from a cell of the grid takes; `None` if walking is better.
    #[must_use]
    #[inline]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        match self {
            Self::Whole(field) => field.link_from(cell),
            Self::Tiled(route) => route.link_from(cell),
            Self::Straight(_) => None,
        }
    }

    /// Whether the path from a cell of the grid is known to be one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        match self {
            Self::Whole(field) => field.sees_target(cell),
            Self::Tiled(route) => route.sees_target(cell),
            Self::Straight(_) => false,
        }
    }
}

impl FlowWorld {
    /// The present route to a goal for a movement type; `None` if it was neither required nor requested, and while the
    /// first whole field is being built.
    #[must_use]
    pub fn route(&self, goal: GoalId, movement: usize) -> Option<Route> {
        match self.goal_mode(goal).ok()? {
            GoalMode::Full if !self.is_followed(goal, movement) => None,
            GoalMode::Full => {
                let whole = self.field(goal, movement).map(Arc::clone);
                let straight = || self.straight_route(goal, movement).map(Route::Straight);
                whole.map(Route::Whole).or_else(straight)
            }
            GoalMode::Tiled => {
                let tiled = self.tiled_route(goal, movement).map(Route::Tiled);
                tiled.or_else(|| self.straight_route(goal, movement).map(Route::Straight))
            }
        }
    }
}
