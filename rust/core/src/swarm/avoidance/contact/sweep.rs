//! The order in which bands are solved: in each step every second one, the even or the odd ones.
//!
//! Bands that touch no common agents are solved in parallel. A barrier after each step would cost small crowds more
//! than the work itself, so several steps run between two barriers. The bands are cut into pieces. One thread solves a
//! piece for all these steps, and leaves out the bands that depend on its neighbours: one band less at each side with
//! each step. The gaps between pieces grow by as much, and are solved after the pieces. Each band thus gets the same
//! input as if all steps ran one after the other (time skewing: Frigo and Strumpf, Cache oblivious stencil
//! computations, 2005, section 2). The result does not depend on pieces or threads.

use crate::swarm::avoidance::contact::band::Band;
use crate::workers::Workers;
use std::ops::Range;

/// The least number of agents in a piece. Handing out fewer costs more than it gains.
const LEAST_AGENTS: usize = 2048;
/// The most pieces for each thread.
const PIECES: usize = 4;
/// The most steps between two barriers. More steps make the gaps larger.
const MOST_TOGETHER: usize = 6;

/// Steps for all bands.
pub(super) struct Sweep<'a, F> {
    /// The number of steps.
    pub(super) steps: usize,
    /// Whether the first pass runs backward. Two steps make a pass: even bands, then odd bands; every second pass runs
    /// the other way round.
    pub(super) starts_backward: bool,
    /// Called with the number of a step, a band together with the next one if there is one, and the items of the agents
    /// in them.
    pub(super) task: F,
    pub(super) workers: &'a Workers,
}

/// Consecutive bands.
struct Run<'a, T> {
    /// The number of the first band.
    number: usize,
    bands: &'a mut [Band],
    items: &'a mut [T],
}

impl<'a, T> Run<'a, T> {
    /// Splits the run before the band with the number `middle`.
    fn split_at(self, middle: usize) -> (Self, Self) {
        let first = self.bands.first().map_or(0, |band| band.first);
        let (bands, more_bands) = self.bands.split_at_mut(middle - self.number);
        let end = bands.last().map_or(first, |band| band.end);
        let (items, more_items) = self.items.split_at_mut(end - first);
        let one = Run {
            number: self.number,
            bands,
            items,
        };
        let two = Run {
            number: middle,
            bands: more_bands,
            items: more_items,
        };
        (one, two)
    }
}

/// How bands are cut into pieces.
#[derive(Clone, Copy)]
struct Cut {
    /// The number of bands, and the number of bands in a piece. The last piece also has the remainder.
    bands: usize,
    length: usize,
    pieces: usize,
    /// The number of steps between two barriers.
    together: usize,
}

impl Cut {
    fn new(bands: &[Band], steps: usize, threads: usize) -> Self {
        let agents = bands.last().map_or(0, |band| band.end);
        let count = bands.len();
        let most = if threads == 1 {
            1
        } else {
            (PIECES * threads).min(agents / LEAST_AGENTS).max(1)
        };
        // A gap takes as many bands from each of its two pieces as there are steps.
        let together = (count / (2 * most)).clamp(2, MOST_TOGETHER);
        let pieces = most.min(count / (2 * together)).max(1);
        Self {
            bands: count,
            length: count / pieces,
            pieces,
            together: if pieces == 1 { steps } else { together },
        }
    }

    /// The first band of a piece; for the number after the last piece, the end of all bands.
    fn start(&self, piece: usize) -> usize {
        if piece < self.pieces {
            piece * self.length
        } else {
            self.bands
        }
    }
}

impl<F> Sweep<'_, F> {
    /// Runs all steps for `bands`, with the `items` of their agents.
    pub(super) fn run<T: Send>(&self, bands: &mut [Band], items: &mut [T])
    where
        F: Fn(usize, &mut [Band], &mut [T]) + Sync,
    {
        let cut = Cut::new(bands, self.steps, self.workers.threads());
        self.run_cut(cut, bands, items);
    }

    fn run_cut<T: Send>(&self, cut: Cut, bands: &mut [Band], items: &mut [T])
    where
        F: Fn(usize, &mut [Band], &mut [T]) + Sync,
    {
        for first in (0..self.steps).step_by(cut.together.max(1)) {
            let steps = first..(first + cut.together).min(self.steps);
            for is_gap in [false, true] {
                let all = Run {
                    number: 0,
                    bands,
                    items,
                };
                let pieces = if is_gap { cut.pieces - 1 } else { cut.pieces };
                let parts = Parts {
                    sweep: self,
                    cut,
                    steps: steps.clone(),
                    is_gap,
                };
                parts.run(all, 0, pieces);
            }
        }
    }

    fn is_odd(&self, step: usize) -> bool {
        let is_backward = (step / 2 % 2 == 1) != self.starts_backward;
        (step % 2 == 1) != is_backward
    }

    /// Runs step `step` for the one of two bands that is its turn, if it is in `range`. `pair` is the even one's
    /// number.
    fn step<T>(&self, step: usize, pair: usize, range: &Range<usize>, run: &mut Run<'_, T>)
    where
        F: Fn(usize, &mut [Band], &mut [T]),
    {
        let band = pair + usize::from(self.is_odd(step));
        if !range.contains(&band) {
            return;
        }
        let start = run.bands.first().map_or(0, |band| band.first);
        let row = band - run.number;
        let end = (row + 2).min(run.bands.len());
        let bands = &mut run.bands[row..end];
        let items = bands[0].first - start..bands[bands.len() - 1].end - start;
        (self.task)(step, bands, &mut run.items[items]);
    }
}

/// All pieces for some steps, or all gaps between pieces.
struct Parts<'a, F> {
    sweep: &'a Sweep<'a, F>,
    cut: Cut,
    steps: Range<usize>,
    is_gap: bool,
}

impl<F> Parts<'_, F> {
    /// Splits the parts in halves recursively, which needs no list of parts.
    fn run<T: Send>(&self, run: Run<'_, T>, first: usize, count: usize)
    where
        F: Fn(usize, &mut [Band], &mut [T]) + Sync,
    {
        match count {
            0 => {}
            1 => self.one(run, first),
            _ => {
                let half = count / 2;
                let middle = self.cut.start(first + half);
                // A gap reaches to the middle of the pieces on both sides.
                let middle = if self.is_gap {
                    middle + self.cut.length / 2
                } else {
                    middle
                };
                let (one, two) = run.split_at(middle);
                self.sweep.workers.join(
                    || self.run(one, first, half),
                    || self.run(two, first + half, count - half),
                );
            }
        }
    }

    /// Piece `number`, or the gap after it. Each step runs two bands behind the step before it, so that a band and its
    /// agents stay in the cache for all steps.
    fn one<T>(&self, mut run: Run<'_, T>, number: usize)
    where
        F: Fn(usize, &mut [Band], &mut [T]),
    {
        let range_of = self.ranges(number);
        let ends = (0..self.steps.len()).map(|made| range_of(made).end + 2 * made);
        let first = range_of(0).start / 2 * 2;
        for front in (first..ends.max().unwrap_or(0)).step_by(2) {
            for (made, step) in self.steps.clone().enumerate() {
                if let Some(pair) = front.checked_sub(2 * made) {
                    self.sweep.step(step, pair, &range_of(made), &mut run);
                }
            }
        }
    }

    /// The bands of piece `number`, or of the gap after it, that are solved after `made` steps of this part.
    fn ranges(&self, number: usize) -> impl Fn(usize) -> Range<usize> {
        let (start, end) = (self.cut.start(number), self.cut.start(number + 1));
        let (is_gap, is_last) = (self.is_gap, end == self.cut.bands);
        move |made| {
            if is_gap {
                end - 1 - made..end + made
            } else {
                let low = if start == 0 { 0 } else { start + made };
                low..if is_last { end } else { end - 1 - made }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bands(sizes: &[usize]) -> Vec<Band> {
        let mut end = 0;
        let band = |&size: &usize| {
            let first = end;
            end += size;
            Band {
                first,
                end,
                ..Band::default()
            }
        };
        sizes.iter().map(band).collect()
    }

    /// Mixes the items of two bands so that every order gives another result.
    fn mix(step: usize, bands: &[Band], items: &mut [u64]) {
        let number = bands[0].first as u64;
        let mut sum = (step as u64) << 32 | number;
        for item in items.iter() {
            sum = sum.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) ^ item;
        }
        for item in items {
            sum = sum.wrapping_add(0xD1B5_4A32_D192_ED03).rotate_left(9);
            *item ^= sum;
        }
    }

    proptest! {
        #[test]
        fn any_cut_finds_what_one_step_after_the_other_finds(
            sizes in prop::collection::vec(1_usize..4, 0..40),
            steps in 0_usize..13,
            starts_backward: bool,
            together in 1_usize..7,
            most in 1_usize..6,
            threads in 1_usize..4,
        ) {
            let mut bands = bands(&sizes);
            let items: Vec<u64> = (0..sizes.iter().sum::<usize>() as u64).collect();
            let mut expected = items.clone();
            for step in 0..steps {
                let odd = [0, 1, 1, 0][step % 4] != usize::from(starts_backward);
                for number in 0..bands.len() {
                    if (number % 2 == 1) == odd {
                        let both = &bands[number..(number + 2).min(bands.len())];
                        let range = both[0].first..both[both.len() - 1].end;
                        mix(step, both, &mut expected[range]);
                    }
                }
            }
            let workers = Workers::new(threads).expect("threads");
            let sweep = Sweep {
                steps,
                starts_backward,
                task: |step, bands: &mut [Band], items: &mut [u64]| mix(step, bands, items),
                workers: &workers,
            };
            let mut found = items.clone();
            sweep.run(&mut bands, &mut found);
            prop_assert_eq!(&found, &expected, "as it is cut by itself");
            let pieces = most.min(bands.len() / (2 * together)).max(1);
            let cut = Cut {
                bands: bands.len(),
                length: bands.len() / pieces,
                pieces,
                together,
            };
            let mut found = items;
            sweep.run_cut(cut, &mut bands, &mut found);
            prop_assert_eq!(&found, &expected, "{} pieces", pieces);
        }
    }
}
