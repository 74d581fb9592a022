//! Terrain from TileMapLayers.

use super::FlowFieldManager;
use crate::convert::vector2;
use crate::object_array::ObjectArray;
use crate::report::refuse;
use flow_swarm::IVec2;
use flow_swarm::terrain::{CLEAR, WALL};
use godot::classes::{TileData, TileMapLayer, TileSet};
use godot::global::Error;
use godot::prelude::*;
use std::collections::BTreeMap;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Reads the terrain from TileMapLayers. Each cell of the grid takes the tile at its centre. The terrain id is the integer, 1 to 255, in the custom data layer with the given name, if the tile set has that layer and the value of the tile is not 0. Otherwise the cell is a wall if the tile has a collision polygon on any physics layer, and clear ground if not. If several layers have a tile there, the greatest id counts. Cells without a tile are clear ground.
    ///
    /// Layers may have different tile sets, and may be scaled, moved, isometric or hexagonal. `cells` limits the import to a rectangle, which must be in the grid, for example after an edit of some tiles; the default stands for the whole grid. `layer` is the layer of the grid that is filled. After an error nothing is changed.
    #[func]
    fn load_tile_map_layers(
        &mut self,
        layers: ObjectArray<TileMapLayer>,
        #[opt(default = "flow_cost")] custom_data_layer: GString,
        #[opt(default = Rect2i::default())] cells: Rect2i,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_tile_map_layers";
        let Some(layers) = layers.checked(METHOD, "layers") else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        if layers.len() == 0 {
            refuse(METHOD, "layers must have at least one entry, not 0");
            return Error::ERR_INVALID_PARAMETER;
        }
        let part = super::terrain::part_of_layer(METHOD, world.grid(), cells, layer);
        let Some(part) = part else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let (low, high) = (part.cells.low, part.cells.high);
        let centers: Vec<Vector2> = (low.y..high.y)
            .flat_map(|y| (low.x..high.x).map(move |x| IVec2::new(x, y)))
            .map(|cell| vector2(part.grid.center_of(cell)))
            .collect();
        let mut terrain = vec![0; centers.len()];
        for (number, tiles) in layers.objects().iter_shared().enumerate() {
            let Some(tiles) = tiles else {
                refuse(METHOD, format_args!("layer {number} of layers is null"));
                return Error::ERR_INVALID_PARAMETER;
            };
            let Some(tile_set) = tiles.get_tile_set() else {
                refuse(
                    METHOD,
                    format_args!("layer {number} of layers, {tiles}, has no tile set"),
                );
                return Error::ERR_INVALID_PARAMETER;
            };
            let mut reader = TileReader::new(tiles, &tile_set, &custom_data_layer);
            for (id, &center) in terrain.iter_mut().zip(&centers) {
                match reader.terrain_at(center) {
                    Ok(found) => *id = (*id).max(found),
                    Err((tile, value)) => {
                        let reason = format_args!(
                            "{custom_data_layer} of the tile at {tile} in layer {number} must be from 0 to 255, not {value}"
                        );
                        refuse(METHOD, reason);
                        return Error::ERR_INVALID_DATA;
                    }
                }
            }
        }
        for id in &mut terrain {
            *id = (*id).max(CLEAR);
        }
        crate::report::code(METHOD, world.set_terrain_block(part.places, &terrain))
    }
}

/// Reads terrain ids from the tiles of one layer.
struct TileReader {
    layer: Gd<TileMapLayer>,
    /// The transform from world space to the layer's space.
    into_layer: Transform2D,
    /// The custom data layer, if the tile set has it.
    custom_layer: Option<i32>,
    physics_layers: i32,
    /// The terrain ids read so far, by source, atlas coordinates and alternative. A map has many tiles of few kinds,
    /// and reading the data of a tile from the engine is the slowest part of the import.
    known: BTreeMap<(i32, i32, i32, i32), u8>,
}

impl TileReader {
    fn new(layer: Gd<TileMapLayer>, tile_set: &Gd<TileSet>, custom_data_layer: &GString) -> Self {
        let custom_layer = tile_set.get_custom_data_layer_by_name(custom_data_layer);
        Self {
            into_layer: layer.get_global_transform().affine_inverse(),
            layer,
            custom_layer: (custom_layer >= 0).then_some(custom_layer),
            physics_layers: tile_set.get_physics_layers_count(),
            known: BTreeMap::new(),
        }
    }

    /// The terrain id at a world position; 0 if there is no tile. The error is a tile with an invalid custom value, and
    /// that value.
    fn terrain_at(&mut self, place: Vector2) -> Result<u8, (Vector2i, Variant)> {
        let tile = self.layer.local_to_map(self.into_layer * place);
        let source = self.layer.get_cell_source_id(tile);
        if source < 0 {
            return Ok(0);
        }
        let atlas = self.layer.get_cell_atlas_coords(tile);
        let variant = self.layer.get_cell_alternative_tile(tile);
        let kind = (source, atlas.x, atlas.y, variant);
        if let Some(&id) = self.known.get(&kind) {
            return Ok(id);
        }
        let id = match self.layer.get_cell_tile_data(tile) {
            Some(data) => self.terrain_id(&data).map_err(|value| (tile, value))?,
            None => 0,
        };
        self.known.insert(kind, id);
        Ok(id)
    }

    /// The terrain id of a tile. The error is an invalid custom value.
    fn terrain_id(&self, data: &Gd<TileData>) -> Result<u8, Variant> {
        if let Some(layer) = self.custom_layer {
            let value = data.get_custom_data_by_layer_id(layer);
            let number = value.try_to_relaxed::<i64>().ok();
            match number.map(u8::try_from) {
                // The value is not set.
                Some(Ok(0)) => {}
                Some(Ok(id)) => return Ok(id),
                _ => return Err(value),
            }
        }
        let solid =
            (0..self.physics_layers).any(|layer| data.get_collision_polygons_count(layer) > 0);
        Ok(if solid { WALL } else { CLEAR })
    }
}
