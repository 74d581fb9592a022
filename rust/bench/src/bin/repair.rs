//! Times the repair of a field after single cells are toggled between open and wall, relative to a full solve of the
//! same map with directions.
//!
//! A time covers the whole update of the world: costs, integration and directions. The full solve is the update after
//! the goal has come back to its cell, on the same map directly after the edit. The repaired field must equal it bit for
//! bit.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use flow_swarm::grid::Grid;
use flow_swarm::integrate;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64, WALL};
use flow_swarm_bench::timing::median;
use serde_json::{Value, json};

/// Time repairs of a field after single edits against full solves.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=8192))]
    size: u32,
    /// The solver whose fields are repaired
    #[arg(long, value_enum, default_value_t = Solver::Octile)]
    solver: Solver,
    /// Maps, by name
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "open,rooms,terrain,random-15%"
    )]
    maps: Vec<String>,
    /// Number of cells that are toggled on each map, one after the other
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    edits: u32,
    /// How often each toggle is timed; the fastest counts. In between it is reverted
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// Seed of the maps and of the toggled cells
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Solver {
    Octile,
    Eikonal,
}

impl Solver {
    fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Eikonal => "eikonal",
        }
    }

    fn in_core(self) -> integrate::Solver {
        match self {
            Self::Octile => integrate::Solver::Octile,
            Self::Eikonal => integrate::Solver::Eikonal,
        }
    }
}

/// A world with one field, and the time of a full solve.
struct Run {
    world: FlowWorld,
    goal: GoalId,
    cell: IVec2,
}

/// The results of one toggle.
struct Toggle {
    repair_seconds: f64,
    full_seconds: f64,
    /// The number of cells that the repair examined; `None` if it gave up.
    cells: Option<usize>,
}

impl Toggle {
    fn ratio(&self) -> f64 {
        self.repair_seconds / self.full_seconds
    }
}

impl Run {
    fn new(map: &CostMap, solver: Solver) -> Result<Self, Box<dyn Error>> {
        let centre = (map.width / 2, map.height / 2);
        let goal = maps::largest_component_cell(map, centre).ok_or("no passable cell")?;
        let (x, y) = map.position(goal);
        let cell = IVec2::new(x as i32, y as i32);
        let size = IVec2::new(map.width as i32, map.height as i32);
        let mut world = FlowWorld::new(Grid::new(size, 1.0, Vec2::ZERO)?, Workers::serial());
        world.set_solver(solver.in_core());
        world.set_walking_cells(0);
        world.set_terrain_bytes(&map.cost)?;
        let goal = world.create_goal(&[cell.as_vec2() + 0.5])?;
        world.require(goal, 0)?;
        world.update();
        Ok(Self { world, goal, cell })
    }

    /// Makes the world solve its field again: a goal that has left its cell comes back. Returns the seconds that it
    /// takes.
    fn solve(&mut self) -> Result<f64, Box<dyn Error>> {
        let target = self.cell.as_vec2() + 0.5;
        self.world.move_goal(self.goal, &[target + Vec2::X])?;
        self.world.update();
        let start = Instant::now();
        self.world.move_goal(self.goal, &[target])?;
        black_box(self.world.update());
        Ok(start.elapsed().as_secs_f64())
    }

    fn set(&mut self, cell: IVec2, id: u8) -> Result<Toggle, Box<dyn Error>> {
        let repairs = self.world.build_stats().repairs;
        let start = Instant::now();
        self.world.set_terrain(cell, id)?;
        black_box(self.world.update());
        let repair_seconds = start.elapsed().as_secs_f64();
        let stats = self.world.build_stats();
        // Copies, because holding the field would spare the solve the work of freeing it.
        let repaired = self.world.field(self.goal, 0).ok_or("no field")?;
        let costs = repaired.integration.stored().to_vec();
        let directions = repaired.flow.to_vectors();
        let full_seconds = self.solve()?;
        let solved = self.world.field(self.goal, 0).ok_or("no field")?;
        if costs != solved.integration.stored() || directions != solved.flow.to_vectors() {
            return Err(format!("the repaired field is not the solved one after {cell}").into());
        }
        Ok(Toggle {
            repair_seconds,
            full_seconds,
            cells: (stats.repairs > repairs).then_some(stats.last_repair_cells),
        })
    }

    /// Toggles a cell permanently. Returns the fastest of several tries.
    fn toggle(&mut self, cell: IVec2, repeats: u32) -> Result<Toggle, Box<dyn Error>> {
        let before = self.world.terrain().get(cell)?;
        let after = if before == WALL { 1 } else { WALL };
        let mut best = self.set(cell, after)?;
        for _ in 1..repeats {
            self.set(cell, before)?;
            let again = self.set(cell, after)?;
            best.repair_seconds = best.repair_seconds.min(again.repair_seconds);
            best.full_seconds = best.full_seconds.min(again.full_seconds);
        }
        Ok(best)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut summary = Vec::new();
    println!(
        "{:12} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8}",
        "map", "full [ms]", "[ns/look]", "median %", "p95 %", "p99 %", "max", "abandoned", "ratio"
    );
    for name in &arguments.maps {
        summary.push(measure(name, &arguments)?);
    }
    let solver = arguments.solver.name();
    println!(
        "{}",
        json!({ "size": arguments.size, "solver": solver, "edits": arguments.edits, "maps": summary })
    );
    Ok(())
}

fn measure(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let size = arguments.size as usize;
    let seed = arguments.seed;
    let known = maps::every_kind(size, size, seed);
    let map = match name {
        "rooms" => maps::rooms(size, size, 32, seed),
        _ => known
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, map)| map)
            .ok_or_else(|| format!("there is no map {name:?}"))?,
    };
    let mut run = Run::new(&map, arguments.solver)?;
    let mut random = SplitMix64::new(seed);
    let mut toggles = Vec::new();
    for _ in 0..arguments.edits {
        let cell = IVec2::new(random.below(size) as i32, random.below(size) as i32);
        toggles.push(run.toggle(cell, arguments.repeats)?);
    }
    let mut ratios: Vec<f64> = toggles.iter().map(Toggle::ratio).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let quantile = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
    let full: Vec<f64> = toggles.iter().map(|toggle| toggle.full_seconds).collect();
    let full_ms = median(&full) * 1e3;
    // Time per examined cell, in repairs that examine enough cells for the fixed cost not to matter.
    let looks: Vec<f64> = toggles
        .iter()
        .filter_map(|toggle| Some((toggle.repair_seconds, toggle.cells? as f64)))
        .filter(|&(_, cells)| cells > 1000.0)
        .map(|(seconds, cells)| seconds / cells * 1e9)
        .collect();
    let ns_per_look = median(&looks);
    let given_up: Vec<f64> = toggles
        .iter()
        .filter(|toggle| toggle.cells.is_none())
        .map(Toggle::ratio)
        .collect();
    let abandoned_ratio = median(&given_up);
    let (middle, p95, p99, most) = (quantile(0.5), quantile(0.95), quantile(0.99), quantile(1.0));
    println!(
        "{name:12} {full_ms:>9.2} {ns_per_look:>9.1} {:>8.3} {:>8.3} {:>8.3} {most:>8.3} {:>9} {abandoned_ratio:>8.3}",
        middle * 100.0,
        p95 * 100.0,
        p99 * 100.0,
        given_up.len()
    );
    Ok(json!({
        "map": name,
        "full_ms": full_ms,
        "median_percent": middle * 100.0,
        "p95_percent": p95 * 100.0,
        "max_ratio": most,
        "abandoned": given_up.len(),
        "abandoned_median_ratio": if given_up.is_empty() { Value::Null } else { json!(abandoned_ratio) },
    }))
}
