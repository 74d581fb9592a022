//! Rasterisation of triangles: the part of a triangle in each column of cells.
//!
//! Conservative: a triangle has a part in every column that it enters by more than [`TOLERANCE`], as shapes in the
//! plane have.

use crate::grid::Grid;
use crate::import::shapes::TOLERANCE;
use glam::{DVec3, Vec3};
use std::ops::Range;

/// The side to which a part of a triangle faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Facing {
    Up,
    Down,
    Side,
}

/// The part of a triangle in one column. Heights are in world units, lengths and areas on the ground in cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// The column, counted row by row from the first row that is rasterised.
    pub column: u32,
    pub low: f32,
    pub high: f32,
    pub facing: Facing,
    pub walkable: bool,
    /// The area seen from above.
    pub area: f32,
    pub covers_center: bool,
    /// The height at the centre of the cell.
    pub height: f32,
    /// The rise over the width of a cell along x and along z.
    pub slope: [f32; 2],
}

/// The columns that are rasterised, and the steepest slope that is walkable, as a rise over the width of a cell.
pub(super) struct Raster<'a> {
    pub grid: &'a Grid,
    pub columns: Range<i32>,
    pub rows: Range<i32>,
    pub max_slope: f64,
}

impl Raster<'_> {
    /// Calls `found` with the part of a triangle in each column.
    pub(super) fn triangle(&self, corners: &[Vec3; 3], mut found: impl FnMut(Facet)) {
        let origin = self.grid.origin().as_dvec2();
        let size = f64::from(self.grid.cell_size());
        let corners = corners.map(|corner| {
            let corner = corner.as_dvec3();
            DVec3::new(
                (corner.x - origin.x) / size,
                corner.y,
                (corner.z - origin.y) / size,
            )
        });
        let whole = Polygon::of(corners);
        let rows = entered(whole.extent(Z), &self.rows);
        // Most triangles of a body are in other rows.
        if rows.is_empty() {
            return;
        }
        let Some(plane) = Plane::of(&corners, self.max_slope) else {
            return;
        };
        let width = self.columns.len() as i32;
        for row in rows {
            let strip = whole.between(Z, row);
            for x in entered(strip.extent(X), &self.columns) {
                let part = strip.between(X, x);
                if part.len < 3 {
                    continue;
                }
                let (low, high) = part.extent(Y);
                let center = (f64::from(x) + 0.5, f64::from(row) + 0.5);
                found(Facet {
                    column: ((row - self.rows.start) * width + x - self.columns.start) as u32,
                    low: low as f32,
                    high: high as f32,
                    facing: plane.facing,
                    walkable: plane.walkable,
                    area: part.area() as f32,
                    covers_center: plane.facing != Facing::Side && covers(&corners, center),
                    height: plane.at(center).clamp(low, high) as f32,
                    slope: plane.slope.map(|rise| rise as f32),
                });
            }
        }
    }
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// The cells on one axis, among `cells`, that an interval enters.
fn entered((low, high): (f64, f64), cells: &Range<i32>) -> Range<i32> {
    let from = (low + TOLERANCE).floor() as i32;
    let to = (high - TOLERANCE).ceil() as i32;
    // A triangle without extent, such as an upright one along the axis, is in the cell of its coordinate.
    from.max(cells.start)..to.max(from.saturating_add(1)).min(cells.end)
}

/// The plane of a triangle.
struct Plane {
    facing: Facing,
    walkable: bool,
    corner: DVec3,
    slope: [f64; 2],
}

impl Plane {
    /// `None` for a triangle without area.
    fn of(corners: &[DVec3; 3], max_slope: f64) -> Option<Self> {
        let [a, b, c] = *corners;
        let normal = (b - a).cross(c - a);
        let along = normal.x * normal.x + normal.z * normal.z;
        let all = along + normal.y * normal.y;
        if all <= 0.0 || !all.is_finite() {
            return None;
        }
        // Rounding errors must not make floors of walls, nor walls of slopes at the limit.
        let is_side = normal.y * normal.y < 1.0e-12 * all;
        let facing = match normal.y > 0.0 {
            _ if is_side => Facing::Side,
            true => Facing::Up,
            false => Facing::Down,
        };
        let limit = max_slope * normal.y * 1.000_001;
        Some(Self {
            facing,
            walkable: facing == Facing::Up && along <= limit * limit,
            corner: a,
            slope: if is_side {
                [0.0; 2]
            } else {
                [-normal.x / normal.y, -normal.z / normal.y]
            },
        })
    }

    fn at(&self, (x, z): (f64, f64)) -> f64 {
        self.corner.y + self.slope[0] * (x - self.corner.x) + self.slope[1] * (z - self.corner.z)
    }
}

/// Whether a triangle, seen from above, covers a point; its edges belong to it.
fn covers(corners: &[DVec3; 3], (x, z): (f64, f64)) -> bool {
    let turn = |a: DVec3, b: DVec3| (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
    let [a, b, c] = *corners;
    let turns = [turn(a, b), turn(b, c), turn(c, a)];
    turns.iter().all(|&turn| turn >= -1.0e-9) || turns.iter().all(|&turn| turn <= 1.0e-9)
}

/// A convex polygon: a triangle after at most four cuts.
struct Polygon {
    corners: [DVec3; 8],
    len: usize,
}

impl Polygon {
    fn of(triangle: [DVec3; 3]) -> Self {
        let mut corners = [DVec3::ZERO; 8];
        corners[..3].copy_from_slice(&triangle);
        Self { corners, len: 3 }
    }

    fn extent(&self, axis: usize) -> (f64, f64) {
        let on_axis = self.corners[..self.len].iter().map(|corner| corner[axis]);
        on_axis.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        })
    }

    /// The part inside a row of cells across an axis, without the tolerance at both sides.
    fn between(&self, axis: usize, cell: i32) -> Self {
        let (low, high) = (f64::from(cell) + TOLERANCE, f64::from(cell + 1) - TOLERANCE);
        let (least, most) = self.extent(axis);
        if least >= low && most <= high {
            return Self { ..*self };
        }
        self.cut(axis, low, 1.0).cut(axis, high, -1.0)
    }

    /// The part above a coordinate, or below it for a sign of -1 (Sutherland and Hodgman, 1974).
    fn cut(&self, axis: usize, limit: f64, sign: f64) -> Self {
        let mut rest = Self {
            corners: [DVec3::ZERO; 8],
            len: 0,
        };
        for index in 0..self.len {
            let from = self.corners[index];
            let to = self.corners[(index + 1) % self.len];
            let (a, b) = ((from[axis] - limit) * sign, (to[axis] - limit) * sign);
            if a >= 0.0 {
                rest.push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                rest.push(from.lerp(to, a / (a - b)));
            }
        }
        rest
    }

    fn push(&mut self, corner: DVec3) {
        if self.len < self.corners.len() {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// The area seen from above.
    fn area(&self) -> f64 {
        let first = self.corners[0];
        let twice: f64 = (2..self.len)
            .map(|index| {
                let (a, b) = (self.corners[index - 1] - first, self.corners[index] - first);
                a.x * b.z - a.z * b.x
            })
            .sum();
        0.5 * twice.abs()
    }
}
