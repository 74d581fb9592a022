//! Walls: no agent's disc ends a step inside a wall (system A, 4.4, "hard correction").
//!
//! System A pushes an agent away from each nearby wall once, in arbitrary order. This can push it out of one wall into
//! the next, or through a thin wall if it is fast. Here the displacement is cut into pieces shorter than the agent.
//! Each piece is corrected, deepest wall first, until no overlap is left, and a piece that still ends in a wall is
//! rejected.
//!
//! Only walls count here, not clearance: in a cell that is closed only for lack of clearance the disc may fit away from
//! the cell's centre. Walls where the floor continues on another layer keep a disc's centre out, and not its rim.

use crate::grid::floor_to_cell;
use crate::movement::CostField;
use glam::{IVec2, Vec2};

/// The depth, in cells, to which a disc may overlap a wall and still count as outside: a few float roundings at the far
/// end of the largest grid.
pub(in crate::swarm) const TOLERANCE: f32 = 2.0e-3;
/// The distance from a wall, in cells, at which a correction leaves a disc, so that rounding does not put it back
/// inside. A disc uses the tolerance only where it does not fit otherwise.
const SKIN: f32 = 0.25 * TOLERANCE;
/// The most corrections of a piece of a displacement. A corner takes two, a dent a few more.
const CORRECTIONS: usize = 6;
/// The shortest and longest pieces of a displacement, in cells. Below half a cell a point cannot pass through a wall,
/// and pieces shorter than an eighth gain nothing.
const PIECE: (f32, f32) = (0.125, 0.5);

/// Moves a disc from `start` by `displacement` and returns its end, or `None` if no wall limits the displacement. All
/// values are in cell space.
#[inline]
pub(in crate::swarm) fn slide(
    costs: &CostField,
    start: Vec2,
    displacement: Vec2,
    radius: f32,
) -> Option<Vec2> {
    let end = start + displacement;
    // The common case: the end is less than a cell away and has only open ground around it.
    if radius <= 1.0 && displacement.length_squared() < 1.0 && is_in_the_open(costs, end) {
        return None;
    }
    Some(slide_along_walls(costs, start, displacement, radius))
}

/// Whether the cell at `point` and its eight neighbours are open.
#[inline]
fn is_in_the_open(costs: &CostField, point: Vec2) -> bool {
    let cell = floor_to_cell(point);
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all() && costs.steps_at(cell) == 0xFF
}

fn slide_along_walls(costs: &CostField, start: Vec2, displacement: Vec2, radius: f32) -> Vec2 {
    let mut at = Standing::at(costs, start, radius);
    if let Some(free) = escape(costs, at, radius) {
        at = Standing::at(costs, free, radius);
    }
    let piece = radius.clamp(PIECE.0, PIECE.1);
    let pieces = (displacement.length() / piece).ceil().max(1.0);
    let step = displacement / pieces;
    for _ in 0..pieces as u32 {
        let next = advance(costs, at, step, radius);
        if next.center == at.center {
            break;
        }
        at = next;
    }
    at.center
}

/// The centre of a disc and its depth in walls, which is expensive to compute.
#[derive(Clone, Copy)]
struct Standing {
    center: Vec2,
    depth: f32,
}

impl Standing {
    fn at(costs: &CostField, center: Vec2, radius: f32) -> Self {
        Self {
            center,
            depth: depth(costs, center, radius),
        }
    }
}

/// Moves a disc by one piece: by all of it, by its part along one axis, or not at all.
fn advance(costs: &CostField, from: Standing, step: Vec2, radius: f32) -> Standing {
    // The other half of the tolerance is for rounding to world units.
    let allowed = from.depth.max(0.5 * TOLERANCE);
    let tries = [
        from.center + step,
        from.center + Vec2::new(step.x, 0.0),
        from.center + Vec2::new(0.0, step.y),
    ];
    for wanted in tries {
        if !may_enter(costs, floor_to_cell(from.center), floor_to_cell(wanted)) {
            continue;
        }
        let corrected = push_out(costs, wanted, radius);
        if corrected.depth <= allowed {
            return corrected;
        }
    }
    from
}

/// Whether the centre of a disc may pass from one cell to another at most half a cell away: not
/// into a wall, nor diagonally between two walls that touch at a corner.
fn may_enter(costs: &CostField, from: IVec2, to: IVec2) -> bool {
    if from == to {
        return true;
    }
    !costs.is_wall(to)
        && (from.x == to.x
            || from.y == to.y
            || !costs.is_wall(IVec2::new(to.x, from.y))
            || !costs.is_wall(IVec2::new(from.x, to.y)))
}

/// The depth of a disc in the wall that it overlaps most; `radius` or more if its centre is in a wall.
fn depth(costs: &CostField, center: Vec2, radius: f32) -> f32 {
    deepest(costs, center, radius).map_or(0.0, |(depth, _)| depth)
}

/// Whether a disc at `to` is free of walls, or no deeper in walls than at `from`.
pub(in crate::swarm) fn fits(costs: &CostField, from: Vec2, to: Vec2, radius: f32) -> bool {
    let deep = depth(costs, to, radius);
    deep <= TOLERANCE || deep <= depth(costs, from, radius)
}

/// Whether a disc touches no wall.
pub(in crate::swarm) fn is_clear(costs: &CostField, center: Vec2, radius: f32) -> bool {
    depth(costs, center, radius) <= TOLERANCE
}

/// How far a disc can move in any direction, at most `most`; 0 in walls.
pub(in crate::swarm) fn room_around(
    costs: &CostField,
    center: Vec2,
    radius: f32,
    most: f32,
) -> f32 {
    let deepest = deepest(costs, center, radius + most);
    let room = deepest.map_or(most, |(depth, _)| (most - depth).max(0.0));
    if !costs.reaches_over_walls() {
        return room;
    }
    let mut nearest = room;
    costs.for_each_wall_near(center, room, |_, point| {
        nearest = nearest.min(center.distance(point));
    });
    nearest
}

/// The deepest wall contact of a disc: the depth, and the wall's nearest point.
fn deepest(costs: &CostField, center: Vec2, radius: f32) -> Option<(f32, Vec2)> {
    // The rim may reach over some walls, and the centre may not.
    if costs.reaches_over_walls() && costs.is_wall(floor_to_cell(center)) {
        return Some((radius, center));
    }
    let mut nearest: Option<(f32, Vec2)> = None;
    costs.for_each_obstacle_near(center, radius, |_, point| {
        let squared = center.distance_squared(point);
        if nearest.is_none_or(|(known, _)| squared < known) {
            nearest = Some((squared, point));
        }
    });
    nearest.map(|(squared, point)| (radius - squared.sqrt(), point))
}

/// Pushes a disc whose centre is on open ground away from the deepest wall, until it overlaps none. The centre passes
/// through no wall, although a large disc beside a thin wall may be nearer to free space on the other side.
fn push_out(costs: &CostField, center: Vec2, radius: f32) -> Standing {
    let mut at = center;
    for _ in 0..CORRECTIONS {
        let cell = floor_to_cell(at);
        let Some((depth, point)) = deepest(costs, at, radius) else {
            return Standing {
                center: at,
                depth: 0.0,
            };
        };
        let stays = Standing { center: at, depth };
        if depth <= 0.0 || costs.is_wall(cell) {
            return stays;
        }
        // On a wall's surface there is no direction away from it, so the disc moves towards the cell's centre.
        let away = (at - point)
            .try_normalize()
            .unwrap_or_else(|| (cell.as_vec2() + 0.5 - at).normalize_or_zero());
        let next = at + away * (depth + SKIN).min(PIECE.1);
        if !may_enter(costs, cell, floor_to_cell(next)) {
            return stays;
        }
        at = next;
    }
    Standing::at(costs, at, radius)
}

/// The nearest free position for a disc that overlaps a wall; `None` if it is free already or no better position is
/// found.
fn escape(costs: &CostField, from: Standing, radius: f32) -> Option<Vec2> {
    let cell = floor_to_cell(from.center);
    if costs.is_wall(cell) {
        return nearest_open_point(costs, from.center, radius);
    }
    if from.depth <= TOLERANCE {
        return None;
    }
    let pushed = push_out(costs, from.center, radius);
    let is_better = !costs.is_wall(floor_to_cell(pushed.center)) && pushed.depth < from.depth;
    is_better.then_some(pushed.center)
}

/// The closest point to `point` at which the disc fits into an open cell, found by rings of cells. `point` may be
/// outside the grid.
fn nearest_open_point(costs: &CostField, point: Vec2, radius: f32) -> Option<Vec2> {
    if costs.wall_count() == costs.width() * costs.height() {
        return None;
    }
    // A disc wider than a cell fits at the centre of each cell that its movement type may enter. Other open cells are
    // used only if there is no such cell.
    let needs_room = radius > 0.5 && costs.open_cell_count() > 0;
    let is_free = |cell: IVec2| {
        if needs_room {
            costs.is_open(cell)
        } else {
            !costs.is_wall(cell)
        }
    };
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    let center = floor_to_cell(point).clamp(IVec2::ZERO, size - 1);
    // Within an open cell the disc stays clear of the walls beside it, or at the centre if it is too large for the
    // cell.
    let inset = radius.min(0.5);
    let mut best: Option<(f32, Vec2)> = None;
    for ring in 0..size.max_element() {
        // Every cell of this ring and beyond is at least this far away.
        let least = (ring - 1) as f32;
        if best.is_some_and(|(squared, _)| squared <= least * least) {
            break;
        }
        visit_ring(center, ring, |cell| {
            if !is_free(cell) || !costs.are_of_one_layer(cell.y, center.y) {
                return;
            }
            let corner = cell.as_vec2();
            let inside = point.clamp(corner + inset, corner + (1.0 - inset));
            let squared = inside.distance_squared(point);
            if best.is_none_or(|(known, _)| squared < known) {
                best = Some((squared, inside));
            }
        });
    }
    best.map(|(_, inside)| inside)
}

/// Calls `visit` for the cells at king's distance `ring` from `center`.
fn visit_ring(center: IVec2, ring: i32, mut visit: impl FnMut(IVec2)) {
    if ring == 0 {
        return visit(center);
    }
    for along in -ring..=ring {
        visit(center + IVec2::new(along, -ring));
        visit(center + IVec2::new(along, ring));
    }
    for along in -ring + 1..ring {
        visit(center + IVec2::new(-ring, along));
        visit(center + IVec2::new(ring, along));
    }
}
