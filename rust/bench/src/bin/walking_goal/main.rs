//! Times fields to goals that walk: heroes follow paths around walls, with a move and an update in every tick, on one
//! thread.
//!
//! The last column is the time of one solve of the whole field on the same map, which a tick would take without near
//! fields.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod chase;
mod hero;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::Swarm;
use flow_swarm::workers::Workers;
use flow_swarm::world::{DEFAULT_WALKING_CELLS, FlowWorld, GoalId, GoalKind, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64};
use flow_swarm_bench::timing::median;
use hero::Hero;
use serde_json::{Value, json};

/// The number of agents that chase tiled goals from all over the map. Their routes and tiles are part of a tick's time.
const CHASERS: usize = 200;
/// The number of updates after which a far field is certainly finished.
const MOST_UPDATES: usize = 20_000;
/// Timed moves within a cell.
const INSIDE_MOVES: usize = 200;
/// Time fields to goals that walk.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, value_delimiter = ',', default_value = "256,512,1024,2048")]
    sizes: Vec<u32>,
    /// Maps, by name; `river` has two banks that no path joins
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "open,rooms,terrain,random-15%"
    )]
    maps: Vec<String>,
    /// Ticks of 1/60 s
    #[arg(long, default_value_t = 2000)]
    ticks: u32,
    /// Speed of heroes, in cells per second
    #[arg(long, default_value_t = 4.0)]
    speed: f32,
    /// Heroes in each goal
    #[arg(long, default_value_t = 1)]
    heroes: usize,
    /// Goals
    #[arg(long, default_value_t = 1)]
    goals: usize,
    /// Limit on the cells of whole fields that are solved in a tick
    #[arg(long, default_value_t = DEFAULT_WALKING_CELLS)]
    cells: usize,
    /// Use routes and tiles instead of whole fields, for agents from all over the map
    #[arg(long)]
    tiled: bool,
    /// Let the goals be of the kind FLEE, with this reach in cells; with `--speed 60` every tick has a move to another
    /// cell
    #[arg(long, conflicts_with_all = ["tiled", "range"])]
    flee: Option<f32>,
    /// Let the goals be of the kind RANGE, with these two distances in cells, such as 4,12
    #[arg(long, value_delimiter = ',', conflicts_with = "tiled")]
    range: Option<Vec<f32>>,
    /// Instead of the table, let this many agents chase a hero through rooms, and compare the times of catching it with
    /// those of a whole solve in every move
    #[arg(long)]
    chase: Option<usize>,
    /// Seed of the maps and paths
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn mode(&self) -> GoalMode {
        if self.tiled {
            GoalMode::Tiled
        } else {
            GoalMode::Full
        }
    }

    fn kind(&self) -> GoalKind {
        match (self.flee, self.range.as_deref()) {
            (Some(reach), _) => GoalKind::Flee { reach },
            (None, Some(&[least, most])) => GoalKind::Range { least, most },
            _ => GoalKind::Seek,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let Some(agents) = arguments.chase {
        return chase::run(agents, &arguments);
    }
    println!(
        "{:12} {:>5} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9} {:>6} {:>9}",
        "map",
        "size",
        "median ms",
        "p95",
        "p99",
        "worst",
        "in cell us",
        "age s",
        "lost",
        "whole ms"
    );
    let mut summary = Vec::new();
    for &size in &arguments.sizes {
        for name in &arguments.maps {
            summary.push(measure(name, size as usize, &arguments)?);
        }
    }
    println!(
        "{}",
        json!({ "ticks": arguments.ticks, "heroes": arguments.heroes, "goals": arguments.goals, "maps": summary })
    );
    Ok(())
}

fn map_named(name: &str, size: usize, seed: u64) -> Result<CostMap, Box<dyn Error>> {
    if name == "rooms" {
        return Ok(maps::rooms(size, size, 32, seed));
    }
    if name == "river" {
        return Ok(river(size));
    }
    let mut known = maps::every_kind(size, size, seed).into_iter();
    let found = known.find(|(known, _)| *known == name);
    Ok(found.ok_or_else(|| format!("there is no map {name:?}"))?.1)
}

/// Open ground with two banks, the larger one to the left, which no path joins.
fn river(size: usize) -> CostMap {
    let mut map = maps::open(size, size);
    let middle = 11 * size / 20;
    for row in map.cost.chunks_mut(size) {
        row[middle..middle + 3].fill(maps::WALL);
    }
    map
}

fn world_of(map: &CostMap) -> Result<FlowWorld, Box<dyn Error>> {
    let size = IVec2::new(map.width as i32, map.height as i32);
    let mut world = FlowWorld::new(Grid::new(size, 1.0, Vec2::ZERO)?, Workers::serial());
    world.set_terrain_bytes(&map.cost)?;
    Ok(world)
}

fn measure(name: &str, size: usize, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let map = map_named(name, size, arguments.seed)?;
    let mut world = world_of(&map)?;
    world.set_walking_cells(arguments.cells);
    let mode = arguments.mode();
    let count = arguments.goals * arguments.heroes;
    let heroes =
        (0..count).map(|number| Hero::new(&map, arguments.seed + number as u64, arguments.speed));
    let mut heroes: Vec<Hero> = heroes.collect::<Result<_, _>>()?;
    let mut goals: Vec<GoalId> = Vec::new();
    for party in heroes.chunks(arguments.heroes) {
        let at: Vec<Vec2> = party.iter().map(Hero::position).collect();
        let goal = match arguments.kind() {
            GoalKind::Seek => world.create_goal_with_mode(&at, &vec![0.0; at.len()], mode)?,
            kind => world.create_goal_of_kind(&at, kind)?,
        };
        world.require(goal, 0)?;
        goals.push(goal);
    }
    let far_corner = Hero::new(&map, arguments.seed + 1000, arguments.speed)?.position();
    let mut swarm = Swarm::new(arguments.seed);
    if arguments.tiled {
        spawn_chasers(&mut swarm, &world, &map, (&goals, arguments.seed))?;
    }
    settle(&mut world, &mut swarm)?;
    let whole_ms = whole_solve_ms(&map)?;
    let (mut ticks, mut ages, mut lost) = (Vec::new(), Vec::new(), 0);
    for _ in 0..arguments.ticks {
        for hero in &mut heroes {
            hero.walk(&map);
        }
        let parties = heroes
            .chunks(arguments.heroes)
            .map(|party| party.iter().map(Hero::position).collect());
        let parties: Vec<Vec<Vec2>> = parties.collect();
        let start = Instant::now();
        for (&goal, at) in goals.iter().zip(&parties) {
            world.move_goal(goal, at)?;
        }
        swarm.request_routes(&mut world)?;
        black_box(world.update());
        let seconds = start.elapsed().as_secs_f64();
        ticks.push(seconds);
        swarm.step(&world, 1.0 / 60.0)?;
        ages.push(world.field_age(goals[0], far_corner, 0)?.unwrap_or(0) as f64 / 60.0);
        lost += usize::from(world.field_age(goals[0], parties[0][0], 0)? != Some(0));
    }
    ticks.sort_by(f64::total_cmp);
    let at = |share: f64| ticks[((ticks.len() - 1) as f64 * share) as usize] * 1e3;
    let (middle, worst) = (median(&ticks) * 1e3, at(1.0));
    let inside = inside_a_cell(&mut world, (&goals, &heroes), arguments)? * 1e6;
    let age = ages.iter().copied().fold(0.0, f64::max);
    println!(
        "{name:12} {size:>5} {middle:>9.3} {:>9.3} {:>9.3} {worst:>9.3} {inside:>10.1} {age:>9.1} {lost:>6} {whole_ms:>9.2}",
        at(0.95),
        at(0.99),
    );
    Ok(
        json!({ "map": name, "size": size, "median_ms": middle, "p95_ms": at(0.95), "p99_ms": at(0.99), "worst_ms": worst,
        "median_in_cell_us": inside, "oldest_s": age, "lost_ticks": lost, "whole_ms": whole_ms }),
    )
}

/// Updates until all agents have routes and tiles.
fn settle(world: &mut FlowWorld, swarm: &mut Swarm) -> Result<(), Box<dyn Error>> {
    for _ in 0..MOST_UPDATES {
        swarm.request_routes(world)?;
        world.update();
        let tiles = world.tile_stats();
        if tiles.waiting == 0 && tiles.queued == 0 {
            break;
        }
    }
    Ok(())
}

/// The time of a move that does not leave the cell, once the whole field leads there.
fn inside_a_cell(
    world: &mut FlowWorld,
    (goals, heroes): (&[GoalId], &[Hero]),
    arguments: &Arguments,
) -> Result<f64, Box<dyn Error>> {
    let corner = world.grid().bounds().0 + 0.5;
    for _ in 0..MOST_UPDATES {
        world.update();
        if world.field_age(goals[0], corner, 0)? == Some(0) {
            break;
        }
    }
    let mut seconds = Vec::new();
    for step in 0..INSIDE_MOVES {
        let within = Vec2::splat(0.1 + 0.8 * step as f32 / INSIDE_MOVES as f32);
        let parties = heroes.chunks(arguments.heroes);
        let at = |hero: &Hero| hero.position().floor() + within;
        let parties: Vec<Vec<Vec2>> = parties
            .map(|party| party.iter().map(at).collect())
            .collect();
        let start = Instant::now();
        for (&goal, at) in goals.iter().zip(&parties) {
            world.move_goal(goal, at)?;
        }
        black_box(world.update());
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(median(&seconds))
}

/// Spawns agents at random places, an equal share for each goal.
fn spawn_chasers(
    swarm: &mut Swarm,
    world: &FlowWorld,
    map: &CostMap,
    (goals, seed): (&[GoalId], u64),
) -> Result<(), Box<dyn Error>> {
    let mut random = SplitMix64::new(seed + 77);
    let open = maps::largest_component(map);
    for (group, &goal) in goals.iter().enumerate() {
        let places = (0..CHASERS / goals.len()).map(|_| {
            let (x, y) = map.position(open[random.below(open.len())]);
            Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
        });
        swarm.spawn(world, &places.collect::<Vec<_>>(), 0, group as i64)?;
        swarm.set_group_goal(group as i64, Some(goal))?;
    }
    Ok(())
}

/// The time of one solve of the whole field, the fastest of three.
fn whole_solve_ms(map: &CostMap) -> Result<f64, Box<dyn Error>> {
    let mut world = world_of(map)?;
    world.set_walking_cells(0);
    let mut hero = Hero::new(map, 1, 60.0)?;
    let goal = world.create_goal(&[hero.position()])?;
    world.require(goal, 0)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..3 {
        // A move within a cell solves nothing.
        while !hero.walk(map) {}
        world.move_goal(goal, &[hero.position()])?;
        let start = Instant::now();
        black_box(world.update());
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest * 1e3)
}
