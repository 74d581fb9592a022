//! Four groups that change places across a field of blocks.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::WALL;

use super::places::rank_and_file;
use super::{Scene, empty};

pub(crate) fn blocks(agents: usize) -> Scene {
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
