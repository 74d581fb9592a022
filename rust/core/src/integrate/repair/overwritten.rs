//! What a repair overwrites in a field.

use crate::integrate::candidate::Candidate;
use crate::integrate::field::IntegrationField;
use std::sync::Arc;

/// What a repair has overwritten in a field, to go back.
#[derive(Debug, Clone, Default)]
pub(crate) struct OverwrittenCosts {
    /// The written cells with their previous values, in order.
    pub(super) cells: Vec<(u32, Candidate)>,
    goals: Vec<usize>,
    highest: u32,
}

impl OverwrittenCosts {
    /// Nothing of a field.
    pub(super) fn begin(&mut self, field: &IntegrationField) {
        self.cells.clear();
        self.goals.clone_from(&field.goals);
        self.highest = field.highest;
    }

    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.goals.as_slice())
    }
}

impl IntegrationField {
    /// Takes back what a repair has done.
    pub(crate) fn put_back(&mut self, overwritten: &OverwrittenCosts) {
        for &(index, before) in overwritten.cells.iter().rev() {
            self.cost[index as usize] = before.cost;
        }
        if !self.roots.is_empty() {
            let roots = Arc::make_mut(&mut self.roots);
            for &(index, before) in overwritten.cells.iter().rev() {
                roots[index as usize] = before.root;
            }
        }
        self.goals.clone_from(&overwritten.goals);
        self.highest = overwritten.highest;
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{CellRect, Grid};
    use crate::integrate::{GoalCell, Method, Repairer, Solvers};
    use crate::movement::{Changes, CostField, MovementType};
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        /// To the last byte, with the goals that are cheaper to reach than the others.
        #[test]
        fn repairs_are_taken_back(
            method in prop::sample::select(vec![Method::Octile, Method::Eikonal]),
            edits in prop::collection::vec((0..20_i32, 0..20_i32, any::<bool>()), 1..8),
        ) {
            let grid = Grid::new(IVec2::splat(20), 1.0, Vec2::ZERO).expect("valid");
            let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
            let mut costs = CostField::new(&grid, &terrain, &kind);
            // The second one is a goal if a wall is in the way to the first one.
            let goals = [(9, 0.0), (12, 3.5)].map(|(y, cost)| GoalCell { cell: IVec2::new(9, y), cost });
            let solved = Solvers::default().solve_goals(method, &costs, &goals);
            let mut field = solved.expect("in range").0;
            for (x, y, is_wide) in edits {
                let low = IVec2::new(x, y);
                let high = (low + IVec2::new(if is_wide { 6 } else { 1 }, 1)).min(grid.size());
                let rect = CellRect { low, high };
                terrain.fill_rect(rect, 255).expect("inside");
                let Changes::Cells(changed) = costs.update(&terrain, &kind, &[rect]) else {
                    unreachable!("few cells");
                };
                let before = format!("{field:?}");
                let mut repairer = Repairer::new();
                prop_assert!(repairer.repair_field(&costs, &goals, &changed, &mut field, usize::MAX));
                let after = field.clone();
                field.put_back(repairer.overwritten());
                prop_assert_eq!(format!("{field:?}"), before);
                field = after;
            }
        }
    }
}
