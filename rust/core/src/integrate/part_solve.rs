//! A solve that is done in parts, so that no tick has to pay for a whole map.
//!
//! Parts end between two buckets of the queue, so that the result is that of a solve at once, bit for bit: in a
//! bucket's turn everything before it is final.

use super::method::Solvers;
use super::root::Root;
use super::seeds::{GoalCell, Seed, open_seeds};
use super::{IntegrationField, Method, Predecessors, SCALES, UNREACHED, cost_overflow};
use crate::error::Result;
use crate::movement::CostField;
use std::mem::take;
use std::sync::Arc;

/// How many cells are cleared in the time that one is settled.
const CLEARED_FOR_ONE: usize = 16;

/// A solve on its way. Its map must stay the same.
#[derive(Debug)]
pub(crate) struct PartSolve {
    goals: Vec<GoalCell>,
    solvers: Solvers,
    field: IntegrationField,
    /// Those of `field`, until it is finished.
    roots: Vec<Root>,
    /// The number of the scale that is tried.
    scale: usize,
    /// How many rows are cleared.
    cleared: usize,
    is_begun: bool,
}

impl PartSolve {
    /// A solve for these goals, which takes over the memory of `solvers`.
    pub(crate) fn new(
        method: Method,
        costs: &CostField,
        goals: Vec<GoalCell>,
        mut solvers: Solvers,
    ) -> Self {
        let (cost, roots) = solvers.spare_memory();
        let field = IntegrationField {
            method,
            width: costs.width(),
            stride: costs.stride(),
            scale: SCALES[0],
            cost,
            goals: Vec::new(),
            roots: Arc::default(),
            highest: 0,
            tried: 0,
        };
        let mut solve = Self {
            goals,
            solvers,
            field,
            roots,
            scale: 0,
            cleared: 0,
            is_begun: false,
        };
        // In growing, memory would be copied.
        solve.field.cost.clear();
        solve.field.cost.reserve_exact(costs.costs().len());
        if method == Method::Eikonal {
            solve.solvers.eikonal.make_room(costs);
            solve.roots.clear();
            solve.roots.reserve_exact(costs.costs().len());
        }
        solve.start_over(0);
        solve
    }

    fn start_over(&mut self, scale: usize) {
        self.scale = scale;
        self.field.cost.clear();
        self.roots.clear();
        self.cleared = 0;
        self.is_begun = false;
    }

    /// Goes on over about `budget` cells, which it takes off; returns the field, and what else the method finds, when it
    /// is finished. The method of system C does all its work in one part.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when costs exceed the number range.
    pub(crate) fn advance(
        &mut self,
        costs: &CostField,
        budget: &mut usize,
    ) -> Result<Option<(IntegrationField, Option<Predecessors>)>> {
        if self.field.method == Method::Predecessor {
            let solved = self
                .solvers
                .solve_goals(Method::Predecessor, costs, &self.goals)?;
            *budget = budget.saturating_sub(costs.costs().len());
            return Ok(Some(solved));
        }
        while *budget > 0 {
            if self.cleared < costs.height() + 2 {
                self.clear(costs, budget);
                continue;
            }
            let Some(&scale) = SCALES.get(self.scale) else {
                return Err(cost_overflow());
            };
            self.field.scale = scale;
            let seeds = open_seeds(costs, &self.goals, scale);
            if !self.is_begun {
                self.begin(costs, &seeds);
            }
            let before = self.field.tried;
            match self.spread(costs, *budget) {
                None => self.start_over(self.scale + 1),
                Some(is_done) => {
                    *budget = budget.saturating_sub((self.field.tried - before).max(1));
                    if is_done {
                        self.field.settle_goals(&seeds);
                        return Ok(Some((self.finished(), None)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Clears some rows of the memory, those of the border too.
    fn clear(&mut self, costs: &CostField, budget: &mut usize) {
        let stride = costs.stride();
        let affordable = (*budget * CLEARED_FOR_ONE).div_ceil(stride);
        let rows = affordable.min(costs.height() + 2 - self.cleared);
        let cells = (self.cleared + rows) * stride;
        self.field.cost.resize(cells, UNREACHED);
        if self.field.method == Method::Eikonal {
            // Never read where the front has not been.
            self.roots.resize(cells, Root::HERE);
            let inner = self.cleared.max(1)..(self.cleared + rows).min(costs.height() + 1);
            let solver = &mut self.solvers.eikonal;
            solver.find_same_in(costs, inner.start - 1, inner.len());
        }
        self.cleared += rows;
        *budget = budget.saturating_sub((rows * stride).div_ceil(CLEARED_FOR_ONE));
    }

    fn begin(&mut self, costs: &CostField, seeds: &[Seed]) {
        let Self {
            solvers,
            field,
            roots,
            ..
        } = self;
        if field.method == Method::Octile {
            solvers.octile.begin_part(costs, seeds, field);
        } else {
            solvers.eikonal.begin_part(costs, seeds, field, roots);
        }
        self.is_begun = true;
    }

    fn spread(&mut self, costs: &CostField, most: usize) -> Option<bool> {
        let Self {
            solvers,
            field,
            roots,
            ..
        } = self;
        if field.method == Method::Octile {
            solvers.octile.go_on(costs, field, most)
        } else {
            solvers.eikonal.go_on(costs, field, roots, most)
        }
    }

    fn finished(&mut self) -> IntegrationField {
        IntegrationField {
            cost: take(&mut self.field.cost),
            goals: take(&mut self.field.goals),
            roots: Arc::new(take(&mut self.roots)),
            ..self.field
        }
    }

    /// The solvers, to be used again.
    pub(crate) fn into_solvers(self) -> Solvers {
        self.solvers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::links::{Link, Links};
    use crate::movement::{BLOCKED, MovementType};
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        /// However small the parts, and whatever memory was left by another solve.
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
                let link = Link { from, to, cost: 3.0, both_ways: true };
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
    }
}
