//! Formations of `EnemySwarm`.

use super::EnemySwarm;
use crate::convert::{f32_from, ids as core_ids, vec2};
use flow_swarm::swarm::{Formation, FormationShape};
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Gives agents the slots of a formation around `center` as their own targets, as set_agent_targets() does, and returns how many agents got a slot. Returns 0 after an error, which changes nothing. To have the agents find their way, set the goal of their group to the same position. clear_agent_targets() dissolves the formation.
    ///
    /// `shape` is one of the FORMATION_ constants. The formation faces `heading`; Vector2.ZERO stands for the direction from the agents' mean position to `center`. `spacing` is the distance between slots in world units; 0 stands for 2.5 times the radius of the largest agent. Every slot is in sight of `center`, and the largest agent fits there. An agent for which there is no slot follows the goal of its group.
    #[func]
    fn form_up(
        &mut self,
        ids: PackedInt64Array,
        center: Vector2,
        #[opt(default = 0)] shape: i64,
        #[opt(default = Vector2::ZERO)] heading: Vector2,
        #[opt(default = 0.0)] spacing: f64,
    ) -> i64 {
        let placed = self.with_world("EnemySwarm.form_up", |swarm, world| {
            let formation = Formation {
                shape: FormationShape::from_number(shape)?,
                heading: vec2(heading),
                spacing: f32_from(spacing),
            };
            swarm.form_up(world, &core_ids(&ids), vec2(center), &formation)
        });
        placed.map_or(0, |count| count as i64)
    }
}
