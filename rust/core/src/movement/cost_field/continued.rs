//! Walls where the floor continues on another layer. Discs reach over them.

use crate::grid::seams::Seams;
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

    /// Takes this set out of a part of the walls that begins at a stored index.
    pub(super) fn open_in(&self, from: usize, walls: &mut [bool]) {
        if self.is_empty() {
            return;
        }
        for (index, wall) in (from..).zip(walls) {
            *wall &= !self.has(index);
        }
    }
}
