//! The goals and movement types that an update has work for: of thousands it looks at these alone.
//!
//! An entry may have nothing left to do. It is removed when its turn comes.

use crate::world::goal_id::GoalId;
use crate::world::tiled::route_queue::Pair;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

#[derive(Debug, Default)]
pub(super) struct PendingWork {
    /// Whose tiles may wait.
    pub(super) tiles: BTreeSet<Pair>,
    /// Whose first tiles may wait.
    pub(super) first: BTreeSet<Pair>,
    /// Where agents stand, or stood before the last update.
    pub(super) standing: BTreeSet<Pair>,
    /// Goals that may have been moved, or whose new ways may not be followed yet.
    pub(super) moved: BTreeSet<GoalId>,
}

impl PendingWork {
    /// Notes that tiles may wait.
    pub(super) fn note_tiles(&mut self, pair: Pair) {
        self.tiles.insert(pair);
        self.first.insert(pair);
    }
}

/// The one that comes after `last`, which may be gone, in turns.
pub(super) fn next_in_turn<T: Ord + Copy>(among: &BTreeSet<T>, last: Option<T>) -> Option<T> {
    let after = last.and_then(|last| among.range((Excluded(last), Unbounded)).next());
    after.or_else(|| among.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_turn() {
        let among = BTreeSet::from([2, 5, 9]);
        let turns = [None, Some(2), Some(3), Some(5), Some(9), Some(12)];
        let next = turns.map(|last| next_in_turn(&among, last));
        assert_eq!(next, [2, 5, 5, 9, 2, 2].map(Some));
        assert_eq!(next_in_turn(&BTreeSet::new(), Some(1)), None);
    }
}
