//! Walls where the floor continues on another layer. Discs reach over them.

use crate::grid::seams::Seams;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A set of stored indices; it takes no memory while it is empty.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Continued {
    bits: Vec<u64>,
    /// The seams by which floors continue.
    seams: Arc<Seams>,
}

impl Continued {
    pub(super) fn of(
        indices: impl Iterator<Item = usize>,
        count: usize,
        seams: &Arc<Seams>,
    ) -> Self {
        let mut bits = Vec::new();
        for index in indices {
            bits.resize(count.div_ceil(64), 0);
            bits[index / 64] |= 1 << (index % 64);
        }
        Self {
            bits,
            seams: Arc::clone(seams),
        }
    }

    /// Whether these are the seams by which floors continue. Equal seams at another address may count as other ones.
    pub(super) fn is_by(&self, seams: &Arc<Seams>) -> bool {
        Arc::ptr_eq(&self.seams, seams)
    }

    #[inline]
    pub(super) fn has(&self, index: usize) -> bool {
        self.bits
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// A part of `walls` without this set; empty if there are no walls.
    pub(super) fn without<'a>(&self, walls: &'a [bool], part: Range<usize>) -> Cow<'a, [bool]> {
        if walls.is_empty() {
            return Cow::Borrowed(walls);
        }
        let all = &walls[part.clone()];
        if self.is_empty() {
            return Cow::Borrowed(all);
        }
        let left = part.zip(all);
        let left = left.map(|(index, &wall)| wall && !self.has(index));
        Cow::Owned(left.collect())
    }
}
