//! Walls as half-planes of permitted velocities.
//!
//! A wall is a square cell. An agent can meet the face that it is beside, or a corner that no other wall hides. A face
//! forbids approaching it so fast that the agent touches it within the horizon. A corner counts as a standing neighbour
//! of radius 0, which the agent passes on the side that it is heading for. The agent makes the whole change.

use crate::grid::{Grid, floor_to_cell};
use crate::movement::CostField;
use crate::swarm::avoidance::orca::lines::{HalfPlanes, Seen, permitted};
use glam::{IVec2, Vec2, Vec4};

/// The most corners that an agent avoids: the nearest ones.
const MOST_CORNERS: usize = 8;

/// An agent among walls, in world units.
#[derive(Clone, Copy)]
pub(super) struct Walker {
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    pub(super) radius: f32,
    pub(super) max_speed: f32,
    pub(super) horizon: f32,
    pub(super) step: f32,
}

/// Adds the half-planes of the walls around `walker`.
#[inline]
pub(super) fn add(planes: &mut HalfPlanes, costs: &CostField, grid: &Grid, walker: &Walker) {
    let scale = 1.0 / grid.cell_size();
    let reach = (walker.radius + walker.max_speed * walker.horizon) * scale;
    let at = grid.to_cell_space(walker.position);
    if !is_in_the_open(costs, at, reach) {
        add_near(planes, costs, walker, at, reach, grid.cell_size());
    }
}

/// Whether no cell within `reach` of `at` is a wall. The byte of legal steps of a cell covers nine cells at once.
#[inline]
fn is_in_the_open(costs: &CostField, at: Vec2, reach: f32) -> bool {
    let low = floor_to_cell(at - reach);
    let high = floor_to_cell(at + reach);
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    if low.cmplt(IVec2::ZERO).any() || high.cmpge(size).any() {
        return false;
    }
    // Two by two blocks of nine cells are enough for most agents, without a loop of unpredictable length.
    if (high - low).max_element() < 6 {
        let (first, last) = ((low + 1).min(high), (high - 1).max(low));
        let steps = |x, y| costs.steps_at(IVec2::new(x, y));
        let both = |y| steps(first.x, y) & steps(last.x, y);
        return both(first.y) & both(last.y) == 0xFF;
    }
    let mut y = low.y + 1;
    loop {
        let mut x = low.x + 1;
        loop {
            let cell = IVec2::new(x.min(high.x), y.min(high.y));
            if costs.steps_at(cell) != 0xFF {
                return false;
            }
            if x + 1 >= high.x {
                break;
            }
            x += 3;
        }
        if y + 1 >= high.y {
            return true;
        }
        y += 3;
    }
}

fn add_near(
    planes: &mut HalfPlanes,
    costs: &CostField,
    walker: &Walker,
    at: Vec2,
    reach: f32,
    cell_size: f32,
) {
    // The nearest face on either side of each axis: towards -x, +x, -y, +y.
    let mut faces = [f32::INFINITY; 4];
    let mut corners = Corners::default();
    costs.for_each_obstacle_near(at, reach, |cell, nearest| {
        let away = at - nearest;
        let is_wall = |step: IVec2| costs.is_wall(cell + step);
        let side = away.signum().as_ivec2();
        match (away.x != 0.0, away.y != 0.0) {
            (true, false) => {
                let face = &mut faces[usize::from(side.x < 0)];
                *face = face.min(away.x.abs());
            }
            (false, true) => {
                let face = &mut faces[2 + usize::from(side.y < 0)];
                *face = face.min(away.y.abs());
            }
            (true, true) => {
                let (beside, below) = (IVec2::new(side.x, 0), IVec2::new(0, side.y));
                if !is_wall(beside) && !is_wall(below) {
                    corners.insert(-away * cell_size);
                }
            }
            (false, false) => {}
        }
    });
    let normals = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
    for (normal, distance) in normals.into_iter().zip(faces) {
        if distance < f32::INFINITY {
            let gap = (distance * cell_size - walker.radius).max(0.0);
            planes.push(normal, -gap / walker.horizon);
        }
    }
    let mut first = 0;
    while first < corners.count {
        let lanes = permitted(
            walker.velocity,
            &Seen {
                away: [
                    Vec4::from_slice(&corners.x[first..]),
                    Vec4::from_slice(&corners.y[first..]),
                ],
                velocity: [Vec4::ZERO; 2],
                touching: Vec4::splat(walker.radius),
                share: Vec4::ONE,
                slack: Vec4::ONE,
            },
            walker.horizon,
            walker.step,
        );
        // Standing still is always permitted. Moving out of a wall is the wall correction's task.
        let offset = lanes.offset.min(Vec4::ZERO);
        planes.push_lanes(lanes.x, lanes.y, offset, corners.count - first);
        first += 4;
    }
}

/// The nearest corners, nearest first.
struct Corners {
    x: [f32; MOST_CORNERS],
    y: [f32; MOST_CORNERS],
    count: usize,
}

impl Default for Corners {
    fn default() -> Self {
        // Unused lanes hold corners far away, which have no effect.
        Self {
            x: [1.0e9; MOST_CORNERS],
            y: [1.0e9; MOST_CORNERS],
            count: 0,
        }
    }
}

impl Corners {
    fn insert(&mut self, offset: Vec2) {
        let squared = offset.length_squared();
        let mut place = self.count;
        while place > 0 && self.squared(place - 1) > squared {
            if place < MOST_CORNERS {
                (self.x[place], self.y[place]) = (self.x[place - 1], self.y[place - 1]);
            }
            place -= 1;
        }
        if place < MOST_CORNERS {
            (self.x[place], self.y[place]) = (offset.x, offset.y);
            self.count = (self.count + 1).min(MOST_CORNERS);
        }
    }

    fn squared(&self, place: usize) -> f32 {
        self.x[place] * self.x[place] + self.y[place] * self.y[place]
    }
}
