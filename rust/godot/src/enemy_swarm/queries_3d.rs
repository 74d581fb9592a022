//! Positions of agents in 3D, queries for them there, and damage.

use super::EnemySwarm;
use super::enums::FallenAction;
use crate::convert::{f32_from, id_from_godot, packed_ids, vec3, vector3};
use crate::report::OrRefuse;
use crate::swarm_query::OptionalQuery;
use godot::prelude::*;

impl EnemySwarm {
    /// Makes the swarm stand on the heights of its manager, as drawing does.
    fn stand_on_ground(&mut self, method: &str) {
        if self.get_manager().is_some() {
            self.with_world(method, |swarm, world| {
                swarm.set_ground(world.ground());
                Ok(())
            });
        }
    }
}

#[godot_api(secondary)]
impl EnemySwarm {
    /// Returns where the feet of an agent are in 3D: the position at which it is drawn after the last step, `height` above the ground of its layer, or on the way over a link. If no agent has this id, reports an error and returns Vector3.ZERO.
    #[func]
    fn get_agent_position_3d(&mut self, id: i64) -> Vector3 {
        const METHOD: &str = "EnemySwarm.get_agent_position_3d";
        self.stand_on_ground(METHOD);
        let above = f32_from(self.height);
        let found = self.swarm.standing_position(id_from_godot(id), above);
        found.or_refuse(METHOD).map_or(Vector3::ZERO, vector3)
    }

    /// Returns what get_agent_position_3d() returns, for all agents in the order of get_ids().
    #[func]
    fn get_positions_3d(&mut self) -> PackedVector3Array {
        self.stand_on_ground("EnemySwarm.get_positions_3d");
        let positions = self.swarm.standing_positions(f32_from(self.height));
        positions.into_iter().map(vector3).collect()
    }

    /// Returns the ids of the agents that a sphere in 3D touches, on all layers, ascending unless `query` has another order. Agents are upright capsules that stand where they are drawn: as wide as their discs and SwarmAgentType.body_height tall, both multiplied by their size factors. `radius` is 0 to 1000000. Walls and the ground shield nobody.
    #[func]
    fn query_sphere(
        &mut self,
        center: Vector3,
        radius: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let (query, above) = (query.in_core(), f32_from(self.height));
        let sphere = (vec3(center), f32_from(radius));
        let found = self.with_world("EnemySwarm.query_sphere", |swarm, world| {
            swarm.query_sphere(world, sphere, above, &query)
        });
        packed_ids(&found.unwrap_or_default())
    }

    /// Returns the ids of the agents that a ray in 3D touches from one point to another, on all layers, in the order in which it reaches them unless `query` has another order. The coordinates of both ends may be from -1e9 to 1e9. Agents are the capsules of query_sphere(). Neither walls nor the ground stop the ray: to stop it there, find the end with a ray of the physics engine first. With a query whose limit is 1, only the first agent is returned.
    #[func]
    fn query_ray(
        &mut self,
        from: Vector3,
        to: Vector3,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let (query, above) = (query.in_core(), f32_from(self.height));
        let ray = (vec3(from), vec3(to));
        let found = self.with_world("EnemySwarm.query_ray", |swarm, world| {
            swarm.query_ray(world, ray, above, &query)
        });
        packed_ids(&found.unwrap_or_default())
    }

    /// Subtracts `amount` from the number in a column of set_user_ints() of all agents that query_sphere() finds, as a grenade does. Otherwise like damage_circle().
    #[func]
    fn damage_sphere(
        &mut self,
        center: Vector3,
        radius: f64,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = FallenAction::FALLEN_STAY)] fallen_action: FallenAction,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let (query, above) = (query.in_core(), f32_from(self.height));
        let sphere = (vec3(center), f32_from(radius));
        self.damage("EnemySwarm.damage_sphere", fallen_action, |swarm, world| {
            swarm.damage_sphere(world, sphere, above, (column, amount), &query)
        })
    }

    /// Subtracts `amount` from the number in a column of set_user_ints() of all agents that query_ray() finds, as a shot does. Otherwise like damage_segment(): with a query whose limit is 1, the shot stops at the first agent.
    #[func]
    fn damage_ray(
        &mut self,
        from: Vector3,
        to: Vector3,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = FallenAction::FALLEN_STAY)] fallen_action: FallenAction,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let (query, above) = (query.in_core(), f32_from(self.height));
        let ray = (vec3(from), vec3(to));
        self.damage("EnemySwarm.damage_ray", fallen_action, |swarm, world| {
            swarm.damage_ray(world, ray, above, (column, amount), &query)
        })
    }
}
