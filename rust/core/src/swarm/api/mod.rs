//! What a game asks of a swarm: orders, targets, formations and queries.

pub(in crate::swarm) mod formation;
pub(in crate::swarm) mod orders;
mod overlap;
mod query;
mod requests;
mod segment;
mod targets;
