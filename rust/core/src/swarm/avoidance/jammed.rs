//! Agents that are jammed, and when they try something else: step back, or pass through those that push them.
//!
//! Otherwise agents along walls may stand in a column so straight that it shuts a door, and those beside a door in an
//! arch before it, for good.

use crate::random;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;

/// An agent that has not left its place for so many seconds is jammed. (That it is reported as stuck is another matter:
/// see [`Settings::stuck_seconds`](crate::swarm::Settings::stuck_seconds).)
const IN_VAIN: f32 = 4.0;
/// A turn lasts so many seconds, and an agent has one of each `TURNS` turns. Which one is random: two agents that
/// always had the same turn would meet again as they were.
const TURN: f64 = 0.5;
const TURNS: u64 = 6;

impl Context<'_> {
    /// Whether the agent is jammed.
    #[inline]
    pub(super) fn is_jammed(&self, agent: &SortedAgent) -> bool {
        self.agents.stalled[agent.index as usize] >= IN_VAIN
    }

    /// Whether an agent that is jammed has its turn to try something else.
    #[inline]
    pub(super) fn has_turn(&self, agent: &SortedAgent) -> bool {
        let turn = (self.tick as f64 * f64::from(self.dt) / TURN) as u64;
        let key = self.agents.key[agent.index as usize];
        turn % TURNS == random::keyed(self.seed, key, turn / TURNS) % TURNS
    }
}
