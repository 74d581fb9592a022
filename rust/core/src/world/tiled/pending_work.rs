//! The goals and movement types that an update has work for. Of thousands of goals an update checks only these.
//!
//! An entry may have no work left. It is removed when its turn comes.

use crate::world::goal_id::GoalId;
use crate::world::tiled::route_queue::Pair;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

#[derive(Debug, Default)]
pub(super) struct PendingWork {
    /// Goals and movement types whose tiles may wait.
    pub(super) tiles: BTreeSet<Pair>,
    /// Goals and movement types whose first tiles may wait.
    pub(super) first: BTreeSet<Pair>,
    /// Goals and movement types with agents now or before the last update.
    pub(super) standing: BTreeSet<Pair>,
    /// Goals that may have been moved, or whose pending state is not followed yet.
    pub(super) moved: BTreeSet<GoalId>,
}

impl PendingWork {
    /// Adds a goal and movement type whose tiles may wait.
    pub(super) fn note_tiles(&mut self, pair: Pair) {
        self.tiles.insert(pair);
        self.first.insert(pair);
    }
}

/// The entry after `last`, in turns. `last` may have been removed.
pub(super) fn next_in_turn<T: Ord + Copy>(among: &BTreeSet<T>, last: Option<T>) -> Option<T> {
    let after = last.and_then(|last| among.range((Excluded(last), Unbounded)).next());
    after.or_else(|| among.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_a_turn() {
        let among = BTreeSet::from([2, 5, 9]);
        let turns = [None, Some(2), Some(3), Some(5), Some(9), Some(12)];
        let next = turns.map(|last| next_in_turn(&among, last));
        assert_eq!(next, [2, 5, 5, 9, 2, 2].map(Some));
        assert_eq!(next_in_turn(&BTreeSet::new(), Some(1)), None);
    }
}
