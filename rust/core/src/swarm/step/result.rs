//! What a step finds for each agent.

use crate::swarm::avoidance::contact::ContactState;
use glam::Vec2;

/// What a step has in store for one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct StepResult {
    pub(in crate::swarm) position: Vec2,
    pub(in crate::swarm) velocity: Vec2,
    /// The direction it wants to go in, a unit vector or zero; for contacts only.
    pub(in crate::swarm) preferred_direction: Vec2,
    /// What it remembers of its contacts, with the turn of this step.
    pub(in crate::swarm) contact: ContactState,
    pub(in crate::swarm) flags: u8,
    /// Whether the agent has somewhere to go.
    pub(in crate::swarm) under_way: bool,
    /// Whether a link took it where it is.
    pub(in crate::swarm) has_jumped: bool,
    /// Whether it is about to reach its own target.
    pub(in crate::swarm) is_near_target: bool,
    /// Whether there are walls near where it goes.
    pub(in crate::swarm) is_near_wall: bool,
}

impl StepResult {
    pub(in crate::swarm) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite()
    }
}
