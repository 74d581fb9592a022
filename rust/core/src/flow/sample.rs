//! The direction at a point between cell centres.
//!
//! Where paths are straight, the direction leads from the point to the root of its cell. Elsewhere it is interpolated
//! bilinearly as in system A, with four differences:
//!
//! - The weights are taken between cell *centres*; system A takes them between corners, half a cell off.
//! - Only cells that the point's own cell can step to take part, so neither walls nor cells behind a wall do.
//! - Cells whose direction disagrees with the own cell's do not take part, as where the field splits around an
//!   obstacle: a blend of the two leads nowhere.
//! - The result does not lead into a near wall.
//!
//! In both cases [`super::descent`] corrects the result so that it leads to lower cost.

use super::field::FlowField;
use super::map::{FlowMap, MARGIN};
use crate::direction::Direction;
use crate::grid::floor_to_cell;
use crate::grid::{STEPS, offsets};
use crate::integrate::Root;
use glam::{IVec2, Vec2};

/// The least cosine between the own cell's direction and a direction that is blended in: about 70 degrees.
const LEAST_AGREEMENT: f32 = 0.35;
/// A wall's corner that is farther ahead than this, in cells, is handled by the next cell's direction.
const CORNER_AHEAD: f32 = 0.5;
/// The distance to an exact target, in cells, below which there is no direction.
const AT_TARGET: f32 = 1.0e-3;
impl FlowField {
    /// The unit direction at a point in cell space; zero at the goal and where there is no route.
    ///
    /// In a goal cell it leads to the exact target; in a wall, to the nearest open cell beside it. Points outside the
    /// grid are clamped to its edge.
    #[must_use]
    pub fn sample(&self, point: Vec2) -> Vec2 {
        self.sample_for(point, 0.0)
    }

    /// [`Self::sample`] for the middle of a body of this radius, in cells: it passes corners at a greater
    /// distance.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Vec2 {
        sample(self, point, radius)
    }

    /// [`Self::sample_for`] for a point whose nearest cell of the grid is known.
    #[must_use]
    pub(crate) fn sample_in(&self, cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        sample_in(self, cell, point, radius)
    }

    /// Whether the path from a cell of the grid is one straight line to a target.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        sees_target(self, cell)
    }

    /// The exact target, in cell space, inside a cell of the grid.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        self.exact_target(cell)
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

    /// The target nearest to a point, within `reach`. Linear in the targets or in the cells within reach, whichever are
    /// fewer, and nothing far from all targets.
    #[inline]
    pub(crate) fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        if self.bounds.is_near(point, reach) {
            self.near_target(point, reach)
        } else {
            None
        }
    }

    fn near_target(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        let last = IVec2::new(self.width as i32, self.height as i32) - 1;
        let [low, high] = [point - reach, point + reach]
            .map(|corner| floor_to_cell(corner).clamp(IVec2::ZERO, last));
        let cells = (high - low + 1).as_i64vec2().element_product();
        if self.targets.len() as i64 <= cells {
            return nearest_within(self.targets.iter().map(|&(_, at)| at), point, reach);
        }
        let rows = (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| IVec2::new(x, y)));
        let goals = rows.filter(|&cell| self.is_goal(cell));
        nearest_within(
            goals.filter_map(|cell| self.exact_target(cell)),
            point,
            reach,
        )
    }
}

/// The first of the targets nearest to a point, within `reach`.
pub(crate) fn nearest_within(
    targets: impl Iterator<Item = Vec2>,
    point: Vec2,
    reach: f32,
) -> Option<Vec2> {
    let near = targets.map(|at| (at, at.distance_squared(point)));
    let near = near.filter(|&(_, squared)| squared <= reach * reach);
    let nearest = near.min_by(|(_, one), (_, other)| one.total_cmp(other));
    nearest.map(|(at, _)| at)
}

/// [`FlowField::sample_for`] on any map of directions.
#[inline]
pub(crate) fn sample<F: FlowMap>(flow: &F, point: Vec2, radius: f32) -> Vec2 {
    let cell = floor_to_cell(point).clamp(IVec2::ZERO, flow.size() - IVec2::ONE);
    sample_in(flow, cell, point, radius)
}

/// [`sample`] for a point whose nearest cell is known.
#[inline]
fn sample_in<F: FlowMap>(flow: &F, cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
    let index = flow.stored_index(cell);
    let own = flow.own(index);
    let corner = cell.as_vec2();
    if own == Direction::STRAIGHT {
        let margin = radius.clamp(MARGIN.0, MARGIN.1);
        let (own, wanted) = towards_root(flow, point, cell, index, margin);
        return flow.downhill(index, point - corner, own, wanted);
    }
    if own.is_angle() {
        let own = own.vector();
        let blend = blend(flow, point, cell, index, own);
        return flow.downhill(index, point - corner, own, blend);
    }
    match own {
        Direction::GOAL => towards_target(flow, point, cell),
        Direction::NO_ROUTE | Direction::LINK => Vec2::ZERO,
        _ => out_of_wall(flow, point, cell),
    }
}

/// [`FlowField::sees_target`] on any map of directions.
pub(crate) fn sees_target<F: FlowMap>(flow: &F, cell: IVec2) -> bool {
    let index = flow.stored_index(cell);
    match flow.own(index) {
        Direction::GOAL => true,
        Direction::STRAIGHT => target_at(flow, flow.root(index), cell).is_some(),
        _ => false,
    }
}

/// The directions to a cell's root: from the cell's centre, and from a point in it. If the root is a goal cell, the
/// latter leads to the exact target.
#[inline]
fn towards_root<F: FlowMap>(
    flow: &F,
    point: Vec2,
    cell: IVec2,
    index: usize,
    margin: f32,
) -> (Vec2, Vec2) {
    let root = flow.root(index);
    let to_root = root.aim(margin);
    let aim = match target_at(flow, root, cell) {
        Some(target) => target,
        None => cell.as_vec2() + 0.5 + to_root,
    };
    (
        to_root.normalize_or_zero(),
        (aim - point).normalize_or_zero(),
    )
}

/// The exact target whose cell is the root of `cell`.
#[inline]
fn target_at<F: FlowMap>(flow: &F, root: Root, cell: IVec2) -> Option<Vec2> {
    flow.exact_target(cell + root.cell()?)
}

/// The bilinear blend around a point whose own cell has direction `own`.
#[inline(never)]
fn blend<F: FlowMap>(flow: &F, point: Vec2, cell: IVec2, index: usize, own: Vec2) -> Vec2 {
    // The offset of the point from the own cell's centre selects a quadrant, whose three other cells take part.
    let offset = (point - (cell.as_vec2() + 0.5)).clamp(Vec2::splat(-0.5), Vec2::splat(0.5));
    let share = offset.abs();
    let column = if offset.x < 0.0 { -1 } else { 1 };
    let row = if offset.y < 0.0 { -1 } else { 1 } * flow.stride().cast_signed();
    let beside = index.wrapping_add_signed(column);
    let below = index.wrapping_add_signed(row);
    let is_open = |index: usize| flow.own(index).is_open();
    let mut blend = own * ((1.0 - share.x) * (1.0 - share.y));
    let mut add = |other: usize, weight: f32| {
        let vector = flow.own_vector(other);
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
    // In the half of the cell beside a wall, only the own direction may lead into that wall's cell.
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

fn towards_target<F: FlowMap>(flow: &F, point: Vec2, cell: IVec2) -> Vec2 {
    match flow.exact_target(cell) {
        Some(target) if point.distance(target) > AT_TARGET => (target - point).normalize_or_zero(),
        _ => Vec2::ZERO,
    }
}

#[inline(never)]
fn out_of_wall<F: FlowMap>(flow: &F, point: Vec2, cell: IVec2) -> Vec2 {
    let index = flow.stored_index(cell);
    if let Some(step) = flow.own(index).leaving_step() {
        return ((cell + STEPS[step]).as_vec2() + 0.5 - point).normalize_or_zero();
    }
    let mut nearest = (f32::INFINITY, Vec2::ZERO);
    for (step, offset) in offsets(flow.stride()).into_iter().zip(STEPS) {
        let neighbour = flow.own(index.wrapping_add_signed(step));
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

/// `direction` at the point at `offset` from its cell's centre, turned along the wall if it would soon lead into the
/// wall cell at that quadrant's corner.
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
    // The own direction's grid step is straight here, because a diagonal one would cut the corner.
    let along = own * side;
    if along.x >= along.y {
        Vec2::new(side.x, 0.0)
    } else {
        Vec2::new(0.0, side.y)
    }
}
