//! Tiled goals: routes over the portal graph and tiles along them, behind the same questions as whole
//! fields (Emerson, Game AI Pro, chapter 23).
//!
//! Agents request routes from where they are, and games from where agents will be. The sectors that a route
//! crosses, and those beside them, become active, and [`FlowWorld::update`] builds their tiles, so many at a time.
//! Until an agent's tile is there the route itself says where to walk. Queries request nothing (`previews`). Edits change the portal graph and the tiles that depend on them;
//! old tiles are served meanwhile.

mod budget;
mod building;
mod following;
mod goal_state;
mod moving;
mod paths;
mod pending_work;
mod previews;
mod pursuit;
mod requests;
mod route_queue;
mod saving;
mod settings;
mod spare;
mod straight;
mod syncing;
mod views;
mod walking;

pub use budget::DEFAULT_ROUTE_LIMIT;
pub use following::TiledRoute;
pub(crate) use goal_state::RouteNeed;
pub(crate) use route_queue::RequestPriority;
pub use settings::{
    DEFAULT_TILE_CACHE_BYTES, DEFAULT_TILE_LIMIT, MOST_TILE_CACHE_BYTES, TileMemory, TileStats,
};
pub use straight::StraightRoute;

use super::GoalId;
use crate::integrate::Solver;
use crate::route::tiles::{TileCache, TileSolver};
use crate::route::{DEFAULT_SECTOR_SIZE, PortalGraph, SectorSearch};
use budget::BudgetUsed;
use goal_state::TiledGoalState;
use pending_work::PendingWork;
use previews::Previews;
use pursuit::Pursuit;
use route_queue::RouteQueue;
use spare::Spare;
use std::collections::VecDeque;
use std::sync::Arc;

/// How directions to a goal are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GoalMode {
    /// One field over the whole map.
    #[default]
    Full,
    /// Tiles along the routes that something asked for.
    Tiled,
}

/// From what tiles of tiled goals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TileVariant {
    /// Costs are carried over from tile to tile: they lead where a whole field would.
    #[default]
    Seamless,
    /// Each tile leads to the exits of its sector alone: longer ways, but tiles are shared by goals to which
    /// ways leave a sector alike. Where there are links it is as [`Self::Seamless`].
    Plain,
}

/// The portal graph of a movement type.
#[derive(Debug)]
struct Graph {
    graph: Arc<PortalGraph>,
    /// Of the settled costs that it was made for.
    revision: u64,
    /// The same state of the costs, as queries number it.
    newest: u64,
    /// Of the last edits the revision before, and the sectors of which parts have changed.
    news: VecDeque<(u64, Vec<u32>)>,
}

/// What all tiled goals of a world share.
#[derive(Debug)]
pub(super) struct Tiling {
    sector_size: u32,
    variant: TileVariant,
    /// How many tiles an update builds at most.
    limit: usize,
    /// How many routes are searched in a tick at most.
    route_limit: usize,
    /// For how many seconds routes are searched and tiles are built in a tick at most.
    seconds: f64,
    spent: BudgetUsed,
    /// Counts the updates.
    tick: u64,
    queue: RouteQueue,
    pending: PendingWork,
    cache: TileCache,
    cache_bytes: u64,
    /// One for each thread.
    solvers: Vec<TileSolver>,
    search: SectorSearch,
    /// By movement type; only those that something asked for.
    graphs: Vec<Option<Graph>>,
    spare: Option<Spare>,
    /// What only queries read.
    previews: Previews,
    /// Whose tiles were built last.
    last: Option<(GoalId, usize)>,
    /// Whose routes were found anew last, after an edit.
    renewed: Option<(GoalId, usize)>,
    /// To which moved goal new ways were begun last.
    moved: Option<GoalId>,
    /// In each of so many updates near fields of some goals that move are found.
    turns: u64,
    /// The goal that was synchronised last, and how many may not know all edits.
    sync_cursor: Option<GoalId>,
    unsynced: usize,
    built: u64,
    /// First tiles among them.
    first: u64,
    asked: u64,
    checked: u64,
}

impl Default for Tiling {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            variant: TileVariant::default(),
            limit: DEFAULT_TILE_LIMIT,
            route_limit: DEFAULT_ROUTE_LIMIT,
            seconds: f64::INFINITY,
            spent: BudgetUsed::default(),
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

/// What ways to a goal are made from, besides the costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GoalVersion {
    /// How often the goal had been moved.
    goal: u64,
    solver: Solver,
}

/// The ways to a tiled goal for a movement type.
#[derive(Debug)]
pub(super) struct TiledSlot {
    /// What agents follow.
    current: Arc<TiledGoalState>,
    /// What they are to follow when its tiles are there.
    next: Option<Arc<TiledGoalState>>,
    /// The sectors in which agents stood before the last update, and in which they have stood since.
    stood: Vec<u32>,
    standing: Vec<u32>,
    /// Of the costs that all this knows.
    revision: u64,
    /// How the goal is followed if it walks.
    pursuit: Pursuit,
}

impl TiledSlot {
    /// Queues the plain tiles of the sectors in which agents stand, where there are none.
    fn want_plain(&mut self, graph: &PortalGraph, sectors: &[u32]) {
        for ways in self.next.iter_mut().chain([&mut self.current]) {
            for &sector in sectors {
                if ways.lacks_plain(graph, sector) {
                    Arc::make_mut(ways).want_plain(graph, sector);
                }
            }
        }
    }
}
