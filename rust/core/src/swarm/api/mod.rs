//! The calls of a game on a swarm, beside those of [`Swarm`](crate::swarm::Swarm) itself in `state/swarm.rs`.
//!
//! Orders change agents: `orders`, `targets`, `formation`, `group_leader`, `user_columns`, `colors`. Queries find
//! agents: `query`, `segment`, `overlap`, `selections`. `requests` asks a world for the fields and routes that the next step needs.
//!
//! - A call with an invalid argument returns an error and changes nothing.
//! - Queries take `&mut self` only to sort agents into buckets; they change nothing that a step reads.

mod colors;
pub(in crate::swarm) mod formation;
mod group_leader;
pub(in crate::swarm) mod orders;
mod overlap;
mod query;
mod requests;
mod segment;
mod selections;
mod targets;
mod user_columns;
