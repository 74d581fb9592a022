//! What a world keeps of each movement type.

use crate::movement::{Changes, CostField, Excerpt, Islands, MovementType};
use crate::world::change_log::ChangeLog;
use std::mem::replace;
use std::sync::Arc;

/// A state of costs, by a number that no other state of any layer has, and the changes that led to it.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) revision: u64,
    pub(super) log: ChangeLog,
}

impl History {
    /// Nothing is known of what was before.
    fn at(revision: u64) -> Self {
        Self {
            revision,
            log: ChangeLog::default(),
        }
    }

    fn record(&mut self, revision: u64, changes: Changes, map_cells: usize) {
        let before = replace(&mut self.revision, revision);
        self.log.record(before, changes, map_cells);
    }
}

/// Which histories an edit of costs is recorded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refresh {
    /// The simulation brings the costs up to date.
    Simulation,
    /// The same where no goal is tiled: nothing asks what has been settled.
    Untiled,
    /// A query does, before the simulation: the edit can be taken back.
    Query,
    /// The simulation makes in one edit what queries have made in several.
    Settle,
}

/// A movement type with what has been derived from the terrain for it.
#[derive(Debug)]
pub(super) struct MovementLayer {
    pub(super) kind: MovementType,
    pub(super) costs: Arc<CostField>,
    /// What whole fields and islands know.
    pub(super) newest: History,
    /// What tiled goals know: no query adds to it.
    pub(super) settled: History,
    /// What takes back the edits that are in [`Self::newest`] alone, oldest first.
    pub(super) undo: Vec<Excerpt>,
    pub(super) islands: Option<(u64, Islands)>,
    /// The islands of an agent that needs no clearance, as long as no wall has changed.
    pub(super) ground: Option<Islands>,
}

impl MovementLayer {
    /// Costs that are up to date.
    pub(super) fn new(kind: MovementType, costs: CostField, revision: u64) -> Self {
        Self {
            kind,
            costs: Arc::new(costs),
            newest: History::at(revision),
            settled: History::at(revision),
            undo: Vec::new(),
            islands: None,
            ground: None,
        }
    }

    /// Makes an edit of the costs, and records what it changes under the next revision. `before` keeps what the
    /// edit may change.
    pub(super) fn edit_costs(
        &mut self,
        (refresh, last_revision): (Refresh, &mut u64),
        before: impl FnOnce(&Arc<CostField>, &MovementType) -> Excerpt,
        edit: impl FnOnce(&mut CostField, &MovementType) -> Changes,
    ) {
        if refresh == Refresh::Query {
            self.undo.push(before(&self.costs, &self.kind));
        }
        // Copies the costs only if a background job or an excerpt still holds them.
        let changes = edit(Arc::make_mut(&mut self.costs), &self.kind);
        self.record((refresh, last_revision), changes);
    }

    /// Records changes of the costs under the next revision, if there are any.
    pub(super) fn record(
        &mut self,
        (refresh, last_revision): (Refresh, &mut u64),
        changes: Changes,
    ) {
        if changes == Changes::Cells(Vec::new()) {
            return;
        }
        let map_cells = self.costs.width() * self.costs.height();
        *last_revision += 1;
        match refresh {
            Refresh::Simulation => {
                let changes = changes.clone();
                self.settled.record(*last_revision, changes, map_cells);
            }
            Refresh::Untiled => self.settled = History::at(*last_revision),
            Refresh::Settle => return self.settled.record(*last_revision, changes, map_cells),
            Refresh::Query => {}
        }
        self.newest.record(*last_revision, changes, map_cells);
    }

    /// Takes back what only queries have made, so that the simulation can make it.
    pub(super) fn undo(&mut self) {
        for before in self.undo.drain(..).rev() {
            CostField::restore(&mut self.costs, before);
        }
    }
}
