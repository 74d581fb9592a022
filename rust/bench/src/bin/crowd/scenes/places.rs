//! The places of agents at the start.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::SplitMix64;

use super::RADIUS;

/// Returns a point of a square lattice, moved at random within its square so that no two agents touch.
pub(crate) fn jittered(random: &mut SplitMix64, corner: Vec2, spacing: f32) -> Vec2 {
    jittered_disc(random, corner, spacing, RADIUS)
}

/// [`jittered`] for discs whose radius is at least 0.01 less than half the spacing.
pub(crate) fn jittered_disc(
    random: &mut SplitMix64,
    corner: Vec2,
    spacing: f32,
    radius: f32,
) -> Vec2 {
    let room = f64::from(spacing - 2.0 * radius - 0.02);
    let mut draw = || radius + 0.01 + (random.unit() * room) as f32;
    corner + Vec2::new(draw(), draw())
}

/// Returns places of a square lattice over a rectangle from the origin, in random order, each moved at random within
/// its square.
pub(crate) fn scattered(
    random: &mut SplitMix64,
    agents: usize,
    (columns, rows): (usize, usize),
    spacing: f32,
    radius: f32,
) -> Vec<Vec2> {
    let mut places: Vec<usize> = (0..columns * rows).collect();
    shuffle(random, &mut places);
    let corner = |place: usize| Vec2::new((place % columns) as f32, (place / columns) as f32);
    places
        .iter()
        .take(agents)
        .map(|&place| jittered_disc(random, corner(place) * spacing, spacing, radius))
        .collect()
}

pub(crate) fn shuffle<T>(random: &mut SplitMix64, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last + 1));
    }
}

/// Returns places in rows of a square, with the first row in front.
pub(crate) fn rank_and_file(agents: usize, spacing: f32) -> impl Iterator<Item = Vec2> {
    let columns = (agents as f32).sqrt().ceil().max(1.0) as usize;
    (0..agents)
        .map(move |index| Vec2::new((index / columns) as f32, (index % columns) as f32) * spacing)
}

/// Returns cosine and sine of an angle of less than 10 radians, by their series. The last bits of library functions
/// differ between machines, which would change a scene's hash.
pub(crate) fn cosine_and_sine(angle: f64) -> (f64, f64) {
    let (mut cosine, mut sine, mut term) = (0.0, 0.0, 1.0);
    for power in 0..40_u32 {
        match power % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term *= angle / f64::from(power + 1);
    }
    (cosine, sine)
}
