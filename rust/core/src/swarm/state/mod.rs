//! What a swarm holds between steps: its agents, their types, its settings, and how they are saved.

pub(in crate::swarm) mod agent_id;
pub(in crate::swarm) mod agent_state;
pub(in crate::swarm) mod agent_type;
pub(in crate::swarm) mod agents;
pub(in crate::swarm) mod columns;
pub(in crate::swarm) mod events;
pub(in crate::swarm) mod group;
pub(in crate::swarm) mod layer_view;
pub(in crate::swarm) mod settings;
mod snapshot;
pub(in crate::swarm) mod spawn;
mod state_hash;
pub(in crate::swarm) mod swarm;
pub(in crate::swarm) mod trail;
pub(in crate::swarm) mod user_columns;
