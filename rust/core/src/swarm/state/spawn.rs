//! Adding and removing agents: their slots, ids and rows.

use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::{Agents, FREE, LAST_GENERATION, Slot, key_of};
use crate::swarm::state::columns::Remove;
use crate::swarm::state::link_travel::LinkTravel;
use glam::Vec2;

impl Agents {
    pub(in crate::swarm) fn insert(&mut self, position: Vec2, kind: u8, group: u8) -> AgentId {
        let index = self.id.len() as u32;
        let slot = self.take_slot();
        let issued = &mut self.issued[slot as usize];
        *issued += 1;
        let entry = &mut self.slots[slot as usize];
        entry.index = index;
        entry.generation = *issued;
        let (id, own) = (AgentId::new(slot, *issued), key_of(slot, entry.lives));
        // Every field is named, so that none is forgotten.
        let Self {
            slots: _,
            free: _,
            issued: _,
            id: ids,
            key,
            position: positions,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            stalled,
            contact,
            kind: kinds,
            group: groups,
            goal_group,
            state,
            flags,
            user,
            factors,
            travel,
            trail,
        } = self;
        ids.push(id);
        key.push(own);
        positions.push(position);
        velocity.push(Vec2::ZERO);
        heading.push(Vec2::X);
        scripted.push(Vec2::ZERO);
        target.push(Vec2::ZERO);
        anchor.push(position);
        stalled.push(0.0);
        contact.push(ContactState::default());
        kinds.push(kind);
        groups.push(group);
        goal_group.push(group.into());
        state.push(AgentState::default());
        flags.push(0);
        user.insert();
        factors.insert();
        if !travel.is_empty() {
            travel.push(LinkTravel::default());
        }
        trail.insert(own, position, Vec2::X);
        id
    }

    /// A free slot with generations left, or a new slot.
    fn take_slot(&mut self) -> u32 {
        loop {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots.push(Slot {
                    generation: 0,
                    lives: 1,
                    index: FREE,
                });
                self.slots.len() as u32 - 1
            });
            if self.issued.len() <= slot as usize {
                self.issued.resize(slot as usize + 1, 0);
            }
            if self.issued[slot as usize] < LAST_GENERATION {
                return slot;
            }
        }
    }

    /// Removes an agent. The last agent takes its index. Returns false if there is no such agent.
    pub(in crate::swarm) fn remove(&mut self, id: AgentId) -> bool {
        let Ok(index) = self.find(id) else {
            return false;
        };
        self.release_slot(id);
        self.visit_columns(&mut Remove(index));
        if let Some(moved) = self.id.get(index) {
            self.slots[moved.slot()].index = index as u32;
        }
        true
    }

    pub(in crate::swarm) fn clear(&mut self) {
        for index in (0..self.id.len()).rev() {
            self.remove(self.id[index]);
        }
    }

    fn release_slot(&mut self, id: AgentId) {
        let slot = &mut self.slots[id.slot()];
        slot.index = FREE;
        // A slot whose generations are used up is never reused, so that no id comes back.
        if self.issued[id.slot()] < LAST_GENERATION {
            slot.lives += 1;
            self.free.push(id.slot() as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// Against a plain map from id to position.
        #[test]
        fn ids_keep_naming_their_agent(actions in prop::collection::vec((any::<bool>(), any::<usize>()), 1..300)) {
            let mut agents = Agents::default();
            let mut alive: HashMap<AgentId, Vec2> = HashMap::new();
            let mut ever = Vec::new();
            for (number, (spawn, pick)) in actions.into_iter().enumerate() {
                if spawn || ever.is_empty() {
                    let position = Vec2::splat(number as f32);
                    let id = agents.insert(position, 0, 0);
                    prop_assert!(alive.insert(id, position).is_none());
                    ever.push(id);
                } else {
                    let id = ever[pick % ever.len()];
                    prop_assert_eq!(agents.remove(id), alive.remove(&id).is_some());
                }
                for &id in &ever {
                    let found = agents.find(id).ok().map(|index| agents.position[index]);
                    prop_assert_eq!(found, alive.get(&id).copied());
                }
                prop_assert_eq!(agents.len(), alive.len());
            }
        }
    }
}
