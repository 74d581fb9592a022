//! What agents avoid each other by.

use super::bodies::OrcaAgent;
use crate::grid::Grid;
use crate::movement::CostField;
use crate::swarm::bodies::{Body, Colliders};
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::state::agent_type::AgentType;
use glam::Vec2;

/// What tells agents how to avoid each other.
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
    /// What its random numbers are keyed by.
    pub(in crate::swarm) key: u64,
    pub(in crate::swarm) kind: &'a AgentType,
    /// The greatest speed that it has on the ground where it is.
    pub(in crate::swarm) max_speed: f32,
    /// The velocity that it would have if it were alone.
    pub(in crate::swarm) wanted: Vec2,
    /// What is a wall to it, if walls count.
    pub(in crate::swarm) costs: Option<&'a CostField>,
    /// For how many seconds it has not got anywhere.
    pub(in crate::swarm) stalled: f32,
    /// How much of a second a step covers.
    pub(in crate::swarm) step: f32,
}

/// Solid bodies, and how long a step takes them.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct Solids<'a> {
    pub(in crate::swarm) colliders: &'a Colliders<Body>,
    pub(in crate::swarm) dt: f32,
}
