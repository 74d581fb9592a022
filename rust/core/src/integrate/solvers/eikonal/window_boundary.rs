//! Decides whether changes around a window can change its solution.
//!
//! The values inside a solved window depend on the values around it only through candidates across the boundary. If no
//! lost candidate was as good as its cell's value, and no new candidate is better, the old solution is still the
//! solution, as there is only one ([`super::local_solver`]).

use super::local_solver::{Known, LocalSolver};
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::root::Root;
use crate::integrate::scale::StepScale;
use crate::movement::{BLOCKED, CostField};

/// The old and new values along a window's boundary, on both sides.
#[derive(Debug, Default)]
pub(crate) struct WindowBoundary {
    before: Values,
    now: Values,
    /// The cells around the window whose values changed.
    news: Vec<usize>,
}

/// Values of cells by stored index.
#[derive(Debug, Default)]
struct Values {
    cost: Vec<u32>,
    roots: Vec<Root>,
}

impl Values {
    fn forget(&mut self, cells: usize) {
        self.cost.clear();
        self.cost.resize(cells, UNREACHED);
        // Roots are not read where the cost is unreached.
        self.roots.resize(cells, Root::HERE);
    }

    fn set(&mut self, index: usize, candidate: Candidate) {
        self.cost[index] = candidate.cost;
        self.roots[index] = candidate.root;
    }

    fn at(&self, index: usize) -> Candidate {
        Candidate {
            cost: self.cost[index],
            root: self.roots[index],
        }
    }

    fn known(&self) -> Known<'_> {
        Known {
            cost: &self.cost,
            roots: &self.roots,
            below: UNREACHED,
        }
    }
}

impl WindowBoundary {
    /// Starts for a window with this ground, as passed to [`crate::integrate::WindowSolver::solve`]. No values are
    /// known.
    pub(crate) fn begin(&mut self, costs: &CostField) {
        let cells = costs.cell_count();
        self.before.forget(cells);
        self.now.forget(cells);
        self.news.clear();
    }

    /// Records the old and the new value of a cell along the boundary. Walls have none.
    pub(crate) fn record(
        &mut self,
        costs: &CostField,
        index: usize,
        before: Candidate,
        now: Candidate,
    ) {
        if costs.costs()[index] == BLOCKED {
            return;
        }
        self.before.set(index, before);
        self.now.set(index, now);
        if before != now {
            self.news.push(index);
        }
    }

    /// Whether the window's solution may have changed. It reads the three neighbours of each changed cell.
    pub(crate) fn changes_solution(&self, costs: &CostField, scale: StepScale) -> bool {
        // Curved paths can come from any cell around.
        let local = LocalSolver::new(costs, scale).with_turns();
        let (stride, width, height) = (costs.stride(), costs.width(), costs.height());
        let is_inside = |index: usize| {
            let (x, y) = (index % stride, index / stride);
            (2..width).contains(&x) && (2..height).contains(&y)
        };
        self.news.iter().any(|&from| {
            (0..8).any(|step| {
                let to = local.neighbour(from, step);
                is_inside(to) && self.changes(&local, from, step, to)
            })
        })
    }

    /// Whether the change of the cell `from` may change its neighbour `to`.
    fn changes(&self, local: &LocalSolver<'_>, from: usize, step: usize, to: usize) -> bool {
        let own = self.now.at(to);
        let candidate = |values: &Values| {
            let is_known = values.cost[from] != UNREACHED;
            is_known.then(|| local.candidate(values.known(), from, step, own.cost))?
        };
        candidate(&self.now).is_some_and(|candidate| candidate < own)
            || candidate(&self.before).is_some_and(|candidate| candidate <= own)
    }
}
