//! Sets of terrain ids.

/// A set of terrain ids with one bit for each id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct IdSet([u64; 4]);

impl IdSet {
    pub(crate) fn insert(&mut self, id: u8) {
        self.0[usize::from(id / 64)] |= 1 << (id % 64);
    }

    /// Whether the two sets have an id in common.
    pub(crate) fn has_any_of(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(one, other)| one & other != 0)
    }
}
