//! Entries by square tiles of cells, in chains: a search in a rectangle visits only those near it.

use crate::grid::CellRect;
use glam::IVec2;

/// Edge length of a tile in cells.
const EDGE: i32 = 8;
/// The number of chains, a power of two. Tiles share them.
const CHAINS: usize = 1024;
const END: u32 = u32::MAX;

/// Numbers of entries by the tile of a cell. Between steps only its capacity is kept.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    /// The last entry of each chain; empty until there are entries.
    heads: Vec<u32>,
    /// For each entry its tile and the entry before it in its chain.
    entries: Vec<(IVec2, u32)>,
}

fn chain_of(tile: IVec2) -> usize {
    let mixed = tile.x.wrapping_mul(0x9E37) ^ tile.y.wrapping_mul(0x85EB_CA6B_u32.cast_signed());
    (mixed ^ mixed >> 15).cast_unsigned() as usize % CHAINS
}

impl Tiles {
    /// Empties it, with room for `count` entries.
    pub(super) fn clear(&mut self, count: usize) {
        if !self.entries.is_empty() || self.heads.is_empty() {
            self.heads.clear();
            self.heads.resize(CHAINS, END);
        }
        self.entries.clear();
        self.entries.reserve(count);
    }

    /// Adds the next entry, which has a cell.
    pub(super) fn push(&mut self, cell: IVec2) {
        let tile = cell.div_euclid(IVec2::splat(EDGE));
        let head = &mut self.heads[chain_of(tile)];
        let before = std::mem::replace(head, self.entries.len() as u32);
        self.entries.push((tile, before));
    }

    /// At least all entries whose cells are in `rect`, each once.
    pub(super) fn near(&self, rect: CellRect) -> impl Iterator<Item = usize> {
        let low = rect.low.div_euclid(IVec2::splat(EDGE));
        let high = (rect.high - 1).div_euclid(IVec2::splat(EDGE));
        let tiles = (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| (x, y)));
        tiles.flat_map(|tile| self.of_tile(tile.into()))
    }

    fn of_tile(&self, tile: IVec2) -> impl Iterator<Item = usize> {
        let mut next = self.heads[chain_of(tile)];
        std::iter::from_fn(move || {
            while let Some(&(of, before)) = self.entries.get(next as usize) {
                let number = next as usize;
                next = before;
                if of == tile {
                    return Some(number);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_search_finds_each_entry_near_once(
            cells in prop::collection::vec((-90..90_i32, 0..2000_i32), 0..200),
            (x, y) in (-100..90_i32, 0..2000_i32),
            (width, height) in (1..60_i32, 1..60_i32),
        ) {
            let mut tiles = Tiles::default();
            for _ in 0..2 {
                tiles.clear(cells.len());
                for &cell in &cells {
                    tiles.push(cell.into());
                }
            }
            let low = IVec2::new(x, y);
            let rect = CellRect { low, high: low + IVec2::new(width, height) };
            let mut found: Vec<usize> = tiles.near(rect).collect();
            found.sort_unstable();
            let count = found.len();
            found.dedup();
            prop_assert_eq!(found.len(), count);
            for (number, &cell) in cells.iter().enumerate() {
                prop_assert!(!rect.contains(cell.into()) || found.contains(&number));
            }
        }
    }
}
