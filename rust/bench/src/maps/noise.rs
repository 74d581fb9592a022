//! Smooth value noise: random heights on a lattice, blended between its points.

use super::random::{mix, unit};

/// A height in `0.0..1.0` at a cell: octaves of lattice noise, each with half the period and half the weight of the one
/// before.
pub(super) fn value_noise(
    x: usize,
    y: usize,
    seed: u64,
    longest_period: usize,
    octaves: u32,
) -> f64 {
    let mut sum = 0.0;
    let mut total_weight = 0.0;
    for octave in 0..octaves {
        let weight = 1.0 / f64::from(1 << octave);
        let period = (longest_period >> octave).max(1);
        sum += weight * octave_height(x, y, mix(seed.wrapping_add(u64::from(octave))), period);
        total_weight += weight;
    }
    sum / total_weight
}

fn octave_height(x: usize, y: usize, seed: u64, period: usize) -> f64 {
    let (column, row) = (x / period, y / period);
    let blend_x = smooth((x % period) as f64 / period as f64);
    let blend_y = smooth((y % period) as f64 / period as f64);
    let height = |dx: usize, dy: usize| {
        let lattice_point = mix(seed ^ (column + dx) as u64).wrapping_add((row + dy) as u64);
        unit(mix(lattice_point.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    };
    let upper = lerp(height(0, 0), height(1, 0), blend_x);
    let lower = lerp(height(0, 1), height(1, 1), blend_x);
    lerp(upper, lower, blend_y)
}

fn lerp(from: f64, to: f64, by: f64) -> f64 {
    from + (to - from) * by
}

/// Maps 0..1 to 0..1 with a slope of 0 at both ends, so that lattice lines are not visible.
fn smooth(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}
