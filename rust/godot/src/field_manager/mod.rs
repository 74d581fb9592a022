//! The `FlowFieldManager` node.

mod bake;
mod crowds;
mod debug_view;
mod entities;
mod goals;
mod height_import;
mod image_import;
mod layers;
mod node;
mod queries;
mod reachability;
mod sight;
mod stamps;
mod stats;
mod terrain;
mod tile_files;
mod tile_import;
mod tiles;
mod warnings;
mod whole_maps;
mod world_sync;

use crate::convert;
use crate::flow_movement_type::FlowMovementType;
use crate::flow_terrain::FlowTerrain;
use crate::object_array::ObjectArray;
use crate::properties::properties;
use crate::report::{OrRefuse, choice, one_of, refuse, within};
use crate::{resources, surroundings};
use crowds::Crowds;
pub(crate) use crowds::{Member, SwarmOutline};
use flow_swarm::flow::DirectionRule;
use flow_swarm::grid::Grid;
use flow_swarm::grid::layers::MAX_LAYERS;
use flow_swarm::integrate::Solver;
use flow_swarm::world::{
    DEFAULT_WALKING_CELLS, FlowWorld, MOST_TILE_CACHE_BYTES, TileVariant, Update,
};
use godot::classes::Node;
use godot::prelude::*;
use world_sync::{MOST_IN_A_FRAME, SECTOR_SIZES, WorldSync, seconds_from};

properties! {
world: FlowWorld;

/// Turns terrain into flow fields that lead any number of agents to a goal.
///
/// The manager lays a grid over the world, keeps one terrain id per cell, and computes for each goal and movement type, when it is first needed, the cost of the cheapest path and the best direction from every cell. Edits of terrain and goals take effect with the next query or physics frame. Errors name the method and the argument, and change nothing.
///
/// Queries change nothing in a run. About a TILED goal they are answered at once: where no route has been requested, one is searched for the query alone, and no tiles are built; request_route() has both ready for what walks by get_flow_vector().
///
/// The node works at the end of every physics frame, after all nodes have had it, and whatever methods a script on it overrides. All methods may be called on any thread: a call waits until no other thread uses the object. Only update() is refused on threads that the engine does not let emit signals of a node in the scene tree.
#[derive(GodotClass)]
#[class(tool, init, base=Node)]
pub struct FlowFieldManager {
    /// Size of the grid in cells.
    #[export_group(name = "Grid")]
    #[export]
    #[var(set)]
    #[init(val = Vector2i::new(64, 64))]
    grid_size: Vector2i,
    /// Edge length of a cell in world units: pixels in 2D, metres in 3D.
    #[export(range = (0.05, 256.0, or_greater))]
    #[var(set)]
    #[init(val = 16.0)]
    cell_size: f64,
    /// World position of the grid's corner of least x and y. In 3D, y is the world's z.
    #[export]
    #[var(set)]
    origin: Vector2,
    /// How many layers of the grid's size there are, 1 to 64: floors, or a bridge and what is below it. Links join their cells: see add_link(). In calls, a position on a layer above the lowest is what on_layer() makes of it, a cell what cell_on_layer() does.
    #[export(range = (1.0, 64.0))]
    #[var(set)]
    #[init(val = 1)]
    layer_count: i64,
    /// The painted terrain; its size must be the grid's. Without one the grid starts as clear ground.
    #[export_group(name = "Terrain")]
    #[export]
    #[var(set = set_terrain_resource)]
    terrain: Option<Gd<FlowTerrain>>,
    /// The painted terrain of the layers above the lowest, 1 and so on; each of the grid's size. A layer without one starts as clear ground.
    #[export]
    #[var(get, set)]
    layer_terrains: ObjectArray<FlowTerrain>,
    /// How the different kinds of agents see the terrain. Empty stands for one default type: the terrain id is the cost.
    #[export]
    #[var(get, set)]
    movement_types: ObjectArray<FlowMovementType>,
    /// What a path is. EIKONAL: any line, so that agents cross open ground at every angle; costs are within 3 % of the length of the shortest one on ground of one cost. OCTILE: steps to one of the eight neighbours; their costs are exact, and they are up to 8 % longer than a line.
    #[export_group(name = "Fields")]
    #[export(enum = (Octile = 0, Eikonal = 1))]
    #[init(val = 1)]
    solver: i64,
    => set_solver: world.set_solver(one_of(&Solver::ALL, solver)?);
    /// How a cell's direction follows from the costs. CHARACTERISTIC: along the shortest path, straight to the corner of the wall where it first bends or to the goal, where the solver is EIKONAL; as BEST_NEIGHBOUR where it is OCTILE. BEST_NEIGHBOUR: to the neighbour on a cheapest path, one of eight directions. NEGATIVE_GRADIENT: down the slope of the costs, at any angle. PREDECESSOR: back along the wave that found the costs; it has costs of its own, whatever the solver, in which a diagonal step counts 4/3 of a straight one.
    #[export(enum = (BestNeighbour = 0, NegativeGradient = 1, Predecessor = 2, Characteristic = 3))]
    #[init(val = 3)]
    direction_rule: i64,
    => set_direction_rule: world.set_direction_rule(one_of(&DirectionRule::ALL, direction_rule)?);
    /// Build fields on worker threads while the old ones stay in use. The frame in which a new one takes over then depends on the machine's speed: leave it off where runs must repeat exactly.
    #[export]
    background: bool,
    => set_background: world.set_background(background);
    /// How many cells of the fields of goals that walk are solved in a physics frame, for all of them together; more as they walk faster and maps are larger. Around where a goal is now, mostly 30 cells far, and everywhere on maps of up to this many cells, agents are led straight to it at any time; farther off, to where it was a little earlier: see get_field_age(). A goal that jumps away is followed once the next field is finished, and so is one that is in a wall for half a second. Far off agents go to a TILED goal by the routes and tiles of before, which are made anew in parts after it has walked some cells. Goals of more than 64 cells, and all where this is 0, have the whole field solved, or new routes searched, in every move. By the rule PREDECESSOR the costs of a field are found in one frame.
    #[export(range = (0.0, 65536.0, or_greater))]
    #[init(val = DEFAULT_WALKING_CELLS as i64)]
    walking_goal_cells: i64,
    => set_walking_goal_cells: world.set_walking_cells(within(0..=MOST_IN_A_FRAME, walking_goal_cells)?);
    /// Worker threads for fields and crowds: 0 is one per core, 1 is none.
    #[export(range = (0.0, 64.0))]
    #[var(set)]
    worker_threads: i64,
    /// Edge length in cells, 4 to 64, of the sectors that TILED goals divide the map into. Larger ones make routes a little shorter and edits dearer. Changing it builds all tiles anew.
    #[export_group(name = "Tiles")]
    #[export(range = (4.0, 64.0))]
    #[init(val = 16)]
    sector_size: i64,
    => set_sector_size: world.set_sector_size(within(SECTOR_SIZES, sector_size)?)?;
    /// From what tiles are made. TILES_SEAMLESS: costs are carried over from tile to tile, so that ways are as short as on whole fields. TILES_PLAIN: each tile leads to the exits of its sector alone and only where agents stand; ways are longer, by 8 to 16 % on average on the maps measured, but goals share tiles and fewer are built. Where there are links, tiles are seamless all the same. Changing it forgets routes and tiles, but for the cache.
    #[export(enum = (Seamless = 0, Plain = 1))]
    tile_variant: i64,
    => set_tile_variant: world.set_tile_variant(one_of(&TileVariant::ALL, tile_variant)?);
    /// How many tiles, of all TILED goals together, are built in a physics frame at most. With 0 agents go by routes alone.
    #[export(range = (0.0, 4096.0, or_greater))]
    #[init(val = 256)]
    tiles_per_tick: i64,
    => set_tiles_per_tick: world.set_tile_limit(within(0..=MOST_IN_A_FRAME, tiles_per_tick)?);
    /// How many routes to TILED goals are searched in a physics frame at most; those on very large maps count for several, and short ones for less than one. Other requests wait, those for agents first: get_query_status is QUEUED, and agents go straight on until a wall is right before them.
    #[export(range = (1.0, 4096.0, or_greater))]
    #[init(val = 64)]
    routes_per_tick: i64,
    => set_routes_per_tick: world.set_route_limit(within(1..=MOST_IN_A_FRAME, routes_per_tick)?)?;
    /// For how many milliseconds routes are searched and tiles are built in a physics frame at most; 0 is no limit. When a route or tile is there then depends on the machine's speed: leave it at 0 where runs must repeat exactly.
    #[export(range = (0.0, 16.0, or_greater))]
    tile_budget_ms: f64,
    => set_tile_budget_ms: world.set_tile_seconds(seconds_from(tile_budget_ms)?)?;
    /// How many bytes of tiles are kept for later, those in use included.
    #[export(range = (1.0, 1073741824.0, or_greater))]
    #[init(val = 67108864)]
    tile_cache_bytes: i64,
    => set_tile_cache_bytes: world.set_tile_cache_bytes(within(1..=MOST_TILE_CACHE_BYTES.cast_signed(), tile_cache_bytes)?)?;
    /// Draw the costs, the integrated costs, the directions, the islands, the cells that are too narrow for the movement type, those in sight of the goal, the sectors with their portals, the tiles of a TILED goal or how old the field of a goal that walks is over the grid, in 2D.
    #[export_group(name = "Debug")]
    #[export(enum = (Off = 0, Cost = 1, Integration = 2, Flow = 3, Islands = 4, Clearance = 5, LineOfSight = 6, Sectors = 7, Tiles = 8, FieldAge = 9))]
    #[var(set)]
    debug_view: i64,
    /// The goal whose field is drawn; 0 is the first.
    #[export]
    #[var(set)]
    debug_goal: i64,
    /// The movement type that is drawn.
    #[export]
    #[var(set)]
    debug_movement_type: i64,
    ..
    sync: WorldSync,
    crowds: Crowds,
    base: Base<Node>,
}

impl FlowFieldManager {
    /// Solver: exact costs of paths over the eight neighbours.
    #[constant]
    const OCTILE: i64 = 0;
    /// Solver: costs of lines of any direction.
    #[constant]
    const EIKONAL: i64 = 1;
    /// Tile variant: costs are carried over from tile to tile.
    #[constant]
    const TILES_SEAMLESS: i64 = 0;
    /// Tile variant: each tile leads to the exits of its sector alone.
    #[constant]
    const TILES_PLAIN: i64 = 1;
    /// Direction rule: towards the neighbour on a cheapest path.
    #[constant]
    const BEST_NEIGHBOUR: i64 = 0;
    /// Direction rule: down the slope of the costs.
    #[constant]
    const NEGATIVE_GRADIENT: i64 = 1;
    /// Direction rule: back along the wave, with a penalty on diagonals; the rule of Li Tian et al. 2020.
    #[constant]
    const PREDECESSOR: i64 = 2;
    /// Direction rule: along the shortest path, which may run at any angle.
    #[constant]
    const CHARACTERISTIC: i64 = 3;
    /// Goal mode: one field over the whole map.
    #[constant]
    const FULL: i64 = 0;
    /// Goal mode: tiles along the routes that are asked for.
    #[constant]
    const TILED: i64 = 1;
    /// Debug view: nothing.
    #[constant]
    const DEBUG_OFF: i64 = 0;
    /// Debug view: what each cell costs.
    #[constant]
    const DEBUG_COST: i64 = 1;
    /// Debug view: the cost to the goal.
    #[constant]
    const DEBUG_INTEGRATION: i64 = 2;
    /// Debug view: the directions.
    #[constant]
    const DEBUG_FLOW: i64 = 3;
    /// Debug view: a colour for each island.
    #[constant]
    const DEBUG_ISLANDS: i64 = 4;
    /// Debug view: the cells that are too narrow for the movement type.
    #[constant]
    const DEBUG_CLEARANCE: i64 = 5;
    /// Debug view: the cells in sight of the goal.
    #[constant]
    const DEBUG_LINE_OF_SIGHT: i64 = 6;
    /// Debug view: the borders of sectors, and the portals in them.
    #[constant]
    const DEBUG_SECTORS: i64 = 7;
    /// Debug view: the sectors that have a tile of a TILED goal, and the directions there.
    #[constant]
    const DEBUG_TILES: i64 = 8;
    /// Debug view: how many frames ago a goal that walks was where the directions lead to: green where they lead to where it is now, blue and then violet with their age.
    #[constant]
    const DEBUG_FIELD_AGE: i64 = 9;
    /// Channel of an image: red.
    #[constant]
    const CHANNEL_RED: i64 = 0;
    /// Channel of an image: green.
    #[constant]
    const CHANNEL_GREEN: i64 = 1;
    /// Channel of an image: blue.
    #[constant]
    const CHANNEL_BLUE: i64 = 2;
    /// Channel of an image: alpha.
    #[constant]
    const CHANNEL_ALPHA: i64 = 3;
    /// Channel of an image: luminance.
    #[constant]
    const CHANNEL_LUMINANCE: i64 = 4;
    /// Query status: there is a route.
    #[constant]
    const OK: i64 = 0;
    /// Query status: the starting point is in a wall.
    #[constant]
    const START_BLOCKED: i64 = 1;
    /// Query status: every target is in a wall.
    #[constant]
    const GOAL_BLOCKED: i64 = 2;
    /// Query status: start and goal are on open ground with no way between them.
    #[constant]
    const DISCONNECTED: i64 = 3;
    /// Query status: there is a way, but too narrow for the movement type.
    #[constant]
    const TOO_NARROW: i64 = 4;
    /// Query status: the starting point is outside the grid.
    #[constant]
    const OUT_OF_BOUNDS: i64 = 5;
    /// Query status: the first field is still being built, or a route to a TILED goal has been requested and the position's tile is not built yet.
    #[constant]
    const PENDING: i64 = 6;
    /// Query status: a route to a TILED goal has been asked for and waits to be searched.
    #[constant]
    const QUEUED: i64 = 7;

    /// A goal has a new field, its first or one that takes a change into account. Emitted once per goal and physics frame.
    #[signal]
    fn goal_ready(goal: i64);

    /// The terrain has changed within these cells. Emitted at most once per physics frame.
    #[signal]
    fn terrain_changed(cells: Rect2i);

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
    fn set_debug_view(&mut self, view: i64) {
        if let Some(view) = choice("FlowFieldManager.debug_view", view, 9) {
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
    /// Applies pending edits and builds, or starts to build, the fields that are out of date. The manager does so at the end of every physics frame, after all nodes have had it; call it to have it done now.
    #[func(gd_self)]
    pub fn update(mut this: Gd<Self>) {
        if !surroundings::may_act("FlowFieldManager.update", &this.clone().upcast()) {
            return;
        }
        // Handlers may call the manager and free it: no guard is held.
        let news = this.bind_mut().refresh();
        if let Some(cells) = news.terrain {
            let cells = convert::rect2i(cells);
            this.signals().terrain_changed().emit(cells);
        }
        for goal in news.ready {
            if this.is_instance_valid() {
                this.signals().goal_ready().emit(goal.0);
            }
        }
    }

    /// What is wrong with the properties, as the editor shows beside the node; empty if nothing is.
    #[func]
    fn get_setup_warnings(&mut self) -> PackedStringArray {
        self.warnings()
    }

    /// How many movement types there are: the default one counts where none is set.
    pub(crate) fn movement_type_count(&self) -> i64 {
        self.movement_types.len().max(1) as i64
    }

    /// The radius up to which agents of a movement type fit through every gap that they are led
    /// through, in world units.
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
        let mut news = world.update();
        for (goal, movement, error) in news.failed.drain(..) {
            let reason = format_args!("goal {}, movement type {movement}: {error}", goal.0);
            refuse("FlowFieldManager.update", reason);
        }
        news
    }
}
