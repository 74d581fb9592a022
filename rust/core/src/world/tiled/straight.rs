//! Where agents go whose route has not been searched yet: straight to the goal, as long as no wall is before them.

use crate::grid::floor_to_cell;
use crate::movement::CostField;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// How far before a body walls are looked for, and how closely, in cells.
const AHEAD: f32 = 2.0;
const STEP: f32 = 0.5;

/// What leads to a tiled goal as long as nothing has been searched. All points are in cell space.
#[derive(Debug, Clone)]
pub struct StraightRoute {
    pub(super) targets: Arc<[Vec2]>,
    pub(super) costs: Arc<CostField>,
}

impl StraightRoute {
    pub(in crate::world) fn is_goal(&self, cell: IVec2) -> bool {
        self.costs.is_open(cell) && self.target_in(cell).is_some()
    }

    pub(in crate::world) fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        let mut targets = self.targets.iter();
        targets.find(|&&at| floor_to_cell(at) == cell).copied()
    }

    pub(in crate::world) fn distance_to_target(&self, point: Vec2) -> f32 {
        distance_to_target(&self.costs, &self.targets, point)
    }

    pub(in crate::world) fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        straight_on(&self.costs, &self.targets, point, radius)
    }
}

/// Distance to the nearest target that is not in a wall.
pub(super) fn distance_to_target(costs: &CostField, targets: &[Vec2], point: Vec2) -> f32 {
    let open = targets
        .iter()
        .filter(|&&at| costs.is_open(floor_to_cell(at)));
    let distances = open.map(|&at| at.distance_squared(point));
    distances.fold(f32::INFINITY, f32::min).sqrt()
}

/// The unit direction to the nearest target on the same layer, for a body of some radius; zero right before a wall.
pub(super) fn straight_on(costs: &CostField, targets: &[Vec2], point: Vec2, radius: f32) -> Vec2 {
    let row = floor_to_cell(point).y;
    let is_way = |at: &Vec2| {
        let cell = floor_to_cell(*at);
        costs.is_open(cell) && costs.are_of_one_layer(row, cell.y)
    };
    let distance = |at: &Vec2| at.distance_squared(point);
    let nearest = targets.iter().copied().filter(is_way);
    let nearest = nearest.min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let Some(target) = nearest else {
        return Vec2::ZERO;
    };
    let direction = (target - point).normalize_or_zero();
    let aside = direction.perp() * radius;
    let far = point.distance(target).min(radius + AHEAD);
    let is_wall = |at: Vec2| !costs.is_open(floor_to_cell(at));
    let is_shut = |step: usize| {
        let at = point + direction * (step as f32 * STEP).min(far);
        is_wall(at + aside) || is_wall(at - aside)
    };
    if (1..=(far / STEP).ceil() as usize).any(is_shut) {
        return Vec2::ZERO;
    }
    direction
}
