//! Changes to the copies of agents in bucket order, piece by piece on all threads.

use crate::swarm::neighbours::buckets::{Buckets, CHUNK};
use crate::swarm::neighbours::shape::Shape;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::workers::Workers;
use glam::Vec2;
use std::ops::Range;

/// Consecutive agents in bucket order.
pub(in crate::swarm) struct PlacedPiece<'a> {
    shape: &'a Shape,
    starts: &'a [u32],
    /// The place of the first of them.
    first: usize,
    agents: &'a mut [SortedAgent],
}

impl PlacedPiece<'_> {
    /// Visits at least all agents of the piece whose centres are in the rectangle from `low` to `high`.
    pub(in crate::swarm) fn for_each_between(
        &mut self,
        low: Vec2,
        high: Vec2,
        mut visit: impl FnMut(&mut SortedAgent),
    ) {
        for row in self.shape.rows_between(self.starts, low, high) {
            let row = within(row, self.first, self.agents.len());
            self.agents[row].iter_mut().for_each(&mut visit);
        }
    }
}

/// The part of a run in the `count` places from `first` on, relative to `first`.
#[inline]
pub(in crate::swarm) fn within(run: Range<usize>, first: usize, count: usize) -> Range<usize> {
    let start = run.start.clamp(first, first + count) - first;
    let end = run.end.clamp(first, first + count) - first;
    start..end
}

impl Buckets {
    /// Calls `change` on all threads with pieces of the copies in bucket order, which it may change except for
    /// positions.
    pub(in crate::swarm) fn change(
        &mut self,
        workers: &Workers,
        change: impl Fn(PlacedPiece<'_>) + Sync + Send,
    ) {
        let length = workers.piece_length(self.sorted.len(), CHUNK);
        let (shape, starts) = (&self.shape, &self.starts);
        workers.for_each_chunk(&mut self.sorted, length, |first, agents| {
            change(PlacedPiece {
                shape,
                starts,
                first,
                agents,
            });
        });
    }
}
