//! Plays a scene and prints what came of it.

use std::error::Error;
use std::time::Instant;

use flow_swarm::grid::Grid;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{AgentId, AgentState, AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::timing::median;
use serde_json::{Value, json};

use crate::args::{Arguments, HowToAvoid, SceneName};
use crate::doors::Taken;
use crate::measures::Measures;
use crate::scenes::{DT, RADIUS, SPEED, Scene};

/// Steps that a crowd makes before it is the next one's turn.
const TURN: u32 = 10;
/// Seconds without progress after which an agent that is under way is deadlocked.
const DEADLOCK: f32 = 20.0;

/// A scene being played.
struct Play {
    world: FlowWorld,
    swarm: Swarm,
    measures: Measures,
    taken: Taken,
    /// Nanoseconds per living agent of each step.
    nanoseconds: Vec<f64>,
    /// Ids and velocities before the step.
    before: Vec<(AgentId, Vec2)>,
    steps: u32,
}

impl Play {
    fn new(
        scene: &Scene,
        avoidance: HowToAvoid,
        crowd_penalty: u8,
        threads: usize,
    ) -> Result<Self, flow_swarm::Error> {
        let size = IVec2::new(scene.map.width as i32, scene.map.height as i32);
        let grid = Grid::new(size, scene.cell, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::new(threads)?);
        world.set_terrain_bytes(&scene.map.cost)?;
        let penalty = CrowdPenalty::new(i64::from(crowd_penalty))?;
        world.set_movement_types(&[MovementType::default().with_crowd_penalty(penalty)])?;
        let mut swarm = Swarm::new(1);
        let kind = agent_type(avoidance);
        // Who stands holds its ground: a mob would push anybody else along.
        let standing = AgentType {
            mass: 1.0e3,
            ..kind
        };
        let kinds = [kind, standing];
        swarm.set_types(&kinds[..1 + usize::from(!scene.standing.is_empty())])?;
        swarm.set_settings(Settings {
            arrival: if scene.leaves {
                ArrivalAction::Despawn
            } else {
                ArrivalAction::Stop
            },
            stuck_seconds: DEADLOCK,
            ..Settings::default()
        })?;
        for (group, targets) in scene.goals.iter().enumerate() {
            let goal = world.create_goal(targets)?;
            world.require(goal, 0)?;
            swarm.set_group_goal(group as i64, Some(goal))?;
        }
        world.update();
        for &(start, group) in &scene.starts {
            swarm.spawn(&world, &[start], 0, i64::from(group))?;
        }
        if !scene.standing.is_empty() {
            let standing = swarm.spawn(&world, &scene.standing, 1, 255)?;
            swarm.set_state(&standing, AgentState::Idle)?;
        }
        if !scene.targets.is_empty() {
            let ids = swarm.ids().to_vec();
            swarm.set_targets(&world, &ids, &scene.targets)?;
        }
        Ok(Self {
            world,
            swarm,
            measures: Measures::default(),
            taken: Taken::default(),
            nanoseconds: Vec::new(),
            before: Vec::new(),
            steps: 0,
        })
    }

    fn step(&mut self, scene: &Scene) -> Result<(), flow_swarm::Error> {
        let swarm = &mut self.swarm;
        self.before.clear();
        self.before.extend(
            swarm
                .ids()
                .iter()
                .copied()
                .zip(swarm.velocities().iter().copied()),
        );
        let agents = swarm.len() as f64;
        let start = Instant::now();
        if self.world.minds_crowds() {
            self.world.update();
            swarm.report_crowding(&mut self.world);
            swarm.request_routes(&mut self.world)?;
        }
        swarm.step(&self.world, DT)?;
        self.nanoseconds
            .push(start.elapsed().as_secs_f64() * 1e9 / agents);
        self.steps += 1;
        if self.steps.is_multiple_of(TURN) {
            self.measures
                .note_overlaps(swarm.positions(), &scene.map, scene.cell);
        }
        self.taken.note(&scene.doors, swarm);
        let after = swarm
            .ids()
            .iter()
            .zip(swarm.velocities())
            .zip(swarm.positions());
        for (((id, velocity), &position), &(old_id, old)) in after.zip(&self.before) {
            let is_watched = scene
                .door
                .is_none_or(|(at, radius)| at.distance(position) < radius);
            if *id == old_id && is_watched {
                self.measures.note_turn(old, *velocity);
            }
        }
        Ok(())
    }

    fn is_over(&self, agents: usize) -> bool {
        self.swarm.stats().arrived >= agents as u64
    }

    fn report(&self, threads: usize) -> Value {
        let stats = self.swarm.stats();
        let nanoseconds = median(&self.nanoseconds);
        json!({
            "threads": threads,
            "steps": self.steps,
            "ns_per_agent": nanoseconds,
            "agents_per_ms_per_core": 1e6 / nanoseconds / threads.max(1) as f64,
            "arrived": stats.arrived,
            "deadlocked": stats.stuck,
            "lost": stats.lost,
            "max_overlap": self.measures.max_overlap,
            "wall_overlap": self.measures.wall_overlap,
            "jitter": self.measures.jitter(),
            "doors": self.taken.counts(),
            "fields_solved": self.world.build_stats().full_solves,
            "fields_repaired": self.world.build_stats().repairs,
            "state_hash": format!("{:016x}", self.swarm.state_hash()),
        })
    }
}

fn agent_type(avoidance: HowToAvoid) -> AgentType {
    AgentType {
        radius: RADIUS,
        max_speed: SPEED,
        acceleration: 10.0,
        avoidance: avoidance.into(),
        neighbour_radius: 5.0,
        max_neighbours: 10,
        time_horizon: 2.0,
        ..AgentType::default()
    }
}

/// Plays a scene once for each number of threads, taking turns, and prints the first one's figures and all times.
pub(crate) fn run(arguments: &Arguments, name: SceneName) -> Result<(), Box<dyn Error>> {
    let agents = arguments.agents as usize;
    let scene = Scene::new(name, agents, arguments.seed);
    let mut plays = arguments
        .threads
        .iter()
        .map(|&threads| {
            Play::new(
                &scene,
                arguments.avoidance,
                arguments.crowd_penalty,
                threads,
            )
        })
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = plays.first() else {
        return Err("give at least one number of threads".into());
    };
    let agents = first.swarm.len() - scene.standing.len();
    let limit = arguments.steps.unwrap_or_else(|| scene.patience());
    let mut steps = 0;
    while steps < limit && !plays[0].is_over(agents) {
        for play in &mut plays {
            for _ in 0..TURN.min(limit - steps) {
                play.step(&scene)?;
            }
        }
        steps += TURN.min(limit - steps);
    }
    let reports: Vec<Value> = plays
        .iter()
        .zip(&arguments.threads)
        .map(|(play, &threads)| play.report(threads))
        .collect();
    println!(
        "{name:?}, {agents} agents, {:?}: {} steps of {DT} s",
        arguments.avoidance, plays[0].steps
    );
    println!("threads   step [ns/agent]   agents/ms/core");
    for report in &reports {
        println!(
            "{:>7}   {:>15.1}   {:>14.0}",
            report["threads"],
            report["ns_per_agent"].as_f64().unwrap_or(f64::NAN),
            report["agents_per_ms_per_core"]
                .as_f64()
                .unwrap_or(f64::NAN),
        );
    }
    if reports
        .iter()
        .any(|report| report["state_hash"] != reports[0]["state_hash"])
    {
        return Err("another number of threads leads to another state".into());
    }
    let mut line = reports[0].clone();
    line["scene"] = json!(format!("{name:?}").to_lowercase());
    line["agents"] = json!(agents);
    line["runs"] = Value::from(reports);
    if arguments.json {
        println!("{line}");
    } else {
        println!("{line:#}");
    }
    Ok(())
}
