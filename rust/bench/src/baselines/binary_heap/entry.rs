//! Heap entries: a cell with the cost at which it was reached. The cheapest is popped first.

use std::cmp::{Ordering, Reverse};

/// An entry of a binary heap that pops its greatest entry first. So the entry of lower cost must compare as greater.
pub trait HeapEntry: Ord {
    /// Creates an entry for a cell that was reached at a cost of 0 or more.
    fn new(cost: f32, cell: u32) -> Self;
    /// The cost at which the cell was reached.
    fn cost(&self) -> f32;
    /// The row-major index of the cell.
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

/// Cost and cell in one integer, which is compared in one instruction: the bits of non-negative floats sort as the
/// floats do. Entries of equal cost are sorted by cell, which improves cache use.
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
