//! The interface of a solver for repairs: how a cell's cost follows from its neighbours' costs.

use super::values::{Stored, Sweep};
use crate::grid::links::Links;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::scale::StepScale;
use std::borrow::Cow;

/// How a cell's cost follows from its neighbours' costs: as the least of several candidates. Each candidate depends on
/// the costs of some of the eight neighbours, and exceeds all of these by at least [`Self::least_step`].
pub(in crate::integrate) trait LocalRule {
    /// The least difference between a candidate and the values from which it is made; at least 1.
    fn least_step(&self) -> u32;

    /// The links. The cost at a link's end plus the link's cost is a candidate for its first cell.
    fn links(&self) -> &Links;

    /// The least candidate for a cell of the grid, or its fixed value, such as 0 for a goal; [`Candidate::NONE`] if
    /// there is none.
    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate;

    /// The set of steps, as in [`crate::grid::STEPS`], to neighbours for which the cell makes candidates. If an
    /// edit changes this set for a cell, the cell is among the changed cells.
    fn neighbours(&self, index: usize) -> u8;

    /// For a change of a cell's cost from `old` to `new`, or of its root: the least candidate for the cell `next`, one
    /// `step` away, that may appear or disappear; `None` if no such candidate affects the cost `known` of `next`.
    #[inline]
    fn wake(&self, step: usize, next: usize, known: u32, old: u32, new: u32) -> Option<u32> {
        let _ = (step, next);
        let least = self.least_step();
        if new < old {
            let candidate = new.saturating_add(least);
            (candidate < known).then_some(candidate)
        } else {
            (known != UNREACHED && old.saturating_add(least) <= known).then_some(known)
        }
    }

    /// The steps among `woken`, which [`Self::wake`] returned, that lead to cells whose values may change when the
    /// value of the cell `index` changes.
    #[inline]
    fn affects(
        &self,
        index: usize,
        woken: u8,
        (old, new): (Candidate, Candidate),
        has: impl Fn(usize) -> Candidate,
    ) -> u8 {
        let _ = (index, old, new, has);
        woken
    }

    /// The cells that may be inconsistent after a change of the cells `changed`.
    fn reached<'a>(&self, changed: &'a [u32]) -> Cow<'a, [u32]> {
        Cow::Borrowed(changed)
    }

    /// If the only change is that one of the cells `changed` was closed, and its shadow can be swept: sweeps it, and
    /// returns whether the limit sufficed.
    fn sweep(&self, changed: &[u32], field: Sweep<'_, '_>) -> Option<bool> {
        let _ = (changed, field);
        None
    }
}

/// The least candidate of the links from a cell.
#[inline]
pub(in crate::integrate) fn link_candidate(
    links: &Links,
    scale: StepScale,
    stored: &[u32],
    index: usize,
) -> u32 {
    if links.is_empty() {
        return UNREACHED;
    }
    let candidates = links.from(index).iter();
    let candidates = candidates.map(|edge| edge.candidate(scale, stored[edge.to]));
    candidates.min().unwrap_or(UNREACHED)
}
