//! Memory that is ready for the ways to another goal.
//!
//! Memory that has just come from the system costs microseconds a page when it is first written, and the ways of an
//! order across a very large map take 250 pages. So there is always some that has been written: it is made with the
//! portal graph, and again in an update that has time left.

use crate::movement::CostField;
use crate::route::tiles::FieldMemory;
use crate::route::{GoalRoutes, PortalGraph};

/// What the ways to a goal are made in.
#[derive(Debug)]
pub(super) struct Spare {
    /// To no goal yet.
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
