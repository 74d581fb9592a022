//! Flow: computes a direction for each cell from integrated costs, and samples the direction at a point.
//!
//! Read `field.rs` (the field) and `rows.rs` (filling it), then the rules, one in each file, which `fill` calls.
//! `descent.rs` has the condition under which agents arrive, `sample.rs` finds the direction at a point, and `path.rs`
//! follows a field to its goal. `part_fill.rs` spreads filling over ticks, `window.rs` fills tiles, and
//! `overwritten.rs` takes updates back.
//!
//! - Every direction leads only to cells of strictly lower cost, for any rule.
//! - A field that is updated after a repair equals a new one, bit for bit.

mod best_neighbour;
mod cell;
mod characteristic;
mod descent;
mod field;
mod lean;
mod leave;
mod linked;
mod map;
mod merging;
mod narrow;
mod negative_gradient;
mod overwritten;
mod part_fill;
mod path;
mod predecessor;
mod preference;
mod rows;
mod sample;
mod target_bounds;
mod window;

pub use crate::direction::{ANGLES, Direction};
pub(crate) use cell::FlowCell;
pub use descent::LOOKAHEAD;
pub(crate) use descent::nearest_step;
pub use field::FlowField;
pub(crate) use lean::lean;
pub(crate) use map::FlowMap;
pub(crate) use overwritten::OverwrittenDirections;
pub(crate) use part_fill::PartFill;
pub(crate) use path::follow;
pub(crate) use sample::{nearest_within, sample, sees_target};
pub(crate) use target_bounds::TargetBounds;
pub(crate) use window::fill_window;

use crate::integrate::{IntegrationField, Method, Solver};
use crate::movement::CostField;

/// The rule by which a cell's direction follows from the integrated costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectionRule {
    /// Along the shortest path: at any angle for a solver of any-angle paths, otherwise as [`Self::BestNeighbour`].
    #[default]
    Characteristic,
    /// Towards the neighbour on a cheapest path (system B): one of eight directions.
    BestNeighbour,
    /// Down the slope of the costs (system A): any angle.
    NegativeGradient,
    /// Back along the wavefront, for costs with a penalty on diagonals (system C): one of eight directions. It needs
    /// the costs of [`crate::integrate::PredecessorSolver`].
    Predecessor,
}

impl DirectionRule {
    /// All rules, by their numbers in scenes.
    pub const ALL: [Self; 4] = [
        Self::BestNeighbour,
        Self::NegativeGradient,
        Self::Predecessor,
        Self::Characteristic,
    ];

    /// The method that computes the costs for this rule and a solver: system C's directions need system C's costs.
    #[must_use]
    pub fn method(self, solver: Solver) -> Method {
        match (self, solver) {
            (Self::Predecessor, _) => Method::Predecessor,
            (_, solver) => solver.into(),
        }
    }
}

/// Writes directions by `rule`, and the steps to lower cells, for cells of one row from stored index `from` on. Entries
/// of goals are unspecified.
fn fill(
    costs: &CostField,
    integration: &IntegrationField,
    rule: DirectionRule,
    from: usize,
    out: &mut [Direction],
    lower: &mut [u8],
) {
    match rule {
        DirectionRule::Characteristic if !integration.roots().is_empty() => {
            characteristic::fill_row(costs, integration, from, out);
        }
        DirectionRule::Characteristic | DirectionRule::BestNeighbour => {
            return best_neighbour::fill_row(costs, integration, from, out, lower);
        }
        DirectionRule::NegativeGradient => {
            return negative_gradient::fill_row(costs, integration, from, out, lower);
        }
        DirectionRule::Predecessor => predecessor::fill_row(costs, integration, from, out),
    }
    descent::fill_row(costs, integration, from, lower);
}
