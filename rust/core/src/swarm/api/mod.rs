//! What a game asks of a swarm: orders, targets, formations and queries.

mod colors;
pub(in crate::swarm) mod formation;
mod group_leader;
pub(in crate::swarm) mod orders;
mod overlap;
mod query;
mod requests;
mod segment;
mod targets;
mod user_columns;
