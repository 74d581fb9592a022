//! The wavefront on ground of one cost.
//!
//! Most cells there have one successor, in the direction of the step that led to them. Such a run of cells is followed
//! at once, some distance ahead of the wavefront: its cells are neither queued nor listed, and neighbouring runs share
//! rows in the cache. If another path is shorter it overwrites the values of a run, as in any label-correcting search
//! (delta-stepping: Meyer and Sanders, 2003). Costs are exact, so the result does not depend on the order.
//!
//! When a bucket is processed its cells are final nevertheless. On a shortest path to one of them each cell costs at
//! least a bucket's width less than the next one. So each cell was processed in an earlier bucket, or a run went
//! through it; if it was final then, so is the next one.

use super::canonical_successors::successors_on_even_ground;
use super::wave::{CHUNK, Mark, Wave, list};
use crate::integrate::bucket_queue::BucketQueue;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::Seed;
use crate::integrate::moves::Move;
use crate::movement::CostField;

/// The distance ahead of the wavefront up to which runs are followed, in straight steps. Longer runs save more
/// queueing, but are more often overwritten.
const RUN: u32 = 16;

/// The number of steps of a run that are taken without branches where many steps gain nothing. Few runs are longer.
const CAREFUL_STEPS: usize = 3;

impl Wave {
    /// [`Self::begin`] over ground of one cost, where steps have the same `lengths` everywhere.
    pub(super) fn begin_evenly(
        &mut self,
        costs: &CostField,
        [straight, diagonal, ..]: [u32; 8],
        seeds: &[Seed],
        field: &mut IntegrationField,
    ) {
        let shortest = costs.links().least_of(straight, field.scale);
        self.start(seeds, field, (shortest, RUN * straight + diagonal));
        self.crossings.start(costs, field.scale);
        self.stopped.resize(self.moves.len(), 0);
        self.marks.clear();
        let marks = costs.steps().iter().map(|&legal| Mark { legal, ahead: 0 });
        self.marks.extend(marks);
        for seed in seeds {
            let mark = &mut self.marks[seed.index];
            mark.ahead = mark.legal;
        }
        self.crossings.ask_for_ends(&mut self.queue, &field.cost);
    }

    /// [`Self::go_on`] over ground of one cost.
    pub(super) fn go_on_evenly(
        &mut self,
        costs: &CostField,
        lengths: [u32; 8],
        field: &mut IntegrationField,
        most: usize,
    ) -> Option<bool> {
        let [straight, diagonal, ..] = lengths;
        let limit = UNREACHED - diagonal - 1;
        let mut cluttered = false;
        let mut seen = 0;
        while seen < most {
            let Some(bucket) = self.queue.pop_bucket(&mut self.front) else {
                return Some(true);
            };
            let settled = field.cost.as_mut_slice();
            let live = |cost| self.queue.bucket_of(cost) == bucket;
            let last = self.queue.last_key(bucket);
            if last > u64::from(limit)
                && self.front.iter().any(|&cell| live(settled[cell as usize]))
            {
                return None;
            }
            let ceiling = (last as u32).saturating_add(RUN * straight).min(limit);
            field.highest = ceiling + diagonal;
            let mut begun = 0;
            for cells in self.front.chunks(CHUNK) {
                if seen >= most {
                    break;
                }
                begun += cells.len();
                seen += cells.len();
                let ahead = |cell: usize| {
                    if self.queue.bucket_of(settled[cell]) == bucket {
                        self.marks[cell].ahead
                    } else {
                        0
                    }
                };
                let listed = list(cells, ahead, &mut self.moves);
                let mut steps = Steps {
                    lengths,
                    offsets: costs.offsets(),
                    ceiling,
                    settled,
                    marks: &mut self.marks,
                };
                let moves = &mut self.moves[..listed];
                let queue = &mut self.queue;
                let taken = if cluttered {
                    steps.run_carefully(moves, &mut self.stopped, queue)
                } else {
                    steps.run(moves, queue)
                };
                field.tried += taken.tried;
                // Where many steps gain nothing, code without branches is faster.
                cluttered = 8 * taken.gaining < 7 * listed;
            }
            if begun < self.front.len() {
                self.queue.put_back(&self.front[begun..]);
                break;
            }
            let marks = &mut self.marks;
            let take = |queue: &mut BucketQueue, settled: &mut [u32], cell: usize, cost| {
                if cost < settled[cell] {
                    settled[cell] = cost;
                    marks[cell].ahead = marks[cell].legal;
                    queue.push_any(cost, cell as u32);
                }
            };
            self.crossings
                .cross(bucket, &mut self.queue, &mut field.cost, take);
            self.crossings.ask_for_ends(&mut self.queue, &field.cost);
        }
        Some(false)
    }
}

/// The data that taking steps reads and writes.
struct Steps<'a> {
    lengths: [u32; 8],
    offsets: [isize; 8],
    /// Runs that reach this cost are queued.
    ceiling: u32,
    settled: &'a mut [u32],
    marks: &'a mut [Mark],
}

/// The result of a list of moves.
#[derive(Default)]
struct Taken {
    /// The number of moves that improved or equalled the known cost.
    gaining: usize,
    /// The number of steps that were tried.
    tried: usize,
}

impl Steps<'_> {
    /// As [`Self::run`], with the first steps taken by [`Self::take_one_each`].
    fn run_carefully(
        &mut self,
        moves: &mut [Move],
        stopped: &mut [u32],
        queue: &mut BucketQueue,
    ) -> Taken {
        let (mut going, mut taken) = (moves.len(), Taken::default());
        for nth in 0..CAREFUL_STEPS {
            taken.tried += going;
            let (on, stops) = self.take_one_each(&mut moves[..going], stopped);
            for &cell in &stopped[..stops] {
                queue.push(self.settled[cell as usize], cell);
            }
            if nth == 0 {
                taken.gaining = on + stops;
            }
            going = on;
        }
        taken.tried += self.run(&moves[..going], queue).tried;
        taken
    }

    /// Takes one step of each of `moves` without unpredictable branches: it always writes, even unchanged values. Moves
    /// that continue straight are put to the front of `moves`, and cells with other successors to the front of
    /// `stopped`; returns the numbers of both.
    #[inline(never)]
    fn take_one_each(&mut self, moves: &mut [Move], stopped: &mut [u32]) -> (usize, usize) {
        let settled = &mut *self.settled;
        // All have the same length, so that one bounds check suffices.
        let marks = &mut self.marks[..settled.len()];
        let stopped = &mut stopped[..moves.len()];
        let (mut going, mut stops) = (0, 0);
        for at in 0..moves.len() {
            let made = moves[at];
            let (cell, step) = (made.cell(), made.step());
            let next = cell.wrapping_add_signed(self.offsets[step]);
            let candidate = settled[cell] + self.lengths[step];
            let known = settled[next];
            let Mark { legal, ahead } = marks[next];
            let successors = successors_on_even_ground(step, legal);
            // All of the cell's steps if this path is not longer; the earlier ones if it is not shorter.
            let found = successors & u8::from(candidate > known).wrapping_sub(1);
            let kept = ahead & u8::from(candidate < known).wrapping_sub(1);
            settled[next] = candidate.min(known);
            marks[next].ahead = found | kept;
            let fresh = found & !kept != 0;
            let goes = fresh & (successors == 1 << step) & (candidate < self.ceiling);
            moves[going] = made.from(next);
            stopped[stops] = next as u32;
            going += usize::from(goes);
            stops += usize::from(fresh & !goes);
        }
        (going, stops)
    }

    /// Follows `moves` while they gain and have a single successor, and queues the cells where they end.
    #[inline(never)]
    fn run(&mut self, moves: &[Move], queue: &mut BucketQueue) -> Taken {
        let settled = &mut *self.settled;
        let marks = &mut self.marks[..settled.len()];
        let mut taken = Taken::default();
        for &made in moves {
            let step = made.step();
            let (offset, length) = (self.offsets[step], self.lengths[step]);
            let mut next = made.cell().wrapping_add_signed(offset);
            let mut candidate = settled[made.cell()] + length;
            taken.gaining += usize::from(candidate <= settled[next]);
            loop {
                taken.tried += 1;
                let known = settled[next];
                if candidate > known {
                    break;
                }
                let Mark { legal, ahead } = marks[next];
                let successors = successors_on_even_ground(step, legal);
                if candidate == known {
                    if successors & !ahead != 0 {
                        marks[next].ahead = ahead | successors;
                        queue.push(candidate, next as u32);
                    }
                    break;
                }
                settled[next] = candidate;
                marks[next].ahead = successors;
                if successors != 1 << step || candidate >= self.ceiling {
                    // Dead ends have no successors.
                    if successors != 0 {
                        queue.push(candidate, next as u32);
                    }
                    break;
                }
                next = next.wrapping_add_signed(offset);
                candidate += length;
            }
        }
        taken
    }
}
