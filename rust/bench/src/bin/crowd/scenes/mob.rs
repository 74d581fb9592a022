//! Hordes on open ground with one target: a point, a goal that walks, and a goal that walks with agents of mixed sizes.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::measures::Nearby;

use super::places::scattered;
use super::{Body, Scene, Walk, empty};

/// Width of a cell, in px.
const CELL: f32 = 16.0;
/// Distance between the starts of the mob's agents: one per 10 by 10 px.
const SPACING: f32 = 10.0;
/// The radius of the circle in which the goal walks, in px.
const CIRCLE: f32 = 100.0;
/// The speed of the goal relative to that of agents.
const GOAL_PACE: f32 = 0.5;
/// Length of a step, in seconds.
const DT: f32 = 1.0 / 60.0;

fn field(side: f32, seconds: f32) -> Scene {
    let mut scene = empty(side, side, CELL);
    scene.bodies = vec![Body::SPRITE];
    scene.dt = DT;
    scene.lasts = Some(seconds);
    scene.centre = Some(Vec2::splat(0.5 * side));
    scene
}

fn chased(scene: &mut Scene, centre: Vec2) {
    let walk = Walk {
        centre,
        radius: CIRCLE,
        speed: GOAL_PACE * Body::SPRITE.speed,
    };
    scene.goals = vec![vec![walk.at(0.0)]];
    scene.walk = Some(walk);
}

/// All agents have one target in the middle, for 85 s. The outermost take 26 s to reach it.
pub(crate) fn mob(agents: usize, seed: u64) -> Scene {
    let columns = (agents as f64).sqrt().ceil().max(2.0) as usize;
    let side = columns as f32 * SPACING;
    let mut scene = field(side, 85.0);
    let mut random = SplitMix64::new(seed);
    let radius = Body::SPRITE.radius;
    let places = scattered(&mut random, agents, (columns, columns), SPACING, radius);
    scene.starts = places.into_iter().map(|at| (at, 0)).collect();
    scene.goals = vec![vec![Vec2::splat(0.5 * side)]];
    scene
}

/// Agents on a square as large as that of 20,000 agents at 29 px follow a goal that walks in a circle at half their
/// speed, for 75 s.
pub(crate) fn chase(agents: usize, seed: u64) -> Scene {
    const SIDE: f32 = 4096.0;
    let mut scene = field(SIDE, 75.0);
    let columns = (agents as f64).sqrt().ceil().max(2.0) as usize;
    let spacing = (SIDE / columns as f32).min(200.0);
    let mut random = SplitMix64::new(seed);
    let radius = Body::SPRITE.radius;
    let shift = Vec2::splat(0.5 * (SIDE - spacing * columns as f32));
    let places = scattered(&mut random, agents, (columns, columns), spacing, radius);
    scene.starts = places.into_iter().map(|at| (at + shift, 0)).collect();
    chased(&mut scene, Vec2::splat(0.5 * SIDE));
    scene
}

/// Radii of 3 to 40 px and masses in proportion to area. Each size covers the same share of the ground. The goal walks
/// as in [`chase`], for 75 s.
pub(crate) fn mixed(agents: usize, seed: u64) -> Scene {
    const RADII: [f32; 8] = [3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 25.0, 40.0];
    /// The share of the ground that agents cover at the start.
    const COVERED: f32 = 0.2;
    let weight: f32 = RADII.iter().map(|radius| radius.powi(-2)).sum();
    let count = |radius: f32| (agents as f32 * radius.powi(-2) / weight).ceil() as usize;
    let mut kinds: Vec<u8> = Vec::new();
    for (kind, &radius) in RADII.iter().enumerate().rev() {
        kinds.extend(std::iter::repeat_n(kind as u8, count(radius)));
    }
    kinds.truncate(agents);
    let area: f32 = kinds
        .iter()
        .map(|&kind| std::f32::consts::PI * RADII[usize::from(kind)].powi(2))
        .sum();
    let side = (area / COVERED).sqrt().max(1000.0);
    let mut scene = field(side, 75.0);
    scene.bodies = RADII.map(sized).to_vec();
    let mut random = SplitMix64::new(seed);
    let radii: Vec<f32> = kinds.iter().map(|&kind| RADII[usize::from(kind)]).collect();
    let places = apart(&mut random, &radii, side);
    scene.starts = places.into_iter().map(|at| (at, 0)).collect();
    scene.kinds = kinds;
    chased(&mut scene, Vec2::splat(0.5 * side));
    scene
}

fn sized(radius: f32) -> Body {
    let common = Body::SPRITE;
    Body {
        radius,
        mass: (radius / common.radius).powi(2),
        neighbour_radius: 10.0 * radius,
        ..common
    }
}

/// Random places in a square for discs of these radii, the largest first, without contact.
fn apart(random: &mut SplitMix64, radii: &[f32], side: f32) -> Vec<Vec2> {
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let mut places: Vec<Vec2> = Vec::with_capacity(radii.len());
    let mut nearby = Nearby::default();
    let mut sorted = 0;
    for &radius in radii {
        // Places added since the last sort are tested one by one.
        if places.len() >= sorted + 64 {
            sorted = places.len();
            nearby.rebuild(&places, 2.0 * largest);
        }
        let at = loop {
            let room = f64::from(side - 2.0 * radius);
            let mut draw = || radius + (random.unit() * room) as f32;
            let at = Vec2::new(draw(), draw());
            let touches = |other: usize| places[other].distance(at) < radius + radii[other];
            let mut is_free = !(sorted..places.len()).any(touches);
            nearby.around(at, radius + largest, |other| is_free &= !touches(other));
            if is_free {
                break at;
            }
        };
        places.push(at);
    }
    places
}
