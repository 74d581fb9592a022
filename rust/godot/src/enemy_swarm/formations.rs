//! Formations of `EnemySwarm`.

use super::{EnemySwarm, enums};
use crate::convert::{f32_from, ids as core_ids, vec2};
use crate::field_manager::enums::GoalMode;
use crate::field_manager::goal_mode;
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
        #[opt(default = enums::Formation::FORMATION_BLOCK)] shape: enums::Formation,
        #[opt(default = Vector2::ZERO)] heading: Vector2,
        #[opt(default = 0.0)] spacing: f64,
    ) -> i64 {
        let placed = self.with_world("EnemySwarm.form_up", |swarm, world| {
            let formation = Formation {
                shape: FormationShape::from_number(shape.0)?,
                heading: vec2(heading),
                spacing: f32_from(spacing),
            };
            swarm.form_up(world, &core_ids(&ids), vec2(center), &formation)
        });
        placed.map_or(0, |count| count as i64)
    }

    /// Sends agents to a target in formation, and returns the goal that is created for them, as send_agents() does. On the way the agents keep the shape: they follow a leader, which is only a point, on its trail. Where walls leave no room, the formation gets narrower, and wide again behind. The leader goes as fast as the slowest agent, and waits for agents that lag behind. At the target the agents form up as by form_up(). Agents that get other orders on the way leave the formation. Returns 0 without agents, and after an error, which changes nothing.
    ///
    /// `shape`, `heading` and `spacing` are those of form_up(); a `heading` of Vector2.ZERO stands for the direction in which the formation arrives. `mode` is FlowFieldManager.GOAL_MODE_FULL or FlowFieldManager.GOAL_MODE_TILED.
    #[func]
    fn send_in_formation(
        &mut self,
        ids: PackedInt64Array,
        target: Vector2,
        #[opt(default = enums::Formation::FORMATION_BLOCK)] shape: enums::Formation,
        #[opt(default = Vector2::ZERO)] heading: Vector2,
        #[opt(default = 0.0)] spacing: f64,
        #[opt(default = GoalMode::GOAL_MODE_FULL)] mode: GoalMode,
    ) -> i64 {
        const METHOD: &str = "EnemySwarm.send_in_formation";
        let Some(mode) = goal_mode(METHOD, mode) else {
            return 0;
        };
        let sent = self.with_world(METHOD, |swarm, world| {
            let formation = Formation {
                shape: FormationShape::from_number(shape.0)?,
                heading: vec2(heading),
                spacing: f32_from(spacing),
            };
            swarm.send_in_formation(world, &core_ids(&ids), vec2(target), mode, &formation)
        });
        if sent.is_some() {
            self.note_manager_of_goals();
        }
        sent.flatten().map_or(0, |goal| goal.0)
    }
}
