//! The islands of a movement type: found when something asks for them, and ahead of that in slices where the work of
//! updates is limited.
//!
//! They follow from the costs alone, so nothing of the simulation depends on when they are found, and saves have none.
//! Edits do not interrupt the labelling: the edited cells are changed afterwards.

use crate::movement::{BLOCKED, Cells, CostField, Islands, Labelling};
use crate::retired::Retired;
use crate::world::history::History;
use std::sync::Arc;

/// The most cells that a slice changes, and the most runs that these changes visit. Beyond that islands are labelled
/// anew, in slices.
const MOST_CHANGES: usize = 2_000;
/// A changed cell is as much work as labelling so many cells.
const CELLS_OF_CHANGE: usize = 32;

/// The islands of a movement type, as far as they are known. A clone has no unfinished ones.
#[derive(Debug, Clone)]
pub(super) struct KnownIslands {
    open: Kept,
    /// The islands without clearance.
    floor: Kept,
}

impl Default for KnownIslands {
    fn default() -> Self {
        Self {
            open: Kept::of(Cells::Open),
            floor: Kept::of(Cells::Floor),
        }
    }
}

impl KnownIslands {
    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        for kept in [self.open, self.floor] {
            if let Some(Ok(islands)) = kept.islands.map(Arc::try_unwrap) {
                islands.retire(retired);
            }
            if let Some(unfinished) = kept.unfinished {
                unfinished.retire(retired);
            }
        }
    }

    /// Visits the memory that copies may share, part by part, each with its address and bytes.
    pub(super) fn each_part(&self, mut visit: impl FnMut(usize, usize)) {
        for kept in [&self.open, &self.floor] {
            if let Some(islands) = &kept.islands {
                islands.each_part(&mut visit);
            }
        }
    }

    /// The islands of open cells, if they are known. They may lack edits.
    pub(super) fn open(&self) -> Option<&Islands> {
        self.open.islands.as_deref()
    }

    /// The islands of open cells, up to date.
    pub(super) fn fresh_open(&mut self, costs: &CostField, newest: &History) -> &Islands {
        self.open.find(costs, newest)
    }

    /// The islands without clearance, up to date.
    pub(super) fn fresh_floor(&mut self, costs: &CostField, newest: &History) -> &Islands {
        self.floor.find(costs, newest)
    }

    /// Labels what is not known, and updates what is not up to date, for so many cells of work, which it reduces.
    pub(super) fn advance(
        &mut self,
        costs: &CostField,
        newest: &History,
        (cells, retired): (&mut usize, &mut Retired),
    ) {
        self.open.advance(costs, newest, (cells, retired));
        if costs.has_clearance() {
            self.floor.advance(costs, newest, (cells, retired));
        }
    }
}

/// Islands of one kind of cells that are known, or are being labelled.
#[derive(Debug)]
struct Kept {
    cells: Cells,
    islands: Option<Arc<Islands>>,
    unfinished: Option<Labelling>,
    /// The revision of the newest costs when they were begun or updated.
    revision: u64,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        Self {
            islands: self.islands.clone(),
            unfinished: None,
            ..*self
        }
    }
}

impl Kept {
    /// No islands yet.
    fn of(cells: Cells) -> Self {
        Self {
            cells,
            islands: None,
            unfinished: None,
            revision: 0,
        }
    }

    /// The cells that may have changed since `revision`, by stored index, and whether each belongs to an island now;
    /// `None` if they are not known, or so many that labelling all cells is less work.
    fn changes(&self, costs: &CostField, newest: &History) -> Option<Vec<(u32, bool)>> {
        let changed = newest.cells_since(self.revision)?;
        if changed.len() * CELLS_OF_CHANGE > costs.cell_count() {
            return None;
        }
        let is_in = |index: usize| match self.cells {
            Cells::Open => costs.cost_of(index) != BLOCKED,
            Cells::Floor => !costs.is_wall_at(index),
        };
        let changed = changed.iter();
        Some(
            changed
                .map(|&index| (index, is_in(index as usize)))
                .collect(),
        )
    }

    /// Finds the islands at once, up to date.
    fn find(&mut self, costs: &CostField, newest: &History) -> &Islands {
        let is_begun = self.islands.is_some() || self.unfinished.is_some();
        let changes = self.changes(costs, newest).filter(|_| is_begun);
        let begun = self.islands.take();
        let islands = match changes {
            Some(changes) => {
                let mut islands = begun.unwrap_or_else(|| self.labelled(costs));
                if !changes.is_empty() {
                    Arc::make_mut(&mut islands).change_all(changes.into_iter());
                }
                islands
            }
            None => {
                self.unfinished = None;
                self.labelled(costs)
            }
        };
        self.revision = newest.revision;
        self.islands.insert(islands)
    }

    /// Labels all that is not labelled.
    fn labelled(&mut self, costs: &CostField) -> Arc<Islands> {
        let mut labelling = self.unfinished.take().unwrap_or_default();
        labelling.advance(costs, self.cells, &mut { usize::MAX });
        Arc::new(Islands::labelled(costs.stride(), labelling))
    }

    /// Updates the islands, or continues the labelling, for so many `cells`, which it reduces.
    fn advance(
        &mut self,
        costs: &CostField,
        newest: &History,
        (cells, retired): (&mut usize, &mut Retired),
    ) {
        if *cells == 0 {
            return;
        }
        if self.islands.is_some() {
            let changes = self.changes(costs, newest);
            self.update(changes, (cells, retired));
            self.revision = newest.revision;
        } else if self.unfinished.is_none() {
            self.revision = newest.revision;
        }
        if self.islands.is_some() {
            return;
        }
        let labelling = self.unfinished.get_or_insert_default();
        if labelling.advance(costs, self.cells, cells) {
            self.islands = Some(self.labelled(costs));
        }
    }

    /// Applies changes if they are few. Otherwise the islands are not known any more, and their memory is given back in
    /// parts.
    fn update(
        &mut self,
        changes: Option<Vec<(u32, bool)>>,
        (cells, retired): (&mut usize, &mut Retired),
    ) {
        let few = changes.filter(|changes| changes.len() <= MOST_CHANGES);
        let count = few.as_ref().map_or(0, Vec::len);
        *cells = cells.saturating_sub(count * CELLS_OF_CHANGE);
        let lost = self.islands.take_if(|islands| {
            let Some(changes) = few else {
                return true;
            };
            let mut changes = changes.into_iter();
            changes.len() > 0 && !Arc::make_mut(islands).change_while(&mut changes, MOST_CHANGES)
        });
        if let Some(Ok(islands)) = lost.map(Arc::try_unwrap) {
            islands.retire(retired);
        }
    }
}
