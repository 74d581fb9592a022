//! Paths read off a flow field (system B's third step).

use super::FlowField;
use super::descent::nearest_step;
use super::map::FlowMap;
use crate::movement::STEPS;
use glam::IVec2;

impl FlowField {
    /// The grid step that the field makes from a cell: of the legal steps to cells of lower cost, the
    /// one nearest to the cell's direction. `None` at a goal and where there is no route.
    #[must_use]
    pub fn next_step(&self, cell: IVec2) -> Option<usize> {
        let index = self.index(cell);
        nearest_step(self.cells[index].lower, self.own_vector(index))
    }

    /// The cells from `start` to the goal cell that the field leads to, both included.
    ///
    /// Empty when `start` has no route. Where a link is taken the cell after its first is its last. Each step goes to a cell of lower cost, so there is
    /// nothing to be searched for loops and no limit on the length: linear in the path.
    #[must_use]
    pub fn path_from(&self, start: IVec2) -> Vec<IVec2> {
        follow(
            start,
            |cell| self.is_goal(cell),
            |cell| self.next_cell(cell),
        )
    }

    /// The cell that the field leads to from another one: the end of a link, or a neighbour. `None` at a goal and where
    /// there is no route.
    pub(crate) fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        let walk = || self.next_step(cell).map(|step| cell + STEPS[step]);
        self.link_from(cell).or_else(walk)
    }
}

/// The cells from `start` to a goal, both included, by what leads from one to the next; what there is of them where that
/// ends before.
pub(crate) fn follow(
    start: IVec2,
    is_goal: impl Fn(IVec2) -> bool,
    next: impl Fn(IVec2) -> Option<IVec2>,
) -> Vec<IVec2> {
    let mut path = Vec::new();
    let mut cell = start;
    while !is_goal(cell) {
        let Some(next) = next(cell) else {
            return path;
        };
        path.push(cell);
        cell = next;
    }
    path.push(cell);
    path
}
