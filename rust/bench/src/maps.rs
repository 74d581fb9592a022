//! Cost maps and their deterministic generators.
//!
//! A generator returns the same map for the same arguments on every machine: it uses integer hashing and no
//! floating-point operations beyond basic arithmetic.

mod blocks;
mod caves;
mod components;
mod maze;
mod noise;
mod random;
mod random_walls;
mod rooms;
mod serpentine;
mod terrain;

pub use blocks::blocks;
pub use caves::caves;
pub use components::{areas, largest_component, largest_component_cell};
pub use maze::maze;
pub use random::SplitMix64;
pub(crate) use random::mix;
pub use random_walls::random_walls;
pub use rooms::rooms;
pub use serpentine::serpentine;
pub use terrain::terrain;

use glam::Vec2;

/// The cost that marks a wall.
pub const WALL: u8 = 255;

/// The cost of each cell of a rectangular grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostMap {
    /// Cells per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Cost per unit of length, row by row: 1 (clear) to 254 (slow), or [`WALL`]. Never 0.
    pub cost: Vec<u8>,
}

impl CostMap {
    /// Returns a map in which all cells have the same cost.
    #[must_use]
    pub fn filled(width: usize, height: usize, cost: u8) -> Self {
        Self {
            width,
            height,
            cost: vec![cost; width * height],
        }
    }

    /// Parses a map with one character per cell: `#` or `@` is a wall, a digit 1 to 9 is a cost, everything else is
    /// clear.
    ///
    /// # Panics
    /// If the rows differ in length.
    #[must_use]
    pub fn from_rows(rows: &[&str]) -> Self {
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut map = Self {
            width,
            height: rows.len(),
            cost: Vec::with_capacity(width * rows.len()),
        };
        for row in rows {
            assert_eq!(row.chars().count(), width, "row {row:?} differs in length");
            map.cost.extend(row.chars().map(|symbol| match symbol {
                '#' | '@' => WALL,
                '1'..='9' => symbol as u8 - b'0',
                _ => 1,
            }));
        }
        map
    }

    /// The number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cost.len()
    }

    /// Returns `true` if the map has no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cost.is_empty()
    }

    /// The row-major index of a cell.
    #[must_use]
    pub fn index(&self, x: usize, y: usize) -> usize {
        y * self.width + x
    }

    /// The column and row of a row-major index.
    #[must_use]
    pub fn position(&self, cell: usize) -> (usize, usize) {
        (cell % self.width, cell / self.width)
    }

    /// The centre of a cell, for cells of side 1 and a map whose lower corner is the origin.
    #[must_use]
    pub fn middle_of(&self, cell: usize) -> Vec2 {
        let (x, y) = self.position(cell);
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
    }

    /// Returns `true` if the cell exists and is not a wall.
    #[must_use]
    pub fn is_passable(&self, cell: usize) -> bool {
        self.cost.get(cell).is_some_and(|&cost| cost != WALL)
    }

    /// The index of the cell `(dx, dy)` away; `None` outside the map.
    #[must_use]
    pub fn offset(&self, cell: usize, (dx, dy): (isize, isize)) -> Option<usize> {
        let (x, y) = self.position(cell);
        let x = x.checked_add_signed(dx).filter(|&x| x < self.width)?;
        let y = y.checked_add_signed(dy).filter(|&y| y < self.height)?;
        Some(self.index(x, y))
    }

    /// Returns `true` if one of the eight neighbours inside the map is a wall.
    #[must_use]
    pub fn touches_wall(&self, cell: usize) -> bool {
        crate::steps::STEPS.iter().any(|&step| {
            self.offset(cell, step)
                .is_some_and(|other| self.cost[other] == WALL)
        })
    }
}

/// A map without walls in which every cell has cost 1.
#[must_use]
pub fn open(width: usize, height: usize) -> CostMap {
    CostMap::filled(width, height, 1)
}

/// One map of each kind, with its name. Tests that cover "every map" use these.
#[must_use]
pub fn every_kind(width: usize, height: usize, seed: u64) -> Vec<(&'static str, CostMap)> {
    vec![
        ("open", open(width, height)),
        ("rooms", rooms(width, height, 12, seed)),
        ("terrain", terrain(width, height, seed)),
        ("random-15%", random_walls(width, height, 15, seed)),
        ("random-35%", random_walls(width, height, 35, seed)),
        ("maze", maze(width, height, seed)),
        ("caves", caves(width, height, seed)),
        ("serpentine", serpentine(width, height, 2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(usize, usize); 6] = [(0, 0), (1, 1), (1, 9), (9, 1), (37, 91), (64, 64)];

    #[test]
    fn every_map_has_its_size_and_only_legal_costs() {
        for (width, height) in SIZES {
            for (name, map) in every_kind(width, height, 7) {
                assert_eq!(
                    (map.width, map.height, map.len()),
                    (width, height, width * height),
                    "{name}"
                );
                assert!(map.cost.iter().all(|&cost| cost > 0), "{name}");
            }
        }
    }

    #[test]
    fn maps_repeat_for_a_seed_and_differ_between_seeds() {
        assert_eq!(every_kind(50, 40, 3), every_kind(50, 40, 3));
        for ((name, one), (_, other)) in
            every_kind(50, 40, 3).into_iter().zip(every_kind(50, 40, 4))
        {
            let seeded = !matches!(name, "open" | "serpentine");
            assert_eq!(one != other, seeded, "{name}");
        }
    }

    #[test]
    fn maps_are_the_same_on_every_machine() {
        let fingerprint = |map: &CostMap| {
            map.cost
                .iter()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &cost| {
                    (hash ^ u64::from(cost)).wrapping_mul(0x0100_0000_01b3)
                })
        };
        let found: Vec<_> = every_kind(61, 47, 1)
            .iter()
            .map(|(name, map)| (*name, fingerprint(map)))
            .collect();
        let expected = [
            ("open", 17_461_396_233_585_963_218),
            ("rooms", 9_075_952_621_904_941_798),
            ("terrain", 4_429_304_590_118_114_658),
            ("random-15%", 1_427_621_372_067_685_044),
            ("random-35%", 13_850_233_613_774_913_278),
            ("maze", 1_365_215_186_734_937_902),
            ("caves", 8_178_721_957_465_078_986),
            ("serpentine", 4_642_290_658_532_404_484),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_can_be_drawn() {
        let map = CostMap::from_rows(&[".#", "7@", ".."]);
        assert_eq!((map.width, map.height), (2, 3));
        assert_eq!(map.cost, [1, WALL, 7, WALL, 1, 1]);
        assert!(map.is_passable(map.index(0, 1)));
        assert!(!map.is_passable(6));
        assert_eq!(map.middle_of(3), Vec2::new(1.5, 1.5));
        assert_eq!(map.offset(0, (-1, 0)), None);
        assert_eq!(map.offset(5, (-1, -1)), Some(2));
        assert!(map.touches_wall(5));
        assert!(!CostMap::from_rows(&["..#"]).touches_wall(0));
    }
}
