//! Measures the longest update after orders and edits that concern a whole large map: milliseconds, without and with a
//! limit of the work of an update. On Unix it is the time for which the thread uses a processor, so that other load on
//! the machine does not count.
//!
//! Each scene begins with a call, such as the first order or a new cost table. Then updates follow until nothing waits
//! any more. The map has walls and costly cells at random places. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod changes;
mod game;
mod orders;

use std::error::Error;
#[cfg(unix)]
use std::time::Duration;

use clap::Parser;
use game::Game;
#[cfg(unix)]
use nix::time::{ClockId, clock_gettime};
use serde_json::json;

/// Measure the longest update after large orders and edits.
#[derive(Debug, Parser)]
struct Arguments {
    /// Widths and heights of maps, in cells
    #[arg(long, value_delimiter = ',', default_value = "2048,4096")]
    sizes: Vec<u32>,
    /// Cells of work of an update where it is limited; 0 if time alone is
    #[arg(long, default_value_t = 10_000)]
    cells: usize,
    /// Milliseconds of an update for what can wait, where it is limited
    #[arg(long, default_value_t = 2.0)]
    tiles_ms: f64,
    /// Leave out the scenes without a limit
    #[arg(long)]
    limited: bool,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The seconds for which this thread has used a processor: other load on the machine does not count.
#[cfg(unix)]
fn clock() -> f64 {
    let used = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
    used.map_or(0.0, |used| Duration::from(used).as_secs_f64())
}

/// Seconds since the first call.
#[cfg(not(unix))]
fn clock() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn main() -> Outcome<()> {
    let arguments = Arguments::parse();
    let mut found = Vec::new();
    for &size in &arguments.sizes {
        for is_limited in [false, true] {
            if arguments.limited && !is_limited {
                continue;
            }
            let mut game = Game::new(size, is_limited, &arguments)?;
            for scene in [
                Game::first_order,
                Game::first_field,
                Game::wall_across,
                Game::cost_table,
                Game::new_terrain,
                Game::many_goals,
                Game::cost_table_beside_many_goals,
                Game::wall_beside_many_goals,
                Game::release_of_many_goals,
                Game::wall_while_a_field_is_built,
                Game::wall_while_costs_are_written,
                Game::large_stamp,
                Game::many_edits,
                Game::added_type,
                Game::order_by_the_added_type,
                Game::first_overlay,
                Game::rollback,
                Game::walls_beside_snapshots,
                Game::walking_goals,
                Game::links,
                Game::solver,
                Game::reachability,
                Game::change_upon_change,
            ] {
                let (name, call_ms, first_whole_ms) = scene(&mut game)?;
                let figures = game.settle(name, call_ms, first_whole_ms)?;
                println!("{figures}");
                found.push(figures);
            }
        }
    }
    println!("{}", json!({ "stalls": found }));
    Ok(())
}

fn ms_since(begin: f64) -> f64 {
    (clock() - begin) * 1e3
}
