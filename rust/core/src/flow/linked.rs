//! Cells from which the way goes on by a link.
//!
//! A cell's cost is the least of what its neighbours and its links offer. Where it is a link's, the link's
//! end costs less than the cell, so an agent that takes it comes closer to the goal, as with any step.

use super::{Direction, FlowField};
use crate::integrate::IntegrationField;
use crate::movement::CostField;
use glam::IVec2;

impl FlowField {
    /// Marks the cells from which no neighbour is better than a link, but for goals.
    pub(super) fn mark_links(&mut self, costs: &CostField, integration: &IntegrationField) {
        self.links.clear();
        let stored = integration.stored();
        for way in costs.links().ways() {
            let (known, end) = (stored[way.from], stored[way.to]);
            let is_best = end < known && way.offer(integration.scale(), end) == known;
            let is_goal = self.cells[way.from].direction == Direction::GOAL;
            // Of several as good the first.
            let is_marked = self.links.last().is_some_and(|&(from, _)| from == way.from);
            if is_best && integration.is_reached(way.from) && !is_goal && !is_marked {
                self.cells[way.from].direction = Direction::LINK;
                self.links.push((way.from, way.to));
            }
        }
    }

    /// Where the link leads that is to be taken from a cell of the grid.
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
