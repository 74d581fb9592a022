//! The revisions of a movement type's costs.

use crate::movement::Changes;
use crate::world::change_log::ChangeLog;
use std::borrow::Cow;
use std::mem::replace;

/// A state of costs: its revision, which is unique among all layers, and the changes that led to it.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    pub(super) revision: u64,
    pub(super) log: ChangeLog,
}

impl History {
    /// A history without earlier changes.
    pub(super) fn at(revision: u64) -> Self {
        Self {
            revision,
            log: ChangeLog::default(),
        }
    }

    /// The stored indices of all cells that have changed since a revision, ascending, each once; `None` if they are not
    /// known, or not listed.
    pub(super) fn cells_since(&self, revision: u64) -> Option<Cow<'_, [u32]>> {
        if revision == self.revision {
            return Some(Cow::Borrowed(&[]));
        }
        self.log.cells_since(revision)
    }

    pub(super) fn record(&mut self, revision: u64, changes: Changes, map_cells: usize) {
        let before = replace(&mut self.revision, revision);
        self.log.record(before, changes, map_cells);
    }
}
