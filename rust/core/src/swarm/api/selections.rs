//! Finds agents by their group or status.

use crate::error::Result;
use crate::swarm::state::group::check_group;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::{AgentId, AgentStatus};

impl Swarm {
    /// The status of each agent, in the order of [`Self::ids`].
    pub fn statuses(&self) -> impl ExactSizeIterator<Item = AgentStatus> {
        let states = self.agents.state.iter().zip(&self.agents.flags);
        states.map(|(&state, &flags)| AgentStatus::of(state, flags))
    }

    /// The status of an agent.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn status(&self, id: AgentId) -> Result<AgentStatus> {
        let index = self.agents.find(id)?;
        let (state, flags) = (self.agents.state[index], self.agents.flags[index]);
        Ok(AgentStatus::of(state, flags))
    }

    /// The agents with a status, by ascending id. O(agents).
    #[must_use]
    pub fn with_status(&self, status: AgentStatus) -> Vec<AgentId> {
        self.select(self.statuses().map(|other| other == status))
    }

    /// The agents of a group, by ascending id. O(agents).
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`](crate::swarm::MAX_GROUPS).
    pub fn group_members(&self, group: i64) -> Result<Vec<AgentId>> {
        let group = check_group(group)?;
        Ok(self.select(self.agents.group.iter().map(|&other| other == group)))
    }

    /// The agents that are `selected` in the order of the columns, by ascending id.
    fn select(&self, selected: impl Iterator<Item = bool>) -> Vec<AgentId> {
        let ids = self.agents.id.iter().zip(selected);
        let mut found: Vec<AgentId> = ids
            .filter_map(|(&id, is_selected)| is_selected.then_some(id))
            .collect();
        found.sort_unstable();
        found
    }
}
