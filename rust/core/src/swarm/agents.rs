//! The agents themselves: one array per property, and stable ids.

use super::columns::Remove;
use super::trail::Trail;
use super::user_columns::UserColumns;
use crate::error::{Error, Result};
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

    pub(super) fn generation(self) -> u32 {
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

/// Who decides where an agent goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum AgentState {
    /// The flow field of its group's goal.
    #[default]
    Following = 0,
    /// Nobody: it stands, and can be pushed.
    Idle = 1,
    /// The game, through [`super::Swarm::set_scripted_velocities`].
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
pub(super) mod flag {
    /// It has reached its goal.
    pub(in super::super) const ARRIVED: u8 = 1;
    /// It is following, and there is no route from where it is.
    pub(in super::super) const LOST: u8 = 2;
    /// It should be moving and has not got anywhere for a while.
    pub(in super::super) const STUCK: u8 = 4;
    /// Its numbers stopped being finite; it no longer takes part.
    pub(in super::super) const QUARANTINED: u8 = 8;
    /// It has a target of its own.
    pub(in super::super) const OWN_TARGET: u8 = 16;
    /// Where it wants to go, in eighths of a turn; three bits.
    pub(in super::super) const WISH: u8 = 0b1110_0000;
    /// What lasts from step to step; the rest is found out anew.
    pub(in super::super) const LASTING: u8 = ARRIVED | QUARANTINED | OWN_TARGET;
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// The generation of the slot's present agent; without meaning if there is none.
    pub(super) generation: u32,
    /// How many agents have had the slot in this history, its present or, if free, next one included. A load
    /// takes this number back, unlike generations.
    pub(super) lives: u32,
    /// Where the agent stands in the columns; [`FREE`] if there is none.
    pub(super) index: u32,
}

pub(super) const FREE: u32 = u32::MAX;

/// The generation after which a slot is not used again.
pub(super) const LAST_GENERATION: u32 = u32::MAX;

/// All agents of a swarm. The columns have the same length and order.
#[derive(Debug, Default, Clone)]
pub(super) struct Agents {
    pub(super) slots: Vec<Slot>,
    /// Free slots, reused last in first out.
    pub(super) free: Vec<u32>,
    /// The last generation that each slot has had in the swarm's life, 0 for none. It never goes back, not
    /// even by a load, and may know of more slots than there are.
    pub(super) issued: Vec<u32>,
    pub(super) id: Vec<AgentId>,
    /// What random numbers are keyed by: slot and number of lives. Unlike ids, the same in a run that is
    /// repeated from a save, whatever was spawned in between.
    pub(super) key: Vec<u64>,
    pub(super) position: Vec<Vec2>,
    pub(super) velocity: Vec<Vec2>,
    /// Unit vector of the last real movement.
    pub(super) heading: Vec<Vec2>,
    /// Velocity while scripted.
    pub(super) scripted: Vec<Vec2>,
    /// Where an agent goes that has a target of its own.
    pub(super) target: Vec<Vec2>,
    /// Centre of the circle that an agent must leave to count as moving.
    pub(super) anchor: Vec<Vec2>,
    /// Seconds since it last left that circle.
    pub(super) stalled: Vec<f32>,
    pub(super) kind: Vec<u8>,
    pub(super) group: Vec<u8>,
    pub(super) state: Vec<AgentState>,
    pub(super) flags: Vec<u8>,
    /// The game's own numbers.
    pub(super) user: UserColumns,
    /// What drawing needs of the step before.
    pub(super) trail: Trail,
}

impl Agents {
    pub(super) fn len(&self) -> usize {
        self.id.len()
    }

    pub(super) fn insert(&mut self, position: Vec2, kind: u8, group: u8) -> AgentId {
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

    pub(super) fn find(&self, id: AgentId) -> Result<usize> {
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

    pub(super) fn in_slot(&self, slot: usize) -> Option<AgentId> {
        let index = self.slots.get(slot)?.index;
        self.id.get(index as usize).copied()
    }

    /// Removes an agent, whose place the last one takes. False if there is no such agent.
    pub(super) fn remove(&mut self, id: AgentId) -> bool {
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

    pub(super) fn clear(&mut self) {
        for index in (0..self.id.len()).rev() {
            self.remove(self.id[index]);
        }
    }

    /// Points every slot at its agent and finds the agents' keys, given the other columns, the slots' lives,
    /// the free list and what ids have been issued. An error if an agent's id does not fit, or a slot is
    /// neither free nor used nor used up.
    pub(super) fn link_slots(&mut self) -> std::result::Result<(), ()> {
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
    pub(super) fn issued_by_lives(&self) -> Vec<u32> {
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
    pub(super) fn remember_ids_of(&mut self, before: &Self) {
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
    pub(super) fn restart(&mut self, index: usize) {
        self.flags[index] &= flag::QUARANTINED | flag::OWN_TARGET | flag::WISH;
        self.anchor[index] = self.position[index];
        self.stalled[index] = 0.0;
    }

    /// [`Self::restart`] for all agents of a group that go where it goes.
    pub(super) fn restart_group(&mut self, group: u8) {
        for index in 0..self.len() {
            if self.group[index] == group && self.flags[index] & flag::OWN_TARGET == 0 {
                self.restart(index);
            }
        }
    }

    /// Adds to an agent's velocity, within what a step can bear.
    pub(super) fn push(&mut self, index: usize, impulse: Vec2) {
        self.velocity[index] = (self.velocity[index] + impulse).clamp_length_max(super::MAX_SPEED);
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
