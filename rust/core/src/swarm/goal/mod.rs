//! Where agents want to go: along their group's field or to targets of their own, and when they have arrived.

pub(in crate::swarm) mod arriving;
pub(in crate::swarm) mod brakes;
mod corner_recovery;
mod follow_field;
pub(in crate::swarm) mod group_center;
pub(in crate::swarm) mod lateral_bias;
pub(in crate::swarm) mod own_target;
pub(in crate::swarm) mod pace;
mod routes;
pub(in crate::swarm) mod settling;
