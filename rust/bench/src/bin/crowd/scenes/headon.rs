//! Two groups that change places, each agent exactly opposite another one.

use flow_swarm::Vec2;

use super::places::rank_and_file;
use super::{Scene, empty};

pub(crate) fn headon(agents: usize) -> Scene {
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
