//! The status of an agent: its state and how it stands.

use crate::error::{Error, Result};
use crate::swarm::state::agent_state::{AgentState, flag};

/// The status of an agent: its state and, while it follows, whether it has arrived or what keeps it from arriving.
/// States have the numbers of their [`AgentState`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AgentStatus {
    /// It is on its way, or waits for a goal or a route.
    Following = 0,
    /// It is in [`AgentState::Idle`].
    Idle = 1,
    /// It is in [`AgentState::Scripted`].
    Scripted = 2,
    /// It is in [`AgentState::Corpse`].
    Corpse = 3,
    /// It has reached its goal or its own target.
    Arrived = 4,
    /// It has no route to its goal.
    Lost = 5,
    /// It has a route and has made no progress for
    /// [`Settings::stuck_seconds`](crate::swarm::Settings::stuck_seconds).
    Stuck = 6,
    /// Its numbers are no longer finite, and it takes no part in steps.
    Quarantined = 7,
    /// It is in [`AgentState::Travelling`].
    Travelling = 8,
}

impl AgentStatus {
    /// All of them, by their numbers.
    pub const ALL: [Self; 9] = [
        Self::Following,
        Self::Idle,
        Self::Scripted,
        Self::Corpse,
        Self::Arrived,
        Self::Lost,
        Self::Stuck,
        Self::Quarantined,
        Self::Travelling,
    ];

    /// The status with a number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn from_number(number: i64) -> Result<Self> {
        let status = usize::try_from(number)
            .ok()
            .and_then(|number| Self::ALL.get(number));
        status.copied().ok_or(Error::OutOfRange {
            name: "status",
            value: number.into(),
            min: 0.into(),
            max: (Self::ALL.len() - 1).into(),
        })
    }

    /// The status of an agent with a state and flags.
    pub(in crate::swarm) fn of(state: AgentState, flags: u8) -> Self {
        let has = |flag: u8| flags & flag != 0;
        match state {
            _ if has(flag::QUARANTINED) => Self::Quarantined,
            AgentState::Idle => Self::Idle,
            AgentState::Scripted => Self::Scripted,
            AgentState::Corpse => Self::Corpse,
            AgentState::Travelling => Self::Travelling,
            AgentState::Following if has(flag::ARRIVED) => Self::Arrived,
            AgentState::Following if has(flag::LOST) => Self::Lost,
            AgentState::Following if has(flag::STUCK) => Self::Stuck,
            AgentState::Following => Self::Following,
        }
    }
}
