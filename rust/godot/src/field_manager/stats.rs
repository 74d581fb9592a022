//! Methods of `FlowFieldManager` with statistics about its fields.

use super::FlowFieldManager;
use flow_swarm::world::BuildStats;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// How long the last finished field took to build or repair, in milliseconds.
    #[func]
    fn get_last_field_ms(&mut self) -> f64 {
        milliseconds(self.build_stats().last_build_seconds)
    }

    /// How fields have been kept up to date so far: full_solves, near_solves, repairs and abandoned_repairs count the fields that were computed anew, those around a goal that walks, those that were repaired, and the repairs that proved too much work and gave way to a full solve; last_repair_cells is how many cells the last repair looked at; last_build_ms is how long the last finished field took to build or repair, and last_latency_ms how long from when it was asked for, or its goal was moved, until it was in service.
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
