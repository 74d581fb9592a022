//! The scenes: where agents start, and where they go.
//!
//! The older scenes are in metres; hordes and bends are in pixels: see [`Body`].

mod blocks;
mod body;
mod circle;
mod corridor;
mod crossing;
mod doors;
mod doorway;
mod evacuation;
mod headon;
mod mob;
mod open;
mod places;
mod rimea;
mod streams;
mod walk;

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{self, CostMap, WALL};

use crate::args::{Arguments, SceneName};

pub(crate) use body::Body;
pub(crate) use walk::Walk;

/// Radius of an agent in the scenes in metres.
pub(crate) const RADIUS: f32 = 0.5;
/// Greatest speed of such an agent, in metres per second.
pub(crate) const SPEED: f32 = 1.5;
/// Length of a step, in seconds, in scenes that state no other.
const DT: f32 = 0.05;

/// The number of steps of a scene in which arrival is not the point.
const WATCHED: u32 = 200;

/// A line that agents pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    /// A point of the line.
    pub(crate) at: Vec2,
    /// The unit normal of the line, in the direction in which agents pass.
    pub(crate) normal: Vec2,
}

/// A scene before it is played.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) map: CostMap,
    pub(crate) cell: f32,
    /// The kinds of bodies of agents.
    pub(crate) bodies: Vec<Body>,
    /// The starts of agents, with their groups.
    pub(crate) starts: Vec<(Vec2, u8)>,
    /// For each agent the index of its body; empty if all agents have the first.
    pub(crate) kinds: Vec<u8>,
    /// For each agent its own target; empty if agents follow the goals of their groups.
    pub(crate) targets: Vec<Vec2>,
    /// Places of agents that stand for the whole scene, in groups without a goal.
    pub(crate) standing: Vec<Vec2>,
    /// Doors, as the centre and half the size of a rectangle.
    pub(crate) doors: Vec<(Vec2, Vec2)>,
    /// The targets of each group's goal.
    pub(crate) goals: Vec<Vec<Vec2>>,
    /// The walk of the first group's goal, if it moves.
    pub(crate) walk: Option<Walk>,
    /// Whether agents leave the scene on arrival.
    pub(crate) leaves: bool,
    /// Centre and radius of the place in which motion is measured; `None` for the whole map.
    pub(crate) door: Option<(Vec2, f32)>,
    /// The line at which flow is counted; without one, arrivals are counted.
    pub(crate) gate: Option<Gate>,
    /// The width of the bottleneck at the gate, to which specific flow refers.
    pub(crate) passage: Option<f32>,
    /// The area in which density and speed are measured, as the centre and half the size of a rectangle.
    pub(crate) gauge: Option<(Vec2, Vec2)>,
    /// The point around which a crowd gathers and its packing is measured. With a walk it is the goal's position.
    pub(crate) centre: Option<Vec2>,
    /// Whether waiting in the open is measured.
    pub(crate) minds_the_open: bool,
    /// The length of the longest path of an agent.
    pub(crate) way: f32,
    /// The expected arrivals per second after the first; infinite if arrival is not the point.
    pub(crate) flow: f32,
    /// Length of a step, in seconds.
    pub(crate) dt: f32,
    /// The duration of the scene in seconds; `None` if it ends when all agents have arrived or the limit of steps is
    /// reached.
    pub(crate) lasts: Option<f32>,
}

impl Scene {
    /// Creates the scene of a name, with the numbers from the command line.
    pub(crate) fn new(name: SceneName, arguments: &Arguments) -> Self {
        let agents = arguments.agents.unwrap_or_else(|| name.agents()) as usize;
        let (seed, width) = (arguments.seed, arguments.width);
        match name {
            SceneName::Open => open::open(agents, seed),
            SceneName::Circle => circle::circle(agents),
            SceneName::Blocks => blocks::blocks(agents),
            SceneName::Doorway => doorway::doorway(agents, seed),
            SceneName::Crossing => crossing::crossing(agents, seed),
            SceneName::Headon => headon::headon(agents),
            SceneName::Twodoors => doors::two(agents),
            SceneName::Fourdoors => doors::four(agents),
            SceneName::Mob => mob::mob(agents, seed),
            SceneName::Chase => mob::chase(agents, seed),
            SceneName::Mixed => mob::mixed(agents, seed),
            SceneName::Corridor => corridor::straight(agents),
            SceneName::Corner => corridor::bend(agents),
            SceneName::Merge => streams::merge(agents, seed),
            SceneName::Twoway => streams::two_ways(agents, seed),
            SceneName::Twowaypacked => streams::two_ways_packed(agents, seed),
            SceneName::Twowaydoor => streams::two_way_door(agents, seed),
            SceneName::Rimea1 => rimea::corridor(agents),
            SceneName::Rimea4 => evacuation::wide_corridor(arguments.density, width, seed),
            SceneName::Rimea12 => evacuation::two_rooms(agents, seed),
            SceneName::Bottleneck => evacuation::bottleneck(agents, width, seed),
            SceneName::Fourway => evacuation::four_way(agents, seed),
            SceneName::Rimea6 => rimea::corner(agents),
            SceneName::Rimea9 => rimea::large_room(agents, 4, seed),
            SceneName::Rimea9two => rimea::large_room(agents, 2, seed),
        }
    }

    /// The most steps that the scene may take, several times what it is expected to.
    pub(crate) fn step_limit(&self) -> u32 {
        if let Some(seconds) = self.lasts {
            return (seconds / self.dt).round() as u32;
        }
        if self.flow.is_infinite() {
            return WATCHED;
        }
        let walking = 3.0 * self.way / self.bodies[0].speed;
        let waiting = 3.0 * self.starts.len() as f32 / self.flow;
        ((walking + waiting + 60.0) / self.dt) as u32
    }

    /// The body of an agent of a kind. Standing agents have the first body.
    pub(crate) fn body(&self, kind: usize) -> Body {
        self.bodies.get(kind).copied().unwrap_or(self.bodies[0])
    }

    /// The point around which a crowd gathers, after `seconds`.
    pub(crate) fn centre_at(&self, seconds: f64) -> Option<Vec2> {
        self.walk.map(|walk| walk.at(seconds)).or(self.centre)
    }
}

/// Creates a map of `width` by `height` with a scene without agents.
pub(crate) fn empty(width: f32, height: f32, cell: f32) -> Scene {
    let cells = |length: f32| (length / cell).ceil().max(1.0) as usize;
    Scene {
        map: maps::open(cells(width), cells(height)),
        cell,
        bodies: vec![Body::PERSON],
        starts: Vec::new(),
        kinds: Vec::new(),
        targets: Vec::new(),
        standing: Vec::new(),
        doors: Vec::new(),
        goals: Vec::new(),
        walk: None,
        leaves: false,
        door: None,
        gate: None,
        passage: None,
        gauge: None,
        centre: None,
        minds_the_open: false,
        way: width.hypot(height),
        flow: f32::INFINITY,
        dt: DT,
        lasts: None,
    }
}

/// Creates an [`empty`] scene of `columns` by `rows` cells, all of them walls.
pub(crate) fn walled(columns: usize, rows: usize, cell: f32) -> Scene {
    let mut scene = empty(columns as f32 * cell, rows as f32 * cell, cell);
    scene.map = CostMap::filled(columns, rows, WALL);
    scene
}

/// Removes the walls in a rectangle of cells.
pub(crate) fn carve(
    map: &mut CostMap,
    (left, top): (usize, usize),
    (columns, rows): (usize, usize),
) {
    for row in top..top + rows {
        for column in left..left + columns {
            let cell = map.index(column, row);
            map.cost[cell] = 1;
        }
    }
}
