//! Methods of `FlowFieldManager` with statistics about its fields.

use super::FlowFieldManager;
use flow_swarm::world::BuildStats;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the time in milliseconds that the last finished field took to build or repair.
    #[func]
    fn get_last_field_ms(&mut self) -> f64 {
        milliseconds(self.build_stats().last_build_seconds)
    }

    /// Returns statistics of fields, with the following keys.
    ///
    /// `full_solves`, `near_solves`, `repairs` and `abandoned_repairs`: the numbers of fields that were computed anew, of fields around a goal that walks, of repaired fields, and of repairs that were too much work and were replaced by a full solve.
    ///
    /// `last_repair_cells`: the number of cells that the last repair evaluated.
    ///
    /// `last_build_ms`: the time in milliseconds that the last finished field took to build or repair.
    ///
    /// `last_latency_ms`: the time in milliseconds from the request of the last finished field, or from the move of its goal, until the field was in use.
    #[func]
    fn get_build_stats(&mut self) -> VarDictionary {
        let stats = self.build_stats();
        vdict! {
            "full_solves" => stats.full_solves.cast_signed(),
            "near_solves" => stats.near_solves.cast_signed(),
            "repairs" => stats.repairs.cast_signed(),
            "abandoned_repairs" => stats.abandoned_repairs.cast_signed(),
            "last_repair_cells" => stats.last_repair_cells as i64,
            "last_build_ms" => milliseconds(stats.last_build_seconds),
            "last_latency_ms" => milliseconds(stats.last_latency_seconds),
        }
    }

    fn build_stats(&self) -> BuildStats {
        self.world_ref()
            .map_or_else(BuildStats::default, |world| world.build_stats())
    }
}

fn milliseconds(seconds: f64) -> f64 {
    seconds * 1000.0
}
