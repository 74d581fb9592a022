//! Heights of the centres of cells as heights of corners.

use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::ground::heights::check_values;
use glam::IVec2;

/// Whether an array of heights has one for each corner of the cells of a layer; false if it has one for each cell.
///
/// # Errors
/// [`Error::Length`] for any other number.
pub(crate) fn is_one_per_corner(grid: &Grid, count: usize) -> Result<bool> {
    let cells = grid.layer_size();
    let corners = (cells + IVec2::ONE).as_usizevec2().element_product();
    if count != corners && count != cells.as_usizevec2().element_product() {
        return Err(Error::Length {
            name: "heights",
            expected: corners,
            actual: count,
        });
    }
    Ok(count == corners)
}

/// The mean of the heights of the cells around each corner of a layer; NaN where all of them are holes.
///
/// # Errors
/// [`Error::OutOfRange`] for a height beyond [`MAX_HEIGHT`](super::MAX_HEIGHT).
pub(crate) fn corners_from_centres(grid: &Grid, centres: &[f32]) -> Result<Vec<f32>> {
    check_values(centres)?;
    let size = grid.layer_size();
    let at = |x: i32, y: i32| {
        let is_inside = x >= 0 && y >= 0 && x < size.x && y < size.y;
        is_inside.then(|| centres[y as usize * size.x as usize + x as usize])
    };
    let mean = |x: i32, y: i32| {
        let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
        let known = around.into_iter().filter_map(|(x, y)| at(x, y));
        let known = known.filter(|height| !height.is_nan());
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), height| {
            (sum + f64::from(height), count + 1.0)
        });
        (sum / count) as f32
    };
    let corners = (0..=size.y).flat_map(|y| (0..=size.x).map(move |x| (x, y)));
    Ok(corners.map(|(x, y)| mean(x, y)).collect())
}
