//! The cells that changed since an earlier state of a movement type's costs.

use crate::movement::Changes;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most changes that are kept: as many as a build in the background, or in parts, may take ticks.
const MOST_CHANGES: usize = 4096;

/// The last changes of a layer's costs, oldest first. Fields store the revision of the costs that they were made from,
/// and can be repaired from there instead of being built anew.
#[derive(Debug, Clone, Default)]
pub(super) struct ChangeLog {
    changes: VecDeque<Change>,
    /// Cells of all changes together.
    cells: usize,
}

#[derive(Debug, Clone)]
struct Change {
    /// The revision that it was made to.
    before: u64,
    /// Stored indices, ascending, each once.
    cells: Arc<[u32]>,
}

impl ChangeLog {
    /// Records a change of revision `before` of the costs of a map of `map_cells` cells. Changes from which no repair
    /// would start any more are dropped.
    pub(super) fn record(&mut self, before: u64, changes: Changes, map_cells: usize) {
        let Changes::Cells(cells) = changes else {
            *self = Self::default();
            return;
        };
        self.cells += cells.len();
        self.changes.push_back(Change {
            before,
            cells: cells.into(),
        });
        while self.changes.len() > MOST_CHANGES
            || (self.cells > map_cells / 8 && self.changes.len() > 1)
        {
            if let Some(oldest) = self.changes.pop_front() {
                self.cells -= oldest.cells.len();
            }
        }
    }

    /// The changes since `revision` or later, oldest first: the revision that each was made to, and its cells.
    pub(super) fn from(&self, revision: u64) -> impl Iterator<Item = (u64, &[u32])> {
        let changes = self.changes.iter();
        let changes = changes.filter(move |change| change.before >= revision);
        changes.map(|change| (change.before, &*change.cells))
    }

    /// A log of these changes.
    pub(super) fn of(changes: Vec<(u64, Vec<u32>)>) -> Self {
        let changes = changes.into_iter();
        let changes: VecDeque<Change> = changes
            .map(|(before, cells)| Change {
                before,
                cells: cells.into(),
            })
            .collect();
        Self {
            cells: changes.iter().map(|change| change.cells.len()).sum(),
            changes,
        }
    }

    /// The stored indices of all cells that have changed since `revision`, ascending, each once;
    /// `None` if that is not known.
    pub(super) fn since(&self, revision: u64) -> Option<Cow<'_, [u32]>> {
        let first = self
            .changes
            .iter()
            .position(|change| change.before == revision)?;
        if first + 1 == self.changes.len() {
            return Some(Cow::Borrowed(&self.changes[first].cells));
        }
        let mut all: Vec<u32> = self
            .changes
            .range(first..)
            .flat_map(|change| &*change.cells)
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        Some(Cow::Owned(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_add_up_from_any_kept_revision() {
        let mut log = ChangeLog::default();
        log.record(3, Changes::Cells(vec![5, 9]), 100);
        log.record(7, Changes::Cells(vec![1, 9]), 100);
        assert_eq!(log.since(3).as_deref(), Some(&[1, 5, 9][..]));
        assert_eq!(log.since(7).as_deref(), Some(&[1, 9][..]));
        assert_eq!(log.since(4), None);
        log.record(8, Changes::Many, 100);
        assert_eq!(log.since(7), None);
        assert_eq!(log.since(8), None);
    }

    #[test]
    fn memory_is_bounded_by_the_map() {
        let mut log = ChangeLog::default();
        for revision in 0..1000 {
            log.record(revision, Changes::Cells(vec![1, 2, 3]), 240);
            assert!(log.cells <= 30, "{}", log.cells);
            assert!(log.since(revision).is_some());
        }
        let last = 1000 + 2 * MOST_CHANGES as u64;
        for revision in 1000..last {
            log.record(revision, Changes::Cells(vec![1]), 1 << 20);
        }
        assert_eq!(log.changes.len(), MOST_CHANGES);
        assert_eq!(log.since(1500), None);
        assert!(log.since(last - MOST_CHANGES as u64).is_some());
    }
}
