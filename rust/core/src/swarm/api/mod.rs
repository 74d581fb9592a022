//! The calls of a game on a swarm, beside those of [`Swarm`](crate::swarm::Swarm) itself in `state/swarm.rs`.
//!
//! Orders change agents: `orders`, `agent_goals`, `targets`, `formation`, `group_leader`, `user_columns`, `factors`,
//! `colors`, `clips`, `travel`. `selections` finds agents by group and status; those that find them by position are in
//! `query`. `one_agent` reads a single agent. `requests` asks a world for the fields and routes that the next step
//! needs.
//!
//! - A call with an invalid argument returns an error and changes nothing.

mod agent_goals;
mod clips;
mod colors;
mod factors;
pub(in crate::swarm) mod formation;
mod group_leader;
mod one_agent;
pub(in crate::swarm) mod orders;
mod requests;
mod selections;
mod targets;
mod travel;
mod user_columns;
