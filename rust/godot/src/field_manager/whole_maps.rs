//! Methods of `FlowFieldManager` that return a value for every cell.

use super::FlowFieldManager;
use crate::report::OrRefuse;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the number of the island of each cell of a layer, row by row, as get_island() does: -1 in walls and in cells that are too narrow for the movement type.
    #[func]
    fn get_islands(
        &mut self,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedInt32Array {
        const METHOD: &str = "FlowFieldManager.get_islands";
        let islands = self.world(METHOD).and_then(|world| {
            let movement = world.check_movement(movement_type).or_refuse(METHOD)?;
            world.island_map(movement).or_refuse(METHOD)
        });
        islands.map_or_else(PackedInt32Array::new, |islands| {
            let number = |island: Option<u32>| island.map_or(-1, u32::cast_signed);
            let part = self.part(METHOD, &islands, layer);
            part.into_iter().map(number).collect()
        })
    }

    /// Returns for each cell of a layer whether it is too narrow for a movement type, row by row: 1 for a cell that is not a wall but is closed by the movement type's clearance, otherwise 0.
    #[func]
    fn get_closed_cells(
        &mut self,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedByteArray {
        const METHOD: &str = "FlowFieldManager.get_closed_cells";
        let closed = self.world(METHOD).and_then(|world| {
            let movement = world.check_movement(movement_type).or_refuse(METHOD)?;
            world.closed_map(movement).or_refuse(METHOD)
        });
        closed.map_or_else(PackedByteArray::new, |closed| {
            let part = self.part(METHOD, &closed, layer);
            part.into_iter().map(u8::from).collect()
        })
    }
}
