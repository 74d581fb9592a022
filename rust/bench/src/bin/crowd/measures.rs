//! How agents behave in a scene: overlaps with each other and with walls, steadiness of walking, and flow.
//!
//! All figures follow from positions and radii: see [`flow_swarm_bench::measures`].

use flow_swarm::Vec2;
use flow_swarm_bench::measures::{
    Ahead, Gauge, GaugePoint, Motion, Overlaps, Passages, Sample, Waiting, packing, share_of_room,
};
use flow_swarm_bench::oracle::wall_depth;
use serde_json::{Value, json};

use crate::scenes::Scene;

/// How deep, in cells, a disc may reach into a wall because its position is rounded (the core's tolerance).
const TOLERANCE: f32 = 2.1e-3;
/// Steps between two samples of overlaps.
const SAMPLED_EVERY: u32 = 10;
/// Length of the end of a scene, in seconds, which is also measured separately.
const END: f32 = 10.0;
/// The radius around a goal within which agents are compared with the number that fits, in diameters.
const AROUND: f32 = 25.0;

/// An agent after a step.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) slot: usize,
    pub(crate) at: Vec2,
    pub(crate) kind: usize,
    /// The unit vector of the field's direction, in scenes that need it.
    pub(crate) direction: Vec2,
}

/// The measures of a scene up to now.
pub(crate) struct Measures {
    dt: f32,
    /// The step after which the end begins.
    end_after: u32,
    steps: u32,
    overlaps: Overlaps,
    end_overlaps: Overlaps,
    motion: Motion,
    end_motion: Motion,
    waiting: Waiting,
    passages: Passages,
    gauge: Option<Gauge>,
    arrivals: Passages,
    has_passed: Vec<bool>,
    /// The deepest overlap with a wall, as a fraction of a radius.
    wall_overlap: f32,
    positions: Vec<Vec2>,
    radii: Vec<f32>,
    ahead: Vec<Ahead>,
}

impl Measures {
    /// Creates the measures for a scene that is played for at most `steps` steps.
    pub(crate) fn new(scene: &Scene, steps: u32) -> Self {
        Self {
            dt: scene.dt,
            end_after: steps.saturating_sub((END / scene.dt) as u32),
            steps: 0,
            overlaps: Overlaps::default(),
            end_overlaps: Overlaps::default(),
            motion: Motion::default(),
            end_motion: Motion::default(),
            waiting: Waiting::default(),
            passages: Passages::default(),
            gauge: scene
                .gauge
                .map(|(_, half)| Gauge::new(f64::from(4.0 * half.x * half.y))),
            arrivals: Passages::default(),
            has_passed: vec![false; scene.starts.len() + scene.standing.len()],
            wall_overlap: 0.0,
            positions: Vec::new(),
            radii: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// Simulated seconds up to now.
    pub(crate) fn seconds(&self) -> f64 {
        f64::from(self.steps) * f64::from(self.dt)
    }

    /// Simulated seconds since the last agent arrived.
    pub(crate) fn quiet_seconds(&self) -> f64 {
        self.arrivals.quiet(self.seconds())
    }

    /// Adds the agents after a step, and the number that has arrived since the start.
    pub(crate) fn note(&mut self, scene: &Scene, agents: &[Seen], arrived: usize) {
        self.steps += 1;
        self.positions.clear();
        self.positions.extend(agents.iter().map(|agent| agent.at));
        self.radii.clear();
        let radius = |agent: &Seen| scene.body(agent.kind).radius;
        self.radii.extend(agents.iter().map(radius));
        self.note_motion(scene, agents);
        self.note_passages(scene, agents, arrived);
        self.note_density(scene, agents);
        if scene.minds_the_open {
            self.note_waiting(scene, agents);
        }
        if self.steps.is_multiple_of(SAMPLED_EVERY) {
            self.overlaps.note(&self.positions, &self.radii);
            if self.steps > self.end_after {
                self.end_overlaps.note(&self.positions, &self.radii);
            }
            self.note_walls(scene);
        }
    }

    fn note_motion(&mut self, scene: &Scene, agents: &[Seen]) {
        for agent in agents {
            let is_watched = |(at, radius): (Vec2, f32)| at.distance(agent.at) < radius;
            let sample = Sample {
                slot: agent.slot,
                at: agent.at,
                speed: scene.body(agent.kind).speed,
                counts: scene.door.is_none_or(is_watched),
            };
            self.motion.note(sample, self.dt);
            self.end_motion.note(sample, self.dt);
        }
        if self.steps == self.end_after {
            self.end_motion.forget_sums();
        }
    }

    fn note_passages(&mut self, scene: &Scene, agents: &[Seen], arrived: usize) {
        let seconds = self.seconds();
        // At a goal that walks the same agents arrive repeatedly.
        if scene.walk.is_none() {
            self.arrivals.note(seconds, arrived - self.arrivals.count());
        }
        if let Some(gate) = scene.gate {
            for agent in agents {
                let is_past = (agent.at - gate.at).dot(gate.normal) > 0.0;
                if is_past && !self.has_passed[agent.slot] {
                    self.has_passed[agent.slot] = true;
                    self.passages.note(seconds, 1);
                }
            }
        }
    }

    fn note_density(&mut self, scene: &Scene, agents: &[Seen]) {
        let (Some(gauge), Some((middle, half))) = (&mut self.gauge, scene.gauge) else {
            return;
        };
        let is_in = |agent: &&Seen| (agent.at - middle).abs().cmple(half).all();
        let motion = &self.motion;
        let speed = |agent: &Seen| motion.velocity(agent.slot).unwrap_or(Vec2::ZERO).length();
        let speeds = agents
            .iter()
            .filter(is_in)
            .map(|agent| f64::from(speed(agent)));
        gauge.note(speeds, f64::from(self.dt));
    }

    fn note_waiting(&mut self, scene: &Scene, agents: &[Seen]) {
        self.ahead.clear();
        for agent in agents {
            let body = scene.body(agent.kind);
            if let Some(velocity) = self.motion.velocity(agent.slot) {
                self.ahead.push(Ahead {
                    slot: agent.slot,
                    at: agent.at,
                    radius: body.radius,
                    speed: velocity.length() / body.speed,
                    direction: agent.direction,
                });
            }
        }
        self.waiting.note(&self.ahead, self.dt);
    }

    fn note_walls(&mut self, scene: &Scene) {
        for (&at, &radius) in self.positions.iter().zip(&self.radii) {
            let cell = scene.cell;
            let depth = wall_depth(&scene.map, at / cell, radius / cell) as f32 - TOLERANCE;
            self.wall_overlap = self.wall_overlap.max(depth * cell / radius);
        }
    }

    /// All figures of a scene in which `agents` agents are to arrive.
    pub(crate) fn report(&self, scene: &Scene, agents: usize) -> Value {
        let seconds = self.seconds();
        let passages = if scene.gate.is_some() {
            &self.passages
        } else {
            &self.arrivals
        };
        let windows = passages.windows(agents, seconds);
        let mut report = overlaps_and_motion(&self.overlaps, &self.motion);
        report["wall_overlap"] = json!(self.wall_overlap);
        report["seconds"] = json!(self.arrivals.finished(agents));
        report["simulated_seconds"] = json!(seconds);
        report["quiet_seconds"] = json!(self.quiet_seconds());
        report["agents_per_second"] = json!(passages.whole(agents, seconds));
        report["agents_per_second_worst"] = json!(windows.map(|window| window.worst));
        report["agents_per_second_best"] = json!(windows.map(|window| window.best));
        report["agents_per_second_middle"] = json!(passages.middle(agents));
        if let (Some(width), Some(flow)) = (scene.passage, passages.whole(agents, seconds)) {
            let body = scene.bodies[0];
            let specific = flow / f64::from(width);
            let diameter_over_speed = f64::from(2.0 * body.radius / body.speed);
            report["width"] = json!(width);
            report["specific_flow"] = json!(specific);
            report["specific_flow_times_diameter_over_speed"] =
                json!(specific * diameter_over_speed);
            report["flow_in_diameters"] =
                json!(specific * diameter_over_speed * f64::from(2.0 * body.radius));
        }
        if let Some(gauge) = &self.gauge {
            let point = |point: &GaugePoint| json!([point.density, point.speed]);
            report["density_and_speed"] = gauge.points().iter().map(point).collect();
        }
        if scene.minds_the_open {
            report["slow_seconds"] = json!(self.waiting.slow_seconds());
            report["waiting_seconds"] = json!(self.waiting.seconds());
            report["longest_wait"] = json!(self.waiting.longest());
        }
        if scene.lasts.is_some() {
            report["end"] = overlaps_and_motion(&self.end_overlaps, &self.end_motion);
        }
        if let Some(centre) = scene.centre_at(seconds) {
            let around = AROUND * 2.0 * scene.bodies[0].radius;
            report["packing"] = json!(packing(&self.positions, &self.radii, centre));
            report["share_of_room"] =
                json!(share_of_room(&self.positions, &self.radii, centre, around));
        }
        report
    }
}

fn overlaps_and_motion(overlaps: &Overlaps, motion: &Motion) -> Value {
    json!({
        "overlap_mean": overlaps.mean(),
        "overlap_p95": overlaps.percentile(0.95),
        "overlap_p99": overlaps.percentile(0.99),
        "max_overlap": overlaps.max(),
        "touching_pairs": overlaps.pairs(),
        "jitter": motion.jitter(),
        "roughness": motion.roughness(),
        "mean_speed": motion.mean_speed(),
    })
}
