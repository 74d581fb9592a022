//! System C's experiment (Li Tian et al. 2020, tables 1 and 2): the times of finding and of walking paths for 1 to 200
//! agents, by one search per agent and by fields.
//!
//! As in the paper, the map has 50 by 40 cells with obstacles, the goal is in cell (0, 0), and agents start in random
//! cells. The paper shows its obstacles in a figure without a number. Here they are blocks that cover a tenth of the
//! ground; `--density` changes that. Searches run once per agent, fields once for all agents. Agents are points that
//! walk alone, in strides of a fifth of a cell, at a speed at which the longest paths take about as long as in the
//! paper. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod methods;

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::Vec2;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, blocks};
use flow_swarm_bench::oracle::reachable;
use flow_swarm_bench::steps::Corners;
use flow_swarm_bench::timing::median;
use flow_swarm_bench::walker::Walker;
use serde_json::{Value, json};

use methods::{Method, OURS, PLAIN, TREE, all_methods};

/// Cells of the map.
const SIZE: (usize, usize) = (50, 40);
/// Numbers of agents.
const CROWDS: [usize; 6] = [1, 10, 20, 50, 100, 200];
/// Length of a stride, in cells.
const STRIDE: f32 = 0.2;
/// Speed of an agent: 12 units of length per second, where a cell is 4 units wide.
const CELLS_PER_SECOND: f64 = 3.0;
/// More than twice the length of any path on such a map, in cells. Agents that walk farther count as caught.
const LONGEST_WALK: f64 = 400.0;

/// Repeat system C's experiment.
#[derive(Debug, Parser)]
struct Arguments {
    /// Percent of the map that obstacles cover
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=60))]
    density: u32,
    /// Timed runs of each method for each number of agents, in turn with the other methods
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of map and agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The figures of one method for one number of agents.
struct Figures {
    /// Median time of finding all paths, in milliseconds.
    finding_ms: f64,
    /// Median time of computing all strides, in milliseconds.
    walking_ms: f64,
    /// The arrival of the last agent that arrives, in seconds of the game since the order, including the wait for its
    /// path.
    arrival_seconds: f64,
    /// The number of agents that never arrive.
    caught: usize,
    /// The number of strides into walls and through corners.
    faults: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let map = blocks(SIZE.0, SIZE.1, arguments.density, arguments.seed);
    let goal = map.index(0, 0);
    let spawns: Vec<usize> = reachable(&map, &[goal], Corners::Closed)
        .into_iter()
        .enumerate()
        .filter_map(|(cell, reached)| (reached && cell != goal).then_some(cell))
        .collect();
    if spawns.is_empty() {
        return Err("no cell reaches the goal".into());
    }
    println!(
        "{} by {} cells, {} of them obstacles, {} reach the goal; medians of {} runs\n",
        SIZE.0,
        SIZE.1,
        map.cost.iter().filter(|&&cost| cost == WALL).count(),
        spawns.len() + 1,
        arguments.rounds
    );
    let mut random = SplitMix64::new(arguments.seed);
    let mut methods = all_methods(&map, goal)?;
    let mut columns = Vec::new();
    for agents in CROWDS {
        let starts: Vec<usize> = (0..agents)
            .map(|_| spawns[random.below(spawns.len())])
            .collect();
        columns.push(measure(&mut methods, &map, &starts, arguments.rounds)?);
    }
    report(&methods, &columns, &arguments);
    Ok(())
}

/// Times all methods in turn, so that other load on the machine affects all of them equally.
fn measure(
    methods: &mut [Box<dyn Method + '_>],
    map: &CostMap,
    starts: &[usize],
    rounds: u32,
) -> Result<Vec<Figures>, Box<dyn Error>> {
    let mut finding = vec![Vec::new(); methods.len()];
    let mut walking = vec![Vec::new(); methods.len()];
    let mut figures = Vec::new();
    // The first round is the warm-up.
    for round in 0..=rounds {
        figures.clear();
        for (index, method) in methods.iter_mut().enumerate() {
            let begin = Instant::now();
            method.find(starts)?;
            let found = begin.elapsed().as_secs_f64();
            let begin = Instant::now();
            let mut outcome = walk_all(method.as_ref(), map, starts, found);
            let walked = begin.elapsed().as_secs_f64();
            if round > 0 {
                finding[index].push(found);
                walking[index].push(walked);
                outcome.finding_ms = median(&finding[index]) * 1e3;
                outcome.walking_ms = median(&walking[index]) * 1e3;
            }
            figures.push(outcome);
        }
    }
    Ok(figures)
}

fn walk_all(method: &dyn Method, map: &CostMap, starts: &[usize], found: f64) -> Figures {
    let walker = Walker::new(STRIDE);
    let mut figures = Figures {
        finding_ms: 0.0,
        walking_ms: 0.0,
        arrival_seconds: 0.0,
        caught: 0,
        faults: 0,
    };
    for (agent, &start) in starts.iter().enumerate() {
        let mut guide = method.guide(agent);
        let walk = walker.walk(
            map,
            centre(map, start),
            method.goal(),
            LONGEST_WALK,
            &mut *guide,
        );
        figures.faults += walk.wall_hits + walk.corner_cuts;
        if walk.arrived() {
            let share = if method.is_per_agent() {
                (agent + 1) as f64 / starts.len() as f64
            } else {
                1.0
            };
            let arrival = found * share + walk.length / CELLS_PER_SECOND;
            figures.arrival_seconds = figures.arrival_seconds.max(arrival);
        } else {
            figures.caught += 1;
        }
    }
    figures
}

fn centre(map: &CostMap, cell: usize) -> Vec2 {
    let (x, y) = map.position(cell);
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

fn report(methods: &[Box<dyn Method + '_>], columns: &[Vec<Figures>], arguments: &Arguments) {
    table("finding the ways [ms]", methods, columns, |figures| {
        format!("{:.4}", figures.finding_ms)
    });
    table("computing the strides [ms]", methods, columns, |figures| {
        format!("{:.3}", figures.walking_ms)
    });
    table(
        "until the last arrival [s of the game]",
        methods,
        columns,
        |figures| {
            if figures.caught == 0 {
                format!("{:.1}", figures.arrival_seconds)
            } else {
                format!("{} caught", figures.caught)
            }
        },
    );
    let index = |name: &str| methods.iter().position(|method| method.name() == name);
    for (index, method) in methods.iter().enumerate() {
        let faults: usize = columns.iter().map(|column| column[index].faults).sum();
        if faults > 0 {
            println!(
                "{}: {faults} strides into walls or through corners",
                method.name()
            );
        }
    }
    // The time of a field does not depend on the agents, so the median over all crowds is taken.
    let finding = |name: &str| {
        index(name).map_or(f64::NAN, |index| {
            let times: Vec<f64> = columns
                .iter()
                .map(|column| column[index].finding_ms)
                .collect();
            median(&times)
        })
    };
    let saved = |name: &str| 1.0 - finding(name) / finding(PLAIN);
    println!(
        "time saved against the plain field: {:.0}% by system C's own improvements, {:.0}% by {OURS}",
        100.0 * saved(TREE),
        100.0 * saved(OURS),
    );
    let growth = |method: usize| {
        let (few, many) = (&columns[1][method], &columns[CROWDS.len() - 1][method]);
        many.finding_ms / few.finding_ms
    };
    let rows: Vec<Value> = methods
        .iter()
        .enumerate()
        .map(|(method, it)| {
            let row = |value: fn(&Figures) -> Value| -> Vec<Value> {
                columns
                    .iter()
                    .map(|column| value(&column[method]))
                    .collect()
            };
            json!({
                "method": it.name(),
                "per_agent": it.is_per_agent(),
                "finding_ms": row(|figures| json!(figures.finding_ms)),
                "walking_ms": row(|figures| json!(figures.walking_ms)),
                "arrival_s": row(|figures| json!(figures.arrival_seconds)),
                "caught": row(|figures| json!(figures.caught)),
                "faults": row(|figures| json!(figures.faults)),
                "growth_from_10_to_200": growth(method),
            })
        })
        .collect();
    println!(
        "{}",
        json!({
            "density": arguments.density,
            "seed": arguments.seed,
            "rounds": arguments.rounds,
            "agents": CROWDS,
            "methods": rows,
            "saved_by_system_c": saved(TREE),
            "saved_by_ours": saved(OURS),
        })
    );
}

fn table(
    title: &str,
    methods: &[Box<dyn Method + '_>],
    columns: &[Vec<Figures>],
    show: impl Fn(&Figures) -> String,
) {
    print!("{title:<40}");
    for agents in CROWDS {
        print!("{agents:>11}");
    }
    println!();
    for (index, method) in methods.iter().enumerate() {
        print!("  {:<38}", method.name());
        for column in columns {
            print!("{:>11}", show(&column[index]));
        }
        println!();
    }
    println!();
}
