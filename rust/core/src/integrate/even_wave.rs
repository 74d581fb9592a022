//! The wavefront on ground of one cost.
//!
//! Most cells there have but one step onward, the one that led to them. Such a run is followed at
//! once for some way ahead of the wave: its cells are neither queued nor listed, and runs side by
//! side find each other's rows in the cache. Where another way turns out to be shorter it overwrites
//! what a run has left, as in any label-correcting search (delta-stepping: Meyer and Sanders, 2003).
//! Costs are exact, so their order of arrival leaves no trace.
//!
//! When a bucket's turn comes its cells are final all the same. On a shortest path to one of them
//! each cell costs at least a bucket's width less than the next, so that its turn has been or a run
//! went through it: if it was final then, so is the next.

use super::bucket_queue::BucketQueue;
use super::moves::Move;
use super::onward::onward_on_even_ground;
use super::seeds::Seed;
use super::wave::{CHUNK, Wave, list};
use super::{IntegrationField, UNREACHED};
use crate::movement::CostField;

/// How far ahead of the wave runs are followed, in straight steps. Longer ones save more queueing
/// and more often run where they are overtaken.
const RUN: u32 = 16;

/// How many steps of a run are taken without branches where many lead nowhere: few runs are longer.
const CAREFUL_STEPS: usize = 3;

impl Wave {
    /// [`Self::spread`] over ground of one cost, where steps have the same `lengths` everywhere.
    pub(super) fn spread_evenly(
        &mut self,
        costs: &CostField,
        lengths: [u32; 8],
        seeds: &[Seed],
        field: &mut IntegrationField,
    ) -> bool {
        let [straight, diagonal, ..] = lengths;
        let limit = UNREACHED - diagonal - 1;
        self.start(costs, seeds, field, (straight, RUN * straight + diagonal));
        self.stopped.resize(self.moves.len(), 0);
        let mut cluttered = false;
        while let Some(bucket) = self.queue.pop_bucket(&mut self.front) {
            let settled = field.cost.as_mut_slice();
            let live = |cost| self.queue.bucket_of(cost) == bucket;
            let last = self.queue.last_key(bucket);
            if last > u64::from(limit)
                && self.front.iter().any(|&cell| live(settled[cell as usize]))
            {
                return false;
            }
            let ceiling = (last as u32).saturating_add(RUN * straight).min(limit);
            field.highest = ceiling + diagonal;
            for cells in self.front.chunks(CHUNK) {
                let live = |cost| self.queue.bucket_of(cost) == bucket;
                let listed = list(cells, live, settled, &self.ahead, &mut self.moves);
                let mut steps = Steps {
                    lengths,
                    offsets: costs.offsets(),
                    ceiling,
                    legal: costs.steps(),
                    settled,
                    ahead: &mut self.ahead,
                };
                let mut moves = &mut self.moves[..listed];
                let mut gaining = None;
                if cluttered {
                    for _ in 0..CAREFUL_STEPS {
                        field.tried += moves.len();
                        let (going, stopped) = steps.take_one_each(moves, &mut self.stopped);
                        for &cell in &self.stopped[..stopped] {
                            self.queue.push(steps.settled[cell as usize], cell);
                        }
                        moves = &mut moves[..going];
                        gaining.get_or_insert(going + stopped);
                    }
                }
                let runs = steps.run(moves, &mut self.queue);
                field.tried += runs.tried;
                // Where many steps lead nowhere, not guessing which is worth the trouble.
                cluttered = 8 * gaining.unwrap_or(runs.gaining) < 7 * listed;
            }
        }
        true
    }
}

/// What taking steps reads and writes.
struct Steps<'a> {
    lengths: [u32; 8],
    offsets: [isize; 8],
    /// Runs that reach this cost are queued.
    ceiling: u32,
    legal: &'a [u8],
    settled: &'a mut [u32],
    ahead: &'a mut [u8],
}

/// What came of runs.
struct Runs {
    /// How many of them began by shortening or equalling the known way.
    gaining: usize,
    /// Steps.
    tried: usize,
}

impl Steps<'_> {
    /// Takes one step of each of `moves`, without any branch that a processor could guess wrong: it
    /// always writes, be it what was there before. Moves to the front of `moves` those that go on
    /// straight from where they now are, and to the front of `stopped` the cells from which the wave
    /// goes on otherwise; returns how many there are of each.
    #[inline(never)]
    fn take_one_each(&mut self, moves: &mut [Move], stopped: &mut [u32]) -> (usize, usize) {
        let settled = &mut *self.settled;
        // Of one length, so that one bounds check will do for all.
        let ahead = &mut self.ahead[..settled.len()];
        let legal = &self.legal[..settled.len()];
        let stopped = &mut stopped[..moves.len()];
        let (mut going, mut stops) = (0, 0);
        for at in 0..moves.len() {
            let made = moves[at];
            let (cell, step) = (made.cell(), made.step());
            let next = cell.wrapping_add_signed(self.offsets[step]);
            let candidate = settled[cell] + self.lengths[step];
            let known = settled[next];
            let onward = onward_on_even_ground(step, legal[next]);
            // All of the cell's steps if this way is not longer; the earlier ones if it is not shorter.
            let found = onward & u8::from(candidate > known).wrapping_sub(1);
            let kept = ahead[next] & u8::from(candidate < known).wrapping_sub(1);
            settled[next] = candidate.min(known);
            ahead[next] = found | kept;
            let fresh = found & !kept != 0;
            let goes = fresh & (onward == 1 << step) & (candidate < self.ceiling);
            moves[going] = made.from(next);
            stopped[stops] = next as u32;
            going += usize::from(goes);
            stops += usize::from(fresh & !goes);
        }
        (going, stops)
    }

    /// Follows `moves` for as long as they gain and have one way to go on, and queues where they end.
    #[inline(never)]
    fn run(&mut self, moves: &[Move], queue: &mut BucketQueue) -> Runs {
        let settled = &mut *self.settled;
        let ahead = &mut self.ahead[..settled.len()];
        let legal = &self.legal[..settled.len()];
        let mut runs = Runs {
            gaining: 0,
            tried: 0,
        };
        for &made in moves {
            let step = made.step();
            let (offset, length) = (self.offsets[step], self.lengths[step]);
            let mut next = made.cell().wrapping_add_signed(offset);
            let mut candidate = settled[made.cell()] + length;
            runs.gaining += usize::from(candidate <= settled[next]);
            loop {
                runs.tried += 1;
                let known = settled[next];
                if candidate > known {
                    break;
                }
                let onward = onward_on_even_ground(step, legal[next]);
                if candidate == known {
                    let kept = ahead[next];
                    if onward & !kept != 0 {
                        ahead[next] = kept | onward;
                        queue.push(candidate, next as u32);
                    }
                    break;
                }
                settled[next] = candidate;
                ahead[next] = onward;
                if onward != 1 << step || candidate >= self.ceiling {
                    // Dead ends have nothing to go on with.
                    if onward != 0 {
                        queue.push(candidate, next as u32);
                    }
                    break;
                }
                next = next.wrapping_add_signed(offset);
                candidate += length;
            }
        }
        runs
    }
}
