//! What all tiled goals of a world share, and what each has.

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
    /// Of the settled costs that it was made for.
    pub(super) revision: u64,
    /// The same state of the costs, as queries number it.
    pub(super) newest: u64,
    /// Of the last edits the revision before, and the sectors of which parts have changed.
    pub(super) change_log: VecDeque<(u64, Vec<u32>)>,
}

/// What all tiled goals of a world share.
#[derive(Debug)]
pub(in crate::world) struct Tiling {
    pub(super) sector_size: u32,
    pub(super) variant: TileVariant,
    /// How many tiles an update builds at most.
    pub(super) limit: usize,
    /// How many routes are searched in a tick at most.
    pub(super) route_limit: usize,
    /// For how many seconds routes are searched and tiles are built in a tick at most.
    pub(super) seconds: f64,
    pub(super) used: BudgetUsed,
    /// Counts the updates.
    pub(super) tick: u64,
    pub(super) queue: RouteQueue,
    pub(super) pending: PendingWork,
    pub(super) cache: TileCache,
    pub(super) cache_bytes: u64,
    /// One for each thread.
    pub(super) solvers: Vec<TileSolver>,
    pub(super) search: SectorSearch,
    /// By movement type; only those that something asked for.
    pub(super) graphs: Vec<Option<Graph>>,
    pub(super) spare: Option<Spare>,
    /// What only queries read.
    pub(super) previews: Previews,
    /// Whose tiles were built last.
    pub(super) last: Option<(GoalId, usize)>,
    /// Whose routes were found anew last, after an edit.
    pub(super) renewed: Option<(GoalId, usize)>,
    /// To which moved goal new ways were begun last.
    pub(super) moved: Option<GoalId>,
    /// In each of so many updates near fields of some goals that move are found.
    pub(super) turns: u64,
    /// The goal that was synchronised last, and how many may not know all edits.
    pub(super) sync_cursor: Option<GoalId>,
    pub(super) unsynced: usize,
    pub(super) built: u64,
    /// First tiles among them.
    pub(super) first: u64,
    pub(super) asked: u64,
    pub(super) checked: u64,
}

impl Default for Tiling {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            variant: TileVariant::default(),
            limit: DEFAULT_TILE_LIMIT,
            route_limit: DEFAULT_ROUTE_LIMIT,
            seconds: f64::INFINITY,
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
            last: None,
            renewed: None,
            moved: None,
            turns: 1,
            sync_cursor: None,
            unsynced: 0,
            built: 0,
            first: 0,
            asked: 0,
            checked: 0,
        }
    }
}

/// The ways to a tiled goal for a movement type.
#[derive(Debug)]
pub(in crate::world) struct TiledSlot {
    /// What agents follow.
    pub(super) current: Arc<TiledGoalState>,
    /// What they are to follow when its tiles are there.
    pub(super) next: Option<Arc<TiledGoalState>>,
    /// The sectors in which agents stood before the last update, and in which they have stood since.
    pub(super) stood: Vec<u32>,
    pub(super) standing: Vec<u32>,
    /// Of the costs that all this knows.
    pub(super) revision: u64,
    /// How the goal is followed if it walks.
    pub(super) pursuit: Pursuit,
}

impl TiledSlot {
    /// Queues the plain tiles of the sectors in which agents stand, where there are none.
    pub(in crate::world) fn want_plain(&mut self, graph: &PortalGraph, sectors: &[u32]) {
        for state in self.next.iter_mut().chain([&mut self.current]) {
            for &sector in sectors {
                if state.needs_plain(graph, sector) {
                    Arc::make_mut(state).want_plain(graph, sector);
                }
            }
        }
    }
}

/// How many tiles an update builds at most unless another number is chosen: a few milliseconds' work.
pub const DEFAULT_TILE_LIMIT: usize = 256;

/// The size of the tile cache, in bytes, unless another is chosen.
pub const DEFAULT_TILE_CACHE_BYTES: u64 = 64 << 20;
