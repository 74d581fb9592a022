//! Agents at random places on an open field, with random targets.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::SplitMix64;

use super::places::{jittered, shuffle};
use super::{Scene, empty};

pub(crate) fn open(agents: usize, seed: u64) -> Scene {
    const SPACING: f32 = 2.0;
    let mut random = SplitMix64::new(seed);
    let columns = (agents as f64).sqrt().ceil() as usize;
    let side = columns as f32 * SPACING;
    let mut scene = empty(side, side, 1.0);
    let lattice = |random: &mut SplitMix64| -> Vec<Vec2> {
        let mut places: Vec<usize> = (0..columns * columns).collect();
        shuffle(random, &mut places);
        let corner = |place: usize| Vec2::new((place % columns) as f32, (place / columns) as f32);
        places
            .iter()
            .take(agents)
            .map(|&place| jittered(random, corner(place) * SPACING, SPACING))
            .collect()
    };
    scene.starts = lattice(&mut random).iter().map(|&at| (at, 0)).collect();
    scene.targets = lattice(&mut random);
    scene
}
