//! A solve in parts, so that no tick has to solve a whole map.
//!
//! Parts end between two buckets of the queue. When a bucket is processed all costs before it are final, so the result
//! is that of a full solve, bit for bit.

use super::field::{IntegrationField, UNREACHED};
use super::goal_cells::{GoalCell, open_seeds};
use super::method::Method;
use super::root::Root;
use super::scale::{SCALES, cost_overflow};
use super::solve::Solved;
use super::solvers::Solvers;
use crate::error::Result;
use crate::movement::{Arrays, CostField};
use crate::retired::Retired;
use std::mem::take;
use std::sync::Arc;

/// The number of cells that are cleared in the time in which one is settled.
const CLEARED_FOR_ONE: usize = 16;

/// A solve in progress. Its map must not change, except while it is copied ([`Self::copy`]).
#[derive(Debug)]
pub(crate) struct PartSolve {
    goals: Vec<GoalCell>,
    solvers: Solvers,
    field: IntegrationField,
    /// The roots of `field`, until it is finished.
    roots: Vec<Root>,
    /// The number of the current scale.
    scale: usize,
    /// The number of cleared rows.
    cleared: usize,
    is_begun: bool,
    /// The costs of the cleared rows, while they are copied.
    copied: Option<Arrays>,
}

impl PartSolve {
    /// A solve for these goals in the memory of `solvers`.
    pub(crate) fn new(
        method: Method,
        costs: &CostField,
        goals: Vec<GoalCell>,
        mut solvers: Solvers,
    ) -> Self {
        let parts = solvers.of(method).in_parts();
        let (cost, roots) = parts
            .map(|solver| solver.take_memory(costs))
            .unwrap_or_default();
        let field = IntegrationField::unsolved(method, costs, SCALES[0], cost);
        Self {
            goals,
            solvers,
            field,
            roots,
            scale: 0,
            cleared: 0,
            is_begun: false,
            copied: None,
        }
    }

    /// Has the costs copied with the rows that are cleared, unless the method solves a map in one part. Returns whether
    /// it does.
    pub(crate) fn begin_copy(&mut self) -> bool {
        let is_in_parts = self.solvers.of(self.field.method).in_parts().is_some();
        self.copied = is_in_parts.then(Arrays::default);
        is_in_parts
    }

    /// Clears and copies more rows for a `budget` of cells, which it reduces. Returns the costs for [`Self::advance`]
    /// when all rows are copied: they are those of `costs`, and stay as they are.
    pub(crate) fn copy(&mut self, costs: &CostField, budget: &mut usize) -> Option<CostField> {
        self.clear_more(costs, budget);
        let copied = self
            .copied
            .take_if(|_| self.cleared == costs.height() + 2)?;
        Some(costs.in_arrays(copied))
    }

    /// Follows changes of `costs` in the cells `changed`, given by stored index; `None` if they are not known. Only as
    /// long as they are copied.
    pub(crate) fn correct(&mut self, costs: &CostField, changed: Option<&[u32]>) {
        let (solver, Some(copied)) = (self.solvers.of(self.field.method), &mut self.copied) else {
            return;
        };
        let Some(solver) = solver.in_parts() else {
            return;
        };
        if let Some(changed) = changed {
            costs.correct_arrays(changed, copied);
            solver.correct_rows(costs, changed, self.cleared);
        } else {
            *copied = Arrays::default();
            costs.copy_to_arrays(self.cleared, copied);
            solver.clear_rows(costs, 0..self.cleared, &mut self.roots);
        }
    }

    fn start_over(&mut self, scale: usize) {
        self.scale = scale;
        self.field.cost.clear();
        self.roots.clear();
        self.cleared = 0;
        self.is_begun = false;
    }

    /// Continues for about `budget` cells, which it reduces. Returns the field, with the directions that the method
    /// finds, when it is finished. A solver without [`SolveInParts`](crate::integrate::solve::SolveInParts) does all
    /// its work in one part.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when costs exceed the number range.
    pub(crate) fn advance(
        &mut self,
        costs: &CostField,
        budget: &mut usize,
    ) -> Result<Option<Solved>> {
        let solver = self.solvers.of(self.field.method);
        if solver.in_parts().is_none() {
            *budget = budget.saturating_sub(costs.cell_count());
            return solver.solve(costs, &self.goals).map(Some);
        }
        while *budget > 0 {
            let Some(&scale) = SCALES.get(self.scale) else {
                return Err(cost_overflow());
            };
            self.field.scale = scale;
            match self.go_on(costs, budget) {
                None => self.start_over(self.scale + 1),
                Some(false) => {}
                Some(true) => return Ok(Some((self.finished(), None))),
            }
        }
        Ok(None)
    }

    /// Clears more rows, or settles more cells. Returns whether all cells are settled; `None` if costs came near the
    /// end of the number range.
    fn go_on(&mut self, costs: &CostField, budget: &mut usize) -> Option<bool> {
        if self.cleared < costs.height() + 2 {
            self.clear_more(costs, budget);
            return Some(false);
        }
        let Self { field, roots, .. } = self;
        let Some(solver) = self.solvers.of(field.method).in_parts() else {
            return Some(false);
        };
        let seeds = open_seeds(costs, &self.goals, field.scale);
        if !self.is_begun {
            solver.begin(costs, &seeds, field, roots);
            self.is_begun = true;
        }
        let before = field.tried;
        let is_done = solver.advance(costs, field, roots, *budget)?;
        *budget = budget.saturating_sub((field.tried - before).max(1));
        if is_done {
            field.settle_goals(&seeds);
        }
        Some(is_done)
    }

    /// Clears more rows, as many as the `budget` is enough for.
    fn clear_more(&mut self, costs: &CostField, budget: &mut usize) {
        let Some(solver) = self.solvers.of(self.field.method).in_parts() else {
            return;
        };
        let stride = costs.stride();
        let affordable = (*budget * CLEARED_FOR_ONE).div_ceil(stride);
        let rows = self.cleared..(costs.height() + 2).min(self.cleared + affordable);
        self.field.cost.resize(rows.end * stride, UNREACHED);
        *budget = budget.saturating_sub((rows.len() * stride).div_ceil(CLEARED_FOR_ONE));
        self.cleared = rows.end;
        if let Some(copied) = &mut self.copied {
            costs.copy_to_arrays(rows.end, copied);
        }
        solver.clear_rows(costs, rows, &mut self.roots);
    }

    fn finished(&mut self) -> IntegrationField {
        IntegrationField {
            cost: take(&mut self.field.cost),
            goals: take(&mut self.field.goals),
            roots: Arc::new(take(&mut self.roots)),
            ..self.field
        }
    }

    /// The solvers, for another solve.
    pub(crate) fn into_solvers(self) -> Solvers {
        self.solvers
    }

    /// Has the memory of the field and of the copied costs given back in parts. Returns the solvers.
    pub(crate) fn retire(mut self, retired: &mut Retired) -> Solvers {
        self.finished().retire(retired);
        if let Some(copied) = self.copied {
            copied.retire(retired);
        }
        self.solvers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::CellRect;
    use crate::grid::Grid;
    use crate::grid::links::{Link, Links};
    use crate::grid::travel::Travel;
    use crate::movement::{BLOCKED, Changes, MovementType};
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        /// Holds for parts of any size and for memory from any other solve.
        #[test]
        fn parts_come_to_what_a_whole_solve_does(
            (width, height) in (1_i32..50, 1_i32..50),
            walls_percent in prop::sample::select(vec![0_u64, 15, 35]),
            ground in prop::sample::select(vec![&[1_u8][..], &[3], &[1, 1, 1, 5], &[1, 30, 254]]),
            method in prop::sample::select(vec![Method::Octile, Method::Eikonal, Method::Predecessor]),
            linked in any::<bool>(),
            budget in 1_usize..400,
            seed in any::<u64>(),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let draw = |number: u64| crate::random::keyed(seed, number, 0) as usize;
            let mut terrain = Terrain::new(&grid);
            for index in 0..grid.cell_count() {
                let id = if draw(index as u64) as u64 % 100 < walls_percent {
                    BLOCKED
                } else {
                    ground[draw(index as u64 + 7777) % ground.len()]
                };
                terrain.set(grid.cell(index), id).expect("inside");
            }
            let mut costs = CostField::new(&grid, &terrain, &MovementType::default());
            let cell = |number: u64| grid.cell(draw(number) % grid.cell_count());
            if linked && cell(70_000) != cell(70_001) {
                let (from, to) = (cell(70_000), cell(70_001));
                let link = Link { from, to, cost: 3.0, both_ways: true, travel: Travel::AtOnce };
                costs.set_links(Arc::new(Links::new(std::iter::once(&link), costs.stride())));
            }
            let mut solvers = Solvers::default();
            for round in 0..2 {
                let goals = vec![
                    GoalCell { cell: cell(80_000 + round), cost: 0.0 },
                    GoalCell { cell: cell(90_000 + round), cost: 4.5 },
                ];
                let (whole, record) =
                    Solvers::default().solve_goals(method, &costs, &goals).expect("small");
                let mut solve = PartSolve::new(method, &costs, goals, solvers);
                let mut parts = 0;
                let (field, found) = loop {
                    parts += 1;
                    prop_assert!(parts < 100_000);
                    if let Some(solved) = solve.advance(&costs, &mut budget.clone()).expect("small") {
                        break solved;
                    }
                };
                solvers = solve.into_solvers();
                prop_assert_eq!(field.scale, whole.scale);
                prop_assert!(field.cost == whole.cost);
                prop_assert_eq!(&field.goals, &whole.goals);
                prop_assert_eq!(found, record);
                let reached = field.cost.iter().zip(&*field.roots).zip(&*whole.roots);
                for ((&cost, one), other) in reached {
                    prop_assert!(cost == UNREACHED || one == other);
                }
                solvers.recycle(field);
            }
        }

        /// While costs are copied they may change: the field is that of the costs at the end of the copy. Whatever
        /// happens to them later, it stays so.
        #[test]
        fn edits_are_followed_while_costs_are_copied(
            (width, height) in (2_i32..40, 2_i32..40),
            method in prop::sample::select(vec![Method::Octile, Method::Eikonal]),
            budget in 1_usize..40,
            edits in prop::collection::vec((any::<u64>(), 0_u8..3, any::<bool>()), 1..30),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
            let mut present = CostField::new(&grid, &terrain, &kind);
            let goals = vec![GoalCell { cell: IVec2::ZERO, cost: 0.0 }];
            let mut solve = PartSolve::new(method, &present, goals.clone(), Solvers::default());
            prop_assert!(solve.begin_copy());
            let mut own = None;
            let mut edits = edits.into_iter();
            while own.is_none() {
                own = solve.copy(&present, &mut budget.clone());
                let Some((seed, id, is_known)) = edits.next().filter(|_| own.is_none()) else {
                    continue;
                };
                let cell = grid.cell(seed as usize % grid.cell_count());
                terrain.set(cell, [1, 9, 255][usize::from(id)]).expect("inside");
                let Changes::Cells(changed) = present.update(&terrain, &kind, &[CellRect::cell(cell)])
                else {
                    panic!("one cell");
                };
                solve.correct(&present, is_known.then_some(&*changed));
            }
            let own = own.expect("copied");
            prop_assert!(own.cells_unlike(&present).is_empty());
            prop_assert_eq!(own.steps(), present.steps());
            let (whole, _) = Solvers::default().solve_goals(method, &present, &goals).expect("small");
            let (field, _) = loop {
                if let Some(solved) = solve.advance(&own, &mut budget.clone()).expect("small") {
                    break solved;
                }
            };
            prop_assert!(field.cost == whole.cost);
        }
    }

    /// Freeing the half of a copy at once takes more than a millisecond on 4096×4096 cells.
    #[test]
    fn an_unfinished_copy_is_given_back_in_parts() {
        let grid = Grid::new(IVec2::splat(60), 1.0, Vec2::ZERO).expect("valid");
        let costs = CostField::new(&grid, &Terrain::new(&grid), &MovementType::default());
        let mut solve = PartSolve::new(Method::Octile, &costs, Vec::new(), Solvers::default());
        assert!(solve.begin_copy());
        assert!(solve.copy(&costs, &mut { 100 }).is_none());
        let cells = solve.cleared * costs.stride();
        assert!(cells > 0);
        let mut retired = Retired::default();
        drop(solve.retire(&mut retired));
        assert_eq!(
            retired.bytes(),
            (size_of::<u32>() + 2) * cells,
            "costs to the goal, and the copy of costs and steps"
        );
    }

    /// The cells of a front that have one cost do not have to be taken in one part.
    #[test]
    fn a_wide_front_is_divided() {
        const BUDGET: usize = 300;
        let grid = Grid::new(IVec2::new(4, 2000), 1.0, Vec2::ZERO).expect("valid");
        for (method, ids) in [Method::Octile, Method::Eikonal]
            .into_iter()
            .flat_map(|method| [[1, 1], [1, 3]].map(|ids| (method, ids)))
        {
            let mut terrain = Terrain::new(&grid);
            for index in 0..grid.cell_count() {
                let cell = grid.cell(index);
                terrain.set(cell, ids[index % 2]).expect("inside");
            }
            let costs = CostField::new(&grid, &terrain, &MovementType::default());
            let goals: Vec<GoalCell> = (0..2000)
                .map(|y| GoalCell {
                    cell: IVec2::new(0, y),
                    cost: 0.0,
                })
                .collect();
            let solved = Solvers::default().solve_goals(method, &costs, &goals);
            let (whole, _) = solved.expect("small");
            let mut solve = PartSolve::new(method, &costs, goals, Solvers::default());
            let mut parts = 0;
            let (field, _) = loop {
                parts += 1;
                if let Some(solved) = solve.advance(&costs, &mut BUDGET.clone()).expect("small") {
                    break solved;
                }
            };
            assert!(field.cost == whole.cost, "{method:?} on {ids:?}");
            assert!(parts > 10, "{method:?} on {ids:?}: {parts} parts");
        }
    }
}
