//! Cells from which the path continues by a link.
//!
//! A cell's cost is the least candidate of its neighbours and its links. If that is a link's, the cost at the link's
//! end is lower than the cell's, so taking the link leads closer to the goal, like any step.

use super::{Direction, FlowField};
use crate::integrate::IntegrationField;
use crate::movement::CostField;
use glam::IVec2;

impl FlowField {
    /// Marks the cells, except goals, from which a link is at least as good as every neighbour.
    pub(super) fn mark_links(&mut self, costs: &CostField, integration: &IntegrationField) {
        self.links.clear();
        let stored = integration.stored();
        for edge in costs.links().edges() {
            let (known, end) = (stored[edge.from], stored[edge.to]);
            let is_best = end < known && edge.candidate(integration.scale(), end) == known;
            let is_goal = self.cells[edge.from].direction == Direction::GOAL;
            // The first of several equally good links.
            let is_marked = self
                .links
                .last()
                .is_some_and(|&(from, _)| from == edge.from);
            if is_best && integration.is_reached(edge.from) && !is_goal && !is_marked {
                self.cells[edge.from].direction = Direction::LINK;
                self.links.push((edge.from, edge.to));
            }
        }
    }

    /// The end of the link that the path from a cell of the grid takes; `None` if it takes none.
    #[must_use]
    #[inline]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        if self.links.is_empty() {
            return None;
        }
        let index = self.index(cell);
        let found = self.links.binary_search_by_key(&index, |&(from, _)| from);
        let (_, to) = self.links[found.ok()?];
        Some(IVec2::new(
            (to % self.stride) as i32 - 1,
            (to / self.stride) as i32 - 1,
        ))
    }
}
