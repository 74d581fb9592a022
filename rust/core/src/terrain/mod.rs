//! Terrain: one terrain id for each cell, and stamps over painted terrain.
//!
//! Cells are stored in square blocks (`grid::blocks`). A snapshot for a background job is a clone of the list of
//! blocks, an edit copies only blocks that a snapshot still holds, and blocks of clear ground share one allocation.
//!
//! Read this file for the cells and `stamps` for removable terrain over them; `id_set` is a set of ids. The costs of
//! ids are in [`movement`](crate::movement).
//!
//! - A [`Terrain`] holds the ids that are visible: the last placed stamp in each cell, or else the painted terrain.
//! - A snapshot does not change when the terrain is edited.

mod id_set;
mod saved;
mod stamps;

pub(crate) use id_set::IdSet;
pub(crate) use stamps::Stamps;
pub use stamps::{Stamp, StampId};

use crate::error::{Error, Result};
use crate::grid::blocks::{Block, Blocks};
use crate::grid::{CellRect, Grid};
use crate::retired::Retired;
use glam::IVec2;
use std::sync::Arc;

/// Terrain id of clear ground.
pub const CLEAR: u8 = 1;
/// Terrain id of a wall, if the costs of a movement type equal the ids.
pub const WALL: u8 = 255;

/// One terrain id for each cell of a grid. Clones share the memory of sectors until either is edited.
#[derive(Debug, Clone)]
pub struct Terrain {
    cells: Blocks<u8>,
    /// The number of cells with each id.
    counts: [u32; 256],
}

impl Terrain {
    /// The memory of the cells in bytes. Blocks of clear ground share theirs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Has the memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.cells.into_blocks());
    }

    /// The memory of all blocks.
    pub(crate) fn blocks(&self) -> &[Arc<Block<u8>>] {
        self.cells.blocks()
    }

    /// Terrain in which all cells of `grid` are clear ground.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let mut counts = [0; 256];
        counts[usize::from(CLEAR)] = grid.cell_count() as u32;
        Self {
            cells: Blocks::new(grid.width() as usize, grid.height() as usize, CLEAR),
            counts,
        }
    }

    fn width(&self) -> usize {
        self.cells.width()
    }

    fn height(&self) -> usize {
        self.cells.height()
    }

    fn check(&self, cell: IVec2) -> Result<(usize, usize)> {
        match (usize::try_from(cell.x), usize::try_from(cell.y)) {
            (Ok(x), Ok(y)) if x < self.width() && y < self.height() => Ok((x, y)),
            _ => Err(Error::CellOutside {
                cell,
                width: self.width() as u32,
                height: self.height() as u32,
            }),
        }
    }

    /// The terrain id of a cell.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn get(&self, cell: IVec2) -> Result<u8> {
        let (x, y) = self.check(cell)?;
        Ok(self.cells.at(x, y))
    }

    /// Sets the id of a cell and returns whether it changed.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn set(&mut self, cell: IVec2, id: u8) -> Result<bool> {
        let (x, y) = self.check(cell)?;
        Ok(self.put(x, y, id))
    }

    /// [`Self::set`] for a cell that is inside the grid.
    fn put(&mut self, x: usize, y: usize, id: u8) -> bool {
        let old = self.cells.replace(x, y, id);
        if old == id {
            return false;
        }
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(id)] += 1;
        true
    }

    /// [`Self::get`] for a cell that is inside the grid.
    #[inline]
    pub(crate) fn id_at(&self, cell: IVec2) -> u8 {
        self.cells.at(cell.x as usize, cell.y as usize)
    }

    /// Rectangles around all cells that differ from those of `other`, which is as large.
    pub(crate) fn differences(&self, other: &Self) -> Vec<CellRect> {
        let rects = self.cells.differences(&other.cells).into_iter();
        let rects = rects.map(|(columns, rows)| CellRect {
            low: IVec2::new(columns.start as i32, rows.start as i32),
            high: IVec2::new(columns.end as i32, rows.end as i32),
        });
        rects.collect()
    }

    /// The ids of all cells.
    pub(crate) fn ids(&self) -> IdSet {
        let mut ids = IdSet::default();
        for (id, &count) in (0..=u8::MAX).zip(&self.counts) {
            if count > 0 {
                ids.insert(id);
            }
        }
        ids
    }

    fn count_ids(&mut self) {
        self.counts = [0; 256];
        let mut row = vec![CLEAR; self.width()];
        for y in 0..self.height() {
            self.copy_row(y, 0, &mut row);
            for &id in &row {
                self.counts[usize::from(id)] += 1;
            }
        }
    }

    /// Sets all cells of a rectangle. An empty rectangle changes nothing, wherever it is.
    ///
    /// # Errors
    /// [`Error::CellOutside`] if a part of the rectangle is outside the grid.
    pub fn fill_rect(&mut self, rect: CellRect, id: u8) -> Result<()> {
        if rect.is_empty() {
            return Ok(());
        }
        self.check(rect.low)?;
        self.check(rect.high - IVec2::ONE)?;
        for y in rect.low.y as usize..rect.high.y as usize {
            for x in rect.low.x as usize..rect.high.x as usize {
                self.put(x, y, id);
            }
        }
        Ok(())
    }

    /// Checks that there is one id per cell.
    pub(crate) fn check_length(&self, bytes: &[u8]) -> Result<()> {
        if bytes.len() == self.width() * self.height() {
            return Ok(());
        }
        Err(Error::Length {
            name: "terrain",
            expected: self.width() * self.height(),
            actual: bytes.len(),
        })
    }

    /// Sets all cells from a row-major array of terrain ids.
    ///
    /// # Errors
    /// [`Error::Length`] if the array does not have exactly one entry for each cell.
    pub fn set_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_length(bytes)?;
        self.cells.set_all(bytes);
        self.count_ids();
        Ok(())
    }

    /// Copies the cells of `other` in the rectangle `from` to the rectangle `to`, as far as rows and columns exist in
    /// both. Each rectangle must be as wide as its terrain.
    pub(crate) fn copy_common(&mut self, to: CellRect, other: &Self, from: CellRect) {
        let columns = self.width().min(other.width());
        let mut bytes = self.to_bytes();
        let count = (to.high.y - to.low.y).min(from.high.y - from.low.y) as usize;
        let rows = bytes.chunks_mut(self.width()).skip(to.low.y as usize);
        for (row, y) in rows.zip(from.low.y as usize..).take(count) {
            other.copy_row(y, 0, &mut row[..columns]);
        }
        // The length is that of this terrain, so this cannot fail.
        drop(self.set_bytes(&bytes));
    }

    /// The terrain ids of all cells in a row-major array.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.width() * self.height()];
        for (y, row) in bytes.chunks_mut(self.width()).enumerate() {
            self.copy_row(y, 0, row);
        }
        bytes
    }

    /// Copies the ids of row `y`, from column `from` on, into `row`.
    pub(crate) fn copy_row(&self, y: usize, from: usize, row: &mut [u8]) {
        self.cells.copy_row(from, y, row);
    }

    /// The number of storage blocks of 32×32 cells that do not share the memory of others.
    #[must_use]
    pub fn own_block_count(&self) -> usize {
        self.cells.own_block_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use proptest::prelude::*;

    fn grid(width: i32, height: i32) -> Grid {
        Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid size")
    }

    proptest! {
        #[test]
        fn terrain_is_an_array_of_bytes(
            width in 1i32..80, height in 1i32..80,
            edits in prop::collection::vec((0i32..80, 0i32..80, any::<u8>()), 0..40),
            seed in any::<u8>(),
        ) {
            let mut expected: Vec<u8> = (0..width * height)
                .map(|index| (index as u8).wrapping_mul(37).wrapping_add(seed))
                .collect();
            let mut terrain = Terrain::new(&grid(width, height));
            terrain.set_bytes(&expected).expect("right length");
            let snapshot = terrain.clone();
            let before = expected.clone();
            for (x, y, id) in edits {
                let inside = x < width && y < height;
                prop_assert_eq!(terrain.set(IVec2::new(x, y), id).is_ok(), inside);
                if inside {
                    expected[(y * width + x) as usize] = id;
                }
            }
            let mut ids = IdSet::default();
            for &id in &expected {
                ids.insert(id);
            }
            prop_assert_eq!(terrain.ids(), ids);
            prop_assert_eq!(terrain.to_bytes(), expected);
            prop_assert_eq!(snapshot.to_bytes(), before, "a snapshot must not see later edits");
        }
    }

    #[test]
    fn clear_sectors_share_their_memory() {
        let mut terrain = Terrain::new(&grid(256, 256));
        assert_eq!(terrain.own_block_count(), 0);
        terrain.set(IVec2::new(200, 3), WALL).expect("inside");
        assert_eq!(terrain.own_block_count(), 1);
    }

    #[test]
    fn a_rectangle_partly_outside_changes_nothing() {
        let mut terrain = Terrain::new(&grid(8, 8));
        let rect = CellRect {
            low: IVec2::new(4, 4),
            high: IVec2::new(9, 6),
        };
        assert!(terrain.fill_rect(rect, WALL).is_err());
        assert!(terrain.to_bytes().iter().all(|&id| id == CLEAR));
    }
}
