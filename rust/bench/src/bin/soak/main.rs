//! Plays a long game against tiled goals: random orders (into walls, pockets, islands and off the map too), stamps and
//! painted cells that come and go, with a crowd; checks in every tick what must hold, and at the end that everybody
//! arrives who can. The last line is one JSON object; anything that does not hold ends the run with an error.

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

/// Ticks between comparisons of tiles with whole fields, and those without orders and edits in which all tiles must
/// be built for that, unless the limit on tiles is low.
const COMPARE_EVERY: usize = 100;
const QUIET: usize = 400;
/// The most ticks that everybody may take to arrive at the end.
const LAST_WALK: usize = 20_000;

/// Play a long game against tiled goals.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Ticks with orders and edits
    #[arg(long, default_value_t = 20_000)]
    ticks: usize,
    /// How many units there are
    #[arg(long, default_value_t = 400, value_parser = at_least::<8>)]
    units: usize,
    /// Width and height of the map, in cells
    #[arg(long, default_value_t = 192, value_parser = at_least::<64>)]
    side: usize,
    /// Edge length of a sector, in cells
    #[arg(long, default_value_t = 16)]
    sector: u32,
    /// Tiles that are built in a tick
    #[arg(long, default_value_t = 40)]
    tiles: usize,
    /// Bytes of tiles that are kept
    #[arg(long, default_value_t = 400_000)]
    cache_bytes: u64,
    /// Orders that are given at once, after everybody has arrived
    #[arg(long, default_value_t = 10_000)]
    burst: usize,
    /// Seed of everything
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
         of no route; all but {left} who cannot have arrived after {last} more",
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

/// A tick with all its checks.
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

/// Goes on without orders and edits until all tiles are built, and compares those of every goal with whole fields.
fn compare(
    play: &mut Play,
    checks: &mut Checks,
    arguments: &Arguments,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    // A change of the ground may have every active tile built anew, some of them several times.
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

/// Clears the ground and sends everybody to where most can get; returns how many ticks that takes, and how many
/// cannot.
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

/// Memory of the process, in KiB; 0 where that is not told.
fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
