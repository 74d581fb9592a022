//! The direction at a point between cell centres.
//!
//! Where paths are straight, from the point to the root of its cell. Elsewhere
//! bilinear as in system A, with four differences: the weights are taken
//! between cell *centres* (A takes them between corners, half a cell off); only
//! cells that the point's own cell can step to take part, so that neither walls
//! nor the far side of a wall do; nor does a cell whose direction disagrees with
//! the own cell's, as where the field splits around an obstacle, since a blend
//! of the two leads nowhere; and nothing leads into a wall that is near. Either
//! way [`super::descent`] has the last word.

use super::{Direction, FlowField};
use crate::grid::floor_to_cell;
use crate::integrate::Root;
use crate::movement::{STEPS, offsets};
use glam::{IVec2, Vec2};

/// Least cosine between the own cell's direction and one that is blended in: about 70 degrees.
const LEAST_AGREEMENT: f32 = 0.35;
/// A wall's corner that is farther ahead than this, in cells, is left to the next cell's direction.
const CORNER_AHEAD: f32 = 0.5;
/// Closer than this to an exact target, in cells, there is no direction any more.
const AT_TARGET: f32 = 1.0e-3;
/// How far from a wall's corner, in cells and on both axes, it is passed: by points, and at most, which is
/// through the middle of the cell at the corner.
pub(super) const MARGIN: (f32, f32) = (0.1, 0.5);

impl FlowField {
    /// The unit direction at a point in cell space; zero at the goal and where there is no route.
    ///
    /// In a goal cell it leads to the exact target; in a wall, to the nearest open cell beside it.
    /// Points outside the grid are taken to its edge.
    #[must_use]
    pub fn sample(&self, point: Vec2) -> Vec2 {
        self.sample_for(point, 0.0)
    }

    /// [`Self::sample`] for the middle of a body of this radius, in cells: it passes corners at a greater
    /// distance.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        let size = IVec2::new(self.width as i32, self.height as i32);
        let cell = floor_to_cell(point).clamp(IVec2::ZERO, size - IVec2::ONE);
        let index = self.index(cell);
        let own = self.cells[index].direction;
        let corner = cell.as_vec2();
        if own == Direction::STRAIGHT {
            let margin = radius.clamp(MARGIN.0, MARGIN.1);
            let (own, wanted) = self.towards_root(point, cell, index, margin);
            return self.downhill(index, point - corner, own, wanted);
        }
        if own.is_angle() {
            let own = own.vector();
            let blend = self.blend(point, cell, index, own);
            return self.downhill(index, point - corner, own, blend);
        }
        match own {
            Direction::GOAL => self.towards_target(point, index),
            Direction::NO_ROUTE => Vec2::ZERO,
            _ => self.out_of_wall(point, cell),
        }
    }

    /// The directions to a cell's root: from its middle and from a point in it. To a goal's cell it is
    /// the exact target that the latter leads to.
    #[inline]
    fn towards_root(&self, point: Vec2, cell: IVec2, index: usize, margin: f32) -> (Vec2, Vec2) {
        let root = self.roots[index];
        let way = root.aim(margin);
        let aim = match self.target_at(root, index) {
            Some(target) => target,
            None => cell.as_vec2() + 0.5 + way,
        };
        (way.normalize_or_zero(), (aim - point).normalize_or_zero())
    }

    /// The exact target whose cell is the root of the cell with stored index `index`.
    #[inline]
    fn target_at(&self, root: Root, index: usize) -> Option<Vec2> {
        let by = root.cell()?;
        let goal = index.wrapping_add_signed(by.y as isize * self.stride as isize + by.x as isize);
        self.target_of(goal)
    }

    /// Whether the path from a cell of the grid is one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        let index = self.index(cell);
        match self.cells[index].direction {
            Direction::GOAL => true,
            Direction::STRAIGHT => self.target_at(self.roots[index], index).is_some(),
            _ => false,
        }
    }

    /// The bilinear blend around a point whose own cell has direction `own`.
    #[inline]
    fn blend(&self, point: Vec2, cell: IVec2, index: usize, own: Vec2) -> Vec2 {
        // From the own centre towards the point: the quadrant's three other cells take part.
        let offset = (point - (cell.as_vec2() + 0.5)).clamp(Vec2::splat(-0.5), Vec2::splat(0.5));
        let share = offset.abs();
        let column = if offset.x < 0.0 { -1 } else { 1 };
        let row = if offset.y < 0.0 { -1 } else { 1 } * self.stride.cast_signed();
        let beside = index.wrapping_add_signed(column);
        let below = index.wrapping_add_signed(row);
        let is_open = |index: usize| self.cells[index].direction.is_open();
        let mut blend = own * ((1.0 - share.x) * (1.0 - share.y));
        let mut add = |other: usize, weight: f32| {
            let vector = self.own_vector(other);
            let agrees = vector.dot(own) > LEAST_AGREEMENT;
            blend += vector * if agrees { weight } else { 0.0 };
        };
        add(beside, share.x * (1.0 - share.y));
        add(below, (1.0 - share.x) * share.y);
        let mut corner = false;
        if is_open(beside) && is_open(below) {
            let across = index.wrapping_add_signed(column + row);
            add(across, share.x * share.y);
            corner = !is_open(across);
        }
        // In the half of the cell beside a wall nothing but the own direction may lead into it.
        if !is_open(beside) && blend.x * offset.x > 0.0 {
            blend.x = 0.0;
        }
        if !is_open(below) && blend.y * offset.y > 0.0 {
            blend.y = 0.0;
        }
        let direction = blend.try_normalize().unwrap_or(own);
        if corner {
            around_corner(direction, offset, own)
        } else {
            direction
        }
    }

    fn towards_target(&self, point: Vec2, index: usize) -> Vec2 {
        match self.target_of(index) {
            Some(target) if point.distance(target) > AT_TARGET => {
                (target - point).normalize_or_zero()
            }
            _ => Vec2::ZERO,
        }
    }

    fn target_of(&self, index: usize) -> Option<Vec2> {
        let first = self.targets.partition_point(|&(goal, _)| goal < index);
        let &(goal, target) = self.targets.get(first)?;
        (goal == index).then_some(target)
    }

    /// The exact target, in cell space, inside a cell of the grid.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        self.target_of(self.index(cell))
    }

    /// Distance, in cells, to the nearest target that is not in a wall. Linear in the targets.
    #[must_use]
    pub fn distance_to_target(&self, point: Vec2) -> f32 {
        let distances = self
            .targets
            .iter()
            .map(|&(_, at)| at.distance_squared(point));
        distances.fold(f32::INFINITY, f32::min).sqrt()
    }

    fn out_of_wall(&self, point: Vec2, cell: IVec2) -> Vec2 {
        let index = self.index(cell);
        if let Some(step) = self.cells[index].direction.leaving_step() {
            return ((cell + STEPS[step]).as_vec2() + 0.5 - point).normalize_or_zero();
        }
        let mut nearest = (f32::INFINITY, Vec2::ZERO);
        for (step, offset) in offsets(self.stride).into_iter().zip(STEPS) {
            let neighbour = self.cells[index.wrapping_add_signed(step)].direction;
            if !neighbour.is_open() || neighbour == Direction::NO_ROUTE {
                continue;
            }
            let centre = (cell + offset).as_vec2() + 0.5;
            let distance = centre.distance_squared(point);
            if distance < nearest.0 {
                nearest = (distance, centre - point);
            }
        }
        nearest.1.normalize_or_zero()
    }
}

/// `direction` from the point at `offset` from its cell's centre, turned along the wall if it would
/// soon lead into the wall cell that touches that quadrant's corner.
fn around_corner(direction: Vec2, offset: Vec2, own: Vec2) -> Vec2 {
    let side = Vec2::ONE.copysign(offset);
    let ahead = direction * side;
    if ahead.min_element() <= 0.0 {
        return direction;
    }
    let reach = (0.5 - offset.abs()) / ahead;
    if reach.max_element() > CORNER_AHEAD {
        return direction;
    }
    // The own direction's grid step is straight here: a diagonal one would cut the corner.
    let along = own * side;
    if along.x >= along.y {
        Vec2::new(side.x, 0.0)
    } else {
        Vec2::new(0.0, side.y)
    }
}
