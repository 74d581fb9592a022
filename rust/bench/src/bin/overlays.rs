//! Times adding and removing a cost overlay with the whole update that follows, costs, integration and directions,
//! relative to a full solve of the same map.
//!
//! Circles are added and removed one after the other at random places. The full solve is the update after the goal has
//! moved within its cell, directly after each.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use clap::Parser;
use flow_swarm::Vec2;
use flow_swarm::grid::Grid;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::CostOverlay;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64};
use flow_swarm_bench::timing::median;

/// Time adding and removing cost overlays.
#[derive(Debug, Parser)]
struct Arguments {
    /// Width and height of the maps, in cells
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..=4096))]
    size: u32,
    /// Radius of the overlays, in cells
    #[arg(long, default_value_t = 10)]
    radius: u32,
    /// Surcharge of their cells
    #[arg(long, default_value_t = 20)]
    cost: i64,
    /// Number of overlays that are added and removed on each map
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Number of other overlays that lie on the map meanwhile
    #[arg(long, default_value_t = 0)]
    others: u32,
    /// Number of overlays that all move in every tick, instead of being added and removed
    #[arg(long, default_value_t = 0)]
    moving: u32,
    /// Number of ticks for which they move
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Seed of the maps and of the places
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64() * 1e3)
}

/// Prints the times of updates after circles at random places have moved by 4 cells a second, or stood, and whether
/// the field follows them or only costs do.
fn measure_moving(name: &str, map: &CostMap, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let side = arguments.size as f32;
    for (solver, solver_name) in [(Solver::Octile, "octile"), (Solver::Eikonal, "eikonal")] {
        let mut run = Run::new(map, solver)?;
        let mut random = SplitMix64::new(arguments.seed);
        let mut unit = || random.unit() as f32;
        let overlay = CostOverlay::circle(arguments.radius as f32, arguments.cost)?;
        let mut circles = Vec::new();
        for _ in 0..arguments.moving {
            let at = Vec2::new(unit(), unit()) * side;
            let id = run.world.add_cost_overlay(at, &overlay)?;
            circles.push((
                id,
                at,
                Vec2::new(unit() - 0.5, unit() - 0.5).normalize_or_zero(),
            ));
        }
        run.world.update();
        let (mut costs, mut whole) = (vec![], vec![]);
        for _ in 0..arguments.ticks {
            for (id, at, way) in &mut circles {
                let next = *at + *way * (4.0 / 60.0);
                if next.min_element() < 0.0 || next.max_element() >= side {
                    *way = -*way;
                } else {
                    *at = next;
                }
                run.world.move_cost_overlay(*id, *at)?;
            }
            let target = run.target;
            costs.push(timed(|| black_box(run.world.is_reachable(target, target, 0)).ok()).1);
            whole.push(timed(|| black_box(run.world.update())).1);
        }
        let [[cost, cost_95, cost_most], [all, all_95, all_most]] =
            [&costs, &whole].map(|times| spread(times));
        println!(
            "{name:12} {solver_name:8} costs of {} moving {cost:.3} {cost_95:.3} {cost_most:.3}  field {all:.3} \
             {all_95:.3} {all_most:.3}",
            arguments.moving
        );
    }
    Ok(())
}

/// The median, the 95th of a hundred, and the greatest.
fn spread(times: &[f64]) -> [f64; 3] {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    [median(times), sorted[last * 95 / 100], sorted[last]]
}

/// A world with one field.
struct Run {
    world: FlowWorld,
    goal: GoalId,
    target: Vec2,
    within: f32,
}

impl Run {
    fn new(map: &CostMap, solver: Solver) -> Result<Self, Box<dyn Error>> {
        let centre = (map.width / 2, map.height / 2);
        let goal = maps::largest_component_cell(map, centre).ok_or("no passable cell")?;
        let (x, y) = map.position(goal);
        let target = Vec2::new(x as f32, y as f32);
        let size = flow_swarm::IVec2::new(map.width as i32, map.height as i32);
        let mut world = FlowWorld::new(Grid::new(size, 1.0, Vec2::ZERO)?, Workers::serial());
        world.set_solver(solver);
        world.set_walking_cells(0);
        world.set_terrain_bytes(&map.cost)?;
        let goal = world.create_goal(&[target + 0.5])?;
        world.require(goal, 0)?;
        world.update();
        Ok(Self {
            world,
            goal,
            target,
            within: 0.5,
        })
    }

    /// The time of a full solve.
    fn solve(&mut self) -> Result<f64, Box<dyn Error>> {
        self.within = 0.75 - self.within;
        let target = self.target + self.within;
        self.world.move_goal(self.goal, &[target])?;
        Ok(timed(|| black_box(self.world.update())).1)
    }
}

fn measure(name: &str, map: &CostMap, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    for (solver, solver_name) in [(Solver::Octile, "octile"), (Solver::Eikonal, "eikonal")] {
        let mut run = Run::new(map, solver)?;
        let mut random = SplitMix64::new(arguments.seed);
        let mut place = || {
            let side = f64::from(arguments.size);
            Vec2::new((random.unit() * side) as f32, (random.unit() * side) as f32)
        };
        let overlay = CostOverlay::circle(arguments.radius as f32, arguments.cost)?;
        for _ in 0..arguments.others {
            run.world.add_cost_overlay(place(), &overlay)?;
        }
        run.world.update();
        let (mut adding, mut removing, mut costs, mut full) = (vec![], vec![], vec![], vec![]);
        for _ in 0..arguments.count {
            let at = place();
            let (id, seconds) = timed(|| {
                let id = run.world.add_cost_overlay(at, &overlay);
                black_box(run.world.update());
                id
            });
            adding.push(seconds);
            full.push(run.solve()?);
            let id = id?;
            let (removed, seconds) = timed(|| {
                let removed = run.world.remove_cost_overlay(id);
                black_box(run.world.update());
                removed
            });
            removed?;
            removing.push(seconds);
            full.push(run.solve()?);
            // A query that needs costs and no field.
            let (id, seconds) = timed(|| {
                let id = run.world.add_cost_overlay(at, &overlay);
                black_box(run.world.is_reachable(run.target, run.target, 0)).ok();
                id
            });
            costs.push(seconds);
            run.world.remove_cost_overlay(id?)?;
            run.world.update();
        }
        let full = median(&full);
        let [[add, add_95, add_most], [remove, remove_95, remove_most]] =
            [&adding, &removing].map(|times| spread(times));
        println!(
            "{name:12} {solver_name:8} add {add:.3} {add_95:.3} {add_most:.3}  remove {remove:.3} {remove_95:.3} \
             {remove_most:.3}  costs alone {:.3}  full solve {full:.3}",
            median(&costs)
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let measure = if arguments.moving > 0 {
        measure_moving
    } else {
        measure
    };
    let size = arguments.size as usize;
    println!("ms: median, 95 %, worst");
    for (name, map) in maps::every_kind(size, size, arguments.seed) {
        if ["open", "terrain", "random-15%"].contains(&name) {
            measure(name, &map, &arguments)?;
        }
    }
    let rooms = maps::rooms(size, size, 32, arguments.seed);
    measure("rooms", &rooms, &arguments)
}
