//! The data that all tiled goals of a world share, and the slot of a goal and movement type.

use crate::route::tiles::{TileCache, TileSolver};
use crate::route::{DEFAULT_SECTOR_SIZE, PortalGraph, SectorSearch};
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::budget_used::{BudgetUsed, DEFAULT_ROUTE_LIMIT};
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::pending_work::PendingWork;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::route_queue::RouteQueue;
use crate::world::tiled::spare::Spare;
use std::collections::VecDeque;
use std::sync::Arc;

/// The portal graph of a movement type.
#[derive(Debug)]
pub(in crate::world) struct Graph {
    pub(super) graph: Arc<PortalGraph>,
    /// The revision of the settled costs that it was made for.
    pub(super) revision: u64,
    /// The revision of the same costs as queries count it.
    pub(super) newest: u64,
    /// For each of the last edits the revision before it, and the sectors whose part of the graph it has changed.
    pub(super) change_log: VecDeque<(u64, Vec<u32>)>,
}

/// The data that all tiled goals of a world share.
#[derive(Debug)]
pub(in crate::world) struct Tiling {
    pub(super) sector_size: u32,
    pub(super) variant: TileVariant,
    /// The most tiles that an update builds.
    pub(super) tile_limit: usize,
    /// The most routes that are searched in a tick.
    pub(super) route_limit: usize,
    /// The most seconds of a tick in which routes are searched and tiles are built.
    pub(super) tile_seconds: f64,
    pub(super) used: BudgetUsed,
    /// The number of updates.
    pub(super) tick: u64,
    pub(super) queue: RouteQueue,
    pub(super) pending: PendingWork,
    pub(super) cache: TileCache,
    pub(super) cache_bytes: u64,
    /// One solver for each thread.
    pub(super) solvers: Vec<TileSolver>,
    pub(super) search: SectorSearch,
    /// The graph of each movement type that has been requested.
    pub(super) graphs: Vec<Option<Graph>>,
    pub(super) spare: Option<Spare>,
    /// Data that only queries use.
    pub(super) previews: Previews,
    /// The goal and movement type whose tiles were built last.
    pub(super) last_built: Option<(GoalId, usize)>,
    /// The goal and movement type whose routes were renewed last.
    pub(super) last_renewed: Option<(GoalId, usize)>,
    /// The moved goal for which a new state was begun last.
    pub(super) last_moved: Option<GoalId>,
    /// The number of updates in which each goal that moves has one turn for near fields.
    pub(super) near_field_turns: u64,
    /// The goal that was synchronised last, and the number of goals that may not have all edits.
    pub(super) sync_cursor: Option<GoalId>,
    pub(super) unsynced: usize,
    pub(super) tiles_built: u64,
    /// The number of first tiles among the tiles built.
    pub(super) first_tiles_built: u64,
    pub(super) routes_searched: u64,
    pub(super) checked: u64,
}

impl Default for Tiling {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            variant: TileVariant::default(),
            tile_limit: DEFAULT_TILE_LIMIT,
            route_limit: DEFAULT_ROUTE_LIMIT,
            tile_seconds: f64::INFINITY,
            used: BudgetUsed::default(),
            tick: 0,
            queue: RouteQueue::default(),
            pending: PendingWork::default(),
            cache: TileCache::new(DEFAULT_TILE_CACHE_BYTES as usize),
            cache_bytes: DEFAULT_TILE_CACHE_BYTES,
            solvers: vec![TileSolver::new()],
            search: SectorSearch::new(),
            graphs: Vec::new(),
            spare: None,
            previews: Previews::default(),
            last_built: None,
            last_renewed: None,
            last_moved: None,
            near_field_turns: 1,
            sync_cursor: None,
            unsynced: 0,
            tiles_built: 0,
            first_tiles_built: 0,
            routes_searched: 0,
            checked: 0,
        }
    }
}

/// The slot of a tiled goal and a movement type.
#[derive(Debug)]
pub(in crate::world) struct TiledSlot {
    /// The current state, which agents follow.
    pub(super) current: Arc<TiledGoalState>,
    /// The pending state, which agents follow when its tiles are built.
    pub(super) pending: Option<Arc<TiledGoalState>>,
    /// The sectors in which agents stood before the last update, and those in which they have stood since.
    pub(super) stood: Vec<u32>,
    pub(super) standing: Vec<u32>,
    /// The revision of the costs that the slot is up to date with.
    pub(super) revision: u64,
    /// How the goal is followed if it walks.
    pub(super) pursuit: Pursuit,
}

impl TiledSlot {
    /// Queues the missing plain tiles of the sectors in which agents stand.
    pub(in crate::world) fn want_plain(&mut self, graph: &PortalGraph, sectors: &[u32]) {
        for state in self.pending.iter_mut().chain([&mut self.current]) {
            for &sector in sectors {
                if state.needs_plain(graph, sector) {
                    Arc::make_mut(state).want_plain(graph, sector);
                }
            }
        }
    }
}

/// The default for the most tiles that an update builds: a few milliseconds of work.
pub const DEFAULT_TILE_LIMIT: usize = 256;

/// The default size of the tile cache, in bytes.
pub const DEFAULT_TILE_CACHE_BYTES: u64 = 64 << 20;
