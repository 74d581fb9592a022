//! Terrain from the collision shapes of a scene.

use super::FlowFieldManager;
use crate::report::{OrRefuse, code, refuse, refuse_with_code};
use crate::resources;
use crate::source_geometry::FlowSourceGeometry;
use flow_swarm::import::Coverage;
use flow_swarm::terrain::CLEAR;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Makes terrain from the collision shapes in a scene: static bodies, the physics layers of TileMapLayers, and GridMaps. A cell becomes a wall, or the terrain id that `source` has, if a shape reaches into it by more than a five-hundredth of its width. Other cells become clear ground, unless `source` keeps their terrain. 3D shapes are projected onto the ground, as far as they are between two heights. If `source` is `null`, a FlowSourceGeometry with default values is used.
    ///
    /// Shapes have their positions at the time of the call. Disabled shapes do not count, nor do separation rays, height maps and the 3D world boundary. `cells` limits the import to a rectangle, which must be in the grid; the default stands for the whole grid. `layer` is the layer of the grid that is filled; choose the shapes of that floor by the heights or the collision layers of `source`. After an error nothing is changed.
    #[func]
    fn bake_terrain(
        &mut self,
        root: Option<Gd<Node>>,
        source: Option<Gd<FlowSourceGeometry>>,
        #[opt(default = Rect2i::default())] cells: Rect2i,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.bake_terrain";
        let Some(root) = root.filter(|root| root.is_inside_tree()) else {
            refuse(METHOD, "root must be a node in the scene tree");
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let part = super::terrain::part_of_layer(METHOD, world.grid(), cells, layer);
        let Some(part) = part else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let source = source.unwrap_or_else(FlowSourceGeometry::new_gd);
        let (rules, nodes, keeps_terrain) = resources::with(&source, |source| {
            (source.rules(), source.nodes(&root), source.keeps_terrain())
        });
        let mut coverage = match Coverage::new(&part.grid, part.cells) {
            Ok(coverage) => coverage,
            Err(error) => return refuse_with_code(METHOD, &error),
        };
        for node in nodes {
            if let Err(error) = rules.draw(node.clone(), &mut coverage) {
                refuse(METHOD, format_args!("{}: {error}", node.get_path()));
                return Error::ERR_INVALID_DATA;
            }
        }
        let mut terrain = coverage.into_ids();
        let uncovered = if keeps_terrain {
            world.base_terrain_block(part.places).or_refuse(METHOD)
        } else {
            Some(vec![CLEAR; terrain.len()])
        };
        let Some(uncovered) = uncovered else {
            return Error::ERR_BUG;
        };
        for (id, old) in terrain.iter_mut().zip(uncovered) {
            if *id == 0 {
                *id = old;
            }
        }
        code(METHOD, world.set_terrain_block(part.places, &terrain))
    }
}
