//! The wavefront: relaxes cells in the order of their cost.
//!
//! All cells of a bucket are final when it is processed, so their steps can be taken in any order. Steps are listed
//! first, then those that gain nothing are dropped, then the rest is written. These are three short loops in which the
//! processor can run far ahead, instead of one with a misprediction at every step.

use super::canonical_successors::canonical_successors;
use crate::integrate::bucket_queue::BucketQueue;
use crate::integrate::crossings::Crossings;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::Seed;
use crate::integrate::moves::{Move, STEP_COUNTS, STEP_LISTS};
use crate::integrate::scale::StepScale;
use crate::movement::CostField;
use crate::retired::make_room;

/// What the wavefront reads of ground of several costs.
pub(super) struct CostView<'a> {
    /// The cost of each step on ground of cost 1.
    pub(super) lengths: [u32; 8],
    pub(super) cost: &'a [u8],
    pub(super) legal: &'a [u8],
    pub(super) bends: &'a [u8],
}

impl CostView<'_> {
    /// The length of `step` into the cell at index `next`.
    #[inline]
    fn length(&self, step: usize, next: usize) -> u32 {
        self.lengths[step] * u32::from(self.cost[next])
    }

    /// The steps that can be on a shortest path that entered the cell at `next` by `step`.
    #[inline]
    fn canonical_successors(&self, step: usize, next: usize) -> u8 {
        canonical_successors(step, self.legal[next], self.bends[next])
    }
}

/// Scratch memory of the wavefront.
#[derive(Debug, Default)]
pub(super) struct Wave {
    pub(super) queue: BucketQueue,
    pub(super) front: Vec<u32>,
    pub(super) moves: Vec<Move>,
    /// The successors of each reached cell.
    ahead: Vec<u8>,
    /// The marks of cells on ground of one cost.
    pub(super) marks: Vec<Mark>,
    /// Cells that wait to be queued, on ground of one cost.
    pub(super) stopped: Vec<u32>,
    pub(super) crossings: Crossings,
}

/// The data of a cell besides its cost, in one place, as a reached cell is rarely in the cache.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    /// The legal steps out of it.
    pub(super) legal: u8,
    /// The cell's successors.
    pub(super) ahead: u8,
}

/// The number of cells whose moves are listed together. The list stays in the first-level cache.
pub(super) const CHUNK: usize = 256;

impl Wave {
    /// Begins a wave from the seeds over a map of several costs. See also [`Self::begin_evenly`].
    pub(super) fn begin(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
    ) {
        let StepScale { straight, diagonal } = field.scale;
        let shortest = straight * u32::from(costs.cheapest());
        let shortest = costs.links().least_of(shortest, field.scale);
        let longest = diagonal * u32::from(costs.dearest());
        self.start(seeds, field, (shortest, longest));
        self.crossings.start(costs, field.scale);
        // Not read where the wavefront has not been, so it need not be cleared.
        self.ahead.resize(field.cost.len(), 0);
        for seed in seeds {
            self.ahead[seed.index] = costs.steps()[seed.index];
        }
    }

    /// Advances the wavefront over about `most` cells; returns whether the whole map is solved, or `None` if costs came
    /// near the end of the number range.
    pub(super) fn go_on(
        &mut self,
        costs: &CostField,
        view: &CostView,
        field: &mut IntegrationField,
        most: usize,
    ) -> Option<bool> {
        let longest = field.scale.diagonal * u32::from(costs.dearest());
        let limit = u64::from(UNREACHED) - u64::from(longest) - 1;
        let offsets = costs.offsets();
        let mut sift = true;
        let mut seen = 0;
        while seen < most {
            let Some(bucket) = self.queue.pop_bucket(&mut self.front) else {
                return Some(true);
            };
            if self.queue.last_key(bucket) > limit {
                return None;
            }
            field.highest = self.queue.last_key(bucket) as u32;
            let mut begun = 0;
            for cells in self.front.chunks(CHUNK) {
                if seen >= most {
                    break;
                }
                begun += cells.len();
                seen += cells.len();
                let settled = field.cost.as_mut_slice();
                let ahead = |cell: usize| {
                    if self.queue.bucket_of(settled[cell]) == bucket {
                        self.ahead[cell]
                    } else {
                        0
                    }
                };
                let listed = list(cells, ahead, &mut self.moves);
                field.tried += listed;
                let moves = &mut self.moves[..listed];
                let kept = if sift {
                    keep_gains(view, &offsets, settled, moves)
                } else {
                    listed
                };
                let gains = take(
                    view,
                    &offsets,
                    &moves[..kept],
                    settled,
                    &mut self.ahead,
                    &mut self.queue,
                );
                // Where nearly every move gains, as on open ground, a separate test does not pay.
                sift = 8 * gains < 7 * listed;
            }
            if begun < self.front.len() {
                self.queue.put_back(&self.front[begun..]);
                break;
            }
            let ahead = &mut self.ahead;
            let take = |queue: &mut BucketQueue, settled: &mut [u32], cell: usize, cost| {
                if cost < settled[cell] {
                    settled[cell] = cost;
                    ahead[cell] = view.legal[cell];
                    queue.push_any(cost, cell as u32);
                }
            };
            self.crossings
                .cross(bucket, &mut self.queue, &mut field.cost, take);
        }
        Some(false)
    }

    /// Makes room for the successors of `cells`.
    pub(super) fn make_room(&mut self, cells: usize) {
        make_room(&mut self.ahead, cells);
    }

    /// Makes room for the successors of the first `cells`.
    pub(super) fn touch(&mut self, cells: usize) {
        self.ahead.resize(self.ahead.len().max(cells), 0);
    }

    /// Prepares for a wavefront that queues cells between the `shortest` and the `longest` distance ahead.
    pub(super) fn start(
        &mut self,
        seeds: &[Seed],
        field: &mut IntegrationField,
        (shortest, longest): (u32, u32),
    ) {
        self.moves.resize(8 * CHUNK, Move::default());
        self.queue.reset(shortest, longest);
        for seed in seeds {
            field.cost[seed.index] = seed.cost;
        }
        let entry = |seed: &Seed| (seed.cost, seed.index as u32);
        self.queue.push_all(seeds.iter().map(entry));
        field.tried = 0;
    }
}

/// Lists the moves out of `cells` by their successors `ahead`; returns their number. Stale entries, whose cell has
/// since moved to an earlier bucket, have no successors.
#[inline(never)]
pub(super) fn list(cells: &[u32], ahead: impl Fn(usize) -> u8, moves: &mut [Move]) -> usize {
    let mut listed = 0;
    for &cell in cells {
        let set = ahead(cell as usize);
        let steps = &STEP_LISTS[usize::from(set)];
        let count = usize::from(STEP_COUNTS[usize::from(set)]);
        // Copying four or eight costs less than a loop of unpredictable length.
        let out: &mut [Move] = &mut moves[listed..listed + 8];
        for lane in 0..4 {
            out[lane] = Move::new(cell, steps[lane]);
        }
        if count > 4 {
            for lane in 4..8 {
                out[lane] = Move::new(cell, steps[lane]);
            }
        }
        listed += count;
    }
    listed
}

/// Moves those `moves` to the front that improve or equal the known cost at their end, without a branch. Returns their
/// number.
#[inline(never)]
fn keep_gains(view: &CostView, offsets: &[isize; 8], settled: &[u32], moves: &mut [Move]) -> usize {
    let mut kept = 0;
    for at in 0..moves.len() {
        let (candidate, next) = follow(view, offsets, settled, moves[at]);
        moves[kept] = moves[at];
        kept += usize::from(candidate <= settled[next]);
    }
    kept
}

/// Takes `moves`; returns the number of moves that improved or equalled the known cost.
#[inline(never)]
fn take(
    view: &CostView,
    offsets: &[isize; 8],
    moves: &[Move],
    settled: &mut [u32],
    ahead: &mut [u8],
    queue: &mut BucketQueue,
) -> usize {
    let mut gains = moves.len();
    for &made in moves {
        let (candidate, next) = follow(view, offsets, settled, made);
        let known = settled[next];
        if candidate > known {
            gains -= 1;
            continue;
        }
        let successors = view.canonical_successors(made.step(), next);
        if candidate == known {
            ahead[next] |= successors;
            continue;
        }
        settled[next] = candidate;
        ahead[next] = successors;
        // One entry per cell and bucket is enough: its cost is read when the bucket is opened.
        if queue.bucket_of(candidate) != queue.bucket_of(known) {
            queue.push(candidate, next as u32);
        }
    }
    gains
}

/// The cost at the end of a move, and the cell there.
#[inline]
fn follow(view: &CostView, offsets: &[isize; 8], settled: &[u32], made: Move) -> (u32, usize) {
    let next = made.cell().wrapping_add_signed(offsets[made.step()]);
    (settled[made.cell()] + view.length(made.step(), next), next)
}
