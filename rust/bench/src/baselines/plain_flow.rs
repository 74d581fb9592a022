//! The flow field that system C describes as its starting point: an unordered open set, costs by the Eikonal equation,
//! and directions in a second pass.
//!
//! A scan of the whole open set finds the cell of least cost. Costs of its neighbours follow from Godunov's upwind
//! differences over the four straight neighbours. System C also counts line of sight among the costs of the plain
//! method. It is left out here, which only makes this baseline faster.

use super::for_each_step;
use crate::maps::{CostMap, WALL};
use crate::steps::{NO_STEP, STEPS};

/// The solver; keeps its memory between solves.
#[derive(Debug, Default)]
pub struct PlainFlow {
    cost: Vec<f32>,
    closed: Vec<bool>,
    open: Vec<u32>,
    direction: Vec<u8>,
}

impl PlainFlow {
    /// Creates a solver.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes costs and directions to one goal, which must be passable.
    pub fn solve(&mut self, map: &CostMap, goal: usize) {
        self.integrate(map, goal);
        self.direct(map);
    }

    fn integrate(&mut self, map: &CostMap, goal: usize) {
        self.cost.clear();
        self.cost.resize(map.len(), f32::INFINITY);
        self.closed.clear();
        self.closed.resize(map.len(), false);
        self.open.clear();
        self.cost[goal] = 0.0;
        self.open.push(goal as u32);
        while let Some(place) = self.place_of_least() {
            let cell = self.open.swap_remove(place) as usize;
            self.closed[cell] = true;
            for &step in &STEPS[..4] {
                let Some(next) = map.offset(cell, step) else {
                    continue;
                };
                if map.cost[next] == WALL || self.closed[next] {
                    continue;
                }
                let cost = self.upwind(map, next);
                if cost < self.cost[next] {
                    if self.cost[next].is_infinite() {
                        self.open.push(next as u32);
                    }
                    self.cost[next] = cost;
                }
            }
        }
    }

    fn place_of_least(&self) -> Option<usize> {
        (0..self.open.len()).min_by(|&one, &other| {
            let cost = |place: usize| self.cost[self.open[place] as usize];
            cost(one).total_cmp(&cost(other))
        })
    }

    /// The least solution of the equation in a cell, from its closed straight neighbours.
    fn upwind(&self, map: &CostMap, cell: usize) -> f32 {
        let least = |steps: [(isize, isize); 2]| {
            let costs = steps.map(|step| match map.offset(cell, step) {
                Some(other) if self.closed[other] => self.cost[other],
                _ => f32::INFINITY,
            });
            costs[0].min(costs[1])
        };
        let (across, along) = (least([(-1, 0), (1, 0)]), least([(0, -1), (0, 1)]));
        let slowness = f32::from(map.cost[cell]);
        let apart = (across - along).abs();
        if apart < slowness {
            (across + along + (2.0 * slowness * slowness - apart * apart).sqrt()) / 2.0
        } else {
            across.min(along) + slowness
        }
    }

    fn direct(&mut self, map: &CostMap) {
        self.direction.clear();
        self.direction.resize(map.len(), NO_STEP);
        for cell in 0..map.len() {
            let mut lowest = self.cost[cell];
            if lowest.is_infinite() {
                continue;
            }
            for_each_step(map, cell, |next, step| {
                if self.cost[next] < lowest {
                    lowest = self.cost[next];
                    self.direction[cell] = step;
                }
            });
        }
    }

    /// The cost of each cell of the last map; infinite for walls and cells that do not reach the goal.
    #[must_use]
    pub fn costs(&self) -> &[f32] {
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
    use crate::maps::{every_kind, largest_component_cell, open};
    use crate::oracle::{follow, no_corner_cut, reachable};
    use crate::steps::Corners;

    #[test]
    fn directions_lead_to_the_goal_from_every_cell_that_reaches_it() {
        let mut solver = PlainFlow::new();
        for (name, map) in every_kind(37, 31, 8) {
            let goal = largest_component_cell(&map, (18, 15)).expect("a passable cell");
            solver.solve(&map, goal);
            let connected = reachable(&map, &[goal], Corners::Closed);
            for (cell, &connected) in connected.iter().enumerate() {
                assert_eq!(
                    solver.costs()[cell].is_finite(),
                    connected,
                    "{name}: {cell}"
                );
                if connected {
                    let path = follow(&map, cell, |at| solver.next(&map, at))
                        .unwrap_or_else(|fault| panic!("{name}: from {cell}: {fault}"));
                    assert_eq!(path.last(), Some(&goal), "{name}: from {cell}");
                    assert_eq!(no_corner_cut(&map, &path), Ok(()), "{name}");
                }
            }
        }
    }

    #[test]
    fn costs_are_near_to_distances() {
        let map = open(41, 41);
        let mut solver = PlainFlow::new();
        solver.solve(&map, map.index(20, 20));
        for cell in 0..map.len() {
            let (x, y) = map.position(cell);
            let distance = ((x as f32 - 20.0).powi(2) + (y as f32 - 20.0).powi(2)).sqrt();
            let off = (solver.costs()[cell] - distance).abs();
            assert!(off <= 0.1 * distance.max(12.0), "{x}, {y}: off by {off}");
        }
    }
}
