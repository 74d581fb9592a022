//! The id of a goal, and the cells and targets that it leads to.

use crate::bytes::{Saved, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::integrate::GoalCell;
use glam::Vec2;
use std::sync::Arc;

/// Names a goal; never reused within a world, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub i64);

impl Saved for GoalId {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        i64::read(input).map(Self)
    }
}

/// Where the paths to a goal end, in cell space: the goal cells with their initial costs, and the exact targets. Of two
/// targets in one cell the cheaper one comes first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Destination {
    pub(super) cells: Vec<GoalCell>,
    pub(super) targets: Arc<[Vec2]>,
}

/// The cells of `targets`, and their positions in cell space. Of two targets in one cell the cheaper one comes first.
pub(super) fn in_cells(
    grid: &Grid,
    targets: &[Vec2],
    initial_costs: &[f32],
) -> (Vec<GoalCell>, Vec<Vec2>) {
    let costs = initial_costs.iter().copied();
    let mut targets: Vec<(f32, Vec2)> = costs.zip(targets.iter().copied()).collect();
    targets.sort_by(|one, other| one.0.total_cmp(&other.0));
    let cell = |&(cost, target): &(f32, Vec2)| GoalCell {
        cell: grid.cell_at(target),
        cost,
    };
    let cells = targets.iter().map(cell).collect();
    let place = |&(_, target): &(f32, Vec2)| grid.to_cell_space(target);
    (cells, targets.iter().map(place).collect())
}
