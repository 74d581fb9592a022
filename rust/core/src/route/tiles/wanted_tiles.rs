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

    /// Removes the tiles of sectors whose ground has changed, and of the sectors around them.
    pub(crate) fn forget_around(&mut self, layout: &Sectors, sectors: &[u32]) {
        for &sector in sectors {
            let around = (0..8).filter_map(|step| layout.neighbour(sector, step));
            for sector in around.chain([sector]) {
                self.forget(sector);
            }
        }
    }

    /// Removes the tile of a sector, which no longer waits.
    pub(crate) fn forget(&mut self, sector: u32) {
        self.tiles.remove(&sector);
        self.wanted.remove(&sector);
    }
}
