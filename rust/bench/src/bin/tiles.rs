//! Measures flow tiles: how fast they are built, their memory, and the length of walks along them.
//!
//! With a map of the Moving AI format and the table `NAME.anyangle.csv` beside it, the table's queries are walked
//! twice: with all sectors active, and with only the sectors that an exact path crosses and those around them. Without
//! a map the ground is clear, and nothing is walked. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{EikonalSolver, GoalCell, OctileSolver, Solver};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::Sectors;
use flow_swarm::route::tiles::{TileCache, TileSolver, TiledField};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, largest_component_cell, open};
use flow_swarm_bench::movingai::{AnyAngleQuery, parse_any_angle, parse_map};
use flow_swarm_bench::statistics::{mean, percentile};
use flow_swarm_bench::timing::median;
use flow_swarm_bench::walker::Walker;
use serde_json::{Value, json};

/// Measure flow tiles on one map.
#[derive(Debug, Parser)]
struct Arguments {
    /// Cells along a sector's side; may be given several times
    #[arg(long = "sector", default_values_t = [10_u32, 16, 32])]
    sectors: Vec<u32>,
    /// Timed rounds; 0 switches timing off
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Width and height of the clear ground that is measured without a map
    #[arg(long, default_value_t = 1000)]
    open: usize,
    /// A map with its table of exact lengths beside it
    map: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let (name, map, queries) = match &arguments.map {
        None => {
            let size = arguments.open;
            (format!("open {size}"), open(size, size), Vec::new())
        }
        Some(path) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let map = parse_map(&fs::read_to_string(path)?)?;
            let table = fs::read_to_string(path.with_extension("anyangle.csv"))?;
            (name.into_owned(), map, parse_any_angle(&table)?)
        }
    };
    let bench = Bench::new(map)?;
    let mut figures = Vec::new();
    for &side in &arguments.sectors {
        let speed = match arguments.rounds {
            0 => Value::Null,
            rounds => bench.speed(side, rounds)?,
        };
        println!("{name}, sectors of {side}: {speed}");
        let all = bench.walk(side, &queries, false)?;
        println!("  all sectors: {all}");
        let corridor = bench.walk(side, &queries, true)?;
        println!("  corridors: {corridor}");
        figures.push(json!({
            "sector": side, "speed": speed, "walks_all": all, "walks_corridor": corridor,
        }));
    }
    println!("{}", json!({ "map": name, "tiles": figures }));
    Ok(())
}

struct Bench {
    map: CostMap,
    size: IVec2,
    terrain: Terrain,
    costs: CostField,
}

impl Bench {
    fn new(map: CostMap) -> Result<Self, Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        Ok(Self {
            map,
            size,
            terrain,
            costs,
        })
    }

    fn field(&self, side: u32, goal: IVec2) -> Result<TiledField, flow_swarm::Error> {
        let layout = Sectors::new(self.size, side)?;
        let target = goal.as_vec2() + 0.5;
        let goals = GoalCell::free(&[goal]);
        Ok(TiledField::new(
            layout,
            &goals,
            &[target],
            Solver::default(),
        ))
    }

    /// Times building every sector, at first and after one cell has changed, and whole fields for comparison.
    fn speed(&self, side: u32, rounds: usize) -> Result<Value, Box<dyn Error>> {
        let start = (self.map.width / 2, self.map.height / 2);
        let goal = largest_component_cell(&self.map, start).ok_or("nothing is open")?;
        let (x, y) = self.map.position(goal);
        let goal = IVec2::new(x as i32, y as i32);
        let (mut whole, mut tiled, mut cached, mut edit) = (vec![], vec![], vec![], vec![]);
        let mut solver = TileSolver::new();
        let mut eikonal = EikonalSolver::new();
        let mut figures = Value::Null;
        for _ in 0..rounds {
            let begun = Instant::now();
            let costs = eikonal.solve(&self.costs, &[goal])?;
            let targets = [goal.as_vec2() + 0.5];
            let (rule, workers) = (DirectionRule::Characteristic, Workers::serial());
            let flow = FlowField::new(&self.costs, &costs, &targets, rule, &workers);
            whole.push(begun.elapsed().as_secs_f64());
            drop((flow, costs));

            let mut cache = TileCache::new(1 << 28);
            let before = solver.solved();
            let (field, built, seconds) = self.build_all(side, goal, &mut solver, &mut cache)?;
            tiled.push(seconds);
            let first = cache.statistics();
            let solved = solver.solved() - before;
            let again = self.build_all(side, goal, &mut solver, &mut cache)?;
            cached.push(again.2);
            let mut field = field;
            let (seconds, tiles) = self.edit(&mut field, goal, &mut solver, &mut cache)?;
            edit.push(seconds);
            figures = json!({
                "sectors": field.active_count(),
                "built_per_sector": built as f64 / field.active_count() as f64,
                "solved_per_sector": solved as f64 / field.active_count() as f64,
                "cache_bytes": first.bytes,
                "tile_bytes": again.0.tile_bytes(),
                "field_bytes": again.0.bytes(),
                "edit_tiles": tiles,
            });
        }
        let ms = |seconds: &[f64]| median(seconds) * 1e3;
        let per_tile = figures["sectors"].as_f64().unwrap_or(1.0) / 1e3;
        figures["whole_field_ms"] = json!(ms(&whole));
        figures["build_ms"] = json!(ms(&tiled));
        figures["tile_us"] = json!(ms(&tiled) / per_tile);
        figures["cached_tile_us"] = json!(ms(&cached) / per_tile);
        figures["edit_ms"] = json!(ms(&edit));
        Ok(figures)
    }

    fn build_all(
        &self,
        side: u32,
        goal: IVec2,
        solver: &mut TileSolver,
        cache: &mut TileCache,
    ) -> Result<(TiledField, usize, f64), Box<dyn Error>> {
        let begun = Instant::now();
        let mut field = self.field(side, goal)?;
        let sectors: Vec<u32> = (0..field.layout().count() as u32).collect();
        field.activate(&sectors)?;
        let progress = field.build(&self.costs, solver, cache, usize::MAX, &mut || false)?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok((field, progress.built, seconds))
    }

    /// Closes or opens one cell 20 cells beside the goal.
    fn edit(
        &self,
        field: &mut TiledField,
        goal: IVec2,
        solver: &mut TileSolver,
        cache: &mut TileCache,
    ) -> Result<(f64, usize), Box<dyn Error>> {
        let cell = (goal + 20).min(self.size - 1);
        let rect = CellRect::cell(cell);
        let (mut terrain, mut costs) = (self.terrain.clone(), self.costs.clone());
        let id = if self.costs.is_open(cell) { WALL } else { 1 };
        terrain.fill_rect(rect, id)?;
        let begun = Instant::now();
        let changes = costs.update(&terrain, &MovementType::default(), &[rect]);
        field.invalidate(&costs, &changes);
        let progress = field.build(&costs, solver, cache, usize::MAX, &mut || false)?;
        Ok((begun.elapsed().as_secs_f64(), progress.built))
    }

    /// Walks the queries in strides of a quarter cell.
    fn walk(
        &self,
        side: u32,
        queries: &[AnyAngleQuery],
        only_corridors: bool,
    ) -> Result<Value, Box<dyn Error>> {
        let mut solver = TileSolver::new();
        let mut cache = TileCache::new(1 << 24);
        let mut octile = OctileSolver::new();
        let walker = Walker::new(0.25);
        let mut ratios = Vec::new();
        let (mut arrived, mut wall_hits, mut corner_cuts, mut sectors) = (0, 0, 0, 0);
        for query in queries {
            let cell = |(x, y): (usize, usize)| IVec2::new(x as i32, y as i32);
            let (start, goal) = (cell(query.start), cell(query.goal));
            let mut field = self.field(side, goal)?;
            let active: Vec<u32> = if only_corridors {
                self.corridor(field.layout(), start, goal, &mut octile)?
            } else {
                (0..field.layout().count() as u32).collect()
            };
            sectors += active.len();
            field.activate(&active)?;
            let done = field.build(
                &self.costs,
                &mut solver,
                &mut cache,
                usize::MAX,
                &mut || false,
            )?;
            assert!(done.is_done, "without a limit all is built");
            let centre = |cell: IVec2| cell.as_vec2() + 0.5;
            let limit = 4.0 * query.any_angle + 100.0;
            let walk = walker.walk(&self.map, centre(start), centre(goal), limit, |at| {
                field.sample_for(at, 0.0).unwrap_or(Vec2::ZERO)
            });
            arrived += usize::from(walk.arrived());
            wall_hits += walk.wall_hits;
            corner_cuts += walk.corner_cuts;
            if walk.arrived() && query.any_angle > 0.0 {
                ratios.push(walk.length / query.any_angle);
            }
        }
        Ok(json!({
            "walks": queries.len(), "arrived": arrived, "wall_hits": wall_hits, "corner_cuts": corner_cuts,
            "mean": mean(&ratios), "p95": percentile(&ratios, 95), "max": percentile(&ratios, 100),
            "sectors_per_walk": sectors as f64 / queries.len().max(1) as f64,
        }))
    }

    /// The sectors that a shortest grid path crosses, and those around them.
    fn corridor(
        &self,
        layout: &Sectors,
        start: IVec2,
        goal: IVec2,
        octile: &mut OctileSolver,
    ) -> Result<Vec<u32>, Box<dyn Error>> {
        let costs = octile.solve(&self.costs, &[goal])?;
        let rule = DirectionRule::BestNeighbour;
        let flow = FlowField::new(&self.costs, &costs, &[], rule, &Workers::serial());
        let mut sectors: Vec<u32> = Vec::new();
        for cell in flow.path_from(start) {
            let sector = layout.at(cell);
            if sectors.last() != Some(&sector) {
                sectors.push(sector);
            }
        }
        let around = |sector: &u32| {
            let sector = *sector;
            (0..8)
                .filter_map(move |step| layout.neighbour(sector, step))
                .chain([sector])
        };
        let mut wide: Vec<u32> = sectors.iter().flat_map(around).collect();
        wide.sort_unstable();
        wide.dedup();
        Ok(wide)
    }
}
