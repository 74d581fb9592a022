//! Measures fields on a Moving AI map: exactness of costs, length of walks along directions, arrival from all cells,
//! and speed. With tiled goals instead of whole fields there are no costs to compare.
//!
//! Costs are compared with the scenario's optima. They are always those of the octile solver, whichever solver's
//! directions are walked, because the scenario has no other metric. Walks are compared with the exact shortest length
//! for a point that moves freely, from the table `NAME.anyangle.csv` beside the map or a given one. Without a table the
//! scenario's queries are walked without comparison. The last line is one JSON object.
//! queries are walked, and compared with nothing. The last line is one JSON object.
//!
//! Order of reading: `fields` and `tiled` (the sources of directions), `walks`, `costs`, `speed`. `points` converts
//! cells to the core's types.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod costs;
mod fields;
mod points;
mod speed;
mod tiled;
mod walks;

use std::error::Error;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use flow_swarm::route::DEFAULT_SECTOR_SIZE;
use flow_swarm::world::TileVariant;
use flow_swarm_bench::maps::{CostMap, WALL};
use flow_swarm_bench::movingai::{
    AnyAngleQuery, Query, Scenario, parse_any_angle, parse_map, parse_scenario,
};
use flow_swarm_bench::statistics::{mean, percentile};
use flow_swarm_bench::walker::{LONGEST_STRIDE, Walker};
use serde_json::{Value, json};

use fields::{Fields, Rule, Solver};
use tiled::Tiled;
use walks::{Errand, Guides, Starts, Tally};

/// What walks follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// A field of the whole map
    Whole,
    /// Tiles along the routes from the walks' starts
    Tiled,
}

/// The costs from which tiles are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// Costs carried over from tile to tile
    Seamless,
    /// The exits of each sector alone
    Plain,
}

impl Variant {
    fn in_core(self) -> TileVariant {
        match self {
            Self::Seamless => TileVariant::Seamless,
            Self::Plain => TileVariant::Plain,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Seamless => "seamless",
            Self::Plain => "plain",
        }
    }
}

/// Measure fields on one map of the Moving AI format.
#[derive(Debug, Parser)]
struct Arguments {
    /// Solver of the costs that the walked directions come from
    #[arg(long, value_enum, default_value_t = Solver::Octile)]
    solver: Solver,
    /// How directions follow from the costs [default: the solver's own]
    #[arg(long, value_enum)]
    rule: Option<Rule>,
    /// What walks follow
    #[arg(long, value_enum, default_value_t = Mode::Whole)]
    mode: Mode,
    /// Cells along a sector's side, with --mode tiled
    #[arg(long, default_value_t = DEFAULT_SECTOR_SIZE)]
    sector: u32,
    /// The costs from which tiles are solved
    #[arg(long, value_enum, default_value_t = Variant::Seamless)]
    variant: Variant,
    /// Table of exact shortest lengths in the plane [default: NAME.anyangle.csv beside the map, if it exists]
    #[arg(long, value_name = "CSV")]
    any_angle: Option<PathBuf>,
    /// Length of a stride, in cells
    #[arg(long, default_value_t = 0.25, value_parser = stride)]
    stride: f32,
    /// Number of goals to which a walk starts in every cell that reaches them
    #[arg(long, value_name = "GOALS", default_value_t = 1)]
    all_starts: usize,
    /// Start a walk only in every Nth of the cells that reach such a goal
    #[arg(long, value_name = "N", default_value_t = NonZero::<usize>::MIN)]
    every: NonZero<usize>,
    /// Timed fields, to up to 20 different goals in turn; 0 for no timing
    #[arg(long, default_value_t = 40)]
    rounds: usize,
    /// The map
    map: PathBuf,
    /// The scenario
    scen: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let map = read(&arguments.map, parse_map)?;
    let scenario = read(&arguments.scen, parse_scenario)?;
    let table = match table_path(&arguments) {
        Some(path) => Some(read(&path, parse_any_angle)?),
        None => None,
    };
    check_cells(
        &map,
        &scenario.queries,
        table.as_deref().unwrap_or_default(),
    )?;
    let name = arguments
        .map
        .file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    println!(
        "{name}: {} by {} cells, {} open",
        map.width,
        map.height,
        map.cost.iter().filter(|&&cost| cost != WALL).count(),
    );
    let course = Course {
        errands: errands(&scenario.queries, table.as_deref()),
        walker: Walker::new(arguments.stride),
        starts: Starts {
            goals: arguments.all_starts,
            every: arguments.every.get(),
        },
        map,
    };
    let mut report = json!({
        "map": name,
        "solver": arguments.solver.name(),
        "stride": arguments.stride,
        "queries": scenario.queries.len(),
        "any_angle_queries": table.as_ref().map(Vec::len),
    });
    let found = match arguments.mode {
        Mode::Whole => whole_fields(&arguments, &course, &scenario)?,
        Mode::Tiled => tiled_goals(&arguments, &course, &name)?,
    };
    for part in found {
        add(&mut report, part);
    }
    println!("{report}");
    Ok(())
}

/// The map and the walks on it.
struct Course {
    map: CostMap,
    errands: Vec<Errand>,
    walker: Walker,
    starts: Starts,
}

fn whole_fields(
    arguments: &Arguments,
    course: &Course,
    scenario: &Scenario,
) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut fields = Fields::new(&course.map, arguments.solver, arguments.rule)?;
    println!("{}", fields.description());
    let mismatches = costs::mismatches(&mut fields, &course.map, scenario)?;
    println!(
        "costs: {mismatches} of {} queries differ from the scenario's optimum",
        scenario.queries.len()
    );
    let walks = course.walk(&mut fields)?;
    let goals = distinct_goals(&course.errands);
    let speed = speed::measure(fields, &course.map, &goals, arguments.rounds)?;
    if let Some(speed) = &speed {
        println!("{speed}");
    }
    let figures = json!({
        "mode": "whole",
        "cost_mismatches": mismatches,
        "build_ms": speed.as_ref().map(|speed| speed.build_ms),
        "mcells_per_s": speed.as_ref().map(|speed| speed.megacells_per_second),
        "heap_ratio": speed.as_ref().map(|speed| speed.heap_ratio),
    });
    Ok(vec![walks, figures])
}

fn tiled_goals(
    arguments: &Arguments,
    course: &Course,
    name: &str,
) -> Result<Vec<Value>, Box<dyn Error>> {
    if arguments.rule.is_some() {
        return Err("tiles have directions of their own: --rule is for whole fields".into());
    }
    let mut tiled = Tiled::new(
        &course.map,
        arguments.solver,
        arguments.sector,
        arguments.variant.in_core(),
    )?;
    let walks = course.walk(&mut tiled)?;
    let figures = tiled.measure(&course.map, course.errands.last())?;
    println!("{figures}");
    let mode =
        json!({ "mode": "tiled", "variant": arguments.variant.name(), "cost_mismatches": null });
    Ok(vec![mode, walks, figures.to_json(name)])
}

impl Course {
    /// Walks the errands, and from all cells.
    fn walk(&self, guides: &mut impl Guides) -> Result<Value, Box<dyn Error>> {
        let tally = walks::run_errands(guides, &self.map, self.walker, &self.errands)?;
        let ratios = &tally.ratios;
        let (mean, p95, worst) = (
            mean(ratios),
            percentile(ratios, 95),
            percentile(ratios, 100),
        );
        println!("walks: {tally}");
        if let (Some(mean), Some(p95), Some(worst)) = (mean, p95, worst) {
            println!(
                "  length against the exact optimum: mean {mean:.4}, 95% below {p95:.4}, worst {worst:.4}"
            );
        }
        let goals = distinct_goals(&self.errands);
        let everywhere =
            walks::from_everywhere(guides, &self.map, self.walker, &goals, self.starts)?;
        if self.starts.goals > 0 {
            println!("from every cell: {everywhere}");
        }
        Ok(json!({
            "any_angle_mean": mean,
            "any_angle_p95": p95,
            "any_angle_max": worst,
            "walks": tally.walks,
            "arrived": tally.arrived,
            "wall_hits": tally.wall_hits,
            "corner_cuts": tally.corner_cuts,
            "all_starts": starts_to_json(&everywhere),
        }))
    }
}

/// Adds the entries of one object to another.
fn add(report: &mut Value, part: Value) {
    if let (Value::Object(report), Value::Object(part)) = (report, part) {
        report.extend(part);
    }
}

fn read<T, E: Error>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, Box<dyn Error>> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn stride(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(stride) if stride > 0.0 && stride <= LONGEST_STRIDE => Ok(stride),
        _ => Err(format!(
            "a stride is above 0 and at most {LONGEST_STRIDE} cells"
        )),
    }
}

fn table_path(arguments: &Arguments) -> Option<PathBuf> {
    arguments.any_angle.clone().or_else(|| {
        let beside = arguments.map.with_extension("anyangle.csv");
        beside.exists().then_some(beside)
    })
}

/// Refuses a scenario or a table whose cells are not on the map.
fn check_cells(map: &CostMap, queries: &[Query], table: &[AnyAngleQuery]) -> Result<(), String> {
    if let Some(query) = queries
        .iter()
        .find(|query| (query.width, query.height) != (map.width, map.height))
    {
        return Err(format!(
            "the scenario is for {} by {} cells, the map has {} by {}",
            query.width, query.height, map.width, map.height
        ));
    }
    let ends = queries.iter().map(|query| (query.start, query.goal));
    let ends = ends.chain(table.iter().map(|query| (query.start, query.goal)));
    for (x, y) in ends.flat_map(|(start, goal)| [start, goal]) {
        if x >= map.width || y >= map.height || !map.is_passable(map.index(x, y)) {
            return Err(format!("cell ({x}, {y}) of a query is not open on the map"));
        }
    }
    Ok(())
}

/// The walks to make: the table's queries or, without a table, the scenario's.
fn errands(queries: &[Query], table: Option<&[AnyAngleQuery]>) -> Vec<Errand> {
    match table {
        Some(table) => table
            .iter()
            .map(|query| Errand {
                start: query.start,
                goal: query.goal,
                optimum: Some(query.any_angle),
            })
            .collect(),
        None => queries
            .iter()
            .map(|query| Errand {
                start: query.start,
                goal: query.goal,
                optimum: None,
            })
            .collect(),
    }
}

/// Each goal once, in the order of the queries.
fn distinct_goals(errands: &[Errand]) -> Vec<(usize, usize)> {
    let mut goals: Vec<(usize, usize)> = Vec::new();
    for errand in errands {
        if !goals.contains(&errand.goal) {
            goals.push(errand.goal);
        }
    }
    goals
}

fn starts_to_json(everywhere: &Tally) -> Value {
    json!({
        "starts": everywhere.walks,
        "starts_arrived": everywhere.arrived,
        "wall_hits": everywhere.wall_hits,
        "corner_cuts": everywhere.corner_cuts,
        "stuck": everywhere.stuck.iter().map(|(start, goal)| json!({
            "start": [start.0, start.1],
            "goal": [goal.0, goal.1],
        })).collect::<Vec<_>>(),
    })
}
