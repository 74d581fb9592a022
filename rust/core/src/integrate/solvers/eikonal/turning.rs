//! The candidates of cells with curved paths: triangles, many at a time.
//!
//! On ground of varying cost nearly all paths are curved, and there is no root to hand on. The candidates of such a
//! cell follow from few rules:
//!
//! - A candidate through a triangle exceeds both corners, of which the axis neighbour costs more. So a triangle is
//!   complete when its axis neighbour is settled, and need not be considered when the diagonal one is.
//! - A cell's two neighbours across a step are the diagonal neighbours of the step's end.
//! - The straight step is the triangle through which the front does not rise.
//!
//! The values of many cells and of those around them are copied out of the map first ([`super::surroundings`]). All
//! comparisons and computations after that ([`super::triangles`]) are loops without scattered loads or branches, which
//! the compiler turns into vector code.

use super::front::{Front, OnGround};
use super::front_lists::Lists;
use super::surroundings::CHUNK;
use std::ops::Range;

impl<const EVEN: bool, const WINDOW: bool> OnGround<'_, EVEN, WINDOW> {
    /// Takes the candidates of the first `count` gathered cells with curved paths. Their values are final and less than
    /// `below`.
    pub(super) fn spread_turning(&mut self, count: usize, below: u32) {
        for first in (0..count).step_by(CHUNK) {
            let kept = self.list_candidates(first..count.min(first + CHUNK), below);
            for at in 0..kept {
                let (to, candidate) = self.front.lists.candidates[at];
                self.front.take::<WINDOW>(to as usize, candidate);
            }
        }
    }

    /// Lists the candidates of some of the gathered cells that are not worse than the known values; returns their
    /// number.
    fn list_candidates(&mut self, cells: Range<usize>, below: u32) -> usize {
        let Front {
            local, cost, lists, ..
        } = &mut self.front;
        let Lists {
            turning,
            surroundings,
            triangles,
            candidates,
            ..
        } = &mut **lists;
        surroundings.fill(local, cost, &turning[cells]);
        surroundings.find_steps(local.scale(), below);
        triangles.list::<WINDOW>(local, surroundings);
        triangles.weigh(local.scale());
        let kept = surroundings.step_diagonally(local, cost, candidates);
        kept + triangles.cross(local.scale(), cost, &mut candidates[kept..])
    }
}
