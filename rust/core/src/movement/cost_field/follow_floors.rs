//! Follows floors over seams: finds the walls that discs reach over.

use super::CostField;
use super::continued::Continued;
use crate::grid::CellRect;
use crate::grid::seams::Seams;
use crate::movement::{BLOCKED, MovementType};
use crate::terrain::Terrain;
use glam::IVec2;
use std::sync::Arc;

impl CostField {
    /// Sets the seams. [`Self::update`] must follow for all rectangles around seams that changed.
    pub(crate) fn set_seams(&mut self, seams: Arc<Seams>) {
        self.seams = seams;
    }

    /// Whether discs must not touch a cell: it is a wall, and no link on foot continues its floor on another layer. All
    /// cells outside the grid are obstacles.
    #[must_use]
    pub fn is_obstacle(&self, cell: IVec2) -> bool {
        !self.contains(cell) || self.is_obstacle_in(cell)
    }

    /// [`Self::is_obstacle`] for a cell of the grid or the border.
    #[inline]
    pub(crate) fn is_obstacle_in(&self, cell: IVec2) -> bool {
        self.is_wall_in(cell) && !self.continued.has(self.index(cell))
    }

    /// Whether there are walls that are no obstacles.
    #[inline]
    pub(crate) fn reaches_over_walls(&self) -> bool {
        !self.continued.is_empty()
    }

    /// The stored indices of the walls that discs reach over, ascending.
    pub(crate) fn continued_walls(&self) -> Vec<u32> {
        let all = 0..self.cell_count();
        let continued = all.filter(|&index| self.continued.has(index));
        continued.map(|index| index as u32).collect()
    }

    /// Replaces the walls that discs reach over. False if cells outside the grid are among them.
    pub(crate) fn put_continued_walls(&mut self, indices: &[u32]) -> bool {
        let indices = indices.iter().map(|&index| index as usize);
        let is_inside = |index| index < self.cell_count() && self.contains(self.cell(index));
        if !indices.clone().all(is_inside) {
            return false;
        }
        // The next update follows the floors by the present seams.
        let unknown = Arc::default();
        self.continued = Arc::new(Continued::of(indices, self.cell_count(), &unknown));
        true
    }

    /// Follows the floors beyond the seams anew if there are other seams, or the terrain has changed around any of
    /// them.
    pub(super) fn follow_floors(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        regions: &[CellRect],
    ) {
        if self.seams.is_empty() && self.continued.is_empty() {
            return;
        }
        let reach = Seams::reach(movement.clearance().reach());
        if self.continued.is_by(&self.seams) && !self.seams.is_near(regions, reach) {
            return;
        }
        let is_wall = |cell| {
            terrain
                .get(cell)
                .is_ok_and(|id| movement.cost_of(id) == BLOCKED)
        };
        let cells = self.seams.continued(reach, is_wall);
        let indices = cells.into_iter().map(|cell| self.index(cell));
        let stored = self.stride * (self.height + 2);
        self.continued = Arc::new(Continued::of(indices, stored, &self.seams));
    }
}
