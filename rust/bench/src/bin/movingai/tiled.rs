//! Tiled goals on a map, in a world: the portal graph, orders, tiles along the routes and edits, with the time of each.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use flow_swarm::integrate::IntegrationField;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, Route, TileVariant};
use flow_swarm::{IVec2, Vec2, grid::Grid};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL};
use flow_swarm_bench::statistics::percentile;
use flow_swarm_bench::timing::median;
use serde_json::{Value, json};

use super::fields::{Fields, Solver};
use super::points::centre;
use super::walks::{Directions, Errand, Guides};

/// The best figures that another library of flow tiles has published, on its machine, in sectors of 10: set-up of 1000
/// by 1000 open cells, a route across them, a route across random512-10-0, a tile, a one-cell edit.
const PEER_INIT_MS: f64 = 930.0;
const PEER_CELLS: f64 = 1e6;
const PEER_ROUTE_MS: f64 = 74.0;
const PEER_RANDOM_ROUTE_MS: f64 = 255.0;
const PEER_TILE_US: f64 = 9.0;
const PEER_TILE_CELLS: f64 = 100.0;
const PEER_EDIT_MS: f64 = 0.5;

/// The number of timed edits.
const EDITS: usize = 100;

/// Creates tiled goals in a world with one thread.
pub struct Tiled {
    world: Arc<Mutex<FlowWorld>>,
    variant: TileVariant,
    whole: Fields,
    sector: u32,
    cells: usize,
    goal: Option<GoalId>,
    init_ms: f64,
    /// The time of each order for one start.
    route_ms: Vec<f64>,
    /// The mean time of a tile, for each goal.
    tile_us: Vec<f64>,
}

impl Tiled {
    /// Creates a world on the map and builds its portal graph.
    pub fn new(
        map: &CostMap,
        solver: Solver,
        sector: u32,
        variant: TileVariant,
    ) -> Result<Self, Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_terrain_bytes(&map.cost)?;
        world.set_solver(solver.in_core());
        world.set_sector_size(sector)?;
        world.set_tile_variant(variant);
        // So small a cache holds no tile of an earlier goal, so each tile is built here.
        world.set_tile_cache_bytes(1)?;
        world.set_tile_limit(usize::MAX);
        world.set_route_limit(usize::MAX)?;
        world.update();
        let begin = Instant::now();
        world.portal_graph(0)?;
        let init_ms = begin.elapsed().as_secs_f64() * 1e3;
        Ok(Self {
            world: Arc::new(Mutex::new(world)),
            variant,
            whole: Fields::new(map, solver, None)?,
            sector,
            cells: map.len(),
            goal: None,
            init_ms,
            route_ms: Vec::new(),
            tile_us: Vec::new(),
        })
    }

    fn build(&mut self) {
        let mut world = lock(&self.world);
        let before = world.tile_stats().built;
        let begin = Instant::now();
        while world.tile_stats().waiting > 0 {
            world.update();
        }
        let seconds = begin.elapsed().as_secs_f64();
        let built = world.tile_stats().built - before;
        if built > 0 {
            self.tile_us.push(seconds * 1e6 / built as f64);
        }
    }

    /// The figures of everything, including edits of single cells beside the path of an errand.
    pub fn measure(
        mut self,
        map: &CostMap,
        errand: Option<&Errand>,
    ) -> Result<Figures, Box<dyn Error>> {
        let mut edits = Vec::new();
        if let Some(errand) = errand {
            drop(self.directions(errand.goal, &[errand.start])?);
            self.route_ms.pop();
            let goal = self.goal.ok_or("an order makes a goal")?;
            let mut random = SplitMix64::new(1);
            for _ in 0..EDITS {
                let (x, y) = map.position(random.below(map.len()));
                let cell = IVec2::new(x as i32, y as i32);
                let mut world = lock(&self.world);
                let id = world.terrain().get(cell)?;
                for id in [if id == WALL { 1 } else { WALL }, id] {
                    let begin = Instant::now();
                    world.set_terrain(cell, id)?;
                    world.update();
                    world.request_route(goal, 0, centre(errand.start))?;
                    world.update();
                    edits.push(begin.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
        Ok(Figures {
            sector: self.sector,
            cells: self.cells,
            init_ms: self.init_ms,
            route_ms: self.route_ms,
            tile_us: self.tile_us,
            edit_ms: edits,
        })
    }
}

impl Guides for Tiled {
    fn octile_costs(
        &mut self,
        goal: (usize, usize),
    ) -> Result<IntegrationField, flow_swarm::Error> {
        self.whole.octile_costs(goal)
    }

    fn directions(
        &mut self,
        goal: (usize, usize),
        starts: &[(usize, usize)],
    ) -> Result<Directions, flow_swarm::Error> {
        let mut world = lock(&self.world);
        if let Some(old) = self.goal.take() {
            world.release_goal(old)?;
        }
        let begin = Instant::now();
        let goal = world.create_goal_with_mode(&[centre(goal)], &[0.0], GoalMode::Tiled)?;
        for &start in starts {
            world.request_route(goal, 0, centre(start))?;
        }
        if starts.len() == 1 {
            self.route_ms.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        drop(world);
        self.goal = Some(goal);
        self.build();
        if self.variant == TileVariant::Plain {
            return Ok(as_one_target_walks(Arc::clone(&self.world), goal));
        }
        let route = lock(&self.world).route(goal, 0);
        Ok(Box::new(move |at| {
            route
                .as_ref()
                .map_or(Vec2::ZERO, |route| route.sample_for(at, 0.0))
        }))
    }
}

/// Directions that are queried where an agent walks, because plain tiles are built only there.
fn as_one_target_walks(world: Arc<Mutex<FlowWorld>>, goal: GoalId) -> Directions {
    let sector = lock(&world).sector_size() as f32;
    let known: Mutex<Option<(IVec2, Option<Route>)>> = Mutex::new(None);
    Box::new(move |at| {
        let place = (at / sector).floor().as_ivec2();
        let mut known = lock(&known);
        if known.as_ref().is_none_or(|known| known.0 != place) {
            // Otherwise the field would be copied.
            known.take();
            let mut world = lock(&world);
            if world.request_route(goal, 0, at).is_ok() {
                world.update();
            }
            *known = Some((place, world.route(goal, 0)));
        }
        let route = known.as_ref().and_then(|known| known.1.as_ref());
        route.map_or(Vec2::ZERO, |route| route.sample_for(at, 0.0))
    })
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The figures of tiled goals.
pub struct Figures {
    sector: u32,
    cells: usize,
    init_ms: f64,
    route_ms: Vec<f64>,
    tile_us: Vec<f64>,
    edit_ms: Vec<f64>,
}

impl Figures {
    /// The figures, and their ratios to those of the other library for the same number of cells; on a map of random
    /// obstacles, for its slowest route.
    pub fn to_json(&self, name: &str) -> Value {
        let middle = |values: &[f64]| Some(median(values)).filter(|value| value.is_finite());
        let route = middle(&self.route_ms);
        let edit = middle(&self.edit_ms);
        let tile = middle(&self.tile_us);
        let peer_route = if name.starts_with("random") {
            PEER_RANDOM_ROUTE_MS
        } else {
            PEER_ROUTE_MS
        };
        let tile_cells = f64::from(self.sector * self.sector);
        json!({
            "sector": self.sector,
            "init_ms": self.init_ms,
            "route_ms": route,
            "route_p95_ms": percentile(&self.route_ms, 95),
            "route_max_ms": percentile(&self.route_ms, 100),
            "tile_us": tile,
            "edit_ms": edit,
            "edit_p95_ms": percentile(&self.edit_ms, 95),
            "peer_init_ratio": PEER_INIT_MS * self.cells as f64 / PEER_CELLS / self.init_ms,
            "peer_route_ratio": route.map(|ms| peer_route / ms),
            "peer_tile_ratio": tile.map(|us| PEER_TILE_US * tile_cells / PEER_TILE_CELLS / us),
            "peer_edit_ratio": edit.map(|ms| PEER_EDIT_MS / ms),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "tiles: sectors of {}, {:.2} ms for the portal graph, {:.3} ms an order, {:.2} us a tile, {:.3} ms an edit",
            self.sector,
            self.init_ms,
            median(&self.route_ms),
            median(&self.tile_us),
            median(&self.edit_ms),
        )
    }
}
