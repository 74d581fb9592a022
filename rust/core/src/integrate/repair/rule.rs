//! What a repair asks of a solver: how a cell's cost follows from its neighbours' costs.

use super::values::{Stored, Sweep};
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::scale::StepScale;
use crate::links::Links;
use std::borrow::Cow;

/// How a cell's cost follows from its neighbours' costs: as the least of some offers, each of which
/// is determined by the costs of some of the eight neighbours and exceeds all of these by at least
/// [`Self::least_step`].
pub(in crate::integrate) trait LocalRule {
    /// The least by which an offer exceeds what it is made from; at least 1.
    fn least_step(&self) -> u32;

    /// The links, which offer their first cells what their ends cost, and the way.
    fn links(&self) -> &Links;

    /// The least offer to a cell that is in the grid, or what is fixed for it otherwise, such as 0
    /// for a goal; [`Candidate::NONE`] if there is none.
    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate;

    /// The set of steps, as in [`crate::movement::STEPS`], to neighbours that the cell makes offers
    /// to. Those for whom this set has just changed are among the changed cells themselves.
    fn neighbours(&self, index: usize) -> u8;

    /// When a neighbour's cost goes from `old` to `new`, or its root changes: the least offer to the cell
    /// `next`, one `step` away, that may come or go with it; `None` if none does that matters to its
    /// cost `known`.
    #[inline]
    fn wake(&self, step: usize, next: usize, known: u32, old: u32, new: u32) -> Option<u32> {
        let _ = (step, next);
        let least = self.least_step();
        if new < old {
            let offer = new.saturating_add(least);
            (offer < known).then_some(offer)
        } else {
            (known != UNREACHED && old.saturating_add(least) <= known).then_some(known)
        }
    }

    /// Those of the `woken` steps, which [`Self::wake`] told, that lead to cells whose values may change when
    /// that of the cell `index` goes from one to another.
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

    /// The cells that may disagree when the cells `changed` have.
    fn reached<'a>(&self, changed: &'a [u32]) -> Cow<'a, [u32]> {
        Cow::Borrowed(changed)
    }

    /// If all that has changed is that one of the cells `changed` was closed, and its shadow can be swept: does so, and
    /// says whether that took no more than the limit.
    fn sweep(&self, changed: &[u32], field: Sweep<'_, '_>) -> Option<bool> {
        let _ = (changed, field);
        None
    }
}

/// What the links from a cell offer it.
#[inline]
pub(in crate::integrate) fn link_offer(
    links: &Links,
    scale: StepScale,
    stored: &[u32],
    index: usize,
) -> u32 {
    if links.is_empty() {
        return UNREACHED;
    }
    let offers = links.from(index).iter();
    let offers = offers.map(|edge| edge.offer(scale, stored[edge.to]));
    offers.min().unwrap_or(UNREACHED)
}
