//! Rows of buckets cut into pieces of [`LANES`] agents.
//!
//! Rows are short and differ in length, so a loop for each row would be mispredicted. The pieces of all rows of an
//! agent form one list with a single end.

use crate::swarm::neighbours::buckets::LANES;
use std::ops::Range;

/// The most agents of a run that can be added at once.
pub(super) const MOST_OF_RUN: usize = LANES * PIECES_OF_RUN;
const PIECES_OF_RUN: usize = 8;
/// Room for the pieces of eight runs.
const ROOM: usize = 8 * PIECES_OF_RUN;

/// Four consecutive agents in bucket order, of which some count.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) first: usize,
    /// The lanes that count.
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

    /// Adds a run of at most [`MOST_OF_RUN`] agents. It always writes all pieces of the longest run, and the next run
    /// overwrites the surplus, so there is no branch.
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

    /// Clears the lane of an agent, which is counted from the first piece on.
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

/// The lanes that count in each piece of a run, by the run's length.
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
