//! The events of a step, and counts of the crowd.

use crate::swarm::bodies::AreaId;
use crate::swarm::bodies::body::BodyId;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use glam::Vec2;

/// The number of agents that are compared together.
const MANY: usize = 64;

/// An agent that a step has removed, as it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Despawned {
    /// Its id, which names no agent any more.
    pub id: AgentId,
    /// The index of its type.
    pub kind: u8,
    /// Its group.
    pub group: u8,
    /// Its position.
    pub position: Vec2,
}

/// The events of the last step. Agents are in the order that ids had during it.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// Agents that reached their goal.
    pub arrived: Vec<AgentId>,
    /// Agents that were removed because they reached their goal
    /// ([`ArrivalAction::Despawn`](crate::swarm::ArrivalAction::Despawn)), as they were.
    pub despawned: Vec<Despawned>,
    /// Agents that became lost: they have no route from their position.
    pub lost: Vec<AgentId>,
    /// Agents that made no progress for the time in the settings.
    pub stuck: Vec<AgentId>,
    /// Agents that were taken out because their numbers were no longer finite.
    pub quarantined: Vec<AgentId>,
    /// Agents that began to touch a body, by ascending ids of both. Agents that a step removes touch nothing.
    pub contacted: Vec<(BodyId, AgentId)>,
    /// Agents that entered an area, by ascending ids of both.
    pub entered: Vec<(AreaId, AgentId)>,
    /// Agents that left an area, by ascending ids of both. Removing an agent or an area causes no such event.
    pub exited: Vec<(AreaId, AgentId)>,
}

impl Events {
    pub(in crate::swarm) fn clear(&mut self) {
        self.arrived.clear();
        self.despawned.clear();
        self.lost.clear();
        self.stuck.clear();
        self.quarantined.clear();
        self.contacted.clear();
        self.entered.clear();
        self.exited.clear();
    }

    /// Lists the agents that gained a flag over `before`.
    pub(in crate::swarm) fn collect(&mut self, agents: &Agents, before: &[u8]) {
        // Room for all agents is reserved at once. A list that grows with the events would allocate in the middle of a
        // game.
        for list in [&mut self.arrived, &mut self.lost, &mut self.stuck] {
            list.reserve(agents.len());
        }
        // Most agents have no event and are skipped many at a time.
        let rows = agents.flags.chunks(MANY).zip(before.chunks(MANY));
        let busy = rows.enumerate().filter(|(_, (new, old))| {
            let gained = new
                .iter()
                .zip(*old)
                .map(|(new, old)| new & !old & !flag::HEADING_OCTANT);
            gained.fold(0, |all, gained| all | gained) != 0
        });
        let changes = busy.flat_map(|(many, (new, old))| {
            let gained = new
                .iter()
                .zip(old)
                .map(|(new, old)| new & !old & !flag::HEADING_OCTANT);
            (many * MANY..).zip(gained)
        });
        for (index, gained) in changes {
            if gained == 0 {
                continue;
            }
            let id = agents.id[index];
            let lists = [
                (flag::ARRIVED, &mut self.arrived),
                (flag::LOST, &mut self.lost),
                (flag::STUCK, &mut self.stuck),
                (flag::QUARANTINED, &mut self.quarantined),
            ];
            for (bit, list) in lists {
                if gained & bit != 0 {
                    list.push(id);
                }
            }
        }
    }
}

/// Counts of agents by what they are doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// All agents.
    pub agents: usize,
    /// In state [`AgentState::Following`].
    pub following: usize,
    /// In state [`AgentState::Idle`].
    pub idle: usize,
    /// In state [`AgentState::Scripted`].
    pub scripted: usize,
    /// In state [`AgentState::Corpse`].
    pub corpses: usize,
    /// In state [`AgentState::Travelling`].
    pub travelling: usize,
    /// At their goal.
    pub arrived_now: usize,
    /// Arrivals since the swarm was made, removed agents included.
    pub arrived: u64,
    /// Without a route.
    pub lost: usize,
    /// With a route but without progress.
    pub stuck: usize,
    /// Taken out because their numbers were no longer finite.
    pub quarantined: usize,
}

impl Stats {
    pub(in crate::swarm) fn count(agents: &Agents, arrived: u64) -> Self {
        let in_state = |state| agents.state.iter().filter(|&&other| other == state).count();
        let with_flag = |bit| {
            agents
                .flags
                .iter()
                .filter(|&&flags| flags & bit != 0)
                .count()
        };
        Self {
            agents: agents.len(),
            following: in_state(AgentState::Following),
            idle: in_state(AgentState::Idle),
            scripted: in_state(AgentState::Scripted),
            corpses: in_state(AgentState::Corpse),
            travelling: in_state(AgentState::Travelling),
            arrived_now: with_flag(flag::ARRIVED),
            arrived,
            lost: with_flag(flag::LOST),
            stuck: with_flag(flag::STUCK),
            quarantined: with_flag(flag::QUARANTINED),
        }
    }
}
