//! The facade of the field side: terrain, movement types, goals and their fields.
//!
//! Edits change the terrain at once and mark the cells that depend on it. Costs and fields follow in
//! [`FlowWorld::update`], or before that in the first query that needs them. With a background, queries and agents read
//! the last finished field until the next one is swapped in whole, by `update` or by a query.
//!
//! - A query changes nothing that a swarm follows: see `refresh` and `tiled/previews`.
//! - Fields are repaired in place after small edits, and solved anew after large ones, with the same result, bit for
//!   bit.
//! - No field changes while a swarm steps.
//!
//! Read the parts of a world first, which do not import it: `goal_id`, `goal_mode`, `goal_kind`, `version` and `dirty`;
//! `movement_layer` (the costs of a movement type) with `history` and `known_islands`, `field` and `field_slot` (a
//! goal's field for one movement type), `goal`, `builder`, and `tiled/tiling` for tiled goals. [`FlowWorld`] holds
//! these. The other files are its methods,
//! by topic: `refresh` applies edits to costs, `fields` is the list of an update's stages, `repair` and `build` update
//! fields, `slicing` limits the work of an update, with `first_fields`, `past_costs`, `movement_types` and
//! `large_edits`, `walking` follows goals that walk, `zones` has goals that agents flee from or keep at a distance
//! from, `snapshot` keeps and restores states, with `field_timeline`, `past_field`, `kept_costs` and `rolled_back`,
//! `ground` has the heights of the ground, `tiled` has goals that are reached by tiles, and `goals` and `queries`
//! are the calls of games.

mod ahead;
mod blocks;
mod build;
mod builder;
mod change_log;
mod costs_on;
mod crowd_reports;
mod crowding;
mod dirty;
mod field;
mod field_slot;
mod field_timeline;
mod fields;
mod first_fields;
mod flow_source;
mod former_terrain;
mod goal;
mod goal_id;
mod goal_kind;
mod goal_mode;
mod goals;
mod ground;
mod ground_speed;
mod history;
mod kept_costs;
mod known_islands;
mod large_edits;
mod links;
mod memory;
mod movement_layer;
mod movement_types;
mod next_costs;
mod overlay_sums;
mod overlaying;
mod overlays;
mod past_costs;
mod past_field;
mod queries;
mod reachability;
mod refresh;
mod repair;
mod rolled_back;
mod route;
mod saved;
mod sight;
mod slices;
mod slicing;
mod smooth_path;
mod snapshot;
mod snapshot_memory;
mod stamping;
mod storeys;
mod surcharges;
mod temporary_goals;
mod tiled;
mod update;
mod version;
mod walking;
mod whole_maps;
mod zones;

pub use builder::{BuildStats, Clock};
pub(crate) use crowd_reports::Reporter;
pub use field::Field;
pub(crate) use flow_source::FlowSource;
pub use goal_id::GoalId;
pub use goal_kind::{GoalKind, MAX_GOAL_DISTANCE};
pub use goal_mode::{GoalMode, TileVariant};
pub use movement_types::MAX_MOVEMENT_TYPES;
pub use queries::QueryStatus;
pub use route::Route;
pub use snapshot::WorldSnapshot;
pub(crate) use temporary_goals::GoalHold;
pub use tiled::{
    DEFAULT_ROUTE_LIMIT, DEFAULT_TILE_CACHE_BYTES, DEFAULT_TILE_LIMIT, MOST_TILE_CACHE_BYTES,
    StraightRoute, TileBake, TileMemory, TileStats, TiledRoute,
};
pub(crate) use tiled::{RequestPriority, RouteNeed};
pub use update::Update;
pub use walking::DEFAULT_WALKING_CELLS;

use crate::entities::EntityBuckets;
use crate::error::Result;
use crate::flow::DirectionRule;
use crate::grid::link_travels::LinkTravels;
use crate::grid::links::{LinkId, LinkList, Links};
use crate::grid::seams::Seams;
use crate::grid::{CellRect, Grid};
use crate::ground::Ground;
use crate::integrate::Solver;
use crate::movement::{CostField, MovementType, OverlayId};
use crate::terrain::{StampId, Stamps, Terrain};
use crate::workers::Workers;
use crate::world::ahead::Ahead;
use crate::world::builder::Builder;
use crate::world::dirty::DirtyCells;
use crate::world::former_terrain::FormerTerrains;
use crate::world::goal::Goals;
use crate::world::movement_layer::MovementLayer;
use crate::world::next_costs::NextCosts;
use crate::world::slices::Slices;
use crate::world::surcharges::Surcharges;
use crate::world::tiled::tiling::Tiling;
use crate::world::walking::build_context::Walking;
use glam::IVec2;
use std::sync::Arc;

/// The objects that had no place on a new grid, each list in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Goals that lost targets.
    pub goals: Vec<GoalId>,
    /// Entities that were removed.
    pub entities: Vec<i64>,
    /// Stamps that were taken off.
    pub stamps: Vec<StampId>,
    /// Links that were taken out.
    pub links: Vec<LinkId>,
    /// Cost overlays that were removed.
    pub overlays: Vec<OverlayId>,
}

/// Terrain, movement types, goals, fields and entity buckets on one grid.
#[derive(Debug)]
pub struct FlowWorld {
    grid: Grid,
    ground: Ground,
    /// The terrain with all stamps, as agents see it.
    terrain: Terrain,
    stamps: Stamps,
    links: LinkList,
    /// The links as edges, for solvers.
    link_edges: Arc<Links>,
    seams: Arc<Seams>,
    /// How agents get over the links.
    travels: LinkTravels,
    former: FormerTerrains,
    /// The cells of terrain that changed since the costs were updated.
    dirty: DirtyCells,
    ahead: Ahead,
    layers: Vec<MovementLayer>,
    /// The last number given to a layer's costs.
    last_revision: u64,
    /// Stands for the states of costs to which the numbers were given. Another world gives the same numbers to others.
    timeline: Arc<()>,
    goals: Goals,
    solver: Solver,
    rule: DirectionRule,
    builder: Builder,
    tiling: Tiling,
    walking: Walking,
    surcharges: Surcharges,
    slices: Slices,
    /// The buckets for the game's own entities.
    pub entities: EntityBuckets,
    workers: Workers,
}

/// The cell of `grid` for a cell of the grid `before` on the same layer; outside the grid if its layer is gone.
fn moved_cell(before: &Grid, grid: &Grid, cell: IVec2) -> IVec2 {
    if before.layers() == grid.layers() {
        return cell;
    }
    let row = cell.y.max(0).cast_unsigned();
    let layer = row / before.layers().pitch();
    let y = cell.y - before.layers().cells(layer, 0).low.y;
    // Rows beyond the end of a layer do not count as rows of the next layer.
    let is_inside = layer < grid.layers().count() && y < grid.layers().rows().cast_signed();
    if is_inside {
        grid.layers().cells(layer, 0).low + IVec2::new(cell.x, y)
    } else {
        grid.size()
    }
}

impl FlowWorld {
    /// A world of clear ground with the default movement type and no goals.
    #[must_use]
    pub fn new(grid: Grid, workers: Workers) -> Self {
        let terrain = Terrain::new(&grid);
        let mut world = Self {
            grid,
            ground: Ground::default(),
            terrain,
            stamps: Stamps::default(),
            links: LinkList::default(),
            link_edges: Arc::default(),
            seams: Arc::default(),
            travels: LinkTravels::default(),
            former: FormerTerrains::default(),
            dirty: DirtyCells::default(),
            ahead: Ahead::default(),
            layers: Vec::new(),
            last_revision: 0,
            timeline: Arc::default(),
            goals: Goals::default(),
            solver: Solver::default(),
            rule: DirectionRule::default(),
            builder: Builder::default(),
            tiling: Tiling::default(),
            walking: Walking::default(),
            surcharges: Surcharges::default(),
            slices: Slices::default(),
            entities: EntityBuckets::default(),
            workers,
        };
        world.layers = vec![world.new_layer(0, MovementType::default())];
        world
    }

    fn new_layer(&mut self, movement: usize, kind: MovementType) -> MovementLayer {
        let costs = self.sources_in_use().costs(movement, &kind);
        self.last_revision += 1;
        let is_of_former = self.former.in_use.is_some();
        let next = is_of_former.then(|| NextCosts::begin(kind.clone()));
        MovementLayer {
            next,
            ..MovementLayer::new(kind, costs, self.last_revision)
        }
    }

    /// The grid.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Changes the grid. Cells that both grids have keep their terrain, and their corners their heights. Goals and
    /// entities keep their positions that are in the new grid, and so do cost overlays that cover any cell of it.
    /// Stamps and links stay on their cells if they are entirely inside. All stay on their layers. Returns the objects
    /// that no longer have a place.
    pub fn set_grid(&mut self, grid: Grid) -> LeftOut {
        if grid == self.grid {
            return LeftOut::default();
        }
        let before = std::mem::replace(&mut self.grid, grid);
        let old = self.stamps.base(&self.terrain);
        self.terrain = Terrain::new(&grid);
        for layer in 0..before.layers().count().min(grid.layers().count()) {
            let cells = |grid: &Grid| grid.layers().cells(layer, grid.width());
            let (from, to) = (cells(&before), cells(&grid));
            self.terrain.copy_common(to, &old, from);
        }
        let moved = |cell: IVec2| moved_cell(&before, &grid, cell);
        let stamps = self.stamps.move_to(&mut self.terrain, moved);
        let links = self.lay_links_out(&before);
        self.ground.move_to(&grid);
        self.forget_tiles();
        self.former = FormerTerrains::default();
        self.dirty = DirtyCells::default();
        self.ahead = Ahead::default();
        let overlays = self.surcharges.lay_out(&before, &grid);
        // Whether a query has already applied surcharges of the old grid must not matter.
        self.builder.news.surcharges = true;
        self.builder.news.heights = true;
        for index in 0..self.layers.len() {
            let kind = self.layers[index].newest_kind.clone();
            self.layers[index] = self.new_layer(index, kind);
        }
        if before.layers() != grid.layers() {
            self.entities
                .move_all(|place| grid.layers().kept(before.layers(), place));
        }
        let mut bereft = Vec::new();
        for (&id, goal) in &mut self.goals.by_id {
            if goal.lay_out(&before, &grid) {
                bereft.push(id);
            }
        }
        self.take_turns_again();
        LeftOut {
            goals: bereft,
            entities: self.entities.rebucket(&grid),
            stamps,
            links,
            overlays,
        }
    }

    /// The threads that work for this world and its swarms.
    #[must_use]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Replaces the threads. Waits until the old ones have finished their work.
    pub fn set_workers(&mut self, workers: Workers) {
        self.workers = workers;
    }

    /// Sets what counts as a path. Takes effect with the next update; where updates work in slices, the fields before
    /// stay in use until the next ones are there.
    pub fn set_solver(&mut self, solver: Solver) {
        if solver != self.solver {
            self.solver = solver;
            self.note_all_moved();
        }
    }

    /// Sets how directions follow from costs. Takes effect as [`Self::set_solver`] does.
    pub fn set_direction_rule(&mut self, rule: DirectionRule) {
        self.rule = rule;
    }

    /// Sets whether the workers build fields in the background while the old ones stay in use.
    ///
    /// The tick in which a field is swapped in then depends on the machine's speed: leave it off
    /// where runs must repeat exactly.
    pub fn set_background(&mut self, background: bool) {
        self.builder.set_background(background);
    }

    /// The terrain as agents see it, with all stamps.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Sets the terrain of one cell. Under a stamp it becomes visible when the stamp is removed, as with all kinds of
    /// painting.
    ///
    /// # Errors
    /// [`crate::Error::CellOutside`].
    pub fn set_terrain(&mut self, cell: IVec2, id: u8) -> Result<()> {
        self.terrain.get(cell)?;
        self.prepare_edit(1);
        self.put_terrain(cell, id)
    }

    /// [`Self::set_terrain`], after [`Self::prepare_edit`].
    fn put_terrain(&mut self, cell: IVec2, id: u8) -> Result<()> {
        let before = self.terrain.get(cell)?;
        self.terrain.set(cell, id)?;
        self.stamps.painted(&mut self.terrain, CellRect::cell(cell));
        if self.terrain.get(cell)? != before {
            self.mark_edit(CellRect::cell(cell));
        }
        Ok(())
    }

    /// Sets the terrain of a rectangle of cells. Where updates work in slices, a large one changes the costs in use as
    /// [`Self::set_terrain_bytes`] does.
    ///
    /// # Errors
    /// [`crate::Error::CellOutside`] if any part of it is outside; nothing is changed then.
    pub fn set_terrain_rect(&mut self, rect: CellRect, id: u8) -> Result<()> {
        if rect.is_empty() {
            return Ok(());
        }
        self.check_rect(rect)?;
        self.prepare_edit(rect.cell_count());
        self.terrain.fill_rect(rect, id)?;
        self.stamps.painted(&mut self.terrain, rect);
        self.mark_edit(rect);
        Ok(())
    }

    /// Replaces the whole terrain by one id per cell, row-major.
    ///
    /// On maps that are worked on in slices ([`Self::set_update_cells`]), updates then write the costs of all movement
    /// types anew, and the old ones stay in use until these are complete ([`Self::has_next_costs`]): until then no edit
    /// of terrain changes them. Speeds on terrain change at once.
    ///
    /// # Errors
    /// [`crate::Error::Length`].
    pub fn set_terrain_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.terrain.check_length(bytes)?;
        self.prepare_edit(bytes.len());
        self.terrain.set_bytes(bytes)?;
        self.stamps.painted(&mut self.terrain, self.grid.cells());
        self.mark_edit(self.grid.cells());
        Ok(())
    }

    /// The costs of a movement type, as of the last update.
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn costs(&self, movement: usize) -> &CostField {
        &self.layers[movement].costs
    }
}
