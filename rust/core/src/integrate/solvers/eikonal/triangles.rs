//! Triangles, many at a time: the costs and directions of the paths through them.

use super::local_solver::LocalSolver;
use super::surroundings::{CHUNK, Surroundings, whole_vectors};
use crate::direction::{ANGLES, Direction};
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::root::Root;
use crate::integrate::scale::StepScale;
use crate::movement::BLOCKED;

/// The most triangles: one for each step along an axis.
const MOST: usize = 4 * CHUNK;

/// For each step along an axis the two triangles that it completes, of which one counts: that whose diagonal corner
/// costs less. The other one counts only if rounding makes both equal.
#[derive(Debug)]
pub(super) struct Triangles {
    count: usize,
    to: [u32; MOST],
    /// The direction from there to the corner on the axis, as [`Direction::code`].
    axis: [u32; MOST],
    /// The cost of the corner on the axis.
    near: [u32; MOST],
    /// What it costs to enter the cell.
    entry: [u32; MOST],
    /// The costs of the diagonal corners in the direction of greater and of lesser angles.
    corners: [[u32; MOST]; 2],
    /// 1 if the triangle in the direction of lesser angles counts, otherwise 0.
    is_less: [u32; MOST],
    /// The amount by which the other triangle's corner costs less than the one on the axis; 0 if the path would not
    /// cross that triangle.
    other: [f32; MOST],
    /// The cost of the path, and its direction.
    cost: [u32; MOST],
    code: [u32; MOST],
}

impl Default for Triangles {
    fn default() -> Self {
        Self {
            count: 0,
            to: [0; MOST],
            axis: [0; MOST],
            near: [0; MOST],
            entry: [0; MOST],
            corners: [[0; MOST]; 2],
            is_less: [0; MOST],
            other: [0.0; MOST],
            cost: [0; MOST],
            code: [0; MOST],
        }
    }
}

impl Triangles {
    /// Lists the triangles that steps along an axis complete.
    #[inline(never)]
    pub(super) fn list<const WINDOW: bool>(
        &mut self,
        local: &LocalSolver<'_>,
        around: &Surroundings,
    ) {
        let moves = around.straight();
        self.count = moves.len().min(MOST);
        for (at, made) in moves.iter().enumerate().take(MOST) {
            let (number, step) = (made.cell() % CHUNK, made.step());
            let (cell, near) = around.cell(number);
            self.to[at] = local.neighbour(cell, step) as u32;
            self.axis[at] = u32::from(Direction::from_step((step + 4) % 8).code());
            self.near[at] = near;
            self.entry[at] = around.neighbour(number, step).1;
            for (corner, turn) in self.corners.iter_mut().zip([6, 2]) {
                let (cost, entry) = around.neighbour(number, (step + turn) % 8);
                // The border of a window does not count as cheaper ground.
                let is_border = WINDOW && entry == u32::from(BLOCKED);
                corner[at] = if is_border { UNREACHED } else { cost };
            }
        }
    }

    /// Computes the costs and directions of the paths through all triangles.
    #[inline(never)]
    pub(super) fn weigh(&mut self, scale: StepScale) {
        // The product of numbers of 15 bits is a single instruction.
        let straight = scale.straight & 0x7FFF;
        for at in 0..whole_vectors(self.count).min(MOST) {
            let near = self.near[at];
            let full = straight * (self.entry[at] & 0xFF);
            let most = full as i32 as f32 * std::f32::consts::FRAC_1_SQRT_2;
            let fall = |corner: u32| {
                let fall = near.saturating_sub(corner) as i32;
                let is_inside = (fall >= 0) & ((fall as f32) < most);
                if is_inside { fall as f32 } else { 0.0 }
            };
            let (more, less) = (fall(self.corners[0][at]), fall(self.corners[1][at]));
            let is_less = less > more;
            let (fall, other) = if is_less { (less, more) } else { (more, less) };
            (self.cost[at], self.code[at]) = through(near, full, self.axis[at], fall, is_less);
            self.is_less[at] = u32::from(is_less);
            self.other[at] = other;
        }
    }

    /// Lists the candidates through triangles that are not worse than the known values; returns their number.
    #[inline(never)]
    pub(super) fn cross(
        &self,
        scale: StepScale,
        known: &[u32],
        candidates: &mut [(u32, Candidate)],
    ) -> usize {
        let mut kept = 0;
        let mut take = |to: u32, cost: u32, code: u32| {
            let root = Root::turning(Direction::from_code(code as u8));
            candidates[kept] = (to, Candidate { cost, root });
            kept += usize::from(cost <= known[to as usize]);
        };
        for at in 0..self.count.min(MOST) {
            let to = self.to[at];
            take(to, self.cost[at], self.code[at]);
            if self.other[at] > 0.0 {
                let full = scale.straight * self.entry[at];
                let (cost, code) = through(
                    self.near[at],
                    full,
                    self.axis[at],
                    self.other[at],
                    self.is_less[at] == 0,
                );
                take(to, cost, code);
            }
        }
        kept
    }
}

/// The cost and direction of the path through a triangle: `near` is the cost of the corner on the axis, in the
/// direction `axis`, `full` that of a straight step, and `fall` the amount by which the diagonal corner costs less.
/// `is_less` tells whether that is in the direction of lesser angles.
#[inline(always)]
fn through(near: u32, full: u32, axis: u32, fall: f32, is_less: bool) -> (u32, u32) {
    let rise = LocalSolver::rise(full as i32 as f32, fall);
    let cost = near.wrapping_add(floor(rise + 0.5));
    let angle = floor(Direction::angles_of(fall / rise)) as i32;
    let angles = i32::from(ANGLES);
    let turned = axis as i32 + if is_less { -angle } else { angle };
    let turned = turned + if turned < 0 { angles } else { 0 };
    let code = (turned - if turned >= angles { angles } else { 0 }) as u32;
    // By rounding the straight step may cost the same.
    let is_straight = cost == near.wrapping_add(full);
    (cost, if is_straight { code.min(axis) } else { code })
}

/// The integer part of a number in 0..2^23. A conversion has to check the range of its input, which keeps the compiler
/// from making vector code.
#[inline(always)]
fn floor(value: f32) -> u32 {
    // Numbers from here on have no fraction: adding it rounds to an integer, which is then in the lower bits.
    const WHOLE: f32 = 8_388_608.0;
    let nearest = value + WHOLE;
    let integer = nearest.to_bits().wrapping_sub(WHOLE.to_bits());
    integer.wrapping_sub(u32::from(nearest - WHOLE > value))
}
