//! What limits how agents move: their acceleration, walls, and links between layers.

pub(in crate::swarm) mod ground;
pub(in crate::swarm) mod inertia;
pub(in crate::swarm) mod links;
pub(in crate::swarm) mod travel;
pub(in crate::swarm) mod velocity;
pub(in crate::swarm) mod walls;
