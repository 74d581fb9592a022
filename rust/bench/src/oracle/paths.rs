//! Checks of whole paths, given as row-major cell indices from the start to the goal.

use thiserror::Error;

use super::legal_step;
use crate::maps::CostMap;
use crate::steps::Corners;

/// The fault of an invalid path. Cells are row-major indices.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PathFault {
    /// A cell lies outside the map.
    #[error("cell {cell} lies outside the map")]
    Outside {
        /// The cell.
        cell: usize,
    },
    /// A cell is a wall.
    #[error("cell {cell} is a wall")]
    Wall {
        /// The cell.
        cell: usize,
    },
    /// Two successive cells are equal or not neighbours.
    #[error("cells {from} and {to} are not neighbours")]
    Jump {
        /// The first of the two cells.
        from: usize,
        /// The second of the two cells.
        to: usize,
    },
    /// A diagonal step passes the corner of a wall.
    #[error("the step from cell {from} to {to} cuts a corner")]
    CutCorner {
        /// The first cell of the step.
        from: usize,
        /// The second cell of the step.
        to: usize,
    },
    /// The path has more cells than the map.
    #[error("the way from cell {start} runs in a loop")]
    Loop {
        /// The first cell of the path.
        start: usize,
    },
}

/// Checks that every cell of a path is passable and every step leads to a neighbour without cutting a corner.
///
/// # Errors
/// The first fault along the path.
pub fn no_corner_cut(map: &CostMap, path: &[usize]) -> Result<(), PathFault> {
    for &cell in path {
        if cell >= map.len() {
            return Err(PathFault::Outside { cell });
        }
        if !map.is_passable(cell) {
            return Err(PathFault::Wall { cell });
        }
    }
    for pair in path.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if !legal_step(map, from, to, Corners::Cut) {
            return Err(PathFault::Jump { from, to });
        }
        if !legal_step(map, from, to, Corners::Closed) {
            return Err(PathFault::CutCorner { from, to });
        }
    }
    Ok(())
}

/// The cost of a path: for each step its length, 1 or sqrt(2), times the cost of the cell that it leaves.
#[must_use]
pub fn path_cost(map: &CostMap, path: &[usize]) -> f64 {
    path.windows(2)
        .map(|pair| {
            let ((from_x, from_y), (to_x, to_y)) = (map.position(pair[0]), map.position(pair[1]));
            let diagonal = from_x != to_x && from_y != to_y;
            let length = if diagonal {
                std::f64::consts::SQRT_2
            } else {
                1.0
            };
            length * f64::from(map.cost[pair[0]])
        })
        .sum()
}

/// Returns the path from `start` along `next`, which returns the cell after each cell, up to the cell for which it
/// returns `None`.
///
/// # Errors
/// [`PathFault::Loop`] if the path never ends, [`PathFault::Outside`] if it leaves the map.
pub fn follow(
    map: &CostMap,
    start: usize,
    mut next: impl FnMut(usize) -> Option<usize>,
) -> Result<Vec<usize>, PathFault> {
    let mut path = vec![start];
    let mut cell = start;
    loop {
        if cell >= map.len() {
            return Err(PathFault::Outside { cell });
        }
        let Some(following) = next(cell) else {
            return Ok(path);
        };
        if path.len() == map.len() {
            return Err(PathFault::Loop { start });
        }
        path.push(following);
        cell = following;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_fault() {
        let map = CostMap::from_rows(&["..#", "...", "..."]);
        assert_eq!(no_corner_cut(&map, &[0, 4, 5, 8]), Ok(()));
        assert_eq!(no_corner_cut(&map, &[]), Ok(()));
        assert_eq!(
            no_corner_cut(&map, &[0, 9]),
            Err(PathFault::Outside { cell: 9 })
        );
        assert_eq!(
            no_corner_cut(&map, &[1, 2]),
            Err(PathFault::Wall { cell: 2 })
        );
        assert_eq!(
            no_corner_cut(&map, &[0, 8]),
            Err(PathFault::Jump { from: 0, to: 8 })
        );
        assert_eq!(
            no_corner_cut(&map, &[0, 0]),
            Err(PathFault::Jump { from: 0, to: 0 })
        );
        assert_eq!(
            no_corner_cut(&map, &[5, 6]),
            Err(PathFault::Jump { from: 5, to: 6 })
        );
        assert_eq!(
            no_corner_cut(&map, &[0, 1, 5]),
            Err(PathFault::CutCorner { from: 1, to: 5 })
        );
    }

    #[test]
    fn adds_up_what_is_left_behind() {
        let map = CostMap::from_rows(&["4.", "29"]);
        assert_eq!(path_cost(&map, &[0, 2, 3]), 6.0);
        assert_eq!(path_cost(&map, &[0, 3]), 4.0 * std::f64::consts::SQRT_2);
        assert_eq!(path_cost(&map, &[3]), 0.0);
    }

    #[test]
    fn follows_to_the_end_and_notices_loops() {
        let map = CostMap::from_rows(&["...."]);
        assert_eq!(
            follow(&map, 0, |at| (at < 3).then_some(at + 1)),
            Ok(vec![0, 1, 2, 3])
        );
        assert_eq!(
            follow(&map, 1, |at| Some(at ^ 1)),
            Err(PathFault::Loop { start: 1 })
        );
        assert_eq!(
            follow(&map, 2, |at| Some(at + 1)),
            Err(PathFault::Outside { cell: 4 })
        );
        assert_eq!(
            follow(&map, 7, |_| None),
            Err(PathFault::Outside { cell: 7 })
        );
    }
}
