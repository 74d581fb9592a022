//! Update level of detail: agents outside the focus decide less often.
//!
//! Such an agent reads its field and its neighbours only in every n-th step, and keeps its velocity in between. Agents
//! take turns by their ids, so that every step costs the same. Which agents decide depends only on state and tick. When
//! an agent decides, its velocity may change by as much as over all the steps since its last decision, so it moves like
//! an agent that is steered at a lower rate.

use crate::grid::layers::Layers;
use crate::swarm::Settings;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::{AgentState, flag};
use glam::Vec2;

/// Which agents decide in a step.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct UpdateLod {
    /// The focus, and the number of steps from one decision to the next outside of it; `None` if all agents decide in
    /// every step.
    rule: Option<(Vec2, Vec2, u64)>,
    tick: u64,
    /// The layers of the grid. The focus covers the same rectangle on every layer.
    layers: Layers,
}

impl UpdateLod {
    pub(in crate::swarm) fn new(settings: &Settings, tick: u64, layers: &Layers) -> Self {
        let every = u64::from(settings.far_agents_every);
        let focus = settings.focus.filter(|_| every > 1);
        Self {
            rule: focus.map(|(low, high)| (low, high, every)),
            tick,
            layers: *layers,
        }
    }

    /// Whether any agent may skip its decision in this step.
    pub(in crate::swarm) fn spares_any(&self) -> bool {
        self.rule.is_some()
    }

    /// Whether an agent keeps its velocity in this step.
    #[inline]
    pub(in crate::swarm) fn skips_update(&self, agent: &SortedAgent, ids: &[AgentId]) -> bool {
        let Some((_, _, every)) = self.rule else {
            return false;
        };
        let turn = ids[agent.index as usize].slot() as u64 + self.tick;
        self.is_far(agent) && !turn.is_multiple_of(every)
    }

    /// The number of steps that a decision of an agent covers.
    #[inline]
    pub(in crate::swarm) fn steps(&self, agent: &SortedAgent) -> f32 {
        match self.rule {
            Some((_, _, every)) if self.is_far(agent) => every as f32,
            _ => 1.0,
        }
    }

    #[inline]
    fn is_far(&self, agent: &SortedAgent) -> bool {
        let Some((low, high, _)) = self.rule else {
            return false;
        };
        let at = self.layers.flat(agent.position);
        let in_focus = at.cmpge(low).all() && at.cmple(high).all();
        !in_focus
            && agent.state == AgentState::Following
            && agent.flags & (flag::ARRIVED | flag::QUARANTINED) == 0
    }
}
