//! Reorders the agents' columns so that neighbours on the map are neighbours in memory.
//!
//! Steering reads and writes an agent's columns together with its neighbours', so a step waits for memory if these are
//! scattered. Reordering all columns costs about as much as that waiting costs in a few steps, and its effect lasts for
//! dozens of steps. So columns are reordered when many agents have moved away from the agents beside them in the
//! columns, and not in every step.
//!
//! The decision depends only on positions and the order of columns, which a save keeps, and not on threads or on when a
//! crowd was loaded.

use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::columns::{Entry, Spares, Visitor};
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;

/// Agents per piece of parallel work.
const CHUNK: usize = 8192;

impl Swarm {
    /// Reorders the columns into bucket order if they are far from it. The buckets are valid before and after.
    pub(in crate::swarm) fn keep_neighbours_close(&mut self, workers: &Workers) {
        if !self.buckets.is_disordered() {
            return;
        }
        self.agents
            .reorder(self.buckets.sorted(), &mut self.scratch.spares, workers);
        self.buckets.agents_are_in_order();
    }
}

impl Agents {
    /// Moves every agent to its place in `order`.
    fn reorder(&mut self, order: &[SortedAgent], spares: &mut Spares, workers: &Workers) {
        self.visit_columns(&mut Reorder {
            order,
            spares,
            workers,
        });
        for (index, id) in self.id.iter().enumerate() {
            self.slots[id.slot()].index = index as u32;
        }
    }
}

struct Reorder<'a> {
    order: &'a [SortedAgent],
    spares: &'a mut Spares,
    workers: &'a Workers,
}

impl Visitor for Reorder<'_> {
    /// An empty column stays as it is; swapping would give it the spare's memory.
    fn visit<T: Entry>(&mut self, column: &mut Vec<T>) {
        if column.is_empty() {
            return;
        }
        let (order, spare) = (self.order, T::spare(self.spares));
        // All entries are overwritten; only the length matters.
        spare.clone_from(column);
        self.workers.for_each_chunk(spare, CHUNK, |offset, part| {
            for (out, agent) in part.iter_mut().zip(&order[offset..]) {
                *out = column[agent.index as usize];
            }
        });
        std::mem::swap(column, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swarm::avoidance::contact::ContactState;
    use crate::swarm::state::agent_state::AgentState;
    use crate::swarm::state::factors::Factors;
    use crate::swarm::state::link_travel::LinkTravel;
    use crate::swarm::state::trail::Trail;
    use crate::swarm::state::user_columns::UserColumns;
    use glam::Vec2;

    const COUNT: usize = 7;

    /// Agents whose entries in all columns tell them apart.
    fn agents() -> Agents {
        let mut agents = Agents::default();
        for number in 0..COUNT {
            agents.insert(Vec2::splat(number as f32), 0, 0);
        }
        let vectors = |of: f32| {
            let vector = |number: usize| Vec2::new(number as f32, of);
            (0..COUNT).map(vector).collect::<Vec<_>>()
        };
        let numbers = |of: f32| (0..COUNT).map(|number| number as f32 + of).collect();
        let bytes = |of: u8| {
            (0..COUNT)
                .map(|number| number as u8 + of)
                .collect::<Vec<_>>()
        };
        let ints = |of: i32| (0..COUNT).map(|number| number as i32 + of).collect();
        let state = |number| AgentState::from_number(number as i64 % 3).expect("one of three");
        let Agents {
            slots,
            free,
            issued,
            id,
            key,
            ..
        } = agents;
        // All fields but these five lines' are named: a new column must be filled.
        Agents {
            slots,
            free,
            issued,
            id,
            key,
            position: vectors(1.0),
            velocity: vectors(2.0),
            heading: vectors(3.0),
            scripted: vectors(4.0),
            target: vectors(5.0),
            anchor: vectors(6.0),
            stalled: numbers(100.0),
            contact: (0..COUNT)
                .map(|number| ContactState::from_bits(number as u64))
                .collect(),
            kind: bytes(10),
            group: bytes(20),
            goal_group: (0..COUNT).map(|number| 300 + number as u16).collect(),
            state: (0..COUNT).map(state).collect(),
            flags: bytes(30),
            user: UserColumns {
                ints: [1, 2, 3, 4].map(|column| ints(100 * column)),
                floats: [5, 6, 7, 8].map(|column| numbers(100.0 * column as f32)),
            },
            factors: Factors {
                speed: numbers(0.25),
                size: numbers(0.75),
                color: (0..COUNT).map(|number| [number as f32; 4]).collect(),
            },
            travel: (0..COUNT)
                .map(|number| LinkTravel {
                    from: Vec2::splat(number as f32),
                    ..LinkTravel::default()
                })
                .collect(),
            trail: Trail {
                position: vectors(7.0),
                heading: vectors(8.0),
                phase: numbers(0.5),
            },
        }
    }

    /// All entries of an agent as text.
    fn row(agents: &Agents, index: usize) -> String {
        let Agents {
            slots: _,
            free: _,
            issued: _,
            id,
            key,
            position,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            stalled,
            contact,
            kind,
            group,
            goal_group,
            state,
            flags,
            user: UserColumns { ints, floats },
            factors: Factors { speed, size, color },
            travel,
            trail,
        } = agents;
        let vectors = [
            position,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            &trail.position,
            &trail.heading,
        ];
        let vectors = vectors.map(|column| column[index]);
        let bytes = [kind, group, flags].map(|column| column[index]);
        let ints = ints.each_ref().map(|column| column[index]);
        let floats = floats.each_ref().map(|column| column[index]);
        let numbers = [stalled, &trail.phase, speed, size].map(|column| column[index]);
        let rest = (
            id[index],
            key[index],
            goal_group[index],
            state[index],
            contact[index],
            color[index],
            travel[index],
        );
        format!("{vectors:?} {bytes:?} {ints:?} {floats:?} {numbers:?} {rest:?}")
    }

    #[test]
    fn every_column_is_reordered() {
        let order = [4, 2, 6, 0, 1, 5, 3];
        let placed = order.map(|index| SortedAgent {
            index,
            ..SortedAgent::default()
        });
        let (before, mut after) = (agents(), agents());
        after.reorder(&placed, &mut Spares::default(), &Workers::serial());
        for (place, &index) in order.iter().enumerate() {
            assert_eq!(row(&after, place), row(&before, index as usize));
            assert_eq!(after.find(after.id[place]), Ok(place));
        }
    }

    #[test]
    fn every_column_loses_an_agent_that_is_removed() {
        let (before, mut after) = (agents(), agents());
        assert!(after.remove(before.id[2]));
        assert_eq!(after.len(), COUNT - 1);
        for (place, index) in [0, 1, COUNT - 1, 3, 4, 5].into_iter().enumerate() {
            assert_eq!(row(&after, place), row(&before, index));
            assert_eq!(after.find(after.id[place]), Ok(place));
        }
    }
}
