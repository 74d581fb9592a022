//! The solvers: a folder for each, and the table of them.
//!
//! Read the table below, then `octile` (the simplest wavefront), `predecessor`, and `eikonal`. Each folder has the
//! solver in `mod.rs` and its rule for repairs in `rule.rs`.
//!
//! To add a solver, add a folder that implements [`Solve`], a [`Method`] and a line in [`TABLE`]. If games may choose
//! it, add a [`super::Solver`] too; it must then solve windows, for tiles.

mod eikonal;
mod octile;
mod predecessor;

pub use eikonal::EikonalSolver;
pub(crate) use eikonal::{LEAST_GAIN, Sight, WindowBoundary};
pub use octile::OctileSolver;
pub(crate) use octile::successors_on_even_ground;
pub use predecessor::{PredecessorSolver, predecessor_step};

use super::field::IntegrationField;
use super::goal_cells::GoalCell;
use super::method::Method;
use super::predecessors::Predecessors;
use super::repair::{Change, Repairer};
use super::solve::Solve;
use crate::error::Result;
use crate::movement::CostField;
use crate::retired::Retired;
use glam::IVec2;

/// The functions and figures of a solver that need no instance.
struct Entry {
    new: fn() -> Box<dyn Solve>,
    /// Repairs a field to what the solver would compute now, bit for bit; returns false and changes nothing if that is
    /// too much work.
    repair: fn(&mut Repairer, &Change<'_>, &mut IntegrationField) -> bool,
    /// The nanoseconds that a solve takes for each tried step or settled cell.
    solving: usize,
    /// The nanoseconds that a repair takes for each evaluated cell.
    repairing: usize,
}

/// All solvers, in the order of [`Method`].
const TABLE: [Entry; 3] = [
    Entry {
        new: || Box::new(OctileSolver::new()),
        repair: octile::repair,
        solving: 3,
        repairing: 90,
    },
    Entry {
        new: || Box::new(EikonalSolver::new()),
        repair: eikonal::repair,
        solving: 30,
        repairing: 400,
    },
    Entry {
        new: || Box::new(PredecessorSolver::new()),
        repair: predecessor::repair,
        solving: 5,
        repairing: 60,
    },
];

/// Repairs of up to this many cells, which take some microseconds, are tried on maps of any size.
const ALWAYS_TRIED: usize = 128;

/// One solver of each method in use, with their scratch memory.
#[derive(Debug, Default)]
pub struct Solvers([Option<Box<dyn Solve>>; TABLE.len()]);

impl Solvers {
    /// The solver of a method.
    pub(super) fn of(&mut self, method: Method) -> &mut dyn Solve {
        let place = method as usize;
        &mut **self.0[place].get_or_insert_with(TABLE[place].new)
    }

    /// Takes the memory of a field that is not needed any more for the next one.
    pub fn recycle(&mut self, field: IntegrationField) {
        drop(self.of(field.method).recycle(field));
    }

    /// [`Self::recycle`]; memory for which there is no use is given back in parts.
    pub(crate) fn recycle_or_retire(&mut self, field: IntegrationField, retired: &mut Retired) {
        let (costs, roots) = self.of(field.method).recycle(field);
        retired.add(costs);
        retired.add(roots);
    }

    /// The costs to the nearest of `targets`, with directions where the method gives them.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when costs exceed the number range.
    pub fn solve(
        &mut self,
        method: Method,
        costs: &CostField,
        targets: &[IVec2],
    ) -> Result<(IntegrationField, Option<Predecessors>)> {
        self.solve_goals(method, costs, &GoalCell::free(targets))
    }

    /// [`Self::solve`] for goal cells with initial costs.
    ///
    /// # Errors
    /// As there.
    pub fn solve_goals(
        &mut self,
        method: Method,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<(IntegrationField, Option<Predecessors>)> {
        self.of(method).solve(costs, goals)
    }
}

impl Repairer {
    /// Repairs `field`, which was solved for the same `goals` before the cells `changed` of `costs` changed, to what
    /// its solver would compute now, bit for bit. Returns false and changes nothing if more than `limit` cells would
    /// have to be evaluated ([`IntegrationField::repair_limit`]), or if the solver might choose another scale.
    ///
    /// Linear in the goals and in the evaluated cells: those whose cost changes, two or three times each, and their
    /// neighbours.
    pub fn repair_field(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
        changed: &[u32],
        field: &mut IntegrationField,
        limit: usize,
    ) -> bool {
        let change = Change {
            costs,
            goals,
            cells: changed,
            limit,
        };
        (TABLE[field.method as usize].repair)(self, &change, field)
    }
}

impl IntegrationField {
    /// The number of cells that a repair may evaluate before a full solve is the better choice.
    ///
    /// The directions and memory of a cell take 2 nanoseconds in addition to the solver's time. An abandoned repair
    /// adds less than a fifth to the time of the full solve.
    #[must_use]
    pub fn repair_limit(&self) -> usize {
        let Entry {
            solving, repairing, ..
        } = TABLE[self.method as usize];
        let solved = 2 * self.cost.len() + solving * self.tried;
        ALWAYS_TRIED.max(solved / (7 * repairing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::integrate::Solver;
    use crate::movement::MovementType;
    use crate::terrain::Terrain;
    use glam::Vec2;

    #[test]
    fn the_table_is_in_the_order_of_methods() {
        let methods = [Method::Octile, Method::Eikonal, Method::Predecessor];
        assert_eq!(methods.len(), TABLE.len());
        let grid = Grid::new(IVec2::ONE, 1.0, Vec2::ZERO).expect("valid");
        let costs = CostField::new(&grid, &Terrain::new(&grid), &MovementType::default());
        for method in methods {
            let (field, _) = Solvers::default()
                .solve(method, &costs, &[])
                .expect("small");
            assert_eq!(field.method(), method);
        }
    }

    #[test]
    fn solvers_that_can_be_chosen_solve_tiles() {
        for solver in Solver::ALL {
            let mut solvers = Solvers::default();
            let windows = solvers.of(solver.into()).in_windows();
            assert!(windows.is_some(), "{solver:?} does not solve windows");
        }
    }
}
