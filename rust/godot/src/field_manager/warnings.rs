//! Configuration warnings of a manager.

use super::FlowFieldManager;
use crate::flow_terrain::FlowTerrain;
use crate::{resources, surroundings};
use godot::prelude::*;

impl FlowFieldManager {
    /// The warnings, one or two sentences for each mistake.
    pub(super) fn warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        match self.grid() {
            Ok(_) => self.warn_of_other_managers(&mut warnings),
            Err(error) => warnings.push(&format!("The grid cannot be used: {error}.")),
        }
        self.warn_of_sizes(&mut warnings);
        for (index, kind) in self.movement_types.objects().iter_shared().enumerate() {
            if kind.is_none() {
                warnings.push(&format!(
                    "movement_types[{index}] is empty: it stands for a FlowMovementType with default values."
                ));
            }
        }
        self.warn_of_terrain_set(&mut warnings);
        warnings
    }

    fn warn_of_terrain_set(&self, warnings: &mut PackedStringArray) {
        let Some(set) = &self.terrain_set else {
            return;
        };
        let (mistakes, names) = resources::with(set, |set| (set.warnings(), set.named_types()));
        for mistake in mistakes {
            warnings.push(&mistake);
        }
        let types = self.movement_types.objects();
        let known: Vec<String> = types
            .iter_shared()
            .flatten()
            .map(|kind| kind.get_name().to_string())
            .collect();
        for name in names.iter().filter(|name| !known.contains(name)) {
            warnings.push(&format!(
                "The terrain set has costs or speeds for \"{name}\": no movement type has that name."
            ));
        }
    }

    fn warn_of_sizes(&self, warnings: &mut PackedStringArray) {
        let grid = self.grid_size;
        let size_of = |terrain: &Gd<FlowTerrain>| resources::with(terrain, FlowTerrain::size);
        if let Some(size) = self.terrain.as_ref().map(size_of)
            && size != grid
        {
            warnings.push(&format!(
                "The terrain's size {size} is not the grid's, {grid}: it is not used. Give both the same size."
            ));
        }
        for (index, terrain) in self.layer_terrains.objects().iter_shared().enumerate() {
            let (layer, count) = (index as i64 + 1, self.layer_count);
            let Some(size) = terrain.as_ref().map(size_of) else {
                continue;
            };
            if layer >= count {
                warnings.push(&format!(
                    "There are {count} layers: the terrain of layer {layer} is not used."
                ));
            } else if size != grid {
                warnings.push(&format!(
                    "The size {size} of the terrain of layer {layer} is not the grid's, {grid}: it is not used."
                ));
            }
        }
    }

    /// Two managers may have different maps. If both cover the same ground, one is often painted while agents follow
    /// the other.
    fn warn_of_other_managers(&self, warnings: &mut PackedStringArray) {
        let area = self.area();
        for other in surroundings::others(&self.to_gd()) {
            let common = resources::with(&other, Self::area).intersect(area);
            if common.is_some_and(Rect2::has_area) {
                let path = other.get_path();
                warnings.push(&format!(
                    "The grid of another FlowFieldManager, {path}, covers the same ground: swarms follow only the one that their manager property names."
                ));
            }
        }
    }

    /// The rectangle that the grid covers, in world units.
    fn area(&self) -> Rect2 {
        let size = Vector2::new(self.grid_size.x as f32, self.grid_size.y as f32);
        Rect2::new(self.origin, size * crate::convert::f32_from(self.cell_size))
    }
}
