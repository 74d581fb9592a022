//! The update of a single cell on which no other cell's cost depends.
//!
//! The update of one cell takes a microsecond if its code is in the cache: most of its time goes into fetching code
//! that has not run since the last edit. So this is little code, without the handling of rows, reaches and several
//! regions.

use super::CostField;
use super::histogram::extremes;
use super::legal_steps::legal_steps;
use crate::grid::CellRect;
use crate::movement::{BLOCKED, Changes, MovementType};
use crate::terrain::Terrain;
use glam::IVec2;

impl CostField {
    /// The only cell of the `regions`, if they are a single cell and no other cell's cost depends on it.
    pub(super) fn only_cell(&self, movement: &MovementType, regions: &[CellRect]) -> Option<IVec2> {
        let &[region] = regions else {
            return None;
        };
        let is_one = region.high - region.low == IVec2::ONE && self.written().contains(region.low);
        let is_plain = movement.wall_penalty().reach() == 0
            && self.walls.is_empty()
            && self.surcharged.is_none()
            && !self.is_gap(region.low.y as usize);
        (is_one && is_plain).then_some(region.low)
    }

    /// [`Self::update`] of such a cell.
    pub(super) fn update_cell(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        cell: IVec2,
    ) -> Changes {
        let Ok(id) = terrain.get(cell) else {
            return Changes::Cells(Vec::new());
        };
        let (index, fresh) = (self.index(cell), movement.cost_of(id));
        let old = self.cost.replace(index, fresh);
        if old == fresh {
            return Changes::Cells(Vec::new());
        }
        self.histogram[usize::from(old)] -= 1;
        self.histogram[usize::from(fresh)] += 1;
        // Otherwise the least and the greatest cost stay the same.
        if self.histogram[usize::from(old)] == 0 || self.histogram[usize::from(fresh)] == 1 {
            self.extremes = extremes(&self.histogram);
        }
        let around = CellRect::cell(cell).grown(1).intersection(&self.written());
        let first = self.index(around.low) - self.stride - 1;
        let columns = (around.high.x - around.low.x) as usize + 2;
        let mut near = [[BLOCKED; 5]; 5];
        let rows = (around.high.y - around.low.y) as usize + 2;
        for (y, row) in near.iter_mut().enumerate().take(rows) {
            let from = first + y * self.stride;
            self.cost.copy_row(from, &mut row[..columns]);
        }
        let mut changed = Vec::with_capacity(9);
        for y in around.low.y..around.high.y {
            for x in around.low.x..around.high.x {
                let at = self.index(IVec2::new(x, y));
                let (column, row) = ((x - around.low.x) as usize, (y - around.low.y) as usize);
                let rows = [row, row + 1, row + 2].map(|row| near[row].as_slice());
                let steps = legal_steps(rows, column);
                let known = self.steps.replace(at, steps);
                if known != steps || at == index {
                    changed.push(at as u32);
                }
            }
        }
        Changes::Cells(changed)
    }
}
