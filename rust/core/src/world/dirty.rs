//! The cells of terrain that were edited since the costs were last updated.
//!
//! With one rectangle around all edits, two edits in opposite corners would cost as much as painting the whole map.
//! Here each sector of cells keeps its own rectangle (Emerson, Game AI Pro, 23.9, marks whole sectors), so that the
//! work depends on the edited cells, however many edits a tick makes.

use crate::bytes::{Saved, Source, Unpacker};
use crate::error::Result;
use crate::grid::{CellRect, Grid};
use glam::IVec2;
use std::collections::BTreeMap;

/// Edge length of a sector in cells.
const EDGE: i32 = 32;

/// Edited cells: a rectangle per sector, in the order of rows.
#[derive(Debug, Clone, Default)]
pub(super) struct DirtyCells {
    /// By row and column of the sector; empty as long as all edits lie in one, or one rectangle holds all of them.
    sectors: BTreeMap<(i32, i32), CellRect>,
    around: Option<CellRect>,
    /// The cells of all rectangles of `sectors`.
    cells: usize,
}

impl DirtyCells {
    /// Adds a rectangle that lies in the grid.
    pub(super) fn mark(&mut self, rect: CellRect) {
        if rect.is_empty() {
            return;
        }
        let known = self.around;
        let around = known.map_or(rect, |known| known.union(&rect));
        self.around = Some(around);
        if around == rect {
            (self.sectors, self.cells) = (BTreeMap::new(), 0);
            return;
        }
        let is_held = self.sectors.is_empty() && known == self.around;
        if is_held || around.low / EDGE == (around.high - 1) / EDGE {
            return;
        }
        if self.sectors.is_empty()
            && let Some(known) = known
        {
            self.mark_sectors(known);
        }
        self.mark_sectors(rect);
    }

    fn mark_sectors(&mut self, rect: CellRect) {
        let last = (rect.high - 1) / EDGE;
        for row in rect.low.y / EDGE..=last.y {
            for column in rect.low.x / EDGE..=last.x {
                let corner = IVec2::new(column, row) * EDGE;
                let sector = CellRect {
                    low: corner,
                    high: corner + EDGE,
                };
                let part = rect.intersection(&sector);
                let entry = self.sectors.entry((row, column));
                let known = entry.or_insert(CellRect {
                    high: part.low,
                    ..part
                });
                self.cells -= known.cell_count();
                *known = if known.is_empty() {
                    part
                } else {
                    known.union(&part)
                };
                self.cells += known.cell_count();
            }
        }
    }

    /// Reads what was written of [`Self::regions`] for this grid.
    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut cells = Self::default();
        let rects = Vec::<CellRect>::read(input)?;
        if !CellRect::are_apart(&rects, grid.cells()) {
            return Err(input.bad("it has edits outside the grid, or one twice"));
        }
        rects.into_iter().for_each(|rect| cells.mark(rect));
        Ok(cells)
    }

    /// The smallest rectangle around all edits; `None` without any.
    pub(super) fn around(&self) -> Option<CellRect> {
        self.around
    }

    /// The number of cells of [`Self::regions`].
    pub(super) fn cell_count(&self) -> usize {
        if self.sectors.is_empty() {
            self.around.map_or(0, |around| around.cell_count())
        } else {
            self.cells
        }
    }

    /// Rectangles without overlap that hold all edits. Adjacent ones are joined, so that a large rectangle is returned
    /// as one.
    pub(super) fn regions(&self) -> Vec<CellRect> {
        if self.sectors.is_empty() {
            return self.around.into_iter().collect();
        }
        let mut regions = Vec::new();
        // The regions by columns and end row, which a rectangle below may continue.
        let mut open = BTreeMap::new();
        let mut place = |rect: CellRect| {
            let columns = (rect.low.x, rect.high.x);
            let index = open.remove(&(columns, rect.low.y)).unwrap_or_else(|| {
                regions.push(rect);
                regions.len() - 1
            });
            regions[index].high.y = rect.high.y;
            open.insert((columns, rect.high.y), index);
        };
        let mut strip: Option<CellRect> = None;
        for &part in self.sectors.values() {
            strip = match strip {
                Some(known) if continues(&known, &part) => Some(known.union(&part)),
                known => {
                    known.map(&mut place);
                    Some(part)
                }
            };
        }
        strip.map(place);
        regions
    }
}

/// Whether `right` begins where `left` ends, in the same rows.
fn continues(left: &CellRect, right: &CellRect) -> bool {
    (left.high.x, left.low.y, left.high.y) == (right.low.x, right.low.y, right.high.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rect(low: (i32, i32), high: (i32, i32)) -> CellRect {
        CellRect {
            low: low.into(),
            high: high.into(),
        }
    }

    fn cells(rect: &CellRect) -> impl Iterator<Item = (i32, i32)> {
        let columns = rect.low.x..rect.high.x;
        (rect.low.y..rect.high.y).flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    #[test]
    fn a_large_rectangle_comes_back_whole() {
        let mut dirty = DirtyCells::default();
        let painted = rect((0, 0), (300, 170));
        dirty.mark(painted);
        assert_eq!(dirty.regions(), [painted]);
        let mut dirty = DirtyCells::default();
        let painted = rect((13, 30), (99, 66));
        dirty.mark(painted);
        assert_eq!(dirty.regions(), [painted]);
    }

    #[test]
    fn scattered_edits_stay_apart() {
        let mut dirty = DirtyCells::default();
        for cell in [(0, 0), (1000, 3), (5, 900), (1001, 4)] {
            dirty.mark(CellRect::cell(cell.into()));
        }
        let area: usize = dirty.regions().iter().map(|rect| cells(rect).count()).sum();
        assert_eq!(area, 6);
        assert_eq!(dirty.around(), Some(rect((0, 0), (1002, 901))));
    }

    proptest! {
        #[test]
        fn regions_hold_every_edit_and_no_cell_twice(
            edits in prop::collection::vec(((0..120, 0..120), (1..40, 1..40)), 0..6),
        ) {
            let mut dirty = DirtyCells::default();
            let edits: Vec<CellRect> = edits
                .into_iter()
                .map(|((x, y), (width, height))| rect((x, y), (x + width, y + height)))
                .collect();
            for &edit in &edits {
                dirty.mark(edit);
            }
            let mut held: Vec<(i32, i32)> = dirty.regions().iter().flat_map(cells).collect();
            let count = held.len();
            held.sort_unstable();
            held.dedup();
            prop_assert_eq!(held.len(), count, "regions overlap");
            prop_assert_eq!(dirty.cell_count(), count);
            for cell in edits.iter().flat_map(cells) {
                prop_assert!(held.binary_search(&cell).is_ok(), "{:?} is missing", cell);
            }
            let around = edits.into_iter().reduce(|one, other| one.union(&other));
            prop_assert_eq!(dirty.around(), around);
        }
    }
}
