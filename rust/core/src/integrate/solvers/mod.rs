//! The solvers: a folder for each, and the table of them.
//!
//! A new one is a folder that implements [`Solve`], a [`Method`] and a line in [`TABLE`]. If players of the library may
//! choose it, it is a [`super::Solver`] as well, and solves windows, for tiles.

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
use glam::IVec2;

/// What is known of a solver without having one.
struct Entry {
    new: fn() -> Box<dyn Solve>,
    /// Makes a field what the solver would make of it now, bit for bit; false, and nothing is changed, if that is too
    /// much work.
    repair: fn(&mut Repairer, &Change<'_>, &mut IntegrationField) -> bool,
    /// Nanoseconds that it takes for each step that it tries, or cell that it settles.
    solving: usize,
    /// Nanoseconds that a repair of its fields takes for each cell that it looks at.
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

/// Repairs that look at so few cells are always tried: some microseconds, on however small a map.
const ALWAYS_TRIED: usize = 128;

/// One solver of each kind that has been asked for, with their scratch memory.
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
        self.of(field.method).recycle(field);
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
    /// Makes `field`, solved for the same `goals` before the cells `changed` of `costs` did, what its
    /// solver would make of it now, bit for bit. False, and nothing is changed, if that is too much
    /// work: more than looking at `limit` cells, for which see [`IntegrationField::repair_limit`], or if the solver might
    /// choose another scale.
    ///
    /// Linear in the goals and in the cells that are looked at: those whose cost changes, two or three times each, and
    /// their neighbours.
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
    /// How many cells a repair may look at before a full solve is the better choice.
    ///
    /// The directions and memory of a cell take 2 nanoseconds beside what the solver takes. A repair that is given up has
    /// then added less than a fifth to the full solve.
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
