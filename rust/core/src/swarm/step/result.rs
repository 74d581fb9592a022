//! The result of a step for an agent.

use crate::swarm::avoidance::contact::ContactState;
use glam::Vec2;

/// Whether a link moves an agent in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::swarm) enum OnLink {
    #[default]
    No,
    /// The agent wants to take a link, and moves as if there were none until it may.
    Wants,
    /// The agent is at another place at once.
    Jumps,
    /// The agent starts or goes on to travel over a link.
    Travels,
}

/// The result of a step for one agent, before it is committed.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct StepResult {
    pub(in crate::swarm) position: Vec2,
    pub(in crate::swarm) velocity: Vec2,
    /// The direction that the agent wants to go in, a unit vector or zero; set for contacts only.
    pub(in crate::swarm) preferred_direction: Vec2,
    /// The state of its contacts after this step.
    pub(in crate::swarm) contact: ContactState,
    pub(in crate::swarm) flags: u8,
    /// Whether the agent has somewhere to go.
    pub(in crate::swarm) under_way: bool,
    /// Whether the agent is on a link, which alone moves it.
    pub(in crate::swarm) link: OnLink,
    /// Whether the agent is near its target.
    pub(in crate::swarm) is_near_target: bool,
    /// Whether there are walls near the agent's new position.
    pub(in crate::swarm) is_near_wall: bool,
}

impl StepResult {
    pub(in crate::swarm) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite()
    }
}
