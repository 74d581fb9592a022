//! Agents and groups of `EnemySwarm`.

use super::{EnemySwarm, enums};
use crate::convert::{
    id_from_godot, id_to_godot, ids as core_ids, packed_ids, packed_vector2s, vec2, vec2s, vector2,
};
use crate::report::{OrRefuse, code, refuse};
use flow_swarm::swarm::AgentState;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{Result, Vec2};
use godot::global::Error;
use godot::prelude::*;

/// The places of positions on a layer. On the lowest layer they are the positions themselves.
fn places(world: &FlowWorld, positions: Vec<Vec2>, layer: i64) -> Result<Vec<Vec2>> {
    let layers = world.grid().layers();
    let number = layers.check(layer)?;
    if number == 0 {
        return Ok(positions);
    }
    let place = |position: Vec2| world.grid().place_at("position", position, layer);
    positions.into_iter().map(place).collect()
}

#[godot_api(secondary)]
impl EnemySwarm {
    /// Adds an agent at `position` and returns its id, or 0 after an error. `agent_type` is an index of agent_types, and `group` is a number from 0 to 255. The position must be in the grid. If it is in a wall, the next step moves the agent out. `position` is a plain world position on the layer `layer`: do not convert it with FlowFieldManager.on_layer() as well.
    #[func]
    fn spawn(
        &mut self,
        position: Vector2,
        #[opt(default = 0)] agent_type: i64,
        #[opt(default = 0)] group: i64,
        #[opt(default = 0)] layer: i64,
    ) -> i64 {
        let spawned = self.with_world("EnemySwarm.spawn", |swarm, world| {
            let places = places(world, vec![vec2(position)], layer)?;
            swarm.spawn(world, &places, agent_type, group)
        });
        let first = spawned.and_then(|ids| ids.first().copied());
        first.map_or(0, id_to_godot)
    }

    /// Adds an agent at each of `positions`, as spawn() does, and returns their ids in the same order. After an error no agent is added, and the result is empty.
    #[func]
    fn spawn_many(
        &mut self,
        positions: PackedVector2Array,
        #[opt(default = 0)] agent_type: i64,
        #[opt(default = 0)] group: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedInt64Array {
        let spawned = self.with_world("EnemySwarm.spawn_many", |swarm, world| {
            let places = places(world, vec2s(&positions), layer)?;
            swarm.spawn(world, &places, agent_type, group)
        });
        spawned.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }

    /// Removes agents and returns how many were removed. Ids of agents that do not exist, or no longer exist, are skipped; one error is reported for all of them.
    #[func]
    fn despawn(&mut self, ids: PackedInt64Array) -> i64 {
        let (removed, stale) = self.swarm.despawn(&core_ids(&ids));
        if let Some(id) = stale {
            let reason = format_args!("agent {} does not exist", id_to_godot(id));
            refuse("EnemySwarm.despawn", reason);
        }
        removed as i64
    }

    /// Removes all agents.
    #[func]
    fn clear(&mut self) {
        self.swarm.clear();
    }

    /// Returns the number of agents.
    #[func]
    fn get_agent_count(&mut self) -> i64 {
        self.swarm.len() as i64
    }

    /// Returns `true` if an agent with this id exists.
    #[func]
    fn has_agent(&mut self, id: i64) -> bool {
        self.swarm.contains(id_from_godot(id))
    }

    /// Returns the ids of all agents. get_positions(), get_velocities(), get_states() and the other methods that return a value for every agent use the same order. The order changes when agents are removed, and in steps of crowds of thousands of agents, where the swarm sorts agents to keep neighbours close in memory.
    #[func]
    fn get_ids(&mut self) -> PackedInt64Array {
        packed_ids(self.swarm.ids())
    }

    /// Returns the positions of all agents, in world units and in the order of get_ids(). The positions do not depend on the agents' layers: see get_layers().
    #[func]
    fn get_positions(&mut self) -> PackedVector2Array {
        let layers = self.swarm.layers();
        if layers.count() == 1 {
            return packed_vector2s(self.swarm.positions());
        }
        let places = self.swarm.positions().iter();
        places.map(|&place| vector2(layers.flat(place))).collect()
    }

    /// Returns the layers of all agents, in the order of get_ids().
    #[func]
    fn get_layers(&mut self) -> PackedByteArray {
        let layers = self.swarm.layers();
        let places = self.swarm.positions().iter();
        places.map(|&place| layers.at(place) as u8).collect()
    }

    /// Returns the layer of an agent. If no agent has this id, reports an error and returns -1.
    #[func]
    fn get_agent_layer(&mut self, id: i64) -> i64 {
        let index = self.index("EnemySwarm.get_agent_layer", id);
        index.map_or(-1, |index| {
            i64::from(self.swarm.layers().at(self.swarm.positions()[index]))
        })
    }

    /// Returns the velocities of all agents, in world units a second and in the order of get_ids().
    #[func]
    fn get_velocities(&mut self) -> PackedVector2Array {
        packed_vector2s(self.swarm.velocities())
    }

    /// Returns the directions that agents face, as they are drawn with face_movement: unit vectors, in the order of get_ids(). They turn towards the velocities, and an agent that hardly moves keeps its own.
    #[func]
    fn get_headings(&mut self) -> PackedVector2Array {
        packed_vector2s(self.swarm.headings())
    }

    /// Returns the states of all agents, in the order of get_ids(): AGENT_FOLLOWING, AGENT_IDLE, AGENT_SCRIPTED or AGENT_CORPSE.
    #[func]
    fn get_states(&mut self) -> PackedByteArray {
        self.swarm
            .states()
            .iter()
            .map(|&state| state as u8)
            .collect()
    }

    /// Returns the groups of all agents, in the order of get_ids().
    #[func]
    fn get_agent_groups(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.swarm.groups())
    }

    /// Returns the position of an agent, in world units. It does not depend on the agent's layer. If no agent has this id, reports an error and returns Vector2.ZERO.
    #[func]
    fn get_agent_position(&mut self, id: i64) -> Vector2 {
        let index = self.index("EnemySwarm.get_agent_position", id);
        index.map_or(Vector2::ZERO, |index| {
            let place = self.swarm.positions()[index];
            vector2(self.swarm.layers().flat(place))
        })
    }

    /// Returns the velocity of an agent, in world units a second. If no agent has this id, reports an error and returns Vector2.ZERO.
    #[func]
    fn get_agent_velocity(&mut self, id: i64) -> Vector2 {
        let index = self.index("EnemySwarm.get_agent_velocity", id);
        index.map_or(Vector2::ZERO, |index| {
            vector2(self.swarm.velocities()[index])
        })
    }

    /// Returns the state of an agent: AGENT_FOLLOWING, AGENT_IDLE, AGENT_SCRIPTED, AGENT_CORPSE or AGENT_TRAVELLING. If no agent has this id, reports an error and returns -1.
    #[func]
    fn get_agent_state(&mut self, id: i64) -> enums::AgentState {
        let index = self.index("EnemySwarm.get_agent_state", id);
        enums::AgentState(index.map_or(-1, |index| i64::from(self.swarm.states()[index] as u8)))
    }

    pub(super) fn index(&self, method: &str, id: i64) -> Option<usize> {
        self.swarm.index_of(id_from_godot(id)).or_refuse(method)
    }

    /// Sets the state of agents to AGENT_FOLLOWING, AGENT_IDLE, AGENT_SCRIPTED or AGENT_CORPSE. An agent that is AGENT_TRAVELLING falls where it is if it becomes AGENT_CORPSE; otherwise it is back where it took the link. An agent that follows a node (see attach_node()) has the state as soon as it no longer does. After an error, such as an id of no agent, no agent is changed.
    #[func]
    pub(super) fn set_agent_state(
        &mut self,
        ids: PackedInt64Array,
        state: enums::AgentState,
    ) -> Error {
        let result = self.with_own_orders(|swarm| {
            let state = AgentState::from_number(state.0)?;
            swarm.set_state(&core_ids(&ids), state)
        });
        code("EnemySwarm.set_agent_state", result)
    }

    /// Sets the velocities, in world units a second, at which agents move while they are AGENT_SCRIPTED, one for each id. Each velocity is at most 1000000 long. After an error no agent is changed.
    #[func]
    fn set_scripted_velocities(
        &mut self,
        ids: PackedInt64Array,
        velocities: PackedVector2Array,
    ) -> Error {
        let result = self.with_own_orders(|swarm| {
            swarm.set_scripted_velocities(&core_ids(&ids), &vec2s(&velocities))
        });
        code("EnemySwarm.set_scripted_velocities", result)
    }

    /// Moves agents to new positions at once, one position for each id. They begin anew there: agents that had arrived, or were lost or stuck, go on to their goal, and when they arrive, agents_arrived is emitted again. To have them stay where they are put, set their state to IDLE. For a layer other than 0, convert the position with FlowFieldManager.on_layer(). After an error no agent is moved.
    #[func]
    fn set_agent_positions(
        &mut self,
        ids: PackedInt64Array,
        positions: PackedVector2Array,
    ) -> Error {
        let moved = self.try_with_world("EnemySwarm.set_agent_positions", |swarm, world| {
            swarm.set_positions(world, &core_ids(&ids), &vec2s(&positions))
        });
        moved.err().unwrap_or(Error::OK)
    }

    /// Gives agents their own targets, one for each id, such as slots of a formation or seats. For a layer other than 0, convert the target with FlowFieldManager.on_layer(). A FOLLOWING agent goes to its own target in a straight line. If its group has a goal, the agent follows the field of that goal as long as its own target is out of sight. At its own target the agent has arrived, and stays there. After an error no agent is changed.
    #[func]
    fn set_agent_targets(&mut self, ids: PackedInt64Array, targets: PackedVector2Array) -> Error {
        let set = self.try_with_world("EnemySwarm.set_agent_targets", |swarm, world| {
            swarm.set_targets(world, &core_ids(&ids), &vec2s(&targets))
        });
        set.err().unwrap_or(Error::OK)
    }

    /// Removes the own targets of agents. They follow the goal of their group again. After an error, such as an id of no agent, no agent is changed.
    #[func]
    fn clear_agent_targets(&mut self, ids: PackedInt64Array) -> Error {
        let result = self.swarm.clear_targets(&core_ids(&ids));
        code("EnemySwarm.clear_agent_targets", result)
    }

    /// Moves agents to a group, 0 to 255. From the next step on they follow the goal of that group, unless they have their own targets. To give an order to some agents of a crowd, move them to an unused group and set its goal with set_group_goal(). After an error no agent is changed.
    #[func]
    fn set_agent_group(&mut self, ids: PackedInt64Array, group: i64) -> Error {
        let result = self.swarm.set_group(&core_ids(&ids), group);
        code("EnemySwarm.set_agent_group", result)
    }

    /// Sets the goal of a group, 0 to 255, to a goal of the manager. 0 removes the goal of the group.
    #[func]
    fn set_group_goal(&mut self, group: i64, goal: i64) -> Error {
        const METHOD: &str = "EnemySwarm.set_group_goal";
        let set = self.try_with_world(METHOD, |swarm, world| {
            if goal == 0 {
                return swarm.set_group_goal(group, None);
            }
            world.goal_targets(GoalId(goal))?;
            swarm.set_group_goal(group, Some(GoalId(goal)))
        });
        if set.is_ok() {
            self.note_manager_of_goals();
        }
        set.err().unwrap_or(Error::OK)
    }

    /// If `shares` is `true`, the members of a group, 0 to 255, follow one field instead of one for each movement type: the field of the most restrictive movement type among them. The group then stays together and needs fewer fields. A member that cannot enter all cells which that movement type can enter uses the field of its own movement type. A member in a cell which that movement type cannot enter has no route.
    #[func]
    fn set_group_shares_field(&mut self, group: i64, shares: bool) -> Error {
        let result = self.swarm.set_group_shares_field(group, shares);
        code("EnemySwarm.set_group_shares_field", result)
    }

    /// Returns `true` if the members of a group follow one field: see set_group_shares_field().
    #[func]
    fn get_group_shares_field(&mut self, group: i64) -> bool {
        let shares = self.swarm.group_shares_field(group);
        let shares = shares.or_refuse("EnemySwarm.get_group_shares_field");
        shares.unwrap_or(false)
    }

    /// Sets the leader of a group, 0 to 255, to the agent with the id `id`. 0 removes the leader. Members keep close to the leader according to SwarmAgentType.cohesion; without a leader they keep close to their mean position. The leader may be a member of any group, and cohesion does not affect it.
    #[func]
    fn set_group_leader(&mut self, group: i64, id: i64) -> Error {
        let leader = (id != 0).then(|| id_from_godot(id));
        let result = self.swarm.set_group_leader(group, leader);
        code("EnemySwarm.set_group_leader", result)
    }

    /// Returns the id of the leader of a group, or 0 if the group has no leader or its leader no longer exists.
    #[func]
    fn get_group_leader(&mut self, group: i64) -> i64 {
        let leader = self.swarm.group_leader(group);
        let leader = leader.or_refuse("EnemySwarm.get_group_leader").flatten();
        leader.map_or(0, id_to_godot)
    }

    /// Returns the goal of a group, or 0 if it has none.
    #[func]
    fn get_group_goal(&mut self, group: i64) -> i64 {
        let goal = self
            .swarm
            .group_goal(group)
            .or_refuse("EnemySwarm.get_group_goal");
        goal.flatten().map_or(0, |goal| goal.0)
    }

    /// Adds `impulse`, divided by the mass of each agent's type, to the velocity of agents. `impulse` is in world units a second for a mass of 1, at most 1000000. An agent that is faster than its maximum speed slows down at its own acceleration. After an error no agent is changed.
    #[func]
    fn apply_impulse(&mut self, ids: PackedInt64Array, impulse: Vector2) -> Error {
        let result = self.swarm.apply_impulse(&core_ids(&ids), vec2(impulse));
        code("EnemySwarm.apply_impulse", result)
    }
}
