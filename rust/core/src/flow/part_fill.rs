//! Fills a field in parts, so that no tick has to fill a whole map.

use super::cell::FlowCell;
use super::rows::fill_rows;
use super::{DirectionRule, FlowField, fill, predecessor};
use crate::flow::descent;
use crate::integrate::{IntegrationField, Predecessors};
use crate::movement::CostField;
use glam::Vec2;

/// The number of directions that are found in the time of one cell's cost.
const FILLED_FOR_ONE: usize = 12;

/// A field that is being filled. Its inputs must not change.
#[derive(Debug)]
pub(crate) struct PartFill {
    field: FlowField,
    /// The number of rows that are filled.
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

    /// The memory, whatever is filled.
    pub(crate) fn into_memory(self) -> FlowField {
        self.field
    }

    /// Continues for a `budget` of cells, which it reduces. Returns whether all rows are filled.
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
        // Includes the border below. Touching memory for the first time takes longer than all other work.
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

    /// The finished field. All rows must be filled.
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
