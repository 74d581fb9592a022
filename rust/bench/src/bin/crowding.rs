//! Times crowd penalties: the measurement of crowding, and the field updates that follow from it.
//!
//! Half of a crowd stands in blocks on a large map, as it would in front of doors; the other half walks through.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::Vec2;
use flow_swarm::grid::Grid;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{AgentState, AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::timing::median;
use glam::IVec2;
use serde_json::json;

/// Length of a step, in seconds. Density is measured in every eighth step.
const DT: f32 = 1.0 / 32.0;

/// Time crowd penalties.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of agents, half of which stand
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    agents: u32,
    /// Width and height of the map in cells
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u16).range(64..=4096))]
    size: u16,
    /// Worker threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Added cost of full cells; 0 switches the measurement off
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u8).range(0..=253))]
    crowd_penalty: u8,
    /// Timed steps
    #[arg(long, default_value_t = 160)]
    steps: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let (mut world, mut swarm) = crowd(&arguments)?;
    let (mut measured, mut others, mut updates) = (Vec::new(), Vec::new(), Vec::new());
    for step in 1..=arguments.steps {
        let start = Instant::now();
        world.update();
        swarm.report_crowding(&mut world);
        swarm.request_routes(&mut world)?;
        let update = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        swarm.step(&world, DT)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        if step <= arguments.steps / 4 {
            continue;
        }
        match step % 8 {
            0 => measured.push(time),
            // The measurement of the step before is applied in two updates.
            1 | 2 => updates.push(update),
            _ => others.push(time),
        }
    }
    let stats = world.build_stats();
    println!(
        "a step {:.2} ms, one that measures {:.2} ms; the field after it {:.2} ms at most, {:.2} ms in the median",
        median(&others),
        median(&measured),
        updates.iter().copied().fold(0.0, f64::max),
        median(&updates),
    );
    println!(
        "{}",
        json!({
            "agents": arguments.agents,
            "size": arguments.size,
            "threads": arguments.threads,
            "step_ms": median(&others),
            "measuring_step_ms": median(&measured),
            "update_ms": median(&updates),
            "repairs": stats.repairs,
            "full_solves": stats.full_solves,
        })
    );
    Ok(())
}

/// A crowd in which every other agent stands, in blocks, and the others go to one side of the map.
fn crowd(arguments: &Arguments) -> Result<(FlowWorld, Swarm), Box<dyn Error>> {
    let size = i32::from(arguments.size);
    let grid = Grid::new(IVec2::splat(size), 1.0, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
    let penalty = CrowdPenalty::new(i64::from(arguments.crowd_penalty))?;
    world.set_movement_types(&[MovementType::default().with_crowd_penalty(penalty)])?;
    let targets: Vec<Vec2> = (0..size)
        .map(|y| grid.center_of(IVec2::new(size - 1, y)))
        .collect();
    let goal = world.create_goal(&targets)?;
    world.require(goal, 0)?;
    world.update();
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.4,
        max_speed: 4.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind])?;
    swarm.set_group_goal(0, Some(goal))?;
    let mut random = SplitMix64::new(1);
    let half = arguments.agents as usize / 2;
    let width = f64::from(size);
    let walking: Vec<Vec2> = (0..half)
        .map(|_| {
            Vec2::new(
                (random.unit() * 0.5 * width) as f32,
                (random.unit() * width) as f32,
            )
        })
        .collect();
    swarm.spawn(&world, &walking, 0, 0)?;
    // Blocks of twelve by twelve agents, one per cell.
    let blocks: Vec<Vec2> = (0..half.div_ceil(144))
        .map(|_| {
            let mut along = || (random.unit() * (width - 12.0)).floor() as f32;
            Vec2::new(along(), along())
        })
        .collect();
    let standing: Vec<Vec2> = (0..half)
        .map(|index| {
            let place = Vec2::new((index % 12) as f32, (index % 144 / 12) as f32);
            blocks[index / 144] + place + 0.5
        })
        .collect();
    let ids = swarm.spawn(&world, &standing, 0, 1)?;
    swarm.set_state(&ids, AgentState::Idle)?;
    Ok((world, swarm))
}
