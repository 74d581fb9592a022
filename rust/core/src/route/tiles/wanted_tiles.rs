//! Tiles by sector that are made on demand: the common part of [`FirstTiles`](super::FirstTiles) and
//! [`PlainTiles`](super::PlainTiles).

use crate::integrate::Solver;
use crate::movement::CostField;
use crate::route::{GoalRoutes, PortalGraph, Sectors};
use std::collections::{BTreeMap, BTreeSet};

/// The inputs of tiles that are made from routes.
pub(crate) struct RouteSource<'a> {
    pub(crate) graph: &'a PortalGraph,
    pub(crate) routes: &'a GoalRoutes,
    pub(crate) costs: &'a CostField,
    pub(crate) method: Solver,
}

/// The tiles that have been made, and the sectors that wait for a first or another tile.
#[derive(Debug, Clone)]
pub(crate) struct WantedTiles<T> {
    pub(super) tiles: BTreeMap<u32, T>,
    pub(super) wanted: BTreeSet<u32>,
}

impl<T> Default for WantedTiles<T> {
    fn default() -> Self {
        Self {
            tiles: BTreeMap::new(),
            wanted: BTreeSet::new(),
        }
    }
}

impl<T> WantedTiles<T> {
    /// Queues a sector for a new tile.
    pub(super) fn want_new(&mut self, sector: u32) {
        self.wanted.insert(sector);
    }

    /// Returns true if a sector waits for a tile.
    pub(super) fn is_wanted(&self, sector: u32) -> bool {
        self.wanted.contains(&sector)
    }

    /// The first sectors that wait, at most `limit`.
    pub(super) fn next(&self, limit: usize) -> Vec<u32> {
        self.wanted.iter().take(limit).copied().collect()
    }

    /// Stores the tile of a sector, which no longer waits.
    pub(super) fn insert(&mut self, sector: u32, tile: T) {
        self.wanted.remove(&sector);
        self.tiles.insert(sector, tile);
    }

    /// The tile of a sector.
    pub(super) fn get(&self, sector: u32) -> Option<&T> {
        self.tiles.get(&sector)
    }

    pub(super) fn get_mut(&mut self, sector: u32) -> Option<&mut T> {
        self.tiles.get_mut(&sector)
    }

    pub(super) fn tiles(&self) -> impl Iterator<Item = &T> {
        self.tiles.values()
    }

    /// The number of sectors that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.wanted.len()
    }

    /// The number of sectors that have a tile.
    pub(crate) fn count(&self) -> usize {
        self.tiles.len()
    }

    /// Returns true if a sector has a tile.
    pub(crate) fn contains(&self, sector: u32) -> bool {
        self.tiles.contains_key(&sector)
    }

    /// Removes the tiles of `sectors`, ascending, whose ground has changed, and of the sectors around them.
    pub(crate) fn forget_around(&mut self, layout: &Sectors, sectors: &[u32]) {
        let around = |sector: u32| {
            let beside = (0..8).filter_map(move |step| layout.neighbour(sector, step));
            beside.chain([sector])
        };
        if sectors.len() < self.tiles.len() + self.wanted.len() {
            for sector in sectors.iter().flat_map(|&sector| around(sector)) {
                self.forget(sector);
            }
            return;
        }
        let is_near = |sector: u32| around(sector).any(|near| sectors.binary_search(&near).is_ok());
        self.tiles.retain(|&sector, _| !is_near(sector));
        self.wanted.retain(|&sector| !is_near(sector));
    }

    /// Removes the tile of a sector, which no longer waits.
    pub(crate) fn forget(&mut self, sector: u32) {
        self.tiles.remove(&sector);
        self.wanted.remove(&sector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec2;
    use proptest::prelude::*;

    proptest! {
        /// Few sectors and many, in the two ways in which they are looked for.
        #[test]
        fn exactly_the_sectors_around_changed_ones_are_forgotten(
            (width, height) in (1_i32..9, 1_i32..9),
            draws in prop::collection::vec(0_u8..8, 64),
            share in 0_u8..8,
        ) {
            let layout = Sectors::new(IVec2::new(width, height) * 4, 4).expect("in range");
            let count = (width * height) as u32;
            let mut known = WantedTiles::<u8>::default();
            for sector in 0..count {
                match draws[sector as usize] {
                    0..3 => known.insert(sector, 7),
                    3..5 => known.want_new(sector),
                    _ => {}
                }
            }
            let is_changed = |sector: u32| draws[(sector as usize * 7 + 3) % 64] < share;
            let changed: Vec<u32> = (0..count).filter(|&sector| is_changed(sector)).collect();
            let (tiles, wanted) = (known.tiles.clone(), known.wanted.clone());
            known.forget_around(&layout, &changed);
            let place = |sector: u32| IVec2::new(sector as i32 % width, sector as i32 / width);
            let stays = |sector: u32| {
                let away = |&other: &u32| (place(sector) - place(other)).abs().max_element() > 1;
                changed.iter().all(away)
            };
            let tiles: Vec<u32> = tiles.into_keys().filter(|&sector| stays(sector)).collect();
            let wanted: Vec<u32> = wanted.into_iter().filter(|&sector| stays(sector)).collect();
            prop_assert_eq!(known.tiles.into_keys().collect::<Vec<_>>(), tiles);
            prop_assert_eq!(known.wanted.into_iter().collect::<Vec<_>>(), wanted);
        }
    }
}
