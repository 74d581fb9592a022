//! Routes: the field, or the routes and tiles, that lead to a goal.

use crate::grid::floor_to_cell;
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
    Whole {
        /// The field.
        field: Arc<Field>,
        /// Whether it lacks edits or moves of the goal, and another one that has them is being built.
        is_outdated: bool,
    },
    /// Routes and tiles.
    Tiled(TiledRoute),
    /// A straight line, until routes are searched.
    Straight(StraightRoute),
}

impl Route {
    fn source(&self) -> &dyn FlowSource {
        match self {
            Self::Whole { field, .. } => &**field,
            Self::Tiled(route) => route,
            Self::Straight(route) => route,
        }
    }

    /// Whether a cell of the grid is a goal cell.
    #[must_use]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        self.source().is_goal(cell)
    }

    /// The exact target in a cell of the grid.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        self.source().target_in(cell)
    }

    /// Distance, in cells, to the nearest target that is not in a wall. Linear in the targets.
    #[must_use]
    pub fn distance_to_target(&self, point: Vec2) -> f32 {
        self.source().distance_to_target(point)
    }

    /// See [`FlowSource::remaining_cost`].
    pub(crate) fn remaining_cost(&self, cell: IVec2) -> f32 {
        self.source().remaining_cost(cell)
    }

    /// The cost from a cell of the grid to the goal, in cost units; the straight distance to the target where routes
    /// wait to be searched. `None` without a route.
    pub(crate) fn cost_to_goal(&self, cell: IVec2) -> Option<f64> {
        let cost = match self {
            Self::Whole { field, .. } => return field.cost_at(cell),
            Self::Tiled(route) => match route.cost_to_goal(cell) {
                None if !route.is_queued_from(cell) => return None,
                cost => cost,
            },
            Self::Straight(_) => None,
        };
        let distance = || f64::from(self.distance_to_target(cell.as_vec2() + 0.5));
        Some(cost.unwrap_or_else(distance))
    }

    /// The unit direction at a point, for the middle of a body of some radius in cells; zero at the goal and
    /// without a route.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        match self {
            Self::Whole { field, .. } => field.sample_for(point, radius),
            Self::Tiled(route) => route.sample_in(floor_to_cell(point), point, radius),
            Self::Straight(route) => route.sample_in(floor_to_cell(point), point, radius),
        }
    }

    /// `direction`, which [`Self::sample_for`] found at a point for a body of this radius, turned by up to 31 degrees:
    /// from +x towards +y for a `side` up to 1, the other way for a `side` down to -1. It is returned unchanged where
    /// the turned direction would not lead to lower cost.
    #[must_use]
    pub fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        self.source().lean(point, radius, direction, side)
    }

    /// Whether a direction for a cell without one may still be found, so that agents there are not lost.
    pub(crate) fn is_waiting(&self, cell: IVec2) -> bool {
        match self {
            Self::Whole { is_outdated, .. } => *is_outdated,
            Self::Tiled(route) => route.is_waiting(cell),
            Self::Straight(_) => true,
        }
    }

    /// Whether the direction in a cell is only the straight line to the goal, as the route has not been searched.
    pub(crate) fn is_guess(&self, cell: IVec2) -> bool {
        match self {
            Self::Whole { .. } => false,
            Self::Tiled(route) => route.is_guess(cell),
            Self::Straight(_) => true,
        }
    }

    /// The end of the link that the path from a cell of the grid takes; `None` if walking is better.
    #[must_use]
    #[inline]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        self.source().link_from(cell)
    }

    /// The next cell on the path from a cell of the grid: a neighbour, or the end of a link. `None` at a goal and where
    /// no path is known.
    pub(crate) fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        match self {
            Self::Whole { field, .. } => field.next_cell(cell),
            Self::Tiled(route) => route.next_cell(cell),
            Self::Straight(_) => None,
        }
    }

    /// Whether the path from a cell of the grid is known to be one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        match self {
            Self::Whole { field, .. } => field.sees_target(cell),
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
                let is_outdated = self.has_outdated_field(goal, movement);
                let field = self.field(goal, movement).map(Arc::clone);
                let whole = field.map(|field| Route::Whole { field, is_outdated });
                let straight = || self.straight_route(goal, movement).map(Route::Straight);
                whole.or_else(straight)
            }
            GoalMode::Tiled => {
                let tiled = self.tiled_route(goal, movement).map(Route::Tiled);
                tiled.or_else(|| self.straight_route(goal, movement).map(Route::Straight))
            }
        }
    }
}
