//! Walls where the floor continues on another layer. Discs reach over them.

use std::borrow::Cow;

/// A set of stored indices; it takes no memory while it is empty.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Continued {
    bits: Vec<u64>,
}

impl Continued {
    pub(super) fn of(indices: impl Iterator<Item = usize>, count: usize) -> Self {
        let mut bits = Vec::new();
        for index in indices {
            bits.resize(count.div_ceil(64), 0);
            bits[index / 64] |= 1 << (index % 64);
        }
        Self { bits }
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

    /// `walls` without this set.
    pub(super) fn without<'a>(&self, walls: &'a [bool]) -> Cow<'a, [bool]> {
        if self.is_empty() || walls.is_empty() {
            return Cow::Borrowed(walls);
        }
        let mut left = walls.to_vec();
        for (word, walls) in self.bits.iter().zip(left.chunks_mut(64)) {
            for (bit, wall) in walls.iter_mut().enumerate() {
                *wall &= word >> bit & 1 == 0;
            }
        }
        Cow::Owned(left)
    }
}
