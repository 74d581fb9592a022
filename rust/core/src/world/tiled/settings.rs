//! How tiled goals are dealt with, and what that takes.

use crate::error::{Result, in_range};
use crate::route::Sectors;
use crate::route::tiles::CacheStatistics;
use crate::world::FlowWorld;
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::route_queue::RouteQueue;
use crate::world::tiled::tiling::Tiling;

/// The most bytes that a cache may be given.
pub const MOST_TILE_CACHE_BYTES: u64 = 1 << 40;

/// What tiled goals have taken so far, and what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileStats {
    /// Tiles that were built, some of them more than once.
    pub built: u64,
    /// Those among them that were made at once, of the first two sectors of routes, until these have been
    /// built.
    pub first: u64,
    /// Tiles that wait to be built.
    pub waiting: usize,
    /// Goals and movement types to which routes wait to be searched.
    pub queued: usize,
    /// Sectors that are active, or have plain tiles, of all goals and movement types together.
    pub active: usize,
    /// Routes that were asked for and searched.
    pub routes: u64,
    /// How often a goal was checked for whether it has moved: each in every update and after edits, and the
    /// one that is asked for.
    pub checked: u64,
    /// How the tile cache has done.
    pub cache: CacheStatistics,
}

/// Memory of what tiled goals hold, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileMemory {
    /// Which sectors are active, and what is known of them besides their tiles.
    pub fields: usize,
    /// First tiles of routes.
    pub first_tiles: usize,
    /// All other tiles.
    pub cache: usize,
    /// Routes to the goals.
    pub routes: usize,
    /// Portal graphs.
    pub graphs: usize,
}

impl FlowWorld {
    /// The edge length of a sector, in cells.
    #[must_use]
    pub fn sector_size(&self) -> u32 {
        self.tiling.sector_size
    }

    /// Divides the map into other sectors, 4..=64 cells wide; the default is 16. All tiles are built anew.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn set_sector_size(&mut self, cells: u32) -> Result<()> {
        Sectors::new(self.grid.size(), cells)?;
        if cells != self.tiling.sector_size {
            self.tiling.sector_size = cells;
            self.forget_tiles();
        }
        Ok(())
    }

    /// From what tiles are made.
    #[must_use]
    pub fn tile_variant(&self) -> TileVariant {
        self.tiling.variant
    }

    /// Makes tiles in another way; [`TileVariant::Seamless`] unless set. Routes and tiles of all goals are
    /// forgotten then, but for the cache.
    pub fn set_tile_variant(&mut self, variant: TileVariant) {
        if variant != self.tiling.variant {
            self.tiling.variant = variant;
            for goal in self.goals.by_id.values_mut() {
                goal.tiled.clear();
            }
        }
    }

    /// How many bytes of tiles are kept, at least one. Tiles in use are kept however many they are.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for none, and for more than 2^40.
    pub fn set_tile_cache_bytes(&mut self, bytes: u64) -> Result<()> {
        in_range("tile_cache_bytes", bytes, 1, MOST_TILE_CACHE_BYTES)?;
        if bytes != self.tiling.cache_bytes {
            self.tiling.cache_bytes = bytes;
            self.tiling.cache.set_limit(bytes as usize);
        }
        Ok(())
    }

    /// How many tiles an update builds at most, of all goals together; [`DEFAULT_TILE_LIMIT`](super::DEFAULT_TILE_LIMIT) unless set.
    /// With 0 agents go by routes alone, which know walls but are longer.
    pub fn set_tile_limit(&mut self, tiles: usize) {
        self.tiling.limit = tiles;
    }

    /// For how many seconds routes are searched and tiles are built from one update to the next, the update included;
    /// infinity, the default, is no limit. What waits to be searched gets half of it at most. Has no
    /// effect without a clock. When a route or tile is there then depends on the machine's speed: leave it where
    /// runs must repeat exactly.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a negative number.
    pub fn set_tile_seconds(&mut self, seconds: f64) -> Result<()> {
        in_range("tile_seconds", seconds, 0.0, f64::INFINITY)?;
        self.tiling.seconds = seconds;
        Ok(())
    }

    /// What tiled goals have taken so far. O(goals).
    #[must_use]
    pub fn tile_stats(&self) -> TileStats {
        let Tiling {
            cache,
            built,
            first,
            asked,
            checked,
            queue,
            ..
        } = &self.tiling;
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.tiled);
        let states = slots.flatten().flat_map(|slot| {
            let next = slot.next.iter();
            next.chain([&slot.current])
        });
        let mut stats = TileStats {
            built: *built,
            first: *first,
            queued: queue.len(),
            routes: *asked,
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

    /// Memory of what tiled goals hold. Linear in the sectors of the map, tiles, goals and movement types.
    #[must_use]
    pub fn tile_memory(&self) -> TileMemory {
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.tiled);
        let graphs = self.tiling.graphs.iter().flatten();
        let mut memory = TileMemory {
            cache: self.tiling.cache.statistics().bytes,
            graphs: graphs.map(|graph| graph.graph.bytes()).sum(),
            ..TileMemory::default()
        };
        for slot in slots.flatten() {
            for state in slot.next.iter().chain([&slot.current]) {
                memory.fields += state.field.bytes() + state.plain_bytes();
                memory.first_tiles += state.first.bytes();
                memory.routes += state.routes.bytes();
            }
        }
        memory
    }

    /// Forgets all graphs, routes and tiles.
    pub(in crate::world) fn forget_tiles(&mut self) {
        self.tiling.graphs.clear();
        self.tiling.queue = RouteQueue::default();
        self.tiling.previews = Previews::default();
        for goal in self.goals.by_id.values_mut() {
            goal.tiled.clear();
        }
    }
}
