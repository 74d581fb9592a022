//! Entity and wall lookups of `FlowFieldManager` near a point.

use super::FlowFieldManager;
use crate::convert::{f32_from, packed_vector2s, vec2, vector2};
use crate::report::{OrRefuse, code};
use flow_swarm::error::{finite, in_range};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Registers an entity of the game, such as a player or an item, so that it can be found by its position. The game chooses the id, which must not be in use. The position must be in the grid.
    #[func]
    fn register_entity(&mut self, id: i64, position: Vector2) -> Error {
        const METHOD: &str = "FlowFieldManager.register_entity";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let grid = *world.grid();
        code(METHOD, world.entities.register(&grid, id, vec2(position)))
    }

    /// Sets the position of a registered entity. The position must be in the grid.
    #[func]
    fn move_entity(&mut self, id: i64, position: Vector2) -> Error {
        const METHOD: &str = "FlowFieldManager.move_entity";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let grid = *world.grid();
        code(METHOD, world.entities.relocate(&grid, id, vec2(position)))
    }

    /// Removes a registered entity.
    #[func]
    fn unregister_entity(&mut self, id: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.unregister_entity";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let grid = *world.grid();
        code(METHOD, world.entities.unregister(&grid, id))
    }

    /// Returns the ids of all entities that are at most `radius` world units from a position, in ascending order.
    #[func]
    fn get_entities_near(&mut self, position: Vector2, radius: f64) -> PackedInt64Array {
        const METHOD: &str = "FlowFieldManager.get_entities_near";
        let Some(world) = self.world(METHOD) else {
            return PackedInt64Array::new();
        };
        let checked = finite("position", vec2(position))
            .and_then(|center| Ok((center, in_range("radius", f32_from(radius), 0.0, 1.0e6)?)));
        match checked.or_refuse(METHOD) {
            Some((center, radius)) => {
                let ids = world.entities.near(world.grid(), center, radius);
                PackedInt64Array::from(ids)
            }
            None => PackedInt64Array::new(),
        }
    }

    /// Returns the position of a registered entity. If no entity has this id, reports an error and returns Vector2.ZERO.
    #[func]
    fn get_entity_position(&mut self, id: i64) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.get_entity_position";
        let Some(world) = self.world(METHOD) else {
            return Vector2::ZERO;
        };
        let position = world.entities.position(id).or_refuse(METHOD);
        position.map_or(Vector2::ZERO, vector2)
    }

    /// Returns the number of registered entities.
    #[func]
    fn get_entity_count(&mut self) -> i64 {
        let world = self.world("FlowFieldManager.get_entity_count");
        world.map_or(0, |world| world.entities.len() as i64)
    }

    /// Returns the point nearest to `position` of each wall cell within `radius` world units. The edge of the grid does not count as a wall.
    #[func]
    fn get_closest_walls(
        &mut self,
        position: Vector2,
        radius: f64,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_closest_walls";
        let Some(world) = self.world(METHOD) else {
            return PackedVector2Array::new();
        };
        let Some(movement) = world.check_movement(movement_type).or_refuse(METHOD) else {
            return PackedVector2Array::new();
        };
        let walls = world.closest_walls(vec2(position), f32_from(radius), movement);
        let walls = walls.or_refuse(METHOD);
        walls.map_or_else(PackedVector2Array::new, |walls| packed_vector2s(&walls))
    }
}
