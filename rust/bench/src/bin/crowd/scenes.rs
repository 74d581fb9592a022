//! Who stands where at first, and who wants to go where.
//!
//! The older scenes are in metres, hordes and bends in pixels: see [`Body`].

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

/// Radius of an agent of the scenes in metres.
pub(crate) const RADIUS: f32 = 0.5;
/// Greatest speed of such an agent, in metres a second.
pub(crate) const SPEED: f32 = 1.5;
/// Length of a step, in seconds, where a scene says nothing else.
const DT: f32 = 0.05;

/// Steps for which a scene is watched in which arriving is not the point.
const WATCHED: u32 = 200;

/// A line that agents pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    /// A point of the line.
    pub(crate) at: Vec2,
    /// The unit vector across it, in the direction in which agents pass.
    pub(crate) normal: Vec2,
}

/// A scene before it is played.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) map: CostMap,
    pub(crate) cell: f32,
    /// What agents are like.
    pub(crate) bodies: Vec<Body>,
    /// Where agents start, and their groups.
    pub(crate) starts: Vec<(Vec2, u8)>,
    /// For each agent the index of its body; empty if all have the first.
    pub(crate) kinds: Vec<u8>,
    /// For each agent a target of its own; empty if they just go where their groups go.
    pub(crate) targets: Vec<Vec2>,
    /// Where agents stand all the time, in groups without a goal.
    pub(crate) standing: Vec<Vec2>,
    /// Doors through which agents go, as the middle and the half of the sides of a rectangle.
    pub(crate) doors: Vec<(Vec2, Vec2)>,
    /// The targets of each group's goal.
    pub(crate) goals: Vec<Vec<Vec2>>,
    /// How the first group's goal walks, if it does.
    pub(crate) walk: Option<Walk>,
    /// Whether agents that arrive leave.
    pub(crate) leaves: bool,
    /// The place where motion is watched, with a radius; everywhere if there is none.
    pub(crate) door: Option<(Vec2, f32)>,
    /// The line at which flow is counted; where there is none, arrivals are.
    pub(crate) gate: Option<Gate>,
    /// The width of the bottleneck that the gate is in, which specific flow refers to.
    pub(crate) passage: Option<f32>,
    /// Where density and speed are measured, as the middle and the half of the sides of a rectangle.
    pub(crate) gauge: Option<(Vec2, Vec2)>,
    /// The point round which a crowd gathers and its packing is measured; with a walk, where the goal is.
    pub(crate) centre: Option<Vec2>,
    /// Whether it is measured who waits in the open.
    pub(crate) minds_the_open: bool,
    /// The way that the last agent has to go.
    pub(crate) way: f32,
    /// How many agents can be expected to arrive in a second once the first have; infinite where that is not the point.
    pub(crate) flow: f32,
    /// Length of a step, in seconds.
    pub(crate) dt: f32,
    /// Seconds for which it is watched; where there are none, until all have arrived or long should have.
    pub(crate) lasts: Option<f32>,
}

impl Scene {
    /// The scene of that name, with the numbers that the command line gives.
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

    /// The body of an agent of that kind; agents that stand have the first.
    pub(crate) fn body(&self, kind: usize) -> Body {
        self.bodies.get(kind).copied().unwrap_or(self.bodies[0])
    }

    /// Where a crowd gathers after so many seconds.
    pub(crate) fn centre_at(&self, seconds: f64) -> Option<Vec2> {
        self.walk.map(|walk| walk.at(seconds)).or(self.centre)
    }
}

/// A map `width` by `height` with a scene on it without agents.
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

/// An [`empty`] scene of so many cells, all of them walls.
pub(crate) fn walled(columns: usize, rows: usize, cell: f32) -> Scene {
    let mut scene = empty(columns as f32 * cell, rows as f32 * cell, cell);
    scene.map = CostMap::filled(columns, rows, WALL);
    scene
}

/// Clears a rectangle of cells.
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
