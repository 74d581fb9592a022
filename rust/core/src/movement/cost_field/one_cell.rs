//! The update of a single cell on which no other cell's cost depends.
//!
//! The update of one cell takes a microsecond if its code is in the cache: most of its time goes into fetching code
//! that has not run since the last edit. So this is little code, without the handling of rows, reaches and several
//! regions.

use super::CostField;
use super::histogram::extremes;
use super::legal_steps::legal_steps;
use crate::grid::CellRect;
use crate::movement::{Changes, MovementType};
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
        let old = std::mem::replace(&mut self.cost[index], fresh);
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
        let mut changed = Vec::with_capacity(9);
        for y in around.low.y..around.high.y {
            for x in around.low.x..around.high.x {
                let at = self.index(IVec2::new(x, y));
                let rows = [at - self.stride, at, at + self.stride];
                let steps = legal_steps(rows.map(|middle| &self.cost[middle - 1..]), 0);
                let known = std::mem::replace(&mut self.steps[at], steps);
                if known != steps || at == index {
                    changed.push(at as u32);
                }
            }
        }
        Changes::Cells(changed)
    }
}
