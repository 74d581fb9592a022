//! A room that all agents leave by a door three radii wide.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{SplitMix64, WALL};

use super::places::{jittered, shuffle};
use super::{Gate, RADIUS, Scene, empty};

pub(crate) fn doorway(agents: usize, seed: u64) -> Scene {
    // A door three radii wide is a single cell.
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
    scene.gate = Some(Gate {
        at: Vec2::new((wall as f32 + 0.5) * CELL, 0.0),
        normal: Vec2::X,
    });
    scene.passage = Some(CELL);
    scene.flow = 0.5;
    scene
}
