//! Queries find entities and walls exactly where they are.

use crate::common::world_on;
use flow_swarm::entities::EntityBuckets;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};
use flow_swarm_bench::oracle::{WorldFrame, wall_points_within};
use std::collections::BTreeMap;

fn grid(width: i32, height: i32) -> Grid {
    Grid::new(IVec2::new(width, height), 4.0, Vec2::new(-20.0, 8.0)).expect("valid")
}

/// A random point, in the grid or a little outside.
fn point(grid: &Grid, random: &mut SplitMix64) -> Vec2 {
    let (low, high) = grid.bounds();
    let unit = Vec2::new(random.unit() as f32, random.unit() as f32) * 1.2 - 0.1;
    low + (high - low) * unit
}

#[test]
fn actions_in_any_order_against_a_plain_map() {
    for (width, height) in [(1, 1), (1, 30), (30, 1), (9, 14)] {
        let grid = grid(width, height);
        let mut random = SplitMix64::new(4);
        let mut buckets = EntityBuckets::default();
        let mut expected: BTreeMap<i64, Vec2> = BTreeMap::new();
        for _ in 0..4_000 {
            let id = random.below(60) as i64 - 30;
            let at = point(&grid, &mut random);
            let inside = grid.contains(grid.cell_at(at));
            let known = expected.contains_key(&id);
            match random.below(4) {
                0 => {
                    let done = buckets.register(&grid, id, at).is_ok();
                    assert_eq!(done, inside && !known);
                    if done {
                        expected.insert(id, at);
                    }
                }
                1 => {
                    let done = buckets.relocate(&grid, id, at).is_ok();
                    assert_eq!(done, inside && known);
                    if done {
                        expected.insert(id, at);
                    }
                }
                2 => {
                    let done = buckets.unregister(&grid, id).is_ok();
                    assert_eq!(done, expected.remove(&id).is_some());
                }
                _ => {
                    let radius = (random.unit() * random.unit() * 80.0) as f32;
                    let near: Vec<i64> = expected
                        .iter()
                        .filter(|(_, other)| other.distance_squared(at) <= radius * radius)
                        .map(|(&id, _)| id)
                        .collect();
                    assert_eq!(buckets.near(&grid, at, radius), near);
                }
            }
            assert_eq!(buckets.len(), expected.len());
            assert_eq!(buckets.is_empty(), expected.is_empty());
            assert_eq!(buckets.position(id).ok(), expected.get(&id).copied());
        }
    }
}

#[test]
fn another_grid_keeps_what_is_inside_it() {
    let before = grid(10, 10);
    let mut buckets = EntityBuckets::default();
    let mut random = SplitMix64::new(1);
    for id in 0..200 {
        // Entities outside the grid are refused.
        let _ = buckets.register(&before, id, point(&before, &mut random));
    }
    let positions: BTreeMap<i64, Vec2> = (0..200)
        .filter_map(|id| Some((id, buckets.position(id).ok()?)))
        .collect();
    let after = Grid::new(IVec2::new(7, 30), 3.0, Vec2::new(-15.0, 10.0)).expect("valid");
    let lost = buckets.rebucket(&after);
    let is_inside = |at: Vec2| after.contains(after.cell_at(at));
    let expected: Vec<i64> = positions
        .iter()
        .filter(|&(_, &at)| !is_inside(at))
        .map(|(&id, _)| id)
        .collect();
    assert_eq!(lost, expected);
    let kept: Vec<i64> = positions
        .keys()
        .copied()
        .filter(|id| !lost.contains(id))
        .collect();
    assert_eq!(buckets.near(&after, Vec2::ZERO, 1.0e6), kept);
}

#[test]
fn bad_input_is_refused_or_finds_nothing() {
    let grid = grid(5, 5);
    let mut buckets = EntityBuckets::default();
    let at = grid.center_of(IVec2::new(2, 2));
    buckets.register(&grid, 7, at).expect("new");
    assert!(matches!(
        buckets.register(&grid, 7, at),
        Err(Error::DuplicateId {
            name: "entity",
            id: 7
        })
    ));
    for bad in [
        Vec2::NAN,
        Vec2::INFINITY,
        Vec2::splat(-1.0e30),
        Vec2::splat(f32::MAX),
    ] {
        assert!(buckets.register(&grid, 8, bad).is_err());
        assert!(buckets.relocate(&grid, 7, bad).is_err());
        assert!(buckets.near(&grid, bad, 1.0).is_empty());
    }
    for radius in [f32::NAN, -0.1, -1.0e30, f32::NEG_INFINITY] {
        assert!(buckets.near(&grid, at, radius).is_empty(), "{radius}");
    }
    assert_eq!(buckets.near(&grid, at, f32::INFINITY), [7]);
    assert_eq!(buckets.near(&grid, at, 0.0), [7]);
    assert_eq!(buckets.position(7), Ok(at));
    assert!(buckets.unregister(&grid, 8).is_err());
    assert_eq!(buckets.len(), 1);
}

#[test]
fn closest_walls_are_those_of_the_oracle() {
    for (name, map) in every_kind(17, 12, 2) {
        let grid = grid(17, 12);
        let mut world = world_on(grid, &map, Workers::serial());
        let frame = WorldFrame {
            origin: grid.origin(),
            cell_size: grid.cell_size(),
        };
        let mut random = SplitMix64::new(7);
        for _ in 0..500 {
            let at = point(&grid, &mut random);
            let radius = (random.unit() * 14.0) as f32;
            let expected = wall_points_within(&map, &frame, at, radius);
            // At the rim itself rounding decides.
            let clear = |slack: f64| {
                let points = wall_points_within(
                    &map,
                    &frame,
                    at,
                    (f64::from(radius) + slack).max(0.0) as f32,
                );
                points.len() == expected.len()
            };
            if !clear(1.0e-4) || !clear(-1.0e-4) {
                continue;
            }
            let found = world.closest_walls(at, radius, 0).expect("valid");
            assert_eq!(found.len(), expected.len(), "{name}: {radius} around {at}");
            for (point, wall) in found.iter().zip(&expected) {
                assert!(
                    point.as_dvec2().distance(wall.point) < 1.0e-4,
                    "{name}: {point} should be {}",
                    wall.point
                );
            }
        }
        for radius in [f32::NAN, -1.0, f32::INFINITY, 1.0e7] {
            assert!(world.closest_walls(Vec2::ZERO, radius, 0).is_err());
        }
        assert!(world.closest_walls(Vec2::NAN, 1.0, 0).is_err());
        let everything = world.closest_walls(Vec2::splat(f32::MAX), 1.0e6, 0);
        assert_eq!(everything, Ok(Vec::new()));
    }
}
