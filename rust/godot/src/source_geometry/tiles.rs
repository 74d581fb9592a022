//! The collision polygons of tiles.

use super::Rules;
use crate::convert::vec2;
use flow_swarm::Error;
use flow_swarm::import::Coverage;
use godot::classes::{TileData, TileMapLayer, TileSetAtlasSource};
use godot::prelude::*;
use std::collections::BTreeMap;

/// The polygons of a tile, relative to its centre.
type Outlines = Vec<Vec<Vector2>>;

/// Draws the collision polygons of a layer's tiles.
pub fn draw(rules: &Rules, layer: &Gd<TileMapLayer>, on: &mut Coverage) -> Result<(), Error> {
    let Some(tile_set) = layer.get_tile_set() else {
        return Ok(());
    };
    if !layer.is_enabled() || !layer.is_collision_enabled() {
        return Ok(());
    }
    let physics_layers: Vec<i32> = (0..tile_set.get_physics_layers_count())
        .filter(|&number| tile_set.get_physics_layer_collision_layer(number) & rules.mask != 0)
        .collect();
    if physics_layers.is_empty() {
        return Ok(());
    }
    let place = layer.get_global_transform();
    // Most maps have many tiles of few kinds.
    let mut known: BTreeMap<(i32, i32, i32, i32), Outlines> = BTreeMap::new();
    for cell in layer.get_used_cells().iter_shared() {
        let atlas = layer.get_cell_atlas_coords(cell);
        let variant = layer.get_cell_alternative_tile(cell);
        let tile = (layer.get_cell_source_id(cell), atlas.x, atlas.y, variant);
        let outlines = known.entry(tile).or_insert_with(|| {
            let data = layer.get_cell_tile_data(cell);
            data.map_or_else(Vec::new, |data| outlines(&data, &physics_layers, variant))
        });
        if outlines.is_empty() {
            continue;
        }
        let center = layer.map_to_local(cell);
        for outline in outlines.iter() {
            let corners: Vec<_> = outline
                .iter()
                .map(|&corner| vec2(place * (center + corner)))
                .collect();
            on.polygon(&corners, rules.id)?;
        }
    }
    Ok(())
}

/// The polygons of a tile, flipped and transposed by the flags in the number of its alternative.
fn outlines(data: &Gd<TileData>, physics_layers: &[i32], variant: i32) -> Outlines {
    let flag = |flag: i32| variant & flag != 0;
    let flip = Vector2::new(
        if flag(TileSetAtlasSource::TRANSFORM_FLIP_H) {
            -1.0
        } else {
            1.0
        },
        if flag(TileSetAtlasSource::TRANSFORM_FLIP_V) {
            -1.0
        } else {
            1.0
        },
    );
    let transpose = flag(TileSetAtlasSource::TRANSFORM_TRANSPOSE);
    let mut found = Vec::new();
    for &layer in physics_layers {
        for number in 0..data.get_collision_polygons_count(layer) {
            let points = data.get_collision_polygon_points(layer, number);
            let points = points.as_slice().iter().map(|&point| {
                let point = if transpose {
                    Vector2::new(point.y, point.x)
                } else {
                    point
                };
                point * flip
            });
            found.push(points.collect());
        }
    }
    found
}
