//! Flow: from integrated costs to a direction per cell, and to the direction at a point.

mod best_neighbour;
mod direction;
mod negative_gradient;
mod path;
mod sample;

pub use direction::{ANGLES, Direction};

use crate::integrate::IntegrationField;
use crate::movement::{BLOCKED, CostField};
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::ops::Range;

/// How a cell's direction follows from the integrated costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectionRule {
    /// Towards the neighbour on a cheapest path (system B): one of eight directions.
    #[default]
    BestNeighbour,
    /// Down the slope of the costs (system A): any angle.
    NegativeGradient,
}

/// A direction per cell, with the border of the [`CostField`] it was made from.
///
/// Whatever the rule, each direction's nearest grid step is legal and leads to
/// a cell of strictly lower cost. Following steps therefore ends in a goal from
/// every reachable cell, without any limit on their number.
#[derive(Debug, Clone)]
pub struct FlowField {
    width: usize,
    height: usize,
    stride: usize,
    directions: Vec<Direction>,
    /// Exact target points by the stored index of their goal cell, in cell space, sorted.
    targets: Vec<(usize, Vec2)>,
}

/// Rows per piece of parallel work: enough to be worth a steal.
const ROWS_PER_TASK: usize = 16;

impl FlowField {
    /// The directions of `integration`, which must come from `costs`; `targets` are the goal's
    /// exact points in cell space.
    ///
    /// Linear in the cells, spread over `workers`.
    #[must_use]
    pub fn new(
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
        workers: &Workers,
    ) -> Self {
        let stride = costs.stride();
        let mut directions = vec![Direction::WALL; costs.costs().len()];
        let inner = &mut directions[stride..(costs.height() + 1) * stride];
        workers.for_each_chunk(inner, ROWS_PER_TASK * stride, |offset, rows| {
            for (row, out) in rows.chunks_mut(stride).enumerate() {
                // Row 0 is the border.
                let from = stride + offset + row * stride + 1;
                let out = &mut out[1..=costs.width()];
                fill(costs, integration, rule, from, out);
            }
        });
        for &goal in integration.goals() {
            directions[goal] = Direction::GOAL;
        }
        Self {
            width: costs.width(),
            height: costs.height(),
            stride,
            directions,
            targets: open_targets(costs, targets),
        }
    }

    /// Brings the field up to date with a repaired `integration` in the `cells` that may have other
    /// directions now, given as runs of stored indices along rows. All else must be what
    /// [`Self::new`] was given.
    pub fn update(
        &mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
        cells: &[Range<usize>],
    ) {
        for run in cells {
            let out = &mut self.directions[run.clone()];
            fill(costs, integration, rule, run.start, out);
        }
        for &goal in integration.goals() {
            self.directions[goal] = Direction::GOAL;
        }
        self.targets = open_targets(costs, targets);
    }

    #[inline]
    fn index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    /// The direction of a cell of the grid.
    #[must_use]
    #[inline]
    pub fn direction_at(&self, cell: IVec2) -> Direction {
        self.directions[self.index(cell)]
    }

    /// All directions without the border, row-major, as unit vectors or zero.
    #[must_use]
    pub fn to_vectors(&self) -> Vec<Vec2> {
        self.directions
            .chunks(self.stride)
            .skip(1)
            .take(self.height)
            .flat_map(|row| &row[1..=self.width])
            .map(|direction| direction.vector())
            .collect()
    }
}

/// Writes the directions, by `rule`, of the cells from stored index `from` on, which are of one row.
/// What goals get is of no account.
fn fill(
    costs: &CostField,
    integration: &IntegrationField,
    rule: DirectionRule,
    from: usize,
    out: &mut [Direction],
) {
    match rule {
        DirectionRule::BestNeighbour => best_neighbour::fill_row(costs, integration, from, out),
        DirectionRule::NegativeGradient => {
            negative_gradient::fill_row(costs, integration, from, out);
        }
    }
}

/// The targets that are not in walls, by the stored index of their cell.
fn open_targets(costs: &CostField, targets: &[Vec2]) -> Vec<(usize, Vec2)> {
    let mut targets: Vec<(usize, Vec2)> = targets
        .iter()
        .map(|&target| (crate::grid::floor_to_cell(target), target))
        .filter(|&(cell, _)| costs.cost_at(cell) != BLOCKED)
        .map(|(cell, target)| (costs.index(cell), target))
        .collect();
    targets.sort_by_key(|&(index, _)| index);
    targets
}
