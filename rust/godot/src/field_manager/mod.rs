//! The `FlowFieldManager` node.

mod background_bake;
mod bake;
mod cost_overlays;
mod crowds;
mod debug_view;
mod entities;
pub(crate) mod enums;
mod goal_kinds;
mod goals;
mod ground;
mod height_import;
mod height_shape;
mod height_sources;
mod image_import;
mod layers;
mod monitored;
mod new_file;
mod node;
mod queries;
mod reachability;
mod sight;
mod snapshots;
mod stamps;
mod state;
mod stats;
mod storeys;
mod terrain;
mod tile_files;
mod tile_import;
mod tiles;
mod warnings;
mod whole_maps;
mod world_sync;

use crate::class_enum::ClassEnum as _;
use crate::convert;
use crate::flow_movement_type::FlowMovementType;
use crate::flow_terrain::FlowTerrain;
use crate::flow_terrain_set::FlowTerrainSet;
use crate::object_array::ObjectArray;
use crate::properties::properties;
use crate::report::{OrRefuse, choice, refuse, within};
use crate::{resources, surroundings};
use background_bake::BackgroundBake;
use crowds::Crowds;
pub(crate) use crowds::{Member, SwarmOutline};
use enums::{DebugView, DirectionRule, Solver, TileVariant};
use flow_swarm::grid::Grid;
use flow_swarm::grid::layers::MAX_LAYERS;
use flow_swarm::world::{DEFAULT_WALKING_CELLS, FlowWorld, MOST_TILE_CACHE_BYTES, Update};
pub(crate) use goals::goal_mode;
use godot::classes::Node;
use godot::prelude::*;
use monitored::{Built, Work};
use snapshots::KeptTicks;
use std::collections::BTreeSet;
use std::time::Instant;
use storeys::BakedStoreys;
use world_sync::{MOST_IN_A_FRAME, SECTOR_SIZES, WorldSync, seconds_from};

properties! {
world: FlowWorld;

/// Turns terrain into flow fields that lead any number of agents to a goal.
///
/// The manager lays a grid over the world and keeps one terrain id for each cell. For each goal and movement type it computes the cost of the cheapest path and the best direction from every cell, when that field is first needed. Changes of terrain and goals take effect with the next query or physics frame. An error names the method and the argument, and a call with an error changes nothing.
///
/// Queries do not change the course of a run. A query about a TILED goal is answered at once: if no route has been requested from that position, one is searched for the query alone, and no tiles are built. To have the route and its tiles ready, for objects that move by get_flow_vector(), call request_route() before.
///
/// The node updates at the end of every physics frame, after the `_physics_process()` of all nodes. A script on the node may override any virtual method; the update does not use them. All methods may be called on any thread: a call waits until no other thread uses the object. Only update() is limited, because it emits signals: for a node in the scene tree it must be called on the main thread, unless the node is in a process thread group that runs in a sub-thread.
#[derive(GodotClass)]
#[class(tool, init, base=Node)]
pub struct FlowFieldManager {
    /// The size of the grid in cells.
    #[export_group(name = "Grid")]
    #[export]
    #[var(set)]
    #[init(val = Vector2i::new(64, 64))]
    grid_size: Vector2i,
    /// The edge length of a cell in world units: pixels in 2D, metres in 3D.
    #[export(range = (0.05, 256.0, or_greater))]
    #[var(set)]
    #[init(val = 16.0)]
    cell_size: f64,
    /// The world position of the grid's corner with the least x and y. In 3D, y is the world's z.
    #[export]
    #[var(set)]
    origin: Vector2,
    /// The number of layers, 1 to 64, each of the size of the grid: floors of a house, or a bridge and the ground below it. Links join cells of different layers: see add_link(). In all calls, a position on a layer above the lowest is given in the form that on_layer() returns, and a cell in the form that cell_on_layer() returns.
    #[export(range = (1.0, 64.0))]
    #[var(set)]
    #[init(val = 1)]
    layer_count: i64,
    /// The painted terrain of the lowest layer. Its size must be the size of the grid. Without a terrain the grid starts as clear ground.
    #[export_group(name = "Terrain")]
    #[export]
    #[var(set = set_terrain_resource)]
    terrain: Option<Gd<FlowTerrain>>,
    /// The painted terrains of the layers above the lowest, beginning with layer 1. Each must have the size of the grid. A layer without a terrain starts as clear ground.
    #[export]
    #[var(get, set)]
    layer_terrains: ObjectArray<FlowTerrain>,
    /// The kinds of terrain: what the terrain ids that it has are called, look like in the editor's painter, and cost the movement types. All other ids cost what the movement types say. Without a set, the movement types say all costs.
    #[export]
    #[var(set)]
    terrain_set: Option<Gd<FlowTerrainSet>>,
    /// The movement types: what terrain costs the different kinds of agents. At most 64. If empty, there is one movement type with default values, for which the terrain id is the cost.
    ///
    /// With `frame_budget_cells` or `frame_budget_ms`, on maps that are large for them, changed costs are written in slices once the game runs: the costs, clearance and penalties before stay in use, for agents and for queries, until all of a movement type are there. Speeds change at once. If a movement type changes again meanwhile, the costs that are being written come into use first, and then those of the newest one. A movement type that is added has the costs of the first one until its own are written: fields and portal graphs that are built in slices wait for them, and agents go straight.
    #[export]
    #[var(get, set)]
    movement_types: ObjectArray<FlowMovementType>,
    /// What counts as a path. SOLVER_EIKONAL: any line, so that agents cross open ground at every angle. On ground of one cost, costs are within 3 % of the length of the shortest line. SOLVER_OCTILE: steps to one of the eight neighbours. Costs are exact for such paths, which are up to 8 % longer than a line.
    #[export_group(name = "Fields")]
    #[export]
    #[init(val = Solver::SOLVER_EIKONAL)]
    solver: Solver,
    => set_solver, get_solver: world.set_solver(solver.pick(&flow_swarm::integrate::Solver::ALL)?);
    /// How the direction of a cell follows from the costs. DIRECTION_CHARACTERISTIC: with SOLVER_EIKONAL along the shortest path, straight to the corner of the wall where the path first bends, or to the goal; with SOLVER_OCTILE the same as DIRECTION_BEST_NEIGHBOUR. DIRECTION_BEST_NEIGHBOUR: to the neighbour on a cheapest path, one of eight directions. DIRECTION_NEGATIVE_GRADIENT: down the slope of the costs, at any angle. DIRECTION_PREDECESSOR: back along the wave that found the costs. It has its own costs, whatever the solver, in which a diagonal step counts 4/3 of a straight step.
    #[export]
    #[init(val = DirectionRule::DIRECTION_CHARACTERISTIC)]
    direction_rule: DirectionRule,
    => set_direction_rule, get_direction_rule: world.set_direction_rule(direction_rule.pick(&flow_swarm::flow::DirectionRule::ALL)?);
    /// If `true`, fields are built on background threads while the old fields stay in use. The frame in which a new field is put to use then depends on the speed of the machine: keep it `false` if runs must repeat exactly.
    #[export]
    background: bool,
    => set_background: world.set_background(background);
    /// The number of cells that are solved in a physics frame for goals that walk, for all of them together; the default is 3072. More cells are solved if goals walk faster and if maps are larger.
    ///
    /// Near a goal that walks, mostly up to 30 cells from it, and everywhere on maps of up to this many cells, agents are always led to the goal's present position. Farther away they are led to an earlier position: see get_field_age(). If a goal jumps to a distant position, agents follow it once the next field is finished; the same holds for a goal that has been in a wall for half a second. Agents far from a TILED goal follow the old routes and tiles, and new ones are built in parts after the goal has walked some cells.
    ///
    /// For goals of more than 64 cells, and for all goals if this is 0, every move to another cell solves the whole field or searches new routes. With the rule DIRECTION_PREDECESSOR the costs of a field are always computed in one frame.
    #[export(range = (0.0, 65536.0, or_greater))]
    #[init(val = DEFAULT_WALKING_CELLS as i64)]
    walking_goal_cells: i64,
    => set_walking_goal_cells: world.set_walking_cells(within(0..=MOST_IN_A_FRAME, walking_goal_cells)?);
    /// The number of cells of work that an update does on whole fields of goals, on the portal graphs of movement types, and on the costs of changed ones and after large edits, for all of them together, on maps with more cells than that. A physics frame has an update of the manager and one for each step of a swarm. With 0, the default, an update does all of it at once, which on a map of 2048×2048 cells takes more than a second.
    ///
    /// Fields are built one after the other, in the order in which agents or request_route() need them, and requests for routes to TILED goals wait for the first portal graph. Until a first field or graph is there, get_query_status() returns QUERY_PENDING or QUERY_QUEUED, and agents go straight towards the goal and stop before walls. A field takes about 1.2 times the number of cells of the map. 10000 cells take about a millisecond. The work is counted in cells and not in time, so runs repeat exactly.
    ///
    /// After a small edit fields and graphs follow at once. After a larger one, or a change of movement types, those before stay in use until the next ones are there: agents walk on as before, and stop at new walls. Portal graphs and tiles are built anew only where an edit has changed costs, whole fields everywhere. Tiles follow edits at once. Queries of a goal that agents follow read what these follow meanwhile.
    ///
    /// Queries are not limited: get_flow_vector() and others solve at once what they need for a goal that no agent follows, or for edits that no update has applied yet. A whole new terrain, or edits and stamps of more cells since the last update, leave the costs before in use until those of all movement types are written in slices: walls that are built meanwhile count from then on. After another `solver` or `direction_rule` agents follow the fields before until the next ones are there. With `background` fields are built there instead.
    #[export(range = (0.0, 1000000.0, or_greater))]
    frame_budget_cells: i64,
    => set_frame_budget_cells: world.set_update_cells(within(0..=MOST_IN_A_FRAME, frame_budget_cells)?);
    /// The longest time in milliseconds that the manager works in a physics frame on what can wait; 0, the default, is no limit. On maps of more than 10,000 cells that are whole fields of goals, the portal graphs of movement types, and the costs of changed ones and after large edits, which are then built in slices as with `frame_budget_cells`, and on all maps routes to TILED goals and their tiles. If both limits are set, both hold. 2 suits most games.
    ///
    /// The manager's other work in the frame counts too, but a quarter of the time is always left for routes and tiles, and fields and graphs always go on by a slice of 2,000 cells. Writing the costs of small edits, of at most 10,000 cells, and goals that walk are not limited.
    ///
    /// With a limit, the frame in which a field, route or tile is available depends on the speed of the machine: keep 0 and set `frame_budget_cells` if runs must repeat exactly.
    #[export(range = (0.0, 16.0, or_greater))]
    frame_budget_ms: f64,
    => set_frame_budget_ms: world.set_update_seconds(seconds_from(frame_budget_ms)?)?;
    /// The number of worker threads for fields and crowds, 0 to 256. 0 stands for one thread for each core; with 1 there are no worker threads. Bakes and fields in the `background` have threads of their own, one fewer than this, so that no frame waits for them.
    #[export(range = (0.0, 64.0))]
    #[var(set)]
    worker_threads: i64,
    /// The edge length in cells, 4 to 64, of the sectors into which the map is divided for TILED goals. With larger sectors routes are a little shorter and edits cost more. A change rebuilds all tiles.
    #[export_group(name = "Tiles")]
    #[export(range = (4.0, 64.0))]
    #[init(val = 16)]
    sector_size: i64,
    => set_sector_size: world.set_sector_size(within(SECTOR_SIZES, sector_size)?)?;
    /// How tiles are built. TILES_SEAMLESS: costs are carried over from tile to tile, so that paths are as short as with whole fields. TILES_PLAIN: each tile leads only to the exits of its sector, and is built only where agents stand. Paths are longer, by 2 to 5 % on average on the maps that were measured, but goals share what tiles are made from, and bake_tiles() makes all of it beforehand. On maps with links tiles are always seamless. A change removes all routes and tiles, but not the tile cache.
    #[export]
    tile_variant: TileVariant,
    => set_tile_variant, get_tile_variant: world.set_tile_variant(tile_variant.pick(&flow_swarm::world::TileVariant::ALL)?);
    /// The largest number of tiles that are built in a physics frame, for all TILED goals together. With 0 no tiles are built, and agents follow routes only, which are longer.
    #[export(range = (0.0, 4096.0, or_greater))]
    #[init(val = 256)]
    tiles_per_tick: i64,
    => set_tiles_per_tick: world.set_tile_limit(within(0..=MOST_IN_A_FRAME, tiles_per_tick)?);
    /// The largest number of routes to TILED goals that are searched in a physics frame. Long routes on very large maps count as several, and short ones as less than one. Requests beyond the limit wait; requests for agents come first. The search of a long route goes on in the next frames. Until the route is searched, get_query_status() returns QUERY_QUEUED, and agents go straight towards the goal and stop before walls.
    #[export(range = (1.0, 4096.0, or_greater))]
    #[init(val = 64)]
    routes_per_tick: i64,
    => set_routes_per_tick: world.set_route_limit(within(1..=MOST_IN_A_FRAME, routes_per_tick)?)?;
    /// The size of the tile cache in bytes, including the tiles in use.
    #[export(range = (1.0, 1073741824.0, or_greater))]
    #[init(val = 67108864)]
    tile_cache_bytes: i64,
    => set_tile_cache_bytes: world.set_tile_cache_bytes(within(1..=MOST_TILE_CACHE_BYTES.cast_signed(), tile_cache_bytes)?)?;
    /// What is drawn over the grid: the costs of cells, the costs to the goal, the directions, the islands, the cells that are too narrow for the movement type, the cells in sight of the goal, the sectors with their portals, the tiles of a TILED goal, the age of the field of a goal that walks, or the heights of the ground. In a 3D scene it is draped over the heights of all layers: that is where the nearest ancestor that is a Node3D or a CanvasItem is a Node3D, and for managers without such an ancestor where the viewport has an active Camera3D. To choose otherwise, add a FlowDebugView or a FlowDebugView3D instead.
    #[export_group(name = "Debug")]
    #[export]
    #[var(get, set)]
    debug_view: DebugView,
    /// The goal whose field is drawn. 0 stands for the first goal.
    #[export]
    #[var(set)]
    debug_goal: i64,
    /// The movement type whose costs and field are drawn.
    #[export]
    #[var(set)]
    debug_movement_type: i64,
    ..
    // Dropped before the world, so that its workers have nothing left to do when they are joined.
    background_bake: BackgroundBake,
    storeys: BakedStoreys,
    sync: WorldSync,
    crowds: Crowds,
    kept: KeptTicks,
    work: Work,
    /// The goals whose last move was refused because it led out of the grid.
    strayed_goals: BTreeSet<i64>,
    base: Base<Node>,
}

impl FlowFieldManager {
    /// Emitted when a goal has a new field: its first field, or one that includes a change. At most once for each goal and physics frame.
    #[signal]
    fn goal_ready(goal: i64);

    /// Emitted when the terrain has changed. `cells` is the rectangle around all changed cells. At most once in a physics frame.
    #[signal]
    fn terrain_changed(cells: Rect2i);

    /// Emitted when crowds, cost overlays or a new grid may have changed the costs of cells. At most once in a physics frame. Edits of terrain are reported by terrain_changed.
    #[signal]
    fn costs_changed();

    /// Emitted while bake_terrain_3d_async() or bake_tiles_async() runs, at most once in a physics frame. `progress` is the share that is done, from 0 to 1.
    #[signal]
    fn bake_progress(progress: f64);

    /// Emitted when bake_terrain_3d_async() or bake_tiles_async() has finished. `result` is `OK` if the floors are in use or the file is written, or an error code.
    #[signal]
    fn bake_finished(result: i64);

    /// Emitted when heights of the ground may have changed: set, loaded, removed, or moved to a new grid. At most once in a physics frame.
    #[signal]
    fn heights_changed();

    #[func]
    fn set_grid_size(&mut self, size: Vector2i) {
        match Grid::new(convert::ivec2(size), 1.0, flow_swarm::Vec2::ZERO) {
            Ok(_) => self.grid_size = size,
            Err(error) => refuse("FlowFieldManager.grid_size", error),
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_cell_size(&mut self, size: f64) {
        let one = flow_swarm::IVec2::ONE;
        match Grid::new(one, convert::f32_from(size), flow_swarm::Vec2::ZERO) {
            Ok(_) => self.cell_size = size,
            Err(error) => refuse("FlowFieldManager.cell_size", error),
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_origin(&mut self, origin: Vector2) {
        match flow_swarm::error::finite("origin", convert::vec2(origin)) {
            Ok(_) => self.origin = origin,
            Err(error) => refuse("FlowFieldManager.origin", error),
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_layer_count(&mut self, layers: i64) {
        let layers = within(1..=i64::from(MAX_LAYERS), layers);
        if let Some(layers) = layers.or_refuse("FlowFieldManager.layer_count") {
            self.layer_count = layers;
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_terrain_resource(&mut self, terrain: Option<Gd<FlowTerrain>>) {
        self.terrain = terrain;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_layer_terrains(&self) -> ObjectArray<FlowTerrain> {
        self.layer_terrains.shared()
    }

    #[func]
    fn set_layer_terrains(&mut self, terrains: ObjectArray<FlowTerrain>) {
        const PROPERTY: &str = "FlowFieldManager.layer_terrains";
        if let Some(terrains) = terrains.checked(PROPERTY, "") {
            self.layer_terrains = terrains;
            self.base_mut().update_configuration_warnings();
        }
    }

    #[func]
    fn set_terrain_set(&mut self, set: Option<Gd<FlowTerrainSet>>) {
        self.terrain_set = set;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_movement_types(&self) -> ObjectArray<FlowMovementType> {
        self.movement_types.shared()
    }

    #[func]
    fn set_movement_types(&mut self, types: ObjectArray<FlowMovementType>) {
        const PROPERTY: &str = "FlowFieldManager.movement_types";
        let Some(types) = types.checked(PROPERTY, "") else {
            return;
        };
        let most = flow_swarm::world::MAX_MOVEMENT_TYPES;
        if types.len() > most {
            let reason = format_args!("must have at most {most} entries, not {}", types.len());
            refuse(PROPERTY, reason);
            return;
        }
        self.movement_types = types;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_worker_threads(&mut self, threads: i64) {
        if let Some(threads) = choice("FlowFieldManager.worker_threads", threads, 256) {
            self.worker_threads = threads;
        }
    }

    #[func]
    fn get_debug_view(&self) -> DebugView {
        self.debug_view
    }

    #[func]
    fn set_debug_view(&mut self, view: DebugView) {
        if view.index().or_refuse("FlowFieldManager.debug_view").is_some() {
            self.debug_view = view;
            self.show_debug_view();
        }
    }

    #[func]
    fn set_debug_goal(&mut self, goal: i64) {
        self.debug_goal = goal;
        self.show_debug_view();
    }

    #[func]
    fn set_debug_movement_type(&mut self, movement_type: i64) {
        const PROPERTY: &str = "FlowFieldManager.debug_movement_type";
        if let Some(movement_type) = choice(PROPERTY, movement_type, 63) {
            self.debug_movement_type = movement_type;
            self.show_debug_view();
        }
    }
}
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Applies pending edits, and builds, or starts to build, the fields that are out of date. The manager does this at the end of every physics frame, after the `_physics_process()` of all nodes. Call it to have the update done at once.
    #[func(gd_self)]
    pub fn update(mut this: Gd<Self>) {
        if !surroundings::may_act("FlowFieldManager.update", &this.clone().upcast()) {
            return;
        }
        // Handlers of the signals may call the manager and free it, so no guard is held.
        let baked = this.bind_mut().finish_bake();
        let progress = this.bind_mut().background_bake.news();
        let news = this.bind_mut().refresh();
        if let Some(cells) = news.terrain {
            let cells = convert::rect2i(cells);
            this.signals().terrain_changed().emit(cells);
        }
        if news.surcharges && this.is_instance_valid() {
            this.signals().costs_changed().emit();
        }
        if news.heights && this.is_instance_valid() {
            this.signals().heights_changed().emit();
        }
        for goal in news.ready {
            if this.is_instance_valid() {
                this.signals().goal_ready().emit(goal.0);
            }
        }
        if let Some(progress) = progress
            && this.is_instance_valid()
        {
            this.signals().bake_progress().emit(f64::from(progress));
        }
        if let Some(result) = baked
            && this.is_instance_valid()
        {
            this.signals().bake_finished().emit(i64::from(result.ord()));
        }
    }

    /// Returns the configuration warnings of the node, as the editor shows them. Empty if there are none.
    #[func]
    fn get_setup_warnings(&mut self) -> PackedStringArray {
        self.warnings()
    }

    /// The number of movement types. Without any, the default type counts as one.
    pub(crate) fn movement_type_count(&self) -> i64 {
        self.movement_types.len().max(1) as i64
    }

    /// The largest radius, in world units, of agents that fit through every gap through which the fields of a movement
    /// type lead.
    pub(crate) fn fitting_radius(&self, movement_type: i64) -> f64 {
        let index = usize::try_from(movement_type).unwrap_or(usize::MAX);
        let kind = self.movement_types.objects().get(index).flatten();
        let clearance = kind.map_or(0.0, |kind| {
            resources::with(&kind, FlowMovementType::clearance_radius)
        });
        clearance.max(0.5 * self.cell_size)
    }

    fn refresh(&mut self) -> Update {
        let Some(world) = self.world("FlowFieldManager.update") else {
            return Update::default();
        };
        let (begin, before) = (Instant::now(), Built::of(world));
        let mut news = world.update();
        let milliseconds = convert::milliseconds_since(begin);
        for (goal, movement, error) in news.failed.drain(..) {
            let reason = format_args!("goal {}, movement type {movement}: {error}", goal.0);
            refuse("FlowFieldManager.update", reason);
        }
        self.work.add(milliseconds, before);
        news
    }
}
