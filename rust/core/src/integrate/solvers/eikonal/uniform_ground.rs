//! The candidates of cells on uniform ground, almost without branches.
//!
//! A repair evaluates cells in an unpredictable order. Testing one neighbour after the other would cost a dozen
//! mispredictions for each cell, which takes longer than all the work. Where the ground is even and only lines and
//! bends are possible, sets of steps tell which neighbour makes which candidate, and lengths are computed only for
//! these few.

use super::corner::{Corner, Turns};
use super::lines::{IN_THE_OPEN, length_by, place_of, steps_towards};
use super::local_solver::{Known, LocalSolver};
use crate::grid::STEPS;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::moves::steps_of;
use crate::integrate::root::Root;
use std::array;

const STEP_COUNT: usize = STEPS.len();

/// The candidates of a cell whose neighbours are all of the same ground: the steps by which it hands on its root, and
/// the steps by which its own centre becomes the root.
#[derive(Debug, Clone, Copy)]
struct HandedOn {
    lines: u8,
    bends: u8,
}

impl HandedOn {
    #[inline]
    fn new(value: Candidate) -> Self {
        let [lines, bends] = IN_THE_OPEN[place_of(value.root.bend()).index()];
        let has_root = (value.cost != UNREACHED) & value.root.is_straight();
        let all = u8::from(has_root).wrapping_neg();
        Self {
            lines: lines & all,
            bends: bends & all,
        }
    }
}

/// A cell surrounded by open ground of one cost, as the source of candidates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Giver {
    pub(super) value: Candidate,
    /// The cost at its root.
    base: u32,
    handed: HandedOn,
}

/// The costs of lengths and bends where all open ground has one cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvenGround {
    unit: f32,
    turns: Turns,
}

impl EvenGround {
    /// A cell with this value as a giver.
    #[inline]
    pub(super) fn giver(self, value: Candidate) -> Giver {
        Giver {
            value,
            base: (value.cost).saturating_sub(length_by(value.root.bend(), self.unit)),
            handed: HandedOn::new(value),
        }
    }

    /// The candidate of a cell by a step along which it hands on its root; otherwise [`Candidate::NONE`].
    #[inline]
    pub(super) fn line(self, from: &Giver, step: usize) -> Candidate {
        if from.handed.lines >> step & 1 == 0 {
            return Candidate::NONE;
        }
        LocalSolver::along_line(from.base, from.value.root, self.unit, step)
    }

    /// The candidate of a cell by a straight step with its own centre as the root.
    #[inline]
    pub(super) fn bend(self, from: &Giver, step: usize) -> Candidate {
        if from.handed.bends >> step & 1 == 0 {
            return Candidate::NONE;
        }
        self.bend_from(from.value.cost, step)
    }

    /// The candidate by `step` with the centre of a cell of this cost as the root.
    #[inline]
    pub(super) fn bend_from(self, cost: u32, step: usize) -> Candidate {
        Candidate {
            cost: cost.saturating_add(self.turns.bend),
            root: Root::behind(step),
        }
    }

    /// The candidate of a cell with this value by a diagonal step around the corner of the only closed cell beside it,
    /// to which the step `shut` leads.
    #[inline]
    pub(super) fn around_corner(self, from: Candidate, step: usize, shut: usize) -> Candidate {
        let corner = Corner::new(step, !(1 << shut));
        Candidate {
            cost: from.cost + corner.gain(from.root.bend(), self.unit, self.turns),
            root: corner.root(step),
        }
    }
}

impl Giver {
    /// The steps by which it hands on its root.
    #[inline]
    pub(super) fn lines(&self) -> u8 {
        self.handed.lines
    }
}

impl LocalSolver<'_> {
    /// The costs of lengths on ground of this cost.
    pub(super) fn even_ground(&self, cost: u8) -> EvenGround {
        EvenGround {
            unit: self.unit_of(cost),
            turns: self.turns(cost),
        }
    }

    /// [`Self::best_candidate`] for a cell surrounded by open ground of one cost, up to two cells away.
    #[inline]
    pub(super) fn best_candidate_in_the_open(
        &self,
        known: Known<'_>,
        to: usize,
    ) -> Option<Candidate> {
        let values: [Candidate; STEP_COUNT] =
            array::from_fn(|step| self.value_of(known, self.neighbour(to, step)));
        let back = |step: usize| (step + 4) % STEP_COUNT;
        let mut lines = 0;
        for (step, value) in values.iter().enumerate() {
            lines |= (steps_towards(value.root.bend()) >> back(step) & 1) << step;
        }
        let mut best = Candidate::NONE;
        for step in steps_of(lines) {
            if HandedOn::new(values[step]).lines >> back(step) & 1 == 1 {
                best = best.min(self.line(values[step], to, back(step)));
            }
        }
        let turn = self.turns(self.cost_of(to)).bend;
        for step in (0..STEP_COUNT).step_by(2) {
            let bent = Candidate {
                cost: values[step].cost.saturating_add(turn),
                root: Root::behind(back(step)),
            };
            if bent < best && HandedOn::new(values[step]).bends >> back(step) & 1 == 1 {
                best = bent;
            }
        }
        (best != Candidate::NONE).then_some(best)
    }

    #[inline]
    fn value_of(&self, known: Known<'_>, from: usize) -> Candidate {
        let cost = known.cost[from];
        Candidate {
            cost: if cost < known.below { cost } else { UNREACHED },
            root: known.roots[from],
        }
    }

    /// The candidate that hands on the root of `value` by `step`, over ground like that of the cell `on`.
    #[inline]
    fn line(&self, Candidate { cost, root }: Candidate, on: usize, step: usize) -> Candidate {
        let unit = self.unit_of(self.cost_of(on));
        // During a repair a cell may have a root that its cost does not go with any more.
        let base = cost.saturating_sub(length_by(root.bend(), unit));
        Self::along_line(base, root, unit, step)
    }

    /// The steps to neighbours that may have got their values from the cell `from` when it had `old`, or may get a
    /// better one when it has `new`. The cell is surrounded by open ground of one cost.
    #[inline]
    pub(super) fn affects_on_uniform_ground(
        &self,
        from: usize,
        (old, new): (Candidate, Candidate),
        has: impl Fn(usize) -> Candidate,
    ) -> u8 {
        let (gave, gives) = (HandedOn::new(old), HandedOn::new(new));
        let mut affected = 0;
        for step in 0..STEP_COUNT {
            let root = has(step).root;
            let bit = |set: u8| set >> step & 1 == 1;
            let had_it = bit(gave.lines) & (root == old.root.after(step))
                | bit(gave.bends) & (root == Root::behind(step))
                | !root.is_straight();
            affected |= u8::from(had_it) << step;
        }
        let bent = new.cost.wrapping_add(self.turns(self.cost_of(from)).bend);
        for step in steps_of(gives.bends & !affected) {
            let candidate = Candidate {
                cost: bent,
                root: Root::behind(step),
            };
            affected |= u8::from(candidate < has(step)) << step;
        }
        for step in steps_of(gives.lines & !affected) {
            affected |= u8::from(self.line(new, from, step) < has(step)) << step;
        }
        affected
    }
}
