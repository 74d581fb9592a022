//! Measures what it takes to save and load a world and its swarm: milliseconds and bytes.
//!
//! A crowd walks across a map of blocks to a goal, with whole fields or with tiles. It is saved and loaded while it is
//! on its way. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::world::GoalMode;
use flow_swarm_bench::march::March;
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
    let Arguments {
        size,
        agents,
        rounds,
        threads,
    } = *arguments;
    let March {
        mut world,
        mut swarm,
        ..
    } = March::new(mode, size, agents, threads)?;
    for _ in 0..120 {
        swarm.request_routes(&mut world)?;
        world.update();
        swarm.step(&world, 1.0 / 30.0)?;
    }
    let (saved, crowd) = (world.save_state()?, swarm.save());
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
