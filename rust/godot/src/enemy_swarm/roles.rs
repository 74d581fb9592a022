//! Types, groups and statuses of the agents of `EnemySwarm`, and positions and velocities of given agents.

use super::{EnemySwarm, enums};
use crate::convert::{id_from_godot, ids as core_ids, packed_ids, vector2};
use crate::report::{OrRefuse, code};
use flow_swarm::swarm::AgentStatus;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Changes the type of agents to `agent_type`, an index of agent_types. From the next step on they have the size, speed, movement type and looks of that type. They keep their positions, velocities, groups and user columns. A clip that they play by play_clip(), or as a CORPSE, goes on at the same share as the clip of that name in the SwarmClips of the new type, or else as the one of the same role (an attack as its attack_clip), and ends at once if there is neither. After an error no agent is changed.
    #[func]
    fn set_agent_type(&mut self, ids: PackedInt64Array, agent_type: i64) -> Error {
        const METHOD: &str = "EnemySwarm.set_agent_type";
        // The types may have been changed since the last step.
        self.sync_properties(METHOD);
        let counterparts = self.clip_counterparts(agent_type);
        let counterpart = |kind: u8, clip: u8| {
            let clips = counterparts.get(usize::from(kind))?;
            *clips.get(usize::from(clip))?
        };
        let ids = core_ids(&ids);
        let changed = self.swarm.set_type_and_clips(&ids, agent_type, counterpart);
        code(METHOD, changed)
    }

    /// Returns the types of all agents, as indices of agent_types, in the order of get_ids().
    #[func]
    fn get_types(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.swarm.kinds())
    }

    /// Returns the type of an agent, as an index of agent_types. If no agent has this id, reports an error and returns -1.
    #[func]
    fn get_agent_type(&mut self, id: i64) -> i64 {
        let index = self.index("EnemySwarm.get_agent_type", id);
        index.map_or(-1, |index| i64::from(self.swarm.kinds()[index]))
    }

    /// Returns the group of an agent. If no agent has this id, reports an error and returns -1.
    #[func]
    fn get_agent_group(&mut self, id: i64) -> i64 {
        let index = self.index("EnemySwarm.get_agent_group", id);
        index.map_or(-1, |index| i64::from(self.swarm.groups()[index]))
    }

    /// Returns the ids of the agents of a group, 0 to 255, in ascending order.
    #[func]
    fn get_group_agents(&mut self, group: i64) -> PackedInt64Array {
        let members = self.swarm.group_members(group);
        let members = members.or_refuse("EnemySwarm.get_group_agents");
        packed_ids(&members.unwrap_or_default())
    }

    /// Returns the statuses of all agents, in the order of get_ids(): AGENT_FOLLOWING, AGENT_IDLE, AGENT_SCRIPTED, AGENT_CORPSE, AGENT_TRAVELLING, AGENT_ARRIVED, AGENT_LOST, AGENT_STUCK or AGENT_QUARANTINED.
    #[func]
    fn get_statuses(&mut self) -> PackedByteArray {
        self.swarm.statuses().map(|status| status as u8).collect()
    }

    /// Returns the status of an agent: AGENT_ARRIVED, AGENT_LOST or AGENT_STUCK if that holds for a FOLLOWING agent, otherwise its state. It is AGENT_QUARANTINED if the agent takes no part in steps. If no agent has this id, reports an error and returns -1.
    #[func]
    fn get_agent_status(&mut self, id: i64) -> enums::AgentStatus {
        let status = self.swarm.status(id_from_godot(id));
        let status = status.or_refuse("EnemySwarm.get_agent_status");
        enums::AgentStatus(status.map_or(-1, |status| i64::from(status as u8)))
    }

    /// Returns the ids of the agents that are AGENT_CORPSE, in ascending order.
    #[func]
    fn get_corpses(&mut self) -> PackedInt64Array {
        packed_ids(&self.swarm.with_status(AgentStatus::Corpse))
    }

    /// Returns the ids of the agents that are AGENT_TRAVELLING, on their way over a link that takes time, in ascending order.
    #[func]
    fn get_travelling_agents(&mut self) -> PackedInt64Array {
        packed_ids(&self.swarm.with_status(AgentStatus::Travelling))
    }

    /// Puts agents that are AGENT_TRAVELLING back where they took the link, in its first cell, where they are AGENT_FOLLOWING again. They take the link again in the next step unless it is removed or they get another goal. Agents that are not on a link are not changed. Returns how many were on one. If an id names no agent, reports an error, changes nothing and returns 0.
    #[func]
    fn cancel_travel(&mut self, ids: PackedInt64Array) -> i64 {
        let count = self.swarm.cancel_travel(&core_ids(&ids));
        let count = count.or_refuse("EnemySwarm.cancel_travel");
        count.map_or(0, |count| count as i64)
    }

    /// Returns the ids of the agents that are at their goal or at their own target, in ascending order.
    #[func]
    fn get_arrived(&mut self) -> PackedInt64Array {
        packed_ids(&self.swarm.with_status(AgentStatus::Arrived))
    }

    /// Returns the ids of the agents that have no route to their goal, in ascending order.
    #[func]
    fn get_lost(&mut self) -> PackedInt64Array {
        packed_ids(&self.swarm.with_status(AgentStatus::Lost))
    }

    /// Returns the ids of the agents that have a route and have made no progress for stuck_time, in ascending order.
    #[func]
    fn get_stuck(&mut self) -> PackedInt64Array {
        packed_ids(&self.swarm.with_status(AgentStatus::Stuck))
    }

    /// Returns the positions of the given agents, in the order of `ids`. If an id names no agent, reports an error and returns an empty array.
    #[func]
    fn get_positions_of(&mut self, ids: PackedInt64Array) -> PackedVector2Array {
        let indices = self.indices("EnemySwarm.get_positions_of", &ids);
        let (layers, places) = (self.swarm.layers(), self.swarm.positions());
        let position = |index: usize| vector2(layers.flat(places[index]));
        indices.into_iter().map(position).collect()
    }

    /// Returns the velocities of the given agents, in world units a second and in the order of `ids`. If an id names no agent, reports an error and returns an empty array.
    #[func]
    fn get_velocities_of(&mut self, ids: PackedInt64Array) -> PackedVector2Array {
        let indices = self.indices("EnemySwarm.get_velocities_of", &ids);
        let velocities = self.swarm.velocities();
        indices
            .into_iter()
            .map(|index| vector2(velocities[index]))
            .collect()
    }

    /// The indices of agents in the order of get_ids(); empty, with a report, if an id names no agent.
    fn indices(&self, method: &str, ids: &PackedInt64Array) -> Vec<usize> {
        let ids = core_ids(ids);
        let indices: flow_swarm::Result<_> =
            ids.into_iter().map(|id| self.swarm.index_of(id)).collect();
        indices.or_refuse(method).unwrap_or_default()
    }
}
