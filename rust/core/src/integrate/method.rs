//! Which way costs to the goal are computed.

use super::root::Root;
use super::seeds::GoalCell;
use super::{
    EikonalSolver, IntegrationField, OctileSolver, PredecessorSolver, Predecessors, Repairer,
};
use crate::error::Result;
use crate::movement::CostField;
use glam::IVec2;
use std::mem::take;
use std::sync::Arc;

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// A chain of steps to one of the eight neighbours. Costs are exact.
    Octile,
    /// Any line: the Eikonal equation.
    #[default]
    Eikonal,
}

/// How a field's costs were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By [`OctileSolver`].
    Octile,
    /// By [`EikonalSolver`].
    Eikonal,
    /// By [`PredecessorSolver`], in system C's metric.
    Predecessor,
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Octile => Self::Octile,
            Solver::Eikonal => Self::Eikonal,
        }
    }
}

/// One solver of each kind, with their scratch memory.
#[derive(Debug, Default)]
pub struct Solvers {
    pub(super) octile: OctileSolver,
    pub(super) eikonal: EikonalSolver,
    predecessor: PredecessorSolver,
}

impl Solvers {
    /// Takes the memory of a field that is not needed any more for the next one.
    pub fn recycle(&mut self, field: IntegrationField) {
        match field.method {
            Method::Octile => self.octile.spare = field.cost,
            Method::Eikonal => {
                self.eikonal.spare_costs = field.cost;
                // Unless another field still holds them.
                self.eikonal.spare_roots = Arc::try_unwrap(field.roots).unwrap_or_default();
            }
            Method::Predecessor => {}
        }
    }

    /// Memory of a field of the Eikonal solver that is not needed any more: costs and roots.
    pub(super) fn spare_memory(&mut self) -> (Vec<u32>, Vec<Root>) {
        let solver = &mut self.eikonal;
        (take(&mut solver.spare_costs), take(&mut solver.spare_roots))
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
        match method {
            Method::Octile => Ok((self.octile.solve_goals(costs, goals)?, None)),
            Method::Eikonal => Ok((self.eikonal.solve_goals(costs, goals)?, None)),
            Method::Predecessor => {
                let (field, predecessors) = self.predecessor.solve_goals(costs, goals)?;
                Ok((field, Some(predecessors)))
            }
        }
    }
}

impl Repairer {
    /// Makes `field`, solved for the same `goals` before the cells `changed` of `costs` did, what its
    /// solver would make of it now, bit for bit. False, and nothing is changed, if that is too much
    /// work: more than looking at `limit` cells, for which see [`IntegrationField::repair_limit`].
    pub fn repair_field(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
        changed: &[u32],
        field: &mut IntegrationField,
        limit: usize,
    ) -> bool {
        let repair = match field.method {
            Method::Octile => Self::repair_octile,
            Method::Eikonal => Self::repair_eikonal,
            Method::Predecessor => Self::repair_predecessor,
        };
        repair(self, costs, goals, changed, field, limit)
    }
}
