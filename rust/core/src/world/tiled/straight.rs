//! The straight line to the goal that agents follow before their route has been searched, as long as no wall is ahead.

use crate::flow::{TargetBounds, nearest_within};
use crate::grid::floor_to_cell;
use crate::movement::CostField;
use crate::world::flow_source::FlowSource;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The distance ahead of an agent within which walls are detected, and the distance between the points checked, in
/// cells.
const AHEAD: f32 = 2.0;
const STEP: f32 = 0.5;

/// What agents follow to a tiled goal before any route has been searched. All points are in cell space.
#[derive(Debug, Clone)]
pub struct StraightRoute {
    pub(super) targets: Arc<[Vec2]>,
    pub(super) bounds: TargetBounds,
    pub(super) costs: Arc<CostField>,
}

impl FlowSource for StraightRoute {
    fn is_goal(&self, cell: IVec2) -> bool {
        self.costs.is_open(cell) && self.target_in(cell).is_some()
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        let mut targets = self.targets.iter();
        targets.find(|&&at| floor_to_cell(at) == cell).copied()
    }

    fn distance_to_target(&self, point: Vec2) -> f32 {
        distance_to_target(&self.costs, &self.targets, point)
    }

    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        if !self.bounds.is_near(point, reach) {
            return None;
        }
        let is_open = |at: &Vec2| self.costs.is_open(floor_to_cell(*at));
        nearest_within(self.targets.iter().copied().filter(is_open), point, reach)
    }

    fn sample_in(&self, _cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        straight_on(&self.costs, &self.targets, point, radius)
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
}

/// The distance to the nearest target that is not in a wall.
pub(super) fn distance_to_target(costs: &CostField, targets: &[Vec2], point: Vec2) -> f32 {
    let open = targets
        .iter()
        .filter(|&&at| costs.is_open(floor_to_cell(at)));
    let distances = open.map(|&at| at.distance_squared(point));
    distances.fold(f32::INFINITY, f32::min).sqrt()
}

/// The unit direction to the nearest target on the same layer, for an agent of some radius; zero right before a wall.
pub(super) fn straight_on(costs: &CostField, targets: &[Vec2], point: Vec2, radius: f32) -> Vec2 {
    let row = floor_to_cell(point).y;
    let is_candidate = |at: &Vec2| {
        let cell = floor_to_cell(*at);
        costs.is_open(cell) && costs.are_of_one_layer(row, cell.y)
    };
    let distance = |at: &Vec2| at.distance_squared(point);
    let nearest = targets.iter().copied().filter(is_candidate);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::movement::MovementType;
    use crate::terrain::Terrain;

    /// Open ground of 20 by 9 cells with some walls.
    fn ground(walls: &[(i32, i32)]) -> CostField {
        let grid = Grid::new(IVec2::new(20, 9), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        for &wall in walls {
            terrain.set(wall.into(), 255).expect("inside");
        }
        CostField::new(&grid, &terrain, &MovementType::default())
    }

    fn direction(walls: &[(i32, i32)], radius: f32) -> Vec2 {
        let (from, target) = (Vec2::new(4.5, 4.5), Vec2::new(17.5, 4.5));
        straight_on(&ground(walls), &[target], from, radius)
    }

    #[test]
    fn walls_right_ahead_stop_an_agent() {
        assert_eq!(direction(&[], 0.3), Vec2::X);
        // Ahead of the middle of the agent, up to two cells before its front.
        for (wall, is_shut) in [(5, true), (6, true), (7, false), (9, false)] {
            let found = direction(&[(wall, 4)], 0.3);
            assert_eq!(found == Vec2::ZERO, is_shut, "a wall at {wall}");
        }
        // Ahead of its sides, which are in the rows beside.
        for beside in [3, 5] {
            assert_eq!(direction(&[(6, beside)], 0.8), Vec2::ZERO, "{beside}");
            assert_eq!(direction(&[(6, beside)], 0.3), Vec2::X, "{beside}");
        }
        // Behind it, and behind the target.
        assert_eq!(direction(&[(3, 4), (18, 4)], 0.3), Vec2::X);
    }

    #[test]
    fn targets_in_walls_do_not_count() {
        let costs = ground(&[(6, 7)]);
        let from = Vec2::new(4.5, 4.5);
        let targets = [Vec2::new(6.5, 7.5), Vec2::new(4.5, 8.5)];
        assert_eq!(straight_on(&costs, &targets, from, 0.3), Vec2::Y);
        assert_eq!(straight_on(&costs, &targets[..1], from, 0.3), Vec2::ZERO);
        let distance = distance_to_target(&costs, &targets, from);
        assert_eq!(distance, 4.0);
        let route = StraightRoute {
            targets: targets.into(),
            bounds: TargetBounds::around(targets.into_iter()),
            costs: Arc::new(costs),
        };
        assert_eq!(route.target_within(from, 4.1), Some(targets[1]));
        assert_eq!(route.target_within(from, 3.9), None);
    }
}
