//! The rows of a shadow ([`super::shadow`]), which lie across the lines to its root.

use std::ops::Range;

/// The places of a row that lie in the shadow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) number: isize,
    pub(super) low: isize,
    pub(super) high: isize,
}

impl Row {
    pub(super) fn places(self) -> Range<isize> {
        self.low..self.high
    }

    pub(super) fn has(self, place: isize) -> bool {
        self.low <= place && place < self.high
    }

    pub(super) fn is_empty(self) -> bool {
        self.low >= self.high
    }
}

/// The part of a row whose places satisfy `has`, without the places at both ends that do not; empty if that part is not
/// contiguous.
pub(super) fn in_one_piece(row: Row, has: impl Fn(isize) -> bool) -> Row {
    let low = row.places().find(|&place| has(place)).unwrap_or(row.high);
    let count = (low..row.high).take_while(|&place| has(place)).count();
    let high = low + count as isize;
    let is_all = !(high..row.high).any(has);
    Row {
        low,
        high: if is_all { high } else { low },
        ..row
    }
}

/// Three successive rows: the current one, the one before and the one after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pub(super) before: Row,
    pub(super) here: Row,
    pub(super) behind: Row,
}
