//! What an agent is doing: its state, and flags that say how it stands.

use crate::error::{Error, Result};

/// What decides where an agent goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum AgentState {
    /// The flow field of its group's goal.
    #[default]
    Following = 0,
    /// Nothing: it stands, and can be pushed.
    Idle = 1,
    /// The game, through [`crate::swarm::Swarm::set_scripted_velocities`].
    Scripted = 2,
}

impl AgentState {
    /// The state of a number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn from_number(number: i64) -> Result<Self> {
        match number {
            0 => Ok(Self::Following),
            1 => Ok(Self::Idle),
            2 => Ok(Self::Scripted),
            _ => Err(Error::OutOfRange {
                name: "state",
                value: number.into(),
                min: 0.into(),
                max: 2.into(),
            }),
        }
    }
}

/// Bits of [`Agents::flags`].
pub(in crate::swarm) mod flag {
    /// It has reached its goal.
    pub(in crate::swarm) const ARRIVED: u8 = 1;
    /// It is following, and there is no route from where it is.
    pub(in crate::swarm) const LOST: u8 = 2;
    /// It should be moving and has not got anywhere for a while.
    pub(in crate::swarm) const STUCK: u8 = 4;
    /// Its numbers stopped being finite; it no longer takes part.
    pub(in crate::swarm) const QUARANTINED: u8 = 8;
    /// It has a target of its own.
    pub(in crate::swarm) const OWN_TARGET: u8 = 16;
    /// Where it wants to go, in eighths of a turn; three bits.
    pub(in crate::swarm) const HEADING_OCTANT: u8 = 0b1110_0000;
    /// What lasts from step to step; the rest is found out anew.
    pub(in crate::swarm) const LASTING: u8 = ARRIVED | QUARANTINED | OWN_TARGET;
}
