//! Scratch memory for the triangles that the front computes together.

use super::local_solver::LocalSolver;
use crate::direction::Direction;
use crate::integrate::moves::Move;

/// The number of cells whose triangles are computed together.
pub(super) const CHUNK: usize = 64;
/// The most triangles of one cell: two for each axis step.
const MOST_OF_ONE: usize = 8;

/// The triangles to compute.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    /// Steps along an axis, and diagonal steps, that may be useful.
    pub(super) straight: Vec<Move>,
    pub(super) diagonal: Vec<Move>,
    pub(super) listed: Vec<Triangle>,
    /// The cost of the corner on the axis.
    pub(super) near: Vec<u32>,
    /// The cost of a straight step into the cell.
    pub(super) full: Vec<f32>,
    /// The amount by which the diagonal corner costs less.
    pub(super) fall: Vec<f32>,
    /// The cost of the path through the triangle, and its angle from the axis.
    pub(super) cost: Vec<u32>,
    pub(super) angle: Vec<f32>,
}

/// The end cell and orientation of a triangle.
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

    /// Computes the costs of the paths through all triangles. It is a loop without scattered loads, which the compiler
    /// turns into vector code.
    #[inline(never)]
    pub(super) fn weigh(&mut self, count: usize) {
        let (near, full, fall) = (
            &self.near[..count],
            &self.full[..count],
            &self.fall[..count],
        );
        let (cost, angle) = (&mut self.cost[..count], &mut self.angle[..count]);
        for at in 0..count {
            let rise = LocalSolver::rise(full[at], fall[at]);
            cost[at] = near[at] + (rise + 0.5) as u32;
            angle[at] = Direction::angles_of(fall[at] / rise);
        }
    }
}
