//! System C's solver (Li Tian et al. 2020): directions recorded while the wavefront advances.
//!
//! A step costs the cell that it leaves plus a penalty of 10 for every axis along which it moves, where clear ground
//! costs 20 (eq. 3 of the paper): on clear ground a straight step costs 1.5 cells, a diagonal one 2. The cell from
//! which the wavefront reached a cell is its predecessor, and its direction leads there, so no second pass compares
//! neighbours.
//!
//! System C keeps its open set in a red-black tree, and of two equally good predecessors takes the one that leaves the
//! tree first, which is the one by the longer step. Here all cells of a bucket are final when it is processed, in any
//! order, so that choice is explicit: see [`PREFERENCE`]. It makes the record a function of the costs, which
//! [`predecessor_step`] computes from a cell and its neighbours. So a repaired field has the same directions as a new
//! one.

mod rule;

pub(super) use rule::repair;

use crate::error::{Error, Result};
use crate::integrate::bucket_queue::BucketQueue;
use crate::integrate::crossings::Crossings;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::{GoalCell, Seed, open_seeds};
use crate::integrate::method::Method;
use crate::integrate::predecessors::{NO_STEP, Predecessors};
use crate::integrate::scale::SYSTEM_C;
use crate::integrate::solve::{Solve, Solved};
use crate::movement::CostField;
use glam::IVec2;

/// The place of each of [`crate::grid::STEPS`] in the order of preference among equally good
/// ones, least first: diagonals before straight steps, then by angle.
const PREFERENCE: [u8; 8] = [4, 0, 5, 1, 6, 2, 7, 3];

/// The cost of a step from a cell with this cost, in stored units: twice the cell's cost, plus one for each axis along
/// which it moves.
#[inline]
pub(super) fn step_cost(cost: u8, step: usize) -> u32 {
    2 * u32::from(cost) + 1 + (step as u32 & 1)
}

/// The step that [`PredecessorSolver`] records for the cell at a stored index, from the finished costs of the cell's
/// neighbours alone. `None` for goals, walls and cells that are not reached.
#[must_use]
pub fn predecessor_step(
    costs: &CostField,
    integration: &IntegrationField,
    index: usize,
) -> Option<usize> {
    let stored = integration.stored();
    if stored[index] == UNREACHED || integration.goals().binary_search(&index).is_ok() {
        return None;
    }
    let (legal, cost) = (costs.steps()[index], costs.costs()[index]);
    let offsets = costs.offsets();
    (0..8)
        .filter(|step| legal >> step & 1 == 1)
        .filter_map(|step| {
            let next = stored[index.wrapping_add_signed(offsets[step])];
            let through = next.checked_add(step_cost(cost, step))?;
            Some((through, PREFERENCE[step], step))
        })
        .min()
        .map(|(_, _, step)| step)
}

/// Solves integration fields in system C's metric, with directions. Keeps its scratch memory
/// between solves.
#[derive(Debug, Default)]
pub struct PredecessorSolver {
    queue: BucketQueue,
    front: Vec<u32>,
    crossings: Crossings,
}

impl PredecessorSolver {
    /// A solver without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The costs to the nearest of `targets` and the steps that lead there. Targets in walls or
    /// outside the grid are left out; without any other the field reaches nothing.
    ///
    /// Costs count a straight step over clear ground as 1, a diagonal one as 4/3, and a step from
    /// a cell of cost `c` as `(2 c + 1) / 3` or `(2 c + 2) / 3`. O(cells + buckets).
    ///
    /// # Errors
    /// [`Error::CostOverflow`] when a path costs more than 1.4e9 units.
    pub fn solve(
        &mut self,
        costs: &CostField,
        targets: &[IVec2],
    ) -> Result<(IntegrationField, Predecessors)> {
        self.solve_goals(costs, &GoalCell::free(targets))
    }

    /// [`Self::solve`] for goal cells with initial costs.
    ///
    /// # Errors
    /// As there.
    pub fn solve_goals(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<(IntegrationField, Predecessors)> {
        let count = costs.cell_count();
        let mut field = IntegrationField::unsolved(
            Method::Predecessor,
            costs,
            SYSTEM_C,
            vec![UNREACHED; count],
        );
        let mut record = vec![NO_STEP; count];
        let longest = step_cost(costs.dearest(), 1);
        let limit = u64::from(UNREACHED - longest - 1);
        let shortest = step_cost(costs.cheapest(), 0);
        let shortest = costs.links().least_of(shortest, SYSTEM_C);
        self.queue.reset(shortest, longest);
        self.crossings.start(costs, SYSTEM_C);
        let seeds = open_seeds(costs, goals, SYSTEM_C);
        for seed in &seeds {
            field.cost[seed.index] = seed.cost;
        }
        let entry = |seed: &Seed| (seed.cost, seed.index as u32);
        self.queue.push_all(seeds.iter().map(entry));
        while let Some(bucket) = self.queue.pop_bucket(&mut self.front) {
            if self.queue.last_key(bucket) > limit {
                return Err(Error::CostOverflow {
                    limit: f64::from(UNREACHED / SYSTEM_C.straight),
                });
            }
            field.highest = self.queue.last_key(bucket) as u32;
            // An upper bound, which is exact on open ground; at walls fewer steps are tried.
            field.tried += 8 * self.front.len();
            for &cell in &self.front {
                // An entry is stale when its cell has since moved to an earlier bucket.
                if self.queue.bucket_of(field.cost[cell as usize]) == bucket {
                    advance(
                        costs,
                        cell as usize,
                        &mut field.cost,
                        &mut record,
                        &mut self.queue,
                    );
                }
            }
            // If a link is better than every step, no step is recorded.
            let take = |queue: &mut BucketQueue, stored: &mut [u32], cell: usize, cost| {
                if cost < stored[cell] {
                    stored[cell] = cost;
                    record[cell] = NO_STEP;
                    queue.push_any(cost, cell as u32);
                }
            };
            self.crossings
                .cross(bucket, &mut self.queue, &mut field.cost, take);
        }
        field.settle_goals(&seeds);
        Ok((field, Predecessors(record)))
    }
}

impl Solve for PredecessorSolver {
    fn solve(&mut self, costs: &CostField, goals: &[GoalCell]) -> Result<Solved> {
        let (field, predecessors) = self.solve_goals(costs, goals)?;
        Ok((field, Some(predecessors)))
    }
}

/// Makes the final cell at `from` a candidate predecessor of all cells from which a step leads to it.
#[inline]
fn advance(
    costs: &CostField,
    from: usize,
    stored: &mut [u32],
    record: &mut [u8],
    queue: &mut BucketQueue,
) {
    let offsets = costs.offsets();
    let mut legal = costs.steps()[from];
    while legal != 0 {
        let outward = legal.trailing_zeros() as usize;
        legal &= legal - 1;
        let next = from.wrapping_add_signed(offsets[outward]);
        // Steps are legal in both directions; the agent's step leads back.
        let back = (outward + 4) % 8;
        let candidate = stored[from] + step_cost(costs.costs()[next], back);
        let known = stored[next];
        if candidate < known {
            stored[next] = candidate;
            record[next] = back as u8;
            // One entry per cell and bucket is enough: its cost is read when the bucket is opened.
            if queue.bucket_of(candidate) != queue.bucket_of(known) {
                queue.push(candidate, next as u32);
            }
        } else if candidate == known {
            // A goal stays a goal if going on from it is not cheaper.
            let recorded = PREFERENCE.get(usize::from(record[next]));
            if recorded.is_some_and(|&recorded| PREFERENCE[back] < recorded) {
                record[next] = back as u8;
            }
        }
    }
}
