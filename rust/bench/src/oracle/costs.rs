//! The exact cost from every cell to its nearest goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Ordered;
use crate::maps::CostMap;
use crate::steps::Corners;

/// The rules for steps and their costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRule {
    /// Length of a diagonal step in cells; the default is sqrt(2).
    pub diagonal_length: f64,
    /// The cost added for each cell that has a wall among its eight neighbours; the default is 0.
    pub wall_penalty: f64,
    /// Whether corners may be cut; the default is no.
    pub corners: Corners,
}

impl Default for StepRule {
    fn default() -> Self {
        Self {
            diagonal_length: std::f64::consts::SQRT_2,
            wall_penalty: 0.0,
            corners: Corners::Closed,
        }
    }
}

/// Returns `true` if a step between two cells is legal, in either direction: both are passable cells of the map, they
/// are neighbours, and no corner is cut unless that is allowed.
#[must_use]
pub fn legal_step(map: &CostMap, from: usize, to: usize, corners: Corners) -> bool {
    if !map.is_passable(from) || !map.is_passable(to) || from == to {
        return false;
    }
    let ((from_x, from_y), (to_x, to_y)) = (map.position(from), map.position(to));
    if from_x.abs_diff(to_x) > 1 || from_y.abs_diff(to_y) > 1 {
        return false;
    }
    let straight = from_x == to_x || from_y == to_y;
    straight
        || corners == Corners::Cut
        || (map.is_passable(map.index(to_x, from_y)) && map.is_passable(map.index(from_x, to_y)))
}

/// The cost from every cell to its nearest goal; infinite for walls and cells that reach no goal. For each step the
/// agent pays its length times the cost of the cell that it leaves, plus the wall penalty if it applies to that cell.
/// Goals that are walls or outside the map are ignored.
#[must_use]
pub fn exact_costs(map: &CostMap, goals: &[usize], rule: &StepRule) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; map.len()];
    let mut waiting = BinaryHeap::new();
    for &goal in goals.iter().filter(|&&goal| map.is_passable(goal)) {
        costs[goal] = 0.0;
        waiting.push(Reverse((Ordered(0.0), goal)));
    }
    while let Some(Reverse((Ordered(cost), cell))) = waiting.pop() {
        if cost > costs[cell] {
            continue;
        }
        for (other, step) in steps_into(map, cell, rule) {
            if cost + step < costs[other] {
                costs[other] = cost + step;
                waiting.push(Reverse((Ordered(cost + step), other)));
            }
        }
    }
    costs
}

/// The largest deviation of `found` from `exact` relative to the exact cost, where costs below 1 count as 1. Infinite
/// if the lengths differ, if a value is NaN, or if one value is finite and the other is not.
#[must_use]
pub fn relative_error(found: &[f32], exact: &[f64]) -> f64 {
    if found.len() != exact.len() {
        return f64::INFINITY;
    }
    let mut largest = 0.0_f64;
    for (&found, &exact) in found.iter().zip(exact) {
        if found == f32::INFINITY && exact == f64::INFINITY {
            continue;
        }
        if !found.is_finite() || !exact.is_finite() {
            return f64::INFINITY;
        }
        largest = largest.max((f64::from(found) - exact).abs() / exact.max(1.0));
    }
    largest
}

/// The neighbours from which an agent may step into `cell`, with the cost of that step.
fn steps_into(map: &CostMap, cell: usize, rule: &StepRule) -> Vec<(usize, f64)> {
    let mut steps = Vec::new();
    for dy in -1..=1 {
        for dx in -1..=1 {
            let Some(other) = map.offset(cell, (dx, dy)) else {
                continue;
            };
            if !legal_step(map, other, cell, rule.corners) {
                continue;
            }
            let length = if dx != 0 && dy != 0 {
                rule.diagonal_length
            } else {
                1.0
            };
            let penalty = if map.touches_wall(other) {
                rule.wall_penalty
            } else {
                0.0
            };
            steps.push((other, length * f64::from(map.cost[other]) + penalty));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use super::*;
    use crate::maps::{every_kind, largest_component_cell};

    /// The Bellman-Ford algorithm: relaxes every step until nothing changes. It needs no order of cells, which excludes
    /// errors in that order.
    fn relaxed_costs(map: &CostMap, goals: &[usize], rule: &StepRule) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; map.len()];
        for &goal in goals {
            costs[goal] = 0.0;
        }
        loop {
            let mut changed = false;
            for cell in 0..map.len() {
                for (other, step) in steps_into(map, cell, rule) {
                    if costs[cell] + step < costs[other] {
                        costs[other] = costs[cell] + step;
                        changed = true;
                    }
                }
            }
            if !changed {
                return costs;
            }
        }
    }

    #[test]
    fn agrees_with_relaxation_in_any_order() {
        let rules = [
            StepRule::default(),
            StepRule {
                diagonal_length: 1.414,
                wall_penalty: 20.0,
                corners: Corners::Cut,
            },
        ];
        for rule in rules {
            for (name, map) in every_kind(23, 31, 4) {
                let goal = largest_component_cell(&map, (3, 30)).expect("a passable cell");
                let exact = exact_costs(&map, &[goal], &rule);
                for (cell, relaxed) in relaxed_costs(&map, &[goal], &rule).into_iter().enumerate() {
                    let same =
                        exact[cell] == relaxed || (exact[cell] - relaxed).abs() < 1e-9 * relaxed;
                    assert!(same, "{name}: cell {cell}: {} or {relaxed}", exact[cell]);
                }
            }
        }
    }

    #[test]
    fn gives_the_costs_worked_out_by_hand() {
        let map = CostMap::from_rows(&["3#.", ".2.", "..."]);
        let exact = exact_costs(&map, &[map.index(2, 0)], &StepRule::default());
        // From (1, 1) straight over (2, 1), because the diagonal step would cut the wall's corner.
        assert_eq!(exact[map.index(1, 1)], 2.0 + 1.0);
        assert_eq!(exact[map.index(2, 2)], 2.0);
        assert_eq!(exact[map.index(1, 2)], SQRT_2 + 1.0);
        // Around the slow cell: two diagonal steps of cost 1 and one straight step. Through it the cost would be 4.
        assert_eq!(exact[map.index(0, 1)], 1.0 + SQRT_2 + SQRT_2);
        assert_eq!(exact[map.index(0, 0)], 1.0 + SQRT_2 + SQRT_2 + 3.0);
        assert_eq!(exact[map.index(1, 0)], f64::INFINITY);
    }

    #[test]
    fn steps_are_legal_only_between_passable_neighbours() {
        let map = CostMap::from_rows(&["..#", ".#.", "..."]);
        let legal = |from, to| legal_step(&map, from, to, Corners::Closed);
        assert!(legal(0, 1) && legal(1, 0) && legal(7, 8));
        assert!(!legal(0, 0) && !legal(1, 2) && !legal(2, 1) && !legal(0, 6));
        // Diagonal steps past the wall in the middle.
        assert!(!legal(3, 7) && !legal(1, 3) && !legal(5, 7));
        assert!(legal_step(&map, 3, 7, Corners::Cut));
        // The end of a row and the start of the next are not neighbours, and neither is anything outside.
        assert!(!legal(5, 6) && !legal(8, 9) && !legal(9, 8));
    }

    #[test]
    fn relative_error_misses_nothing() {
        let infinite = f64::INFINITY;
        assert_eq!(
            relative_error(&[0.0, f32::INFINITY, 2.0], &[0.0, infinite, 2.0]),
            0.0
        );
        assert_eq!(relative_error(&[0.5, 5.0], &[0.0, 4.0]), 0.5);
        assert_eq!(relative_error(&[1.0], &[infinite]), infinite);
        assert_eq!(relative_error(&[f32::INFINITY], &[1.0]), infinite);
        assert_eq!(relative_error(&[f32::NAN], &[1.0]), infinite);
        assert_eq!(relative_error(&[1.0, 1.0], &[1.0]), infinite);
    }
}
