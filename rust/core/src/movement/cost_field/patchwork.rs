//! Maps of several parts of a cost field, with other costs, for the zones of goals.

use super::CostField;
use super::cell_values::CellValues;
use crate::grid::CellRect;
use crate::movement::BLOCKED;
use std::sync::Arc;

impl CostField {
    /// The cells of some rectangles as one map of `width` by `height` cells. Each rectangle comes with the first row of
    /// its cells on the new map. All other cells are walls, and there are no links.
    pub(crate) fn patch_together(
        &self,
        (width, height): (usize, usize),
        pieces: impl Iterator<Item = (CellRect, usize)>,
    ) -> Self {
        let mut map = Self::empty();
        (map.width, map.height, map.stride) = (width, height, width + 2);
        let count = map.stride * (height + 2);
        let mut cost = vec![BLOCKED; count];
        let mut walls = vec![true; if self.has_clearance() { count } else { 0 }];
        for (cells, row) in pieces {
            let length = (cells.high.x - cells.low.x) as usize;
            for y in cells.low.y..cells.high.y {
                let from = (y + 1) as usize * self.stride + (cells.low.x + 1) as usize;
                let to = (row + (y - cells.low.y) as usize + 1) * map.stride + 1;
                self.cost.copy_row(from, &mut cost[to..to + length]);
                if self.has_clearance() {
                    self.walls.copy_row(from, &mut walls[to..to + length]);
                }
            }
        }
        map.cost = CellValues::Flat(cost);
        map.steps = CellValues::Flat(vec![0; count]);
        map.walls = CellValues::Flat(walls);
        map.find_window_steps();
        map
    }

    /// The same map with a cost of 1 for every cell that is not a wall, whatever clearance it has.
    pub(crate) fn leveled(&self) -> Self {
        let mut map = self.with_costs(|_| 1);
        map.walls = CellValues::none();
        map
    }

    /// The same map with other costs for its cells that are not walls. `cost_of` takes a stored index and returns the
    /// new cost. Cells that it closes are walls if the map has no clearance.
    pub(crate) fn with_costs(&self, cost_of: impl Fn(usize) -> u8) -> Self {
        let mut map = self.clone();
        for (index, cost) in map.cost.array_mut().iter_mut().enumerate() {
            let is_wall = match self.has_clearance() {
                true => self.walls.get(index),
                false => *cost == BLOCKED,
            };
            *cost = if is_wall { BLOCKED } else { cost_of(index) };
        }
        map.find_window_steps();
        map
    }

    /// The same map with the links in the opposite direction.
    pub(crate) fn against_links(mut self) -> Self {
        if !self.links.is_empty() {
            self.links = Arc::new(self.links.reversed());
        }
        self
    }

    /// Takes the links of another map. `place` returns the stored index on this map for one of the other map.
    pub(crate) fn take_links(&mut self, from: &Self, place: impl Fn(usize) -> Option<usize>) {
        if !from.links.is_empty() {
            self.links = Arc::new(from.links.carried_over(place));
        }
    }
}
