//! Moves agents to their own targets.

use crate::swarm::AgentType;
use crate::swarm::goal::brakes::NEAR;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// Distance from its own target, in radii, at which an agent has reached it.
const REACHED: f32 = 0.5;

impl Context<'_> {
    /// The velocity straight towards an agent's own target; `None` if the target is hidden and the field of the agent's
    /// group leads around the obstacle. An agent that has reached its target stays there, or returns to it.
    pub(in crate::swarm) fn follow_own_target(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
        has_route: bool,
        moved: &mut StepResult,
    ) -> Option<Vec2> {
        let target = self.agents.target[agent.index as usize];
        let left = target - agent.position;
        let reached = self.settings.arrival_radius.max(REACHED * kind.radius);
        // The target of an agent that marches in formation moves on.
        let is_end = !self.groups.march_in(agent.goal_group);
        if is_end && left.length_squared() <= reached * reached {
            moved.flags |= flag::ARRIVED;
        }
        moved.is_near_target = left.length_squared() <= (NEAR * kind.radius).powi(2);
        if moved.flags & flag::ARRIVED != 0 {
            return Some(self.back_to(left, agent, kind, speed));
        }
        let grid = self.world.grid();
        let is_in_sight = || {
            let [from, to] = [agent.position, target].map(|at| grid.to_cell_space(at));
            self.world.costs(kind.movement).has_line_of_sight(from, to)
        };
        if has_route && !is_in_sight() {
            return None;
        }
        moved.under_way = true;
        Some(self.towards(left, agent, kind, speed))
    }
}
