//! A path for one agent by Dijkstra's algorithm or A*. With many agents the search runs once for each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::SQRT_2;

use super::for_each_step;
use crate::maps::CostMap;
use crate::steps::{NO_STEP, STEPS};

/// The heuristic of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// None: Dijkstra's algorithm, which ends when the goal is settled.
    None,
    /// The octile distance over clear ground: A*.
    Octile,
}

impl Heuristic {
    /// A lower bound of the remaining cost from `cell` to `goal`.
    fn rest(self, map: &CostMap, cell: usize, goal: usize) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Octile => {
                let ((x, y), (goal_x, goal_y)) = (map.position(cell), map.position(goal));
                let (dx, dy) = (x.abs_diff(goal_x), y.abs_diff(goal_y));
                dx.abs_diff(dy) as f64 + dx.min(dy) as f64 * SQRT_2
            }
        }
    }
}

/// A search with flat arrays and the standard library's heap.
///
/// A step costs its length, 1 or sqrt(2), times the cost of the cell that it leaves. It cuts no corner.
#[derive(Debug)]
pub struct PathSearch {
    heuristic: Heuristic,
    cost: Vec<f64>,
    /// The step by which each cell was reached.
    came_by: Vec<u8>,
    heap: BinaryHeap<Reverse<Entry>>,
    expanded: usize,
}

/// The bits of a cost, and a cell. Costs are finite and not negative, so their bits sort as they do.
type Entry = (u64, u32);

impl PathSearch {
    /// Creates a search.
    #[must_use]
    pub fn new(heuristic: Heuristic) -> Self {
        Self {
            heuristic,
            cost: Vec::new(),
            came_by: Vec::new(),
            heap: BinaryHeap::new(),
            expanded: 0,
        }
    }

    /// Returns the cells of a cheapest path, including both ends; `None` if there is none.
    pub fn path(&mut self, map: &CostMap, start: usize, goal: usize) -> Option<Vec<usize>> {
        self.expanded = 0;
        if !map.is_passable(start) || !map.is_passable(goal) {
            return None;
        }
        self.cost.clear();
        self.cost.resize(map.len(), f64::INFINITY);
        self.came_by.clear();
        self.came_by.resize(map.len(), NO_STEP);
        self.heap.clear();
        self.cost[start] = 0.0;
        self.heap.push(Reverse((0, start as u32)));
        while let Some(Reverse((rank, cell))) = self.heap.pop() {
            let cell = cell as usize;
            if f64::from_bits(rank) > self.cost[cell] + self.heuristic.rest(map, cell, goal) {
                continue;
            }
            if cell == goal {
                return Some(self.trace(map, start, goal));
            }
            self.expanded += 1;
            let Self {
                heuristic,
                cost,
                came_by,
                heap,
                ..
            } = &mut *self;
            let (so_far, leaving) = (cost[cell], f64::from(map.cost[cell]));
            for_each_step(map, cell, |next, step| {
                let length = if step < 4 { 1.0 } else { SQRT_2 };
                let reached = so_far + length * leaving;
                if reached < cost[next] {
                    cost[next] = reached;
                    came_by[next] = step;
                    let rank = reached + heuristic.rest(map, next, goal);
                    heap.push(Reverse((rank.to_bits(), next as u32)));
                }
            });
        }
        None
    }

    /// The number of cells that the last search expanded.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    fn trace(&self, map: &CostMap, start: usize, goal: usize) -> Vec<usize> {
        let mut path = vec![goal];
        let mut cell = goal;
        while cell != start {
            let (dx, dy) = STEPS[usize::from(self.came_by[cell])];
            let Some(before) = map.offset(cell, (-dx, -dy)) else {
                break;
            };
            path.push(before);
            cell = before;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{blocks, every_kind, largest_component_cell};
    use crate::oracle::{StepRule, exact_costs, no_corner_cut, path_cost};

    #[test]
    fn paths_are_legal_and_cost_what_the_oracle_says() {
        let mut maps = every_kind(31, 23, 5);
        maps.push(("blocks", blocks(50, 40, 10, 1)));
        for (name, map) in maps {
            let goal = largest_component_cell(&map, (9, 9)).expect("a passable cell");
            let exact = exact_costs(&map, &[goal], &StepRule::default());
            let mut expanded = [0, 0];
            for (heuristic, expanded) in [Heuristic::None, Heuristic::Octile]
                .into_iter()
                .zip(&mut expanded)
            {
                let mut search = PathSearch::new(heuristic);
                for (start, &exact) in exact.iter().enumerate() {
                    let Some(path) = search.path(&map, start, goal) else {
                        assert!(exact.is_infinite(), "{name}: from {start}");
                        continue;
                    };
                    assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
                    assert_eq!(no_corner_cut(&map, &path), Ok(()), "{name}: from {start}");
                    let cost = path_cost(&map, &path);
                    assert!(
                        (cost - exact).abs() < 1e-9 * cost.max(1.0),
                        "{name}: from {start}"
                    );
                    *expanded += search.expanded();
                }
            }
            assert!(
                expanded[1] <= expanded[0],
                "{name}: A* looks at no more cells"
            );
        }
    }
}
