//! The pose of an agent at the point in time that is drawn.

use crate::swarm::draw::gait::cycles;
use crate::swarm::draw::trail::{LEAST_SIZE, fraction};
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::value_at;
use glam::Vec2;

/// The pose of an agent between the step before and the last one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    pub(super) position: Vec2,
    pub(super) heading: Vec2,
    /// The share of the last step that is still ahead of the agent.
    pub(super) left: f32,
}

impl Pose {
    /// The phase of an agent's walk cycle, 0..1; for a corpse the time since its death, in seconds.
    #[inline]
    pub(super) fn phase(&self, swarm: &Swarm, index: usize) -> f32 {
        let agents = &swarm.agents;
        let phase = value_at(&agents.trail.phase, index);
        if agents.state[index] == AgentState::Corpse {
            return phase;
        }
        let (Some(cycle), Some(before)) = (
            swarm.tracking.walk_cycle,
            agents.trail.position.get(index).filter(|_| self.left > 0.0),
        ) else {
            return phase;
        };
        let kind = &swarm.types[usize::from(agents.kind[index])];
        let diameter = 2.0 * kind.radius;
        let distance = agents.position[index].distance(*before) * self.left;
        let ahead = match agents.trail.gait.get(index) {
            Some(&gait) if kind.clips.is_some() => {
                let distance =
                    distance / (diameter * agents.factors.size_of(index)).max(LEAST_SIZE);
                cycles(&kind.clips, gait, distance, self.left * swarm.last_dt)
            }
            _ => distance / (cycle * diameter),
        };
        fraction(phase - ahead)
    }
}
