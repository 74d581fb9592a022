//! Lists of the Eikonal front: the values of a chunk of cells, and their candidates.
//!
//! Candidates are listed first, for many cells at once, and compared in a second loop.

use super::corner::Corner;
use super::lines::{Place, column_of, length_by, threshold};
use super::surroundings::Surroundings;
use super::triangles::Triangles;
use crate::integrate::candidate::Candidate;
use crate::integrate::moves::Move;
use crate::integrate::root::Root;

/// The number of cells in a chunk, for which the lists stay in the first-level cache.
pub(super) const CHUNK: usize = 256;

/// Scratch memory of the front. Candidates are listed first, for many cells at once, and compared in a second loop.
/// These are short loops in which the processor can run far ahead; between them are loops without scattered loads,
/// which the compiler turns into vector code.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) cells: Gathered,
    pub(super) lines: Lines,
    /// Useful lines, with their ends.
    pub(super) candidates: Vec<(u32, Candidate)>,
    /// Cells with the steps by which a turn there may be useful.
    pub(super) turns: Vec<(u32, u8, u8)>,
    /// Cells with curved paths, the cells around some of them, and the triangles that they complete.
    pub(super) turning: Vec<u32>,
    pub(super) surroundings: Box<Surroundings>,
    pub(super) triangles: Box<Triangles>,
    /// Cells with diagonal steps that lead round a corner.
    pub(super) corners: Vec<(u32, u32, Corner)>,
}

impl Lists {
    pub(super) fn make_room(&mut self) {
        self.turning.resize(CHUNK, 0);
        self.cells.cell.resize(CHUNK, 0);
        self.cells.cost.resize(CHUNK, 0);
        self.cells.root.resize(CHUNK, Root::HERE);
        self.cells.base.resize(CHUNK, 0);
        self.cells.unit.resize(CHUNK, 0.0);
        self.cells.same.resize(CHUNK, 0);
        self.cells.column.resize(CHUNK, 0);
        self.cells.place.resize(CHUNK, Place::default());
        self.lines.by.resize(8 * CHUNK, Move::default());
        self.lines.cost.resize(8 * CHUNK, 0);
        self.lines.root.resize(8 * CHUNK, Root::HERE);
        self.lines.unit.resize(8 * CHUNK, 0.0);
        self.candidates.resize(8 * CHUNK, (0, Candidate::NONE));
        self.turns.resize(CHUNK, (0, 0, 0));
        self.corners
            .resize(4 * CHUNK + 1, (0, 0, Corner::default()));
    }
}

/// The values of the cells of a chunk.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) cell: Vec<u32>,
    pub(super) cost: Vec<u32>,
    pub(super) root: Vec<Root>,
    /// Cost at the root.
    pub(super) base: Vec<u32>,
    pub(super) unit: Vec<f32>,
    pub(super) same: Vec<u8>,
    /// Of the root: see [`column_of`] and [`Place`].
    pub(super) column: Vec<u32>,
    pub(super) place: Vec<Place>,
}

impl Gathered {
    /// Finds the places of the roots of the first `count` cells, and subtracts the distances to them from the cells'
    /// costs.
    #[inline]
    pub(super) fn locate(&mut self, count: usize) {
        let (root, cost) = (&self.root[..count], &self.cost[..count]);
        let (base, unit) = (&mut self.base[..count], &self.unit[..count]);
        let (column, place) = (&mut self.column[..count], &mut self.place[..count]);
        for at in 0..count {
            let bend = root[at].bend();
            base[at] = cost[at].wrapping_sub(length_by(bend, unit[at]));
            column[at] = column_of(bend);
        }
        for column in &mut *column {
            *column = threshold(*column);
        }
        for at in 0..count {
            place[at] = Place::new(root[at].bend(), column[at]);
        }
    }
}

/// Lines: roots that are handed on.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) by: Vec<Move>,
    /// The cost at the root, and later at the line's end.
    pub(super) cost: Vec<u32>,
    /// The root relative to the line's end.
    pub(super) root: Vec<Root>,
    pub(super) unit: Vec<f32>,
}

impl Lines {
    /// Adds the lines' lengths to the costs.
    #[inline]
    pub(super) fn measure(&mut self, count: usize, unit: impl Fn(usize) -> f32) {
        let (cost, root) = (&mut self.cost[..count], &self.root[..count]);
        for at in 0..count {
            cost[at] = cost[at].wrapping_add(length_by(root[at].bend(), unit(at)));
        }
    }
}
