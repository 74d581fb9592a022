//! The state of an agent, and its flags.

use crate::error::{Error, Result};

/// The state of an agent: what decides its movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum AgentState {
    /// The flow field of its group's goal.
    #[default]
    Following = 0,
    /// Nothing: the agent stands, and can be pushed.
    Idle = 1,
    /// The game, through [`crate::swarm::Swarm::set_scripted_velocities`].
    Scripted = 2,
    /// Nothing: the agent lies where it is until it is removed. Agents walk over it, bodies and forces do not move it,
    /// and queries do not find it.
    Corpse = 3,
    /// A link that takes time ([`Travel`](crate::grid::travel::Travel)): the agent is on its way to the link's last
    /// cell, where it follows again. Agents do not collide with it, walls, bodies and forces do not move it, and
    /// queries and areas find it. A game cannot set this state.
    Travelling = 8,
}

impl AgentState {
    /// The number of states.
    pub(in crate::swarm) const COUNT: usize = 5;

    /// The state of a number, of those that a game can set.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn from_number(number: i64) -> Result<Self> {
        match number {
            0 => Ok(Self::Following),
            1 => Ok(Self::Idle),
            2 => Ok(Self::Scripted),
            3 => Ok(Self::Corpse),
            _ => Err(Error::OutOfRange {
                name: "state",
                value: number.into(),
                min: 0.into(),
                max: i64::from(Self::Corpse as u8).into(),
            }),
        }
    }

    /// The position of the state among all states.
    pub(in crate::swarm) fn index(self) -> usize {
        match self {
            Self::Travelling => Self::COUNT - 1,
            _ => self as usize,
        }
    }
}

/// Bits of [`Agents::flags`](super::agents::Agents::flags).
pub(in crate::swarm) mod flag {
    /// The agent has reached its goal.
    pub(in crate::swarm) const ARRIVED: u8 = 1;
    /// The agent is following, and has no route from its position.
    pub(in crate::swarm) const LOST: u8 = 2;
    /// The agent should be moving and has made no progress for a while.
    pub(in crate::swarm) const STUCK: u8 = 4;
    /// The agent's numbers are no longer finite; it no longer takes part.
    pub(in crate::swarm) const QUARANTINED: u8 = 8;
    /// The agent has its own target.
    pub(in crate::swarm) const OWN_TARGET: u8 = 16;
    /// The direction that the agent wants to go in, in eighths of a turn; three bits.
    pub(in crate::swarm) const HEADING_OCTANT: u8 = 0b1110_0000;
    /// The flags that are kept from step to step; the others are computed anew.
    pub(in crate::swarm) const LASTING: u8 = ARRIVED | QUARANTINED | OWN_TARGET;
}
