//! Which cells would open and close with other walls, without an update.
//!
//! Only walls and clearance close cells, so neither wall penalties nor surcharges matter here.

use super::CostField;
use crate::grid::CellRect;
use crate::movement::clearance::WallBuffer;
use crate::movement::{BLOCKED, Clearance, MAX_COST};
use glam::IVec2;

impl CostField {
    /// The cells that would open or close if the walls in `rect` were those that `is_wall` tells: their stored indices,
    /// ascending, each with whether it would be open. `clearance` is that of the field's movement type.
    ///
    /// Linear in the cells of `rect` and those within reach of the clearance.
    pub(crate) fn opened_and_closed(
        &self,
        clearance: Clearance,
        rect: CellRect,
        is_wall: impl Fn(IVec2) -> bool,
    ) -> Vec<(u32, bool)> {
        let rect = rect.intersection(&self.cells());
        if rect.is_empty() {
            return Vec::new();
        }
        let reach = clearance.reach();
        // All walls that can close a cell which a wall in `rect` can close.
        let window = rect.grown(2 * reach as i32);
        let stride = (window.high.x - window.low.x) as usize;
        let mut walls = Vec::with_capacity(window.cell_count());
        for y in window.low.y..window.high.y {
            let is_fixed = !(rect.low.y..rect.high.y).contains(&y) || self.is_gap(y as usize);
            walls.extend((window.low.x..window.high.x).map(|x| {
                let cell = IVec2::new(x, y);
                if is_fixed || !rect.contains(cell) {
                    // Clearance reaches over walls where the floor continues on another layer.
                    let reaches_over = reach > 0 && self.contains(cell);
                    self.is_wall(cell) && !(reaches_over && self.continued.has(self.index(cell)))
                } else {
                    is_wall(cell)
                }
            }));
        }
        let inner = rect.grown(reach as i32).intersection(&self.cells());
        let columns = (inner.high.x - inner.low.x) as usize;
        let left = (inner.low.x - window.low.x) as usize;
        let mut buffer = WallBuffer::default();
        let (mut costs, mut known) = (vec![0; columns], vec![0; columns]);
        let mut changes = Vec::new();
        for y in inner.low.y..inner.high.y {
            if self.is_gap(y as usize) {
                continue;
            }
            let row = (y - window.low.y) as usize;
            costs.fill(MAX_COST);
            if reach > 0 {
                let first = (left, row);
                buffer.close_row(clearance, (&walls, stride), first, &mut costs);
                self.close_continued(y, inner.low.x, rect, &mut costs);
            } else {
                let walls = &walls[row * stride + left..][..columns];
                for (cost, _) in costs.iter_mut().zip(walls).filter(|(_, wall)| **wall) {
                    *cost = BLOCKED;
                }
            }
            let from = self.index(IVec2::new(inner.low.x, y));
            self.cost.copy_row(from, &mut known);
            for (x, (&cost, &known)) in costs.iter().zip(&known).enumerate() {
                let (opens, is_open) = (cost != BLOCKED, known != BLOCKED);
                if opens != is_open {
                    changes.push(((from + x) as u32, opens));
                }
            }
        }
        changes
    }

    /// Closes the walls outside of `rect` over which clearance reaches, in a part of row `y` from column `left` on.
    fn close_continued(&self, y: i32, left: i32, rect: CellRect, costs: &mut [u8]) {
        if self.continued.is_empty() {
            return;
        }
        for (x, cost) in (left..).zip(costs) {
            let cell = IVec2::new(x, y);
            if self.continued.has(self.index(cell)) && !rect.contains(cell) {
                *cost = BLOCKED;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{CellRect, Grid};
    use crate::movement::{BLOCKED, Clearance, CostField, MovementType, WallPenalty};
    use crate::random;
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        /// The cells that an update of the costs opens and closes.
        #[test]
        fn it_is_what_an_update_opens_and_closes(
            (width, height, layers) in (1_i32..40, 1_i32..20, 1_u32..3),
            corners in prop::array::uniform4(0_u32..1000),
            radius in prop_oneof![Just(0.0_f32), 0.5_f32..3.0, Just(16.0)],
            walls in 2_usize..30,
            seed in any::<u64>(),
        ) {
            let size = IVec2::new(width, height);
            let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("valid");
            let size = grid.size();
            let ends = |one: u32, other: u32, most: i32| {
                let (one, other) = (one as i32 % most, other as i32 % most);
                (one.min(other), one.max(other) + 1)
            };
            let ((left, right), (top, bottom)) =
                (ends(corners[0], corners[1], size.x), ends(corners[2], corners[3], size.y));
            let rect = CellRect { low: IVec2::new(left, top), high: IVec2::new(right, bottom) };
            let id = |key: u64, cell: IVec2| {
                let drawn = random::keyed(seed ^ key, cell.x as u64, cell.y as u64);
                [BLOCKED, 1, 7][(drawn as usize % walls).min(2)]
            };
            let mut terrain = Terrain::new(&grid);
            for index in 0..grid.cell_count() {
                terrain.set(grid.cell(index), id(0, grid.cell(index))).expect("inside");
            }
            let clearance = Clearance::new(radius).expect("in range");
            let penalty = WallPenalty::new(200, 2, true).expect("in range");
            let kind = MovementType::with_wall_penalty(penalty).with_clearance(clearance);
            let before = CostField::new(&grid, &terrain, &kind);
            let found = before.opened_and_closed(clearance, rect, |cell| id(1, cell) == BLOCKED);
            for y in rect.low.y..rect.high.y {
                for cell in (rect.low.x..rect.high.x).map(|x| IVec2::new(x, y)) {
                    terrain.set(cell, id(1, cell)).expect("inside");
                }
            }
            let after = CostField::new(&grid, &terrain, &kind);
            let cells = before.costs().iter().zip(after.costs()).enumerate();
            let expected: Vec<(u32, bool)> = cells
                .map(|(index, (&before, &after))| (index, before != BLOCKED, after != BLOCKED))
                .filter(|(_, before, after)| before != after)
                .map(|(index, _, after)| (index as u32, after))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
