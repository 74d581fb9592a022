//! Rows of buckets cut into pieces of [`LANES`] agents.
//!
//! Rows are short, and of other lengths each time, which no processor foresees. All rows of
//! an agent are one list, which ends once.

use crate::swarm::neighbours::buckets::LANES;
use std::ops::Range;

/// The most agents of a run that fit in at once.
pub(super) const MOST_OF_RUN: usize = LANES * PIECES_OF_RUN;
const PIECES_OF_RUN: usize = 8;
/// Room for the pieces of eight runs.
const ROOM: usize = 8 * PIECES_OF_RUN;

/// Four agents that are next to each other in bucket order, of which some count.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) first: usize,
    /// A set of lanes.
    pub(super) inside: u32,
}

pub(super) struct Pieces {
    first: [u32; ROOM + PIECES_OF_RUN],
    inside: [u8; ROOM + PIECES_OF_RUN],
    count: usize,
}

impl Pieces {
    pub(super) fn new() -> Self {
        Self {
            first: [0; ROOM + PIECES_OF_RUN],
            inside: [0; ROOM + PIECES_OF_RUN],
            count: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a run of at most [`MOST_OF_RUN`] agents. Room for all pieces of such a run is written to; what is too
    /// much is written over by the next, so there is no branch.
    #[inline]
    pub(super) fn add(&mut self, run: Range<usize>) {
        let length = run.len().min(MOST_OF_RUN);
        let from = self.count % ROOM;
        let firsts = &mut self.first[from..from + PIECES_OF_RUN];
        for (piece, first) in firsts.iter_mut().enumerate() {
            *first = run.start as u32 + (LANES * piece) as u32;
        }
        self.inside[from..from + PIECES_OF_RUN].copy_from_slice(&SETS[length]);
        self.count += length.div_ceil(LANES);
    }

    /// Has an agent, counted from the first of all pieces on, not count.
    #[inline]
    pub(super) fn leave_out(&mut self, number: usize) {
        let piece = number / LANES % ROOM;
        self.inside[piece] &= !(1 << (number % LANES));
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = Piece> {
        let count = self.count.min(ROOM);
        let pieces = self.first[..count].iter().zip(&self.inside[..count]);
        pieces.map(|(&first, &inside)| Piece {
            first: first as usize,
            inside: u32::from(inside),
        })
    }
}

/// Who is inside each piece of a run, by its length.
static SETS: [[u8; PIECES_OF_RUN]; MOST_OF_RUN + 1] = sets();

const fn sets() -> [[u8; PIECES_OF_RUN]; MOST_OF_RUN + 1] {
    let mut sets = [[0; PIECES_OF_RUN]; MOST_OF_RUN + 1];
    let mut length = 0;
    while length <= MOST_OF_RUN {
        let mut number = 0;
        while number < length {
            sets[length][number / LANES] |= 1 << (number % LANES);
            number += 1;
        }
        length += 1;
    }
    sets
}
