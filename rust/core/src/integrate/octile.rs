//! The exact shortest-path solver over the eight-neighbour grid.
//!
//! Dijkstra's wavefront from all goal cells at once. A step of length 1 or √2
//! costs its length times the cost of the cell it leaves, seen from an agent
//! that walks to the goal.

use super::bucket_queue::BucketQueue;
use super::onward::{find_bends, onward, onward_on_even_ground};
use super::{IntegrationField, SCALES, StepScale, UNREACHED, open_goals};
use crate::error::{Error, Result};
use crate::movement::CostField;
use glam::IVec2;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct OctileSolver {
    queue: BucketQueue,
    front: Vec<u32>,
    /// The steps that the wave goes on with from each cell that it has reached.
    ahead: Vec<u8>,
    /// Where paths may bend because of differing costs; on maps of several costs only.
    bends: Vec<u8>,
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
        // Never read where the wave has not been, so that it need not be cleared.
        self.ahead.resize(costs.costs().len(), 0);
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(costs.costs().len(), UNREACHED);
            let finished = if costs.cheapest() == costs.dearest() {
                let ground = EvenGround {
                    lengths: lengths(scale).map(|length| length * u32::from(costs.cheapest())),
                    legal: costs.steps(),
                };
                self.spread(costs, &ground, &mut field)
            } else {
                let mut bends = std::mem::take(&mut self.bends);
                find_bends(costs, &mut bends);
                let ground = UnevenGround {
                    lengths: lengths(scale),
                    cost: costs.costs(),
                    legal: costs.steps(),
                    bends: &bends,
                };
                let finished = self.spread(costs, &ground, &mut field);
                self.bends = bends;
                finished
            };
            if finished {
                return Ok(field);
            }
        }
        let coarsest = SCALES[SCALES.len() - 1].straight;
        Err(Error::CostOverflow {
            limit: f64::from(u32::MAX / coarsest),
        })
    }

    /// Runs the wavefront; false if costs came near the end of the number range.
    fn spread<G: Ground>(
        &mut self,
        costs: &CostField,
        ground: &G,
        field: &mut IntegrationField,
    ) -> bool {
        let StepScale { straight, diagonal } = field.scale;
        let shortest = straight * u32::from(costs.cheapest());
        let longest = diagonal * u32::from(costs.dearest());
        let limit = u64::from(UNREACHED) - u64::from(longest) - 1;
        self.queue.reset(shortest, longest);
        for &goal in &field.goals {
            field.cost[goal] = 0;
            self.ahead[goal] = costs.steps()[goal];
            self.queue.push(0, goal as u32);
        }
        let offsets = costs.offsets();
        let settled = field.cost.as_mut_slice();
        let ahead = &mut self.ahead[..settled.len()];
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
                let mut steps = ahead[index];
                while steps != 0 {
                    let step = steps.trailing_zeros() as usize;
                    steps &= steps - 1;
                    let next = index.wrapping_add_signed(offsets[step]);
                    let candidate = cost + ground.length(step, next);
                    let known = settled[next];
                    if candidate > known {
                        continue;
                    }
                    let onward = ground.onward(step, next);
                    if candidate == known {
                        ahead[next] |= onward;
                        continue;
                    }
                    settled[next] = candidate;
                    ahead[next] = onward;
                    // One entry per cell and bucket is enough: its cost is read when the
                    // bucket is opened.
                    if self.queue.bucket_of(candidate) != self.queue.bucket_of(known) {
                        self.queue.push(candidate, next as u32);
                    }
                }
            }
        }
        self.front = front;
        true
    }
}

/// What the wave asks of the map.
trait Ground {
    /// The length of `step` into the cell at index `next`.
    fn length(&self, step: usize, next: usize) -> u32;

    /// The steps that can be on a shortest path that entered the cell at `next` by `step`.
    fn onward(&self, step: usize, next: usize) -> u8;
}

/// A map whose open cells all have one cost.
struct EvenGround<'a> {
    lengths: [u32; 8],
    legal: &'a [u8],
}

impl Ground for EvenGround<'_> {
    #[inline]
    fn length(&self, step: usize, _next: usize) -> u32 {
        self.lengths[step]
    }

    #[inline]
    fn onward(&self, step: usize, next: usize) -> u8 {
        onward_on_even_ground(step, self.legal[next])
    }
}

/// A map of several costs.
struct UnevenGround<'a> {
    lengths: [u32; 8],
    cost: &'a [u8],
    legal: &'a [u8],
    bends: &'a [u8],
}

impl Ground for UnevenGround<'_> {
    #[inline]
    fn length(&self, step: usize, next: usize) -> u32 {
        self.lengths[step] * u32::from(self.cost[next])
    }

    #[inline]
    fn onward(&self, step: usize, next: usize) -> u8 {
onward(step, self.legal[next], self.bends[next])
    }
}

fn lengths(scale: StepScale) -> [u32; 8] {
    std::array::from_fn(|step| [scale.straight, scale.diagonal][step & 1])
}
