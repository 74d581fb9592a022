//! The exact shortest length for a point that moves freely between walls.
//!
//! Such a path is taut: it consists of straight lines and turns only at outer corners of walls. So Dijkstra's algorithm
//! on the graph of all corners that see each other finds it (Lozano-Pérez and Wesley 1979). A line may run along a wall
//! and touch its corners. It may not pass between two walls that share an edge or touch at a corner. Visibility is
//! computed in integers.

use super::Ordered;
use crate::maps::CostMap;

/// A point in half cells: odd at the centre of a cell, even on its edges.
type Point = (i64, i64);

/// The length of the shortest path from the centre of every cell to that of its nearest goal, in cells, whatever the
/// costs of cells; infinite for walls and cells that reach no goal. Slow: for maps of some hundred cells.
#[must_use]
pub fn shortest_lengths(map: &CostMap, goals: &[usize]) -> Vec<f64> {
    let corners = outer_corners(map);
    let goals: Vec<Point> = goals
        .iter()
        .filter(|&&goal| map.is_passable(goal))
        .map(|&goal| middle(map, goal))
        .collect();
    let mut turns: Vec<(Point, f64)> = goals.into_iter().map(|goal| (goal, 0.0)).collect();
    let mut lengths: Vec<f64> = corners
        .iter()
        .map(|&corner| shortest_by(map, &turns, corner))
        .collect();
    let mut open: Vec<usize> = (0..corners.len()).collect();
    // Dijkstra's algorithm without a queue: the nearest open corner is settled next.
    while let Some(at) = (0..open.len()).min_by_key(|&at| Ordered(lengths[open[at]])) {
        let settled = open.swap_remove(at);
        let turn = (corners[settled], lengths[settled]);
        if turn.1 == f64::INFINITY {
            break;
        }
        for &other in &open {
            let found = shortest_by(map, &[turn], corners[other]);
            lengths[other] = lengths[other].min(found);
        }
        turns.push(turn);
    }
    let length = |cell| {
        if map.is_passable(cell) {
            shortest_by(map, &turns, middle(map, cell))
        } else {
            f64::INFINITY
        }
    };
    (0..map.len()).map(length).collect()
}

/// The shortest length to a point over one of the turns, followed by a straight line.
fn shortest_by(map: &CostMap, turns: &[(Point, f64)], to: Point) -> f64 {
    turns.iter().fold(f64::INFINITY, |best, &(turn, length)| {
        let total = length + distance(turn, to);
        if total < best && sees(map, turn, to) {
            total
        } else {
            best
        }
    })
}

fn distance(from: Point, to: Point) -> f64 {
    let (x, y) = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
    x.hypot(y) / 2.0
}

fn middle(map: &CostMap, cell: usize) -> Point {
    let (x, y) = map.position(cell);
    (2 * x as i64 + 1, 2 * y as i64 + 1)
}

/// Returns `true` if a cell is a wall or outside the map.
fn is_wall(map: &CostMap, x: i64, y: i64) -> bool {
    let inside = x >= 0 && y >= 0 && x < map.width as i64 && y < map.height as i64;
    !(inside && map.is_passable(map.index(x as usize, y as usize)))
}

/// Corners with exactly one wall around them. Taut paths turn at no others.
fn outer_corners(map: &CostMap) -> Vec<Point> {
    let mut corners = Vec::new();
    for y in 1..map.height as i64 {
        for x in 1..map.width as i64 {
            let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
            if around.iter().filter(|&&(x, y)| is_wall(map, x, y)).count() == 1 {
                corners.push((2 * x, 2 * y));
            }
        }
    }
    corners
}

/// Returns `true` if the line between two points meets walls at most along their edges.
fn sees(map: &CostMap, from: Point, to: Point) -> bool {
    let cells =
        |from: i64, to: i64| (from.min(to) - 1).div_euclid(2)..=(from.max(to)).div_euclid(2);
    for y in cells(from.1, to.1) {
        for x in cells(from.0, to.0) {
            if is_wall(map, x, y) && enters(from, to, (2 * x, 2 * y)) {
                return false;
            }
        }
    }
    !squeezes_through(map, from, to)
}

/// Returns `true` if a line has points inside the cell whose upper left corner is `low`.
///
/// The line is inside the cell while both coordinates are. The two intervals of the line's parameter are compared,
/// multiplied by both extents.
fn enters(from: Point, to: Point, low: Point) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0, (dx * dy).abs().max(dx.abs()).max(dy.abs()));
    for (start, delta, other, low) in [(from.0, dx, dy, low.0), (from.1, dy, dx, low.1)] {
        if delta == 0 {
            if start <= low || start >= low + 2 {
                return false;
            }
            continue;
        }
        // If the other extent is 0, this coordinate alone limits the interval.
        let unit = other.abs().max(1);
        let times = [low, low + 2].map(|edge| (edge - start) * delta.signum() * unit);
        first = first.max(times[0].min(times[1]));
        last = last.min(times[0].max(times[1]));
    }
    first < last
}

/// Returns `true` if a line passes between two walls that touch.
fn squeezes_through(map: &CostMap, from: Point, to: Point) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = gcd(dx.unsigned_abs(), dy.unsigned_abs()) as i64;
    let at = |time: i64| (from.0 + dx / length * time, from.1 + dy / length * time);
    let through_corner = (1..length).map(at).any(|(x, y)| {
        let wall = |left: i64, up: i64| is_wall(map, x / 2 - left, y / 2 - up);
        x % 2 == 0 && y % 2 == 0 && (wall(0, 0) && wall(1, 1) || wall(1, 0) && wall(0, 1))
    });
    let along_edge = |time: i64| {
        let (x, y) = at(time);
        let (next_x, next_y) = at(time + 1);
        let (x, y) = (x.min(next_x), y.min(next_y));
        if dy == 0 && y % 2 == 0 {
            is_wall(map, x / 2, y / 2) && is_wall(map, x / 2, y / 2 - 1)
        } else if dx == 0 && x % 2 == 0 {
            is_wall(map, x / 2, y / 2) && is_wall(map, x / 2 - 1, y / 2)
        } else {
            false
        }
    };
    through_corner || (0..length).any(along_edge)
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 {
        one.max(1)
    } else {
        gcd(other, one % other)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use super::*;
    use crate::maps::{every_kind, largest_component_cell};
    use crate::oracle::{StepRule, exact_costs};

    fn length(rows: &[&str], from: (usize, usize), to: (usize, usize)) -> f64 {
        let map = CostMap::from_rows(rows);
        let lengths = shortest_lengths(&map, &[map.index(to.0, to.1)]);
        lengths[map.index(from.0, from.1)]
    }

    #[track_caller]
    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
    }

    #[test]
    fn gives_the_lengths_worked_out_by_hand() {
        assert_near(
            length(&["....", "....", "...."], (0, 0), (3, 2)),
            13.0_f64.sqrt(),
        );
        // Over the two upper corners of the wall.
        let side = 0.5_f64.hypot(0.5);
        assert_near(length(&["...", ".#."], (0, 1), (2, 1)), 2.0 * side + 1.0);
        // The line touches the corner, from either side.
        assert_near(length(&[".#", ".."], (0, 0), (1, 1)), SQRT_2);
        assert_near(length(&["..", "#."], (1, 1), (0, 0)), SQRT_2);
        // No line passes between walls that touch at a corner,
        assert_eq!(length(&[".#", "#."], (0, 0), (1, 1)), f64::INFINITY);
        // or along the edge between them.
        let around = length(&["......", ".####.", ".####.", "......"], (0, 1), (5, 2));
        assert_near(around, side + 4.0 + 0.5_f64.hypot(1.5));
    }

    #[test]
    fn lies_between_the_straight_line_and_the_octile_path() {
        for (name, mut map) in every_kind(21, 17, 6) {
            for cost in map
                .cost
                .iter_mut()
                .filter(|cost| **cost != crate::maps::WALL)
            {
                *cost = 1;
            }
            let goal = largest_component_cell(&map, (10, 8)).expect("a passable cell");
            let octile = exact_costs(&map, &[goal], &StepRule::default());
            let found = shortest_lengths(&map, &[goal]);
            for cell in 0..map.len() {
                let (least, most) = (
                    distance(middle(&map, cell), middle(&map, goal)),
                    octile[cell],
                );
                let (found, slack) = (found[cell], 1e-9);
                assert!(
                    least <= found + slack && found <= most + slack,
                    "{name}: {cell}"
                );
                // The worst case is four steps around the end of a wall, where 1 + √2 would suffice.
                assert!(
                    most == f64::INFINITY || most <= 1.66 * found + slack,
                    "{name}: {cell}: {most}, {found}"
                );
                assert_eq!(
                    found == f64::INFINITY,
                    most == f64::INFINITY,
                    "{name}: {cell}"
                );
            }
        }
    }

    #[test]
    fn sight_between_agents_is_mutual() {
        let map = CostMap::from_rows(&["..#.", ".#..", "....", "#..#"]);
        let points: Vec<Point> = (0..9).flat_map(|y| (0..9).map(move |x| (x, y))).collect();
        for &from in &points {
            for &to in &points {
                assert_eq!(
                    sees(&map, from, to),
                    sees(&map, to, from),
                    "{from:?} {to:?}"
                );
            }
        }
    }
}
