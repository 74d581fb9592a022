//! Times a step of a marching crowd, with separation and wall correction, and the packing of its instance buffer.
//!
//! The crowd fills the left end of a long field with blocks of wall, one agent per 10 by 10 px of open ground. It
//! marches to goals along the right end, which are too far away to be reached while the clock runs, so no agents pile
//! up there. But the field gathers the crowd into lanes, in which agents overlap more and more; the output states how
//! much.

use std::error::Error;
use std::time::{Duration, Instant};

use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentQuery, AgentType, BodyId, CustomData, Force, ForceKind, InstanceLayout, Plane, Pose,
    Settings, Shape, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64, WALL};
use flow_swarm_bench::timing::median;
use serde_json::json;

use crate::args::Arguments;

/// Radius of an agent, in px: that of the core's default type.
const RADIUS: f32 = 4.0;
/// Open ground per agent, in px².
const AREA_PER_AGENT: f64 = 100.0;
/// Width of a cell, in px.
const CELL: f32 = 16.0;
/// Of 100 places of 4 by 4 cells, how many have a block of wall of 2 by 2 cells.
const BLOCKS_PERCENT: u32 = 15;
/// Empty columns between the crowd and its goals. At 60 px per second they take a minute to cross.
const WAY: usize = 256;
/// The radius of oversized agents relative to the others.
const GIANT: f32 = 10.0;
/// Radius of a body, and of an area or force field, in px.
const BODY_RADIUS: f32 = 24.0;
const AREA_RADIUS: f32 = 160.0;
/// Strength of a force field: half of the acceleration with which agents can resist.
const STRENGTH: f32 = 120.0;
/// The distance that a body moves in a step, in px.
const BODY_STEP: f32 = 0.5;
/// Steps of a crowd before the next crowd's turn. Directly after the main thread has been busy, as with a crowd on one
/// thread, the operating system may wake two workers on one core; it separates them within a step or two.
const TURN: u32 = 10;
/// The default number of timed steps. Over hundreds of steps the field gathers the crowd into lanes, which are denser
/// than the stated density.
const STEPS: u32 = 100;
/// The default number of agents.
const AGENTS: u32 = 100_000;
/// Length of a step, in seconds.
const DT: f32 = 1.0 / 60.0;

/// A crowd in its world, with the buffer into which it is packed.
struct Crowd {
    world: FlowWorld,
    swarm: Swarm,
    layout: InstanceLayout,
    buffer: Vec<f32>,
    /// Bodies with their positions.
    bodies: Vec<(BodyId, Vec2)>,
    step_seconds: Vec<f64>,
    pack_seconds: Vec<f64>,
}

impl Crowd {
    fn new(
        map: &CostMap,
        positions: &[Vec2],
        kind: AgentType,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, CELL, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::new(threads)?);
        world.set_terrain_bytes(&map.cost)?;
        let targets: Vec<Vec2> = (0..size.y)
            .map(|y| grid.center_of(IVec2::new(size.x - 1, y)))
            .collect();
        let goal = world.create_goal(&targets)?;
        world.require(goal, 0)?;
        world.update();
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[kind])?;
        swarm.spawn(&world, positions, 0, 0)?;
        swarm.set_group_goal(0, Some(goal))?;
        let layout = InstanceLayout {
            plane: Plane::Xy,
            color: true,
            custom: CustomData::None,
            face_movement: true,
            size: 1.0,
            height: 0.0,
            height_offset_2d: 0.0,
        };
        let buffer = vec![0.0; positions.len() * layout.stride()];
        Ok(Self {
            world,
            swarm,
            layout,
            buffer,
            bodies: Vec::new(),
            step_seconds: Vec::new(),
            pack_seconds: Vec::new(),
        })
    }

    /// Adds oversized agents at the places of some agents.
    fn add_giants(&mut self, count: usize) -> Result<(), flow_swarm::Error> {
        if count == 0 {
            return Ok(());
        }
        let kind = self.swarm.types()[0];
        let giant = AgentType {
            radius: GIANT * kind.radius,
            ..kind
        };
        self.swarm.set_types(&[kind, giant])?;
        let every = (self.swarm.len() / count).max(1);
        let places: Vec<Vec2> = (self.swarm.positions().iter().copied())
            .step_by(every)
            .take(count)
            .collect();
        self.swarm.spawn(&self.world, &places, 1, 0)?;
        let stride = self.layout.stride();
        self.buffer.resize(self.swarm.len() * stride, 0.0);
        Ok(())
    }

    /// Adds bodies, areas and force fields at the places of some agents.
    fn add_sites(&mut self, arguments: &Arguments) -> Result<(), flow_swarm::Error> {
        let (bodies, areas, fields) = (arguments.bodies, arguments.areas, arguments.force_fields);
        let all = usize::from(bodies) + usize::from(areas) + usize::from(fields);
        let every = (self.swarm.len() / all.max(1)).max(1);
        let places: Vec<Vec2> = (self.swarm.positions().iter().copied())
            .step_by(every)
            .take(all)
            .collect();
        let whirl = Force {
            kind: ForceKind::Vortex,
            strength: STRENGTH,
        };
        for (number, &place) in places.iter().enumerate() {
            let pose = Pose::at(place)?;
            if number < usize::from(bodies) {
                let body = self.swarm.add_body(Shape::Disc(BODY_RADIUS), pose, true)?;
                self.bodies.push((body, place));
            } else if number < usize::from(bodies) + usize::from(areas) {
                self.swarm.add_area(Shape::Disc(AREA_RADIUS), pose)?;
            } else {
                self.swarm.add_force_field(place, AREA_RADIUS, whirl)?;
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), flow_swarm::Error> {
        for (number, (body, place)) in self.bodies.iter_mut().enumerate() {
            let ahead = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][number % 4];
            *place += ahead * BODY_STEP;
            self.swarm.move_body(*body, Pose::at(*place)?)?;
        }
        let start = Instant::now();
        self.swarm.step(&self.world, DT)?;
        let stepped = Instant::now();
        let workers = self.world.workers();
        self.swarm.pack(&self.layout, &mut self.buffer, workers)?;
        self.step_seconds.push((stepped - start).as_secs_f64());
        self.pack_seconds.push(stepped.elapsed().as_secs_f64());
        Ok(())
    }

    fn forget_times(&mut self) {
        self.step_seconds.clear();
        self.pack_seconds.clear();
    }

    fn tick_seconds(&self) -> Vec<f64> {
        let both = self.step_seconds.iter().zip(&self.pack_seconds);
        both.map(|(step, pack)| step + pack).collect()
    }

    /// The median of some of this crowd's times, in nanoseconds per agent.
    fn nanoseconds(&self, seconds: &[f64]) -> f64 {
        median(seconds) * 1e9 / self.swarm.len() as f64
    }
}

/// Times the march of a crowd and prints a table.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let agents = arguments.agents.unwrap_or(AGENTS) as usize;
    let (map, positions) = field(agents, arguments.seed);
    let kind = AgentType {
        avoidance: arguments.avoidance.into(),
        ..AgentType::default()
    };
    let mut crowds = arguments
        .threads
        .iter()
        .map(|&threads| Crowd::new(&map, &positions, kind, threads))
        .collect::<Result<Vec<_>, _>>()?;
    for crowd in &mut crowds {
        crowd.swarm.set_settings(Settings {
            far_agents_every: arguments.far_every,
            focus: Some((Vec2::ZERO, Vec2::ZERO)),
            ..Settings::default()
        })?;
        crowd.add_giants(usize::from(arguments.giants))?;
        crowd.add_sites(arguments)?;
        for _ in 0..arguments.warm_up {
            crowd.step()?;
        }
        crowd.forget_times();
    }
    let steps = arguments.steps.unwrap_or(STEPS);
    let mut left = steps;
    while left > 0 {
        let turn = left.min(TURN);
        for crowd in &mut crowds {
            for _ in 0..turn {
                std::thread::sleep(Duration::from_millis(arguments.idle));
                crowd.step()?;
            }
        }
        left -= turn;
    }
    let Some(first) = crowds.first() else {
        return Err("give at least one number of threads".into());
    };
    let hash = first.swarm.state_hash();
    let stats = first.swarm.stats();
    println!(
        "{agents} agents of radius {RADIUS} px, one per 10 x 10 px of open ground, {} x {} cells of {CELL} px",
        map.width, map.height
    );
    println!(
        "{} steps under way after {} to warm up; {} arrived, {} near a wall, {:.2} overlap on average",
        steps,
        arguments.warm_up,
        stats.arrived,
        near_walls(&map, first.swarm.positions()),
        mean_overlaps(&mut crowds[0]),
    );
    println!(
        "threads   step [ns/agent]   pack [ns/agent]   both [ns/agent]   fastest   agents/ms/core"
    );
    let mut lines = Vec::new();
    for (crowd, &threads) in crowds.iter().zip(&arguments.threads) {
        let ticks = crowd.tick_seconds();
        let both = crowd.nanoseconds(&ticks);
        let step = crowd.nanoseconds(&crowd.step_seconds);
        let pack = crowd.nanoseconds(&crowd.pack_seconds);
        let fastest = ticks.iter().copied().fold(f64::INFINITY, f64::min) * 1e9 / agents as f64;
        let per_core = 1e6 / both / threads as f64;
        println!(
            "{threads:>7}   {step:>15.1}   {pack:>15.1}   {both:>15.1}   {fastest:>7.1}   {per_core:>14.0}"
        );
        if crowd.swarm.state_hash() != hash {
            return Err(format!("{threads} threads lead to another state").into());
        }
        lines.push(json!({
            "threads": threads,
            "ns_per_agent": both,
            "fastest_ns_per_agent": fastest,
            "step_ns_per_agent": step,
            "pack_ns_per_agent": pack,
            "agents_per_ms_per_core": per_core,
        }));
    }
    if arguments.json {
        println!(
            "{}",
            json!({
                "agents": agents,
                "steps": steps,
                "arrived": stats.arrived,
                "stuck": stats.stuck,
                "state_hash": format!("{hash:016x}"),
                "runs": lines,
            })
        );
    }
    Ok(())
}

/// The map, and random positions on the open ground of its left end, clear of walls.
fn field(agents: usize, seed: u64) -> (CostMap, Vec<Vec2>) {
    let open_share = 1.0 - 0.01 * f64::from(BLOCKS_PERCENT) / 4.0;
    let side = (agents as f64 * AREA_PER_AGENT / open_share).sqrt();
    let height = (side / f64::from(CELL)).ceil().max(4.0) as usize;
    let mut map = maps::open(height + WAY, height);
    let mut random = SplitMix64::new(seed);
    for y in (0..height).step_by(4) {
        for x in (0..map.width - 4).step_by(4) {
            if random.percent(BLOCKS_PERCENT) {
                let (left, top) = (x + random.below(3), y + random.below(3));
                for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    if top + row < height {
                        let cell = map.index(left + column, top + row);
                        map.cost[cell] = WALL;
                    }
                }
            }
        }
    }
    let mut positions = Vec::with_capacity(agents);
    let extent = height as f64 * f64::from(CELL);
    while positions.len() < agents {
        let position = Vec2::new(
            (random.unit() * extent) as f32,
            (random.unit() * extent) as f32,
        );
        if !touches_wall(&map, position) {
            positions.push(position);
        }
    }
    (map, positions)
}

fn touches_wall(map: &CostMap, position: Vec2) -> bool {
    [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)]
        .into_iter()
        .any(|(x, y)| {
            let cell = (position + Vec2::new(x, y) * RADIUS) / CELL;
            let inside = cell.min_element() >= 0.0
                && cell.x < map.width as f32
                && cell.y < map.height as f32;
            !inside || !map.is_passable(map.index(cell.x as usize, cell.y as usize))
        })
}

/// The number of agents in cells that touch a wall, which wall correction tests in detail.
fn near_walls(map: &CostMap, positions: &[Vec2]) -> usize {
    let near = |position: &&Vec2| {
        let cell = **position / CELL;
        map.touches_wall(map.index(cell.x as usize, cell.y as usize))
    };
    positions.iter().filter(near).count()
}

/// The mean number of others that overlap an agent, over a sample.
fn mean_overlaps(crowd: &mut Crowd) -> f64 {
    let sample: Vec<Vec2> = crowd
        .swarm
        .positions()
        .iter()
        .copied()
        .step_by(97)
        .collect();
    let mut overlaps = 0;
    for &position in &sample {
        let near =
            crowd
                .swarm
                .query_circle(&crowd.world, position, 2.0 * RADIUS, &AgentQuery::default());
        overlaps += near.map_or(0, |ids| ids.len() - 1);
    }
    overlaps as f64 / sample.len() as f64
}
