//! The parts of a field near a goal that has walked.

use crate::grid::CellRect;
use crate::world::walking::near_field::NearField;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The near and middle fields that are in use together. Each holds the goal cells of the next farther one. See
/// [`super`] for why agents arrive.
#[derive(Debug, Clone, Default)]
pub(in crate::world) struct Parts {
    /// Near fields, around the goal's present position; none if the far field leads there.
    pub(super) near: Arc<[Arc<NearField>]>,
    /// Middle fields, around a slightly earlier position of the goal, and then former ones.
    pub(super) middle: Arc<[Arc<NearField>]>,
    /// How many of the middle fields are not former ones.
    pub(super) latest: usize,
}

/// The part that a cell belongs to, from the nearest to the farthest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Part {
    Near,
    Middle,
    FormerMiddle,
    Far,
}

impl Parts {
    pub(super) fn new(
        near: &[Arc<NearField>],
        middle: impl Into<Arc<[Arc<NearField>]>>,
        latest: usize,
    ) -> Self {
        Self {
            near: near.into(),
            middle: middle.into(),
            latest,
        }
    }

    /// Whether each middle field's goal cells are in the fields before it, without which paths would not end.
    pub(super) fn lead_one_to_the_next(&self) -> bool {
        let holds =
            |fields: &[Arc<NearField>], cell| fields.iter().any(|field| field.contains(cell));
        let mut middle = self.middle.iter().enumerate();
        middle.all(|(number, field)| {
            let mut goals = field.goal_cells();
            goals.all(|cell| holds(&self.near, cell) || holds(&self.middle[..number], cell))
        })
    }

    /// Stops using middle fields. They may no longer hold the goal cells of the far field.
    pub(in crate::world) fn let_go_of_middle(&mut self) {
        self.middle = Arc::default();
        self.latest = 0;
    }

    pub(super) fn are_the_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.near, &other.near) && Arc::ptr_eq(&self.middle, &other.middle)
    }

    /// Whether there are no near fields, so that the far field is used everywhere.
    #[inline]
    pub(in crate::world) fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// The kind of part that a cell belongs to.
    pub(in crate::world) fn kind_at(&self, cell: IVec2) -> Part {
        let holds = |part: &Arc<NearField>| part.contains(cell);
        if self.near.iter().any(holds) {
            return Part::Near;
        }
        let middle = self.middle.iter().position(holds);
        match middle.filter(|_| !self.is_empty()) {
            Some(number) if number < self.latest => Part::Middle,
            Some(_) => Part::FormerMiddle,
            None => Part::Far,
        }
    }

    /// The near or middle field that a cell belongs to, if any.
    #[inline]
    pub(in crate::world) fn at(&self, cell: IVec2) -> Option<&NearField> {
        if self.is_empty() {
            return None;
        }
        let mut parts = self.near.iter().chain(&*self.middle);
        parts.find(|part| part.contains(cell)).map(|part| &**part)
    }

    /// The near field that a cell belongs to, if any.
    pub(in crate::world) fn near_at(&self, cell: IVec2) -> Option<&NearField> {
        let near = self.near.iter().find(|near| near.contains(cell))?;
        Some(near)
    }

    /// The cost from a cell of one of the parts. In a middle field it is the cost to the field's goal cells plus the
    /// greatest cost from there.
    pub(in crate::world) fn cost_at(&self, cell: IVec2) -> Option<f64> {
        if let Some(near) = self.near_at(cell) {
            return near.cost_at(cell);
        }
        let middle = self.middle.iter().find(|part| part.contains(cell))?;
        Some(middle.cost_at(cell)? + self.greatest_cost(middle.goal_cells()))
    }

    /// The greatest of the costs from some cells of the parts.
    pub(in crate::world) fn greatest_cost(&self, cells: impl Iterator<Item = IVec2>) -> f64 {
        cells
            .filter_map(|cell| self.cost_at(cell))
            .fold(0.0, f64::max)
    }

    /// Whether a cell is a goal.
    #[inline]
    pub(in crate::world) fn is_goal(&self, cell: IVec2) -> bool {
        self.near.iter().any(|near| near.is_goal(cell))
    }

    /// The exact target in a cell.
    #[inline]
    pub(in crate::world) fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        self.near.iter().find_map(|near| near.target_in(cell))
    }

    /// Distance, in cells, to the nearest target that is not in a wall. Linear in the targets.
    pub(in crate::world) fn distance_to_target(&self, point: Vec2) -> f32 {
        let distances = self.near.iter().map(|near| near.distance_to_target(point));
        distances.fold(f32::INFINITY, f32::min)
    }

    /// The nearest target to end at, within `reach` of a point.
    #[inline]
    pub(in crate::world) fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        let mut found = self.near.iter();
        found.find_map(|near| near.target_within(point, reach))
    }

    /// Whether the path from a cell is one straight line to a target.
    pub(in crate::world) fn sees_target(&self, cell: IVec2) -> bool {
        self.near_at(cell)
            .is_some_and(|near| near.sees_target(cell))
    }

    /// Calls `each` for every cell of near and middle fields.
    pub(in crate::world) fn for_each_cell(&self, mut each: impl FnMut(IVec2)) {
        for part in self.middle.iter().chain(&*self.near) {
            let CellRect { low, high } = part.cells();
            for y in low.y..high.y {
                for cell in (low.x..high.x).map(|x| IVec2::new(x, y)) {
                    if part.contains(cell) {
                        each(cell);
                    }
                }
            }
        }
    }
}
