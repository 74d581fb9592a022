//! The exact shortest-path solver over the eight-neighbour grid.
//!
//! Dijkstra's wavefront from all goal cells at once. A step of length 1 or √2
//! costs its length times the cost of the cell it leaves, seen from an agent
//! that walks to the goal.

use super::bucket_queue::BucketQueue;
use super::{IntegrationField, SCALES, StepScale, UNREACHED, open_goals};
use crate::error::{Error, Result};
use crate::movement::CostField;
use glam::IVec2;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct OctileSolver {
    queue: BucketQueue,
    front: Vec<u32>,
}

impl OctileSolver {
    /// A solver without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The field of exact costs to the nearest of `targets`. Targets in walls or outside the
    /// grid are left out; without any other the field reaches nothing.
    ///
    /// O(cells + buckets): every cell is settled once.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] when a path costs more than 3.5e8 units.
    pub fn solve(&mut self, costs: &CostField, targets: &[IVec2]) -> Result<IntegrationField> {
        let goals = open_goals(costs, targets);
        let mut field = IntegrationField {
            width: costs.width(),
            stride: costs.stride(),
            scale: SCALES[0],
            cost: Vec::new(),
            goals,
        };
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(costs.costs().len(), UNREACHED);
            if self.spread(costs, &mut field) {
                return Ok(field);
            }
        }
        let coarsest = SCALES[SCALES.len() - 1].straight;
        Err(Error::CostOverflow {
            limit: f64::from(u32::MAX / coarsest),
        })
    }

    /// Runs the wavefront; false if costs came near the end of the number range.
    fn spread(&mut self, costs: &CostField, field: &mut IntegrationField) -> bool {
        let StepScale { straight, diagonal } = field.scale;
        let shortest = straight * u32::from(costs.cheapest());
        let longest = diagonal * u32::from(costs.dearest());
        let limit = u64::from(UNREACHED) - u64::from(longest) - 1;
        self.queue.reset(shortest, longest);
        for &goal in &field.goals {
            field.cost[goal] = 0;
            self.queue.push(0, goal as u32);
        }
        let offsets = costs.offsets();
        let lengths: [u32; 8] = std::array::from_fn(|step| [straight, diagonal][step & 1]);
        let (entry_cost, legal) = (costs.costs(), costs.steps());
        let settled = field.cost.as_mut_slice();
        let mut front = std::mem::take(&mut self.front);
        while let Some(bucket) = self.queue.pop_bucket(&mut front) {
            if self.queue.last_key(bucket) > limit {
                return false;
            }
            for &index in &front {
                let index = index as usize;
                let cost = settled[index];
                // An entry is stale when its cell has since moved to an earlier bucket.
                if self.queue.bucket_of(cost) != bucket {
                    continue;
                }
                let mut steps = legal[index];
                while steps != 0 {
                    let step = steps.trailing_zeros() as usize;
                    steps &= steps - 1;
                    let next = index.wrapping_add_signed(offsets[step]);
                    let candidate = cost + lengths[step] * u32::from(entry_cost[next]);
                    let known = settled[next];
                    if candidate < known {
                        settled[next] = candidate;
                        // One entry per cell and bucket is enough: its cost is read when the
                        // bucket is opened.
                        if self.queue.bucket_of(candidate) != self.queue.bucket_of(known) {
                            self.queue.push(candidate, next as u32);
                        }
                    }
                }
            }
        }
        self.front = front;
        true
    }
}
