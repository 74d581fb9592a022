//! Plays a long game with tiled goals: a crowd, random orders (also into walls, pockets and islands and off the map),
//! and stamps and painted cells that come and go. It checks in every tick what must hold, and at the end that every
//! agent arrives that can. The last line is one JSON object; any violation ends the run with an error.
//!
//! Order of reading: `ground` and `play` (the game), `checks`, then `burst`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod burst;
mod checks;
mod ground;
mod play;

use std::error::Error;
use std::fs;

use clap::Parser;
use flow_swarm::Vec2;
use flow_swarm::swarm::AgentId;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::statistics::{mean, percentile};
use serde_json::json;

use checks::Checks;
use flow_swarm_bench::maps::areas;
use ground::{cell_of, largest};
use play::Play;

/// Ticks between comparisons of tiles with whole fields. Also the number of ticks without orders and edits within which
/// all tiles must be built for a comparison, unless the limit on tiles is low.
const COMPARE_EVERY: usize = 100;
const QUIET: usize = 400;
/// The number of ticks within which all agents must arrive at the end.
const LAST_WALK: usize = 20_000;

/// Play a long game with tiled goals.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Ticks with orders and edits
    #[arg(long, default_value_t = 20_000)]
    ticks: usize,
    /// Number of units
    #[arg(long, default_value_t = 400, value_parser = at_least::<8>)]
    units: usize,
    /// Width and height of the map, in cells
    #[arg(long, default_value_t = 192, value_parser = at_least::<64>)]
    side: usize,
    /// Edge length of a sector, in cells
    #[arg(long, default_value_t = 16)]
    sector: u32,
    /// Limit on the tiles that are built in a tick
    #[arg(long, default_value_t = 40)]
    tiles: usize,
    /// Bytes of the tile cache
    #[arg(long, default_value_t = 400_000)]
    cache_bytes: u64,
    /// Number of orders that are given at once, after all agents have arrived
    #[arg(long, default_value_t = 10_000)]
    burst: usize,
    /// Seed of the whole game
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

fn at_least<const LEAST: usize>(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number >= LEAST => Ok(number),
        _ => Err(format!("a whole number from {LEAST} on")),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut play = Play::new(&arguments)?;
    let mut checks = Checks::default();
    let mut random = SplitMix64::new(arguments.seed + 2);
    let mut resident = Vec::new();
    for number in 0..arguments.ticks {
        play.order()?;
        play.edit()?;
        tick(&mut play, &mut checks, &arguments, &mut random)
            .map_err(|error| format!("tick {number}: {error}"))?;
        if number % COMPARE_EVERY == COMPARE_EVERY - 1 {
            compare(&mut play, &mut checks, &arguments, &mut random)
                .map_err(|error| format!("after tick {number}: {error}"))?;
        }
        if number % (arguments.ticks / 10).max(1) == 0 {
            resident.push(resident_kib());
        }
    }
    let worst = percentile(&play.tick_ms, 100);
    let (last, left) = last_walk(&mut play, &mut checks, &arguments, &mut random)?;
    let stats = play.world.tile_stats();
    let burst = burst::give(&mut play, arguments.burst, arguments.tiles)?;
    println!(
        "{} ticks: {} orders, {} of them refused, {} edits; {} directions and {} fields with {} cells compared, {} told \
         of no route; all but {left} that cannot have arrived after {last} more",
        arguments.ticks,
        play.given + play.refused,
        play.refused,
        play.edits,
        checks.directions,
        checks.fields,
        checks.cells,
        checks.lost
    );
    println!(
        "{}",
        json!({
            "ticks": arguments.ticks,
            "units": arguments.units,
            "side": arguments.side,
            "sector": arguments.sector,
            "orders": play.given,
            "refused": play.refused,
            "edits": play.edits,
            "directions_checked": checks.directions,
            "fields_compared": checks.fields,
            "cells_compared": checks.cells,
            "told_of_no_route": checks.lost,
            "last_walk_ticks": last,
            "cannot_arrive": left,
            "update_mean_ms": mean(&play.tick_ms),
            "update_p95_ms": percentile(&play.tick_ms, 95),
            "update_worst_ms": worst,
            "step_mean_ms": play.step_ms / play.tick_ms.len() as f64,
            "tile_limit": arguments.tiles,
            "tiles_in_a_tick": checks.most_built,
            "active_sectors": checks.most_active,
            "cache_limit": arguments.cache_bytes,
            "cache_bytes": checks.most_cache_bytes,
            "tiles_built": stats.built,
            "cache_hits": stats.cache.hits,
            "resident_kib": resident,
            "burst": burst,
        })
    );
    Ok(())
}

/// Runs a tick with all its checks.
fn tick(
    play: &mut Play,
    checks: &mut Checks,
    arguments: &Arguments,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let built = play.world.tile_stats().built;
    play.update()?;
    checks.budget(play, built, arguments.tiles, arguments.cache_bytes)?;
    checks.directions(play, random)?;
    let ids = play.swarm.ids().iter().copied();
    let before: Vec<(AgentId, Vec2)> = ids.zip(play.swarm.positions().iter().copied()).collect();
    play.step()?;
    checks.step(play, &before)
}

/// Continues without orders and edits until all tiles are built, and compares those of every goal with whole fields.
fn compare(
    play: &mut Play,
    checks: &mut Checks,
    arguments: &Arguments,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    // After a change of the ground every active tile may have to be built again, some of them several times.
    let stats = play.world.tile_stats();
    let most = QUIET.max(4 * stats.active / arguments.tiles.max(1));
    for _ in 0..most {
        if play.world.tile_stats().waiting == 0 {
            for group in 0..play.orders.len() {
                checks.field(play, group)?;
            }
            return Ok(());
        }
        tick(play, checks, arguments, random)?;
    }
    let stats = play.world.tile_stats();
    Err(format!("tiles are not built after {most} quiet ticks: {stats:?}").into())
}

/// Clears the ground and sends all agents to a place that most can reach. Returns the number of ticks until they
/// arrive, and the number of agents that cannot.
fn last_walk(
    play: &mut Play,
    checks: &mut Checks,
    arguments: &Arguments,
    random: &mut SplitMix64,
) -> Result<(usize, usize), Box<dyn Error>> {
    play.clear_ground()?;
    play.let_arrive()?;
    let areas = areas(&play.map);
    let main = largest(&areas).ok_or("nothing is open")?;
    for group in 0..play.orders.len() {
        let cells: Vec<usize> = (0..areas.len())
            .filter(|&at| areas[at] == Some(main))
            .collect();
        play.send(group, play.map.middle_of(cells[random.below(cells.len())]))?;
    }
    for number in 0..LAST_WALK {
        let is_cut_off = |at: &Vec2| {
            let area = areas[cell_of(&play.map, *at)];
            area.is_some_and(|area| area != main)
        };
        let cut_off = play
            .swarm
            .positions()
            .iter()
            .filter(|at| is_cut_off(at))
            .count();
        if cut_off == play.swarm.len() {
            return Ok((number, cut_off));
        }
        tick(play, checks, arguments, random)
            .map_err(|error| format!("last walk, tick {number}: {error}"))?;
    }
    let left = play.swarm.positions().first();
    Err(format!("{} have not arrived, one at {left:?}", play.swarm.len()).into())
}

/// The memory of the process, in KiB; 0 where the system does not report it.
fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
