//! What a swarm holds between steps: its agents, their types, its settings, and how they are saved.

pub(in crate::swarm) mod agent_type;
pub(in crate::swarm) mod agents;
pub(in crate::swarm) mod columns;
pub(in crate::swarm) mod events;
pub(in crate::swarm) mod settings;
mod snapshot;
mod state_hash;
pub(in crate::swarm) mod trail;
pub(in crate::swarm) mod user_columns;
