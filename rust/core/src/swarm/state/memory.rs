//! The memory that the agents of a swarm take.

use crate::swarm::state::agents::Agents;
use crate::swarm::state::columns::{Entry, Visitor};
use crate::swarm::state::swarm::Swarm;

struct Counter(usize);

impl Visitor for Counter {
    fn visit<T: Entry>(&mut self, column: &mut Vec<T>) {
        self.0 += column.capacity() * size_of::<T>();
    }
}

impl Agents {
    /// The bytes of all columns, with the room for agents to come.
    pub(in crate::swarm) fn bytes(&mut self) -> usize {
        let mut counter = Counter(0);
        self.visit_columns(&mut counter);
        counter.0
    }
}

impl Swarm {
    /// The bytes of the columns of agents, with the room for agents to come.
    #[must_use]
    pub fn memory_bytes(&mut self) -> usize {
        self.agents.bytes()
    }
}
