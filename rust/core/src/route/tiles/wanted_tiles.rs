//! Tiles by sector that are made when they are wanted.

use crate::integrate::Solver;
use crate::movement::CostField;
use crate::route::{GoalRoutes, PortalGraph, Sectors};
use std::collections::{BTreeMap, BTreeSet};

/// What tiles are made from that routes lead to.
pub(crate) struct RouteSource<'a> {
    pub(crate) graph: &'a PortalGraph,
    pub(crate) routes: &'a GoalRoutes,
    pub(crate) costs: &'a CostField,
    pub(crate) method: Solver,
}

/// Tiles, and the sectors that wait for theirs or for another one.
#[derive(Debug, Clone)]
pub(crate) struct WantedTiles<T> {
    tiles: BTreeMap<u32, T>,
    wanted: BTreeSet<u32>,
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
    /// Lets a sector wait for a tile.
    pub(super) fn want_new(&mut self, sector: u32) {
        self.wanted.insert(sector);
    }

    /// Whether a sector waits.
    pub(super) fn is_wanted(&self, sector: u32) -> bool {
        self.wanted.contains(&sector)
    }

    /// The first sectors that wait, at most so many.
    pub(super) fn next(&self, limit: usize) -> Vec<u32> {
        self.wanted.iter().take(limit).copied().collect()
    }

    /// Takes in the tile of a sector.
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

    /// How many sectors wait.
    pub(crate) fn waiting(&self) -> usize {
        self.wanted.len()
    }

    /// How many sectors have a tile.
    pub(crate) fn count(&self) -> usize {
        self.tiles.len()
    }

    /// Whether a sector has a tile.
    pub(crate) fn contains(&self, sector: u32) -> bool {
        self.tiles.contains_key(&sector)
    }

    /// Forgets the tiles of sectors and of the sectors around them, whose ground has changed.
    pub(crate) fn forget_around(&mut self, layout: &Sectors, sectors: &[u32]) {
        for &sector in sectors {
            let around = (0..8).filter_map(|step| layout.neighbour(sector, step));
            for sector in around.chain([sector]) {
                self.forget(sector);
            }
        }
    }

    /// Forgets the tile of a sector.
    pub(crate) fn forget(&mut self, sector: u32) {
        self.tiles.remove(&sector);
        self.wanted.remove(&sector);
    }
}
