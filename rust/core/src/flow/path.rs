//! Paths read off a flow field (system B's third step).

use super::{Direction, FlowField};
use crate::movement::STEPS;
use glam::IVec2;

impl FlowField {
    /// The cells from `start` to the goal cell that the field leads to, both included.
    ///
    /// Empty when `start` has no route. Each step goes to a cell of lower cost, so there is
    /// nothing to be searched for loops and no limit on the length: linear in the path.
    #[must_use]
    pub fn path_from(&self, start: IVec2) -> Vec<IVec2> {
        let mut path = Vec::new();
        let mut cell = start;
        while let Some(step) = self.direction_at(cell).step() {
            path.push(cell);
            cell += STEPS[step];
        }
        if self.direction_at(cell) == Direction::GOAL {
            path.push(cell);
        }
        path
    }
}
