//! Queries for agents, and statistics.

use super::EnemySwarm;
use crate::convert::{corners, f32_from, id_to_godot, packed_ids, vec2, vec2s};
use crate::swarm_query::OptionalQuery;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Returns the ids of the agents whose centres are at most `radius` from `center`, ascending unless `query` has another order.
    #[func]
    fn query_circle(
        &mut self,
        center: Vector2,
        radius: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let found = self.with_world("EnemySwarm.query_circle", |swarm, world| {
            swarm.query_circle(world, vec2(center), f32_from(radius), &query)
        });
        packed_ids(&found.unwrap_or_default())
    }

    /// Returns the ids of the agents whose centres are in a rectangle, ascending unless `query` has another order.
    #[func]
    fn query_rect(
        &mut self,
        rect: Rect2,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let found = self.with_world("EnemySwarm.query_rect", |swarm, world| {
            swarm.query_rect(world, corners(rect), &query)
        });
        packed_ids(&found.unwrap_or_default())
    }

    /// Returns the id of the agent whose centre is nearest to a position, at most `max_distance` away; 0 if there is none. With another order of `query` it is the first agent in that order within this distance.
    #[func]
    pub(super) fn query_nearest(
        &mut self,
        position: Vector2,
        max_distance: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> i64 {
        let query = query.in_core();
        let found = self.with_world("EnemySwarm.query_nearest", |swarm, world| {
            swarm.nearest(world, vec2(position), f32_from(max_distance), &query)
        });
        found.flatten().map_or(0, id_to_godot)
    }

    /// Returns what query_nearest() returns, for each of many positions, on all cores: one id per position, 0 where there is none. Other calls refuse the id 0, so leave it out of what is passed on. To find targets in another swarm, call it on that swarm with the positions of this one. To find what each tower shoots at, the agent that is first on the path, give `query` the order SwarmQuery.ORDER_COST_TO_GOAL.
    #[func]
    pub(super) fn query_nearest_many(
        &mut self,
        positions: PackedVector2Array,
        max_distance: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let found = self.with_world("EnemySwarm.query_nearest_many", |swarm, world| {
            swarm.nearest_many(world, &vec2s(&positions), f32_from(max_distance), &query)
        });
        let ids = found.unwrap_or_default().into_iter();
        ids.map(|id| id.map_or(0, id_to_godot)).collect()
    }

    /// Returns the ids of the agents that a beam of some width touches on its straight way, on the layer of `from`, in the order in which it reaches them unless `query` has another order. With a width of 0 it is a ray. The coordinates of both ends may be from -1e9 to 1e9. Neither walls nor bodies stop it.
    #[func]
    fn query_segment(
        &mut self,
        from: Vector2,
        to: Vector2,
        #[opt(default = 0.0)] width: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let found = self.with_world("EnemySwarm.query_segment", |swarm, world| {
            swarm.query_segment(world, (vec2(from), vec2(to)), f32_from(width), &query)
        });
        packed_ids(&found.unwrap_or_default())
    }

    /// Returns the depth of each agent's deepest overlap with another agent, in the order of get_ids(): the sum of both radii minus the distance of the centres, divided by the smaller radius. 0 is no overlap, 2 is the same position. Agents whose types exclude each other by their collision masks do not count, nor do agents on different layers. Avoidance does not matter. Meant for statistics and debug views: it takes about as long as a step. To colour agents by it, write it to a column with set_user_floats() and let a shader read that column (CUSTOM_USER).
    #[func]
    fn get_overlaps(&mut self) -> PackedFloat32Array {
        let found = self.with_world("EnemySwarm.get_overlaps", |swarm, world| {
            Ok(swarm.overlaps(world))
        });
        found.map_or_else(PackedFloat32Array::new, PackedFloat32Array::from)
    }

    /// Pushes the agents within `radius` away from `center`, or towards it if `strength` is negative. The change of velocity is `strength` at the centre and falls to 0 at `radius`, and is divided by the mass of the agent's type. Returns the number of agents that were pushed.
    #[func]
    fn apply_radial_impulse(&mut self, center: Vector2, radius: f64, strength: f64) -> i64 {
        let pushed = self.with_world("EnemySwarm.apply_radial_impulse", |swarm, world| {
            let (radius, strength) = (f32_from(radius), f32_from(strength));
            swarm.apply_radial_impulse(world, vec2(center), radius, strength)
        });
        pushed.map_or(0, |count| count as i64)
    }

    /// Returns counts and times: agents, following, idle, scripted, corpses, arrived (since the start), arrived_now, lost (no route), stuck, quarantined, travelling; step_ms, pack_ms, upload_ms and total_ms of the last step.
    #[func]
    fn get_stats(&mut self) -> VarDictionary {
        let stats = self.swarm.stats();
        let timings = self.timings;
        vdict! {
            "agents" => stats.agents as i64,
            "following" => stats.following as i64,
            "idle" => stats.idle as i64,
            "scripted" => stats.scripted as i64,
            "corpses" => stats.corpses as i64,
            "arrived" => stats.arrived as i64,
            "arrived_now" => stats.arrived_now as i64,
            "lost" => stats.lost as i64,
            "stuck" => stats.stuck as i64,
            "quarantined" => stats.quarantined as i64,
            "travelling" => stats.travelling as i64,
            "step_ms" => timings.step,
            "pack_ms" => timings.pack,
            "upload_ms" => timings.upload,
            "total_ms" => timings.total,
        }
    }
}
