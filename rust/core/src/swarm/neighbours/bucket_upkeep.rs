//! Keeps the sort fit for searches between steps: agents that are removed, hidden, or have moved.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::neighbours::buckets::{BucketWidth, Buckets, CHUNK, REMOVED, Validity};
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::Vec2;
use std::sync::atomic::{AtomicU32, Ordering};

impl Buckets {
    /// Requires a new sort, after agents were added or everything about them has changed.
    pub(in crate::swarm) fn invalidate(&mut self) {
        self.validity = Validity::Outdated;
    }

    /// Requires new copies, after agents have moved or changed their types.
    pub(in crate::swarm) fn mark_moved(&mut self) {
        if self.validity != Validity::Outdated {
            self.validity = Validity::Changed;
        }
    }

    /// Takes out the agent that is about to be removed from index `removed` of the columns; the last agent is moved
    /// there. O(1).
    pub(in crate::swarm) fn remove(&mut self, removed: usize) {
        if self.validity == Validity::Outdated {
            return;
        }
        let Some(last) = self.sorted_index.pop().map(AtomicU32::into_inner) else {
            return;
        };
        match self.sorted_index.get_mut(removed) {
            Some(place) => {
                let gone = std::mem::replace(place.get_mut(), last);
                self.sorted[gone as usize].index = REMOVED;
                let last = &mut self.sorted[last as usize];
                // A corpse stays hidden.
                if last.index != REMOVED {
                    last.index = removed as u32;
                }
            }
            None => self.sorted[last as usize].index = REMOVED,
        }
    }

    /// Hides an agent, which becomes a corpse, from searches. O(1).
    pub(in crate::swarm) fn hide(&mut self, index: usize) {
        if self.validity == Validity::Outdated {
            return;
        }
        if let Some(place) = self.sorted_index.get_mut(index) {
            self.sorted[*place.get_mut() as usize].index = REMOVED;
        }
    }

    /// Makes the buckets fit for searches with [`Self::search`] and [`Self::search_along`]. Sorts all agents anew if
    /// any was added or has moved far; otherwise renews their copied positions and types. The other copies may be out
    /// of date. O(agents) after a change, O(1) otherwise.
    pub(in crate::swarm) fn ensure(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        width_for: BucketWidth,
        workers: &Workers,
    ) {
        if self.validity == Validity::Changed {
            let farthest = self.renew_copies(agents, workers);
            // Every search visits this much more around it.
            self.validity = if farthest <= self.shape.size {
                Validity::Within(farthest)
            } else {
                Validity::Outdated
            };
        }
        if self.validity == Validity::Outdated {
            self.sort(grid, agents, types, (width_for, 0.0), workers);
        }
    }

    /// Copies the present positions and types of agents. Returns how far the farthest agent is from the position by
    /// which it was sorted.
    fn renew_copies(&mut self, agents: &Agents, workers: &Workers) -> f32 {
        // The bits of floats that are not negative are in the order of their values.
        let farthest = AtomicU32::new(0);
        let (x, y) = (&self.x, &self.y);
        workers.for_each_chunk(&mut self.sorted, CHUNK, |offset, part| {
            let mut most = 0.0_f32;
            let sorted_by = x[offset..].iter().zip(&y[offset..]);
            for (agent, (&x, &y)) in part.iter_mut().zip(sorted_by) {
                if agent.index != REMOVED {
                    agent.position = agents.position[agent.index as usize];
                    agent.kind = agents.kind[agent.index as usize];
                    let squared = agent.position.distance_squared(Vec2::new(x, y));
                    // Where an agent on a link was sorted is not known.
                    most = most.max(if squared.is_nan() {
                        f32::INFINITY
                    } else {
                        squared
                    });
                }
            }
            farthest.fetch_max(most.to_bits(), Ordering::Relaxed);
        });
        // Rounded up: the distance of a square.
        f32::from_bits(farthest.into_inner()).sqrt() * (1.0 + f32::EPSILON)
    }

    /// How far agents may be from their buckets.
    pub(super) fn drift(&self) -> f32 {
        match self.validity {
            Validity::Within(distance) => distance,
            Validity::Outdated | Validity::Changed => 0.0,
        }
    }
}
