//! The parameters of tiled goals, and statistics of their work and memory.

use crate::error::{Result, in_range};
use crate::route::Sectors;
use crate::route::tiles::{BakedTiles, CacheStatistics};
use crate::world::FlowWorld;
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::scheduler::RouteQueue;
use crate::world::tiled::tiling::Tiling;

/// The largest size of a cache, in bytes.
pub const MOST_TILE_CACHE_BYTES: u64 = 1 << 40;

/// The work of tiled goals so far, and what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileStats {
    /// The number of tiles that were built. A tile that was built twice counts twice.
    pub built: u64,
    /// The number of first tiles among them: provisional tiles of the first two sectors of routes.
    pub first: u64,
    /// The number of tiles that were loaded or made from loaded ones, which do not count as built.
    pub loaded: u64,
    /// The number of tiles that wait to be built.
    pub waiting: usize,
    /// The number of goals and movement types with routes that wait to be searched.
    pub queued: usize,
    /// The number of sectors that are active or have plain tiles, of all goals and movement types together.
    pub active: usize,
    /// The number of routes that were requested and searched.
    pub routes: u64,
    /// The number of checks whether a goal has moved. Each update checks some goals, and each request the goal of the
    /// request.
    pub checked: u64,
    /// The counts of the tile cache.
    pub cache: CacheStatistics,
}

/// The memory of tiled goals, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileMemory {
    /// The active sectors of all fields, without their tiles.
    pub fields: usize,
    /// First tiles of routes.
    pub first_tiles: usize,
    /// All other tiles.
    pub cache: usize,
    /// Baked tiles that have been read and are kept, and the places of all.
    pub baked: usize,
    /// Routes to the goals.
    pub routes: usize,
    /// Portal graphs.
    pub graphs: usize,
}

impl Tiling {
    /// The most routes that are searched from one update to the next.
    pub(in crate::world) fn route_limit(&self) -> usize {
        self.scheduler.route_limit
    }

    /// The most tiles that an update builds.
    pub(in crate::world) fn tile_limit(&self) -> usize {
        self.scheduler.tile_limit
    }
}

impl FlowWorld {
    /// The edge length of a sector, in cells.
    #[must_use]
    pub fn sector_size(&self) -> u32 {
        self.tiling.sector_size
    }

    /// Sets the edge length of a sector, 4..=64 cells; the default is 16. All tiles are rebuilt.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for any other size.
    pub fn set_sector_size(&mut self, cells: u32) -> Result<()> {
        Sectors::new(self.grid.size(), cells)?;
        if cells != self.tiling.sector_size {
            self.tiling.sector_size = cells;
            self.forget_tiles();
        }
        Ok(())
    }

    /// The variant of tiles.
    #[must_use]
    pub fn tile_variant(&self) -> TileVariant {
        self.tiling.variant
    }

    /// Sets the variant of tiles; the default is [`TileVariant::Seamless`]. A change removes the routes and tiles of
    /// all goals, but not the cache.
    pub fn set_tile_variant(&mut self, variant: TileVariant) {
        if variant != self.tiling.variant {
            self.tiling.variant = variant;
            for goal in self.goals.by_id.values_mut() {
                goal.tiled.clear();
            }
        }
    }

    /// Sets the size of the tile cache in bytes, at least one. Tiles in use are kept even if they exceed it.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for 0, and for more than 2^40.
    pub fn set_tile_cache_bytes(&mut self, bytes: u64) -> Result<()> {
        in_range("tile_cache_bytes", bytes, 1, MOST_TILE_CACHE_BYTES)?;
        if bytes != self.tiling.cache_bytes {
            self.tiling.cache_bytes = bytes;
            self.tiling.cache.set_limit(bytes as usize);
            if let Some(baked) = &mut self.tiling.baked {
                baked.limit = bytes as usize;
            }
        }
        Ok(())
    }

    /// Sets the most tiles that an update builds, for all goals together; the default is
    /// [`DEFAULT_TILE_LIMIT`](super::DEFAULT_TILE_LIMIT). With 0 agents follow routes alone, which lead around walls
    /// but are longer.
    pub fn set_tile_limit(&mut self, tiles: usize) {
        self.tiling.scheduler.tile_limit = tiles;
    }

    /// The work of tiled goals so far. O(goals).
    #[must_use]
    pub fn tile_stats(&self) -> TileStats {
        let Tiling {
            cache,
            tiles_built,
            first_tiles_built,
            tiles_loaded,
            routes_searched,
            checked,
            scheduler,
            ..
        } = &self.tiling;
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.tiled);
        let states = slots.flatten().flat_map(|slot| {
            let pending = slot.pending.iter();
            pending.chain([&slot.current])
        });
        let mut stats = TileStats {
            built: *tiles_built,
            first: *first_tiles_built,
            loaded: *tiles_loaded,
            queued: scheduler.queue.len(),
            routes: *routes_searched,
            checked: *checked,
            cache: cache.statistics(),
            ..TileStats::default()
        };
        for state in states {
            stats.waiting += state.waiting();
            stats.active += state.active_count();
        }
        stats
    }

    /// The number of tiles that were built, as in [`TileStats::built`].
    #[must_use]
    pub fn tiles_built(&self) -> u64 {
        self.tiling.tiles_built
    }

    /// The memory of tiled goals. Linear in the sectors of the map, tiles, goals and movement types.
    #[must_use]
    pub fn tile_memory(&self) -> TileMemory {
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.tiled);
        let graphs = self.tiling.graphs.iter().flatten();
        let baked = self.tiling.baked.as_ref();
        let mut memory = TileMemory {
            cache: self.tiling.cache.statistics().bytes,
            baked: baked.map_or(0, BakedTiles::bytes),
            graphs: graphs.map(|graph| graph.graph.bytes()).sum(),
            ..TileMemory::default()
        };
        for slot in slots.flatten() {
            for state in slot.pending.iter().chain([&slot.current]) {
                memory.fields += state.field.bytes() + state.plain_bytes();
                memory.first_tiles += state.first.bytes();
                memory.routes += state.routes.bytes();
            }
        }
        memory
    }

    /// Sets how many routes to tiled goals are searched from one update to the next, the update included; at least 1,
    /// by default [`DEFAULT_ROUTE_LIMIT`](super::DEFAULT_ROUTE_LIMIT). Long routes, on very large maps, count as
    /// several, and short ones as less than one. Requests beyond the limit wait, with the status
    /// [`super::super::QueryStatus::Queued`]. Updates search them in the order of requests, those for agents before
    /// others, up to three quarters of the limit. A search that reaches the limit goes on in the next update.
    ///
    /// The first search for agents without a direction always begins, and so does the first search of an update.
    /// Queries search at once, and their searches do not count.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for 0.
    pub fn set_route_limit(&mut self, routes: usize) -> Result<()> {
        self.tiling.scheduler.route_limit = in_range("route_limit", routes, 1, usize::MAX)?;
        Ok(())
    }

    /// The most routes that are searched from one update to the next.
    #[must_use]
    pub fn route_limit(&self) -> usize {
        self.tiling.scheduler.route_limit
    }

    /// Removes all graphs, routes and tiles.
    pub(in crate::world) fn forget_tiles(&mut self) {
        self.tiling.graphs.clear();
        self.tiling.baked = None;
        self.tiling.unfinished_graphs.clear();
        self.tiling.scheduler.queue = RouteQueue::default();
        self.tiling.previews = Previews::default();
        for goal in self.goals.by_id.values_mut() {
            goal.tiled.clear();
        }
    }
}
