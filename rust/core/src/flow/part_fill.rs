//! Directions that are found in parts, so that no tick has to pay for a whole map.

use super::cell::FlowCell;
use super::rows::fill_rows;
use super::{DirectionRule, FlowField, fill, predecessor};
use crate::flow::descent;
use crate::integrate::{IntegrationField, Predecessors};
use crate::movement::CostField;
use glam::Vec2;

/// How many directions are found in the time in which one cell's cost is.
const FILLED_FOR_ONE: usize = 12;

/// A field on its way. What it is made from must stay the same.
#[derive(Debug)]
pub(crate) struct PartFill {
    field: FlowField,
    /// How many rows are done.
    done: usize,
}

impl PartFill {
    /// A field of directions in the memory of another.
    pub(crate) fn new(memory: FlowField) -> Self {
        Self {
            field: memory,
            done: 0,
        }
    }

    /// Goes on for a `budget` of cells, which it takes off; says whether all rows are done.
    pub(crate) fn advance(
        &mut self,
        costs: &CostField,
        integration: &IntegrationField,
        record: Option<&Predecessors>,
        rule: DirectionRule,
        budget: &mut usize,
    ) -> bool {
        if self.done == 0 {
            self.field.make_room(costs);
        }
        let stride = costs.stride();
        let affordable = (*budget * FILLED_FOR_ONE).div_ceil(stride);
        let rows = affordable.min(costs.height() - self.done);
        // With the border below. Memory that is touched for the first time takes longer than all else.
        let end = (self.done + rows + 2) * stride;
        let cells = &mut self.field.cells;
        cells.resize(cells.len().max(end), FlowCell::WALL);
        let first = (self.done + 1) * stride;
        let out = &mut self.field.cells[first..first + rows * stride];
        match record {
            Some(record) => fill_rows(costs, integration, first, out, &|from, out, lower| {
                predecessor::copy_record(costs, record, from, out);
                descent::fill_row(costs, integration, from, lower);
            }),
            None => fill_rows(costs, integration, first, out, &|from, out, lower| {
                fill(costs, integration, rule, from, out, lower);
            }),
        }
        self.done += rows;
        *budget = budget.saturating_sub((rows * stride).div_ceil(FILLED_FOR_ONE));
        self.done == costs.height()
    }

    /// The field, all of whose rows are done.
    pub(crate) fn finish(
        mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
    ) -> FlowField {
        self.field.finish(costs, integration, targets);
        self.field.follow_roots(integration, rule);
        self.field
    }
}
