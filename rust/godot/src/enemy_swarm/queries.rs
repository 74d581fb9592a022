//! Queries for agents, and statistics.

use super::EnemySwarm;
use crate::convert::{f32_from, id_to_godot, packed_ids, vec2};
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// The ids of the agents whose centres are at most `radius` from `center`, ascending.
    #[func]
    fn query_circle(&mut self, center: Vector2, radius: f64) -> PackedInt64Array {
        let found = self.with_world("EnemySwarm.query_circle", |swarm, world| {
            swarm.query_circle(world, vec2(center), f32_from(radius))
        });
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }

    /// The ids of the agents whose centres are in a rectangle, ascending.
    #[func]
    fn query_rect(&mut self, rect: Rect2) -> PackedInt64Array {
        let found = self.with_world("EnemySwarm.query_rect", |swarm, world| {
            swarm.query_rect(world, vec2(rect.position), vec2(rect.end()))
        });
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }

    /// The id of the agent whose centre is nearest to a position, at most `max_distance` away; 0 if there is none.
    #[func]
    fn nearest(&mut self, position: Vector2, max_distance: f64) -> i64 {
        let found = self.with_world("EnemySwarm.nearest", |swarm, world| {
            swarm.nearest(world, vec2(position), f32_from(max_distance))
        });
        found.flatten().map_or(0, id_to_godot)
    }

    /// The ids of the agents that a beam of some width touches on its straight way, in the order in which it meets them; 0 wide it is a ray. Neither walls nor bodies stop it.
    #[func]
    fn query_segment(
        &mut self,
        from: Vector2,
        to: Vector2,
        #[opt(default = 0.0)] width: f64,
    ) -> PackedInt64Array {
        let found = self.with_world("EnemySwarm.query_segment", |swarm, world| {
            swarm.query_segment(world, vec2(from), vec2(to), f32_from(width))
        });
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }

    /// How deep the disc of each agent lies in the one that it overlaps most, in the order of get_ids(): the sum of both radii less the distance of the centres, over the smaller radius. 0 touches none, 2 is the same place. Types whose collision masks leave each other out do not count, nor do agents on different layers; avoidance does not matter. For statistics and debug views: it takes about as long as a step. To colour agents by it, write it to a column with set_user_floats() and let a shader read that (CUSTOM_USER).
    #[func]
    fn get_overlaps(&mut self) -> PackedFloat32Array {
        let found = self.with_world("EnemySwarm.get_overlaps", |swarm, world| {
            Ok(swarm.overlaps(world))
        });
        found.map_or_else(PackedFloat32Array::new, PackedFloat32Array::from)
    }

    /// Pushes the agents within `radius` away from `center`, or towards it if `strength` is negative: with all of `strength` at the centre and nothing at the edge, divided by their type's mass. Returns how many were pushed.
    #[func]
    fn apply_radial_impulse(&mut self, center: Vector2, radius: f64, strength: f64) -> i64 {
        let pushed = self.with_world("EnemySwarm.apply_radial_impulse", |swarm, world| {
            let (radius, strength) = (f32_from(radius), f32_from(strength));
            swarm.apply_radial_impulse(world, vec2(center), radius, strength)
        });
        pushed.map_or(0, |count| count as i64)
    }

    /// Counts and times: agents, following, idle, scripted, arrived (since the start), arrived_now, lost (no route), stuck, quarantined; step_ms, pack_ms, upload_ms and total_ms of the last step.
    #[func]
    fn get_stats(&mut self) -> VarDictionary {
        let stats = self.swarm.stats();
        let timings = self.timings;
        vdict! {
            "agents" => stats.agents as i64,
            "following" => stats.following as i64,
            "idle" => stats.idle as i64,
            "scripted" => stats.scripted as i64,
            "arrived" => stats.arrived as i64,
            "arrived_now" => stats.arrived_now as i64,
            "lost" => stats.lost as i64,
            "stuck" => stats.stuck as i64,
            "quarantined" => stats.quarantined as i64,
            "step_ms" => timings.step,
            "pack_ms" => timings.pack,
            "upload_ms" => timings.upload,
            "total_ms" => timings.total,
        }
    }
}
