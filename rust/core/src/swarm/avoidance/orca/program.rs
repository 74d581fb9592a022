//! Finds the permitted velocity nearest to the wanted one: a linear program in two dimensions that adds one half-plane
//! after the other (de Berg and others, Computational Geometry, 4.4). If no velocity is permitted, it finds the one
//! with the least violation (ISRR 2009, 5.3).
//!
//! While the next half-plane permits the current velocity, nothing changes. Otherwise the new optimum lies on that
//! half-plane's edge, in the interval that all earlier half-planes permit.

use crate::swarm::avoidance::orca::lines::{AT_ONCE, HalfPlanes};
use crate::swarm::neighbours::buckets::LANES;
use glam::{Vec2, Vec4};

/// Edges whose angle has a sine below this count as parallel.
const PARALLEL: f32 = 1.0e-5;
/// The distance by which a velocity may violate a half-plane, as a fraction of the greatest speed.
const SLACK: f32 = 1.0e-5;
/// A speed that counts as standing still, as a fraction of the greatest speed.
pub(super) const CREEP: f32 = 4.0 * SLACK;

/// The objective of the program.
#[derive(Clone, Copy)]
enum Objective {
    /// As near as possible to this velocity.
    Nearest(Vec2),
    /// As far as possible in this direction.
    Farthest(Vec2),
}

/// The velocity nearest to `wanted` that all of `planes` permit, with a length of at most `most`. The search starts
/// from `start`, which is `wanted` limited to `most`, and the first half-plane that forbids it.
///
/// If there is none, the first `hard` half-planes still hold, and the greatest violation of the others is minimal.
pub(super) fn solve(
    planes: &HalfPlanes,
    hard: usize,
    most: f32,
    wanted: Vec2,
    start: Vec2,
    broken: Option<usize>,
) -> Vec2 {
    match nearest(planes, most, wanted, start, broken) {
        Ok(velocity) => velocity,
        Err((velocity, failed)) => {
            // Where an agent is enclosed on all sides, rounding may leave no permitted velocity although standing still
            // is permitted.
            let still = CREEP * most;
            let stands =
                failed < hard && planes.offset[..hard].iter().all(|&offset| offset <= still);
            let velocity = if stands { Vec2::ZERO } else { velocity };
            trespass_least(planes, hard, most, velocity, failed)
        }
    }
}

/// The first half-planes that forbid each of two velocities.
#[inline]
pub(super) fn both_first_broken(
    planes: &HalfPlanes,
    velocities: [Vec2; 2],
    most: f32,
) -> [Option<usize>; 2] {
    let broken = velocities.map(|velocity| broken_from(planes, 0, velocity, most));
    [0, 1].map(|number| {
        if broken[number] != 0 {
            Some(broken[number].trailing_zeros() as usize)
        } else if planes.len() > AT_ONCE {
            first_broken(planes, AT_ONCE, velocities[number], most)
        } else {
            None
        }
    })
}

/// The first half-plane, from `from` on, that forbids `velocity`.
#[inline]
fn first_broken(planes: &HalfPlanes, from: usize, velocity: Vec2, most: f32) -> Option<usize> {
    let mut first = from / AT_ONCE * AT_ONCE;
    while first < planes.len() {
        let mut broken = broken_from(planes, first, velocity, most);
        if first < from {
            broken &= u32::MAX << (from - first);
        }
        if broken != 0 {
            return Some(first + broken.trailing_zeros() as usize);
        }
        first += AT_ONCE;
    }
    None
}

/// Which of the [`AT_ONCE`] half-planes from `first` on forbid `velocity`.
#[inline]
fn broken_from(planes: &HalfPlanes, first: usize, velocity: Vec2, most: f32) -> u32 {
    let slack = Vec4::splat(-SLACK * most);
    let (x, y) = (Vec4::splat(velocity.x), Vec4::splat(velocity.y));
    let mut broken = 0;
    for lanes in (0..AT_ONCE).step_by(LANES) {
        let four = first + lanes..first + lanes + LANES;
        let inside = Vec4::from_slice(&planes.x[four.clone()]) * x
            + Vec4::from_slice(&planes.y[four.clone()]) * y
            - Vec4::from_slice(&planes.offset[four]);
        broken |= inside.cmplt(slack).bitmask() << lanes;
    }
    broken
}

/// The permitted velocity nearest to `wanted`; or, as an error, the index of the half-plane that left none, with the
/// velocity that all half-planes before it permit.
#[inline]
fn nearest(
    planes: &HalfPlanes,
    most: f32,
    wanted: Vec2,
    start: Vec2,
    mut broken: Option<usize>,
) -> Result<Vec2, (Vec2, usize)> {
    let mut velocity = start;
    while let Some(index) = broken {
        velocity =
            on_edge(planes, index, most, Objective::Nearest(wanted)).ok_or((velocity, index))?;
        broken = first_broken(planes, index + 1, velocity, most);
    }
    Ok(velocity)
}

/// The best velocity on the edge of half-plane `index` that the speed limit and all earlier half-planes permit.
#[inline]
fn on_edge(planes: &HalfPlanes, index: usize, most: f32, objective: Objective) -> Option<Vec2> {
    let normal = planes.normal(index);
    let offset = planes.offset[index];
    let half_squared = most * most - offset * offset;
    if half_squared < 0.0 {
        return None;
    }
    let half = half_squared.sqrt();
    let foot = normal * offset;
    let along = Vec2::new(-normal.y, normal.x);
    let (mut low, mut high) = (Vec4::splat(-half), Vec4::splat(half));
    let parallel = Vec4::splat(PARALLEL);
    let slack = Vec4::splat(SLACK * most);
    let number = Vec4::new(0.0, 1.0, 2.0, 3.0);
    let mut first = 0;
    let mut is_empty = false;
    loop {
        // Always two groups of four: that costs less than a mispredicted branch.
        for first in [first, first + LANES] {
            let x = Vec4::from_slice(&planes.x[first..]);
            let y = Vec4::from_slice(&planes.y[first..]);
            let is_before = number.cmplt(Vec4::splat(index as f32 - first as f32));
            let slope = x * along.x + y * along.y;
            let needed = Vec4::from_slice(&planes.offset[first..]) - (x * foot.x + y * foot.y);
            let rises = slope.cmpgt(parallel);
            let falls = slope.cmplt(-parallel);
            let is_flat = !(rises | falls);
            is_empty |= (is_flat & is_before & needed.cmpgt(slack)).any();
            let cut = needed / Vec4::select(is_flat, Vec4::ONE, slope);
            low = low.max(Vec4::select(rises & is_before, cut, low));
            high = high.min(Vec4::select(falls & is_before, cut, high));
        }
        first += 2 * LANES;
        if first >= index {
            break;
        }
    }
    if is_empty {
        return None;
    }
    let (low, high) = (low.max_element(), high.min_element());
    if low > high {
        return None;
    }
    let at = match objective {
        Objective::Nearest(wanted) => along.dot(wanted).max(low).min(high),
        Objective::Farthest(direction) if along.dot(direction) > 0.0 => high,
        Objective::Farthest(_) => low,
    };
    Some(foot + along * at)
}

/// Minimises the greatest violation, from the half-plane `failed` on. A half-plane that is violated more than the
/// greatest violation so far becomes the new greatest; the best velocity for it violates some earlier half-plane
/// equally.
fn trespass_least(planes: &HalfPlanes, hard: usize, most: f32, start: Vec2, failed: usize) -> Vec2 {
    let mut velocity = start;
    let mut worst = 0.0;
    let mut ties = HalfPlanes::new();
    for index in failed.max(hard)..planes.len() {
        let normal = planes.normal(index);
        let trespass = planes.offset[index] - normal.dot(velocity);
        if trespass <= worst + SLACK * most {
            continue;
        }
        ties.clear();
        for wall in 0..hard {
            ties.push(planes.normal(wall), planes.offset[wall]);
        }
        for earlier in hard..index {
            // The violation of the earlier half-plane must not exceed the violation of this one.
            let between = planes.normal(earlier) - normal;
            let length = between.length();
            if length > PARALLEL {
                let offset = (planes.offset[earlier] - planes.offset[index]) / length;
                ties.push(between / length, offset);
            }
        }
        ties.seal();
        if let Some(better) = farthest(&ties, most, normal) {
            velocity = better;
        }
        worst = worst.max(planes.offset[index] - normal.dot(velocity));
    }
    velocity
}

/// The permitted velocity that goes farthest in a direction.
fn farthest(planes: &HalfPlanes, most: f32, direction: Vec2) -> Option<Vec2> {
    let mut velocity = direction * most;
    let mut from = 0;
    while let Some(broken) = first_broken(planes, from, velocity, most) {
        velocity = on_edge(planes, broken, most, Objective::Farthest(direction))?;
        from = broken + 1;
    }
    Some(velocity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST_SPEED: f32 = 2.0;

    /// Solves as agents do.
    fn solve(planes: &HalfPlanes, hard: usize, most: f32, wanted: Vec2) -> Vec2 {
        let start = wanted.clamp_length_max(most);
        let [broken, _] = both_first_broken(planes, [start, wanted], most);
        crate::swarm::avoidance::orca::program::solve(planes, hard, most, wanted, start, broken)
    }

    fn planes_of(list: &[(f32, f32)]) -> HalfPlanes {
        let mut planes = HalfPlanes::new();
        for &(turn, offset) in list {
            let angle = f64::from(turn) * std::f64::consts::TAU;
            let normal = Vec2::new(angle.cos() as f32, angle.sin() as f32);
            planes.push(normal, offset);
        }
        planes.seal();
        planes
    }

    /// The greatest violation of the half-planes `which`; 0 or less is permitted.
    fn trespass(planes: &HalfPlanes, which: std::ops::Range<usize>, velocity: Vec2) -> f32 {
        which
            .map(|index| planes.offset[index] - planes.normal(index).dot(velocity))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    /// Velocities all over the disc, densely.
    fn samples() -> impl Iterator<Item = Vec2> {
        const STEPS: i32 = 240;
        (-STEPS..=STEPS)
            .flat_map(|y| (-STEPS..=STEPS).map(move |x| Vec2::new(x as f32, y as f32)))
            .map(|at| at * (MOST_SPEED / STEPS as f32))
            .filter(|at| at.length() <= MOST_SPEED)
    }
    /// How far a sample may be from the best velocity.
    const SPACING: f32 = MOST_SPEED / 240.0;

    fn half_planes(most: usize) -> impl Strategy<Value = Vec<(f32, f32)>> {
        prop::collection::vec((0.0_f32..1.0, -2.5_f32..1.0), 0..most)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        /// Compared with dense sampling, no permitted velocity is nearer; if none is permitted, none has a smaller
        /// violation.
        #[test]
        fn no_sampled_velocity_is_better(
            list in half_planes(14),
            wanted in (-3.0_f32..3.0, -3.0_f32..3.0),
        ) {
            let planes = planes_of(&list);
            let all = 0..planes.len();
            let wanted = Vec2::new(wanted.0, wanted.1);
            let found = solve(&planes, 0, MOST_SPEED, wanted);
            prop_assert!(found.length() <= MOST_SPEED * 1.0001);
            let own = trespass(&planes, all.clone(), found);
            let least = samples()
                .map(|at| trespass(&planes, all.clone(), at))
                .fold(f32::INFINITY, f32::min);
            prop_assert!(own <= least.max(0.0) + 1.0e-3, "trespasses {own} where {least} would do");
            if own > 1.0e-3 {
                return Ok(());
            }
            let nearest = samples()
                .filter(|&at| trespass(&planes, all.clone(), at) <= 0.0)
                .map(|at| at.distance(wanted))
                .fold(f32::INFINITY, f32::min);
            prop_assert!(found.distance(wanted) <= nearest + 1.0e-3, "{found} {nearest}");
        }

        /// Half-planes of walls hold even where neighbours permit no velocity, as long as the walls permit one.
        #[test]
        fn walls_hold(
            walls in prop::collection::vec((0.0_f32..1.0, -2.5_f32..-0.05), 0..5),
            others in prop::collection::vec((0.0_f32..1.0, 0.0_f32..2.5), 0..9),
            wanted in (-3.0_f32..3.0, -3.0_f32..3.0),
        ) {
            let all: Vec<_> = walls.iter().chain(&others).copied().collect();
            let planes = planes_of(&all);
            let hard = walls.len();
            let found = solve(&planes, hard, MOST_SPEED, Vec2::new(wanted.0, wanted.1));
            prop_assert!(trespass(&planes, 0..hard, found) <= 1.0e-3);
            let soft = hard..planes.len();
            let own = trespass(&planes, soft.clone(), found);
            let least = samples()
                .filter(|&at| trespass(&planes, 0..hard, at) <= 0.0)
                .map(|at| trespass(&planes, soft.clone(), at))
                .fold(f32::INFINITY, f32::min);
            prop_assert!(own <= least.max(0.0) + 2.0 * SPACING, "trespasses {own}, not {least}");
        }

        /// What is permitted does not depend on the order of the half-planes.
        #[test]
        fn order_does_not_matter(
            list in half_planes(12),
            wanted in (-3.0_f32..3.0, -3.0_f32..3.0),
        ) {
            let wanted = Vec2::new(wanted.0, wanted.1);
            let mut reversed = list.clone();
            reversed.reverse();
            let (one, two) = (planes_of(&list), planes_of(&reversed));
            let first = solve(&one, 0, MOST_SPEED, wanted);
            let second = solve(&two, 0, MOST_SPEED, wanted);
            if trespass(&one, 0..one.len(), first) <= 0.0 {
                prop_assert!(first.distance(second) < 5.0e-3, "{first} {second}");
            }
        }
    }

    #[test]
    fn without_half_planes_only_speed_counts() {
        let planes = planes_of(&[]);
        assert_eq!(solve(&planes, 0, 2.0, Vec2::new(1.0, 1.0)), Vec2::ONE);
        assert_eq!(
            solve(&planes, 0, 2.0, Vec2::new(8.0, 0.0)),
            Vec2::new(2.0, 0.0)
        );
    }
}
