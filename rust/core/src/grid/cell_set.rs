//! A set of cells that is emptied in the time that filling it took, however large the map is.

use std::ops::Range;

/// A set of stored indices, one bit each.
#[derive(Debug, Default)]
pub(crate) struct CellSet {
    bits: Vec<u64>,
    /// The indices of the words of `bits` that are not zero.
    used: Vec<u32>,
}

impl CellSet {
    /// Makes room for the indices below `cells`. The set must be empty.
    pub(crate) fn fit(&mut self, cells: usize) {
        let words = cells.div_ceil(64);
        if self.bits.len() != words {
            // Memory that is zero already is only touched where it is used.
            self.bits = vec![0; words];
        }
    }

    /// Reads the words of some indices. The processor then waits for all of them at once, even if they are far apart.
    pub(crate) fn fetch(&self, indices: impl Iterator<Item = usize>) {
        let words = indices.map(|index| self.bits[index / 64]);
        std::hint::black_box(words.fold(0, |all, word| all ^ word));
    }

    /// Adds an index.
    #[inline]
    pub(crate) fn insert(&mut self, index: usize) {
        let word = index / 64;
        if self.bits[word] == 0 {
            self.used.push(word as u32);
        }
        self.bits[word] |= 1 << (index % 64);
    }

    /// Adds three successive indices.
    #[inline]
    pub(crate) fn insert_three(&mut self, first: usize) {
        let (word, bit) = (first / 64, first % 64);
        if bit > 61 {
            for index in first..first + 3 {
                self.insert(index);
            }
            return;
        }
        if self.bits[word] == 0 {
            self.used.push(word as u32);
        }
        self.bits[word] |= 7 << bit;
    }

    /// Moves all members to `runs`, as ranges of successive indices. The order of the ranges is unspecified.
    pub(crate) fn drain_into(&mut self, runs: &mut Vec<Range<usize>>) {
        for word in self.used.drain(..) {
            let word = word as usize;
            let mut bits = std::mem::take(&mut self.bits[word]);
            while bits != 0 {
                let first = bits.trailing_zeros();
                let count = (bits >> first).trailing_ones();
                let from = word * 64 + first as usize;
                runs.push(from..from + count as usize);
                // Two shifts, because shifting by all 64 bits overflows.
                bits &= !((u64::MAX >> (64 - count)) << first);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn runs_hold_each_member_once(
            first in prop::collection::vec(0_usize..698, 0..300),
            second in prop::collection::vec(0_usize..698, 0..300),
        ) {
            let mut set = CellSet::default();
            set.fit(700);
            for members in [first, second] {
                let mut expected = BTreeSet::new();
                for &member in &members {
                    if member % 3 == 0 {
                        set.insert_three(member);
                        expected.extend(member..member + 3);
                    } else {
                        set.insert(member);
                        expected.insert(member);
                    }
                }
                let mut runs = Vec::new();
                set.drain_into(&mut runs);
                let mut found: Vec<usize> = runs.into_iter().flatten().collect();
                found.sort_unstable();
                prop_assert_eq!(found, Vec::from_iter(expected));
            }
        }
    }
}
