//! Floors as vertical lines find them, against those of a bake, on random scenes of blocks and ramps.

use crate::scenes::{SETTINGS, Scene, Town};
use flow_swarm::{IVec2, Vec2, Vec3};
use proptest::prelude::*;

/// Where the vertical line at a point enters and leaves a convex solid: the least and the greatest height of the points
/// of the solid on the line. Solids here have four upright edges, so both ends are between heights at the corners.
fn cut(solid: &[Vec3], at: Vec2) -> Option<(f32, f32)> {
    let low = solid.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = solid.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let share = (at - Vec2::new(low.x, low.z)) / Vec2::new(high.x - low.x, high.z - low.z);
    if share.min_element() < 0.0 || share.max_element() > 1.0 {
        return None;
    }
    // The tops of each end along x and z; ramps here rise along one axis.
    let top = |x: f32, z: f32| {
        let corner = solid.iter().filter(|point| point.x == x && point.z == z);
        corner.map(|point| point.y).fold(f32::MIN, f32::max)
    };
    let near = top(low.x, low.z) * (1.0 - share.x) + top(high.x, low.z) * share.x;
    let far = top(low.x, high.z) * (1.0 - share.x) + top(high.x, high.z) * share.x;
    Some((low.y, near * (1.0 - share.y) + far * share.y))
}

/// The solid parts of a vertical line, from below, joined.
fn solid_parts(scene: &Scene, at: Vec2) -> Vec<(f32, f32)> {
    let cuts = scene.solids.iter().filter_map(|solid| cut(solid, at));
    let mut cuts: Vec<_> = cuts.collect();
    cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<(f32, f32)> = Vec::new();
    for (low, high) in cuts {
        match joined.last_mut() {
            Some(last) if low <= last.1 + SETTINGS.cell_height => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    joined
}

fn floors(scene: &Scene, at: Vec2) -> Vec<f32> {
    let parts = solid_parts(scene, at);
    let ceilings = parts
        .iter()
        .skip(1)
        .map(|part| part.0)
        .chain([f32::INFINITY]);
    let pairs = parts.iter().zip(ceilings);
    pairs
        .filter(|(part, ceiling)| ceiling - part.1 >= SETTINGS.agent_height)
        .map(|(part, _)| part.1)
        .collect()
}

/// Blocks on the lines of the grid, with heights in steps of which no sum is an agent's height.
fn blocks() -> impl Strategy<Value = Scene> {
    let block = (0..18, 0..18, 1..8, 1..8, 0..22, 1..12);
    prop::collection::vec(block, 0..14).prop_map(|blocks| {
        let mut scene = Scene::ground(12.0, 12.0);
        for (x, z, width, depth, low, height) in blocks {
            let [x, z, width, depth] = [x, z, width, depth].map(|cells: i32| cells as f32 * 0.5);
            let (low, height) = (low as f32 * 0.4 - 0.37, height as f32 * 0.4);
            scene.block([x, low, z], [x + width, low + height, z + depth]);
        }
        scene
    })
}

/// Blocks and ramps anywhere.
pub fn any_solids() -> impl Strategy<Value = Scene> {
    let solid = (
        0.0..9.0_f32,
        0.0..9.0_f32,
        0.3..4.0_f32,
        0.3..4.0_f32,
        -0.5..6.0_f32,
        0.2..2.0_f32,
    );
    let rise = prop_oneof![Just(0.0_f32), 0.0..3.0_f32];
    prop::collection::vec((solid, rise, any::<bool>()), 0..12).prop_map(|solids| {
        let mut scene = Scene::ground(12.0, 12.0);
        for ((x, z, width, depth, low, height), rise, along_x) in solids {
            let top = low + height;
            let tops = if along_x {
                [top, top + rise, top, top + rise]
            } else {
                [top, top, top + rise, top + rise]
            };
            scene.wedge([x, low, z], [x + width, low, z + depth], tops);
        }
        scene
    })
}

fn center(cell: IVec2) -> Vec2 {
    (cell.as_vec2() + 0.5) * 0.5
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn blocks_on_grid_lines_have_the_floors_of_vertical_lines(scene in blocks()) {
        let storeys = scene.bake();
        for index in 0..storeys.grid().cell_count() {
            let cell = storeys.grid().cell(index);
            let (found, expected) = (storeys.floors(cell), floors(&scene, center(cell)));
            prop_assert_eq!(found.len(), expected.len(), "{}: {:?} {:?}", cell, found, expected);
            for (a, b) in found.iter().zip(&expected) {
                prop_assert!((a - b).abs() < 1.0e-3, "{}: {:?} {:?}", cell, found, expected);
            }
        }
    }

    /// Conservative: above what is walkable there is nothing, anywhere in the cell.
    #[test]
    fn walkable_cells_are_free_for_agents(scene in any_solids()) {
        let town = Town::new(&scene.bake());
        for layer in 0..town.maps.layers.len() {
            for index in 0..(24 * 24) {
                let cell = IVec2::new(index % 24, index / 24);
                if !town.is_walkable(layer, cell) {
                    continue;
                }
                for (x, z) in [(0.02, 0.02), (0.98, 0.02), (0.5, 0.5), (0.02, 0.98), (0.98, 0.98)] {
                    let parts = solid_parts(&scene, (cell.as_vec2() + Vec2::new(x, z)) * 0.5);
                    // A floor may rise by the slope within the cell, and steps lie in it.
                    let floor = town.height(layer, cell);
                    let (low, high) = (floor + 1.0, floor + 1.2);
                    let blocked = parts.iter().any(|part| part.0 < high && part.1 > low);
                    prop_assert!(!blocked, "layer {}, {}: {} in {:?}", layer, cell, floor, parts);
                }
            }
        }
    }

    /// Neighbours on a layer are never farther apart than a step, and no column has a floor twice.
    #[test]
    fn neighbours_on_a_layer_are_within_a_step(scene in any_solids()) {
        let town = Town::new(&scene.bake());
        for layer in 0..town.maps.layers.len() {
            for index in 0..(24 * 24) {
                let cell = IVec2::new(index % 24, index / 24);
                for next in [cell + IVec2::X, cell + IVec2::Y] {
                    if next.max_element() >= 24 || !town.is_walkable(layer, cell) || !town.is_walkable(layer, next) {
                        continue;
                    }
                    // Each floor rises by at most half a metre in a cell, and the step by a quarter.
                    let apart = (town.height(layer, cell) - town.height(layer, next)).abs();
                    prop_assert!(apart <= 0.76, "layer {}, {} to {}: {}", layer, cell, next, apart);
                }
            }
        }
    }
}
