//! Integration: from the cost field and goal cells to the cost of reaching the goal from everywhere.

mod bucket_queue;
mod canonical_successors;
mod corner;
mod crossings;
mod eikonal;
mod eikonal_rule;
mod even_wave;
mod front;
mod front_lists;
mod lines;
mod link_costs;
mod method;
mod moves;
mod octile;
mod octile_rule;
mod offer;
mod part_solve;
mod predecessor;
mod predecessor_rule;
mod repair;
mod repair_queue;
mod root;
mod seeds;
mod shadow;
mod shadow_rows;
mod sight;
mod turning;
mod uniform_ground;
mod visible_cells;
mod wave;
mod window;
mod window_boundary;

pub(crate) use canonical_successors::successors_on_even_ground;
pub use eikonal::EikonalSolver;
pub use method::{Method, Solver, Solvers};
pub use octile::OctileSolver;
pub(crate) use offer::{Candidate, LEAST_GAIN};
pub(crate) use part_solve::PartSolve;
pub use predecessor::{PredecessorSolver, Predecessors, predecessor_step};
pub use repair::Repairer;
pub use root::Root;
pub use seeds::{GoalCell, MAX_INITIAL_COST};
pub(crate) use sight::Sight;
pub(crate) use window::{Start, WindowSolver};
pub(crate) use window_boundary::WindowBoundary;

use crate::error::Error;
use glam::IVec2;
use std::sync::Arc;

/// Stored cost of a cell from which no goal can be reached.
pub const UNREACHED: u32 = u32::MAX;

/// The cost of the cheapest path from every cell to the nearest goal cell.
///
/// Costs are whole numbers of `1 / scale` cost units, where one unit is a
/// straight step over clear ground. Integers keep sums exact, so that equally
/// long paths compare as equal: floats would break those ties by rounding
/// noise, and long paths would drift (at 5,000 steps an `f32` sum is off in its
/// 6th digit).
#[derive(Debug, Clone)]
pub struct IntegrationField {
    method: Method,
    width: usize,
    stride: usize,
    scale: StepScale,
    cost: Vec<u32>,
    goals: Vec<usize>,
    /// Bordered like the costs; empty where the solver knows of none.
    roots: Arc<Vec<Root>>,
    /// At least as much as any cost of a cell that is reached.
    highest: u32,
    /// How many steps the solver tried, or cells it settled: what solving took, whatever the map is like.
    tried: usize,
}

/// How many stored units a straight and a diagonal step over clear ground cost.
///
/// For octile costs `diagonal / straight` is a convergent of √2's continued
/// fraction (Pell numbers), whose error falls with the square of `straight`. In
/// system C's metric it is 4 / 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepScale {
    /// Units of a straight step.
    pub straight: u32,
    /// Units of a diagonal step.
    pub diagonal: u32,
}

impl StepScale {
    /// Whether a solver tries no scale before this.
    fn is_finest(self) -> bool {
        self == SCALES[0] || self == predecessor::SCALE
    }
}

/// Scales from the finest on; a solver takes the first in which no path cost overflows.
///
/// Largest cost, and error of one diagonal step: 1.8e6 and 6e-8; 1.0e7 and 2e-6; 6.1e7 and
/// 7e-5; 3.6e8 and 2.5e-3.
pub(crate) const SCALES: [StepScale; 4] = [
    StepScale {
        straight: 2378,
        diagonal: 3363,
    },
    StepScale {
        straight: 408,
        diagonal: 577,
    },
    StepScale {
        straight: 70,
        diagonal: 99,
    },
    StepScale {
        straight: 12,
        diagonal: 17,
    },
];

/// The finest scale, for paths that are short or counted in 64 bits.
pub(crate) const FINEST: StepScale = SCALES[0];

/// Repairs that look at so few cells are always tried: some microseconds, on however small a map.
const ALWAYS_TRIED: usize = 128;

impl IntegrationField {
    /// How it was computed.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Cells per stored row: the field has the border of its [`crate::movement::CostField`].
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// What the stored numbers mean.
    #[must_use]
    pub fn scale(&self) -> StepScale {
        self.scale
    }

    /// The stored costs, bordered; [`UNREACHED`] in walls, border and unreachable cells.
    #[must_use]
    pub fn stored(&self) -> &[u32] {
        &self.cost
    }

    /// Stored indices of the goal cells, in ascending order, but for those from which another is cheaper
    /// to reach.
    #[must_use]
    pub fn goals(&self) -> &[usize] {
        &self.goals
    }

    /// [`Self::goals`] as cells.
    pub(crate) fn goal_cells(&self) -> impl Iterator<Item = IVec2> {
        self.goals.iter().map(|&index| self.cell(index))
    }

    /// Where the path from each cell first bends, bordered like the costs; undefined where nothing is
    /// reached, empty for solvers of grid steps.
    #[must_use]
    pub fn roots(&self) -> &Arc<Vec<Root>> {
        &self.roots
    }

    /// Memory of the field, in bytes: four per cell, and four more where it has roots.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.cost.as_slice())
            + size_of_val(self.roots.as_slice())
            + size_of_val(self.goals.as_slice())
    }

    /// How many cells a repair may look at before a full solve is the better choice.
    ///
    /// In nanoseconds: a step tried takes 3 by the octile solver and 5 by system C's, a cell settled by the
    /// Eikonal solver 30; the directions and memory of a cell another 2; looking at a cell in a repair 90,
    /// 60 and 400. A repair that is given up has then added less than a fifth to the full solve.
    #[must_use]
    pub fn repair_limit(&self) -> usize {
        let (solved, looked_at) = match self.method {
            Method::Octile => (3 * self.tried, 90),
            Method::Predecessor => (5 * self.tried, 60),
            Method::Eikonal => (30 * self.tried, 400),
        };
        ALWAYS_TRIED.max((2 * self.cost.len() + solved) / (7 * looked_at))
    }

    /// The stored cost of a cell of the grid.
    #[inline]
    pub(crate) fn stored_at(&self, cell: IVec2) -> u32 {
        self.cost[self.index(cell)]
    }

    /// The cell of a stored index.
    pub(crate) fn cell(&self, index: usize) -> IVec2 {
        let (x, y) = (index % self.stride, index / self.stride);
        IVec2::new(x as i32, y as i32) - 1
    }

    fn index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    /// Whether a goal can be reached from any of the cells in a range of stored indices.
    pub(crate) fn reaches_any(&self, cells: std::ops::Range<usize>) -> bool {
        let all = self.cost[cells]
            .iter()
            .fold(UNREACHED, |all, cost| all & cost);
        all != UNREACHED
    }

    /// Whether a goal can be reached from the cell at a stored index.
    pub(crate) fn is_reached(&self, index: usize) -> bool {
        self.cost[index] != UNREACHED
    }

    /// The cost from a cell of the grid in cost units: on clear ground the octile distance in
    /// cells, or what [`PredecessorSolver`] makes of it. `None` where no goal can be reached.
    #[must_use]
    pub fn cost_at(&self, cell: IVec2) -> Option<f64> {
        self.units(self.cost[self.index(cell)])
    }

    fn units(&self, stored: u32) -> Option<f64> {
        (stored != UNREACHED).then(|| f64::from(stored) / f64::from(self.scale.straight))
    }

    /// How many cells have a path to the goal, goal cells included.
    #[must_use]
    pub fn reached_cell_count(&self) -> usize {
        self.cost.iter().filter(|&&cost| cost != UNREACHED).count()
    }

    /// All costs without the border, row-major, in cost units; infinite where there is no path.
    #[must_use]
    pub fn to_costs(&self) -> Vec<f32> {
        let inverse = 1.0 / self.scale.straight as f32;
        let rows = self.cost.chunks(self.stride);
        let height = rows.len() - 2;
        rows.skip(1)
            .take(height)
            .flat_map(|row| &row[1..=self.width])
            .map(|&cost| match cost {
                UNREACHED => f32::INFINITY,
                cost => cost as f32 * inverse,
            })
            .collect()
    }
}

pub(crate) fn cost_overflow() -> Error {
    let coarsest = SCALES[SCALES.len() - 1].straight;
    Error::CostOverflow {
        limit: f64::from(u32::MAX / coarsest),
    }
}
