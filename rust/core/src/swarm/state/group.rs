//! Groups of agents that share a goal.

use crate::error::{Error, Result};
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::agent_id::AgentId;
use crate::world::GoalId;

/// A group's goal, and the signature of the targets in the last step; `None` before the first step with a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::swarm) struct Group {
    pub(in crate::swarm) goal: Option<GoalId>,
    pub(in crate::swarm) seen: Option<u64>,
    /// Whether members follow the field of the most restrictive movement type among them.
    pub(in crate::swarm) shares_field: bool,
    /// The agent that members keep to.
    pub(in crate::swarm) leader: Option<AgentId>,
}

pub(in crate::swarm) fn check_group(group: i64) -> Result<u8> {
    u8::try_from(group).map_err(|_| Error::OutOfRange {
        name: "group",
        value: group.into(),
        min: 0.into(),
        max: (MAX_GROUPS - 1).into(),
    })
}
