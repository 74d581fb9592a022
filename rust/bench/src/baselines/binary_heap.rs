//! Dijkstra's algorithm on a binary heap, with directions to the best neighbour: the implementation that most
//! developers write first.

mod entry;

use std::collections::BinaryHeap;
use std::f32::consts::SQRT_2;

use super::for_each_step;
use crate::maps::CostMap;
use crate::steps::{NO_STEP, STEPS};

pub use entry::{HeapEntry, PackedEntry, TextbookEntry};

/// A solver with flat arrays and the standard library's heap. Outdated heap entries are dropped when they are popped.
///
/// The wave spreads from the goals. A step from a cell to a neighbour of cost `c` costs `c` if it is straight and `c *
/// sqrt(2)` if it is diagonal, because an agent pays for the cell that it leaves. Diagonal steps cut no corners.
#[derive(Debug)]
pub struct BinaryHeapDijkstra<Entry = TextbookEntry> {
    cost: Vec<f32>,
    direction: Vec<u8>,
    heap: BinaryHeap<Entry>,
}

impl BinaryHeapDijkstra<TextbookEntry> {
    /// Creates a solver with the textbook's heap entries.
    #[must_use]
    pub fn new() -> Self {
        Self::with_entries()
    }
}

impl Default for BinaryHeapDijkstra<TextbookEntry> {
    fn default() -> Self {
        Self::new()
    }
}

impl BinaryHeapDijkstra<PackedEntry> {
    /// Creates a solver with packed heap entries, the one optimisation that speeds up the same heap most.
    #[must_use]
    pub fn packed() -> Self {
        Self::with_entries()
    }
}

impl<Entry: HeapEntry> BinaryHeapDijkstra<Entry> {
    fn with_entries() -> Self {
        Self {
            cost: Vec::new(),
            direction: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Computes the cost to the nearest goal and the best neighbour of every cell. Goals that are walls or outside the
    /// map are ignored.
    pub fn solve(&mut self, map: &CostMap, goals: &[usize]) {
        self.integrate(map, goals);
        self.direct(map);
    }

    /// Computes the costs without directions.
    pub fn integrate(&mut self, map: &CostMap, goals: &[usize]) {
        self.cost.clear();
        self.cost.resize(map.len(), f32::INFINITY);
        self.heap.clear();
        for &goal in goals {
            if map.is_passable(goal) {
                self.cost[goal] = 0.0;
                self.heap.push(Entry::new(0.0, goal as u32));
            }
        }
        let Self { cost, heap, .. } = self;
        while let Some(entry) = heap.pop() {
            let (from, cell) = (entry.cost(), entry.cell() as usize);
            if from > cost[cell] {
                continue;
            }
            let mut relax = |other: usize, length: f32| {
                let reached = from + length * f32::from(map.cost[other]);
                if reached < cost[other] {
                    cost[other] = reached;
                    heap.push(Entry::new(reached, other as u32));
                }
            };
            for_each_step(map, cell, |other, step| {
                relax(other, if step < 4 { 1.0 } else { SQRT_2 })
            });
        }
    }

    /// Selects, from the costs, the neighbour of lowest cost for every cell; of equal ones the first in [`STEPS`].
    fn direct(&mut self, map: &CostMap) {
        self.direction.clear();
        self.direction.resize(map.len(), NO_STEP);
        for cell in 0..map.len() {
            if !self.cost[cell].is_finite() {
                continue;
            }
            let mut lowest = self.cost[cell];
            for_each_step(map, cell, |other, step| {
                if self.cost[other] < lowest {
                    lowest = self.cost[other];
                    self.direction[cell] = step;
                }
            });
        }
    }

    /// The cost from each cell of the last map to the nearest goal; infinite for walls and cells that reach no goal.
    #[must_use]
    pub fn costs(&self) -> &[f32] {
        &self.cost
    }

    /// For each cell of the last map, an index into [`STEPS`] or [`NO_STEP`].
    #[must_use]
    pub fn directions(&self) -> &[u8] {
        &self.direction
    }

    /// The cell to which the direction of a cell leads; `None` for a goal and for cells that reach no goal.
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
    use crate::oracle::{StepRule, exact_costs, follow, no_corner_cut, relative_error};

    #[test]
    fn agrees_with_the_oracle_on_every_kind_of_map() {
        agrees_with_the_oracle(BinaryHeapDijkstra::new());
        agrees_with_the_oracle(BinaryHeapDijkstra::packed());
    }

    fn agrees_with_the_oracle<Entry: HeapEntry>(mut solver: BinaryHeapDijkstra<Entry>) {
        for (width, height) in [(1, 1), (1, 17), (37, 91), (64, 48)] {
            for seed in 0..4 {
                for (name, map) in every_kind(width, height, seed) {
                    let goals: Vec<_> = largest_component_cell(&map, (width / 2, height / 3))
                        .into_iter()
                        .chain((seed % 2 == 1).then_some(0))
                        .collect();
                    solver.solve(&map, &goals);
                    let exact = exact_costs(&map, &goals, &StepRule::default());
                    let error = relative_error(solver.costs(), &exact);
                    assert!(error < 1e-5, "{name} {width}x{height} seed {seed}: {error}");
                }
            }
        }
    }

    #[test]
    fn directions_lead_to_the_goal_from_every_reached_cell() {
        let mut solver = BinaryHeapDijkstra::new();
        for (name, map) in every_kind(37, 31, 8) {
            let goal = largest_component_cell(&map, (18, 15)).expect("a passable cell");
            solver.solve(&map, &[goal]);
            for cell in 0..map.len() {
                if !solver.costs()[cell].is_finite() {
                    assert_eq!(solver.directions()[cell], NO_STEP, "{name}: cell {cell}");
                    continue;
                }
                let path = follow(&map, cell, |at| solver.next(&map, at))
                    .unwrap_or_else(|fault| panic!("{name}: from cell {cell}: {fault}"));
                assert_eq!(path.last(), Some(&goal), "{name}: from cell {cell}");
                assert_eq!(no_corner_cut(&map, &path), Ok(()), "{name}");
            }
        }
    }

    #[test]
    fn an_agent_pays_for_the_cell_that_it_leaves() {
        let map = CostMap::from_rows(&["95.", "#.."]);
        let mut solver = BinaryHeapDijkstra::new();
        solver.solve(&map, &[2]);
        assert_eq!(solver.costs()[..3], [14.0, 5.0, 0.0]);
        assert_eq!(solver.directions()[..3], [0, 0, NO_STEP]);
        assert_eq!(solver.costs()[3], f32::INFINITY);
        assert_eq!(solver.costs()[4], SQRT_2);
    }

    #[test]
    fn goals_in_walls_or_outside_count_for_nothing() {
        let map = CostMap::from_rows(&[".#."]);
        let mut solver = BinaryHeapDijkstra::new();
        solver.solve(&map, &[1, 3]);
        assert_eq!(solver.costs(), [f32::INFINITY; 3]);
        solver.solve(&map, &[]);
        assert_eq!(solver.directions(), [NO_STEP; 3]);
    }
}
