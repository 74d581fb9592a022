//! The nearest wall, found by testing all walls.

use glam::{DVec2, Vec2};

use crate::maps::{CostMap, WALL};

/// The placement of a map in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldFrame {
    /// World position of the corner of least x and y.
    pub origin: Vec2,
    /// Side of a cell in world units, above 0.
    pub cell_size: f32,
}

/// The point of a wall cell that is nearest to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPoint {
    /// Row-major index of the wall cell.
    pub cell: usize,
    /// World position: on the cell's rim or, for a position inside the cell, the position itself.
    pub point: DVec2,
    /// Distance from the position, in world units.
    pub distance: f64,
}

/// For each wall cell within `radius` world units of the position, its nearest point, in the order of cells. The
/// outside of the map is not a wall.
#[must_use]
pub fn wall_points_within(
    map: &CostMap,
    frame: &WorldFrame,
    position: Vec2,
    radius: f32,
) -> Vec<WallPoint> {
    every_wall_point(map, frame, position)
        .filter(|wall| wall.distance <= f64::from(radius))
        .collect()
}

/// The nearest point of all walls; of equally near ones, that of the first cell. `None` without walls.
#[must_use]
pub fn closest_wall_point(map: &CostMap, frame: &WorldFrame, position: Vec2) -> Option<WallPoint> {
    every_wall_point(map, frame, position)
        .min_by(|one, other| one.distance.total_cmp(&other.distance))
}

/// The depth to which a disc reaches into walls, in world units: its radius minus the distance of the nearest wall, at
/// least 0.
#[must_use]
pub fn wall_overlap(map: &CostMap, frame: &WorldFrame, position: Vec2, radius: f32) -> f64 {
    closest_wall_point(map, frame, position)
        .map_or(0.0, |wall| (f64::from(radius) - wall.distance).max(0.0))
}

/// The depth to which a disc reaches into walls, in cells of side 1; the radius if its centre is in a wall. Unlike in
/// the other functions of this file, everything outside the map is wall.
#[must_use]
pub fn wall_depth(map: &CostMap, center: Vec2, radius: f32) -> f64 {
    let (center, radius) = (center.as_dvec2(), f64::from(radius));
    let size = DVec2::new(map.width as f64, map.height as f64);
    if center.cmplt(DVec2::ZERO).any() || center.cmpge(size).any() {
        return radius;
    }
    let low = (center - radius).floor();
    let high = (center + radius).floor();
    let mut depth = 0.0_f64;
    for y in low.y as i64..=high.y as i64 {
        for x in low.x as i64..=high.x as i64 {
            let inside = x >= 0 && y >= 0 && x < map.width as i64 && y < map.height as i64;
            if inside && map.is_passable(map.index(x as usize, y as usize)) {
                continue;
            }
            let dx = center.x - center.x.clamp(x as f64, (x + 1) as f64);
            let dy = center.y - center.y.clamp(y as f64, (y + 1) as f64);
            depth = depth.max(radius - dx.hypot(dy));
        }
    }
    depth
}

fn every_wall_point(
    map: &CostMap,
    frame: &WorldFrame,
    position: Vec2,
) -> impl Iterator<Item = WallPoint> {
    let position = position.as_dvec2();
    let origin = frame.origin.as_dvec2();
    let side = f64::from(frame.cell_size);
    (0..map.len())
        .filter(|&cell| map.cost[cell] == WALL)
        .map(move |cell| {
            let (x, y) = map.position(cell);
            let least = origin + DVec2::new(x as f64, y as f64) * side;
            let point = position.clamp(least, least + side);
            let distance = position.distance(point);
            WallPoint {
                cell,
                point,
                distance,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: WorldFrame = WorldFrame {
        origin: Vec2::new(-10.0, 20.0),
        cell_size: 4.0,
    };

    #[test]
    fn finds_sides_corners_and_insides() {
        // The wall covers x from -6 to -2 and y from 24 to 28.
        let map = CostMap::from_rows(&["...", ".#.", "..."]);
        let closest = |x, y| closest_wall_point(&map, &FRAME, Vec2::new(x, y)).expect("a wall");
        let beside = closest(-1.0, 26.0);
        assert_eq!(
            (beside.cell, beside.point, beside.distance),
            (4, DVec2::new(-2.0, 26.0), 1.0)
        );
        let at_the_corner = closest(1.0, 32.0);
        assert_eq!(
            (at_the_corner.point, at_the_corner.distance),
            (DVec2::new(-2.0, 28.0), 5.0)
        );
        let inside = closest(-3.0, 25.0);
        assert_eq!(
            (inside.point, inside.distance),
            (DVec2::new(-3.0, 25.0), 0.0)
        );
        assert_eq!(wall_overlap(&map, &FRAME, Vec2::new(-1.0, 26.0), 1.5), 0.5);
        assert_eq!(wall_overlap(&map, &FRAME, Vec2::new(-1.0, 26.0), 0.5), 0.0);
        assert_eq!(wall_overlap(&map, &FRAME, Vec2::new(-3.0, 25.0), 0.5), 0.5);
    }

    #[test]
    fn depths_count_what_is_outside_too() {
        let map = CostMap::from_rows(&["...", ".#.", "..."]);
        assert_eq!(wall_depth(&map, Vec2::new(0.5, 0.5), 0.5), 0.0);
        assert_eq!(wall_depth(&map, Vec2::new(0.5, 1.5), 0.75), 0.25);
        assert_eq!(wall_depth(&map, Vec2::new(1.5, 1.5), 0.25), 0.25);
        assert_eq!(wall_depth(&map, Vec2::new(2.75, 0.5), 0.5), 0.25);
        assert_eq!(wall_depth(&map, Vec2::new(-4.0, 0.5), 0.5), 0.5);
    }

    #[test]
    fn lists_all_walls_within_the_radius_and_knows_of_none() {
        let map = CostMap::from_rows(&["#.#", "...", "#.."]);
        let centre = Vec2::new(-4.0, 26.0);
        let cells = |radius| -> Vec<_> {
            let found = wall_points_within(&map, &FRAME, centre, radius);
            found.iter().map(|wall| wall.cell).collect()
        };
        // Each wall is sqrt(2^2 + 2^2) away.
        assert!(cells(2.82).is_empty());
        assert_eq!(cells(2.83), [0, 2, 6]);
        let open = CostMap::filled(2, 2, 1);
        assert_eq!(closest_wall_point(&open, &FRAME, centre), None);
        assert_eq!(wall_overlap(&open, &FRAME, centre, 9.0), 0.0);
    }
}
