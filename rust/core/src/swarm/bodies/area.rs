//! Areas as a kind of collider.

use crate::swarm::bodies::Force;
use crate::swarm::bodies::colliders::Role;

/// Names an area; never reused within a swarm, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub i64);

/// What makes a collider an area.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Area {
    /// The force on the agents inside, if any.
    pub(in crate::swarm) force: Option<Force>,
}

impl Role for Area {
    const NAME: &'static str = "area";
    const COUNT: &'static str = "number of areas";

    fn reach(_radius: f32) -> f32 {
        0.0
    }
}
