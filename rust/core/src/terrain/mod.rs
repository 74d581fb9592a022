//! Terrain: one terrain id for each cell, and stamps over painted terrain.
//!
//! Cells are stored in square sectors behind `Arc`s. A snapshot for a background job is a clone of the list of sectors,
//! an edit copies only sectors that a snapshot still holds, and sectors of clear ground share one allocation (Emerson,
//! Game AI Pro, 23.4.1).
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
use crate::grid::{CellRect, Grid};
use crate::retired::Retired;
use glam::IVec2;
use std::sync::Arc;

/// Terrain id of clear ground.
pub const CLEAR: u8 = 1;
/// Terrain id of a wall, if the costs of a movement type equal the ids.
pub const WALL: u8 = 255;

/// The edge length of a storage sector in cells; a sector takes one kibibyte.
const EDGE: usize = 32;

pub(crate) type Sector = [u8; EDGE * EDGE];

/// One terrain id for each cell of a grid. Clones share the memory of sectors until either is edited.
#[derive(Debug, Clone)]
pub struct Terrain {
    width: usize,
    height: usize,
    sectors_per_row: usize,
    sectors: Vec<Arc<Sector>>,
    /// The sector that all sectors of clear ground share.
    clear: Arc<Sector>,
    /// The number of cells with each id.
    counts: [u32; 256],
}

impl Terrain {
    /// The memory of the cells in bytes. Sectors of clear ground share theirs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let is_own = |sector: &&Arc<Sector>| !Arc::ptr_eq(sector, &self.clear);
        let own = self.sectors.iter().filter(is_own).count() + 1;
        own * size_of::<Sector>() + size_of_val(self.sectors.as_slice())
    }

    /// Has the memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.sectors);
    }

    /// Visits the memory of all sectors.
    pub(crate) fn each_sector(&self, visit: impl FnMut(&Arc<Sector>)) {
        self.sectors.iter().for_each(visit);
    }

    /// Terrain in which all cells of `grid` are clear ground.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let sectors_per_row = width.div_ceil(EDGE);
        let clear = Arc::new([CLEAR; EDGE * EDGE]);
        let mut counts = [0; 256];
        counts[usize::from(CLEAR)] = grid.cell_count() as u32;
        Self {
            width,
            height,
            sectors_per_row,
            sectors: vec![Arc::clone(&clear); sectors_per_row * height.div_ceil(EDGE)],
            clear,
            counts,
        }
    }

    fn locate(&self, x: usize, y: usize) -> (usize, usize) {
        (
            (y / EDGE) * self.sectors_per_row + x / EDGE,
            (y % EDGE) * EDGE + x % EDGE,
        )
    }

    fn check(&self, cell: IVec2) -> Result<(usize, usize)> {
        match (usize::try_from(cell.x), usize::try_from(cell.y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => Ok((x, y)),
            _ => Err(Error::CellOutside {
                cell,
                width: self.width as u32,
                height: self.height as u32,
            }),
        }
    }

    /// The terrain id of a cell.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn get(&self, cell: IVec2) -> Result<u8> {
        let (x, y) = self.check(cell)?;
        let (sector, offset) = self.locate(x, y);
        Ok(self.sectors[sector][offset])
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
        let (sector, offset) = self.locate(x, y);
        let old = self.sectors[sector][offset];
        if old == id {
            return false;
        }
        Arc::make_mut(&mut self.sectors[sector])[offset] = id;
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(id)] += 1;
        true
    }

    /// [`Self::get`] for a cell that is inside the grid.
    #[inline]
    pub(crate) fn id_at(&self, cell: IVec2) -> u8 {
        let (sector, offset) = self.locate(cell.x as usize, cell.y as usize);
        self.sectors[sector][offset]
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
        let mut row = vec![CLEAR; self.width];
        for y in 0..self.height {
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
        if bytes.len() == self.width * self.height {
            return Ok(());
        }
        Err(Error::Length {
            name: "terrain",
            expected: self.width * self.height,
            actual: bytes.len(),
        })
    }

    /// Sets all cells from a row-major array of terrain ids.
    ///
    /// # Errors
    /// [`Error::Length`] if the array does not have exactly one entry for each cell.
    pub fn set_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_length(bytes)?;
        for (index, sector) in self.sectors.iter_mut().enumerate() {
            let left = index % self.sectors_per_row * EDGE;
            let top = index / self.sectors_per_row * EDGE;
            let columns = EDGE.min(self.width - left);
            let mut cells = *self.clear;
            for y in top..(top + EDGE).min(self.height) {
                let from = y * self.width + left;
                cells[(y - top) * EDGE..][..columns].copy_from_slice(&bytes[from..from + columns]);
            }
            *sector = if cells == *self.clear {
                Arc::clone(&self.clear)
            } else {
                Arc::new(cells)
            };
        }
        self.count_ids();
        Ok(())
    }

    /// Copies the cells of `other` in the rectangle `from` to the rectangle `to`, as far as rows and columns exist in
    /// both. Each rectangle must be as wide as its terrain.
    pub(crate) fn copy_common(&mut self, to: CellRect, other: &Self, from: CellRect) {
        let columns = self.width.min(other.width);
        let mut bytes = self.to_bytes();
        let count = (to.high.y - to.low.y).min(from.high.y - from.low.y) as usize;
        let rows = bytes.chunks_mut(self.width).skip(to.low.y as usize);
        for (row, y) in rows.zip(from.low.y as usize..).take(count) {
            other.copy_row(y, 0, &mut row[..columns]);
        }
        // The length is that of this terrain, so this cannot fail.
        drop(self.set_bytes(&bytes));
    }

    /// The terrain ids of all cells in a row-major array.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.width * self.height];
        for (y, row) in bytes.chunks_mut(self.width).enumerate() {
            self.copy_row(y, 0, row);
        }
        bytes
    }

    /// Copies the ids of row `y`, from column `from` on, into `row`.
    pub(crate) fn copy_row(&self, y: usize, from: usize, row: &mut [u8]) {
        let mut x = from;
        let mut rest = row;
        while !rest.is_empty() {
            let (sector, offset) = self.locate(x, y);
            let count = (EDGE - x % EDGE).min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&self.sectors[sector][offset..offset + count]);
            x += count;
            rest = later;
        }
    }

    /// The ids of the sector in a column and row of sectors. Cells outside the grid have unspecified ids.
    fn sector(&self, (column, row): (usize, usize)) -> &Sector {
        &self.sectors[row * self.sectors_per_row + column]
    }

    fn set_sector(&mut self, (column, row): (usize, usize), cells: &Sector) {
        self.sectors[row * self.sectors_per_row + column] = if *cells == *self.clear {
            Arc::clone(&self.clear)
        } else {
            Arc::new(*cells)
        };
    }

    /// The number of storage sectors that do not share the memory of clear ground.
    #[must_use]
    pub fn unique_sector_count(&self) -> usize {
        self.sectors
            .iter()
            .filter(|sector| !Arc::ptr_eq(sector, &self.clear))
            .count()
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
        assert_eq!(terrain.unique_sector_count(), 0);
        terrain.set(IVec2::new(200, 3), WALL).expect("inside");
        assert_eq!(terrain.unique_sector_count(), 1);
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
