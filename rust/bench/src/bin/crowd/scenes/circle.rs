//! Agents on a circle, each with the opposite place as its target.

use std::f64::consts::TAU;

use flow_swarm::Vec2;

use super::places::cosine_and_sine;
use super::{Scene, empty};

pub(crate) fn circle(agents: usize) -> Scene {
    const SPACING: f64 = 2.0;
    const MARGIN: f32 = 15.0;
    let radius = (agents as f64 * SPACING / TAU).max(10.0);
    let side = 2.0 * (radius as f32 + MARGIN);
    let mut scene = empty(side, side, 1.0);
    let at = |index: usize| {
        let (cosine, sine) = cosine_and_sine(TAU * (index as f64 / agents as f64 - 0.5));
        Vec2::splat(0.5 * side) + Vec2::new((cosine * radius) as f32, (sine * radius) as f32)
    };
    scene.starts = (0..agents).map(|index| (at(index), 0)).collect();
    scene.targets = (0..agents)
        .map(|index| Vec2::splat(side) - at(index))
        .collect();
    scene.flow = 5.0;
    scene
}
