//! The leaders of groups, for cohesion.

use crate::error::Result;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::group::check_group;
use crate::swarm::state::swarm::Swarm;

impl Swarm {
    /// Makes an agent the leader of a group. Members keep to it according to their type's
    /// [`AgentType::cohesion`](crate::swarm::AgentType::cohesion). Without a leader, or after the leader is removed,
    /// they keep to their mean position. The leader may be in any group, and cohesion does not affect it.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS), or
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn set_group_leader(&mut self, group: i64, leader: Option<AgentId>) -> Result<()> {
        let group = usize::from(check_group(group)?);
        if let Some(leader) = leader {
            self.agents.find(leader)?;
        }
        self.groups.entry(group).leader = leader;
        Ok(())
    }

    /// The leader of a group, if it is still alive.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS).
    pub fn group_leader(&self, group: i64) -> Result<Option<AgentId>> {
        let group = self.groups.get(usize::from(check_group(group)?));
        let leader = group.and_then(|group| group.leader);
        Ok(leader.filter(|&id| self.contains(id)))
    }
}
