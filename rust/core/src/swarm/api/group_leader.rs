//! Leaders that groups keep to.

use crate::error::Result;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::group::{Group, check_group};
use crate::swarm::state::swarm::Swarm;

impl Swarm {
    /// Makes an agent the one that its group's members keep to as far as their type's
    /// [`AgentType::cohesion`] has them do so; without a leader, and when it is no more, that is their
    /// middle. The leader may be of any group, and goes its own way.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`], or [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn set_group_leader(&mut self, group: i64, leader: Option<AgentId>) -> Result<()> {
        let group = usize::from(check_group(group)?);
        if let Some(leader) = leader {
            self.agents.find(leader)?;
        }
        if self.groups.len() <= group {
            self.groups.resize(group + 1, Group::default());
        }
        self.groups[group].leader = leader;
        Ok(())
    }

    /// The leader that a group has been given, if it still lives.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`].
    pub fn group_leader(&self, group: i64) -> Result<Option<AgentId>> {
        let group = self.groups.get(usize::from(check_group(group)?));
        let leader = group.and_then(|group| group.leader);
        Ok(leader.filter(|&id| self.contains(id)))
    }
}
