//! Links in a wavefront: the cost at an edge's end plus the edge's cost is a candidate for its beginning.
//!
//! No edge is shorter than a bucket is wide. So a final cost at the end gives a candidate in a later bucket at the
//! beginning, which is then processed like any other cell.

use super::bucket_queue::BucketQueue;
use super::field::UNREACHED;
use super::scale::StepScale;
use crate::movement::{BLOCKED, CostField};

/// The edges of links that the wavefront has not taken yet.
#[derive(Debug, Default)]
pub(super) struct Crossings {
    waiting: Vec<Crossing>,
}

#[derive(Debug)]
struct Crossing {
    from: u32,
    to: u32,
    units: u32,
    /// The cost at its end for which the queue was asked to stop.
    asked: u32,
}

impl Crossings {
    /// Prepares for a wavefront over a map.
    pub(super) fn start(&mut self, costs: &CostField, scale: StepScale) {
        let is_open = |index: usize| costs.cost_of(index) != BLOCKED;
        let edges = costs.links().edges().iter();
        let open = edges.filter(|edge| is_open(edge.from) && is_open(edge.to));
        self.waiting.clear();
        self.waiting.extend(open.map(|edge| Crossing {
            from: edge.from as u32,
            to: edge.to as u32,
            units: edge.units(scale),
            asked: UNREACHED,
        }));
    }

    /// Makes the queue stop at the buckets of ends that are reached but not final, because not every wavefront queues
    /// all cells that it reaches.
    pub(super) fn ask_for_ends(&mut self, queue: &mut BucketQueue, cost: &[u32]) {
        for crossing in &mut self.waiting {
            let end = cost[crossing.to as usize];
            if end != crossing.asked {
                crossing.asked = end;
                queue.push_any(end, crossing.to);
            }
        }
    }

    /// Takes the edges whose ends are in bucket `done`, of which all cells are final. `take` gets the beginning of an
    /// edge and a candidate for its cost, and queues the cell if that is better.
    pub(super) fn cross(
        &mut self,
        done: u32,
        queue: &mut BucketQueue,
        cost: &mut [u32],
        mut take: impl FnMut(&mut BucketQueue, &mut [u32], usize, u32),
    ) {
        self.waiting.retain(|crossing| {
            let end = cost[crossing.to as usize];
            if end == UNREACHED || queue.bucket_of(end) > done {
                return true;
            }
            // Overflow is detected when the bucket is processed.
            let candidate = end.saturating_add(crossing.units).min(UNREACHED - 1);
            take(queue, cost, crossing.from as usize, candidate);
            false
        });
    }
}
