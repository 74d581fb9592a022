//! Who stands where at first, and who wants to go where, in metres.

use std::f64::consts::TAU;

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{self, CostMap, SplitMix64, WALL};

use crate::args::SceneName;

/// Radius of an agent.
pub(crate) const RADIUS: f32 = 0.5;
/// Greatest speed of an agent, in metres a second.
pub(crate) const SPEED: f32 = 1.5;
/// Length of a step, in seconds.
pub(crate) const DT: f32 = 0.05;

/// Steps for which a scene is watched in which arriving is not the point.
const WATCHED: u32 = 200;

/// A scene before it is played.
pub(crate) struct Scene {
    pub(crate) map: CostMap,
    pub(crate) cell: f32,
    /// Where agents start, and their groups.
    pub(crate) starts: Vec<(Vec2, u8)>,
    /// For each agent a target of its own; empty if they just go where their groups go.
    pub(crate) targets: Vec<Vec2>,
    /// Where agents stand all the time, in groups without a goal.
    pub(crate) standing: Vec<Vec2>,
    /// Doors through which agents go, as the middle and the half of the sides of a rectangle.
    pub(crate) doors: Vec<(Vec2, Vec2)>,
    /// The targets of each group's goal.
    pub(crate) goals: Vec<Vec<Vec2>>,
    /// Whether agents that arrive leave.
    pub(crate) leaves: bool,
    /// The place where headings are watched, with a radius; everywhere if there is none.
    pub(crate) door: Option<(Vec2, f32)>,
    /// The way that the last agent has to go.
    pub(crate) way: f32,
    /// How many agents can be expected to arrive in a second once the first have; infinite where that is not the point.
    pub(crate) flow: f32,
}

impl Scene {
    pub(crate) fn new(name: SceneName, agents: usize, seed: u64) -> Self {
        match name {
            SceneName::Open => open(agents, seed),
            SceneName::Circle => circle(agents),
            SceneName::Blocks => blocks(agents),
            SceneName::Doorway => doorway(agents, seed),
            SceneName::Crossing => crossing(agents, seed),
            SceneName::Headon => headon(agents),
            SceneName::Twodoors => crate::doors::two(agents),
            SceneName::Fourdoors => crate::doors::four(agents),
        }
    }

    /// More steps than it may take.
    pub(crate) fn patience(&self) -> u32 {
        if self.flow.is_infinite() {
            return WATCHED;
        }
        let walking = 3.0 * self.way / SPEED;
        let waiting = 3.0 * self.starts.len() as f32 / self.flow;
        ((walking + waiting + 60.0) / DT) as u32
    }
}

/// A map `width` by `height` cells with a scene on it in which nobody is.
pub(crate) fn empty(width: f32, height: f32, cell: f32) -> Scene {
    let cells = |length: f32| (length / cell).ceil().max(1.0) as usize;
    Scene {
        map: maps::open(cells(width), cells(height)),
        cell,
        starts: Vec::new(),
        targets: Vec::new(),
        standing: Vec::new(),
        doors: Vec::new(),
        goals: Vec::new(),
        leaves: false,
        door: None,
        way: width.hypot(height),
        flow: f32::INFINITY,
    }
}

/// A point of a lattice of squares, moved at random within its square so that no two agents touch.
fn jittered(random: &mut SplitMix64, corner: Vec2, spacing: f32) -> Vec2 {
    let room = f64::from(spacing - 2.0 * RADIUS - 0.02);
    let mut draw = || RADIUS + 0.01 + (random.unit() * room) as f32;
    corner + Vec2::new(draw(), draw())
}

fn shuffle<T>(random: &mut SplitMix64, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last + 1));
    }
}

fn open(agents: usize, seed: u64) -> Scene {
    const SPACING: f32 = 2.0;
    let mut random = SplitMix64::new(seed);
    let columns = (agents as f64).sqrt().ceil() as usize;
    let side = columns as f32 * SPACING;
    let mut scene = empty(side, side, 1.0);
    let lattice = |random: &mut SplitMix64| -> Vec<Vec2> {
        let mut places: Vec<usize> = (0..columns * columns).collect();
        shuffle(random, &mut places);
        let corner = |place: usize| Vec2::new((place % columns) as f32, (place / columns) as f32);
        places
            .iter()
            .take(agents)
            .map(|&place| jittered(random, corner(place) * SPACING, SPACING))
            .collect()
    };
    scene.starts = lattice(&mut random).iter().map(|&at| (at, 0)).collect();
    scene.targets = lattice(&mut random);
    scene
}

/// By their series: what libraries compute differs between machines in the last bit, and with it a scene's hash.
fn cosine_and_sine(angle: f64) -> (f64, f64) {
    let (mut cosine, mut sine, mut term) = (0.0, 0.0, 1.0);
    for power in 0..40_u32 {
        match power % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term *= angle / f64::from(power + 1);
    }
    (cosine, sine)
}

fn circle(agents: usize) -> Scene {
    const SPACING: f64 = 2.0;
    const MARGIN: f32 = 15.0;
    let radius = (agents as f64 * SPACING / TAU).max(10.0);
    let side = 2.0 * (radius as f32 + MARGIN);
    let mut scene = empty(side, side, 1.0);
    let at = |index: usize| {
        let (cosine, sine) = cosine_and_sine(TAU * (index as f64 / agents as f64 - 0.5));
        Vec2::splat(0.5 * side) + Vec2::new((cosine * radius) as f32, (sine * radius) as f32)
    };
    scene.starts = (0..agents).map(|index| (at(index), 0)).collect();
    scene.targets = (0..agents)
        .map(|index| Vec2::splat(side) - at(index))
        .collect();
    scene.flow = 5.0;
    scene
}

/// Places in rows of a square, the first row in front.
fn rank_and_file(agents: usize, spacing: f32) -> impl Iterator<Item = Vec2> {
    let columns = (agents as f32).sqrt().ceil().max(1.0) as usize;
    (0..agents)
        .map(move |index| Vec2::new((index / columns) as f32, (index % columns) as f32) * spacing)
}

fn headon(agents: usize) -> Scene {
    const SPACING: f32 = 2.0;
    const GAP: f32 = 20.0;
    const MARGIN: f32 = 15.0;
    let half = agents.div_ceil(2);
    let side = ((half as f32).sqrt().ceil() - 1.0) * SPACING;
    let (width, height) = (2.0 * (MARGIN + side) + GAP, side + 2.0 * MARGIN);
    let mut scene = empty(width, height, 1.0);
    let front = Vec2::new(MARGIN + side, MARGIN);
    for place in rank_and_file(half, SPACING) {
        let left = front + Vec2::new(-place.x, place.y);
        let right = Vec2::new(width - left.x, left.y);
        scene.starts.extend([(left, 0), (right, 1)]);
        scene.targets.extend([right, left]);
    }
    scene.starts.truncate(agents);
    scene.targets.truncate(agents);
    scene.flow = 5.0;
    scene
}

fn blocks(agents: usize) -> Scene {
    const SPACING: f32 = 2.0;
    const BLOCK: usize = 6;
    const STREET: usize = 6;
    let quarter = agents.div_ceil(4);
    let camp = (quarter as f32).sqrt().ceil() * SPACING + 6.0;
    let field = 3 * BLOCK + 4 * STREET;
    let side = 2.0 * camp + field as f32;
    let mut scene = empty(side, side, 1.0);
    let first = camp.ceil() as usize + STREET;
    for block in 0..9 {
        let corner = |index: usize| first + index * (BLOCK + STREET);
        let (left, top) = (corner(block % 3), corner(block / 3));
        for cell in 0..BLOCK * BLOCK {
            let at = scene.map.index(left + cell % BLOCK, top + cell / BLOCK);
            scene.map.cost[at] = WALL;
        }
    }
    let middle = Vec2::splat(0.5 * side);
    for (group, sign) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .enumerate()
    {
        let sign = Vec2::new(sign.0, sign.1);
        for place in rank_and_file(quarter, SPACING) {
            let from = middle + sign * (0.5 * side - 3.0 - place);
            scene.starts.push((from, group as u8));
            scene.targets.push(2.0 * middle - from);
        }
        scene
            .goals
            .push(vec![middle - sign * (0.5 * side - 0.5 * camp)]);
    }
    scene.starts.truncate(agents);
    scene.targets.truncate(agents);
    scene.flow = 3.0;
    scene
}

fn doorway(agents: usize, seed: u64) -> Scene {
    // A door of three radii is a single cell.
    const CELL: f32 = 3.0 * RADIUS;
    const SPACING: f32 = 1.5;
    let mut random = SplitMix64::new(seed);
    let columns = ((agents as f32).sqrt().ceil() as usize).max(2);
    let rows = columns | 1;
    let width = columns + 3 + 12;
    let mut scene = empty(width as f32 * CELL, rows as f32 * CELL, CELL);
    let wall = columns + 2;
    for row in (0..rows).filter(|&row| row != rows / 2) {
        let at = scene.map.index(wall, row);
        scene.map.cost[at] = WALL;
    }
    let mut places: Vec<usize> = (0..columns * rows).collect();
    shuffle(&mut random, &mut places);
    for &place in places.iter().take(agents) {
        let corner = Vec2::new((place % columns) as f32, (place / columns) as f32) * SPACING;
        scene
            .starts
            .push((jittered(&mut random, corner, SPACING), 0));
    }
    let edge = (width as f32 - 0.5) * CELL;
    scene.goals.push(
        (0..rows)
            .map(|row| Vec2::new(edge, (row as f32 + 0.5) * CELL))
            .collect(),
    );
    scene.leaves = true;
    scene.door = Some((
        Vec2::new((wall as f32 + 0.5) * CELL, (rows as f32) * 0.5 * CELL),
        3.0,
    ));
    scene.flow = 0.5;
    scene
}

fn crossing(agents: usize, seed: u64) -> Scene {
    const SPACING: f32 = 2.0;
    /// Half the width of a street.
    const HALF: usize = 6;
    let mut random = SplitMix64::new(seed);
    let half = agents.div_ceil(2);
    let across = 2 * HALF;
    let rows = half.div_ceil(across / SPACING as usize);
    let arm = (rows as f32 * SPACING).ceil() as usize + 10;
    let side = 2 * arm + across;
    let mut scene = empty(side as f32, side as f32, 1.0);
    let is_street = |at: usize| (arm..arm + across).contains(&at);
    for y in (0..side).filter(|&y| !is_street(y)) {
        for x in (0..side).filter(|&x| !is_street(x)) {
            let cell = scene.map.index(x, y);
            scene.map.cost[cell] = WALL;
        }
    }
    let lanes = across / SPACING as usize;
    for index in 0..half {
        let (lane, row) = (index % lanes, index / lanes);
        let corner = Vec2::new(
            arm as f32 - 4.0 - SPACING * (row + 1) as f32,
            arm as f32 + SPACING * lane as f32,
        );
        let from = jittered(&mut random, corner, SPACING);
        scene.starts.extend([(from, 0), (from.yx(), 1)]);
    }
    scene.starts.truncate(agents);
    let ends = (arm..arm + across).map(|along| Vec2::new(side as f32 - 0.5, along as f32 + 0.5));
    scene.goals = vec![ends.clone().collect(), ends.map(|at| at.yx()).collect()];
    scene.leaves = true;
    scene.door = Some((Vec2::splat(0.5 * side as f32), HALF as f32));
    scene.flow = 2.0;
    scene
}

/// Swaps the axes.
trait Swap {
    fn yx(self) -> Self;
}

impl Swap for Vec2 {
    fn yx(self) -> Self {
        Self::new(self.y, self.x)
    }
}
