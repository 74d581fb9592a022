//! Bodies as a kind of collider.

use crate::swarm::bodies::colliders::Role;

/// The distance from a body within which an agent counts as touching it, as a fraction of the agent's radius. Agents
/// that press against a body are a rounding away from it.
const TOUCHING: f32 = 0.05;

/// Names a body; never reused within a swarm, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub i64);

/// What makes a collider a body.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Body {
    /// Whether agents are kept out of the body.
    pub(in crate::swarm) is_solid: bool,
}

impl Role for Body {
    const NAME: &'static str = "body";
    const COUNT: &'static str = "number of bodies";

    fn reach(radius: f32) -> f32 {
        radius * (1.0 + TOUCHING)
    }
}
