//! The data that ORCA reads in a step.

use super::bodies::OrcaAgent;
use crate::grid::Grid;
use crate::movement::CostField;
use crate::swarm::bodies::{Body, Colliders};
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::state::agent_type::AgentType;
use glam::Vec2;

/// The data of a step that all agents share.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct Orca<'a> {
    pub(in crate::swarm) buckets: &'a Buckets,
    /// In bucket order.
    pub(in crate::swarm) bodies: &'a [OrcaAgent],
    pub(in crate::swarm) solids: Solids<'a>,
    /// In the order of the agents' columns.
    pub(in crate::swarm) keys: &'a [u64],
    pub(in crate::swarm) grid: &'a Grid,
    pub(in crate::swarm) seed: u64,
    pub(in crate::swarm) tick: u64,
}

/// An agent that avoids others.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct Avoider<'a> {
    /// Its place in bucket order.
    pub(in crate::swarm) place: usize,
    /// The key of the agent's random numbers.
    pub(in crate::swarm) key: u64,
    pub(in crate::swarm) kind: &'a AgentType,
    /// The maximum speed on the terrain where the agent is.
    pub(in crate::swarm) max_speed: f32,
    /// The velocity that the agent would take without neighbours.
    pub(in crate::swarm) wanted: Vec2,
    /// The costs that tell which cells are walls for the agent; `None` if walls are ignored.
    pub(in crate::swarm) costs: Option<&'a CostField>,
    /// The time without progress, in seconds.
    pub(in crate::swarm) stalled: f32,
    /// The duration of the step, in seconds.
    pub(in crate::swarm) step: f32,
}

/// Solid bodies, and the duration of the step for them.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct Solids<'a> {
    pub(in crate::swarm) colliders: &'a Colliders<Body>,
    pub(in crate::swarm) dt: f32,
}
