//! Agents that are neighbours on the map become neighbours in memory.
//!
//! Steering reads and writes an agent's columns where its neighbours' are, so a step waits for
//! memory if those lie all over it. Bringing every column into bucket order costs about as much
//! as that waiting costs in a few steps, and lasts for dozens: so it is done when many agents
//! have drifted away from those beside them in the columns, and not in every step.
//!
//! Whether it is done depends on positions and columns alone, which a save keeps, and so not on
//! threads nor on when a crowd was loaded.

use super::Swarm;
use super::agents::{AgentId, AgentState, Agents};
use super::buckets::Placed;
use crate::workers::Workers;
use glam::Vec2;

/// Agents per piece of parallel work.
const CHUNK: usize = 8192;

/// A column of each kind that is written while the old one is read, and then takes its place.
#[derive(Debug, Default)]
pub(super) struct Spare {
    id: Vec<AgentId>,
    key: Vec<u64>,
    vector: Vec<Vec2>,
    number: Vec<f32>,
    integer: Vec<i32>,
    byte: Vec<u8>,
    state: Vec<AgentState>,
}

impl Swarm {
    /// Brings the columns into bucket order if they are far from it. The buckets are valid before
    /// and after.
    pub(super) fn keep_neighbours_close(&mut self, workers: &Workers) {
        if !self.buckets.is_disordered() {
            return;
        }
        self.agents
            .reorder(self.buckets.sorted(), &mut self.scratch.spare, workers);
        self.buckets.agents_are_in_order();
    }
}

impl Agents {
    /// Moves every agent to its place in `order`.
    fn reorder(&mut self, order: &[Placed], spare: &mut Spare, workers: &Workers) {
        let work = Reorder { order, workers };
        work.column(&mut self.id, &mut spare.id);
        work.column(&mut self.key, &mut spare.key);
        for column in [
            &mut self.position,
            &mut self.velocity,
            &mut self.heading,
            &mut self.scripted,
            &mut self.target,
            &mut self.anchor,
        ] {
            work.column(column, &mut spare.vector);
        }
        work.column(&mut self.stalled, &mut spare.number);
        for column in [&mut self.kind, &mut self.group, &mut self.flags] {
            work.column(column, &mut spare.byte);
        }
        work.column(&mut self.state, &mut spare.state);
        // The rest of the trail is written anew in the same step.
        work.column(&mut self.trail.phase, &mut spare.number);
        // Empty where a game keeps no numbers.
        for column in &mut self.user.ints {
            work.column(column, &mut spare.integer);
        }
        for column in &mut self.user.floats {
            work.column(column, &mut spare.number);
        }
        for (index, id) in self.id.iter().enumerate() {
            self.slots[id.slot()].index = index as u32;
        }
    }
}

struct Reorder<'a> {
    order: &'a [Placed],
    workers: &'a Workers,
}

impl Reorder<'_> {
    /// A column that holds nothing stays as it is: swapped, it would take the spare's memory.
    fn column<T: Copy + Send + Sync>(&self, column: &mut Vec<T>, spare: &mut Vec<T>) {
        if column.is_empty() {
            return;
        }
        // Overwritten at once: it only has to have the length.
        spare.clone_from(column);
        self.workers.for_each_chunk(spare, CHUNK, |offset, part| {
            for (out, agent) in part.iter_mut().zip(&self.order[offset..]) {
                *out = column[agent.index as usize];
            }
        });
        std::mem::swap(column, spare);
    }
}
