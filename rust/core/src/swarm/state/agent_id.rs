//! Ids of agents.

use crate::error::{Error, Result};

/// The id of one agent as long as its swarm exists. The id of a removed agent is an error and never names another
/// agent.
///
/// The upper half is a slot, the lower half the slot's generation from 1 on, so no id is 0. Living agents have
/// different slots, so ids ascend with their slots whatever the generations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(u64);

impl AgentId {
    pub(in crate::swarm) fn new(slot: u32, generation: u32) -> Self {
        Self(u64::from(slot) << 32 | u64::from(generation))
    }

    /// The slot of the agent. No two living agents of a swarm have the same slot.
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

    /// The id with this number, which may name no agent.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Checks that there is one value for each id.
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
