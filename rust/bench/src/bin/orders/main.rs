//! Measures orders over large maps by tiled goals: the time until every unit walks, the time until all units have their
//! first tiles, and the size of the tiles.
//!
//! A column of units stands in one corner; the goal is in the opposite corner. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod burst;

use std::error::Error;
use std::sync::LazyLock;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{DEFAULT_ROUTE_LIMIT, FlowWorld, GoalId, GoalMode, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::orders::{self, open_near};
use serde_json::json;

/// Measure orders to a crowd on a large map.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(64..=8192))]
    size: u32,
    /// Maps: open, rooms, terrain or random
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "open,rooms,terrain,random"
    )]
    maps: Vec<String>,
    /// Number of units that get the order
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    units: u32,
    /// Groups into which the units are divided, each with its own goal
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=32))]
    groups: u8,
    /// Edge length of a sector, in cells
    #[arg(long, default_value_t = 16)]
    sector: u32,
    /// Build plain tiles
    #[arg(long)]
    plain: bool,
    /// Limit on the tiles that are built in a tick
    #[arg(long, default_value_t = 256)]
    tiles: usize,
    /// Limit on the routes that are searched in a tick
    #[arg(long, default_value_t = DEFAULT_ROUTE_LIMIT)]
    routes: usize,
    /// Milliseconds for routes and tiles in a tick; 0 means no limit
    #[arg(long, default_value_t = 0.0)]
    budget_ms: f64,
    /// Number of runs; the least time of each tick counts
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure orders to this many different goals in one tick instead, in a game with edits
    #[arg(long, default_value_t = 0)]
    burst: usize,
    /// Worker threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// The time that the first update after an order may spend on building tiles. All units must then have some.
const FIRST_SECONDS: f64 = 0.004;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if arguments.burst > 0 {
        let mut found = Vec::new();
        for name in &arguments.maps {
            found.push(burst::measure(name, &arguments)?);
        }
        println!("{}", json!({ "orders_in_a_tick": found }));
        return Ok(());
    }
    println!(
        "{:12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>6} {:>7} {:>9}",
        "map",
        "graph ms",
        "order ms",
        "again ms",
        "step ms",
        "first ms",
        "tick ms",
        "worst",
        "all ms",
        "ticks",
        "tiles",
        "KiB"
    );
    let mut found = Vec::new();
    for name in &arguments.maps {
        found.push(measure(name, &arguments)?);
    }
    println!("{}", json!({ "orders": found }));
    Ok(())
}

/// Seconds since an unspecified time.
fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64()
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

fn order(world: &mut FlowWorld, target: Vec2) -> Result<GoalId, Box<dyn Error>> {
    Ok(world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?)
}

/// Returns `true` if the sector of each unit and the next sector on its route have tiles.
fn all_have_first_tiles(
    world: &mut FlowWorld,
    goals: &[GoalId],
    swarm: &Swarm,
) -> Result<bool, Box<dyn Error>> {
    for (&position, &group) in swarm.positions().iter().zip(swarm.groups()) {
        if !world.has_first_tiles(goals[usize::from(group)], 0, position)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn make_world(map: &CostMap, arguments: &Arguments) -> Result<FlowWorld, Box<dyn Error>> {
    let grid = Grid::new(IVec2::splat(arguments.size as i32), 1.0, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
    world.set_terrain_bytes(&map.cost)?;
    world.set_sector_size(arguments.sector)?;
    if arguments.plain {
        world.set_tile_variant(TileVariant::Plain);
    }
    world.set_tile_limit(arguments.tiles);
    world.set_route_limit(arguments.routes)?;
    if arguments.budget_ms > 0.0 {
        world.set_clock(seconds);
        world.set_update_seconds(arguments.budget_ms / 1e3)?;
    }
    world.update();
    Ok(world)
}

/// The agent type of the units.
fn unit() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: 6.0,
        acceleration: 36.0,
        ..AgentType::default()
    }
}

fn measure(name: &str, arguments: &Arguments) -> Result<serde_json::Value, Box<dyn Error>> {
    let size = arguments.size as usize;
    let map = orders::large_map(name, size)?;
    let mut world = make_world(&map, arguments)?;

    let starts = orders::column(&map, arguments.units as usize);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[unit()])?;
    let groups = usize::from(arguments.groups);
    for (group, starts) in starts.chunks(starts.len().div_ceil(groups)).enumerate() {
        swarm.spawn(&world, starts, 0, group as i64)?;
    }

    let begin = Instant::now();
    drop(world.portal_graph(0)?);
    let graph = milliseconds(begin);

    let corner = orders::margin(&map);
    let far = size - corner;
    let target = |group: usize| open_near(&map, far, far - group * size / 64);
    let targets = (0..groups).map(target).collect::<Result<Vec<_>, _>>()?;
    let begin = Instant::now();
    let mut goals = Vec::new();
    for (group, &target) in targets.iter().enumerate() {
        goals.push(order(&mut world, target)?);
        swarm.set_group_goal(group as i64, goals.last().copied())?;
    }
    swarm.request_routes(&mut world)?;
    let first = milliseconds(begin);

    let before = swarm.positions().to_vec();
    let begin = Instant::now();
    swarm.step(&world, 0.05)?;
    let step = milliseconds(begin);
    let moving = before
        .iter()
        .zip(swarm.positions())
        .filter(|(old, new)| old != new);
    let moving = moving.count();

    let (mut ticks, mut sum, mut worst, mut building) = (0, 0.0, 0.0_f64, 0.0);
    // The first update may spend no more than this on building.
    world.set_clock(seconds);
    world.set_update_seconds(FIRST_SECONDS)?;
    let mut first_tiles = None;
    let mut most_first_bytes = 0;
    while world.tile_stats().waiting > 0 && ticks < 5000 {
        let begin = Instant::now();
        world.update();
        building += milliseconds(begin);
        world.set_update_seconds(f64::INFINITY)?;
        swarm.request_routes(&mut world)?;
        let spent = milliseconds(begin);
        if first_tiles.is_none() && all_have_first_tiles(&mut world, &goals, &swarm)? {
            first_tiles = Some((building, ticks + 1));
        }
        most_first_bytes = most_first_bytes.max(world.tile_memory().first_tiles);
        swarm.step(&world, 0.05)?;
        (ticks, sum, worst) = (ticks + 1, sum + spent, worst.max(spent));
    }
    let stats = world.tile_stats();
    let memory = world.tile_memory();
    let first_ms = first_tiles.map_or(f64::NAN, |it| it.0);

    // Another order to almost the same place, which can use all results of the first one.
    let near = open_near(&map, far - 40, far - 10)?;
    let begin = Instant::now();
    let again = order(&mut world, near)?;
    swarm.set_group_goal(0, Some(again))?;
    swarm.request_routes(&mut world)?;
    let second = milliseconds(begin);

    let mean = if ticks == 0 {
        0.0
    } else {
        sum / f64::from(ticks)
    };
    println!(
        "{name:12} {graph:9.2} {first:9.2} {second:9.2} {step:9.2} {first_ms:9.2} {mean:9.2} {worst:9.2} {building:9.2} \
         {ticks:6} {:7} {:9}",
        stats.built,
        stats.cache.bytes / 1024
    );
    Ok(json!({
        "map": name,
        "groups": groups,
        "units": starts.len(),
        "moving_in_first_tick": moving,
        "graph_ms": graph,
        "order_ms": first,
        "order_again_ms": second,
        "step_ms": step,
        "first_tiles_ms": first_tiles.map(|it| it.0),
        "first_tiles_ticks": first_tiles.map(|it| it.1),
        "first_tiles": stats.first,
        "building_ms": building,
        "tick_mean_ms": mean,
        "tick_worst_ms": worst,
        "ticks": ticks,
        "tiles_built": stats.built,
        "active_sectors": stats.active,
        "cache_bytes": stats.cache.bytes,
        "field_bytes": memory.fields,
        "route_bytes": memory.routes,
        "graph_bytes": memory.graphs,
        "first_tile_bytes": most_first_bytes,
    }))
}
