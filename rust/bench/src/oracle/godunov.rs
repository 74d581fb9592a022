//! The Eikonal equation |∇u| = cost by fast marching, as in textbooks.
//!
//! Godunov's upwind scheme on the four straight neighbours; a heap settles cells in the order of their costs
//! (Tsitsiklis 1995, Sethian 1996). The scheme is of first order. It overestimates except along the axes, most along
//! diagonals and near the goal, and less on finer grids.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Ordered;
use crate::maps::CostMap;

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The cost from the centre of every cell to its nearest goal along any line, to first order; infinite for walls and
/// cells that reach no goal. Goals that are walls or outside the map are ignored.
#[must_use]
pub fn godunov_costs(map: &CostMap, goals: &[usize]) -> Vec<f64> {
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
        for step in STRAIGHT {
            if let Some(other) = map.offset(cell, step)
                && map.is_passable(other)
            {
                let found = upwind(map, &costs, other);
                if found < costs[other] {
                    costs[other] = found;
                    waiting.push(Reverse((Ordered(found), other)));
                }
            }
        }
    }
    costs
}

/// The solution of Godunov's equation in one cell.
fn upwind(map: &CostMap, costs: &[f64], cell: usize) -> f64 {
    let known = |step| {
        map.offset(cell, step)
            .map_or(f64::INFINITY, |other| costs[other])
    };
    let across = known(STRAIGHT[0]).min(known(STRAIGHT[2]));
    let along = known(STRAIGHT[1]).min(known(STRAIGHT[3]));
    let cost = f64::from(map.cost[cell]);
    let apart = (across - along).abs();
    if apart < cost {
        (across + along + (2.0 * cost * cost - apart * apart).sqrt()) / 2.0
    } else {
        across.min(along) + cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{every_kind, largest_component_cell};

    #[test]
    fn every_cell_solves_the_equation() {
        for (name, map) in every_kind(29, 23, 3) {
            let goal = largest_component_cell(&map, (14, 11)).expect("a passable cell");
            let costs = godunov_costs(&map, &[goal]);
            for cell in (0..map.len()).filter(|&cell| cell != goal && map.is_passable(cell)) {
                let (found, expected) = (costs[cell], upwind(&map, &costs, cell));
                let same = found == expected || (found - expected).abs() < 1e-9 * expected;
                assert!(same, "{name}: {cell}: {found} or {expected}");
            }
        }
    }

    #[test]
    fn gives_the_costs_worked_out_by_hand() {
        let map = CostMap::from_rows(&["1.#", ".3.", "#.."]);
        let costs = godunov_costs(&map, &[0]);
        let diagonal = (2.0 + 18.0_f64.sqrt()) / 2.0;
        assert_eq!((costs[0], costs[1], costs[3]), (0.0, 1.0, 1.0));
        assert!((costs[4] - diagonal).abs() < 1e-12);
        assert!((costs[5] - diagonal - 1.0).abs() < 1e-12);
        assert_eq!(costs[2], f64::INFINITY);
    }
}
