//! Which parts of a terrain have changed, for managers that follow it.

use flow_swarm::grid::CellRect;
use std::collections::VecDeque;

/// The number of changed rectangles that are remembered. A manager that has missed more reads the whole terrain.
const MOST: usize = 512;

/// The latest changes, each of which is a revision.
#[derive(Default)]
pub(super) struct Changes {
    /// The revision from which on the rectangle of every change is known.
    known_from: u64,
    recent: VecDeque<CellRect>,
}

impl Changes {
    /// The number of changes so far.
    pub(super) fn revision(&self) -> u64 {
        self.known_from + self.recent.len() as u64
    }

    pub(super) fn note(&mut self, rect: CellRect) {
        self.recent.push_back(rect);
        if self.recent.len() > MOST {
            self.recent.pop_front();
            self.known_from += 1;
        }
    }

    /// Notes that all cells may have changed, or the size.
    pub(super) fn note_all(&mut self) {
        self.known_from = self.revision() + 1;
        self.recent.clear();
    }

    /// What has changed since a revision; `None` if that is the whole terrain, or not known any more.
    pub(super) fn since(&self, revision: u64) -> Option<impl Iterator<Item = CellRect>> {
        let seen = usize::try_from(revision.checked_sub(self.known_from)?).ok()?;
        (seen <= self.recent.len()).then(|| self.recent.range(seen..).copied())
    }
}
