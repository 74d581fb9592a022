//! Movement types, and the cost fields that they make from terrain.
//!
//! Read `movement_type` (what an id costs) with `wall_penalty`, `clearance`, `crowding`, `terrain_speed` and
//! `slope_speed`; `cost_overlay` (surcharges that a game lays over cells); then `cost_field`, the result, and
//! `changes`, what an update of it returns, with `changed_cells`. `islands`, `line_of_sight`, `sight_fan`,
//! `nearby_walls` and `nearest_cell` answer questions about a cost field.
//!
//! - Costs are 1..=254, and 255 closes a cell. Penalties and overlays never close a cell; only walls and clearance do.
//! - Costs do not depend on the order of edits or on threads.

mod changed_cells;
mod changes;
mod clearance;
mod cost_field;
mod cost_overlay;
mod crowding;
mod islands;
mod line_of_sight;
mod movement_type;
mod nearby_walls;
mod nearest_cell;
mod sight_fan;
mod slope_speed;
mod terrain_speed;
mod wall_penalty;

pub use changes::Changes;
pub use clearance::{CLEARANCE_TOLERANCE, Clearance, MAX_CLEARANCE};
pub use cost_field::CostField;
pub(crate) use cost_field::{Arrays, CellDifference, Excerpt, Surcharge};
pub use cost_overlay::{CostOverlay, MAX_FADING, OverlayId};
pub(crate) use cost_overlay::{FADING_STEPS, Footprint, faded};
pub(crate) use crowding::{BlockLevels, CROWDING_BLOCK};
pub use crowding::{CrowdPenalty, MOST_CROWDING};
pub use islands::Islands;
pub(crate) use islands::{Cells, Labelling};
pub use movement_type::MovementType;
pub(crate) use nearest_cell::nearest_cell;
pub(crate) use sight_fan::SightFan;
pub use slope_speed::SlopeSpeed;
pub use terrain_speed::{SPEED_FACTORS, TerrainSpeed};
pub use wall_penalty::{Falloff, MAX_PENALTY_RADIUS, WallPenalty};

/// Cost of a cell that cannot be entered.
pub const BLOCKED: u8 = 255;
/// The greatest cost of a cell that can be entered.
pub const MAX_COST: u8 = 254;
