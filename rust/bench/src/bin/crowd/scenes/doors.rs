//! Rooms with several doors: wide doors of which a crowd blocks the nearest, and narrow doors in front of one crowd.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::WALL;

use super::{RADIUS, Scene, empty};

/// The distance between agents at the start.
const SPACING: f32 = 1.2;

/// A room with a right wall at column `wall`, whose doors are `width` cells wide and begin at the rows `doors`.
fn room(size: (usize, usize), wall: usize, width: usize, doors: &[usize]) -> Scene {
    let mut scene = empty(size.0 as f32, size.1 as f32, 1.0);
    let is_open = |row: usize| {
        doors
            .iter()
            .any(|&first| (first..first + width).contains(&row))
    };
    for row in (0..size.1).filter(|&row| !is_open(row)) {
        let cell = scene.map.index(wall, row);
        scene.map.cost[cell] = WALL;
    }
    let half = Vec2::new(0.5, 0.5 * width as f32);
    let middle = |&first: &usize| Vec2::new(wall as f32 + 0.5, first as f32 + half.y);
    scene.doors = doors.iter().map(|first| (middle(first), half)).collect();
    scene.leaves = true;
    scene.flow = 1.0;
    scene
}

fn block(corner: Vec2, rows: usize, agents: usize) -> impl Iterator<Item = Vec2> {
    (0..agents).map(move |index| {
        let place = Vec2::new((index / rows) as f32, (index % rows) as f32);
        corner + place * SPACING
    })
}

/// Doors six metres wide and forty metres apart, with a block of idle agents in and in front of the first.
pub(crate) fn two(agents: usize) -> Scene {
    let standing = (agents / 8).max(1);
    let late = agents - standing;
    let depth = standing.div_ceil(8) as f32 * SPACING;
    let length = late.div_ceil(12) as f32 * SPACING;
    let wall = (length + depth + 20.0).ceil() as usize;
    let mut scene = room((wall + 24, 76), wall, 6, &[12, 52]);
    let front = wall as f32 + 1.0 - depth;
    scene.standing = block(Vec2::new(front, 15.0 - 3.5 * SPACING), 8, standing).collect();
    let starts = block(Vec2::new(2.0 * RADIUS, 15.0 - 5.5 * SPACING), 12, late);
    scene.starts = starts.map(|at| (at, 0)).collect();
    scene.goals = vec![vec![Vec2::new(wall as f32 + 20.5, 15.5)]];
    scene
}

/// Doors three metres wide, with a crowd in front of the two in the middle.
pub(crate) fn four(agents: usize) -> Scene {
    let length = agents.div_ceil(30) as f32 * SPACING;
    let wall = (length + 12.0).ceil() as usize;
    let mut scene = room((wall + 24, 80), wall, 3, &[8, 28, 48, 68]);
    let starts = block(Vec2::new(2.0 * RADIUS, 40.0 - 14.5 * SPACING), 30, agents);
    scene.starts = starts.map(|at| (at, 0)).collect();
    scene.goals = vec![vec![Vec2::new(wall as f32 + 20.5, 40.5)]];
    scene
}
