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
    /// Middle fields, around earlier positions of the goal, from the nearest to the farthest.
    pub(super) middle: Arc<[MiddleField]>,
}

/// A middle field in use.
#[derive(Debug, Clone)]
pub(super) struct MiddleField {
    pub(super) field: Arc<NearField>,
    /// The update in which the goal was where it leads to.
    pub(super) begun_at: u64,
}

/// The part that a cell belongs to, from the nearest to the farthest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Part {
    Near,
    /// A middle field that leads to where the goal was in an update.
    Middle {
        begun_at: u64,
    },
    Far,
}

impl Parts {
    pub(super) fn new(near: &[Arc<NearField>], middle: impl Into<Arc<[MiddleField]>>) -> Self {
        Self {
            near: near.into(),
            middle: middle.into(),
        }
    }

    /// Whether each middle field's goal cells are in the fields before it, without which paths would not end.
    pub(super) fn lead_one_to_the_next(&self) -> bool {
        let mut middle = self.middle.iter().enumerate();
        middle.all(|(number, part)| {
            let nearer = self.middle[..number].iter().map(|part| &part.field);
            let mut goals = part.field.goal_cells();
            goals.all(|cell| {
                let mut parts = self.near.iter().chain(nearer.clone());
                parts.any(|part| part.contains(cell))
            })
        })
    }

    /// Stops using middle fields. They may no longer hold the goal cells of the far field.
    pub(in crate::world) fn let_go_of_middle(&mut self) {
        self.middle = Arc::default();
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
        if self.near_at(cell).is_some() {
            return Part::Near;
        }
        match self.middle_at(cell).filter(|_| !self.is_empty()) {
            Some(&MiddleField { begun_at, .. }) => Part::Middle { begun_at },
            None => Part::Far,
        }
    }

    /// The near or middle field that a cell belongs to, if any.
    #[inline]
    pub(in crate::world) fn at(&self, cell: IVec2) -> Option<&NearField> {
        if self.is_empty() {
            return None;
        }
        let middle = self.middle.iter().map(|part| &part.field);
        let mut parts = self.near.iter().chain(middle);
        parts.find(|part| part.contains(cell)).map(|part| &**part)
    }

    /// The middle field that holds a cell, if any.
    fn middle_at(&self, cell: IVec2) -> Option<&MiddleField> {
        self.middle.iter().find(|part| part.field.contains(cell))
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
        let middle = &self.middle_at(cell)?.field;
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
        let middle = self.middle.iter().map(|part| &part.field);
        for part in middle.chain(&*self.near) {
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
