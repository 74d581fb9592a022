//! The number of cells with each cost.

use crate::movement::MAX_COST;

/// The least and the greatest cost of open cells; [`MAX_COST`] and 1 where there is none.
pub(super) fn extremes(histogram: &[u32; 256]) -> (u8, u8) {
    let mut present = (1..=MAX_COST).filter(|&cost| histogram[usize::from(cost)] > 0);
    let cheapest = present.next();
    (
        cheapest.unwrap_or(MAX_COST),
        present.next_back().or(cheapest).unwrap_or(1),
    )
}

/// Changes to a histogram of costs, in four copies. Neighbouring cells mostly have the same cost, and an addition to a
/// number has to wait for the last addition to it.
///
/// The copies are made with the first row that is long enough to be worth it.
#[derive(Default)]
pub(super) struct CountChanges(Option<Box<[[i32; 256]; 4]>>);

impl CountChanges {
    /// Rows of fewer cells are counted in the histogram itself.
    const LONG: usize = 64;

    pub(super) fn add(&mut self, histogram: &mut [u32; 256], costs: &[u8], change: i32) {
        if costs.len() < Self::LONG {
            for &cost in costs {
                let count = &mut histogram[usize::from(cost)];
                *count = count.wrapping_add_signed(change);
            }
            return;
        }
        let copies = (self.0).get_or_insert_with(|| Box::new([[0; 256]; 4]));
        let mut cells = costs.chunks_exact(4);
        for four in &mut cells {
            for (counts, &cost) in copies.iter_mut().zip(four) {
                counts[usize::from(cost)] += change;
            }
        }
        for &cost in cells.remainder() {
            copies[0][usize::from(cost)] += change;
        }
    }

    pub(super) fn apply(&self, histogram: &mut [u32; 256]) {
        let Some(copies) = &self.0 else {
            return;
        };
        for (cost, count) in histogram.iter_mut().enumerate() {
            let change: i32 = copies.iter().map(|counts| counts[cost]).sum();
            *count = count.wrapping_add_signed(change);
        }
    }
}
