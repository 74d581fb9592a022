//! Terrain from the scene's own collision shapes.

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
    /// Makes terrain of the collision shapes in a scene: static bodies, the physics layers of tile map layers, and grid maps. A cell becomes a wall, or what `source` says, as soon as a shape reaches into it by more than a five-hundredth of its width; the others become clear ground unless `source` keeps them. What is in 3D counts as seen from above, between two heights. A null `source` is one with defaults.
    ///
    /// Shapes count where they are at the moment of the call, disabled ones not at all; separation rays, height maps and the 3D world boundary are no obstacles. A rectangle `cells` limits it to these cells, all of which must be in the grid. It is the lowest layer that is filled, or the one that `layer` says; which shapes belong to that floor `source` tells, by their heights or their collision layers. Nothing changes after an error.
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
