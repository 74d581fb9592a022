//! The agents themselves: one array per property, and stable ids.

use crate::error::{Error, Result};
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::state::columns::Remove;
use crate::swarm::state::trail::Trail;
use crate::swarm::state::user_columns::UserColumns;
use glam::Vec2;

/// Names one agent as long as its swarm exists: the id of an agent that is gone is an error, never another agent.
///
/// The upper half is a slot, the lower half the slot's generation from 1 on, so no id is 0. Living agents have
/// different slots, so ids ascend with their slots whatever the generations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(u64);

impl AgentId {
    fn new(slot: u32, generation: u32) -> Self {
        Self(u64::from(slot) << 32 | u64::from(generation))
    }

    /// The slot of the agent: no two living agents of a swarm have the same.
    #[must_use]
    pub fn slot(self) -> usize {
        (self.0 >> 32) as usize
    }

    pub(in crate::swarm) fn generation(self) -> u32 {
        (self.0 & 0xFFFF_FFFF) as u32
    }

    /// The id as a number.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The id of a number, which may name nothing.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Checks that there is one of `values` for each of `ids`.
pub(in crate::swarm) fn check_pairs<T>(
    name: &'static str,
    ids: &[AgentId],
    values: &[T],
) -> Result<()> {
    if ids.len() == values.len() {
        return Ok(());
    }
    Err(Error::Length {
        name,
        expected: ids.len(),
        actual: values.len(),
    })
}

/// What decides where an agent goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum AgentState {
    /// The flow field of its group's goal.
    #[default]
    Following = 0,
    /// Nothing: it stands, and can be pushed.
    Idle = 1,
    /// The game, through [`crate::swarm::Swarm::set_scripted_velocities`].
    Scripted = 2,
}

impl AgentState {
    /// The state of a number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn from_number(number: i64) -> Result<Self> {
        match number {
            0 => Ok(Self::Following),
            1 => Ok(Self::Idle),
            2 => Ok(Self::Scripted),
            _ => Err(Error::OutOfRange {
                name: "state",
                value: number.into(),
                min: 0.into(),
                max: 2.into(),
            }),
        }
    }
}

/// Bits of [`Agents::flags`].
pub(in crate::swarm) mod flag {
    /// It has reached its goal.
    pub(in crate::swarm) const ARRIVED: u8 = 1;
    /// It is following, and there is no route from where it is.
    pub(in crate::swarm) const LOST: u8 = 2;
    /// It should be moving and has not got anywhere for a while.
    pub(in crate::swarm) const STUCK: u8 = 4;
    /// Its numbers stopped being finite; it no longer takes part.
    pub(in crate::swarm) const QUARANTINED: u8 = 8;
    /// It has a target of its own.
    pub(in crate::swarm) const OWN_TARGET: u8 = 16;
    /// Where it wants to go, in eighths of a turn; three bits.
    pub(in crate::swarm) const WISH: u8 = 0b1110_0000;
    /// What lasts from step to step; the rest is found out anew.
    pub(in crate::swarm) const LASTING: u8 = ARRIVED | QUARANTINED | OWN_TARGET;
}

#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Slot {
    /// The generation of the slot's present agent; without meaning if there is none.
    pub(in crate::swarm) generation: u32,
    /// How many agents have had the slot in this history, its present or, if free, next one included. A load
    /// takes this number back, unlike generations.
    pub(in crate::swarm) lives: u32,
    /// Where the agent stands in the columns; [`FREE`] if there is none.
    pub(in crate::swarm) index: u32,
}

pub(in crate::swarm) const FREE: u32 = u32::MAX;

/// The generation after which a slot is not used again.
pub(in crate::swarm) const LAST_GENERATION: u32 = u32::MAX;

/// All agents of a swarm. The columns have the same length and order.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Agents {
    pub(in crate::swarm) slots: Vec<Slot>,
    /// Free slots, reused last in first out.
    pub(in crate::swarm) free: Vec<u32>,
    /// The last generation that each slot has had in the swarm's life, 0 for none. It never goes back, not
    /// even by a load, and may know of more slots than there are.
    pub(in crate::swarm) issued: Vec<u32>,
    pub(in crate::swarm) id: Vec<AgentId>,
    /// What random numbers are keyed by: slot and number of lives. Unlike ids, the same in a run that is
    /// repeated from a save, whatever was spawned in between.
    pub(in crate::swarm) key: Vec<u64>,
    pub(in crate::swarm) position: Vec<Vec2>,
    pub(in crate::swarm) velocity: Vec<Vec2>,
    /// Unit vector of the last real movement.
    pub(in crate::swarm) heading: Vec<Vec2>,
    /// Velocity while scripted.
    pub(in crate::swarm) scripted: Vec<Vec2>,
    /// Where an agent goes that has a target of its own.
    pub(in crate::swarm) target: Vec<Vec2>,
    /// Centre of the circle that an agent must leave to count as moving.
    pub(in crate::swarm) anchor: Vec<Vec2>,
    /// Seconds since it last left that circle.
    pub(in crate::swarm) stalled: Vec<f32>,
    /// What it remembers of its contacts.
    pub(in crate::swarm) contact: Vec<ContactState>,
    pub(in crate::swarm) kind: Vec<u8>,
    pub(in crate::swarm) group: Vec<u8>,
    pub(in crate::swarm) state: Vec<AgentState>,
    pub(in crate::swarm) flags: Vec<u8>,
    /// The game's own numbers.
    pub(in crate::swarm) user: UserColumns,
    /// What drawing needs of the step before.
    pub(in crate::swarm) trail: Trail,
}

impl Agents {
    pub(in crate::swarm) fn len(&self) -> usize {
        self.id.len()
    }

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
            state,
            flags,
            user,
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
        state.push(AgentState::default());
        flags.push(0);
        user.insert();
        trail.insert(own, position, Vec2::X);
        id
    }

    /// A free slot that has generations left, a new one if there is none.
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

    pub(in crate::swarm) fn find(&self, id: AgentId) -> Result<usize> {
        match self.slots.get(id.slot()) {
            Some(slot) if slot.generation == id.generation() && slot.index != FREE => {
                Ok(slot.index as usize)
            }
            _ => Err(Error::UnknownId {
                name: "agent",
                id: id.0.cast_signed(),
            }),
        }
    }

    pub(in crate::swarm) fn in_slot(&self, slot: usize) -> Option<AgentId> {
        let index = self.slots.get(slot)?.index;
        self.id.get(index as usize).copied()
    }

    /// Removes an agent, whose place the last one takes. False if there is no such agent.
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

    /// Points every slot at its agent and finds the agents' keys, given the other columns, the slots' lives,
    /// the free list and what ids have been issued. An error if an agent's id does not fit, or a slot is
    /// neither free nor used nor used up.
    pub(in crate::swarm) fn link_slots(&mut self) -> std::result::Result<(), ()> {
        self.key.reserve_exact(self.id.len());
        for (index, id) in self.id.iter().enumerate() {
            let slot = self.slots.get_mut(id.slot()).ok_or(())?;
            if slot.index != FREE || id.generation() < slot.lives {
                return Err(());
            }
            slot.index = index as u32;
            slot.generation = id.generation();
            self.key.push(key_of(id.slot() as u32, slot.lives));
        }
        let mut is_free = vec![false; self.slots.len()];
        for &slot in &self.free {
            let seen = is_free.get_mut(slot as usize).ok_or(())?;
            if *seen || self.slots[slot as usize].index != FREE {
                return Err(());
            }
            *seen = true;
        }
        let slots = self.slots.iter().zip(&self.issued);
        let is_sound = |((slot, &issued), is_free): ((&Slot, &u32), bool)| {
            let is_used = slot.index != FREE;
            let least = if is_used {
                slot.generation
            } else {
                slot.lives.wrapping_sub(1)
            };
            let is_known = is_used || is_free || issued == LAST_GENERATION;
            slot.lives > 0 && issued >= least && is_known
        };
        let sound = self.issued.len() >= self.slots.len() && slots.zip(is_free).all(is_sound);
        sound.then_some(()).ok_or(())
    }

    /// The ids that have been issued if no others were than those that slots' lives tell of.
    pub(in crate::swarm) fn issued_by_lives(&self) -> Vec<u32> {
        let mut issued: Vec<u32> = self
            .slots
            .iter()
            .map(|slot| slot.lives.wrapping_sub(1))
            .collect();
        for id in &self.id {
            if let Some(issued) = issued.get_mut(id.slot()) {
                *issued = id.generation();
            }
        }
        issued
    }

    /// Takes over what ids have been issued by the agents that these replace, so that none is issued again.
    pub(in crate::swarm) fn remember_ids_of(&mut self, before: &Self) {
        if self.issued.len() < before.issued.len() {
            self.issued.resize(before.issued.len(), 0);
        }
        for (issued, &known) in self.issued.iter_mut().zip(&before.issued) {
            *issued = known.max(*issued);
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

    /// Forgets what an agent has been through, after its orders have changed.
    pub(in crate::swarm) fn restart(&mut self, index: usize) {
        self.flags[index] &= flag::QUARANTINED | flag::OWN_TARGET | flag::WISH;
        self.anchor[index] = self.position[index];
        self.stalled[index] = 0.0;
    }

    /// [`Self::restart`] for all agents of a group that go where it goes.
    pub(in crate::swarm) fn restart_group(&mut self, group: u8) {
        for index in 0..self.len() {
            if self.group[index] == group && self.flags[index] & flag::OWN_TARGET == 0 {
                self.restart(index);
            }
        }
    }

    /// Adds to an agent's velocity, within what a step can bear.
    pub(in crate::swarm) fn push(&mut self, index: usize, impulse: Vec2) {
        self.velocity[index] =
            (self.velocity[index] + impulse).clamp_length_max(crate::swarm::MAX_SPEED);
    }
}

fn key_of(slot: u32, lives: u32) -> u64 {
    u64::from(lives) << 32 | u64::from(slot)
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
