//! The ground around the end of a link.

use crate::grid::CellRect;
use crate::movement::CostField;
use glam::IVec2;

/// The cells around the end of a link that are connected with it. Between uses only its capacity is kept.
#[derive(Debug, Default)]
pub(super) struct Floor {
    low: IVec2,
    edge: i32,
    /// Which of the cells from `low` on are connected, in rows of `edge` cells.
    inside: Vec<bool>,
    front: Vec<IVec2>,
}

impl Floor {
    /// Finds the cells at most `reach` from a cell along each axis that are connected with it, and returns their
    /// number.
    pub(super) fn flood(&mut self, costs: &CostField, from: IVec2, reach: i32) -> usize {
        self.low = from - reach;
        self.edge = 2 * reach + 1;
        self.inside.clear();
        self.inside.resize((self.edge * self.edge) as usize, false);
        self.front.clear();
        self.front.reserve(self.inside.len());
        self.enter(costs, from);
        let mut done = 0;
        while let Some(&cell) = self.front.get(done) {
            for step in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
                self.enter(costs, cell + step);
            }
            done += 1;
        }
        done
    }

    fn enter(&mut self, costs: &CostField, cell: IVec2) {
        if self.cells().contains(cell) && !costs.is_wall(cell) {
            let index = self.index(cell);
            if !std::mem::replace(&mut self.inside[index], true) {
                self.front.push(cell);
            }
        }
    }

    pub(super) fn cells(&self) -> CellRect {
        CellRect {
            low: self.low,
            high: self.low + self.edge,
        }
    }

    pub(super) fn has(&self, cell: IVec2) -> bool {
        self.cells().contains(cell) && self.inside[self.index(cell)]
    }

    fn index(&self, cell: IVec2) -> usize {
        let at = cell - self.low;
        (at.y * self.edge + at.x) as usize
    }
}
