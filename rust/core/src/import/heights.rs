//! Terrain from heights: slopes have costs; cliffs and holes are walls ("walls and hills where appropriate": Emerson,
//! Game AI Pro, 23.10).

use crate::error::{Error, Result, in_range};
use crate::grid::Grid;
use crate::terrain::{CLEAR, WALL};

/// The costs of slopes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    limit: f64,
    limit_cost: f64,
}

impl Slope {
    /// Costs of slopes up to `limit`, which is a rise per unit of distance. Flat ground costs 1 and ground at the limit
    /// costs `limit_cost`; costs in between are in proportion to the rise. Steeper ground is a wall.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a limit that is not finite and above 0, or a cost outside 1..=254.
    pub fn new(limit: f32, limit_cost: i64) -> Result<Self> {
        in_range("slope limit", limit, f32::MIN_POSITIVE, f32::MAX)?;
        if !(1..=254).contains(&limit_cost) {
            return Err(Error::OutOfRange {
                name: "slope_cost",
                value: limit_cost.into(),
                min: 1.into(),
                max: 254.into(),
            });
        }
        Ok(Self {
            limit: f64::from(limit),
            limit_cost: limit_cost as f64,
        })
    }

    /// The terrain id of ground, from the square of its rise per unit of distance.
    fn terrain_id(&self, rise_squared: f64) -> u8 {
        let share = rise_squared.sqrt() / self.limit;
        // Rounding errors must not turn ground exactly at the limit into a wall.
        if share <= 1.000_001 {
            let dearer = (self.limit_cost - f64::from(CLEAR)) * share.min(1.0);
            CLEAR + (dearer + 0.5) as u8
        } else {
            WALL
        }
    }
}

/// One terrain id for each cell, in a row-major array, from heights in world units.
///
/// `heights` is a row-major array with one height for each corner of cells, (width + 1) × (height + 1), or with one for
/// the centre of each cell, width × height. A cell is as steep as the steepest plane through three of its corners, or
/// through its centre and those of a neighbour on each axis. A height of NaN is a hole: cells with such a corner or
/// centre are walls.
///
/// # Errors
/// [`Error::Length`] for any other number of heights; [`Error::OutOfRange`] for an infinite height.
pub fn terrain_from_heights(grid: &Grid, heights: &[f32], slope: &Slope) -> Result<Vec<u8>> {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let corners = (width + 1) * (height + 1);
    if heights.len() != corners && heights.len() != width * height {
        return Err(Error::Length {
            name: "heights",
            expected: corners,
            actual: heights.len(),
        });
    }
    if let Some(&infinite) = heights.iter().find(|height| height.is_infinite()) {
        return Err(Error::OutOfRange {
            name: "heights",
            value: infinite.into(),
            min: f32::MIN.into(),
            max: f32::MAX.into(),
        });
    }
    let rise = if heights.len() == corners {
        rise_between_corners
    } else {
        rise_to_neighbours
    };
    let per_cell = 1.0 / f64::from(grid.cell_size());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Ok(cells
        .map(|(x, y)| match rise(heights, (width, height), x, y) {
            Some((along_x, along_y)) => {
                let (along_x, along_y) = (along_x * per_cell, along_y * per_cell);
                slope.terrain_id(along_x * along_x + along_y * along_y)
            }
            None => WALL,
        })
        .collect())
}

/// The greatest rise of a cell along x and along y, over the width of a cell; `None` for a hole.
type Rise = Option<(f64, f64)>;

fn rise_between_corners(heights: &[f32], (width, _): (usize, usize), x: usize, y: usize) -> Rise {
    let row = width + 1;
    let [a, b, c, d] = [
        y * row + x,
        y * row + x + 1,
        (y + 1) * row + x,
        (y + 1) * row + x + 1,
    ]
    .map(|index| f64::from(heights[index]));
    let hole = [a, b, c, d].iter().any(|height| height.is_nan());
    (!hole).then(|| {
        (
            (b - a).abs().max((d - c).abs()),
            (c - a).abs().max((d - b).abs()),
        )
    })
}

fn rise_to_neighbours(
    heights: &[f32],
    (width, height): (usize, usize),
    x: usize,
    y: usize,
) -> Rise {
    let at = |x: usize, y: usize| f64::from(heights[y * width + x]);
    let own = at(x, y);
    // Holes beside a cell do not count: `f64::max` ignores NaN.
    let rise = |others: [Option<f64>; 2]| {
        let rises = others
            .into_iter()
            .flatten()
            .map(|other| (other - own).abs());
        rises.fold(0.0, f64::max)
    };
    (!own.is_nan()).then(|| {
        (
            rise([
                (x > 0).then(|| at(x - 1, y)),
                (x + 1 < width).then(|| at(x + 1, y)),
            ]),
            rise([
                (y > 0).then(|| at(x, y - 1)),
                (y + 1 < height).then(|| at(x, y + 1)),
            ]),
        )
    })
}
