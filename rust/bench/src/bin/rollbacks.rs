//! Measures what it takes to keep the last ticks of a world and its swarm, to go back to one, and to play on from
//! there: milliseconds and bytes.
//!
//! A crowd walks across a map of blocks to a goal, with whole fields or with tiles. In every eight ticks the goal
//! moves, a wall is built, and the wall of before is removed. Then the game goes back over these orders, repeats them,
//! and must come to the same hashes. With `--threads 1` the eight ticks are measured in processor time. The last line
//! is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::CellRect;
use flow_swarm::snapshots::Snapshots;
use flow_swarm::swarm::Swarm;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::march::March;
use flow_swarm_bench::orders;
use serde_json::{Value, json};

/// Measure what rollbacks take.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the map, in cells
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(256..=4096))]
    size: u32,
    /// Number of agents
    #[arg(long, default_value_t = 10_000)]
    agents: usize,
    /// Number of times that the game goes back
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Worker threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Whether the goal walks on in every tick, instead of jumping once in eight
    #[arg(long)]
    walks: bool,
}

/// The ticks that the game goes back.
const TICKS: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut found = Vec::new();
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let figures = measure(mode, &arguments)?;
        println!("{figures}");
        found.push(figures);
    }
    println!("{}", json!({ "rollbacks": found }));
    Ok(())
}

/// The places to which the goal jumps in turn.
const PLACES: usize = 8;

struct Game {
    map: CostMap,
    places: Vec<Vec2>,
    world: FlowWorld,
    swarm: Swarm,
    goal: GoalId,
    walks: bool,
    snapshots: Snapshots,
}

/// The milliseconds of some ticks, each without and only with what keeps it.
#[derive(Default)]
struct Times {
    ticks: Vec<f64>,
    keeps: Vec<f64>,
}

impl Game {
    fn new(mode: GoalMode, arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let Arguments {
            size,
            agents,
            threads,
            walks,
            ..
        } = *arguments;
        let March {
            map,
            world,
            swarm,
            goal,
        } = March::new(mode, size, agents, threads)?;
        let place = |number: usize| {
            let corner = map.width - orders::margin(&map) - 2 * number;
            orders::open_near(&map, corner, corner)
        };
        let places = (0..PLACES).map(place).collect::<Result<_, _>>()?;
        Ok(Self {
            map,
            places,
            world,
            swarm,
            goal,
            walks,
            snapshots: Snapshots::default(),
        })
    }

    /// The orders of a tick.
    fn order(&mut self, tick: usize) -> Result<(), Box<dyn Error>> {
        let size = self.map.width;
        let (round, tick) = (tick / TICKS, tick % TICKS);
        let wall = |round: usize| {
            let low = IVec2::new((size / 4 + 16 * (round % 8)) as i32, size as i32 / 3);
            CellRect {
                low,
                high: low + IVec2::new(2, 30),
            }
        };
        if self.walks {
            let target = self.world.goal_targets(self.goal)?[0];
            let next = target - Vec2::new(0.4, 0.0);
            self.world.move_goal(self.goal, &[next])?;
        }
        match tick {
            1 if !self.walks => {
                let target = self.places[round % PLACES];
                self.world.move_goal(self.goal, &[target])?;
            }
            3 => self.world.set_terrain_rect(wall(round), 255)?,
            5 if round > 0 => self.world.set_terrain_rect(wall(round - 1), 1)?,
            _ => {}
        }
        Ok(())
    }

    /// The hashes of the world and the swarm.
    fn hashes(&self) -> Result<(u64, u64), Box<dyn Error>> {
        Ok((self.world.world_hash()?, self.swarm.state_hash()))
    }

    /// Plays some ticks.
    fn play(&mut self, from: usize, times: &mut Times) -> Result<(), Box<dyn Error>> {
        for tick in from..from + TICKS {
            let begin = Instant::now();
            self.order(tick)?;
            self.world.update();
            self.swarm.request_routes(&mut self.world)?;
            self.swarm.step(&self.world, 1.0 / 30.0)?;
            times.ticks.push(milliseconds(begin));
            let begin = Instant::now();
            self.snapshots
                .keep(&self.world, [(0, &self.swarm)].into_iter());
            times.keeps.push(milliseconds(begin));
        }
        Ok(())
    }
}

/// The processor time of this thread in milliseconds, which other programs on the machine hardly change; `None` where
/// the system does not tell, and with several threads, whose times it is not.
fn processor_ms(arguments: &Arguments) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    (arguments.threads == 1).then_some(nanoseconds / 1e6)
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn measure(mode: GoalMode, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let (mut kept, mut plain) = (Game::new(mode, arguments)?, Game::new(mode, arguments)?);
    let mut warm = Times::default();
    let first = 15 * TICKS;
    for from in (0..first).step_by(TICKS) {
        kept.play(from, &mut warm)?;
        plain.play(from, &mut warm)?;
    }
    kept.snapshots.set_most(2 * TICKS);
    for from in (first..first + 2 * TICKS).step_by(TICKS) {
        kept.play(from, &mut warm)?;
        plain.play(from, &mut warm)?;
    }
    let first = first + 2 * TICKS;
    let (mut restores, mut rounds, mut without) = (Vec::new(), Vec::new(), Vec::new());
    let (mut times, mut bytes) = (Times::default(), 0);
    for from in (first..).step_by(TICKS).take(arguments.rounds) {
        let mut plain_times = Times::default();
        let begin = processor_ms(arguments);
        plain.play(from, &mut plain_times)?;
        if let Some((begin, end)) = begin.zip(processor_ms(arguments)) {
            without.push(end - begin);
        } else {
            without.push(plain_times.ticks.iter().sum::<f64>());
        }
        let tick = kept.world.tick();
        kept.play(from, &mut times)?;
        bytes = bytes.max(kept.snapshots.memory_bytes(&kept.world));
        let processor = processor_ms(arguments);
        let begin = Instant::now();
        let Game {
            world,
            swarm,
            snapshots,
            ..
        } = &mut kept;
        snapshots.roll_back(tick, world, &mut [(0, swarm)])?;
        let restored = milliseconds(begin);
        let mut again = Times::default();
        kept.play(from, &mut again)?;
        restores.push(restored);
        let forward: f64 = again.ticks.iter().chain(&again.keeps).sum();
        let end = processor_ms(arguments);
        let spent = processor.zip(end).map(|(begin, end)| end - begin);
        rounds.push(spent.unwrap_or(restored + forward));
        if kept.hashes()? != plain.hashes()? {
            return Err("the repeated ticks differ".into());
        }
    }
    Ok(json!({
        "mode": format!("{mode:?}"),
        "size": arguments.size,
        "agents": kept.swarm.len(),
        "keep_ms": median(times.keeps),
        "restore_ms": median(restores),
        "back_and_forward_ms": median(rounds),
        "forward_without_snapshots_ms": median(without),
        "kept_ticks": kept.snapshots.ticks().count(),
        "kept_bytes": bytes,
    }))
}
