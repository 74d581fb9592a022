//! System A's field: relaxation through a first-in, first-out queue, and the negative gradient as direction.
//!
//! A cell is queued again each time its cost improves. On open ground this is rare. Obstacles and uneven costs let the
//! wave arrive out of order, and whole regions are then corrected repeatedly.

use std::collections::VecDeque;

use glam::Vec2;

use crate::maps::{CostMap, WALL};
use crate::steps::{Corners, STEPS};

/// Length of a diagonal step in system A, in cells.
pub const DIAGONAL_LENGTH: f32 = 1.414;

/// The cost that system A's gradient uses for walls, unreached cells and cells outside the map. Where costs exceed it,
/// as on large maps or slow ground, walls attract agents. This flaw of the method is kept.
pub const WALL_COST: f32 = 1.0e4;

/// The options in which variants of system A differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FifoOptions {
    /// Whether diagonal steps may cut corners. System A allows it; the default does not, so that results can be
    /// compared.
    pub corners: Corners,
    /// The cost added for entering a cell that has a wall among its eight neighbours. System A uses 20; the default is
    /// 0.
    pub wall_penalty: f32,
}

impl FifoOptions {
    /// The options of system A: corners are cut, and the wall penalty is 20.
    #[must_use]
    pub fn system_a() -> Self {
        Self {
            corners: Corners::Cut,
            wall_penalty: 20.0,
        }
    }
}

/// The solver of system A on flat arrays. Terrain costs multiply the length of a step, as in
/// [`BinaryHeapDijkstra`](super::binary_heap::BinaryHeapDijkstra).
#[derive(Debug, Default)]
pub struct FifoRelaxation {
    options: FifoOptions,
    cost: Vec<f32>,
    penalty: Vec<f32>,
    vector: Vec<Vec2>,
    queue: VecDeque<u32>,
}

impl FifoRelaxation {
    /// Creates a solver.
    #[must_use]
    pub fn new(options: FifoOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Computes the cost to the nearest goal and the negative gradient of every cell. Goals that are walls or outside
    /// the map are ignored.
    pub fn solve(&mut self, map: &CostMap, goals: &[usize]) {
        self.integrate(map, goals);
        self.direct(map);
    }

    /// Computes the costs without directions.
    pub fn integrate(&mut self, map: &CostMap, goals: &[usize]) {
        self.penalty.clear();
        self.penalty.resize(map.len(), 0.0);
        if self.options.wall_penalty > 0.0 {
            for (cell, penalty) in self.penalty.iter_mut().enumerate() {
                if map.touches_wall(cell) {
                    *penalty = self.options.wall_penalty;
                }
            }
        }
        self.cost.clear();
        self.cost.resize(map.len(), f32::INFINITY);
        self.queue.clear();
        for &goal in goals {
            if map.is_passable(goal) {
                self.cost[goal] = 0.0;
                self.queue.push_back(goal as u32);
            }
        }
        let Self {
            cost,
            penalty,
            queue,
            ..
        } = self;
        let (width, height) = (map.width as isize, map.height as isize);
        while let Some(cell) = queue.pop_front() {
            let cell = cell as usize;
            let from = cost[cell];
            let (x, y) = ((cell % map.width) as isize, (cell / map.width) as isize);
            for (index, (dx, dy)) in STEPS.into_iter().enumerate() {
                let (other_x, other_y) = (x + dx, y + dy);
                if other_x < 0 || other_y < 0 || other_x >= width || other_y >= height {
                    continue;
                }
                let other = (other_y * width + other_x) as usize;
                if map.cost[other] == WALL {
                    continue;
                }
                let diagonal = index >= 4;
                if diagonal && self.options.corners == Corners::Closed {
                    let beside = (y * width + other_x) as usize;
                    let above = (other_y * width + x) as usize;
                    if map.cost[beside] == WALL || map.cost[above] == WALL {
                        continue;
                    }
                }
                let length = if diagonal { DIAGONAL_LENGTH } else { 1.0 };
                let reached = from + length * f32::from(map.cost[other]) + penalty[other];
                if reached < cost[other] {
                    cost[other] = reached;
                    queue.push_back(other as u32);
                }
            }
        }
    }

    /// Computes, from the costs, the unit vector of steepest descent by central differences.
    fn direct(&mut self, map: &CostMap) {
        let (width, height) = (map.width, map.height);
        let cost = &self.cost;
        // Unreached cells and walls have infinite costs, and an infinite difference has no direction.
        let finite = |cell: usize| {
            if cost[cell].is_finite() {
                cost[cell]
            } else {
                WALL_COST
            }
        };
        self.vector.clear();
        self.vector.extend((0..map.len()).map(|cell| {
            let (x, y) = (cell % width, cell / width);
            let left = if x > 0 { finite(cell - 1) } else { WALL_COST };
            let right = if x + 1 < width {
                finite(cell + 1)
            } else {
                WALL_COST
            };
            let above = if y > 0 {
                finite(cell - width)
            } else {
                WALL_COST
            };
            let below = if y + 1 < height {
                finite(cell + width)
            } else {
                WALL_COST
            };
            Vec2::new(left - right, above - below).normalize_or_zero()
        }));
    }

    /// The cost from each cell of the last map to the nearest goal; infinite for walls and cells that reach no goal.
    #[must_use]
    pub fn costs(&self) -> &[f32] {
        &self.cost
    }

    /// A unit vector for each cell of the last map, with y growing with the row; zero where the gradient vanishes.
    /// Walls and cells that reach no goal have vectors too, as in system A.
    #[must_use]
    pub fn vectors(&self) -> &[Vec2] {
        &self.vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{every_kind, largest_component_cell};
    use crate::oracle::{StepRule, exact_costs, relative_error};

    #[test]
    fn agrees_with_the_oracle_under_every_option() {
        for options in [
            FifoOptions::default(),
            FifoOptions::system_a(),
            FifoOptions {
                corners: Corners::Closed,
                wall_penalty: 3.5,
            },
        ] {
            let rule = StepRule {
                diagonal_length: f64::from(DIAGONAL_LENGTH),
                wall_penalty: f64::from(options.wall_penalty),
                corners: options.corners,
            };
            let mut solver = FifoRelaxation::new(options);
            for (width, height) in [(1, 1), (17, 1), (37, 91)] {
                for (name, map) in every_kind(width, height, 3) {
                    let goal = largest_component_cell(&map, (width / 2, height / 2));
                    let goals: Vec<_> = goal.into_iter().collect();
                    solver.solve(&map, &goals);
                    let error = relative_error(solver.costs(), &exact_costs(&map, &goals, &rule));
                    assert!(error < 1e-5, "{name} {width}x{height} {options:?}: {error}");
                }
            }
        }
    }

    #[test]
    fn gradients_point_down_the_cost_and_away_from_walls() {
        let map = CostMap::from_rows(&[".....", ".....", "....."]);
        let mut solver = FifoRelaxation::new(FifoOptions::default());
        solver.solve(&map, &[map.index(4, 1)]);
        let towards = solver.vectors()[map.index(2, 1)];
        assert!(towards.abs_diff_eq(Vec2::X, 1e-6), "{towards}");
        let at_the_edge = solver.vectors()[map.index(2, 0)];
        assert!(at_the_edge.y > 0.9, "{at_the_edge}");
    }

    #[test]
    fn corners_are_cut_only_on_demand() {
        let map = CostMap::from_rows(&[".#", "#."]);
        let mut closed = FifoRelaxation::new(FifoOptions::default());
        closed.solve(&map, &[0]);
        assert_eq!(closed.costs()[3], f32::INFINITY);
        let mut cut = FifoRelaxation::new(FifoOptions::system_a());
        cut.solve(&map, &[0]);
        assert_eq!(cut.costs()[3], 20.0 + DIAGONAL_LENGTH);
    }
}
