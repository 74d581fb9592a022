//! Paths along a flow field (system B's third step).

use super::FlowField;
use super::descent::nearest_step;
use super::map::FlowMap;
use crate::grid::STEPS;
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
    /// Empty if `start` has no route. A link appears as its first cell followed by its last cell. Each step leads to a
    /// cell of lower cost, so no search for loops and no limit of the length are needed. Linear in the path.
    #[must_use]
    pub fn path_from(&self, start: IVec2) -> Vec<IVec2> {
        follow(
            start,
            |cell| self.is_goal(cell),
            |cell| self.next_cell(cell),
        )
    }

    /// The next cell on the path from a cell: the end of a link, or a neighbour. `None` at a goal and where there is no
    /// route.
    pub(crate) fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        let walk = || self.next_step(cell).map(|step| cell + STEPS[step]);
        self.link_from(cell).or_else(walk)
    }
}

/// The cells from `start` to a goal, both included, where `next` gives the cell after another. If it ends before a
/// goal, the cells up to there.
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
