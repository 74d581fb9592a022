//! Ranks of eight in a corridor twenty radii wide, which is straight or has a right-angled bend.
//!
//! Both scenes have the same width and ranks. They are timed between the tenth and the ninetieth percent of arrivals.

use flow_swarm::Vec2;

use super::{Body, Scene, carve, walled};

/// Width of a cell, in px.
const CELL: f32 = 8.0;
/// Width of the corridor, in cells.
const WIDTH: usize = 10;
/// Agents per rank.
const RANK: usize = 8;
/// Cells between the outer wall and the goals behind the bend.
const LEG: usize = 100;

/// Fills the near end of the corridor with ranks.
fn line_up(scene: &mut Scene, agents: usize) {
    let place = |index: usize| {
        let along = 14.0 + (index / RANK) as f32 * 9.0;
        let across = 13.0 + (index % RANK) as f32 * 9.5;
        (Vec2::new(along, across), 0)
    };
    scene.starts = (0..agents).map(place).collect();
    scene.bodies = vec![Body::SPRITE];
    scene.dt = 1.0 / 60.0;
    scene.leaves = true;
    scene.minds_the_open = true;
    scene.flow = 5.0;
}

/// The number of cells that the ranks take up along the corridor, rounded up, with some spare cells.
fn ranks(agents: usize) -> usize {
    (agents.div_ceil(RANK) as f32 * 9.0 / CELL).ceil() as usize + 4
}

/// A corridor of 1,480 px from the wall behind the ranks to the goals. With more ranks it is longer by their length.
pub(crate) fn straight(agents: usize) -> Scene {
    let goals = 185.max(ranks(agents) + 140);
    let mut scene = walled(goals + 15, WIDTH + 2, CELL);
    carve(&mut scene.map, (1, 1), (goals + 13, WIDTH));
    let target = |row: usize| Vec2::new(goals as f32 + 0.5, row as f32 + 0.5) * CELL;
    scene.goals = vec![(1..=WIDTH).map(target).collect()];
    scene.way = goals as f32 * CELL;
    line_up(&mut scene, agents);
    scene
}

/// A corridor of 100 cells, then another of 100 at a right angle. The goals are at its end.
pub(crate) fn bend(agents: usize) -> Scene {
    let first = LEG.max(ranks(agents) + 56);
    let mut scene = walled(first + 2, LEG + 2, CELL);
    carve(&mut scene.map, (1, 1), (first, WIDTH));
    carve(&mut scene.map, (first + 1 - WIDTH, 1), (WIDTH, LEG));
    let column = first + 1 - WIDTH;
    let target = |index: usize| {
        let at = Vec2::new((column + index) as f32, LEG as f32 - 1.0);
        (at + 0.5) * CELL
    };
    scene.goals = vec![(0..WIDTH).map(target).collect()];
    scene.way = (first + LEG) as f32 * CELL;
    line_up(&mut scene, agents);
    scene
}
