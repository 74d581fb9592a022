//! Memory that is ready for the ways to another goal.
//!
//! Memory that has just come from the system costs microseconds a page when it is first written, and the ways of an
//! order across a very large map take 250 pages. So there is always some that has been written: it is made with the
//! portal graph, and again in an update that has time left.

use super::Tiling;
use crate::movement::CostField;
use crate::route::tiles::FieldMemory;
use crate::route::{GoalRoutes, PortalGraph};
use crate::world::FlowWorld;

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

impl Tiling {
    /// What is ready for ways over a graph, or else what is made at once.
    pub(super) fn take_spare(&mut self, graph: &PortalGraph, costs: &CostField) -> Spare {
        let spare = self.spare.take();
        spare
            .filter(|spare| spare.field.is_for(graph.sectors()))
            .unwrap_or_else(|| Spare {
                routes: GoalRoutes::nowhere(graph, costs),
                field: FieldMemory::default(),
            })
    }
}

impl FlowWorld {
    /// Makes ready what the next goal needs, unless it is.
    pub(super) fn make_spare(&mut self) {
        if self.tiling.spare.is_some() {
            return;
        }
        let mut graphs = self.tiling.graphs.iter().zip(&self.layers);
        let known = graphs.find_map(|(graph, layer)| Some((&graph.as_ref()?.graph, &layer.costs)));
        self.tiling.spare = known.map(|(graph, costs)| Spare::new(graph, costs));
    }
}
