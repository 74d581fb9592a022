//! What waits in the heap: a cell with the cost at which it was reached, the cheapest on top.

use std::cmp::{Ordering, Reverse};

/// An entry of a binary heap that pops its greatest first; so the greater entry has to be the one of lower cost.
pub trait HeapEntry: Ord {
    /// An entry for a cell reached at a cost that is not negative.
    fn new(cost: f32, cell: u32) -> Self;
    /// The cost at which the cell was reached.
    fn cost(&self) -> f32;
    /// Row-major index of the cell.
    fn cell(&self) -> u32;
}

/// The textbook's entry: two fields, compared by cost.
#[derive(Clone, Copy, Debug)]
pub struct TextbookEntry {
    cost: f32,
    cell: u32,
}

impl HeapEntry for TextbookEntry {
    fn new(cost: f32, cell: u32) -> Self {
        Self { cost, cell }
    }

    fn cost(&self) -> f32 {
        self.cost
    }

    fn cell(&self) -> u32 {
        self.cell
    }
}

impl Ord for TextbookEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost)
    }
}

impl PartialOrd for TextbookEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TextbookEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for TextbookEntry {}

/// Cost and cell in one integer, which compares in one instruction: the bits of floats that are not negative sort as
/// the floats do. Equal costs come in the order of cells, which is kind to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedEntry(Reverse<u64>);

impl HeapEntry for PackedEntry {
    fn new(cost: f32, cell: u32) -> Self {
        Self(Reverse(u64::from(cost.to_bits()) << 32 | u64::from(cell)))
    }

    fn cost(&self) -> f32 {
        f32::from_bits((self.0.0 >> 32) as u32)
    }

    fn cell(&self) -> u32 {
        self.0.0 as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BinaryHeap;

    use super::*;

    fn pops_cheapest_first<Entry: HeapEntry>() {
        let costs = [3.5, 0.0, 1.0e9, 1.25, 0.5];
        let mut heap: BinaryHeap<Entry> = (0..)
            .zip(costs)
            .map(|(cell, cost)| Entry::new(cost, cell))
            .collect();
        let popped: Vec<_> = std::iter::from_fn(|| heap.pop())
            .map(|entry| (entry.cost(), entry.cell()))
            .collect();
        assert_eq!(
            popped,
            [(0.0, 1), (0.5, 4), (1.25, 3), (3.5, 0), (1.0e9, 2)]
        );
    }

    #[test]
    fn the_cheapest_is_on_top() {
        pops_cheapest_first::<TextbookEntry>();
        pops_cheapest_first::<PackedEntry>();
    }
}
