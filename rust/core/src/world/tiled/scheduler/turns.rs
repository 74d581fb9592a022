//! Entries that take turns in ascending order.

use crate::bytes::{Saved, Unpacker, Writer};
use crate::error::Result;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

/// Entries that take turns in ascending order, and the one that had a turn last.
#[derive(Debug, Clone)]
pub(in crate::world::tiled) struct Turns<T> {
    entries: BTreeSet<T>,
    /// It may have been removed since.
    pub(in crate::world::tiled) last: Option<T>,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            entries: BTreeSet::new(),
            last: None,
        }
    }
}

impl<T: Saved + Ord> Saved for Turns<T> {
    fn write(&self, out: &mut Writer) {
        let Self { entries, last } = self;
        entries.write(out);
        last.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Ok(Self {
            entries: Saved::read(input)?,
            last: Saved::read(input)?,
        })
    }
}

impl<T: Ord + Copy> Turns<T> {
    /// The entry whose turn is after that of `last`.
    pub(in crate::world::tiled) fn after(&self, last: Option<T>) -> Option<T> {
        let after = last.and_then(|last| self.entries.range((Excluded(last), Unbounded)).next());
        after.or_else(|| self.entries.first()).copied()
    }

    pub(in crate::world::tiled) fn insert(&mut self, entry: T) {
        self.entries.insert(entry);
    }

    pub(in crate::world::tiled) fn remove(&mut self, entry: T) {
        self.entries.remove(&entry);
    }

    pub(in crate::world::tiled) fn contains(&self, entry: T) -> bool {
        self.entries.contains(&entry)
    }

    pub(in crate::world::tiled) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::world::tiled) fn iter(&self) -> impl Iterator<Item = T> {
        self.entries.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_a_turn() {
        let mut turns = Turns::default();
        assert_eq!(turns.after(Some(1)), None);
        for entry in [9, 2, 5] {
            turns.insert(entry);
        }
        let last = [None, Some(2), Some(3), Some(5), Some(9), Some(12)];
        let next = last.map(|last| turns.after(last));
        assert_eq!(next, [2, 5, 5, 9, 2, 2].map(Some));
    }
}
