//! Which door each agent takes.

use std::collections::BTreeMap;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, Swarm};

/// The door that each agent has gone through last.
#[derive(Default)]
pub(crate) struct Taken {
    doors: usize,
    by: BTreeMap<AgentId, usize>,
}

impl Taken {
    /// Notes who stands in which door.
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

    /// How many have taken each door.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let count = |door: usize| self.by.values().filter(|&&taken| taken == door).count();
        (0..self.doors).map(count).collect()
    }
}
