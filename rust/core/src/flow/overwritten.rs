//! What an update of a field after a repair overwrites.

use super::FlowField;
use super::cell::FlowCell;
use crate::integrate::{IntegrationField, OverwrittenCosts};
use crate::movement::CostField;
use glam::Vec2;
use std::ops::Range;
use std::sync::Arc;

/// What an update after a repair, or a move of the targets, overwrites in a field, to go back.
#[derive(Debug, Default)]
pub(crate) struct OverwrittenDirections {
    /// Runs of stored indices, which may overlap, and their cells one after another.
    runs: Vec<Range<usize>>,
    cells: Vec<FlowCell>,
    links: Vec<(usize, usize)>,
    targets: Vec<(usize, Vec2)>,
}

impl OverwrittenDirections {
    /// What a move of the targets overwrites.
    pub(crate) fn by_targets(field: &FlowField) -> Self {
        Self {
            links: field.links.clone(),
            targets: field.targets.clone(),
            ..Self::default()
        }
    }

    /// What [`FlowField::update`] overwrites with these arguments.
    pub(crate) fn by_update(field: &FlowField, costs: &CostField, cells: &[Range<usize>]) -> Self {
        let mut found = Self::by_targets(field);
        // Whether a link is taken may change although the cost of its first cell does not.
        let links = costs.links().edges().iter();
        let marked = links.map(|edge| edge.from..edge.from + 1);
        found.runs.extend(cells.iter().cloned().chain(marked));
        for run in &found.runs {
            found.cells.extend_from_slice(&field.cells[run.clone()]);
        }
        found
    }

    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.runs.as_slice())
            + size_of_val(self.cells.as_slice())
            + size_of_val(self.links.as_slice())
            + size_of_val(self.targets.as_slice())
    }
}

impl FlowField {
    /// Takes back what an update or a move of targets has done, and what the repair before the update has done to
    /// `costs`.
    pub(crate) fn put_back(
        &mut self,
        directions: &OverwrittenDirections,
        costs: Option<(&mut IntegrationField, &OverwrittenCosts)>,
    ) {
        if let Some((integration, overwritten)) = costs {
            // Both have the same roots.
            let follows_roots = !self.roots.is_empty();
            self.forget_roots();
            integration.put_back(overwritten);
            if follows_roots {
                self.roots = Arc::clone(integration.roots());
            }
        }
        let mut cells = directions.cells.as_slice();
        for run in &directions.runs {
            let (before, others) = cells.split_at(run.len());
            self.cells[run.clone()].copy_from_slice(before);
            cells = others;
        }
        self.links.clone_from(&directions.links);
        self.set_targets(directions.targets.clone());
    }
}
