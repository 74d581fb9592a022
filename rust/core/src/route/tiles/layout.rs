//! Sectors: the squares that a map is divided into (Emerson, Game AI Pro, 23.3).

use crate::error::{Error, Result};
use crate::grid::CellRect;
use crate::movement::STEPS;
use glam::IVec2;

/// The least and the greatest number of cells along a sector's side.
pub const SECTOR_SIZES: (u32, u32) = (4, 64);

/// Which cells belong to which sector. Sectors are numbered row by row; those at the far edges of the map
/// may be smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectorLayout {
    /// Of the map, in cells.
    size: IVec2,
    side: i32,
    sectors: IVec2,
}

impl SectorLayout {
    /// Sectors of `side` × `side` cells on a map of `size` cells.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a side outside 4..=64.
    pub fn new(size: IVec2, side: u32) -> Result<Self> {
        let (least, most) = SECTOR_SIZES;
        if !(least..=most).contains(&side) {
            return Err(Error::OutOfRange {
                name: "sector_size",
                value: f64::from(side),
                min: f64::from(least),
                max: f64::from(most),
            });
        }
        let side = side.cast_signed();
        let sectors = (size + side - 1) / side;
        Ok(Self {
            size,
            side,
            sectors,
        })
    }

    /// How many sectors there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sectors.x as usize * self.sectors.y as usize
    }

    /// Cells along a sector's side.
    #[must_use]
    pub fn side(&self) -> u32 {
        self.side.cast_unsigned()
    }

    /// Size of the map in cells.
    #[must_use]
    pub fn map_size(&self) -> IVec2 {
        self.size
    }

    /// The sector of a cell of the map.
    #[must_use]
    #[inline]
    pub fn sector_of(&self, cell: IVec2) -> u32 {
        self.number(cell / self.side)
    }

    /// The cells of a sector.
    #[must_use]
    #[inline]
    pub fn rect(&self, sector: u32) -> CellRect {
        let low = self.place(sector) * self.side;
        CellRect {
            low,
            high: (low + self.side).min(self.size),
        }
    }

    /// The sector that lies beside another by one of [`STEPS`], if there is one.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, sector: u32, step: usize) -> Option<u32> {
        let place = self.place(sector) + STEPS[step];
        self.contains(place).then(|| self.number(place))
    }

    /// The sectors that hold a cell of a rectangle, which may reach beyond the map.
    pub fn touched_by(&self, rect: CellRect) -> impl Iterator<Item = u32> + use<> {
        let layout = *self;
        let low = rect.low.max(IVec2::ZERO) / self.side;
        let high = (rect.high.min(self.size) + self.side - 1) / self.side;
        (low.y..high.y)
            .flat_map(move |y| (low.x..high.x).map(move |x| layout.number(IVec2::new(x, y))))
    }

    fn contains(&self, place: IVec2) -> bool {
        place.cmpge(IVec2::ZERO).all() && place.cmplt(self.sectors).all()
    }

    fn place(&self, sector: u32) -> IVec2 {
        let sector = sector.cast_signed();
        IVec2::new(sector % self.sectors.x, sector / self.sectors.x)
    }

    fn number(&self, place: IVec2) -> u32 {
        (place.y * self.sectors.x + place.x).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_sector() {
        for (width, height, side) in [
            (1, 1, 4),
            (1, 23, 10),
            (33, 17, 16),
            (64, 64, 64),
            (9, 5, 4),
        ] {
            let layout = SectorLayout::new(IVec2::new(width, height), side).expect("in range");
            let mut cells = 0;
            for sector in 0..layout.count() as u32 {
                let rect = layout.rect(sector);
                for y in rect.low.y..rect.high.y {
                    for x in rect.low.x..rect.high.x {
                        assert_eq!(layout.sector_of(IVec2::new(x, y)), sector);
                        cells += 1;
                    }
                }
                for (step, by) in STEPS.into_iter().enumerate() {
                    let beside = layout.neighbour(sector, step);
                    let back = beside.and_then(|other| layout.neighbour(other, (step + 4) % 8));
                    assert_eq!(back, beside.map(|_| sector), "{by}");
                }
                let touched: Vec<u32> = layout.touched_by(rect.grown(1)).collect();
                let around = (0..8).filter_map(|step| layout.neighbour(sector, step));
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
            let refused = SectorLayout::new(IVec2::ONE, side);
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
