//! The cells that changed since an earlier state of a movement type's costs.

use crate::movement::{Changes, CostField};
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
    /// The numbers that all changes consist of.
    length: usize,
}

#[derive(Debug, Clone)]
struct Change {
    /// The revision that it was made to.
    before: u64,
    changes: Arc<Changes>,
}

/// The numbers that changes consist of.
fn length(changes: &Changes) -> usize {
    match changes {
        Changes::Cells(cells) => cells.len(),
        Changes::Regions(regions) => 4 * regions.len(),
    }
}

impl ChangeLog {
    /// Records a change of revision `before` of the costs of a map of `map_cells` cells. Changes from which no repair
    /// would start any more are dropped.
    pub(super) fn record(&mut self, before: u64, changes: Changes, map_cells: usize) {
        if let Changes::Regions(regions) = &changes
            && regions
                .iter()
                .any(|region| region.cell_count() == map_cells)
        {
            *self = Self::default();
            return;
        }
        self.length += length(&changes);
        let changes = Arc::new(changes);
        self.changes.push_back(Change { before, changes });
        while self.changes.len() > MOST_CHANGES
            || (self.length > map_cells / 8 && self.changes.len() > 1)
        {
            if let Some(oldest) = self.changes.pop_front() {
                self.length -= length(&oldest.changes);
            }
        }
    }

    /// The changes since `revision` or later, oldest first, each with the revision that it was made to.
    pub(super) fn from(&self, revision: u64) -> impl Iterator<Item = (u64, &Changes)> {
        let changes = self.changes.iter();
        let changes = changes.filter(move |change| change.before >= revision);
        changes.map(|change| (change.before, &*change.changes))
    }

    /// A log of these changes.
    pub(super) fn of(changes: Vec<(u64, Changes)>) -> Self {
        Self {
            length: changes.iter().map(|(_, changes)| length(changes)).sum(),
            changes: changes
                .into_iter()
                .map(|(before, changes)| Change {
                    before,
                    changes: Arc::new(changes),
                })
                .collect(),
        }
    }

    /// All changes of `costs` since `revision`; `None` if they are not known.
    pub(super) fn since(&self, revision: u64, costs: &CostField) -> Option<Changes> {
        Some(Changes::joined(self.all_since(revision)?, costs))
    }

    /// The stored indices of all cells that have changed since `revision`, ascending, each once; `None` if they are not
    /// known, or not listed.
    pub(super) fn cells_since(&self, revision: u64) -> Option<Cow<'_, [u32]>> {
        Changes::all_listed(self.all_since(revision)?)
    }

    /// Whether all changes since `revision` are known.
    pub(super) fn knows(&self, revision: u64) -> bool {
        self.all_since(revision).is_some()
    }

    fn all_since(&self, revision: u64) -> Option<impl Iterator<Item = &Changes> + Clone> {
        let is_first = |change: &Change| change.before == revision;
        let first = self.changes.iter().position(is_first)?;
        Some(self.changes.range(first..).map(|change| &*change.changes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Grid};
    use crate::movement::MovementType;
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};

    #[test]
    fn changes_add_up_from_any_kept_revision() {
        let mut log = ChangeLog::default();
        log.record(3, Changes::Cells(vec![5, 9]), 100);
        log.record(7, Changes::Cells(vec![1, 9]), 100);
        assert_eq!(log.cells_since(3).as_deref(), Some(&[1, 5, 9][..]));
        assert_eq!(log.cells_since(7).as_deref(), Some(&[1, 9][..]));
        assert_eq!(log.cells_since(4), None);
    }

    #[test]
    fn regions_are_known_but_list_no_cells() {
        let costs = costs();
        let rect = |low: i32, high: i32| CellRect {
            low: IVec2::splat(low),
            high: IVec2::splat(high),
        };
        let index = |x: i32, y: i32| costs.index(IVec2::new(x, y)) as u32;
        let mut log = ChangeLog::default();
        let row = vec![index(1, 4), index(2, 4), index(3, 4), index(0, 5)];
        log.record(3, Changes::Cells(row), 100);
        log.record(7, Changes::Regions(vec![rect(2, 5)]), 100);
        log.record(8, Changes::Cells(vec![index(9, 9)]), 100);
        assert_eq!(log.cells_since(3), None);
        assert_eq!(log.cells_since(8).as_deref(), Some(&[index(9, 9)][..]));
        let piece = |x: i32, y: i32, length: i32| CellRect {
            low: IVec2::new(x, y),
            high: IVec2::new(x + length, y + 1),
        };
        let all = vec![piece(1, 4, 3), piece(0, 5, 1), rect(2, 5), piece(9, 9, 1)];
        assert_eq!(log.since(3, &costs), Some(Changes::Regions(all)));
        log.record(9, Changes::Regions(vec![rect(0, 10)]), 100);
        assert_eq!(log.since(8, &costs), None);
        assert_eq!(log.since(9, &costs), None);
    }

    fn costs() -> CostField {
        let grid = Grid::new(IVec2::splat(10), 1.0, Vec2::ZERO).expect("valid");
        CostField::new(&grid, &Terrain::new(&grid), &MovementType::default())
    }

    #[test]
    fn memory_is_bounded_by_the_map() {
        let mut log = ChangeLog::default();
        for revision in 0..1000 {
            log.record(revision, Changes::Cells(vec![1, 2, 3]), 240);
            assert!(log.length <= 30, "{}", log.length);
            assert!(log.cells_since(revision).is_some());
        }
        let last = 1000 + 2 * MOST_CHANGES as u64;
        for revision in 1000..last {
            log.record(revision, Changes::Cells(vec![1]), 1 << 20);
        }
        assert_eq!(log.changes.len(), MOST_CHANGES);
        assert_eq!(log.cells_since(1500), None);
        assert!(log.cells_since(last - MOST_CHANGES as u64).is_some());
    }
}
