//! Integration over a window of a map, from values that lie around it.
//!
//! A window is a piece of a map with a ring of one cell around it, whose values
//! are known, and another ring, of which only the ground is known: what a cell
//! offers depends on the ground around it. Since the cheapest offers have one
//! solution, windows that agree where they overlap have together the solution
//! of the whole map.

use super::eikonal::EikonalSolver;
use super::octile::OctileSolver;
use super::offer::Candidate;
use super::root::Root;
use super::seeds::Seed;
use super::{IntegrationField, Method, SCALES, StepScale, UNREACHED};
use crate::movement::CostField;
use std::sync::Arc;

/// A cell whose value is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// Stored index in the window.
    pub(crate) index: usize,
    /// What it has.
    pub(crate) offer: Candidate,
}

/// Solves windows and keeps its scratch memory between them.
#[derive(Debug)]
pub(crate) struct WindowSolver {
    eikonal: EikonalSolver,
    octile: OctileSolver,
    field: IntegrationField,
    seeds: Vec<Seed>,
    fixed: Vec<bool>,
}

impl Default for WindowSolver {
    fn default() -> Self {
        Self {
            eikonal: EikonalSolver::new(),
            octile: OctileSolver::new(),
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
            seeds: Vec::new(),
            fixed: Vec::new(),
        }
    }
}

impl WindowSolver {
    /// The values of a window whose ground is `costs`, the outer ring as its border, from `starts`. `None`
    /// if costs came near the end of the number range.
    ///
    /// The values of the ring stay what they are; those of the border mean nothing.
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
            != (costs.width(), costs.stride(), costs.costs().len())
        {
            field.width = costs.width();
            field.stride = costs.stride();
            ring(costs, &mut self.fixed);
        }
        // Nothing is cheaper than the border, so that it takes no offers.
        field.cost.clear();
        field.cost.resize(costs.costs().len(), 0);
        for y in 1..=costs.height() {
            field.cost[y * costs.stride() + 1..][..costs.width()].fill(UNREACHED);
        }
        let solved = if method == Method::Octile {
            field.roots = Arc::default();
            self.seeds.clear();
            self.seeds.extend(starts.iter().map(|start| Seed {
                index: start.index,
                cost: start.offer.cost,
            }));
            costs.close_way_out();
            let solved = self.octile.run_in(costs, &self.seeds, field);
            costs.find_window_steps();
            solved
        } else {
            // Never read where the front has not been.
            Arc::make_mut(&mut field.roots).resize(costs.costs().len(), Root::HERE);
            self.eikonal.run_in(costs, starts, &self.fixed, field)
        };
        solved.then_some(&self.field)
    }
}

/// Marks the outermost cells of a window and its border.
fn ring(costs: &CostField, fixed: &mut Vec<bool>) {
    fixed.clear();
    fixed.resize(costs.costs().len(), true);
    for y in 2..costs.height() {
        fixed[y * costs.stride() + 2..][..costs.width() - 2].fill(false);
    }
}
