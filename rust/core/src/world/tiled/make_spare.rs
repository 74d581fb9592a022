//! Preparation of memory for the next goal.

use crate::movement::CostField;
use crate::route::tiles::FieldMemory;
use crate::route::{GoalRoutes, PortalGraph};
use crate::world::FlowWorld;
use crate::world::tiled::spare::Spare;
use crate::world::tiled::tiling::Tiling;

impl Tiling {
    /// Takes the prepared memory for routes over a graph, or allocates new memory.
    pub(super) fn take_spare(&mut self, graph: &PortalGraph, costs: &CostField) -> Spare {
        let spare = self.spare.take();
        spare
            .filter(|spare| spare.field.is_for(graph.sectors()))
            .unwrap_or_else(|| Spare {
                routes: GoalRoutes::without_goals(graph, costs),
                field: FieldMemory::default(),
            })
    }
}

impl FlowWorld {
    /// Prepares memory for the next goal unless there is some.
    pub(super) fn make_spare(&mut self) {
        if self.tiling.spare.is_some() {
            return;
        }
        let mut graphs = self.tiling.graphs.iter().zip(&self.layers);
        let known = graphs.find_map(|(graph, layer)| Some((&graph.as_ref()?.graph, &layer.costs)));
        self.tiling.spare = known.map(|(graph, costs)| Spare::new(graph, costs));
    }
}
