//! Measures the time that saved tiles save: the first order on a large map, with and without them.
//!
//! A thousand routes lead from one corner to a goal in the opposite one. Their tiles are saved and loaded into a new
//! world, which gets the same order and then an order to another goal. With `--plain` the plain tiles of all sectors
//! are baked and opened instead. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::orders;
use serde_json::{Value, json};

/// Measure the time that saved tiles save on large maps.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(64..=8192))]
    size: u32,
    /// Maps: open, rooms, terrain or random
    #[arg(long, value_delimiter = ',', default_value = "open,rooms,terrain")]
    maps: Vec<String>,
    /// Number of places from which routes are requested
    #[arg(long, default_value_t = 1000)]
    units: usize,
    /// Edge length of a sector, in cells
    #[arg(long, default_value_t = 16)]
    sector: u32,
    /// Bake plain tiles of all sectors instead of saving those of the routes
    #[arg(long)]
    plain: bool,
    /// Worker threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut found = Vec::new();
    for name in &arguments.maps {
        let figures = match arguments.plain {
            true => measure_baked(name, &arguments)?,
            false => measure(name, &arguments)?,
        };
        println!("{figures}");
        found.push(figures);
    }
    println!("{}", json!({ "saved_tiles": found }));
    Ok(())
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

/// The time of an order, in milliseconds, and the numbers of tiles that were found and built.
struct Taken {
    graph: f64,
    order: f64,
    tiles: f64,
    hits: u64,
    misses: u64,
    built: u64,
    loaded: u64,
    updates: u64,
}

impl Taken {
    fn to_json(&self) -> Value {
        json!({
            "graph_ms": self.graph,
            "order_ms": self.order,
            "tiles_ms": self.tiles,
            "tiles_found": self.hits,
            "tiles_made": self.misses,
            "tiles_built": self.built,
            "tiles_loaded": self.loaded,
            "updates": self.updates,
        })
    }
}

fn world_of(map: &CostMap, arguments: &Arguments) -> Result<FlowWorld, Box<dyn Error>> {
    let grid = Grid::new(IVec2::splat(arguments.size as i32), 1.0, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
    world.set_terrain_bytes(&map.cost)?;
    world.set_sector_size(arguments.sector)?;
    if arguments.plain {
        world.set_tile_variant(TileVariant::Plain);
    }
    world.update();
    Ok(world)
}

/// Requests routes from `starts` and builds all tiles.
fn order(world: &mut FlowWorld, starts: &[Vec2], target: Vec2) -> Result<Taken, Box<dyn Error>> {
    let before = world.tile_stats();
    let begin = Instant::now();
    world.portal_graph(0)?;
    let graph = milliseconds(begin);
    let begin = Instant::now();
    let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
    for &start in starts {
        world.request_route(goal, 0, start)?;
    }
    let order = milliseconds(begin);
    let begin = Instant::now();
    let mut updates = 0;
    while world.tile_stats().waiting > 0 {
        world.update();
        updates += 1;
    }
    let after = world.tile_stats();
    Ok(Taken {
        graph,
        order,
        tiles: milliseconds(begin),
        hits: after.cache.hits - before.cache.hits,
        misses: after.cache.misses - before.cache.misses,
        built: after.built - before.built,
        loaded: after.loaded - before.loaded,
        updates,
    })
}

/// What is ordered on a map.
struct Task {
    map: CostMap,
    /// The places of the units, in one corner.
    starts: Vec<Vec2>,
    /// The target, in the opposite corner, and another one.
    targets: [Vec2; 2],
}

fn task(name: &str, arguments: &Arguments) -> Result<Task, Box<dyn Error>> {
    let size = arguments.size as usize;
    let map = orders::large_map(name, size)?;
    let starts = orders::column(&map, arguments.units);
    let corner = orders::margin(&map);
    let target = orders::open_near(&map, size - corner, size - corner)?;
    let other = orders::open_near(&map, size - corner, corner)?;
    Ok(Task {
        map,
        starts,
        targets: [target, other],
    })
}

fn measure_baked(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let Task {
        map,
        starts,
        targets: [target, other],
    } = task(name, arguments)?;
    let mut world = world_of(&map, arguments)?;
    let cold = order(&mut world, &starts, target)?;
    let begin = Instant::now();
    let baked: Arc<[u8]> = world.bake_tiles()?.into();
    let bake_ms = milliseconds(begin);
    drop(world);

    let mut world = world_of(&map, arguments)?;
    let (file, length) = (Arc::clone(&baked), baked.len() as u64);
    let begin = Instant::now();
    let tiles = world.open_tiles(
        Box::new(move |from, count| Some(file.get(from as usize..)?.get(..count)?.to_vec())),
        length,
    )?;
    let open_ms = milliseconds(begin);
    let opened = order(&mut world, &starts, target)?;
    let elsewhere = order(&mut world, &starts, other)?;
    Ok(json!({
        "map": name,
        "size": arguments.size,
        "sector": arguments.sector,
        "baked_bytes": baked.len(),
        "tiles": tiles,
        "bake_ms": bake_ms,
        "open_ms": open_ms,
        "cold": cold.to_json(),
        "opened": opened.to_json(),
        "another_goal": elsewhere.to_json(),
    }))
}

fn measure(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let Task {
        map,
        starts,
        targets: [target, other],
    } = task(name, arguments)?;
    let mut world = world_of(&map, arguments)?;
    let cold = order(&mut world, &starts, target)?;
    let begin = Instant::now();
    let saved = world.save_tiles();
    let save_ms = milliseconds(begin);
    drop(world);

    let mut world = world_of(&map, arguments)?;
    let begin = Instant::now();
    let tiles = world.load_tiles(&saved)?;
    let load_ms = milliseconds(begin);
    let warm = order(&mut world, &starts, target)?;
    let elsewhere = order(&mut world, &starts, other)?;
    Ok(json!({
        "map": name,
        "size": arguments.size,
        "sector": arguments.sector,
        "saved_bytes": saved.len(),
        "tiles": tiles,
        "save_ms": save_ms,
        "load_ms": load_ms,
        "cold": cold.to_json(),
        "loaded": warm.to_json(),
        "another_goal": elsewhere.to_json(),
    }))
}
