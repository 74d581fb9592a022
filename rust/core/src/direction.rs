//! Directions as one byte: 240 evenly spaced angles, and special values.
//!
//! Angles are 1.5 degrees apart. The eight steps to neighbours are exact, because they are multiples of 30 angles. Any
//! other direction is off by at most 0.75 degrees, which lengthens a walk by less than 0.01 %. A flow field of
//! 1024×1024 cells takes one mebibyte and stays in cache.
//!
//! - Conversions use only basic arithmetic, so they give the same bits on every machine.

use glam::Vec2;

/// The number of angles.
pub const ANGLES: u8 = 240;
/// The number of angles from one of [`crate::grid::STEPS`] to the next.
const PER_STEP: u8 = ANGLES / 8;

/// A cell's entry in a flow field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Direction(u8);

impl Direction {
    /// A goal cell, in which agents stay.
    pub const GOAL: Self = Self(ANGLES);
    /// An open cell without a path to a goal.
    pub const NO_ROUTE: Self = Self(ANGLES + 1);
    /// A wall, or a cell outside the grid.
    pub const WALL: Self = Self(ANGLES + 2);
    /// In a flow field: a straight line to the cell's root, at any angle.
    pub(crate) const STRAIGHT: Self = Self(ANGLES + 3);
    /// A cell from which the path continues through a link.
    pub const LINK: Self = Self(ANGLES + 4);
    /// The first of eight values, one for each step, for cells that are closed for lack of clearance but are not walls.
    const LEAVE: u8 = ANGLES + 5;

    /// A cell that is closed but not a wall; agents in it leave it by one of the eight steps.
    pub(crate) const fn leave(step: usize) -> Self {
        Self(Self::LEAVE + step as u8)
    }

    /// Whether a byte is a valid code: an angle or a special value.
    pub(crate) fn is_code(code: u8) -> bool {
        code < Self::LEAVE + 8
    }

    /// The step by which agents leave a cell that is closed but not a wall; `None` for all other values.
    #[inline]
    pub(crate) fn leaving_step(self) -> Option<usize> {
        self.0.checked_sub(Self::LEAVE).map(usize::from)
    }

    /// Whether agents can enter the cell.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self != Self::WALL && self.0 < Self::LEAVE
    }

    /// The direction of one of [`crate::grid::STEPS`], by its index from 0 to 7.
    #[must_use]
    pub const fn from_step(step: usize) -> Self {
        Self(step as u8 * PER_STEP)
    }

    /// The angle nearest to a vector of any length; `None` if the vector is zero or not finite.
    #[must_use]
    pub fn from_vector(vector: Vec2) -> Option<Self> {
        let size = vector.abs();
        let (small, large) = (size.min_element(), size.max_element());
        if large <= 0.0 || !large.is_finite() {
            return None;
        }
        // The angle within the first octant.
        let within = Self::angles_of(small / large) as u8;
        let quarter = ANGLES / 4;
        let from_x = if size.y > size.x {
            quarter - within
        } else {
            within
        };
        let code = match (vector.x < 0.0, vector.y < 0.0) {
            (false, false) => from_x,
            (true, false) => 2 * quarter - from_x,
            (true, true) => 2 * quarter + from_x,
            (false, true) => ANGLES - from_x,
        };
        Some(Self(code % ANGLES))
    }

    /// The angle from an axis, as a number of [`ANGLES`], whose tangent is in 0..=1. A half is added, so the integer
    /// part is the nearest angle.
    #[inline(always)]
    pub(crate) fn angles_of(tangent: f32) -> f32 {
        arc_tangent(tangent) * RADIANS_TO_ANGLE + 0.5
    }

    /// Whether this is one of the 240 angles and not a special value.
    #[must_use]
    #[inline]
    pub fn is_angle(self) -> bool {
        self.0 < ANGLES
    }

    /// The unit vector; zero for special values.
    #[must_use]
    #[inline]
    pub fn vector(self) -> Vec2 {
        VECTORS[usize::from(self.0)]
    }

    /// The index in [`crate::grid::STEPS`] of the nearest step; `None` for special values.
    #[must_use]
    #[inline]
    pub fn step(self) -> Option<usize> {
        self.is_angle()
            .then(|| usize::from((self.0 + PER_STEP / 2) / PER_STEP % 8))
    }

    /// The direction with this [`Self::code`].
    #[inline]
    pub(crate) const fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// The byte in which the direction is stored.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }
}

const RADIANS_TO_ANGLE: f32 = (ANGLES as f64 / std::f64::consts::TAU) as f32;

/// Arc tangent on 0..=1 to about 1e-5 radians (Abramowitz and Stegun 4.4.49). The platform's own function may differ in
/// the last bit between machines.
#[inline(always)]
fn arc_tangent(ratio: f32) -> f32 {
    let square = ratio * ratio;
    ratio
        * (0.999_866
            + square
                * (-0.330_299_5
                    + square * (0.180_141 + square * (-0.085_133 + square * 0.020_835_1))))
}

/// The unit vector of every code. Entries after the angles are zero, so any byte is a valid index.
static VECTORS: [Vec2; 256] = unit_vectors();

const fn unit_vectors() -> [Vec2; 256] {
    let mut vectors = [Vec2::ZERO; 256];
    let octant = ANGLES as usize / 8;
    let quarter = ANGLES as usize / 4;
    let mut code = 0;
    while code <= octant {
        let angle = code as f64 * std::f64::consts::TAU / ANGLES as f64;
        let (cosine, sine) = (cosine(angle) as f32, sine(angle) as f32);
        // All octants are made from the first by symmetry, so opposite directions cancel exactly.
        let mut turn = 0;
        while turn < 4 {
            let (a, b) = (turn * quarter + code, turn * quarter + quarter - code);
            vectors[a % ANGLES as usize] = rotated(cosine, sine, turn);
            vectors[b % ANGLES as usize] = rotated(sine, cosine, turn);
            turn += 1;
        }
        code += 1;
    }
    vectors
}

const fn rotated(x: f32, y: f32, quarter_turns: usize) -> Vec2 {
    match quarter_turns {
        0 => Vec2::new(x, y),
        1 => Vec2::new(-y, x),
        2 => Vec2::new(-x, -y),
        _ => Vec2::new(y, -x),
    }
}

/// Sine on 0..=π/4 by its Taylor series, to the precision of `f64`. Evaluated at compile time.
const fn sine(angle: f64) -> f64 {
    let (mut term, mut sum, mut n) = (angle, angle, 1.0);
    while n < 20.0 {
        term = -term * angle * angle / ((n + 1.0) * (n + 2.0));
        sum += term;
        n += 2.0;
    }
    sum
}

/// Cosine, as [`sine`].
const fn cosine(angle: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
    while n < 20.0 {
        term = -term * angle * angle / ((n + 1.0) * (n + 2.0));
        sum += term;
        n += 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::STEPS;

    #[test]
    fn every_angle_is_its_own_nearest() {
        for code in 0..ANGLES {
            let direction = Direction(code);
            assert!((direction.vector().length() - 1.0).abs() < 1.0e-6);
            assert_eq!(
                Direction::from_vector(direction.vector() * 37.5),
                Some(direction)
            );
        }
    }

    #[test]
    fn grid_steps_are_exact() {
        for (step, offset) in STEPS.iter().enumerate() {
            let direction = Direction::from_step(step);
            assert!((direction.vector() - offset.as_vec2().normalize()).length() < 1.0e-7);
            assert_eq!(direction.step(), Some(step));
            assert_eq!(Direction::from_vector(offset.as_vec2()), Some(direction));
        }
    }

    #[test]
    fn any_vector_is_met_within_three_quarters_of_a_degree() {
        for index in 0..10_000 {
            let angle = index as f32 * 0.000_628_318_5;
            let vector = Vec2::from_angle(angle);
            let found = Direction::from_vector(vector).expect("not zero").vector();
            assert!(found.dot(vector) > 0.999_91, "angle {angle}");
        }
        assert_eq!(Direction::from_vector(Vec2::ZERO), None);
        assert_eq!(Direction::from_vector(Vec2::NAN), None);
    }

    #[test]
    fn marks_do_not_move() {
        for mark in [
            Direction::GOAL,
            Direction::NO_ROUTE,
            Direction::WALL,
            Direction::LINK,
        ] {
            assert_eq!(mark.vector(), Vec2::ZERO);
            assert_eq!(mark.step(), None);
        }
    }
}
