//! Times a full field with directions: binary heap, system A's FIFO relaxation, and the core.
//!
//! FIFO runs twice: on the same question as the others, and with system A's own wall penalty of 20, whose uneven costs
//! are what makes it revisit cells. The latter finds other costs; it tells what a user of system A waits for.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use clap::Parser;
use flow_swarm_bench::baselines::binary_heap::BinaryHeapDijkstra;
use flow_swarm_bench::baselines::fifo::{FifoOptions, FifoRelaxation};
use flow_swarm_bench::maps::{self, CostMap};
use flow_swarm_bench::oracle::{StepRule, exact_costs, relative_error};
use flow_swarm_bench::timing::{Contestant, Race};
use serde_json::{Value, json};

/// Names of the contestants, as they stand in tables and JSON.
const BINARY_HEAP: &str = "binary heap";
const PACKED_HEAP: &str = "binary heap, packed";
const FIFO: &str = "FIFO";
const FIFO_PENALTY: &str = "FIFO, wall penalty";
const CORE: &str = "core";

/// Largest deviation from exact costs, relative, that a solver in `f32` may show and still be timed.
const TOLERANCE: f64 = 1e-4;

/// Time a full field with directions on generated maps.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=8192))]
    size: u32,
    /// Timed runs of each solver on each map, after one to warm up
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of the maps
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write all times to this file as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The core, ready to be timed on one map.
struct CoreRun<'map> {
    /// Costs of one solve, per cell in row-major order, infinite where no goal can be reached.
    costs: Vec<f32>,
    /// Solves costs and directions for all cells once more, in memory that is already there.
    solve: Box<dyn FnMut() + 'map>,
}

/// MARKED FOR COMPLETION: the only place that calls the core. Sets it up for the map, which is not timed, solves once
/// and hands out the costs and a closure that solves again. `None`, while there is no core to call, leaves it out.
fn solve_with_core(_map: &CostMap, _goal: usize) -> Option<CoreRun<'_>> {
    None
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let size = arguments.size as usize;
    let seed = arguments.seed;
    let races: [(&str, CostMap); 4] = [
        ("open", maps::open(size, size)),
        ("rooms", maps::rooms(size, size, 32, seed)),
        ("terrain", maps::terrain(size, size, seed)),
        ("random-15%", maps::random_walls(size, size, 15, seed)),
    ];
    let mut results = Vec::new();
    for (name, map) in &races {
        let race = race(name, map, arguments.rounds as usize)?;
        println!("{race}");
        if let (Some(heap), Some(fifo)) = (race.ratio(BINARY_HEAP, CORE), race.ratio(FIFO, CORE)) {
            println!(
                "core: {heap:.2} times as fast as the binary heap, {fifo:.2} times as fast as FIFO\n"
            );
        } else {
            println!("the comparison with the core follows\n");
        }
        results.push(race.to_json());
    }
    if let Some(path) = &arguments.json {
        let report: Value =
            json!({ "size": size, "rounds": arguments.rounds, "seed": seed, "races": results });
        fs::write(path, serde_json::to_string_pretty(&report)?)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Times all solvers on one map, with the goal near its centre, once their costs have proved right.
fn race(name: &str, map: &CostMap, rounds: usize) -> Result<Race, Box<dyn Error>> {
    let centre = (map.width / 2, map.height / 2);
    let goal = maps::largest_component_cell(map, centre).ok_or("the map has no passable cell")?;
    let mut heap = BinaryHeapDijkstra::new();
    let mut packed_heap = BinaryHeapDijkstra::packed();
    let mut fifo = FifoRelaxation::new(FifoOptions::default());
    let mut fifo_penalty = FifoRelaxation::new(FifoOptions::system_a());

    let exact = exact_costs(map, &[goal], &StepRule::default());
    heap.solve(map, &[goal]);
    check(name, BINARY_HEAP, heap.costs(), &exact)?;
    let core = solve_with_core(map, goal);
    if let Some(core) = &core {
        check(name, CORE, &core.costs, &exact)?;
    }

    let mut contestants = vec![
        Contestant::new(BINARY_HEAP, || {
            heap.solve(black_box(map), &[goal]);
            black_box(heap.directions());
        }),
        Contestant::new(PACKED_HEAP, || {
            packed_heap.solve(black_box(map), &[goal]);
            black_box(packed_heap.directions());
        }),
        Contestant::new(FIFO, || {
            fifo.solve(black_box(map), &[goal]);
            black_box(fifo.vectors());
        }),
        Contestant::new(FIFO_PENALTY, || {
            fifo_penalty.solve(black_box(map), &[goal]);
            black_box(fifo_penalty.vectors());
        }),
    ];
    if let Some(core) = core {
        contestants.push(Contestant::new(CORE, core.solve));
    }
    Ok(Race::run(name, rounds, &mut contestants))
}

fn check(map: &str, solver: &str, costs: &[f32], exact: &[f64]) -> Result<(), String> {
    let error = relative_error(costs, exact);
    if error <= TOLERANCE {
        Ok(())
    } else {
        Err(format!(
            "{solver} on {map} is off by {error:e} of the exact cost"
        ))
    }
}
