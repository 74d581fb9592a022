//! Times a full field with directions: binary heap, system A's FIFO relaxation, and the core.
//!
//! FIFO and the core run twice: on the same costs as the heaps, and with system A's wall penalty of 20, whose uneven
//! costs make FIFO revisit cells. The latter is what system A does by default, so that ratio counts. The Eikonal solver
//! computes any-angle paths instead of grid steps; it is included for its speed. All lines but one, which states so,
//! run on one thread.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use clap::Parser;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{IntegrationField, Solver, Solvers};
use flow_swarm::movement::{CostField, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::baselines::binary_heap::BinaryHeapDijkstra;
use flow_swarm_bench::baselines::fifo::{FifoOptions, FifoRelaxation};
use flow_swarm_bench::maps::{self, CostMap};
use flow_swarm_bench::oracle::{StepRule, exact_costs, relative_error};
use flow_swarm_bench::timing::{Contestant, Race};
use serde_json::{Map, Value, json};

/// Names of the contestants in tables and JSON.
const BINARY_HEAP: &str = "binary heap";
const PACKED_HEAP: &str = "binary heap, packed";
const FIFO: &str = "FIFO";
const FIFO_PENALTY: &str = "FIFO, wall penalty";
const CORE: &str = "core";
const CORE_TWO: &str = "core, 2 threads";
const CORE_PENALTY: &str = "core, wall penalty";
const EIKONAL: &str = "core, Eikonal";

/// System A's wall penalty.
const PENALTY: i64 = 20;

/// The largest relative deviation from exact costs that is accepted of solvers in `f32`.
const TOLERANCE: f64 = 1e-4;

/// Time a full field with directions on generated maps.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=8192))]
    size: u32,
    /// Timed runs of each solver on each map, after one warm-up run
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of the maps
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write all times to this file as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A solve of one map by the core. Its input is prepared before the clock starts.
struct CoreRun {
    costs: CostField,
    goal: IVec2,
    target: Vec2,
    solver: Solver,
    rule: DirectionRule,
    solvers: Solvers,
    workers: Workers,
}

impl CoreRun {
    /// Prepares the core for a map. Costs are those of the map, plus `penalty` in cells that touch a wall.
    fn new(
        map: &CostMap,
        goal: usize,
        penalty: i64,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        let movement = MovementType::with_wall_penalty(WallPenalty::new(penalty, 1, false)?);
        let (x, y) = map.position(goal);
        let goal = IVec2::new(x as i32, y as i32);
        Ok(Self {
            costs: CostField::new(&grid, &terrain, &movement),
            goal,
            target: goal.as_vec2() + 0.5,
            solver: Solver::Octile,
            rule: DirectionRule::BestNeighbour,
            solvers: Solvers::default(),
            workers: Workers::new(threads)?,
        })
    }

    /// Selects the Eikonal solver.
    fn by_eikonal(mut self) -> Self {
        self.solver = Solver::Eikonal;
        self.rule = DirectionRule::Characteristic;
        self
    }

    /// Solves costs and directions of all cells.
    fn solve(&mut self) -> Result<(IntegrationField, FlowField), flow_swarm::Error> {
        let method = self.rule.method(self.solver);
        let costs = black_box(&self.costs);
        let (integration, _) = self.solvers.solve(method, costs, &[self.goal])?;
        let flow = FlowField::new(
            &self.costs,
            &integration,
            &[self.target],
            self.rule,
            &self.workers,
        );
        Ok((integration, flow))
    }

    /// Turns the solve into a contestant. Each round allocates new memory for its result, as in a game.
    fn contestant<'run>(mut self, name: &'static str) -> Contestant<'run>
    where
        Self: 'run,
    {
        Contestant::new(name, move || {
            drop(black_box(self.solve()));
        })
    }
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
    let (mut results, mut summary) = (Vec::new(), Vec::new());
    for (name, map) in &races {
        let race = race(name, map, arguments.rounds as usize)?;
        println!("{race}");
        let ratios = ratios(&race);
        for (what, ratio) in &ratios {
            println!("{ratio:>7.2} x {what}");
        }
        let rate = megacells_per_second(&race, CORE, map.len());
        let eikonal = megacells_per_second(&race, EIKONAL, map.len());
        println!("{rate:>7.1} Mcells/s on one thread, {eikonal:.1} by the Eikonal solver\n");
        summary.push(json!({
            "map": name,
            "ns_per_cell": 1e3 / rate,
            "mcells_per_s": rate,
            "eikonal_mcells_per_s": eikonal,
            "ratios": ratios.iter().map(|&(what, ratio)| (what.to_owned(), json!(ratio))).collect::<Map<_, _>>(),
        }));
        results.push(race.to_json());
    }
    if let Some(path) = &arguments.json {
        let report: Value =
            json!({ "size": size, "rounds": arguments.rounds, "seed": seed, "races": results });
        fs::write(path, serde_json::to_string_pretty(&report)?)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    println!(
        "{}",
        json!({ "size": size, "rounds": arguments.rounds, "seed": seed, "maps": summary })
    );
    Ok(())
}

/// The ratios of the core's speed to that of each baseline, with the baseline's name.
fn ratios(race: &Race) -> Vec<(&'static str, f64)> {
    [
        ("the binary heap", BINARY_HEAP, CORE),
        ("the packed binary heap", PACKED_HEAP, CORE),
        ("FIFO", FIFO, CORE),
        (
            "system A (both with its wall penalty)",
            FIFO_PENALTY,
            CORE_PENALTY,
        ),
        ("one thread, on two", CORE, CORE_TWO),
        ("the binary heap, by EIKONAL", BINARY_HEAP, EIKONAL),
        ("the packed binary heap, by EIKONAL", PACKED_HEAP, EIKONAL),
    ]
    .into_iter()
    .filter_map(|(what, slow, fast)| Some((what, race.ratio(slow, fast)?)))
    .collect()
}

fn megacells_per_second(race: &Race, name: &str, cells: usize) -> f64 {
    let seconds = race
        .timing(name)
        .map_or(f64::NAN, |timing| timing.median_ms() / 1e3);
    cells as f64 / seconds / 1e6
}

/// Times all solvers on one map, with the goal near its centre, after checking their costs.
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
    let mut core = CoreRun::new(map, goal, 0, 1)?;
    check(name, CORE, &core.solve()?.0.to_costs(), &exact)?;

    let mut contestants = [
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
        core.contestant(CORE),
        CoreRun::new(map, goal, 0, 2)?.contestant(CORE_TWO),
        CoreRun::new(map, goal, PENALTY, 1)?.contestant(CORE_PENALTY),
        CoreRun::new(map, goal, 0, 1)?
            .by_eikonal()
            .contestant(EIKONAL),
    ];
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
