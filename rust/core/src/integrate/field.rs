//! The integration field, which a solver computes: the cost of reaching the goal from each cell.

use super::method::Method;
use super::root::Root;
use super::scale::{SCALES, StepScale};
use crate::movement::CostField;
use crate::retired::Retired;
use glam::IVec2;
use std::sync::Arc;

/// Stored cost of a cell from which no goal can be reached.
pub const UNREACHED: u32 = u32::MAX;

/// The cost of the cheapest path from every cell to the nearest goal cell.
///
/// Costs are integers in units of `1 / scale` cost units, where one cost unit is a straight step over clear ground.
/// Integer sums are exact, so that equally long paths compare as equal. Floats would break these ties by rounding
/// noise, and long paths would drift (at 5,000 steps an `f32` sum is off in its 6th digit).
#[derive(Debug, Clone)]
pub struct IntegrationField {
    pub(super) method: Method,
    pub(super) width: usize,
    pub(super) stride: usize,
    pub(super) scale: StepScale,
    pub(super) cost: Vec<u32>,
    pub(super) goals: Vec<usize>,
    /// The roots, bordered like the costs; empty if the solver computes none.
    pub(super) roots: Arc<Vec<Root>>,
    /// An upper bound of the costs of reached cells.
    pub(super) highest: u32,
    /// The number of steps that the solver tried, or of cells that it settled, as a measure of its work.
    pub(super) tried: usize,
}

impl IntegrationField {
    /// Has its memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.cost);
        if let Some(roots) = Arc::into_inner(self.roots) {
            retired.add(roots);
        }
    }

    /// A field of the size of `costs` with nothing solved yet, in the memory `cost`.
    pub(super) fn unsolved(
        method: Method,
        costs: &CostField,
        scale: StepScale,
        cost: Vec<u32>,
    ) -> Self {
        Self {
            method,
            width: costs.width(),
            stride: costs.stride(),
            scale,
            cost,
            goals: Vec::new(),
            roots: Arc::default(),
            highest: 0,
            tried: 0,
        }
    }

    /// A field of no map.
    pub(crate) fn empty() -> Self {
        Self::unsolved(Method::Octile, &CostField::empty(), SCALES[0], Vec::new())
    }

    /// The method by which it was computed.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Cells per stored row: the field has the border of its [`crate::movement::CostField`].
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The scale of the stored numbers.
    #[must_use]
    pub fn scale(&self) -> StepScale {
        self.scale
    }

    /// The stored costs, bordered; [`UNREACHED`] in walls, border and unreachable cells.
    #[must_use]
    pub fn stored(&self) -> &[u32] {
        &self.cost
    }

    /// The stored indices of the goal cells, ascending, except goal cells from which another one is cheaper to reach.
    #[must_use]
    pub fn goals(&self) -> &[usize] {
        &self.goals
    }

    /// [`Self::goals`] as cells.
    pub(crate) fn goal_cells(&self) -> impl Iterator<Item = IVec2> + Clone {
        self.goals.iter().map(|&index| self.cell(index))
    }

    /// The root of each cell, bordered like the costs; unspecified for cells that are not reached, and empty for
    /// solvers of grid steps.
    #[must_use]
    pub fn roots(&self) -> &Arc<Vec<Root>> {
        &self.roots
    }

    /// The memory of the field in bytes: four for each cell, and four more if it has roots.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.cost.as_slice())
            + size_of_val(self.roots.as_slice())
            + size_of_val(self.goals.as_slice())
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
    /// cells, or what [`super::PredecessorSolver`] makes of it. `None` where no goal can be reached.
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
