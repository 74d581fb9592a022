//! The data that all tiled goals of a world share, and the slot of a goal and movement type.

use crate::retired::Retired;
use crate::route::tiles::{BakedTiles, TileCache, TileSolver};
use crate::route::{DEFAULT_SECTOR_SIZE, GraphBuild, PortalGraph, SectorSearch};
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::scheduler::Scheduler;
use crate::world::tiled::slot_edits::SlotEdits;
use crate::world::tiled::spare::Spare;
use std::collections::VecDeque;
use std::sync::Arc;

/// The portal graph of a movement type.
#[derive(Debug, Clone)]
pub(in crate::world) struct Graph {
    pub(super) graph: Arc<PortalGraph>,
    /// The revision of the settled costs that it was made for.
    pub(super) revision: u64,
    /// The update to later costs that is being built in slices.
    pub(super) renewal: Option<UnfinishedGraph>,
    /// The revision of the same costs as queries count it.
    pub(super) newest: u64,
    /// For each of the last edits the revision before it, and the sectors whose part of the graph it has changed.
    pub(super) change_log: VecDeque<(u64, Vec<u32>)>,
}

/// A portal graph, or an update of one, that is being built.
#[derive(Debug, Clone)]
pub(in crate::world) struct UnfinishedGraph {
    pub(super) build: GraphBuild,
    /// The revision of the settled costs whose edits it knows.
    pub(super) revision: u64,
}

/// The data that all tiled goals of a world share.
#[derive(Debug)]
pub(in crate::world) struct Tiling {
    pub(super) sector_size: u32,
    pub(super) variant: TileVariant,
    pub(in crate::world) scheduler: Scheduler,
    pub(super) cache: TileCache,
    pub(super) cache_bytes: u64,
    /// Plain tiles that were made beforehand, if there are any.
    pub(super) baked: Option<BakedTiles>,
    /// One solver for each thread.
    pub(super) solvers: Vec<TileSolver>,
    pub(super) search: SectorSearch,
    /// The graph of each movement type that has been requested.
    pub(super) graphs: Vec<Option<Graph>>,
    /// Graphs that are being built, where there are none.
    pub(super) unfinished_graphs: Vec<Option<UnfinishedGraph>>,
    /// What the slot lacked that was updated last.
    pub(super) edits: SlotEdits,
    pub(super) spare: Option<Spare>,
    /// What updates of graphs have replaced.
    pub(super) retired: Retired,
    /// Data that only queries use.
    pub(super) previews: Previews,
    pub(super) tiles_built: u64,
    /// The number of first tiles among the tiles built.
    pub(super) first_tiles_built: u64,
    pub(super) tiles_loaded: u64,
    pub(super) routes_searched: u64,
    pub(super) checked: u64,
}

impl Default for Tiling {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            variant: TileVariant::default(),
            scheduler: Scheduler::default(),
            cache: TileCache::new(DEFAULT_TILE_CACHE_BYTES as usize),
            cache_bytes: DEFAULT_TILE_CACHE_BYTES,
            baked: None,
            solvers: vec![TileSolver::new()],
            search: SectorSearch::new(),
            graphs: Vec::new(),
            unfinished_graphs: Vec::new(),
            edits: SlotEdits::default(),
            spare: None,
            retired: Retired::default(),
            previews: Previews::default(),
            tiles_built: 0,
            first_tiles_built: 0,
            tiles_loaded: 0,
            routes_searched: 0,
            checked: 0,
        }
    }
}

/// The slot of a tiled goal and a movement type.
#[derive(Debug, Clone)]
pub(in crate::world) struct TiledSlot {
    /// The current state, which agents follow.
    pub(super) current: Arc<TiledGoalState>,
    /// The pending state, which agents follow when its tiles are built.
    pub(super) pending: Option<Arc<TiledGoalState>>,
    /// The sectors in which agents stood before the last update, and those in which they have stood since.
    pub(super) stood: Vec<u32>,
    pub(super) standing: Vec<u32>,
    /// The revision of the costs that the slot is up to date with, and that of the graph.
    pub(super) revision: u64,
    pub(super) graph_revision: u64,
    /// How the goal is followed if it walks.
    pub(super) pursuit: Pursuit,
}

impl Graph {
    /// The revision of the settled costs whose edits it has, or its update knows.
    pub(super) fn noted(&self) -> u64 {
        let renewal = self.renewal.as_ref();
        renewal.map_or(self.revision, |renewal| renewal.revision)
    }

    /// The revision of the costs that it was made for, as queries count it.
    pub(in crate::world) fn made_for(&self) -> u64 {
        self.newest
    }
}

impl Tiling {
    /// Whether graphs, or updates of graphs, are being built.
    pub(in crate::world) fn has_unfinished_graphs(&self) -> bool {
        let mut graphs = self.graphs.iter().flatten();
        let mut first = self.unfinished_graphs.iter();
        first.any(Option::is_some) || graphs.any(|graph| graph.renewal.is_some())
    }

    /// The graph of a movement type.
    pub(in crate::world) fn graph(&self, movement: usize) -> Option<&Graph> {
        self.graphs.get(movement)?.as_ref()
    }

    /// The graphs of movement types.
    pub(in crate::world) fn graphs(&self) -> impl Iterator<Item = &Arc<PortalGraph>> {
        self.graphs.iter().flatten().map(|known| &known.graph)
    }
}

impl TiledSlot {
    /// Visits the current state and the pending one.
    pub(in crate::world) fn each_state(&self, visit: impl FnMut(&Arc<TiledGoalState>)) {
        let states = self.pending.iter().chain([&self.current]);
        states.for_each(visit);
    }

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

/// The default size of the tile cache, in bytes.
pub const DEFAULT_TILE_CACHE_BYTES: u64 = 64 << 20;
