//! Follows floors over seams: finds the walls that discs reach over.

use super::CostField;
use super::continued::Continued;
use crate::grid::links::Links;
use crate::grid::seams::Seams;
use crate::grid::{CellRect, Grid};
use crate::movement::{BLOCKED, MovementType};
use crate::terrain::Terrain;
use glam::IVec2;
use std::sync::Arc;

impl CostField {
    /// The cost field of `terrain` under `movement`, with these links and seams.
    pub(crate) fn joined(
        (grid, terrain): (&Grid, &Terrain),
        movement: &MovementType,
        (links, seams): (&Arc<Links>, &Arc<Seams>),
    ) -> Self {
        let mut field = Self::new(grid, terrain, movement);
        field.links = Arc::clone(links);
        if !seams.is_empty() {
            field.set_seams(Arc::clone(seams));
            let reach = Seams::reach(movement.clearance().reach());
            field.update(terrain, movement, &seams.rects(reach));
        }
        field
    }

    /// Sets the seams. [`Self::update`] must follow for all rectangles around seams that changed.
    pub(crate) fn set_seams(&mut self, seams: Arc<Seams>) {
        self.seams = seams;
    }

    /// Whether discs must not touch a cell: it is a wall, and no link on foot continues its floor on another layer. All
    /// cells outside the grid are obstacles.
    #[must_use]
    pub fn is_obstacle(&self, cell: IVec2) -> bool {
        !self.contains(cell) || self.is_obstacle_at(self.index(cell))
    }

    /// Whether a stored index is a wall that discs must not touch: a wall, unless the floor continues there on another
    /// layer.
    #[inline]
    pub(crate) fn is_obstacle_at(&self, index: usize) -> bool {
        self.is_wall_at(index) && !self.continued.has(index)
    }

    /// Whether there are walls that are no obstacles.
    #[inline]
    pub(crate) fn reaches_over_walls(&self) -> bool {
        !self.continued.is_empty()
    }

    /// Follows the floors beyond the seams anew if the terrain has changed around any of them.
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
        if !self.seams.is_empty() && !self.seams.is_near(regions, reach) {
            return;
        }
        let is_wall = |cell| {
            terrain
                .get(cell)
                .is_ok_and(|id| movement.cost_of(id) == BLOCKED)
        };
        let cells = self.seams.continued(reach, is_wall);
        let indices = cells.into_iter().map(|cell| self.index(cell));
        self.continued = Arc::new(Continued::of(indices, self.cost.len()));
    }
}
