//! Calls off the travels of agents over links.

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

impl Swarm {
    /// Puts agents that are on their way over a link ([`AgentState::Travelling`](crate::swarm::AgentState::Travelling))
    /// back where they took it, in its first cell. They follow again, and take the link again in their next step unless
    /// it is removed or they get another goal. Agents that are not on a link are not changed. Returns how many were.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them; none is changed then.
    pub fn cancel_travel(&mut self, ids: &[AgentId]) -> Result<usize> {
        self.find_all(ids)?;
        let mut count = 0;
        for &id in ids {
            let index = self.agents.find(id)?;
            count += usize::from(self.take_back(index));
        }
        Ok(count)
    }

    /// Ends the travel of an agent and puts it back where it took the link. Returns whether it was on one.
    pub(super) fn take_back(&mut self, index: usize) -> bool {
        let Some(start) = self.agents.end_travel(index) else {
            return false;
        };
        self.agents.position[index] = start;
        self.agents.velocity[index] = Vec2::ZERO;
        self.agents.trail.jump(index, start);
        self.agents.restart(index);
        self.buckets.mark_moved();
        true
    }

    /// Ends the travel of an agent that becomes a corpse, where it is.
    pub(super) fn drop_from_link(&mut self, index: usize) {
        if self.agents.end_travel(index).is_some() {
            self.buckets.mark_moved();
        }
    }
}
