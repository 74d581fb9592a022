//! Rooms with bottlenecks, a wide corridor and a crossing, for people as in [`super::rimea`].

use flow_swarm::Vec2;
use flow_swarm_bench::maps::SplitMix64;

use super::rimea::{people, spread};
use super::{Gate, Scene, carve, walled};

/// A room 8 m wide and 12 m deep, which its crowd leaves by a bottleneck 2 m long and `width` wide, at least 0.7 m.
///
/// The width is a whole number of cells of 0.7 m or more, and the other lengths are rounded to cells. Density and speed
/// are measured in an area of 2 m by 2 m, 1 m in front of the bottleneck.
pub(crate) fn bottleneck(agents: usize, width: f32, seed: u64) -> Scene {
    const ROOM: Vec2 = Vec2::new(12.0, 8.0);
    let across = (width / 0.9).round().max(1.0) as usize;
    let cell = width / across as f32;
    let cells = |metres: f32| (metres / cell).round() as usize;
    let beside = cells(0.5 * (ROOM.y - width));
    let (free, passage, behind) = (cells(3.0), cells(2.0), cells(4.0));
    let wall = cells(ROOM.x) + free;
    let rows = 2 * beside + across;
    let mut scene = walled(wall + passage + behind, rows, cell);
    carve(&mut scene.map, (0, 0), (wall, rows));
    carve(&mut scene.map, (wall, beside), (passage, across));
    carve(&mut scene.map, (wall + passage, 0), (behind, rows));
    let mut random = SplitMix64::new(seed);
    let room = Vec2::new((wall - free) as f32, rows as f32) * cell;
    let places = spread(&mut random, agents, room);
    scene.starts = places.into_iter().map(|at| (at, 0)).collect();
    let goals = wall + passage + behind - 1;
    let target = |row: usize| Vec2::new(goals as f32 + 0.5, row as f32 + 0.5) * cell;
    scene.goals = vec![(0..rows).map(target).collect()];
    let door = Vec2::new(wall as f32, 0.5 * rows as f32) * cell;
    scene.gate = Some(Gate {
        at: door,
        normal: Vec2::X,
    });
    scene.gauge = Some((door - Vec2::new(2.0, 0.0), Vec2::ONE));
    people(&mut scene, 0.5);
    scene.passage = Some(width);
    scene
}

/// RiMEA case 4: a corridor 10 m wide that ends in a door of a given width. A crowd of a given density fills 40 m of
/// it. Density and speed are measured in an area of 4 m by 4 m, 8 m in front of the door.
///
/// The guideline's corridor has no end. In such a corridor, people of equal speed walk without touching each other;
/// here the door creates the crowd that is measured.
pub(crate) fn wide_corridor(density: f32, width: f32, seed: u64) -> Scene {
    const WIDTH: usize = 10;
    const CROWD: usize = 40;
    const FREE: usize = 12;
    let door = (width.round() as usize).clamp(1, WIDTH);
    let length = CROWD + FREE;
    let mut scene = walled(length + 6, WIDTH, 1.0);
    carve(&mut scene.map, (0, 0), (length, WIDTH));
    carve(&mut scene.map, (length, (WIDTH - door) / 2), (1, door));
    carve(&mut scene.map, (length + 1, 0), (5, WIDTH));
    let mut random = SplitMix64::new(seed);
    let agents = (density * (CROWD * WIDTH) as f32) as usize;
    let places = spread(&mut random, agents, Vec2::new(CROWD as f32, WIDTH as f32));
    scene.starts = places.into_iter().map(|at| (at, 0)).collect();
    let target = |row: usize| Vec2::new(length as f32 + 5.5, row as f32 + 0.5);
    scene.goals = vec![(0..WIDTH).map(target).collect()];
    let middle = Vec2::new(length as f32, 0.5 * WIDTH as f32);
    scene.gate = Some(Gate {
        at: middle,
        normal: Vec2::X,
    });
    scene.gauge = Some((middle - Vec2::new(10.0, 0.0), Vec2::splat(2.0)));
    people(&mut scene, door as f32);
    scene.passage = Some(door as f32);
    scene
}

/// RiMEA case 12: a crowd in a room of 10 m by 10 m goes through a corridor of 1 m by 5 m into a second such room, and
/// leaves it by a door of 1 m. The crowd may queue in front of the corridor only: density and speed are measured in
/// front of the last door.
pub(crate) fn two_rooms(agents: usize, seed: u64) -> Scene {
    const ROOM: usize = 10;
    const PASSAGE: usize = 5;
    let second = ROOM + PASSAGE;
    let exit = second + ROOM;
    // With an odd number of rows the corridor is in the middle.
    let rows = ROOM + 1;
    let mut scene = walled(exit + 4, rows, 1.0);
    carve(&mut scene.map, (0, 0), (ROOM, rows));
    carve(&mut scene.map, (ROOM, rows / 2), (PASSAGE, 1));
    carve(&mut scene.map, (second, 0), (ROOM, rows));
    carve(&mut scene.map, (exit, rows / 2), (1, 1));
    carve(&mut scene.map, (exit + 1, 0), (3, rows));
    let mut random = SplitMix64::new(seed);
    let room = Vec2::new(ROOM as f32 - 1.0, rows as f32);
    let places = spread(&mut random, agents, room);
    scene.starts = places.into_iter().map(|at| (at, 0)).collect();
    let target = |row: usize| Vec2::new(exit as f32 + 3.5, row as f32 + 0.5);
    scene.goals = vec![(0..rows).map(target).collect()];
    let middle = |column: usize| Vec2::new(column as f32, 0.5 * rows as f32);
    scene.gate = Some(Gate {
        at: middle(ROOM),
        normal: Vec2::X,
    });
    scene.gauge = Some((middle(exit) - Vec2::X, Vec2::ONE));
    people(&mut scene, 0.5);
    scene.passage = Some(1.0);
    scene
}

/// Four streams, each four abreast, that cross in an area of 4 m by 4 m and continue straight on.
pub(crate) fn four_way(agents: usize, seed: u64) -> Scene {
    const WIDTH: usize = 4;
    const GAP: usize = 4;
    const SPACING: f32 = 1.0;
    let mut random = SplitMix64::new(seed);
    let quarter = agents.div_ceil(4);
    let arm = quarter.div_ceil(WIDTH) + GAP;
    let side = 2 * arm + WIDTH;
    let mut scene = walled(side, side, 1.0);
    carve(&mut scene.map, (0, arm), (side, WIDTH));
    carve(&mut scene.map, (arm, 0), (WIDTH, side));
    let middle = Vec2::splat(0.5 * side as f32);
    // Turns by quarters of a circle, from the stream to the right.
    let turned = |at: Vec2, quarters: usize| {
        let offset = (0..quarters).fold(at - middle, |offset, _| Vec2::new(-offset.y, offset.x));
        middle + offset
    };
    for index in 0..quarter {
        let place = Vec2::new((index / WIDTH) as f32, (index % WIDTH) as f32) * SPACING;
        for group in 0..4 {
            let at = super::rimea::jittered_person(&mut random, place, SPACING);
            let from = Vec2::new((arm - GAP) as f32 - at.x, arm as f32 + at.y);
            scene.starts.push((turned(from, group), group as u8));
        }
    }
    scene.starts.truncate(agents);
    for group in 0..4 {
        let end = |lane: usize| Vec2::new(side as f32 - 0.5, (arm + lane) as f32 + 0.5);
        let targets = (0..WIDTH).map(|lane| turned(end(lane), group)).collect();
        scene.goals.push(targets);
    }
    people(&mut scene, 1.0);
    scene
}
