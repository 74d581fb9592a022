//! A movement type turns terrain into the cost of moving through it.

mod changes;
mod clearance;
mod cost_field;
mod crowding;
mod islands;
mod line_of_sight;
mod movement_type;
mod nearby_walls;
mod nearest_cell;
mod terrain_speed;
mod wall_penalty;

pub use changes::Changes;
pub use clearance::{CLEARANCE_TOLERANCE, Clearance, MAX_CLEARANCE};
pub(crate) use cost_field::Excerpt;
pub use cost_field::{CostField, STEPS, offsets};
pub(crate) use crowding::{BlockLevels, CROWDING_BLOCK};
pub use crowding::{CrowdPenalty, MOST_CROWDING};
pub use islands::Islands;
pub use movement_type::MovementType;
pub(crate) use nearest_cell::nearest_cell;
pub use terrain_speed::{SPEED_FACTORS, TerrainSpeed};
pub use wall_penalty::{Falloff, MAX_PENALTY_RADIUS, WallPenalty};

/// Cost of a cell that cannot be entered.
pub const BLOCKED: u8 = 255;
/// The greatest cost of a cell that can be entered.
pub const MAX_COST: u8 = 254;
