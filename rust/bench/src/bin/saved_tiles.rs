//! Measures the time that saved tiles save: the first order on a large map, with and without them.
//!
//! A thousand routes lead from one corner to a goal in the opposite one. Their tiles are saved and loaded into a new
//! world, which gets the same order and then an order to another goal. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
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
    /// Worker threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut found = Vec::new();
    for name in &arguments.maps {
        let figures = measure(name, &arguments)?;
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
}

impl Taken {
    fn to_json(&self) -> Value {
        json!({
            "graph_ms": self.graph,
            "order_ms": self.order,
            "tiles_ms": self.tiles,
            "tiles_found": self.hits,
            "tiles_made": self.misses,
        })
    }
}

fn world_of(map: &CostMap, arguments: &Arguments) -> Result<FlowWorld, Box<dyn Error>> {
    let grid = Grid::new(IVec2::splat(arguments.size as i32), 1.0, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
    world.set_terrain_bytes(&map.cost)?;
    world.set_sector_size(arguments.sector)?;
    world.update();
    Ok(world)
}

/// Requests routes from `starts` and builds all tiles.
fn order(world: &mut FlowWorld, starts: &[Vec2], target: Vec2) -> Result<Taken, Box<dyn Error>> {
    let before = world.tile_stats().cache;
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
    while world.tile_stats().waiting > 0 {
        world.update();
    }
    let after = world.tile_stats().cache;
    Ok(Taken {
        graph,
        order,
        tiles: milliseconds(begin),
        hits: after.hits - before.hits,
        misses: after.misses - before.misses,
    })
}

fn measure(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let size = arguments.size as usize;
    let map = orders::large_map(name, size)?;
    let starts = orders::column(&map, arguments.units);
    let corner = orders::margin(&map);
    let target = orders::open_near(&map, size - corner, size - corner)?;
    let other = orders::open_near(&map, size - corner, corner)?;

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
        "size": size,
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
