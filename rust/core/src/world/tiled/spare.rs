//! Prepared memory for the routes and tiles of the next goal.
//!
//! The first write to a page of new memory costs microseconds, and an order across a very large map needs 250 pages.
//! Memory is therefore prepared, and written to, together with the portal graph, and again in an update that has time
//! left.

use crate::movement::CostField;
use crate::route::tiles::FieldMemory;
use crate::route::{GoalRoutes, PortalGraph};

/// The memory for one goal and movement type.
#[derive(Debug)]
pub(super) struct Spare {
    /// Routes without goals.
    pub(super) routes: GoalRoutes,
    pub(super) field: FieldMemory,
}

impl Spare {
    pub(super) fn new(graph: &PortalGraph, costs: &CostField) -> Self {
        Self {
            routes: GoalRoutes::with_room(graph, costs),
            field: FieldMemory::with_room(graph.sectors()),
        }
    }
}
