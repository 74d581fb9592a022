//! Memory for the triangles that the front weighs at a time.

use super::local_solver::Ground;
use crate::direction::Direction;
use crate::integrate::moves::Move;

/// Cells whose triangles are weighed at a time.
pub(super) const CHUNK: usize = 64;
/// The most that one cell adds: two for each axis step.
const MOST_OF_ONE: usize = 8;

/// Triangles to be weighed.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    /// Steps along an axis, and diagonal ones, that may be worth it.
    pub(super) straight: Vec<Move>,
    pub(super) diagonal: Vec<Move>,
    pub(super) listed: Vec<Triangle>,
    /// The cost of the corner on the axis.
    pub(super) near: Vec<u32>,
    /// What a straight step into the cell costs.
    pub(super) full: Vec<f32>,
    /// How much less the diagonal corner costs.
    pub(super) fall: Vec<f32>,
    /// What a way through it costs, and its angle from the axis.
    pub(super) cost: Vec<u32>,
    pub(super) angle: Vec<f32>,
}

/// Where a triangle leads, and how it lies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Triangle {
    pub(super) to: u32,
    /// The direction to the corner on the axis.
    pub(super) axis: u8,
    /// Whether the diagonal one is in the direction of lesser angles.
    pub(super) is_less: bool,
}

impl Triangles {
    pub(super) fn make_room(&mut self) {
        let most = MOST_OF_ONE * CHUNK;
        self.straight.resize(most, Move::default());
        self.diagonal.resize(most, Move::default());
        self.listed.resize(most + 1, Triangle::default());
        self.near.resize(most + 1, 0);
        self.full.resize(most + 1, 0.0);
        self.fall.resize(most + 1, 0.0);
        self.cost.resize(most + 1, 0);
        self.angle.resize(most + 1, 0.0);
    }

    /// Finds what ways through them cost. A loop that fetches nothing, which the compiler turns into vector code.
    #[inline(never)]
    pub(super) fn weigh(&mut self, count: usize) {
        let (near, full, fall) = (
            &self.near[..count],
            &self.full[..count],
            &self.fall[..count],
        );
        let (cost, angle) = (&mut self.cost[..count], &mut self.angle[..count]);
        for at in 0..count {
            let rise = Ground::rise(full[at], fall[at]);
            cost[at] = near[at] + (rise + 0.5) as u32;
            angle[at] = Direction::angles_of(fall[at] / rise);
        }
    }
}
