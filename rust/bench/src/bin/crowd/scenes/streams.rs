//! Streams that meet: opposite streams in one corridor, opposite streams through one door, and two that merge.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{SplitMix64, WALL};

use super::places::{jittered, scattered};
use super::{RADIUS, Scene, carve, empty, walled};

/// A corridor 8 m wide with half of the agents at each end, 4 abreast with a spacing of 2 m.
pub(crate) fn two_ways(agents: usize, seed: u64) -> Scene {
    corridor(agents, seed, 2.0)
}

/// The same with a spacing of 1.5 m, 5 abreast.
pub(crate) fn two_ways_packed(agents: usize, seed: u64) -> Scene {
    corridor(agents, seed, 1.5)
}

fn corridor(agents: usize, seed: u64, spacing: f32) -> Scene {
    const WIDTH: usize = 8;
    const GAP: f32 = 10.0;
    let mut random = SplitMix64::new(seed);
    let lanes = (WIDTH as f32 / spacing) as usize;
    let length = agents.div_ceil(2).div_ceil(lanes) as f32 * spacing;
    let width = (2.0 * length + GAP).ceil();
    let mut scene = empty(width, WIDTH as f32, 1.0);
    for index in 0..agents.div_ceil(2) {
        let place = Vec2::new((index / lanes) as f32, (index % lanes) as f32);
        let left = jittered(&mut random, place * spacing, spacing);
        let right = jittered(&mut random, place * spacing, spacing);
        let right = Vec2::new(width - right.x, right.y);
        scene.starts.extend([(left, 0), (right, 1)]);
    }
    scene.starts.truncate(agents);
    let end = |x: f32| (0..WIDTH).map(move |row| Vec2::new(x, row as f32 + 0.5));
    scene.goals = vec![end(width - 0.5).collect(), end(0.5).collect()];
    scene.leaves = true;
    scene.flow = 2.0;
    scene
}

/// Two rooms with a door three radii wide between them. Half of the agents are in each room and go to the far wall of
/// the other.
pub(crate) fn two_way_door(agents: usize, seed: u64) -> Scene {
    // A door three radii wide is a single cell.
    const CELL: f32 = 3.0 * RADIUS;
    const SPACING: f32 = 1.5;
    let mut random = SplitMix64::new(seed);
    let half = agents.div_ceil(2);
    let rows = ((half as f32).sqrt().ceil() as usize).max(2) | 1;
    let columns = half.div_ceil(rows);
    // Cells from the outer wall to the wall between the rooms: a column for the goals, the crowd, and free ground.
    let wall = 1 + columns + 2;
    let width = 2 * wall + 1;
    let mut scene = empty(width as f32 * CELL, rows as f32 * CELL, CELL);
    for row in (0..rows).filter(|&row| row != rows / 2) {
        let at = scene.map.index(wall, row);
        scene.map.cost[at] = WALL;
    }
    let side = width as f32 * CELL;
    let left = scattered(&mut random, half, (columns, rows), SPACING, RADIUS);
    let right = scattered(&mut random, half, (columns, rows), SPACING, RADIUS);
    for (left, right) in left.into_iter().zip(right) {
        let left = left + Vec2::X * CELL;
        let right = Vec2::new(side - CELL - right.x, right.y);
        scene.starts.extend([(left, 0), (right, 1)]);
    }
    scene.starts.truncate(agents);
    let end = |x: f32| (0..rows).map(move |row| Vec2::new(x, (row as f32 + 0.5) * CELL));
    scene.goals = vec![end(side - 0.5 * CELL).collect(), end(0.5 * CELL).collect()];
    scene.leaves = true;
    scene.door = Some((Vec2::new(0.5 * side, 0.5 * rows as f32 * CELL), 3.0));
    scene.flow = 1.4;
    scene
}

/// Two corridors of 6 m that lead from left and right into one of 6 m, three abreast with a spacing of 2 m.
pub(crate) fn merge(agents: usize, seed: u64) -> Scene {
    const WIDTH: usize = 6;
    const SPACING: f32 = 2.0;
    const STEM: usize = 30;
    let mut random = SplitMix64::new(seed);
    let lanes = (WIDTH as f32 / SPACING) as usize;
    let half = agents.div_ceil(2);
    let arm = half.div_ceil(lanes) * SPACING as usize + 4;
    let width = 2 * arm + WIDTH;
    let mut scene = walled(width, WIDTH + STEM, 1.0);
    carve(&mut scene.map, (0, 0), (width, WIDTH));
    carve(&mut scene.map, (arm, 0), (WIDTH, WIDTH + STEM));
    for index in 0..half {
        let place = Vec2::new((index / lanes) as f32, (index % lanes) as f32);
        let from = |random: &mut SplitMix64| {
            let at = jittered(random, place * SPACING, SPACING);
            Vec2::new(arm as f32 - 4.0 - at.x, at.y)
        };
        let (left, right) = (from(&mut random), from(&mut random));
        let right = Vec2::new(width as f32 - right.x, right.y);
        scene.starts.extend([(left, 0), (right, 0)]);
    }
    scene.starts.truncate(agents);
    let end = (WIDTH + STEM) as f32 - 0.5;
    let targets = (arm..arm + WIDTH).map(|column| Vec2::new(column as f32 + 0.5, end));
    scene.goals = vec![targets.collect()];
    scene.way = (arm + WIDTH + STEM) as f32;
    scene.leaves = true;
    scene.minds_the_open = true;
    scene.flow = 2.0;
    scene
}
