//! Changes of single cells of a field: merges of two fields of one map that were made separately, and directions that
//! are known better than by the solver.

use super::map::FlowMap;
use super::{Direction, FlowField};
use glam::Vec2;

impl FlowField {
    /// Takes the directions of `cells`, given by stored index, from a field of the same map. Roots are those of the
    /// integration field, which must be merged as well: see [`Self::follow_roots`].
    pub(crate) fn take_directions(&mut self, from: &Self, cells: &[usize]) {
        let taken = |&(first, _): &(usize, usize)| cells.binary_search(&first).is_ok();
        self.links.retain(|link| !taken(link));
        self.links
            .extend(from.links.iter().filter(|link| taken(link)));
        self.links.sort_unstable();
        for &cell in cells {
            self.cells[cell] = from.cells[cell];
        }
    }

    /// Makes goals of cells, given by stored index.
    pub(crate) fn set_goals(&mut self, cells: &[usize]) {
        for &cell in cells {
            self.cells[cell].direction = Direction::GOAL;
        }
    }

    /// The direction or mark of a cell, given by stored index.
    pub(crate) fn mark_of(&self, cell: usize) -> Direction {
        self.cells[cell].direction
    }

    /// Turns the direction of a cell, given by stored index, to the unit vector `wanted`, if the cosine between them is
    /// at least `least` and the nearest step leads to lower cost.
    pub(crate) fn turn(&mut self, cell: usize, wanted: Vec2, least: f32) {
        let mark = self.cells[cell].direction;
        if !mark.is_angle() && mark != Direction::STRAIGHT {
            return;
        }
        let leads_down = |step: usize| self.cells[cell].lower >> step & 1 == 1;
        if self.own_vector(cell).dot(wanted) >= least
            && let Some(direction) = Direction::from_vector(wanted)
            && direction.step().is_some_and(leads_down)
        {
            self.cells[cell].direction = direction;
        }
    }
}
