//! The islands of a movement type: found when something asks for them, and ahead of that in slices where the work of
//! updates is limited.
//!
//! They follow from the costs alone, so nothing of the simulation depends on when they are found, and saves have none.
//! Edits do not interrupt the labelling: the edited cells are changed afterwards.

use crate::grid::CellRect;
use crate::movement::{BLOCKED, Cells, CostField, Islands, Labelling};
use crate::retired::Retired;
use crate::world::history::History;
use std::sync::Arc;

/// The most cells that a slice changes, and the most runs that these changes visit. Beyond that islands are labelled
/// anew, in slices.
const MOST_CHANGES: usize = 2_000;
/// A changed cell is as much work as labelling so many cells.
const CELLS_OF_CHANGE: usize = 16;
/// Where one of so many cells may have changed, labelling all is less work.
const FEW: usize = 16;

/// The islands of a movement type, as far as they are known. A clone has no unfinished ones.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownIslands {
    open: Kept,
    /// The revision of the newest costs up to which `open` has all changes.
    revision: u64,
    /// The islands without clearance.
    floor: Kept,
    /// Where walls may have changed since `floor` was begun or updated, and the cells of these rectangles.
    edited: (Vec<CellRect>, usize),
    /// Stands for all costs and walls that the islands follow from. Each edit replaces it.
    made_from: Arc<()>,
}

impl KnownIslands {
    /// Takes over those of `known`, in whose place a rollback has put this copy, if both follow from the same costs.
    pub(super) fn recognize(&mut self, known: Self) {
        if Arc::ptr_eq(&self.made_from, &known.made_from) {
            *self = known;
        }
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        for kept in [self.open, self.floor] {
            if let Some(Ok(islands)) = kept.islands.map(Arc::try_unwrap) {
                islands.retire(retired);
            }
        }
    }

    /// Notes that costs have changed.
    pub(super) fn note_change(&mut self) {
        self.made_from = Arc::default();
    }

    /// Notes where walls may have changed, also in cells that were closed before and after.
    pub(super) fn note_edit(&mut self, regions: &[CellRect], costs: &CostField) {
        self.note_change();
        self.edited.0.extend_from_slice(regions);
        let cells = regions.iter().map(CellRect::cell_count);
        self.edited.1 += cells.sum::<usize>();
        if !self.floor.is_begun() {
            self.edited = Default::default();
        } else if self.edited.1 > costs.cell_count() / FEW {
            self.edited.0.clear();
        }
    }

    /// The islands of open cells, if they are known. They may lack edits.
    pub(super) fn open(&self) -> Option<&Islands> {
        self.open.islands.as_deref()
    }

    /// Visits the memory that copies may share, part by part, each with its address and bytes.
    pub(super) fn each_part(&self, mut visit: impl FnMut(usize, usize)) {
        for islands in [&self.open.islands, &self.floor.islands]
            .into_iter()
            .flatten()
        {
            islands.each_part(&mut visit);
        }
    }

    /// The islands of open cells, up to date.
    pub(super) fn fresh_open(&mut self, costs: &CostField, newest: &History) -> &Islands {
        let changes = self.changes_of_open(costs, newest);
        self.revision = newest.revision;
        self.open.find((costs, Cells::Open), changes)
    }

    /// The islands without clearance, up to date.
    pub(super) fn fresh_floor(&mut self, costs: &CostField) -> &Islands {
        let changes = self.changes_of_floor(costs);
        self.edited = Default::default();
        self.floor.find((costs, Cells::Floor), changes)
    }

    /// Labels what is not known, and updates what is not up to date, for so many cells of work, which it reduces.
    pub(super) fn advance(
        &mut self,
        costs: &CostField,
        newest: &History,
        (cells, retired): (&mut usize, &mut Retired),
    ) {
        if *cells == 0 {
            return;
        }
        if self.open.islands.is_some() {
            let changes = self.changes_of_open(costs, newest);
            self.open.update(changes, (cells, retired));
            self.revision = newest.revision;
        } else if !self.open.is_begun() {
            self.revision = newest.revision;
        }
        self.open.advance((costs, Cells::Open), cells);
        if *cells == 0 || !costs.has_clearance() {
            return;
        }
        if self.floor.islands.is_some() {
            let changes = self.changes_of_floor(costs);
            self.floor.update(changes, (cells, retired));
            self.edited = Default::default();
        }
        self.floor.advance((costs, Cells::Floor), cells);
    }

    /// The cells that may have been opened or closed since `revision`, by stored index, and whether each is open;
    /// `None` if they are not known.
    fn changes_of_open(&self, costs: &CostField, newest: &History) -> Option<Vec<(u32, bool)>> {
        let changed = newest.since(self.revision)?;
        let is_open = |&index: &u32| (index, costs.cost_of(index as usize) != BLOCKED);
        Some(changed.iter().map(is_open).collect())
    }

    /// The cells in which walls may have changed, by stored index, and whether each is none; `None` if they are many.
    fn changes_of_floor(&self, costs: &CostField) -> Option<Vec<(u32, bool)>> {
        let (regions, cells) = &self.edited;
        let is_floor = |cell| (costs.index(cell) as u32, !costs.is_wall(cell));
        let are_few = *cells <= costs.cell_count() / FEW;
        are_few.then(|| {
            regions
                .iter()
                .flat_map(CellRect::cells)
                .map(is_floor)
                .collect()
        })
    }
}

/// Islands that are known, or are being labelled.
#[derive(Debug, Default)]
struct Kept {
    islands: Option<Arc<Islands>>,
    unfinished: Option<Labelling>,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        Self {
            islands: self.islands.clone(),
            unfinished: None,
        }
    }
}

impl Kept {
    fn is_begun(&self) -> bool {
        self.islands.is_some() || self.unfinished.is_some()
    }

    /// Finds the islands at once. `changes` are those since they were begun or updated, if they are known.
    fn find(&mut self, what: (&CostField, Cells), changes: Option<Vec<(u32, bool)>>) -> &Islands {
        let begun = match self.islands.take() {
            None if self.unfinished.is_none() => None,
            known => Some(known.unwrap_or_else(|| self.labelled(what))),
        };
        let islands = match (begun, changes) {
            (Some(mut islands), Some(changes)) => {
                if !changes.is_empty() {
                    Arc::make_mut(&mut islands).change_all(changes.into_iter());
                }
                islands
            }
            _ => self.labelled(what),
        };
        self.islands.insert(islands)
    }

    /// Labels all that is not labelled.
    fn labelled(&mut self, (costs, which): (&CostField, Cells)) -> Arc<Islands> {
        let mut labelling = self.unfinished.take().unwrap_or_default();
        labelling.advance(costs, which, &mut { usize::MAX });
        Arc::new(Islands::labelled(costs.stride(), labelling))
    }

    /// Applies changes if they are few, for `cells` of work, which it reduces. Otherwise the islands are not known any
    /// more, and their memory is given back in parts.
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

    /// Continues the labelling, if it is not done, for so many `cells`, which it reduces.
    fn advance(&mut self, (costs, which): (&CostField, Cells), cells: &mut usize) {
        if self.islands.is_some() {
            return;
        }
        let labelling = self.unfinished.get_or_insert_default();
        if labelling.advance(costs, which, cells)
            && let Some(labelling) = self.unfinished.take()
        {
            let islands = Islands::labelled(costs.stride(), labelling);
            self.islands = Some(Arc::new(islands));
        }
    }
}
