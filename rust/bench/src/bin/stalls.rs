//! Measures the longest update after orders and edits that concern a whole large map: milliseconds, without and with a
//! limit of the work of an update. On Unix it is the time for which the thread uses a processor, so that other load on the
//! machine does not count.
//!
//! Each scene begins with a call, such as the first order or a new cost table. Then updates follow until nothing waits
//! any more. The map has walls and costly cells at random places. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
#[cfg(unix)]
use std::time::Duration;

use clap::Parser;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
#[cfg(unix)]
use nix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

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

/// The most updates of a scene.
const MOST_UPDATES: usize = 20_000;
/// The number of goals of the scene with many.
const GOALS: usize = 1_000;

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

/// Walls and costly cells at random places, and clear ground at two corners.
fn terrain(size: u32, random: &mut SplitMix64) -> Vec<u8> {
    let width = size as usize;
    let cells = width * width;
    let mut terrain = vec![1; cells];
    for (id, share) in [(255, 10), (4, 10)] {
        for _ in 0..cells / share {
            terrain[random.below(cells)] = id;
        }
    }
    for corner in [10, width - 50] {
        for row in corner..corner + 40 {
            terrain[row * width + corner..][..40].fill(1);
        }
    }
    terrain
}

/// A world on a large map, and what is asked of it.
struct Game {
    world: FlowWorld,
    size: u32,
    is_limited: bool,
    random: SplitMix64,
}

/// The name of a scene, the milliseconds of its call, and of the part of it that the world cannot put off.
type Begun = (&'static str, f64, Option<f64>);

impl Game {
    fn new(size: u32, is_limited: bool, arguments: &Arguments) -> Outcome<Self> {
        let grid = Grid::new(IVec2::splat(size as i32), 1.0, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::serial());
        let mut random = SplitMix64::new(2);
        world.set_terrain_bytes(&terrain(size, &mut random))?;
        world.set_clock(clock);
        if is_limited {
            world.set_update_cells(arguments.cells);
            world.set_update_seconds(arguments.tiles_ms / 1e3)?;
        }
        world.update();
        Ok(Self {
            world,
            size,
            is_limited,
            random,
        })
    }

    /// Updates until nothing waits. Returns the figures of the scene.
    fn settle(&mut self, name: &str, call_ms: f64, at_once_ms: Option<f64>) -> Outcome<Value> {
        let mut times = Vec::new();
        while times.len() < MOST_UPDATES {
            let begin = clock();
            self.world.update();
            times.push(ms_since(begin));
            let tiles = self.world.tile_stats();
            if tiles.waiting + tiles.queued == 0 && !self.world.has_slices_left() {
                break;
            }
        }
        let first = times.first().copied().unwrap_or_default();
        let longest = times.iter().copied().fold(0.0, f64::max);
        let longest_at = times.iter().position(|&time| time >= longest);
        let updates = times.len();
        times.sort_by(f64::total_cmp);
        Ok(json!({
            "scene": name,
            "size": self.size,
            "limited": self.is_limited,
            "call_ms": call_ms,
            "at_once_ms": at_once_ms,
            "first_update_ms": first,
            "longest_update_ms": longest,
            "percentile_99_ms": times[(times.len() - 1) * 99 / 100],
            "median_update_ms": times[times.len() / 2],
            "longest_at": longest_at,
            "updates": updates,
        }))
    }

    fn far_corner(&self) -> Vec2 {
        Vec2::splat(self.size as f32 - 30.5)
    }

    fn first_order(&mut self) -> Outcome<Begun> {
        let target = self.far_corner();
        let begin = clock();
        let goal = self
            .world
            .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
        for number in 0..100 {
            let from = Vec2::new(15.5 + (number % 10) as f32, 15.5 + (number / 10) as f32);
            self.world.request_route(goal, 0, from)?;
        }
        Ok(("first order to a tiled goal", ms_since(begin), None))
    }

    fn first_field(&mut self) -> Outcome<Begun> {
        let goal = self.world.create_goal(&[self.far_corner()])?;
        let begin = clock();
        self.world.require(goal, 0)?;
        Ok(("first whole field", ms_since(begin), None))
    }

    fn wall_across(&mut self) -> Outcome<Begun> {
        let middle = self.size as i32 / 2;
        let low = IVec2::new(0, middle);
        let high = IVec2::new(self.size as i32 - 40, middle + 2);
        let begin = clock();
        self.world.set_terrain_rect(CellRect { low, high }, 255)?;
        Ok(("wall across the map", ms_since(begin), None))
    }

    fn cost_table(&mut self) -> Outcome<Begun> {
        let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        costs[4] = 9;
        let begin = clock();
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        self.world.set_movement_types(&[kind])?;
        Ok(("changed cost table", ms_since(begin), None))
    }

    fn new_terrain(&mut self) -> Outcome<Begun> {
        let terrain = terrain(self.size, &mut self.random);
        let begin = clock();
        self.world.set_terrain_bytes(&terrain)?;
        Ok(("whole new terrain", ms_since(begin), None))
    }

    fn many_goals(&mut self) -> Outcome<Begun> {
        let mut longest = 0.0_f64;
        let begin = clock();
        for _ in 0..GOALS {
            let mut place = || self.random.unit() as f32 * (self.size - 1) as f32;
            let (target, from) = (Vec2::new(place(), place()), Vec2::new(place(), place()));
            let one = clock();
            let goal = self
                .world
                .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
            self.world.request_route(goal, 0, from)?;
            longest = longest.max(ms_since(one));
        }
        Ok(("a thousand new goals", ms_since(begin), Some(longest)))
    }
}

fn ms_since(begin: f64) -> f64 {
    (clock() - begin) * 1e3
}
