//! A point agent that walks in the direction of a field.
//!
//! Nothing corrects the walk: each stride starts where the last one ended and follows the field. Faults that a wall
//! correction would hide are counted: positions inside walls, and strides through the corner of a wall.

use glam::{IVec2, Vec2};

use crate::maps::CostMap;

/// The longest stride, in cells. The ends of a longer one would not determine the cells on its way.
pub const LONGEST_STRIDE: f32 = 0.5;

/// The reason why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The agent reached the goal's cell.
    Arrived,
    /// The agent is elsewhere and has no direction.
    Stranded,
    /// The walk exceeded its limit.
    TooLong,
}

/// The result of one walk. Lengths are in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The reason why it ended.
    pub end: End,
    /// The length walked. On arrival it includes the straight line from the point of entry into the goal's cell to the
    /// goal.
    pub length: f64,
    /// The last position, in cell space.
    pub last: Vec2,
    /// The number of strides that ended in a wall or outside the map.
    pub wall_hits: usize,
    /// The number of strides from open cell to open cell that led through a wall, or between two walls that touch.
    pub corner_cuts: usize,
}

impl Walk {
    /// Returns `true` if the walk reached the goal's cell.
    #[must_use]
    pub fn arrived(&self) -> bool {
        self.end == End::Arrived
    }
}

/// Walks in strides of a fixed length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    stride: f32,
}

impl Walker {
    /// Creates a walker with strides of `stride` cells.
    ///
    /// # Panics
    /// Unless the stride is above 0 and at most [`LONGEST_STRIDE`].
    #[must_use]
    pub fn new(stride: f32) -> Self {
        assert!(
            stride > 0.0 && stride <= LONGEST_STRIDE,
            "a stride of {stride} cells"
        );
        Self { stride }
    }

    /// Walks from `start` until the agent is in the cell of `goal`, has no direction, or has walked `limit` cells.
    ///
    /// `direction` returns the unit direction at a point, or zero. All points are in cell space: the cell `(x, y)`
    /// spans `(x, y)` to `(x + 1, y + 1)`.
    pub fn walk(
        self,
        map: &CostMap,
        start: Vec2,
        goal: Vec2,
        limit: f64,
        mut direction: impl FnMut(Vec2) -> Vec2,
    ) -> Walk {
        let goal_cell = cell_of(goal);
        let mut walk = Walk {
            end: End::TooLong,
            length: 0.0,
            last: start,
            wall_hits: 0,
            corner_cuts: 0,
        };
        let mut cell = cell_of(start);
        loop {
            let at = walk.last;
            if cell == goal_cell {
                walk.end = End::Arrived;
                walk.length += f64::from(at.distance(goal));
                return walk;
            }
            if walk.length > limit {
                return walk;
            }
            let heading = direction(at);
            let next = at + heading * self.stride;
            if next == at {
                walk.end = End::Stranded;
                return walk;
            }
            walk.length += (next.as_dvec2() - at.as_dvec2()).length();
            walk.last = next;
            let next_cell = cell_of(next);
            if next_cell != cell {
                if !is_open(map, next_cell) {
                    walk.wall_hits += 1;
                } else if is_open(map, cell) && cuts_corner(map, at, next) {
                    walk.corner_cuts += 1;
                }
                cell = next_cell;
            } else if !is_open(map, cell) {
                walk.wall_hits += 1;
            }
        }
    }
}

fn cell_of(point: Vec2) -> IVec2 {
    point.floor().as_ivec2()
}

fn is_open(map: &CostMap, cell: IVec2) -> bool {
    let inside =
        cell.min_element() >= 0 && (cell.x as usize) < map.width && (cell.y as usize) < map.height;
    inside && map.is_passable(map.index(cell.x as usize, cell.y as usize))
}

/// Returns `true` if a short stride between two open cells that touch at a corner leads through one of the two cells
/// beside them which is a wall, or through the corner itself if both are.
fn cuts_corner(map: &CostMap, from: Vec2, to: Vec2) -> bool {
    let (cell, next) = (cell_of(from), cell_of(to));
    if cell.x == next.x || cell.y == next.y {
        return false;
    }
    let beside = is_open(map, IVec2::new(next.x, cell.y));
    let above = is_open(map, IVec2::new(cell.x, next.y));
    let corner = cell.max(next).as_dvec2();
    let (from, to) = (from.as_dvec2(), to.as_dvec2());
    // The side of the stride on which the corner is; positive if the stride passes above, for a stride in the first
    // quadrant.
    let turn =
        (corner - from).perp_dot(to - from) * f64::from((next.x - cell.x) * (next.y - cell.y));
    if turn == 0.0 {
        !beside && !above
    } else if turn > 0.0 {
        !above
    } else {
        !beside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight_to(goal: Vec2) -> impl Fn(Vec2) -> Vec2 {
        move |at| (goal - at).normalize_or_zero()
    }

    #[test]
    fn walks_straight_to_the_exact_goal() {
        let map = CostMap::filled(30, 20, 1);
        let (start, goal) = (Vec2::new(1.5, 2.5), Vec2::new(28.25, 17.75));
        let walk = Walker::new(0.25).walk(&map, start, goal, 100.0, straight_to(goal));
        assert!(walk.arrived());
        assert!((walk.length - f64::from(start.distance(goal))).abs() < 1.0e-4);
        assert_eq!((walk.wall_hits, walk.corner_cuts), (0, 0));
        let there = Walker::new(0.25).walk(&map, goal, goal, 100.0, |_| Vec2::ZERO);
        assert_eq!((there.arrived(), there.length), (true, 0.0));
    }

    #[test]
    fn ends_without_a_direction_and_when_it_takes_too_long() {
        let map = CostMap::filled(9, 9, 1);
        let (start, goal) = (Vec2::splat(1.5), Vec2::splat(7.5));
        let stranded = Walker::new(0.25).walk(&map, start, goal, 50.0, |at| {
            if at.x < 4.0 { Vec2::X } else { Vec2::ZERO }
        });
        assert_eq!(
            (stranded.end, stranded.last),
            (End::Stranded, Vec2::new(4.0, 1.5))
        );
        let mut side = 1.0;
        let to_and_fro = Walker::new(0.25).walk(&map, start, goal, 50.0, |_| {
            side = -side;
            Vec2::X * side
        });
        assert_eq!(to_and_fro.end, End::TooLong);
        assert!(to_and_fro.length > 50.0 && to_and_fro.length < 51.0);
    }

    #[test]
    fn counts_positions_in_walls_and_outside() {
        let map = CostMap::from_rows(&["...#..."]);
        let goal = Vec2::new(6.5, 0.5);
        let walk = Walker::new(0.25).walk(&map, Vec2::new(0.5, 0.5), goal, 9.0, |_| Vec2::X);
        assert_eq!(
            (walk.arrived(), walk.wall_hits, walk.corner_cuts),
            (true, 4, 0)
        );
        let out = Walker::new(0.25).walk(&map, Vec2::new(0.5, 0.5), goal, 1.0, |_| Vec2::NEG_Y);
        assert_eq!((out.end, out.wall_hits), (End::TooLong, 3));
    }

    #[test]
    fn a_stride_through_a_wall_or_between_two_cuts_a_corner() {
        let cuts = |rows: &[&str], from: (f32, f32), to: (f32, f32)| {
            cuts_corner(&CostMap::from_rows(rows), from.into(), to.into())
        };
        let beside = [".#", ".."];
        let below = ["..", "#."];
        let both = [".#", "#."];
        let through_the_corner = ((0.9, 0.9), (1.1, 1.1));
        let over_it = ((0.95, 0.9), (1.1, 1.05));
        let under_it = ((0.9, 0.95), (1.05, 1.1));
        for (rows, through, over, under) in [
            (&beside, false, true, false),
            (&below, false, false, true),
            (&both, true, true, true),
        ] {
            for (stride, cut) in [
                (through_the_corner, through),
                (over_it, over),
                (under_it, under),
            ] {
                assert_eq!(cuts(rows, stride.0, stride.1), cut, "{rows:?} {stride:?}");
                assert_eq!(
                    cuts(rows, stride.1, stride.0),
                    cut,
                    "{rows:?} {stride:?} back"
                );
                // Mirrored from left to right.
                let mirrored: Vec<String> =
                    rows.iter().map(|row| row.chars().rev().collect()).collect();
                let mirrored: Vec<&str> = mirrored.iter().map(String::as_str).collect();
                let flip = |(x, y): (f32, f32)| (2.0 - x, y);
                let found = cuts(&mirrored, flip(stride.0), flip(stride.1));
                assert_eq!(found, cut, "{mirrored:?} {stride:?}");
            }
        }
        assert!(!cuts(&beside, (0.5, 0.9), (0.5, 1.1)));
    }
}
