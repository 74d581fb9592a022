//! How agents that press on in vain get free. Each steps back for a moment now and then: otherwise agents along walls
//! may stand in a column so straight that it shuts a door, and those beside a door in an arch before it, for good. One
//! that nobody blocks goes ahead at its full speed: from rest it would come no farther in a step than those behind
//! press it back.

use crate::random;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;

/// Agents with a greater conflict than this press on.
pub(super) const PRESSING: f32 = 0.3;
/// An agent is stuck if it presses on, but has not left its place for so many seconds.
const IN_VAIN: f32 = 4.0;
/// It steps back for `BACK` seconds, at `BACK_SPEED` of its speed, in one of each `TURNS` such times. Which one is
/// random: two agents that always stepped back at the same time would meet again as they were.
const BACK: f64 = 0.5;
pub(super) const BACK_SPEED: f32 = 0.5;
const TURNS: u64 = 6;

impl Context<'_> {
    /// Whether the agent is stuck: it presses on in vain.
    #[inline]
    pub(super) fn is_stuck(&self, agent: &SortedAgent, state: ContactState) -> bool {
        // The cheaper test comes first.
        state.conflict() > PRESSING && self.agents.stalled[agent.index as usize] >= IN_VAIN
    }

    /// Whether it is time for an agent that is stuck to step back.
    #[inline]
    pub(super) fn steps_back(&self, agent: &SortedAgent) -> bool {
        let time = (self.tick as f64 * f64::from(self.dt) / BACK) as u64;
        let key = self.agents.key[agent.index as usize];
        time % TURNS == random::keyed(self.seed, key, time / TURNS) % TURNS
    }
}
