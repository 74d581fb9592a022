//! Formations of `EnemySwarm`.

use super::EnemySwarm;
use crate::convert::{f32_from, ids as core_ids, vec2};
use flow_swarm::swarm::{Formation, FormationShape};
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Gives agents the slots of a formation around a position as targets of their own (see set_agent_targets()), and returns how many have got one; after an error 0, and nothing is changed. Send their group to the same position, so that they find the way there; clear_agent_targets() dissolves the formation. `shape` is one of the FORMATION_ constants; it faces along `heading`, by default from where they stand to the position. Slots are `spacing` apart, by default 2.5 times the largest agent's radius, and lie where nothing hides the position and the largest agent fits; agents for whom there is none go where their group goes.
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
