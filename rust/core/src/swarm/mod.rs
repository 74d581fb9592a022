//! The crowd: agents that follow flow fields, keep apart and stay out of walls.
//!
//! A [`Swarm`] is stepped against a [`FlowWorld`](crate::world::FlowWorld) but owned apart from it: in a
//! game either may be freed first, and several swarms share one world.
//!
//! Read `state` first, then `step/mod.rs`, the list of a step's stages. The stages are in the other folders:
//! `neighbours` finds the agents near an agent, `goal` computes where agents want to go, `avoidance` keeps them apart,
//! `constraints` and `bodies` limit their movement, and `density` measures crowds. `api` holds the calls of a game,
//! `query` finds agents for it, and `draw` writes instance buffers.
//!
//! - Data types that a [`Swarm`] holds are in files that do not import [`Swarm`].
//! - Only the stages that `step/mod.rs` lists and the functions in `api` change a swarm.

mod api;
mod avoidance;
mod bodies;
mod constraints;
mod density;
mod draw;
mod goal;
mod limits;
mod neighbours;
mod query;
mod state;
mod step;

pub use api::formation::{Formation, Shape as FormationShape};
pub use avoidance::contact::{Others, Outline};
pub use bodies::{AreaId, BodyId, Force, ForceKind, MAX_SITES, Pose, Shape};
pub use draw::pack::{
    Band, ChannelInstances, Channels, CustomData, Extent, Eye, Frustum, InstanceLayout, Instances,
    MAX_BANDS, MAX_CHANNELS, MAX_FRUSTUM_PLANES, MAX_HEIGHT_OFFSET, MAX_INSTANCE_SIZE, Packer,
    Plane, View,
};
pub use draw::palette::Palette;
pub use draw::tracking::Tracking;
pub use limits::{
    MAX_AGENT_TYPES, MAX_AGENTS, MAX_GROUPS, MAX_ORDERS, MAX_SPEED, MAX_STEP_CELLS,
    MAX_STEP_SECONDS,
};
pub use query::agent_query::{AgentQuery, QueryOrder};
pub use state::agent_id::AgentId;
pub use state::agent_state::AgentState;
pub use state::agent_status::AgentStatus;
pub use state::agent_type::{AgentType, Avoidance, MAX_NEIGHBOURS};
pub use state::character_clips::{CLIP_SECONDS, CharacterClips, MAX_CLIPS, Stride};
pub use state::events::{Despawned, Events, Stats};
pub use state::factors::{AGENT_SIZE_FACTORS, AGENT_SPEED_FACTORS};
pub use state::layer_view::LayerView;
pub use state::playing::Clip;
pub use state::settings::{ArrivalAction, Settings};
pub use state::swarm::Swarm;
pub use state::swarm_snapshot::SwarmSnapshot;
pub use state::user_columns::USER_COLUMNS;
