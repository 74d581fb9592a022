//! Measures portal graphs and routes: the times of building, of a route, of many routes to one goal and of an edit, and
//! how much longer routes are than shortest paths.
//!
//! A route has two lengths: that over the graph, from middle to middle of its portals, and that of the cheapest path
//! through its windows, along which tiles with carried-over costs lead. The last line is one JSON object.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod corridor;

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{GoalCell, OctileSolver};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::{
    DEFAULT_EXPANSION_BUDGET, GoalRoutes, PortalGraph, PortalSettings, SectorSearch,
};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64, WALL};
use flow_swarm_bench::movingai::{parse_map, parse_scenario};
use flow_swarm_bench::statistics;
use serde_json::{Value, json};

/// Measure portal graphs and routes.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of generated maps, in cells
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=8192))]
    size: u32,
    /// Generated maps, by name
    #[arg(long, value_delimiter = ',', default_value = "open")]
    maps: Vec<String>,
    /// Sector sizes, in cells
    #[arg(long, value_delimiter = ',', default_value = "10")]
    sectors: Vec<u32>,
    /// Greatest widths of windows, in cells; those above a sector's size are ignored
    #[arg(long, value_delimiter = ',', default_value = "64")]
    windows: Vec<u32>,
    /// Number of routes on each generated map
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    routes: u32,
    /// Portals that a search expands before the weight of its estimates grows [default: the core's]
    #[arg(long, default_value_t = DEFAULT_EXPANSION_BUDGET)]
    expansion_budget: usize,
    /// Seed of maps, sources and goals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Maps of the Moving AI format, each with its scenario in NAME.scen beside it, instead of generated ones
    files: Vec<PathBuf>,
}

/// A map and the routes to search on it.
struct Course {
    name: String,
    map: CostMap,
    /// Sources, goals and the costs of the shortest paths.
    queries: Vec<(IVec2, IVec2, f64)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut courses = Vec::new();
    for file in &arguments.files {
        courses.push(Course::read(file)?);
    }
    if courses.is_empty() {
        for name in &arguments.maps {
            courses.push(Course::generate(name, &arguments)?);
        }
    }
    println!(
        "{:18} {:>6} {:>6} {:>7} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "map",
        "sector",
        "window",
        "windows",
        "edges",
        "build ms",
        "across",
        "route",
        "p95",
        "max ms",
        "merge",
        "edit us",
        "p95 us",
        "graph",
        "p95",
        "tiles",
        "p95"
    );
    let mut found = Vec::new();
    for course in &courses {
        for &sector_size in &arguments.sectors {
            let mut widths = arguments.windows.clone();
            for width in &mut widths {
                *width = sector_size.min(*width);
            }
            widths.dedup();
            for widest_window in widths {
                let settings = PortalSettings {
                    sector_size,
                    widest_window,
                };
                found.push(course.measure(settings, arguments.seed, arguments.expansion_budget)?);
            }
        }
    }
    println!("{}", json!({ "routes": found }));
    Ok(())
}

fn at(map: &CostMap, index: usize) -> IVec2 {
    let (x, y) = map.position(index);
    IVec2::new(x as i32, y as i32)
}

fn terrain_of(map: &CostMap) -> Result<(Grid, Terrain), Box<dyn Error>> {
    let size = IVec2::new(map.width as i32, map.height as i32);
    let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
    let mut terrain = Terrain::new(&grid);
    terrain.set_bytes(&map.cost)?;
    Ok((grid, terrain))
}

fn mean(values: &[f64]) -> f64 {
    statistics::mean(values).unwrap_or(f64::NAN)
}

fn percentile(values: &[f64], percent: u32) -> f64 {
    statistics::percentile(values, percent).unwrap_or(f64::NAN)
}

/// Median, 95th percentile and maximum of times in seconds, multiplied by `unit`, the number of units in a second.
fn spread(times: &[f64], unit: f64) -> (f64, f64, f64) {
    let most = percentile(times, 100);
    (
        percentile(times, 50) * unit,
        percentile(times, 95) * unit,
        most * unit,
    )
}

impl Course {
    fn read(path: &PathBuf) -> Result<Self, Box<dyn Error>> {
        let map = parse_map(&fs::read_to_string(path)?)?;
        let mut scen = path.clone().into_os_string();
        scen.push(".scen");
        let scenario = parse_scenario(&fs::read_to_string(scen)?)?;
        let cell = |(x, y): (usize, usize)| IVec2::new(x as i32, y as i32);
        let queries = scenario.queries.iter();
        let queries = queries.map(|query| (cell(query.start), cell(query.goal), query.optimal));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self {
            name: name.into_owned(),
            queries: queries.filter(|query| query.2 > 0.0).collect(),
            map,
        })
    }

    fn generate(name: &str, arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let size = arguments.size as usize;
        let known = maps::every_kind(size, size, arguments.seed);
        let map = match name {
            "rooms" => maps::rooms(size, size, 32, arguments.seed),
            "random-10%" => maps::random_walls(size, size, 10, arguments.seed),
            _ => known
                .into_iter()
                .find(|(known, _)| *known == name)
                .map(|(_, map)| map)
                .ok_or_else(|| format!("there is no map {name:?}"))?,
        };
        let component = maps::largest_component(&map);
        let mut random = SplitMix64::new(arguments.seed);
        let (grid, terrain) = terrain_of(&map)?;
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let mut solver = OctileSolver::new();
        let mut queries = Vec::new();
        // Fields of large maps take longest, so many sources share a goal.
        while queries.len() < arguments.routes as usize {
            let goal = at(&map, component[random.below(component.len())]);
            let field = solver.solve(&costs, &[goal])?;
            for _ in 0..20 {
                let source = at(&map, component[random.below(component.len())]);
                let optimal = field.cost_at(source).ok_or("not joined")?;
                if optimal > 0.0 {
                    queries.push((source, goal, optimal));
                }
            }
        }
        Ok(Self {
            name: name.to_owned(),
            map,
            queries,
        })
    }

    fn measure(
        &self,
        settings: PortalSettings,
        seed: u64,
        expansion_budget: usize,
    ) -> Result<Value, Box<dyn Error>> {
        let (grid, mut terrain) = terrain_of(&self.map)?;
        let kind = MovementType::default();
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let workers = Workers::new(0)?;
        let start = Instant::now();
        let mut graph = PortalGraph::new(&costs, settings, &workers)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        let mut search = SectorSearch::new();

        let mut times = Vec::new();
        let mut settled = Vec::new();
        let (mut over_graph, mut through_windows) = (Vec::new(), Vec::new());
        for &(source, goal, optimal) in &self.queries {
            let start = Instant::now();
            let mut routes = GoalRoutes::new(&graph, &costs, &GoalCell::free(&[goal]))?;
            routes.set_expansion_budget(expansion_budget);
            let found = routes.find(&graph, &costs, source, &mut search)?;
            let found = found.ok_or_else(|| format!("no route from {source} to {goal}"))?;
            let route = routes.route(&graph, graph.sectors().at(source), &found);
            times.push(start.elapsed().as_secs_f64());
            settled.push(routes.settled() as f64);
            over_graph.push(found.cost / optimal);
            let cost = corridor::corridor_cost(&graph, &costs, &route, source, goal);
            through_windows.push(cost.ok_or("the windows do not lead to the goal")? / optimal);
        }
        let (across_ms, across_settled) =
            self.across(&graph, &costs, &mut search, expansion_budget)?;
        let (merge, merge_settled) = self.merge(&graph, &costs, &mut search, expansion_budget)?;

        let mut random = SplitMix64::new(seed);
        let mut edits = Vec::new();
        let serial = Workers::serial();
        for _ in 0..200 {
            let cell = at(&self.map, random.below(self.map.len()));
            let id = if terrain.get(cell)? == WALL { 1 } else { WALL };
            terrain.set(cell, id)?;
            let changes = costs.update(&terrain, &kind, &[CellRect::cell(cell)]);
            let start = Instant::now();
            black_box(graph.update(&costs, &changes, &serial));
            edits.push(start.elapsed().as_secs_f64());
        }
        if graph != PortalGraph::new(&costs, settings, &workers)? {
            return Err("the updated graph is not the one built anew".into());
        }

        let (route_ms, route_p95, route_max) = spread(&times, 1e3);
        let (edit_us, edit_p95, edit_max) = spread(&edits, 1e6);
        let windows = graph.portal_count() / 2;
        let (graph_mean, graph_p95) = (mean(&over_graph), percentile(&over_graph, 95));
        let (tiles_mean, tiles_p95) = (mean(&through_windows), percentile(&through_windows, 95));
        println!(
            "{:18} {:>6} {:>6} {windows:>7} {:>8} {build_ms:>8.1} {across_ms:>7.2} {route_ms:>7.2} {route_p95:>7.2} {route_max:>7.2} {merge:>6.2} {edit_us:>7.1} {edit_p95:>7.1} {graph_mean:>6.3} {graph_p95:>6.3} {tiles_mean:>6.3} {tiles_p95:>6.3}",
            self.name,
            settings.sector_size,
            settings.widest_window,
            graph.edge_count(),
        );
        Ok(json!({
            "map": self.name,
            "size": [self.map.width, self.map.height],
            "sector_size": settings.sector_size,
            "widest_window": settings.widest_window,
            "expansion_budget": expansion_budget,
            "windows": windows,
            "edges": graph.edge_count(),
            "bytes": graph.bytes(),
            "build_ms": build_ms,
            "threads": workers.threads(),
            "across_ms": across_ms,
            "across_settled": across_settled,
            "route_ms": { "median": route_ms, "p95": route_p95, "max": route_max },
            "settled_mean": mean(&settled),
            "merge_ratio": merge,
            "merge_settled": merge_settled,
            "edit_us": { "median": edit_us, "p95": edit_p95, "max": edit_max },
            "graph_over_optimal": { "mean": graph_mean, "p95": graph_p95 },
            "tiles_over_optimal": { "mean": tiles_mean, "p95": tiles_p95 },
        }))
    }

    /// The connected cells that are nearest to two opposite corners.
    fn corners(&self) -> Option<(IVec2, IVec2)> {
        let corner = (self.map.width - 1, self.map.height - 1);
        let source = maps::largest_component_cell(&self.map, (0, 0))?;
        let goal = maps::largest_component_cell(&self.map, corner)?;
        Some((at(&self.map, source), at(&self.map, goal)))
    }

    /// The milliseconds of a route from corner to corner, and the number of settled portals.
    fn across(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        search: &mut SectorSearch,
        expansion_budget: usize,
    ) -> Result<(f64, usize), Box<dyn Error>> {
        let (source, goal) = self.corners().ok_or("no open cell")?;
        let mut best = f64::INFINITY;
        let mut settled = 0;
        for _ in 0..7 {
            let start = Instant::now();
            let mut routes = GoalRoutes::new(graph, costs, &GoalCell::free(&[goal]))?;
            routes.set_expansion_budget(expansion_budget);
            let found = routes.find(graph, costs, source, search)?;
            let found = found.ok_or("the corners are not joined")?;
            black_box(routes.route(graph, graph.sectors().at(source), &found));
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
            settled = routes.settled();
        }
        Ok((best, settled))
    }

    /// Searches the routes of a thousand neighbouring sources. Returns the ratio of their time to that of one source,
    /// and the ratio of the numbers of settled portals.
    fn merge(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        search: &mut SectorSearch,
        expansion_budget: usize,
    ) -> Result<(f64, f64), Box<dyn Error>> {
        let (corner, goal) = self.corners().ok_or("no open cell")?;
        let mut cluster: Vec<IVec2> = maps::largest_component(&self.map)
            .into_iter()
            .map(|index| at(&self.map, index))
            .collect();
        cluster.sort_by_key(|&cell| (cell - corner).length_squared());
        cluster.truncate(1000);
        let mut ratios = Vec::new();
        let mut more_settled = 0.0;
        for _ in 0..5 {
            let mut seconds = Vec::new();
            let mut settled = Vec::new();
            for sources in [&cluster[..1], &cluster[..]] {
                let start = Instant::now();
                let mut routes = GoalRoutes::new(graph, costs, &GoalCell::free(&[goal]))?;
                routes.set_expansion_budget(expansion_budget);
                for &source in sources {
                    let found = routes.find(graph, costs, source, search)?;
                    let found = found.ok_or("the cluster is not joined")?;
                    black_box(routes.join(graph, &found));
                }
                seconds.push(start.elapsed().as_secs_f64());
                settled.push(routes.settled().max(1) as f64);
            }
            ratios.push(seconds[1] / seconds[0]);
            more_settled = settled[1] / settled[0];
        }
        Ok((percentile(&ratios, 50), more_settled))
    }
}
