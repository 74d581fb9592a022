//! Flow: from integrated costs to a direction per cell, and to the direction at a point.
//!
//! `field.rs` is the field, and `rows.rs` fills it. Each rule has a file of its own, which [`fill`] calls. `sample.rs`
//! finds the direction at a point, `path.rs` follows a field to its goal.

mod best_neighbour;
mod cell;
mod characteristic;
mod descent;
mod field;
mod lean;
mod leave;
mod linked;
mod map;
mod narrow;
mod negative_gradient;
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
pub(crate) use part_fill::PartFill;
pub(crate) use path::follow;
pub(crate) use sample::{nearest_within, sample, sees_target};
pub(crate) use target_bounds::TargetBounds;
pub(crate) use window::fill_window;

use crate::integrate::{IntegrationField, Method, Solver};
use crate::movement::CostField;

/// How a cell's direction follows from the integrated costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectionRule {
    /// Along the shortest path, at any angle where the solver finds such paths; as [`Self::BestNeighbour`]
    /// where it finds paths of grid steps.
    #[default]
    Characteristic,
    /// Towards the neighbour on a cheapest path (system B): one of eight directions.
    BestNeighbour,
    /// Down the slope of the costs (system A): any angle.
    NegativeGradient,
    /// Back along the wavefront, in costs that have a penalty on diagonals (system C): one of eight
    /// directions. Goes with the costs of [`crate::integrate::PredecessorSolver`] only.
    Predecessor,
}

impl DirectionRule {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 4] = [
        Self::BestNeighbour,
        Self::NegativeGradient,
        Self::Predecessor,
        Self::Characteristic,
    ];

    /// How the costs are computed that this rule reads: system C's directions come with its costs.
    #[must_use]
    pub fn method(self, solver: Solver) -> Method {
        match (self, solver) {
            (Self::Predecessor, _) => Method::Predecessor,
            (_, solver) => solver.into(),
        }
    }
}

/// Writes the directions, by `rule`, of the cells from stored index `from` on, which are of one row,
/// and the steps to lower cells. Entries of goals are unspecified.
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
