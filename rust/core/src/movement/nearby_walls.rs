//! The walls around a point (the wall half of system A's GetIDSandCloseWall).

use super::CostField;
use crate::grid::floor_to_cell;
use glam::{IVec2, Vec2};

impl CostField {
    /// [`Self::for_each_wall_near`] for the walls that a disc must not touch: not for those where the floor continues
    /// on another layer.
    #[inline]
    pub(crate) fn for_each_obstacle_near(
        &self,
        point: Vec2,
        radius: f32,
        mut visit: impl FnMut(IVec2, Vec2),
    ) {
        self.for_each_wall_near(point, radius, |cell, closest| {
            if self.is_obstacle_in(cell) {
                visit(cell, closest);
            }
        });
    }

    /// Calls `visit(cell, closest)` for every wall cell whose nearest point to `point` is at most `radius` away, row by
    /// row. All values are in cell space.
    ///
    /// The ring of cells around the grid counts as wall; cells that only lack clearance do not.
    #[inline]
    pub fn for_each_wall_near(&self, point: Vec2, radius: f32, mut visit: impl FnMut(IVec2, Vec2)) {
        let last = IVec2::new(self.width() as i32, self.height() as i32);
        let reach = Vec2::splat(radius);
        let low = floor_to_cell(point - reach).clamp(IVec2::NEG_ONE, last);
        let high = floor_to_cell(point + reach).clamp(IVec2::NEG_ONE, last);
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = IVec2::new(x, y);
                if !self.is_wall_in(cell) {
                    continue;
                }
                let corner = cell.as_vec2();
                let closest = point.clamp(corner, corner + 1.0);
                if closest.distance_squared(point) <= radius * radius {
                    visit(cell, closest);
                }
            }
        }
    }
}
