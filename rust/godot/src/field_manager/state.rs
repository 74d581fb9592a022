//! Methods of `FlowFieldManager` that save and load the whole world.

use super::FlowFieldManager;
use crate::report::{OrRefuse, code};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the whole state of the world as bytes for load_state(): painted terrain, stamps, links, heights, cost overlays, crowds, entities, goals with their ids, and how far routes, tiles, waiting requests and goals that walk have come. Together with EnemySwarm.save_state() of each swarm it is everything that a run depends on, for saved games, rollback and late joiners in lockstep games. Properties of the node are not part of it: the grid, movement types, solver, direction_rule, sector_size, tile_variant, limits. Nor are resources, nodes, and what bakes of terrain remember.
    ///
    /// Saving changes nothing. The time and the number of bytes grow with the cells of the grid and with what the world holds. Empty after an error, if movement types have changed since the last update while there are TILED goals.
    #[func]
    fn save_state(&mut self) -> PackedByteArray {
        const METHOD: &str = "FlowFieldManager.save_state";
        let Some(world) = self.world(METHOD) else {
            return PackedByteArray::new();
        };
        let bytes = world.save_state().or_refuse(METHOD);
        bytes.map_or_else(PackedByteArray::new, PackedByteArray::from)
    }

    /// Replaces the whole state by that of save_state(). From then on everything is as it was after the save, to the bit: fields, tiles, signals, and what swarms do that load their state of the same moment. Load the manager first, then all swarms, before the next update or step. To go back in time in a running game is the same as to load in a new scene.
    ///
    /// Ids of goals, stamps, links and cost overlays that were created after the save are not valid any more, and will be given again. The paths that only queries have searched are searched again. With background = true fields are there at once, where they may have been on the way.
    ///
    /// Returns OK, or ERR_INVALID_DATA after an error, which is reported: if the bytes are of another version, cut short or altered, or were saved with other properties: another grid, other movement types, another solver, direction_rule, sector_size, tile_variant, routes_per_tick, tiles_per_tick, walking_goal_cells or frame_budget_cells. After an error nothing is changed.
    #[func]
    fn load_state(&mut self, bytes: PackedByteArray) -> Error {
        const METHOD: &str = "FlowFieldManager.load_state";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        code(METHOD, world.load_state(bytes.as_slice()))
    }

    /// Returns a 64-bit hash of the state of the world, which is the same for two worlds exactly if they have the same terrain, goals, routes, tiles and so on. Compare it after update(), with EnemySwarm.state_hash(), to find out whether two machines have gone apart. Queries do not change it. It takes about as long as save_state(); 0 after an error.
    #[func]
    fn world_hash(&mut self) -> i64 {
        const METHOD: &str = "FlowFieldManager.world_hash";
        let Some(world) = self.world(METHOD) else {
            return 0;
        };
        let hash = world.world_hash().or_refuse(METHOD);
        hash.map_or(0, u64::cast_signed)
    }
}
