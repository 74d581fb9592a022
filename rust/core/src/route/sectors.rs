//! The division of a map into square sectors (Emerson, Game AI Pro, 23.3).
//!
//! Sectors at the right and lower edge may be smaller, down to one row or column of cells, so a map can have any size.

use crate::error::{Result, in_range};
use crate::grid::CellRect;
use crate::grid::STEPS;
use glam::IVec2;

/// The smallest sector size, in cells.
pub const MIN_SECTOR_SIZE: u32 = 4;
/// The largest sector size, in cells. A position along a side fits into a byte, and the index of a cell within its
/// sector into 16 bits.
pub const MAX_SECTOR_SIZE: u32 = 64;
/// The default sector size, in cells.
pub const DEFAULT_SECTOR_SIZE: u32 = 16;

/// A side of a sector, in the order of the straight [`STEPS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Towards +x.
    East,
    /// Towards +y.
    South,
    /// Towards -x.
    West,
    /// Towards -y.
    North,
}

impl Side {
    /// All sides, in order.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// The side of the neighbouring sector that touches this side.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// The cell with the index `along` on this side of a rectangle of `extent` cells, relative to the rectangle's first
    /// cell.
    #[inline]
    pub(super) fn cell(self, along: i32, extent: IVec2) -> IVec2 {
        match self {
            Self::East => IVec2::new(extent.x - 1, along),
            Self::South => IVec2::new(along, extent.y - 1),
            Self::West => IVec2::new(0, along),
            Self::North => IVec2::new(along, 0),
        }
    }

    /// The step that leaves the sector on this side.
    #[must_use]
    pub fn step(self) -> IVec2 {
        [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y][self as usize]
    }
}

/// The division of a map into sectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sectors {
    size: u32,
    width: u32,
    height: u32,
    columns: u32,
    rows: u32,
}

impl Sectors {
    /// Divides a map of `map` cells into sectors of `size` by `size` cells.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for a size outside [`MIN_SECTOR_SIZE`]..=[`MAX_SECTOR_SIZE`].
    pub fn new(map: IVec2, size: u32) -> Result<Self> {
        in_range("sector_size", size, MIN_SECTOR_SIZE, MAX_SECTOR_SIZE)?;
        let (width, height) = (map.x.cast_unsigned(), map.y.cast_unsigned());
        Ok(Self {
            size,
            width,
            height,
            columns: width.div_ceil(size),
            rows: height.div_ceil(size),
        })
    }

    /// Edge length of a whole sector, in cells.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The number of sectors.
    #[must_use]
    pub fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The number of sectors in a row.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows of sectors.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns true if the cell lies on the map.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        let (x, y) = (cell.x.cast_unsigned(), cell.y.cast_unsigned());
        x < self.width && y < self.height
    }

    /// The size of the map in cells.
    #[must_use]
    #[inline]
    pub fn map_size(&self) -> IVec2 {
        IVec2::new(self.width.cast_signed(), self.height.cast_signed())
    }

    /// The index of the sector that contains a cell of the map. Sectors are numbered row by row.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: IVec2) -> u32 {
        let (x, y) = (cell.x.cast_unsigned(), cell.y.cast_unsigned());
        y / self.size * self.columns + x / self.size
    }

    /// The column and row of a sector.
    #[inline]
    pub(super) fn place_of(&self, sector: u32) -> (u32, u32) {
        (sector % self.columns, sector / self.columns)
    }

    /// The first cell of a sector.
    #[must_use]
    #[inline]
    pub fn low(&self, sector: u32) -> IVec2 {
        let (column, row) = (sector % self.columns, sector / self.columns);
        IVec2::new((column * self.size) as i32, (row * self.size) as i32)
    }

    /// The cells of a sector.
    #[must_use]
    #[inline]
    pub fn rect(&self, sector: u32) -> CellRect {
        let low = self.low(sector);
        CellRect {
            low,
            high: (low + self.size as i32).min(self.map_size()),
        }
    }

    /// The neighbour of a sector in the direction of one of [`STEPS`]; `None` at the edge of the map.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, sector: u32, step: usize) -> Option<u32> {
        let place = IVec2::new(
            (sector % self.columns).cast_signed(),
            (sector / self.columns).cast_signed(),
        ) + STEPS[step];
        let (x, y) = (place.x.cast_unsigned(), place.y.cast_unsigned());
        (x < self.columns && y < self.rows).then(|| y * self.columns + x)
    }

    /// The sectors that contain a cell of a rectangle. The rectangle may extend beyond the map.
    pub fn touched_by(&self, rect: CellRect) -> impl Iterator<Item = u32> + use<> {
        let size = self.size.cast_signed();
        let low = (rect.low.max(IVec2::ZERO) / size).as_uvec2();
        let high = (rect.high.min(self.map_size()) + size - 1).max(IVec2::ZERO) / size;
        let (high, columns) = (high.as_uvec2(), self.columns);
        (low.y..high.y).flat_map(move |y| (low.x..high.x).map(move |x| y * columns + x))
    }

    /// The index of a cell within its sector, row by row.
    #[must_use]
    pub fn place(&self, cell: IVec2) -> usize {
        let rect = self.rect(self.at(cell));
        let inside = cell - rect.low;
        (inside.y * (rect.high.x - rect.low.x) + inside.x) as usize
    }

    /// The cell with the index `place` within a sector.
    pub(super) fn cell_of(&self, sector: u32, place: usize) -> IVec2 {
        let rect = self.rect(sector);
        let (place, width) = (place as i32, rect.high.x - rect.low.x);
        rect.low + IVec2::new(place % width, place / width)
    }

    /// The sector beyond a side; `None` at the edge of the map.
    #[must_use]
    #[inline]
    pub fn beyond(&self, sector: u32, side: Side) -> Option<u32> {
        let (column, row) = (sector % self.columns, sector / self.columns);
        match side {
            Side::East => (column + 1 < self.columns).then(|| sector + 1),
            Side::South => (row + 1 < self.rows).then(|| sector + self.columns),
            Side::West => (column > 0).then(|| sector - 1),
            Side::North => (row > 0).then(|| sector - self.columns),
        }
    }

    /// The difference between the index of the sector beyond a side and a sector's own index.
    #[inline]
    pub(super) fn beyond_offset(&self, side: Side) -> i32 {
        let columns = self.columns as i32;
        [1, columns, -1, -columns][side as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn every_cell_is_in_one_sector() {
        for (width, height, side) in [
            (1, 1, 4),
            (1, 23, 10),
            (33, 17, 16),
            (64, 64, 64),
            (9, 5, 4),
        ] {
            let sectors = Sectors::new(IVec2::new(width, height), side).expect("in range");
            let mut cells = 0;
            for sector in 0..sectors.count() as u32 {
                let rect = sectors.rect(sector);
                for y in rect.low.y..rect.high.y {
                    for x in rect.low.x..rect.high.x {
                        assert_eq!(sectors.at(IVec2::new(x, y)), sector);
                        cells += 1;
                    }
                }
                for (step, by) in STEPS.into_iter().enumerate() {
                    let beside = sectors.neighbour(sector, step);
                    let back = beside.and_then(|other| sectors.neighbour(other, (step + 4) % 8));
                    assert_eq!(back, beside.map(|_| sector), "{by}");
                }
                let touched: Vec<u32> = sectors.touched_by(rect.grown(1)).collect();
                let around = (0..8).filter_map(|step| sectors.neighbour(sector, step));
                let mut expected: Vec<u32> = around.chain([sector]).collect();
                expected.sort_unstable();
                assert_eq!(touched, expected);
            }
            assert_eq!(cells, width * height);
        }
    }

    #[test]
    fn sectors_have_a_size_between_4_and_64() {
        for side in [0, 3, 65] {
            let refused = Sectors::new(IVec2::ONE, side);
            assert!(matches!(
                refused,
                Err(Error::OutOfRange {
                    name: "sector_size",
                    ..
                })
            ));
        }
    }
}
