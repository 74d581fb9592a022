//! Plays a scene and prints its figures.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use flow_swarm::grid::Grid;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{AgentState, AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::statistics::percentile;
use flow_swarm_bench::timing::median;
use serde_json::{Value, json};

use crate::args::{Arguments, HowToAvoid, SceneName};
use crate::exchange::{self, Answer};
use crate::measures::{Measures, Seen};
use crate::portrait::{self, View};
use crate::scenes::Scene;
use crate::taken::Taken;

/// Steps of a crowd before the next crowd's turn.
const TURN: u32 = 10;
/// Seconds without progress after which a walking agent counts as deadlocked.
const DEADLOCK: f32 = 20.0;

/// A scene being played.
struct Play {
    world: FlowWorld,
    swarm: Swarm,
    goals: Vec<GoalId>,
    /// The measures, in one of the plays only, because all plays are equal.
    measures: Option<Measures>,
    taken: Taken,
    /// Nanoseconds per living agent of each step.
    nanoseconds: Vec<f64>,
    /// Milliseconds of all steps.
    milliseconds: f64,
    /// Length of a step, in seconds.
    dt: f32,
    /// The number of those steps with at least half of all agents. In later steps the fixed cost of a step dominates.
    full_steps: usize,
    /// The number of agents at the start.
    agents: usize,
    /// Milliseconds of each world update after the goal has moved.
    update_ms: Vec<f64>,
    seen: Vec<Seen>,
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
        let mut kinds: Vec<AgentType> = scene
            .bodies
            .iter()
            .map(|body| body.agent_type(avoidance.into()))
            .collect();
        if !scene.standing.is_empty() {
            // Standing agents are heavy, otherwise a mob would push them along.
            kinds.push(AgentType {
                mass: 1.0e3,
                ..kinds[0]
            });
        }
        swarm.set_types(&kinds)?;
        swarm.set_settings(Settings {
            arrival: if scene.leaves {
                ArrivalAction::Despawn
            } else {
                ArrivalAction::Stop
            },
            stuck_seconds: DEADLOCK,
            ..Settings::default()
        })?;
        let mut goals = Vec::new();
        for (group, targets) in scene.goals.iter().enumerate() {
            let goal = world.create_goal(targets)?;
            world.require(goal, 0)?;
            swarm.set_group_goal(group as i64, Some(goal))?;
            goals.push(goal);
        }
        world.update();
        for (index, &(start, group)) in scene.starts.iter().enumerate() {
            let kind = scene.kinds.get(index).copied().unwrap_or(0);
            swarm.spawn(&world, &[start], i64::from(kind), i64::from(group))?;
        }
        if !scene.standing.is_empty() {
            let kind = scene.bodies.len() as i64;
            let standing = swarm.spawn(&world, &scene.standing, kind, 255)?;
            swarm.set_state(&standing, AgentState::Idle)?;
        }
        if !scene.targets.is_empty() {
            let ids = swarm.ids().to_vec();
            swarm.set_targets(&world, &ids, &scene.targets)?;
        }
        Ok(Self {
            agents: swarm.len(),
            world,
            swarm,
            goals,
            measures: None,
            taken: Taken::default(),
            nanoseconds: Vec::new(),
            milliseconds: 0.0,
            dt: scene.dt,
            full_steps: 0,
            update_ms: Vec::new(),
            seen: Vec::new(),
            steps: 0,
        })
    }

    fn step(&mut self, scene: &Scene) -> Result<(), flow_swarm::Error> {
        if let Some(walk) = scene.walk {
            let seconds = f64::from(self.steps) * f64::from(scene.dt);
            let start = Instant::now();
            self.world.move_goal(self.goals[0], &[walk.at(seconds)])?;
            self.world.update();
            self.update_ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let swarm = &mut self.swarm;
        let agents = swarm.len() as f64;
        self.full_steps += usize::from(2 * swarm.len() >= self.agents);
        let start = Instant::now();
        if self.world.minds_crowds() {
            self.world.update();
            swarm.report_crowding(&mut self.world);
            swarm.request_routes(&mut self.world)?;
        }
        swarm.step(&self.world, scene.dt)?;
        let seconds = start.elapsed().as_secs_f64();
        self.milliseconds += seconds * 1e3;
        self.nanoseconds.push(seconds * 1e9 / agents);
        self.steps += 1;
        self.taken.note(&scene.doors, swarm);
        self.measure(scene)
    }

    fn measure(&mut self, scene: &Scene) -> Result<(), flow_swarm::Error> {
        let Some(measures) = &mut self.measures else {
            return Ok(());
        };
        let swarm = &self.swarm;
        self.seen.clear();
        for (index, id) in swarm.ids().iter().enumerate() {
            self.seen.push(Seen {
                slot: id.slot(),
                at: swarm.positions()[index],
                kind: usize::from(swarm.kinds()[index]),
                direction: Vec2::ZERO,
            });
        }
        if scene.minds_the_open {
            let groups = swarm.groups();
            for (seen, &group) in self.seen.iter_mut().zip(groups) {
                let goal = self.goals[usize::from(group)];
                seen.direction = self.world.flow_vector(goal, seen.at, 0)?;
            }
        }
        let arrived = self.swarm.stats().arrived as usize;
        measures.note(scene, &self.seen, arrived);
        Ok(())
    }

    fn simulated_seconds(&self) -> f64 {
        f64::from(self.steps.max(1)) * f64::from(self.dt)
    }

    fn is_over(&self, agents: usize) -> bool {
        self.swarm.stats().arrived >= agents as u64
    }

    /// Simulated seconds since the last agent arrived, in the measured play.
    fn quiet_seconds(&self) -> f64 {
        self.measures.as_ref().map_or(0.0, Measures::quiet_seconds)
    }

    /// The figures that differ between plays.
    fn report(&self, threads: usize) -> Value {
        let nanoseconds = median(&self.nanoseconds);
        json!({
            "threads": threads,
            "steps": self.steps,
            "ns_per_agent": nanoseconds,
            "ns_per_agent_p99": percentile(&self.nanoseconds[..self.full_steps], 99),
            "update_ms": (!self.update_ms.is_empty()).then(|| median(&self.update_ms)),
            "ms_per_simulated_second": self.milliseconds / self.simulated_seconds(),
            "agents_per_ms_per_core": 1e6 / nanoseconds / threads.max(1) as f64,
            "fields_solved": self.world.build_stats().full_solves,
            "fields_repaired": self.world.build_stats().repairs,
            "state_hash": format!("{:016x}", self.swarm.state_hash()),
        })
    }

    /// The whole report, with how the agents of the measured play behaved.
    fn full_report(&self, scene: &Scene, threads: usize, agents: usize) -> Value {
        let stats = self.swarm.stats();
        let mut report = self.report(threads);
        report["arrived"] = json!(stats.arrived);
        report["deadlocked"] = json!(stats.stuck);
        report["lost"] = json!(stats.lost);
        report["doors"] = json!(self.taken.counts());
        let measured = self
            .measures
            .as_ref()
            .map(|seen| seen.report(scene, agents));
        if let Some(Value::Object(measured)) = measured {
            for (name, value) in measured {
                report[name] = value;
            }
        }
        report
    }
}

/// Plays a scene up to a time and draws its agents.
fn portray(scene: &Scene, arguments: &Arguments, path: &Path) -> Result<(), Box<dyn Error>> {
    let threads = arguments.threads.first().copied().unwrap_or(1);
    let avoidance = arguments.avoidance;
    let mut play = Play::new(scene, avoidance, arguments.crowd_penalty, threads)?;
    let steps = (arguments.at / scene.dt).round() as u32;
    for _ in 0..steps {
        play.step(scene)?;
    }
    let view = View::new(scene, arguments.across, f64::from(arguments.at));
    let swarm = &play.swarm;
    portrait::draw(scene, view, swarm).write(path)?;
    Ok(())
}

/// Measures the answer of another program to a scene and prints the figures.
fn replay(scene: &Scene, name: SceneName, path: &Path) -> Result<(), Box<dyn Error>> {
    let Answer { header, steps } = exchange::read(path, scene.starts.len())?;
    let mut scene_without_fields = scene.clone();
    // Waiting in the open is defined by directions, which only the core's fields provide.
    scene_without_fields.minds_the_open = false;
    let agents = scene.starts.len();
    let mut measures = Measures::new(&scene_without_fields, steps.len() as u32);
    for step in &steps {
        measures.note(&scene_without_fields, step, agents - step.len());
    }
    let mut line = measures.report(&scene_without_fields, agents);
    let left = steps.last().map_or(agents, Vec::len);
    line["agents"] = json!(agents);
    line["arrived"] = json!(agents - left);
    line["dt"] = json!(scene.dt);
    line["steps"] = json!(steps.len());
    line["scene"] = json!(format!("{name:?}").to_lowercase());
    line["avoidance"] = header["method"].clone();
    line["ms_per_simulated_second"] = header["ms_per_simulated_second"].clone();
    line["own_dt"] = header["own_dt"].clone();
    println!("{line}");
    Ok(())
}

/// Plays a scene once for each number of threads, in turn. Prints the figures of the first play and the times of all.
pub(crate) fn run(arguments: &Arguments, name: SceneName) -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new(name, arguments);
    scene.dt = arguments.dt.unwrap_or(scene.dt);
    if let Some(path) = &arguments.export {
        return exchange::write(&scene, path);
    }
    if let Some(path) = &arguments.replay {
        return replay(&scene, name, path);
    }
    if let Some(path) = &arguments.picture {
        return portray(&scene, arguments, path);
    }
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
    let Some(first) = plays.first_mut() else {
        return Err("give at least one number of threads".into());
    };
    let agents = first.swarm.len() - scene.standing.len();
    let limit = arguments.steps.unwrap_or_else(|| scene.step_limit());
    first.measures = Some(Measures::new(&scene, limit));
    let patience = arguments.limit.map_or(f64::INFINITY, f64::from) * 1e3;
    let jam = arguments.jam.map_or(f64::INFINITY, f64::from);
    let mut steps = 0;
    while steps < limit
        && plays[0].milliseconds < patience
        && plays[0].quiet_seconds() < jam
        && (scene.lasts.is_some() || !plays[0].is_over(agents))
    {
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
        "{name:?}, {agents} agents, {:?}: {} steps of {} s",
        arguments.avoidance, plays[0].steps, scene.dt
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
    let mut line = plays[0].full_report(&scene, arguments.threads[0], agents);
    line["dt"] = json!(scene.dt);
    line["avoidance"] = json!(format!("{:?}", arguments.avoidance).to_lowercase());
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
