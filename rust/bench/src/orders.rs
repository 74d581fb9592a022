//! The set-up of measurements of orders over large maps: maps by name, units in one corner, and targets.

use glam::Vec2;

use crate::maps::{self, CostMap, largest_component_cell};

/// Returns a map of `side` by `side` cells: `open`, `rooms`, `terrain` or `random`.
///
/// # Errors
/// If `name` is none of these.
pub fn large_map(name: &str, side: usize) -> Result<CostMap, String> {
    match name {
        "open" => Ok(maps::open(side, side)),
        "rooms" => Ok(maps::rooms(side, side, 12, 1)),
        "terrain" => Ok(maps::terrain(side, side, 1)),
        "random" => Ok(maps::random_walls(side, side, 10, 1)),
        _ => Err(format!("there is no map named {name}")),
    }
}

/// The number of cells that [`column()`] and its targets keep from the edges of a map.
#[must_use]
pub fn margin(map: &CostMap) -> usize {
    map.width / 32
}

/// The centres of open cells in the corner of least x and y, in rows of 40, every other cell. There are `units` of
/// them, less those that would be in walls.
#[must_use]
pub fn column(map: &CostMap, units: usize) -> Vec<Vec2> {
    let corner = margin(map);
    (0..units)
        .map(|unit| {
            (
                corner + 2 * (unit % 40),
                corner + 2 * (unit / 40) % (map.height / 2),
            )
        })
        .map(|(x, y)| map.index(x, y))
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| map.middle_of(cell))
        .collect()
}

/// The centre of an open cell near a place.
///
/// # Errors
/// If no cell is open.
pub fn open_near(map: &CostMap, x: usize, y: usize) -> Result<Vec2, String> {
    let cell = largest_component_cell(map, (x, y)).ok_or("a map without open cells")?;
    Ok(map.middle_of(cell))
}
