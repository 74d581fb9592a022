//! Heights become costs by their slope, and walls where the slope is too steep.

use flow_swarm::grid::Grid;
use flow_swarm::import::{Slope, terrain_from_heights};
use flow_swarm::{IVec2, Vec2};
use glam::DVec3;
use proptest::prelude::*;

const WALL: u8 = 255;

fn grid(width: i32, height: i32, cell_size: f32) -> Grid {
    Grid::new(IVec2::new(width, height), cell_size, Vec2::ZERO).expect("valid")
}

/// The slope of the plane through three points, with y up: the rise per unit of distance.
fn steepness(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let normal = (b - a).cross(c - a);
    normal.x.hypot(normal.z) / normal.y.abs()
}

/// The id for a slope, and the id if rounding goes the other way.
fn ids_of(slope: f64, limit: f64, cost: f64) -> [u8; 2] {
    [slope * 0.99999, slope * 1.00001].map(|slope| {
        if slope > limit {
            WALL
        } else {
            (1.0 + (cost - 1.0) * slope / limit).round() as u8
        }
    })
}

proptest! {
    #[test]
    fn corner_heights_are_sloped_as_the_planes_through_them(
        (width, height) in (1i32..7, 1i32..7),
        cell_size in 0.3f32..4.0,
        limit in 0.1f32..2.0,
        cost in 1i64..=254,
        heights in prop::collection::vec(-1.5f32..1.5, 64),
    ) {
        let grid = grid(width, height, cell_size);
        let row = (width + 1) as usize;
        let heights = &heights[..row * (height + 1) as usize];
        let slope = Slope::new(limit, cost).expect("valid");
        let terrain = terrain_from_heights(&grid, heights, &slope).expect("right length");
        for (index, &id) in terrain.iter().enumerate() {
            let cell = grid.cell(index);
            let point = |x: i32, y: i32| {
                let place = (cell.y + y) as usize * row + (cell.x + x) as usize;
                let side = f64::from(cell_size);
                DVec3::new(f64::from(x) * side, heights[place].into(), f64::from(y) * side)
            };
            let square = [point(0, 0), point(1, 0), point(1, 1), point(0, 1)];
            let steepest = (0..4)
                .map(|corner| {
                    let [a, b, c] = [0, 1, 2].map(|next| square[(corner + next) % 4]);
                    steepness(a, b, c)
                })
                .fold(0.0, f64::max);
            let wanted = ids_of(steepest, limit.into(), cost as f64);
            prop_assert!(wanted.contains(&id), "{id} for a slope of {steepest}, not {wanted:?}");
        }
    }

    #[test]
    fn centre_heights_are_sloped_as_the_planes_to_two_neighbours(
        (width, height) in (2i32..7, 2i32..7),
        limit in 0.1f32..2.0,
        cost in 1i64..=254,
        heights in prop::collection::vec(-1.5f32..1.5, 64),
    ) {
        let grid = grid(width, height, 2.0);
        let heights = &heights[..(width * height) as usize];
        let slope = Slope::new(limit, cost).expect("valid");
        let terrain = terrain_from_heights(&grid, heights, &slope).expect("right length");
        for (index, &id) in terrain.iter().enumerate() {
            let cell = grid.cell(index);
            let point = |cell: IVec2| {
                grid.contains(cell).then(|| {
                    let height = heights[grid.index(cell)];
                    DVec3::new(f64::from(cell.x) * 2.0, height.into(), f64::from(cell.y) * 2.0)
                })
            };
            let own = point(cell).expect("inside");
            let mut steepest = 0.0f64;
            for along in [IVec2::X, IVec2::NEG_X] {
                for across in [IVec2::Y, IVec2::NEG_Y] {
                    if let (Some(a), Some(b)) = (point(cell + along), point(cell + across)) {
                        steepest = steepest.max(steepness(own, a, b));
                    }
                }
            }
            let wanted = ids_of(steepest, limit.into(), cost as f64);
            prop_assert!(wanted.contains(&id), "{id} for a slope of {steepest}, not {wanted:?}");
        }
    }
}

#[test]
fn a_ramp_costs_as_steep_as_it_is() {
    let grid = grid(4, 1, 2.0);
    let slope = Slope::new(1.0, 11).expect("valid");
    // Rises of 0, half the limit, the limit itself, and more than the limit.
    let row = [0.0, 0.0, 1.0, 3.0, 5.2];
    let heights = [row, row].concat();
    let terrain = terrain_from_heights(&grid, &heights, &slope).expect("right length");
    assert_eq!(terrain, [1, 6, 11, WALL]);
}

#[test]
fn a_plateau_is_walled_by_its_cliff() {
    let grid = grid(7, 7, 1.0);
    let heights: Vec<f32> = (0..64)
        .map(|corner| (corner % 8, corner / 8))
        .map(|(x, y)| {
            if (2..6).contains(&x) && (2..6).contains(&y) {
                5.0
            } else {
                0.0
            }
        })
        .collect();
    let slope = Slope::new(1.0, 9).expect("valid");
    let terrain = terrain_from_heights(&grid, &heights, &slope).expect("right length");
    for (index, &id) in terrain.iter().enumerate() {
        let from_middle = (grid.cell(index) - 3).abs().max_element();
        assert_eq!(id, if from_middle == 2 { WALL } else { 1 }, "{index}");
    }
}

#[test]
fn a_hole_is_a_wall() {
    let grid = grid(3, 3, 1.0);
    let slope = Slope::new(1.0, 9).expect("valid");
    let mut corners = [0.0; 16];
    corners[5] = f32::NAN;
    let terrain = terrain_from_heights(&grid, &corners, &slope).expect("right length");
    assert_eq!(terrain, [WALL, WALL, 1, WALL, WALL, 1, 1, 1, 1]);
    let mut centers = [0.0; 9];
    centers[4] = f32::NAN;
    let terrain = terrain_from_heights(&grid, &centers, &slope).expect("right length");
    assert_eq!(terrain, [1, 1, 1, 1, WALL, 1, 1, 1, 1]);
}

#[test]
fn heights_at_the_ends_of_what_numbers_hold_are_cliffs() {
    let grid = grid(1, 1, 1e-3);
    let slope = Slope::new(1.0, 9).expect("valid");
    let heights = [f32::MIN, f32::MAX, f32::MAX, f32::MIN];
    let terrain = terrain_from_heights(&grid, &heights, &slope).expect("right length");
    assert_eq!(terrain, [WALL]);
}

#[test]
fn bad_input_is_refused() {
    for limit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(Slope::new(limit, 8).is_err(), "{limit}");
    }
    for cost in [0, 255, -3] {
        assert!(Slope::new(1.0, cost).is_err(), "{cost}");
    }
    let grid = grid(3, 2, 1.0);
    let slope = Slope::new(1.0, 9).expect("valid");
    for length in [0, 5, 7, 11, 13] {
        assert!(terrain_from_heights(&grid, &vec![0.0; length], &slope).is_err());
    }
    let message = terrain_from_heights(&grid, &[f32::INFINITY; 6], &slope);
    let message = message.expect_err("infinite").to_string();
    assert!(
        message.contains("heights") && message.contains("inf"),
        "{message}"
    );
}
