//! Line of sight: whether a straight line is free (Emerson, Game AI Pro, 23.6.2).
//!
//! Emerson marks sight while the wavefront spreads, from corner to corner, which is an estimate with an error of a cell
//! along every shadow. Here the line is traversed from cell to cell (Amanatides and Woo, A Fast Voxel Traversal
//! Algorithm, Eurographics 1987), in integers, so that the crossed cells are exact.

use super::{BLOCKED, CostField};
use crate::grid::CellRect;
use glam::{I64Vec2, IVec2, Vec2, Vec2Swizzles};

/// The number of cells that are looked at together where all around them are alike, along the main axis of a line.
const RUN: i32 = 32;
/// Units per cell to which the ends of a line are rounded down: finer than `f32` is at the largest
/// distance from the world's origin.
const UNITS: i64 = 4096;

impl CostField {
    /// Whether all cells that the line between two points in cell space crosses, including the last, have the cost of
    /// the first. False if either end is in a closed cell or outside. Crowd penalties do not count: otherwise agents in
    /// a crowd would never see their own targets. Cost overlays count where they are dearer than at both ends: so
    /// agents see targets in a dangerous place, but walk around one that lies between.
    ///
    /// The line may touch edges and corners of other cells, but it does not pass between two of them that touch at a
    /// corner. O(distance), and a small part of that over ground of one cost. Points are rounded down to 1/4096 of a
    /// cell.
    #[must_use]
    pub fn has_line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        let line = Line::new(from, to);
        let [start, end] = [line.from, line.to].map(cell_of);
        let own = self.plain_cost_at(start);
        let overlays_at = |cell: IVec2| self.surcharge_at(cell).overlays;
        let dearest = overlays_at(start).max(overlays_at(end));
        let is_clear =
            |cell: IVec2| self.plain_cost_at(cell) == own && overlays_at(cell) <= dearest;
        let is_even = |rect| !self.has_surcharges() && self.one_cost(rect) == Some(own);
        own != BLOCKED && line.crosses_only(Corners::MayTouch, is_clear, is_even)
    }

    /// Whether the line between two points in cell space crosses no wall, as [`Self::has_line_of_sight`] traverses it.
    /// Cells that are only too narrow for the movement type do not end it, and nor do costs. False if either end is in
    /// a wall or outside.
    #[must_use]
    pub fn is_in_sight(&self, from: Vec2, to: Vec2) -> bool {
        let is_clear = |cell| !self.is_wall(cell);
        let is_even = |rect| self.one_cost(rect).is_some();
        Line::new(from, to).crosses_only(Corners::MayTouch, is_clear, is_even)
    }

    /// Whether all cells that the line between two points in cell space crosses have the cost of the first, with all
    /// surcharges, and are open, and where it leads through a corner, those beside it as well: its cost is its length
    /// times that cost, and steps of a cell are legal.
    pub(crate) fn is_even_between(&self, from: Vec2, to: Vec2) -> bool {
        let line = Line::new(from, to);
        let own = self.cost_at(cell_of(line.from));
        let is_clear = |cell| self.cost_at(cell) == own;
        let is_even = |rect| self.one_cost(rect) == Some(own);
        own != BLOCKED && line.crosses_only(Corners::Keep, is_clear, is_even)
    }
}

/// Whether a line may lead through a corner of one cell that is not clear.
#[derive(Clone, Copy)]
enum Corners {
    MayTouch,
    Keep,
}

/// A line in units.
struct Line {
    from: I64Vec2,
    to: I64Vec2,
}

impl Line {
    fn new(from: Vec2, to: Vec2) -> Self {
        let [from, to] =
            [from, to].map(|point| (point.as_dvec2() * UNITS as f64).floor().as_i64vec2());
        Self { from, to }
    }

    /// Whether all cells that the line crosses, including the first and the last, are clear. All cells of a rectangle
    /// that is even are clear.
    fn crosses_only(
        &self,
        corners: Corners,
        is_clear: impl Fn(IVec2) -> bool,
        is_even: impl Fn(CellRect) -> bool,
    ) -> bool {
        let [start, end] = [self.from, self.to].map(cell_of);
        if !is_clear(start) || !is_clear(end) {
            return false;
        }
        match self.edge_axis() {
            Some(across) => walk_along_edge(start, end, across, is_clear),
            None => self.walk(start, end, corners, is_clear, is_even),
        }
    }

    /// If the line runs along the edges of cells, the step to the cells on the other side.
    fn edge_axis(&self) -> Option<IVec2> {
        let lies = |one: i64, other: i64| one == other && one % UNITS == 0;
        if lies(self.from.x, self.to.x) {
            Some(IVec2::NEG_X)
        } else if lies(self.from.y, self.to.y) {
            Some(IVec2::NEG_Y)
        } else {
            None
        }
    }

    /// Traverses a line that does not run along edges; false if it leaves the clear cells.
    fn walk(
        &self,
        start: IVec2,
        end: IVec2,
        corners: Corners,
        is_clear: impl Fn(IVec2) -> bool,
        is_even: impl Fn(CellRect) -> bool,
    ) -> bool {
        let length = (self.to - self.from).abs();
        let step = (end - start).signum();
        let is_steep = length.y > length.x;
        let mut left = (end - start).abs();
        let mut cell = start;
        while left != IVec2::ZERO {
            let ahead = self.ahead(cell, step);
            let to_go = if is_steep { left.y } else { left.x };
            if to_go >= RUN && to_go % RUN == 0 {
                let by = run_of(ahead, length, is_steep).min(left);
                let after = cell + step * by;
                let (low, high) = (cell.min(after), cell.max(after) + 1);
                if is_even(CellRect { low, high }) {
                    (cell, left) = (after, left - by);
                    continue;
                }
            }
            let (x, y) = (ahead.x * length.y, ahead.y * length.x);
            let over_x = left.x > 0 && (left.y == 0 || x <= y);
            let over_y = left.y > 0 && (left.x == 0 || y <= x);
            let (beside_x, beside_y) = (IVec2::new(step.x, 0), IVec2::new(0, step.y));
            if over_x && over_y {
                let beside = [beside_x, beside_y].map(|by| is_clear(cell + by));
                let may_pass = match corners {
                    Corners::MayTouch => beside[0] || beside[1],
                    Corners::Keep => beside[0] && beside[1],
                };
                if !may_pass {
                    return false;
                }
            }
            let by = IVec2::new(i32::from(over_x), i32::from(over_y));
            cell += step * by;
            left -= by;
            if !is_clear(cell) {
                return false;
            }
        }
        true
    }

    /// The distance from the line's begin to the next grid line of each axis behind a cell.
    fn ahead(&self, cell: IVec2, step: IVec2) -> I64Vec2 {
        let low = cell.as_i64vec2() * UNITS;
        I64Vec2::select(
            step.cmpgt(IVec2::ZERO),
            low + UNITS - self.from,
            self.from - low,
        )
    }
}

/// The cells by which a line goes on along each axis over the next [`RUN`] cells of its main axis, if it ends no
/// earlier. `ahead` are the distances to the next grid lines from its begin, and `length` is its length.
fn run_of(ahead: I64Vec2, length: I64Vec2, is_steep: bool) -> IVec2 {
    let turned = |pair: I64Vec2| if is_steep { pair.yx() } else { pair };
    let (ahead, length) = (turned(ahead), turned(length));
    // Of the grid lines across, those that are crossed before the last one of the run or in the same point.
    let last = (ahead.x + (i64::from(RUN) - 1) * UNITS) * length.y;
    let first = ahead.y * length.x;
    let crossed = if last < first {
        0
    } else {
        (last - first) / (UNITS * length.x) + 1
    };
    turned(I64Vec2::new(i64::from(RUN), crossed)).as_ivec2()
}

/// Traverses a line between two rows of cells: the row of `start` and `end`, and the row `across` the line. At each
/// place one of the two cells may be closed. But from one pair to the next the same side must be free; otherwise the
/// line would pass between two cells that touch at a corner.
fn walk_along_edge(
    start: IVec2,
    end: IVec2,
    across: IVec2,
    is_clear: impl Fn(IVec2) -> bool,
) -> bool {
    let sides = |cell: IVec2| [is_clear(cell), is_clear(cell + across)];
    let step = (end - start).signum();
    let mut cell = start;
    let mut before = sides(cell);
    while cell != end {
        cell += step;
        let here = sides(cell);
        if !(before[0] && here[0] || before[1] && here[1]) {
            return false;
        }
        before = here;
    }
    true
}

fn cell_of(point: I64Vec2) -> IVec2 {
    I64Vec2::new(point.x.div_euclid(UNITS), point.y.div_euclid(UNITS)).as_ivec2()
}
