//! Measures what it takes to save and load a world and its swarm: milliseconds and bytes.
//!
//! A crowd walks across a map of blocks to a goal, with whole fields or with tiles. It is saved and loaded while it is
//! on its way. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::blocks;
use flow_swarm_bench::orders;
use serde_json::{Value, json};

/// Measure what saving and loading takes.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the map, in cells
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..=4096))]
    size: u32,
    /// Number of agents
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// Number of saves and loads
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Worker threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut found = Vec::new();
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let figures = measure(mode, &arguments)?;
        println!("{figures}");
        found.push(figures);
    }
    println!("{}", json!({ "saved_worlds": found }));
    Ok(())
}

/// The median of the milliseconds of several rounds.
fn median_ms<T>(
    rounds: usize,
    mut run: impl FnMut() -> Result<T, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let begin = Instant::now();
        let made = run()?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        drop(made);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn measure(mode: GoalMode, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let size = arguments.size as usize;
    let map = blocks(size, size, 15, 7);
    let grid = Grid::new(IVec2::splat(arguments.size as i32), 1.0, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
    world.set_terrain_bytes(&map.cost)?;
    let corner = orders::margin(&map);
    let target = orders::open_near(&map, size - corner, size - corner)?;
    let goal = world.create_goal_with_mode(&[target], &[0.0], mode)?;
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        acceleration: 40.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind])?;
    let open = (0..map.len()).filter(|&cell| map.is_passable(cell));
    let places: Vec<Vec2> = open
        .step_by(7)
        .map(|cell| map.middle_of(cell))
        .map(|middle| Vec2::new(middle.x, middle.y))
        .take(arguments.agents)
        .collect();
    swarm.spawn(&world, &places, 0, 0)?;
    swarm.set_group_goal(0, Some(goal))?;
    for _ in 0..120 {
        swarm.request_routes(&mut world)?;
        world.update();
        swarm.step(&world, 1.0 / 30.0)?;
    }
    let (saved, crowd) = (world.save_state()?, swarm.save());
    let rounds = arguments.rounds;
    let save_ms = median_ms(rounds, || Ok(world.save_state()?))?;
    let hash_ms = median_ms(rounds, || Ok(world.world_hash()?))?;
    let load_ms = median_ms(rounds, || Ok(world.load_state(&saved)?))?;
    let swarm_save_ms = median_ms(rounds, || Ok(swarm.save()))?;
    let swarm_load_ms = median_ms(rounds, || Ok(swarm.load_in(&world, &crowd)?))?;
    Ok(json!({
        "mode": format!("{mode:?}"),
        "size": size,
        "agents": swarm.len(),
        "world_bytes": saved.len(),
        "save_ms": save_ms,
        "load_ms": load_ms,
        "hash_ms": hash_ms,
        "swarm_bytes": crowd.len(),
        "swarm_save_ms": swarm_save_ms,
        "swarm_load_ms": swarm_load_ms,
    }))
}
