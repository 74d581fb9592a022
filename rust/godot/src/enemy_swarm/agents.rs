//! Agents and groups of `EnemySwarm`.

use super::EnemySwarm;
use crate::convert::{
    id_from_godot, id_to_godot, ids as core_ids, packed_ids, packed_vector2s, vec2, vec2s, vector2,
};
use crate::report::{OrRefuse, code, refuse};
use flow_swarm::swarm::AgentState;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{Result, Vec2};
use godot::global::Error;
use godot::prelude::*;

/// What stands for positions on a layer; on the lowest, they themselves.
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
    /// Adds an agent and returns its id, or 0 after an error. The position must be in the grid; in a wall, the next step moves the agent out. On a layer above the lowest it is a position there.
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

    /// Adds an agent at each position and returns their ids, or after an error adds none and returns nothing.
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

    /// Removes agents and returns how many. Ids that name no agent (any more) are passed over, with one report.
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

    /// How many agents there are.
    #[func]
    fn get_agent_count(&mut self) -> i64 {
        self.swarm.len() as i64
    }

    /// Whether an id names a living agent.
    #[func]
    fn has_agent(&mut self, id: i64) -> bool {
        self.swarm.contains(id_from_godot(id))
    }

    /// The ids of all agents. get_positions(), get_velocities() and get_states() come in the same order. It changes when agents are removed, and in steps of crowds of thousands, which keep neighbours together in memory.
    #[func]
    fn get_ids(&mut self) -> PackedInt64Array {
        packed_ids(self.swarm.ids())
    }

    /// The positions of all agents, whatever their layers, in the order of get_ids().
    #[func]
    fn get_positions(&mut self) -> PackedVector2Array {
        let layers = self.swarm.layers();
        if layers.count() == 1 {
            return packed_vector2s(self.swarm.positions());
        }
        let places = self.swarm.positions().iter();
        places.map(|&place| vector2(layers.flat(place))).collect()
    }

    /// The layers of all agents, in the order of get_ids().
    #[func]
    fn get_layers(&mut self) -> PackedByteArray {
        let layers = self.swarm.layers();
        let places = self.swarm.positions().iter();
        places.map(|&place| layers.at(place) as u8).collect()
    }

    /// The layer of an agent; -1 for an id that names no agent, which is reported.
    #[func]
    fn get_agent_layer(&mut self, id: i64) -> i64 {
        let index = self.index("EnemySwarm.get_agent_layer", id);
        index.map_or(-1, |index| {
            i64::from(self.swarm.layers().at(self.swarm.positions()[index]))
        })
    }

    /// The velocities of all agents, in the order of get_ids().
    #[func]
    fn get_velocities(&mut self) -> PackedVector2Array {
        packed_vector2s(self.swarm.velocities())
    }

    /// The states of all agents, in the order of get_ids().
    #[func]
    fn get_states(&mut self) -> PackedByteArray {
        self.swarm
            .states()
            .iter()
            .map(|&state| state as u8)
            .collect()
    }

    /// The groups of all agents, in the order of get_ids().
    #[func]
    fn get_agent_groups(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.swarm.groups())
    }

    /// Where an agent is, whatever its layer; zero for an id that names no agent, which is reported.
    #[func]
    fn get_agent_position(&mut self, id: i64) -> Vector2 {
        let index = self.index("EnemySwarm.get_agent_position", id);
        index.map_or(Vector2::ZERO, |index| {
            let place = self.swarm.positions()[index];
            vector2(self.swarm.layers().flat(place))
        })
    }

    /// How fast an agent moves, and where to; zero for an id that names no agent, which is reported.
    #[func]
    fn get_agent_velocity(&mut self, id: i64) -> Vector2 {
        let index = self.index("EnemySwarm.get_agent_velocity", id);
        index.map_or(Vector2::ZERO, |index| {
            vector2(self.swarm.velocities()[index])
        })
    }

    /// An agent's state: FOLLOWING, IDLE or SCRIPTED; -1 for an id that names no agent, which is reported.
    #[func]
    fn get_agent_state(&mut self, id: i64) -> i64 {
        let index = self.index("EnemySwarm.get_agent_state", id);
        index.map_or(-1, |index| i64::from(self.swarm.states()[index] as u8))
    }

    pub(super) fn index(&self, method: &str, id: i64) -> Option<usize> {
        self.swarm.index_of(id_from_godot(id)).or_refuse(method)
    }

    /// Sets the state of agents: FOLLOWING, IDLE or SCRIPTED. All of them, or none if an id names no agent.
    #[func]
    fn set_state(&mut self, ids: PackedInt64Array, state: i64) -> Error {
        let result = AgentState::from_number(state)
            .and_then(|state| self.swarm.set_state(&core_ids(&ids), state));
        code("EnemySwarm.set_state", result)
    }

    /// The velocities at which agents move while they are SCRIPTED: one per id.
    #[func]
    fn set_scripted_velocities(
        &mut self,
        ids: PackedInt64Array,
        velocities: PackedVector2Array,
    ) -> Error {
        let result = self
            .swarm
            .set_scripted_velocities(&core_ids(&ids), &vec2s(&velocities));
        code("EnemySwarm.set_scripted_velocities", result)
    }

    /// Moves agents at once: one position per id, on other layers as FlowFieldManager.on_layer() has it. All of them, or none after an error.
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

    /// Gives agents targets of their own, one per id: slots of a formation, seats. FOLLOWING agents go there in a straight line, or, if their group has a goal, by its field as long as their target is out of sight; there they have arrived and keep that place. All of them, or none after an error.
    #[func]
    fn set_agent_targets(&mut self, ids: PackedInt64Array, targets: PackedVector2Array) -> Error {
        let set = self.try_with_world("EnemySwarm.set_agent_targets", |swarm, world| {
            swarm.set_targets(world, &core_ids(&ids), &vec2s(&targets))
        });
        set.err().unwrap_or(Error::OK)
    }

    /// Makes agents go where their group goes again. All of them, or none if an id names no agent.
    #[func]
    fn clear_agent_targets(&mut self, ids: PackedInt64Array) -> Error {
        let result = self.swarm.clear_targets(&core_ids(&ids));
        code("EnemySwarm.clear_agent_targets", result)
    }

    /// Puts agents into a group, 0 to 255: they go where it goes from then on, unless they have targets of their own. All of them, or none after an error. To order some units of a crowd about, put them into a group of their own, and give it a goal.
    #[func]
    fn set_agent_group(&mut self, ids: PackedInt64Array, group: i64) -> Error {
        let result = self.swarm.set_group(&core_ids(&ids), group);
        code("EnemySwarm.set_agent_group", result)
    }

    /// Sends a group, 0 to 255, to a goal of the manager; 0 for none.
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
            self.goals_of = self.get_manager().map(|manager| manager.instance_id());
        }
        set.err().unwrap_or(Error::OK)
    }

    /// Whether the members of a group, 0 to 255, follow one field instead of one for each movement type: that of the most restrictive type among them, so that a mixed group stays together and needs fewer fields. A member whose type cannot go all of that type's ways uses its own; one that stands where that type cannot go has no route.
    #[func]
    fn set_group_shares_field(&mut self, group: i64, shares: bool) -> Error {
        let result = self.swarm.set_group_shares_field(group, shares);
        code("EnemySwarm.set_group_shares_field", result)
    }

    /// Whether the members of a group follow one field: see set_group_shares_field().
    #[func]
    fn get_group_shares_field(&mut self, group: i64) -> bool {
        let shares = self.swarm.group_shares_field(group);
        let shares = shares.or_refuse("EnemySwarm.get_group_shares_field");
        shares.unwrap_or(false)
    }

    /// Makes an agent the one that the members of a group, 0 to 255, keep to as far as their type's cohesion has them do so; 0 stands for none, and then they keep to their middle. The leader may be of any group, and goes its own way.
    #[func]
    fn set_group_leader(&mut self, group: i64, id: i64) -> Error {
        let leader = (id != 0).then(|| id_from_godot(id));
        let result = self.swarm.set_group_leader(group, leader);
        code("EnemySwarm.set_group_leader", result)
    }

    /// The leader of a group; 0 if it has none, or its leader is no more.
    #[func]
    fn get_group_leader(&mut self, group: i64) -> i64 {
        let leader = self.swarm.group_leader(group);
        let leader = leader.or_refuse("EnemySwarm.get_group_leader").flatten();
        leader.map_or(0, id_to_godot)
    }

    /// The goal of a group; 0 if it has none.
    #[func]
    fn get_group_goal(&mut self, group: i64) -> i64 {
        let goal = self
            .swarm
            .group_goal(group)
            .or_refuse("EnemySwarm.get_group_goal");
        goal.flatten().map_or(0, |goal| goal.0)
    }

    /// Adds to the velocity of agents an impulse divided by their type's mass. A knocked agent slows down to its own speed at its own acceleration.
    #[func]
    fn apply_impulse(&mut self, ids: PackedInt64Array, impulse: Vector2) -> Error {
        let result = self.swarm.apply_impulse(&core_ids(&ids), vec2(impulse));
        code("EnemySwarm.apply_impulse", result)
    }

    /// All agents as bytes, for load_state().
    #[func]
    fn save_state(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.swarm.save())
    }

    /// Replaces all agents by saved ones, whose ids are valid again. Ids issued since the save name nothing any more and are not issued again: in a run that is repeated from a save agents have the same slots, the upper 32 bits of their ids, and other generations, the lower ones. Agent types and group goals are not part of it: set them first.
    #[func]
    fn load_state(&mut self, bytes: PackedByteArray) -> Error {
        const METHOD: &str = "EnemySwarm.load_state";
        self.sync_properties(METHOD);
        code(METHOD, self.swarm.load(bytes.as_slice()))
    }

    /// A number that is the same for two swarms exactly if all their agents are: in the same slots, which are the upper 32 bits of ids, with the same numbers to the bit. The order of get_ids(), agents that are gone and the generations of ids are no part of it; the number of steps, crowded ground and what groups know of their goals are.
    #[func]
    fn state_hash(&mut self) -> i64 {
        self.swarm.state_hash().cast_signed()
    }
}
