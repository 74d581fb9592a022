//! The door that each agent uses.

use std::collections::BTreeMap;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, Swarm};

/// The last door through which each agent has gone.
#[derive(Default)]
pub(crate) struct Taken {
    doors: usize,
    by: BTreeMap<AgentId, usize>,
}

impl Taken {
    /// Records which agents are in which door.
    pub(crate) fn note(&mut self, doors: &[(Vec2, Vec2)], swarm: &Swarm) {
        self.doors = doors.len();
        if doors.is_empty() {
            return;
        }
        let agents = swarm
            .ids()
            .iter()
            .zip(swarm.positions())
            .zip(swarm.states());
        for ((&id, &at), &state) in agents {
            let is_in = |(middle, half): &(Vec2, Vec2)| (at - *middle).abs().cmple(*half).all();
            if state == flow_swarm::swarm::AgentState::Following
                && let Some(door) = doors.iter().position(is_in)
            {
                self.by.insert(id, door);
            }
        }
    }

    /// The number of agents that have used each door.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let count = |door: usize| self.by.values().filter(|&&taken| taken == door).count();
        (0..self.doors).map(count).collect()
    }
}
