//! Cases of the RiMEA guideline for evacuation simulations, adapted to discs on a grid.
//!
//! The guideline describes the behaviour of people and leaves their bodies to the program. Assumptions here: discs of
//! radius 0.3 m, which pass a door of 1 m about as fast as the guideline's people; a walking speed of 1.33 m/s without
//! spread; no reaction time; cells of 1 m, because all lengths are whole metres.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{SplitMix64, WALL};

use super::places::{jittered_disc, shuffle};
use super::{Body, Scene, carve, empty, walled};

/// Width of a cell, in metres.
const CELL: f32 = 1.0;
/// Radius of an agent, in metres.
const RADIUS: f32 = 0.3;
/// Speed of an agent, in metres per second.
const SPEED: f32 = 1.33;

const PERSON: Body = Body {
    radius: RADIUS,
    speed: SPEED,
    neighbour_radius: 3.0,
    ..Body::PERSON
};

fn cells(metres: f32) -> usize {
    (metres / CELL).round() as usize
}

fn middle(column: usize, row: usize) -> Vec2 {
    Vec2::new(column as f32 + 0.5, row as f32 + 0.5) * CELL
}

pub(crate) fn people(scene: &mut Scene, flow: f32) {
    scene.bodies = vec![PERSON];
    scene.leaves = true;
    scene.minds_the_open = true;
    scene.flow = flow;
}

/// Case 1: a corridor of 40 m by 2 m, which takes 26 to 34 s. Several agents start side by side, in ranks of 3.
pub(crate) fn corridor(agents: usize) -> Scene {
    const RANK: usize = 3;
    let ranks = agents.div_ceil(RANK);
    let behind = cells(ranks as f32 * 0.7 + 0.5);
    let length = behind + cells(40.0) + 2;
    let mut scene = empty(length as f32 * CELL, 2.0, CELL);
    let start = behind as f32 * CELL;
    let place = |index: usize| {
        let lane = if agents == 1 { 1 } else { index % RANK };
        let at = Vec2::new(
            start - (index / RANK) as f32 * 0.7,
            0.35 + lane as f32 * 0.65,
        );
        (at, 0)
    };
    scene.starts = (0..agents).map(place).collect();
    // An agent arrives when it enters a goal's cell, 40 m from the first rank.
    let goals = behind + cells(40.0);
    scene.goals = vec![(0..cells(2.0)).map(|row| middle(goals, row)).collect()];
    people(&mut scene, 2.0);
    scene
}

/// Case 6: a group fills the first 6 m of a corridor 2 m wide, walks 12 m to a corner, turns left and walks 10 m. No
/// agent may pass through a wall or wait in the open.
pub(crate) fn corner(agents: usize) -> Scene {
    const RANK: usize = 3;
    let ranks = agents.div_ceil(RANK);
    let first = cells((6.0 + ranks as f32 * 0.7).max(12.0));
    let (width, second) = (cells(2.0), cells(10.0));
    let mut scene = walled(first + width, second + width, CELL);
    carve(&mut scene.map, (0, second), (first + width, width));
    carve(&mut scene.map, (first, 0), (width, second + width));
    let edge = second as f32 * CELL;
    let place = |index: usize| {
        let (rank, lane) = ((index / RANK) as f32, (index % RANK) as f32);
        (Vec2::new(0.4 + rank * 0.7, edge + 0.35 + lane * 0.65), 0)
    };
    scene.starts = (0..agents).map(place).collect();
    scene.goals = vec![
        (first..first + width)
            .map(|column| middle(column, 0))
            .collect(),
    ];
    people(&mut scene, 2.0);
    scene
}

/// Case 9: a crowd spread over a room of 30 m by 20 m leaves by doors of 1 m, 5 m from the corners of the long walls:
/// by all four (108 to 132 s for 1,000 agents), or by the two of one wall (180 to 220 s).
pub(crate) fn large_room(agents: usize, doors: usize, seed: u64) -> Scene {
    const WIDTH: f32 = 30.0;
    const DEPTH: f32 = 20.0;
    const OUTSIDE: usize = 3;
    let (columns, rows) = (cells(WIDTH), cells(DEPTH));
    let mut scene = empty(WIDTH, DEPTH + (2 * OUTSIDE + 2) as f32 * CELL, CELL);
    let walls = [OUTSIDE, OUTSIDE + 1 + rows];
    for wall in walls {
        for column in 0..columns {
            let cell = scene.map.index(column, wall);
            scene.map.cost[cell] = WALL;
        }
    }
    if doors <= 2 {
        // Ground behind a wall without doors is unreachable, and other libraries refuse ground that is not connected.
        scene.map.cost[..OUTSIDE * columns].fill(WALL);
    }
    let (door, from_corner) = (cells(1.0), cells(5.0));
    let mut targets = Vec::new();
    // The doors of the last wall stay open. Targets are in the second row behind a door.
    for (wall, behind) in [(walls[1], walls[1] + 2), (walls[0], walls[0] - 2)]
        .into_iter()
        .take(doors.div_ceil(2))
    {
        for first in [from_corner, columns - from_corner - door] {
            for column in first..first + door {
                let cell = scene.map.index(column, wall);
                scene.map.cost[cell] = 1;
                targets.push(middle(column, behind));
            }
        }
    }
    scene.goals = vec![targets];
    let mut random = SplitMix64::new(seed);
    let corner = Vec2::new(0.0, (OUTSIDE + 1) as f32 * CELL);
    for at in spread(&mut random, agents, Vec2::new(WIDTH, DEPTH)) {
        scene.starts.push((corner + at, 0));
    }
    people(&mut scene, doors as f32);
    scene
}

/// Returns a random place for a person in a square of a lattice.
pub(crate) fn jittered_person(random: &mut SplitMix64, corner: Vec2, spacing: f32) -> Vec2 {
    jittered_disc(random, corner, spacing, RADIUS)
}

/// Returns random places for people, spread over a rectangle.
pub(crate) fn spread(random: &mut SplitMix64, agents: usize, size: Vec2) -> Vec<Vec2> {
    let columns = ((agents as f32 * size.x / size.y).sqrt().ceil() as usize).max(1);
    let rows = agents.div_ceil(columns);
    let spacing = Vec2::new(size.x / columns as f32, size.y / rows as f32);
    let side = spacing.min_element();
    let mut places: Vec<usize> = (0..columns * rows).collect();
    shuffle(random, &mut places);
    let corner = |place: usize| {
        Vec2::new((place % columns) as f32, (place / columns) as f32) * spacing
            + 0.5 * (spacing - side)
    };
    places
        .iter()
        .take(agents)
        .map(|&place| jittered_disc(random, corner(place), side, RADIUS))
        .collect()
}
