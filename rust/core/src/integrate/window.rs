//! Integration over a window of a map, from the values around it.
//!
//! A window is a part of a map with a ring of one cell around it, whose values are known, and another ring, of which
//! only the ground is known, because the candidates of a cell depend on the ground around it. As there is only one
//! solution, windows that agree where they overlap together form the solution of the whole map.

use super::candidate::Start;
use super::field::{IntegrationField, UNREACHED};
use super::method::Method;
use super::scale::{SCALES, StepScale};
use super::solvers::Solvers;
use crate::movement::CostField;
use std::sync::Arc;

/// Solves windows and keeps its scratch memory between them.
#[derive(Debug)]
pub(crate) struct WindowSolver {
    solvers: Solvers,
    field: IntegrationField,
    fixed: Vec<bool>,
}

impl Default for WindowSolver {
    fn default() -> Self {
        Self {
            solvers: Solvers::default(),
            field: IntegrationField {
                method: Method::Eikonal,
                width: 0,
                stride: 0,
                scale: SCALES[0],
                cost: Vec::new(),
                goals: Vec::new(),
                roots: Arc::default(),
                highest: 0,
                tried: 0,
            },
            fixed: Vec::new(),
        }
    }
}

impl WindowSolver {
    /// The values of a window whose ground is `costs`, the outer ring as its border, from `starts`. `None`
    /// if costs came near the end of the number range, or the method's solver does not solve windows.
    ///
    /// The values of the ring do not change. The border is not reached, so that what follows from the
    /// solution depends on no more than the differences between the starts.
    pub(crate) fn solve(
        &mut self,
        method: Method,
        costs: &mut CostField,
        starts: &[Start],
        scale: StepScale,
    ) -> Option<&IntegrationField> {
        let field = &mut self.field;
        field.method = method;
        field.scale = scale;
        if (field.width, field.stride, field.cost.len())
            != (costs.width(), costs.stride(), costs.cell_count())
        {
            field.width = costs.width();
            field.stride = costs.stride();
            ring(costs, &mut self.fixed);
        }
        // The border has the least cost, so it takes no candidates.
        field.cost.clear();
        field.cost.resize(costs.cell_count(), 0);
        for y in 1..=costs.height() {
            field.cost[y * costs.stride() + 1..][..costs.width()].fill(UNREACHED);
        }
        let solver = self.solvers.of(method).in_windows()?;
        if !solver.solve_window(costs, starts, &self.fixed, field) {
            return None;
        }
        for row in field.cost.chunks_mut(costs.stride()) {
            (row[0], row[costs.width() + 1]) = (UNREACHED, UNREACHED);
        }
        let below = (costs.height() + 1) * costs.stride();
        for from in [0, below] {
            field.cost[from..][..costs.stride()].fill(UNREACHED);
        }
        Some(&self.field)
    }
}

/// Marks the outermost cells of a window and its border.
fn ring(costs: &CostField, fixed: &mut Vec<bool>) {
    fixed.clear();
    fixed.resize(costs.cell_count(), true);
    for y in 2..costs.height() {
        fixed[y * costs.stride() + 2..][..costs.width() - 2].fill(false);
    }
}
