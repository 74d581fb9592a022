//! Two streams that cross at a right angle.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{SplitMix64, WALL};

use super::places::jittered;
use super::{Scene, empty};

pub(crate) fn crossing(agents: usize, seed: u64) -> Scene {
    const SPACING: f32 = 2.0;
    /// Half the width of a street, in cells.
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
