//! System C's improved flow field as published: an ordered tree as the open set, a penalty for each axis along which a
//! step moves, and directions to the predecessor, in one pass.

use std::collections::BTreeSet;

use super::for_each_step;
use crate::maps::CostMap;
use crate::steps::{NO_STEP, STEPS};

/// The cost of clear ground.
pub const BASE_COST: u32 = 20;
/// The penalty for each axis along which a step moves.
pub const PENALTY: u32 = 10;
/// The cost of a cell that does not reach the goal.
pub const UNREACHED: u32 = u32::MAX;

/// The step opposite to each of [`STEPS`].
const BACK: [u8; 8] = [1, 0, 3, 2, 7, 6, 5, 4];

/// The solver. It keeps its memory between solves, as far as the tree allows.
#[derive(Debug, Default)]
pub struct PredecessorTree {
    cost: Vec<u32>,
    direction: Vec<u8>,
    open: BTreeSet<(u32, u32)>,
}

impl PredecessorTree {
    /// Creates a solver.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes costs and directions to one goal, which must be passable.
    pub fn solve(&mut self, map: &CostMap, goal: usize) {
        self.cost.clear();
        self.cost.resize(map.len(), UNREACHED);
        self.direction.clear();
        self.direction.resize(map.len(), NO_STEP);
        self.open.clear();
        self.cost[goal] = 0;
        self.open.insert((0, goal as u32));
        while let Some((cost, cell)) = self.open.pop_first() {
            let cell = cell as usize;
            let Self {
                cost: costs,
                direction,
                open,
            } = &mut *self;
            for_each_step(map, cell, |next, outward| {
                let axes = if outward < 4 { 1 } else { 2 };
                let reached = cost + BASE_COST * u32::from(map.cost[next]) + PENALTY * axes;
                let known = costs[next];
                if reached < known {
                    if known != UNREACHED {
                        open.remove(&(known, next as u32));
                    }
                    open.insert((reached, next as u32));
                    costs[next] = reached;
                    direction[next] = BACK[usize::from(outward)];
                }
            });
        }
    }

    /// The cost of each cell of the last map, or [`UNREACHED`].
    #[must_use]
    pub fn costs(&self) -> &[u32] {
        &self.cost
    }

    /// The cell to which the direction of a cell leads; `None` for the goal and for cells that do not reach it.
    #[must_use]
    pub fn next(&self, map: &CostMap, cell: usize) -> Option<usize> {
        let step = STEPS.get(usize::from(self.direction[cell]))?;
        map.offset(cell, *step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{every_kind, largest_component_cell};
    use crate::oracle::{follow, no_corner_cut, reachable};
    use crate::steps::Corners;

    /// The cost of a path in the method's own metric.
    fn cost_of(map: &CostMap, path: &[usize]) -> u32 {
        path.windows(2)
            .map(|pair| {
                let ((x, y), (next_x, next_y)) = (map.position(pair[0]), map.position(pair[1]));
                let axes = x.abs_diff(next_x) + y.abs_diff(next_y);
                BASE_COST * u32::from(map.cost[pair[0]]) + PENALTY * axes as u32
            })
            .sum()
    }

    #[test]
    fn directions_are_legal_and_cost_what_the_field_says() {
        let mut solver = PredecessorTree::new();
        for (name, map) in every_kind(37, 31, 8) {
            let goal = largest_component_cell(&map, (18, 15)).expect("a passable cell");
            solver.solve(&map, goal);
            let connected = reachable(&map, &[goal], Corners::Closed);
            for (cell, &connected) in connected.iter().enumerate() {
                let cost = solver.costs()[cell];
                assert_eq!(cost != UNREACHED, connected, "{name}: {cell}");
                if connected {
                    let path = follow(&map, cell, |at| solver.next(&map, at))
                        .unwrap_or_else(|fault| panic!("{name}: from {cell}: {fault}"));
                    assert_eq!(path.last(), Some(&goal), "{name}: from {cell}");
                    assert_eq!(no_corner_cut(&map, &path), Ok(()), "{name}");
                    assert_eq!(cost_of(&map, &path), cost, "{name}: from {cell}");
                }
            }
        }
    }
}
