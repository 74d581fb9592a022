//! Goals of single agents of `EnemySwarm`.

use super::EnemySwarm;
use crate::convert::{id_from_godot, ids as core_ids, vec2s};
use crate::field_manager::enums::GoalMode;
use crate::field_manager::goal_mode;
use crate::report::{OrRefuse, code};
use flow_swarm::world::GoalId;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Sends agents to one or more targets, whatever their group's goal is, and returns the goal that is created for them. Agents that are sent to the same targets in the same mode share it, with its fields and routes, in other swarms of the manager too. It is released when its last agent has been sent elsewhere or removed: do not release it. The agents' own targets are removed. Returns 0 after an error, which changes nothing.
    ///
    /// `mode` is FlowFieldManager.GOAL_MODE_FULL or FlowFieldManager.GOAL_MODE_TILED. Up to 65000 such goals can be in use at once.
    #[func]
    fn send_agents(
        &mut self,
        ids: PackedInt64Array,
        targets: PackedVector2Array,
        #[opt(default = GoalMode::GOAL_MODE_FULL)] mode: GoalMode,
    ) -> i64 {
        const METHOD: &str = "EnemySwarm.send_agents";
        let Some(mode) = goal_mode(METHOD, mode) else {
            return 0;
        };
        let goal = self.with_world(METHOD, |swarm, world| {
            swarm.send(world, &core_ids(&ids), &vec2s(&targets), mode)
        });
        if goal.is_some() {
            self.note_manager_of_goals();
        }
        goal.map_or(0, |goal| goal.0)
    }

    /// Makes agents follow a goal of the manager instead of their group's. 0 makes them follow their group's goal again. The agents' own targets are removed. The goal stays until it is released. After an error no agent is changed.
    #[func]
    fn set_agent_goal(&mut self, ids: PackedInt64Array, goal: i64) -> Error {
        const METHOD: &str = "EnemySwarm.set_agent_goal";
        let ids = core_ids(&ids);
        if goal == 0 {
            return code(METHOD, self.swarm.clear_goals(&ids));
        }
        let set = self.try_with_world(METHOD, |swarm, world| {
            swarm.set_goal(world, &ids, GoalId(goal))
        });
        if set.is_ok() {
            self.note_manager_of_goals();
        }
        set.err().unwrap_or(Error::OK)
    }

    /// Returns the goal that an agent follows, its own or its group's; 0 if there is none. If no agent has this id, reports an error and returns 0.
    #[func]
    fn get_agent_goal(&mut self, id: i64) -> i64 {
        let goal = self.swarm.goal_of(id_from_godot(id));
        let goal = goal.or_refuse("EnemySwarm.get_agent_goal");
        goal.flatten().map_or(0, |goal| goal.0)
    }
}

impl EnemySwarm {
    /// Notes that goals which agents follow are those of the present manager.
    pub(super) fn note_manager_of_goals(&mut self) {
        self.goals_of = self.get_manager().map(|manager| manager.instance_id());
    }
}
