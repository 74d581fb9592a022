//! Line of sight methods of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::convert::vec2;
use crate::report::OrRefuse;
use flow_swarm::world::FlowWorld;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns `true` if the straight line from a position to one of the goal's targets crosses no wall, no cell that is too narrow for the movement type, and no ground of another cost. Crowds do not count, and cost overlays count where they are dearer than at both ends of the line. is_in_sight() tests for walls alone. All edits are included, and no field is built. The time grows with the distance to the target.
    #[func]
    fn has_line_of_sight(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> bool {
        const METHOD: &str = "FlowFieldManager.has_line_of_sight";
        let sees = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.has_line_of_sight(goal, vec2(position), movement)
        });
        sees.unwrap_or(false)
    }

    /// Returns `true` if the straight line between two positions crosses no wall of the movement type, for what guards see and shots hit. Ground of other costs, cost overlays, crowds and passages that are only too narrow do not end it; has_line_of_sight() in contrast tells whether walking straight to a goal is best. To see across water that walkers cannot enter, pass a movement type that can. All edits are included. Positions on different layers are not in sight of each other. `false` if one of them is in a wall. The time grows with the distance.
    #[func]
    fn is_in_sight(
        &mut self,
        from: Vector2,
        to: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> bool {
        const METHOD: &str = "FlowFieldManager.is_in_sight";
        let Some(world) = self.world(METHOD) else {
            return false;
        };
        let sees = world
            .check_movement(movement_type)
            .and_then(|movement| world.is_in_sight(vec2(from), vec2(to), movement));
        sees.or_refuse(METHOD).unwrap_or(false)
    }

    /// Returns the result of has_line_of_sight() for the centre of every cell of a layer, row by row: 1 if the goal is in sight, otherwise 0. Meant for debug views and analyses: on large open maps it takes far longer than a field.
    #[func]
    fn get_line_of_sight(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedByteArray {
        const METHOD: &str = "FlowFieldManager.get_line_of_sight";
        let map = self.ask(METHOD, goal, movement_type, FlowWorld::sight_map);
        map.map_or_else(PackedByteArray::new, |map| {
            self.part(METHOD, &map, layer).into()
        })
    }
}
