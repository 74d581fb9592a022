//! Links under a wave: what the end of a way costs, its beginning costs too, and the way.
//!
//! No way is shorter than a bucket is wide, so that what is final at its end falls into a later bucket at
//! its beginning, which then has its turn like any other cell.

use super::bucket_queue::BucketQueue;
use super::field::UNREACHED;
use super::scale::StepScale;
use crate::movement::{BLOCKED, CostField};

/// The ways along links that a wave has not taken yet.
#[derive(Debug, Default)]
pub(super) struct Crossings {
    waiting: Vec<Crossing>,
}

#[derive(Debug)]
struct Crossing {
    from: u32,
    to: u32,
    units: u32,
    /// The cost at its end for which a bucket's turn has been asked for.
    asked: u32,
}

impl Crossings {
    /// Gets ready for a wave over a map.
    pub(super) fn start(&mut self, costs: &CostField, scale: StepScale) {
        let is_open = |index: usize| costs.costs()[index] != BLOCKED;
        let edges = costs.links().ways().iter();
        let open = edges.filter(|edge| is_open(edge.from) && is_open(edge.to));
        self.waiting.clear();
        self.waiting.extend(open.map(|edge| Crossing {
            from: edge.from as u32,
            to: edge.to as u32,
            units: edge.units(scale),
            asked: UNREACHED,
        }));
    }

    /// Has the queue stop at the buckets of ends that are reached but not final: not all waves queue
    /// every cell that they reach.
    pub(super) fn ask_for_ends(&mut self, queue: &mut BucketQueue, cost: &[u32]) {
        for crossing in &mut self.waiting {
            let end = cost[crossing.to as usize];
            if end != crossing.asked {
                crossing.asked = end;
                queue.push_any(end, crossing.to);
            }
        }
    }

    /// Takes the ways whose ends are in bucket `done`, all of whose cells are final. `take` is told of a
    /// cell and what it may cost now, and queues it if that is better.
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
            // Beyond the end of the number range the bucket's turn tells.
            let offer = end.saturating_add(crossing.units).min(UNREACHED - 1);
            take(queue, cost, crossing.from as usize, offer);
            false
        });
    }
}
