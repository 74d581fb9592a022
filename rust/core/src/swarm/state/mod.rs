//! The state of a swarm between steps: agents, types, groups, settings, and how they are saved.
//!
//! Read `swarm` (all parts), `agents` with `columns` (one array for each property), `agent_id` and `spawn` (slots and
//! ids), then `agent_type`, `agent_state`, `link_travel`, `group`, `playing`, `settings` and `events`. `snapshot`, with
//! `saved_orders`, `saved_columns`, `saved_travels`, `saved_clips` and `saved_values`, saves and loads, and
//! `state_hash` compares swarms.
//!
//! - All columns have the same length and order, or are empty where nothing is kept in them.
//! - Ids and slots' generations are never reused, not even after a load.
//! - Loading rejects every value that a swarm could not have reached.

pub(in crate::swarm) mod agent_id;
pub(in crate::swarm) mod agent_state;
pub(in crate::swarm) mod agent_status;
pub(in crate::swarm) mod agent_type;
pub(in crate::swarm) mod agents;
pub(in crate::swarm) mod character_clips;
pub(in crate::swarm) mod columns;
pub(in crate::swarm) mod events;
pub(in crate::swarm) mod factors;
pub(in crate::swarm) mod group;
pub(in crate::swarm) mod layer_view;
pub(in crate::swarm) mod link_travel;
pub(in crate::swarm) mod march;
mod memory;
pub(in crate::swarm) mod playing;
mod saved_clips;
mod saved_columns;
mod saved_orders;
mod saved_rest;
mod saved_travels;
mod saved_values;
pub(in crate::swarm) mod settings;
mod snapshot;
pub(in crate::swarm) mod spawn;
mod state_hash;
pub(in crate::swarm) mod swarm;
pub(in crate::swarm) mod swarm_snapshot;
pub(in crate::swarm) mod trail;
pub(in crate::swarm) mod user_columns;
