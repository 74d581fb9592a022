//! The limits of a swarm.

/// The most agent types of a swarm.
pub const MAX_AGENT_TYPES: usize = 64;

/// The most groups of a swarm: groups are numbered 0..=255.
pub const MAX_GROUPS: usize = 256;

/// The most goals that agents of a swarm can follow at once beside those of their groups.
pub const MAX_ORDERS: usize = 65_000;

/// The most agents of a swarm.
pub const MAX_AGENTS: usize = 4_000_000;

/// The greatest speed, in world units a second. Beyond it a step's displacement loses its meaning.
pub const MAX_SPEED: f32 = 1.0e6;

/// The longest step. A game that stalls longer should take several.
pub const MAX_STEP_SECONDS: f32 = 1.0;

/// The longest displacement of an agent in a step, in cells.
pub const MAX_STEP_CELLS: f32 = 256.0;

/// Agents per piece of parallel work.
pub(in crate::swarm) const CHUNK: usize = 1024;
