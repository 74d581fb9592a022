//! The field of directions.

use super::cell::{FlowCell, PIECE};
use super::map::FlowMap;
use super::rows::{fill_piece, fill_rows};
use super::target_bounds::TargetBounds;
use super::{DirectionRule, descent, fill, predecessor};
use crate::direction::Direction;
use crate::integrate::{IntegrationField, Predecessors, Root};
use crate::movement::{BLOCKED, CostField};
use crate::retired::{Retired, make_room};
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::ops::Range;
use std::sync::Arc;

/// A direction per cell, with the border of the [`CostField`] it was made from.
///
/// Whatever the rule, [`Self::next_step`] and [`Self::sample`] lead to cells of
/// strictly lower cost only. Following either therefore ends in a goal from every
/// reachable cell, without any limit on the number of steps.
#[derive(Debug, Clone, Default)]
pub struct FlowField {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) stride: usize,
    pub(super) cells: Vec<FlowCell>,
    /// The roots of the integration field, for directions that lead to them.
    pub(super) roots: Arc<Vec<Root>>,
    /// The exact targets in cell space, with the stored index of their goal cell, sorted.
    pub(super) targets: Vec<(usize, Vec2)>,
    pub(super) bounds: TargetBounds,
    /// The first and last cells, as stored indices, of the links that paths take, sorted.
    pub(super) links: Vec<(usize, usize)>,
}

/// Rows per piece of parallel work: enough to be worth a steal.
const ROWS_PER_TASK: usize = 16;

impl FlowField {
    /// Has its memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.cells);
        if let Some(roots) = Arc::into_inner(self.roots) {
            retired.add(roots);
        }
    }

    /// The directions of `integration`, which must come from `costs`; `targets` are the goal's
    /// exact points in cell space.
    ///
    /// Linear in the cells, spread over `workers`.
    #[must_use]
    pub fn new(
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
        workers: &Workers,
    ) -> Self {
        Self::default().rebuilt(costs, integration, targets, rule, workers)
    }

    /// [`Self::new`] in the memory of a field that is no longer needed.
    #[must_use]
    pub fn rebuilt(
        self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
        workers: &Workers,
    ) -> Self {
        let mut field = self.filled(costs, integration, targets, workers, |from, out, lower| {
            fill(costs, integration, rule, from, out, lower);
        });
        field.follow_roots(integration, rule);
        field
    }

    /// The field from the directions that a [`crate::integrate::PredecessorSolver`] recorded. It equals the field of
    /// [`Self::new`] with [`DirectionRule::Predecessor`], without reading neighbours.
    #[must_use]
    pub fn from_predecessors(
        costs: &CostField,
        integration: &IntegrationField,
        predecessors: &Predecessors,
        targets: &[Vec2],
        workers: &Workers,
    ) -> Self {
        Self::default().filled(costs, integration, targets, workers, |from, out, lower| {
            predecessor::copy_record(costs, predecessors, from, out);
            descent::fill_row(costs, integration, from, lower);
        })
    }

    /// Fills the field in its own memory. `fill` writes directions and the steps to lower cells, for the cells from a
    /// stored index on.
    pub(super) fn filled(
        mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        workers: &Workers,
        fill: impl Fn(usize, &mut [Direction], &mut [u8]) + Sync,
    ) -> Self {
        self.lay_out(costs);
        let stride = self.stride;
        let inner = stride..(costs.height() + 1) * stride;
        workers.for_each_chunk(
            &mut self.cells[inner],
            ROWS_PER_TASK * stride,
            |offset, out| fill_rows(costs, integration, stride + offset, out, &fill),
        );
        self.finish(costs, integration, targets);
        self
    }

    /// Sets the size of the map. All cells except the border must be written afterwards.
    pub(super) fn lay_out(&mut self, costs: &CostField) {
        self.make_room(costs);
        self.cells.resize(costs.cell_count(), FlowCell::WALL);
    }

    /// Makes room for a map. The cells are all there or all missing.
    pub(super) fn make_room(&mut self, costs: &CostField) {
        let cells = costs.cell_count();
        // A border of another size has other cells.
        if self.stride != costs.stride() || self.cells.len() != cells {
            make_room(&mut self.cells, cells);
        }
        self.width = costs.width();
        self.height = costs.height();
        self.stride = costs.stride();
        self.roots = Arc::default();
    }

    /// Adds roots, targets and links, which are not found cell by cell.
    pub(super) fn finish(
        &mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
    ) {
        for &goal in integration.goals() {
            self.cells[goal].direction = Direction::GOAL;
        }
        self.set_targets(goal_targets(costs, integration, targets));
        self.mark_links(costs, integration);
    }

    /// Updates the field after a repair of `integration`. `cells` are the cells whose directions may have changed, as
    /// runs of stored indices along rows. All other arguments must equal those of [`Self::new`].
    pub fn update(
        &mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
        rule: DirectionRule,
        cells: &[Range<usize>],
    ) {
        let fill = |from: usize, out: &mut [Direction], lower: &mut [u8]| {
            fill(costs, integration, rule, from, out, lower);
        };
        // For scattered cells the processor then waits for many loads at once.
        let known = cells.iter().map(|run| self.cells[run.start].lower);
        std::hint::black_box(known.fold(0, |all, lower| all ^ lower));
        // Cells that led to links may no longer do so.
        let linked = std::mem::take(&mut self.links);
        let runs = cells.iter().cloned();
        for run in runs.chain(linked.iter().map(|&(from, _)| from..from + 1)) {
            let out = &mut self.cells[run.clone()];
            for (from, out) in (run.start..).step_by(PIECE).zip(out.chunks_mut(PIECE)) {
                fill_piece(costs, integration, from, out, fill);
            }
        }
        self.finish(costs, integration, targets);
    }

    /// Moves the targets within their cells.
    pub(crate) fn move_targets(
        &mut self,
        costs: &CostField,
        integration: &IntegrationField,
        targets: &[Vec2],
    ) {
        self.set_targets(goal_targets(costs, integration, targets));
    }

    /// The exact targets in goal cells, in cell space.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Vec2> {
        self.targets.iter().map(|&(_, target)| target)
    }

    pub(super) fn set_targets(&mut self, targets: Vec<(usize, Vec2)>) {
        self.bounds = TargetBounds::around(targets.iter().map(|&(_, at)| at));
        self.targets = targets;
    }

    /// Releases the integration field's roots, so that they can be changed in place. The field must not be read until
    /// [`Self::follow_roots`].
    pub fn forget_roots(&mut self) {
        self.roots = Arc::default();
    }

    /// Takes the roots of an integration field after [`Self::forget_roots`].
    pub fn follow_roots(&mut self, integration: &IntegrationField, rule: DirectionRule) {
        self.roots = followed_roots(integration, rule);
    }

    #[inline]
    pub(super) fn index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    /// The direction of a cell of the grid, to the nearest of [`ANGLES`](crate::direction::ANGLES) angles.
    #[must_use]
    pub fn direction_at(&self, cell: IVec2) -> Direction {
        let index = self.index(cell);
        match self.cells[index].direction {
            Direction::STRAIGHT => {
                Direction::from_vector(self.own_vector(index)).unwrap_or(Direction::GOAL)
            }
            direction if direction.is_open() => direction,
            _ => Direction::WALL,
        }
    }

    /// Memory of the field in bytes: two for each cell. Roots belong to the integration field and count there.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.targets.as_slice())
    }

    /// Whether a cell of the grid is a goal.
    #[must_use]
    #[inline]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        self.cells[self.index(cell)].direction == Direction::GOAL
    }

    /// The direction of a cell of the grid, as a unit vector or zero.
    pub(crate) fn vector_at(&self, cell: IVec2) -> Vec2 {
        self.own_vector(self.index(cell))
    }

    /// The number of cells along both axes.
    pub(crate) fn size(&self) -> IVec2 {
        IVec2::new(self.width as i32, self.height as i32)
    }

    /// All directions without the border, row-major, as unit vectors or zero.
    #[must_use]
    pub fn to_vectors(&self) -> Vec<Vec2> {
        (0..self.height * self.width)
            .map(|cell| {
                self.own_vector((cell / self.width + 1) * self.stride + cell % self.width + 1)
            })
            .collect()
    }
}

impl FlowMap for FlowField {
    fn size(&self) -> IVec2 {
        self.size()
    }

    #[inline]
    fn stride(&self) -> usize {
        self.stride
    }

    #[inline]
    fn own(&self, index: usize) -> Direction {
        self.cells[index].direction
    }

    #[inline]
    fn root(&self, index: usize) -> Root {
        self.roots[index]
    }

    #[inline]
    fn lower(&self, index: usize) -> u8 {
        self.cells[index].lower
    }

    #[inline]
    fn downhill(&self, index: usize, offset: Vec2, own: Vec2, wanted: Vec2) -> Vec2 {
        descent::downhill(self.lower(index), offset, own, wanted)
    }

    #[inline]
    fn exact_target(&self, cell: IVec2) -> Option<Vec2> {
        let index = self.index(cell);
        let first = self.targets.partition_point(|&(goal, _)| goal < index);
        let &(goal, target) = self.targets.get(first)?;
        (goal == index).then_some(target)
    }
}

fn followed_roots(integration: &IntegrationField, rule: DirectionRule) -> Arc<Vec<Root>> {
    match rule {
        DirectionRule::Characteristic => Arc::clone(integration.roots()),
        _ => Arc::default(),
    }
}

/// The targets in goal cells, by the stored index of their cell.
fn goal_targets(
    costs: &CostField,
    integration: &IntegrationField,
    targets: &[Vec2],
) -> Vec<(usize, Vec2)> {
    let mut targets: Vec<(usize, Vec2)> = targets
        .iter()
        .map(|&target| (crate::grid::floor_to_cell(target), target))
        .filter(|&(cell, _)| costs.cost_at(cell) != BLOCKED)
        .map(|(cell, target)| (costs.index(cell), target))
        .filter(|(index, _)| integration.goals().binary_search(index).is_ok())
        .collect();
    targets.sort_by_key(|&(index, _)| index);
    targets
}
