//! The copy of an agent that steering reads.

use crate::swarm::state::agent_state::{AgentState, flag};
use glam::Vec2;

/// The data of an agent that steering reads most, copied into bucket order so that neighbours in space are neighbours
/// in memory.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct SortedAgent {
    pub(in crate::swarm) position: Vec2,
    pub(in crate::swarm) velocity: Vec2,
    /// Its index in the agents' columns.
    pub(in crate::swarm) index: u32,
    /// See [`Agents::goal_group`](crate::swarm::state::agents::Agents::goal_group).
    pub(in crate::swarm) goal_group: u16,
    pub(in crate::swarm) kind: u8,
    pub(in crate::swarm) state: AgentState,
    pub(in crate::swarm) flags: u8,
}

impl SortedAgent {
    /// Whether the agent takes no part in steps: a corpse, or one whose numbers are no longer finite.
    #[inline]
    pub(in crate::swarm) fn is_out(&self) -> bool {
        self.state == AgentState::Corpse || self.flags & flag::QUARANTINED != 0
    }

    /// Whether the agent stands or walks on the ground: it takes part, and does not travel along a link.
    #[inline]
    pub(in crate::swarm) fn is_on_ground(&self) -> bool {
        !self.is_out() && self.state != AgentState::Travelling
    }
}
