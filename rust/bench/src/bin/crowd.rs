//! Times one step of a crowd with separation and wall correction.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;

use clap::Parser;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::oracle::all_neighbours;
use flow_swarm_bench::timing::{Contestant, Race};
use glam::Vec2;

/// Radius of an agent, in px.
const AGENT_RADIUS: f32 = 4.0;
/// Each agent has a square of this side to itself, in px.
const SPACING: f32 = 10.0;

/// Time one step of a crowd of radius 4 px, one agent per 10 by 10 px.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of agents for the core
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    agents: u32,
    /// Number of agents for the search that looks at all pairs
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    all_pairs_agents: u32,
    /// Timed runs, after one to warm up
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// MARKED FOR COMPLETION: the only place that calls the core. Times the core's step, buffer packing included, from these
/// positions and returns nanoseconds per agent. `None` while there is no core to call.
fn step_with_core(_positions: &[Vec2], _rounds: u32) -> Option<f64> {
    None
}

fn main() {
    let arguments = Arguments::parse();
    let few = crowd(arguments.all_pairs_agents as usize, arguments.seed);
    let title = format!("neighbours of {} agents", few.len());
    let race = Race::run(
        title,
        arguments.rounds as usize,
        &mut [Contestant::new("all pairs", || {
            black_box(all_neighbours(black_box(&few), 2.0 * AGENT_RADIUS));
        })],
    );
    println!("{race}");
    let many = crowd(arguments.agents as usize, arguments.seed);
    match step_with_core(&many, arguments.rounds) {
        Some(nanoseconds) => println!(
            "core: {nanoseconds:.1} ns per agent at {} agents",
            many.len()
        ),
        None => println!("the comparison with the core follows"),
    }
}

/// Positions in px, spread at random over a square that has room for exactly so many.
fn crowd(agents: usize, seed: u64) -> Vec<Vec2> {
    let side = f64::from(SPACING) * (agents as f64).sqrt();
    let mut random = SplitMix64::new(seed);
    (0..agents)
        .map(|_| Vec2::new((random.unit() * side) as f32, (random.unit() * side) as f32))
        .collect()
}
