//! Which cells of a map are open and which are walls, in a bit for each.

use crate::movement::{BLOCKED, CostField};
use glam::IVec2;

/// Which cells of a map are open, and which are walls.
#[derive(Debug, Clone)]
pub(in crate::world) struct GroundMap {
    size: IVec2,
    stride: usize,
    /// The open cells, bordered like the costs.
    open: Vec<u64>,
    /// The walls, if other cells are closed as well.
    walls: Vec<u64>,
}

impl GroundMap {
    pub(super) fn new(costs: &CostField) -> Self {
        let words = costs.cell_count().div_ceil(64);
        let mut open = vec![0; words];
        let stride = costs.stride();
        let rows = costs.cell_count() / stride;
        for row in 0..rows {
            costs.for_each_open_in(row, |columns| {
                for index in columns.map(|x| row * stride + x) {
                    open[index / 64] |= 1 << (index % 64);
                }
            });
        }
        let mut walls = Vec::new();
        if costs.has_clearance() {
            walls = vec![u64::MAX; words];
            for row in 0..rows {
                costs.for_each_floor_in(row, |columns| {
                    for index in columns.map(|x| row * stride + x) {
                        walls[index / 64] &= !(1 << (index % 64));
                    }
                });
            }
        }
        Self {
            size: IVec2::new(costs.width() as i32, costs.height() as i32),
            stride,
            open,
            walls,
        }
    }

    /// The same after the cells `changed`, given by stored index, have changed.
    pub(super) fn updated(&self, costs: &CostField, changed: &[u32]) -> Self {
        let mut new = self.clone();
        for &index in changed {
            let index = index as usize;
            let set = |bits: &mut Vec<u64>, is_set: bool| {
                let bit = 1 << (index % 64);
                let word = &mut bits[index / 64];
                *word = if is_set { *word | bit } else { *word & !bit };
            };
            set(&mut new.open, costs.cost_of(index) != BLOCKED);
            if costs.has_clearance() {
                set(&mut new.walls, costs.is_wall_at(index));
            }
        }
        new
    }

    pub(super) fn size(&self) -> IVec2 {
        self.size
    }

    /// Whether a cell of the grid can be entered.
    pub(super) fn is_open(&self, cell: IVec2) -> bool {
        self.has(&self.open, cell)
    }

    /// Whether a cell of the grid is a wall.
    #[inline]
    pub(super) fn is_wall(&self, cell: IVec2) -> bool {
        if self.walls.is_empty() {
            !self.is_open(cell)
        } else {
            self.has(&self.walls, cell)
        }
    }

    #[inline]
    fn has(&self, bits: &[u64], cell: IVec2) -> bool {
        let index = (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize;
        bits[index / 64] >> (index % 64) & 1 == 1
    }
}
