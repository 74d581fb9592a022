//! Terrain from TileMapLayers.

use super::FlowFieldManager;
use crate::convert::vector2;
use crate::report::refuse;
use flow_swarm::terrain::{CLEAR, WALL};
use godot::classes::{TileData, TileMapLayer, TileSet};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Reads the terrain from tile map layers. Each grid cell takes the tile at its centre: its integer in the custom data layer of the given name, 1 to 255, if the tile set has one and the tile's is not 0; else a wall if the tile has a collision polygon on any physics layer, and clear ground if not. Where several layers have a tile the greatest id counts; where none has, the ground is clear.
    ///
    /// Layers may be scaled, moved, isometric or hexagonal. Nothing changes after an error.
    #[func]
    fn load_tile_map_layers(
        &mut self,
        layers: Array<Option<Gd<TileMapLayer>>>,
        #[opt(default = "flow_cost")] custom_data_layer: GString,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_tile_map_layers";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        if layers.is_empty() {
            refuse(METHOD, "layers must have at least one entry, not 0");
            return Error::ERR_INVALID_PARAMETER;
        }
        let grid = *world.grid();
        let mut terrain = vec![0; grid.cell_count()];
        for (number, layer) in layers.iter_shared().enumerate() {
            let Some(layer) = layer else {
                refuse(METHOD, format_args!("layer {number} is null"));
                return Error::ERR_INVALID_PARAMETER;
            };
            let Some(tile_set) = layer.get_tile_set() else {
                refuse(
                    METHOD,
                    format_args!("layer {number}, {layer}, has no tile set"),
                );
                return Error::ERR_INVALID_PARAMETER;
            };
            let reader = TileReader::new(tile_set, &custom_data_layer);
            for (index, id) in terrain.iter_mut().enumerate() {
                let center = vector2(grid.center_of(grid.cell(index)));
                let tile = layer.local_to_map(layer.to_local(center));
                let Some(data) = layer.get_cell_tile_data(tile) else {
                    continue;
                };
                match reader.terrain_id(&data) {
                    Ok(found) => *id = (*id).max(found),
                    Err(value) => {
                        let reason = format_args!(
                            "{custom_data_layer} of the tile at {tile} in layer {number} must be in 0..=255, not {value}"
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
        crate::report::code(METHOD, world.set_terrain_bytes(&terrain))
    }
}

/// Reads terrain ids off the tiles of one tile set.
struct TileReader {
    /// The custom data layer, where the tile set has it.
    custom_layer: Option<i32>,
    physics_layers: i32,
}

impl TileReader {
    fn new(tile_set: Gd<TileSet>, custom_data_layer: &GString) -> Self {
        let custom_layer = tile_set.get_custom_data_layer_by_name(custom_data_layer);
        Self {
            custom_layer: (custom_layer >= 0).then_some(custom_layer),
            physics_layers: tile_set.get_physics_layers_count(),
        }
    }

    /// The terrain id of a tile, or the custom value that is none.
    fn terrain_id(&self, data: &Gd<TileData>) -> Result<u8, Variant> {
        if let Some(layer) = self.custom_layer {
            let value = data.get_custom_data_by_layer_id(layer);
            let number = value.try_to_relaxed::<i64>().ok();
            match number.map(u8::try_from) {
                // Nobody has set it.
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
