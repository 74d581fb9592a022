//! The agents themselves: one array per property, and stable ids.

use crate::error::{Error, Result};
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::factors::Factors;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::playing::Playing;
use crate::swarm::state::trail::Trail;
use crate::swarm::state::user_columns::UserColumns;
use glam::Vec2;

#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Slot {
    /// The generation of the slot's present agent; unspecified if there is none.
    pub(in crate::swarm) generation: u32,
    /// The number of agents that had the slot in this history, including its present or, if free, next one. Unlike
    /// generations, a load restores this number.
    pub(in crate::swarm) lives: u32,
    /// The agent's index in the columns; [`FREE`] if there is none.
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
    /// The last generation of each slot in the swarm's life, 0 for none. It never decreases, not even by a load, and
    /// may have entries for more slots than there are.
    pub(in crate::swarm) issued: Vec<u32>,
    pub(in crate::swarm) id: Vec<AgentId>,
    /// The key of random numbers: slot and number of lives. Unlike ids it is the same in a run that is repeated from a
    /// save, whatever was spawned in between.
    pub(in crate::swarm) key: Vec<u64>,
    pub(in crate::swarm) position: Vec<Vec2>,
    pub(in crate::swarm) velocity: Vec<Vec2>,
    /// The unit vector of the last significant movement.
    pub(in crate::swarm) heading: Vec<Vec2>,
    /// Velocity while scripted.
    pub(in crate::swarm) scripted: Vec<Vec2>,
    /// The own target of an agent; unspecified if it has none.
    pub(in crate::swarm) target: Vec<Vec2>,
    /// Centre of the circle that an agent must leave to count as moving.
    pub(in crate::swarm) anchor: Vec<Vec2>,
    /// Seconds since it last left that circle.
    pub(in crate::swarm) stalled: Vec<f32>,
    /// The state of its contacts.
    pub(in crate::swarm) contact: Vec<ContactState>,
    pub(in crate::swarm) kind: Vec<u8>,
    pub(in crate::swarm) group: Vec<u8>,
    /// The group whose goal the agent follows: its own, or an order.
    pub(in crate::swarm) goal_group: Vec<u16>,
    pub(in crate::swarm) state: Vec<AgentState>,
    pub(in crate::swarm) flags: Vec<u8>,
    /// The game's own numbers.
    pub(in crate::swarm) user: UserColumns,
    /// What makes an agent differ from its type.
    pub(in crate::swarm) factors: Factors,
    /// The travels of agents over links that take time; empty until such links are used.
    pub(in crate::swarm) travel: Vec<LinkTravel>,
    /// The clips that agents play on request; empty while none was played.
    pub(in crate::swarm) playing: Vec<Option<Playing>>,
    /// What drawing needs of the step before.
    pub(in crate::swarm) trail: Trail,
}

impl Agents {
    pub(in crate::swarm) fn len(&self) -> usize {
        self.id.len()
    }

    pub(in crate::swarm) fn find(&self, id: AgentId) -> Result<usize> {
        match self.slots.get(id.slot()) {
            Some(slot) if slot.generation == id.generation() && slot.index != FREE => {
                Ok(slot.index as usize)
            }
            _ => Err(Error::UnknownId {
                name: "agent",
                id: id.bits().cast_signed(),
            }),
        }
    }

    /// Whether an agent takes no part in steps: a corpse, or one whose numbers are no longer finite.
    pub(in crate::swarm) fn is_out(&self, index: usize) -> bool {
        self.state[index] == AgentState::Corpse || self.flags[index] & flag::QUARANTINED != 0
    }

    /// Whether agents collide with an agent: it takes part in steps, and is not on a link.
    pub(in crate::swarm) fn is_solid(&self, index: usize) -> bool {
        !self.is_out(index) && self.state[index] != AgentState::Travelling
    }

    pub(in crate::swarm) fn in_slot(&self, slot: usize) -> Option<AgentId> {
        let index = self.slots.get(slot)?.index;
        self.id.get(index as usize).copied()
    }

    /// Sets every slot's index and every agent's key from the other columns, the slots' lives, the free list and the
    /// issued ids. Returns an error if an agent's id does not fit, or a slot is neither free nor used nor used up.
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

    /// The issued generations that follow from the slots' lives alone.
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

    /// Takes over the issued ids of the agents that these replace, so that no id is issued again.
    pub(in crate::swarm) fn remember_ids_of(&mut self, before: &Self) {
        if self.issued.len() < before.issued.len() {
            self.issued.resize(before.issued.len(), 0);
        }
        for (issued, &known) in self.issued.iter_mut().zip(&before.issued) {
            *issued = known.max(*issued);
        }
    }

    /// Resets an agent's arrival and progress after its orders have changed.
    pub(in crate::swarm) fn restart(&mut self, index: usize) {
        self.flags[index] &= flag::QUARANTINED | flag::OWN_TARGET | flag::HEADING_OCTANT;
        self.anchor[index] = self.position[index];
        self.stalled[index] = 0.0;
    }

    /// [`Self::restart`] for all agents that follow the goal of a group or order. They keep the flags `kept`.
    pub(in crate::swarm) fn restart_group(&mut self, group: u16, kept: u8) {
        for index in 0..self.len() {
            if self.goal_group[index] == group && self.flags[index] & flag::OWN_TARGET == 0 {
                let kept = self.flags[index] & kept;
                self.restart(index);
                self.flags[index] |= kept;
            }
        }
    }

    /// Adds to an agent's velocity, limited to [`MAX_SPEED`](crate::swarm::limits::MAX_SPEED).
    pub(in crate::swarm) fn push(&mut self, index: usize, impulse: Vec2) {
        self.velocity[index] =
            (self.velocity[index] + impulse).clamp_length_max(crate::swarm::limits::MAX_SPEED);
    }
}

pub(super) fn key_of(slot: u32, lives: u32) -> u64 {
    u64::from(lives) << 32 | u64::from(slot)
}
