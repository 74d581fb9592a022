//! How agents that press on in vain get free. Those beside a wall step back for a moment, and so do those behind them:
//! otherwise agents along walls may stand in a column so straight that it shuts a door, or a way as wide as one agent,
//! for good. One that nobody blocks goes ahead at its full speed: from rest it would come no farther in a step than
//! those behind press it back.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use glam::Vec2;

/// Agents with a greater conflict than this press on.
pub(super) const PRESSING: f32 = 0.3;
/// An agent is stuck if it presses on less than `AT_WALL` radii from a wall, or behind an agent that steps back, but
/// has not left its place for `IN_VAIN` seconds.
const AT_WALL: f32 = 0.5;
const IN_VAIN: f32 = 4.0;
/// It steps back for `BACK` seconds in each `BACK_EVERY`, at `BACK_SPEED` of its speed.
const BACK: f64 = 0.5;
const BACK_EVERY: f64 = 3.0;
const BACK_SPEED: f32 = 0.5;
/// The number of different times at which agents begin to step back.
const TURNS_BACK: u64 = 8;
/// How far from an agent a wall keeps it from stepping straight back, in radii.
const WALL_BEHIND: f32 = 1.5;

impl Context<'_> {
    /// Whether the agent is stuck: it presses on in vain, beside a wall or behind an agent that steps back.
    #[inline]
    pub(super) fn is_stuck(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        state: ContactState,
    ) -> bool {
        // The cheapest tests come first.
        state.conflict() > PRESSING
            && self.agents.stalled[agent.index as usize] >= IN_VAIN
            && (state.makes_room()
                || self.room_around(agent.position, kind) < AT_WALL * kind.radius)
    }

    /// Whether an agent that is stuck steps back: its time has come, or one that it follows stepped back in the last
    /// step.
    #[inline]
    pub(super) fn steps_back(&self, agent: &SortedAgent, state: ContactState) -> bool {
        let key = self.agents.key[agent.index as usize];
        let turn = (key % TURNS_BACK) as f64 / TURNS_BACK as f64;
        let time = self.tick as f64 * f64::from(self.dt) + turn * BACK_EVERY;
        state.makes_room() || time % BACK_EVERY < BACK
    }

    /// The velocity of an agent that steps back: straight back, or aside if a wall is behind it, as in a bend.
    #[inline(never)]
    pub(super) fn back(&self, agent: &SortedAgent, kind: &AgentType, velocity: Vec2) -> Vec2 {
        let grid = self.world.grid();
        let costs = self.world.costs(kind.movement);
        let is_open = |&way: &Vec2| {
            let end = agent.position + way.normalize_or_zero() * (WALL_BEHIND * kind.radius);
            costs.has_line_of_sight(grid.to_cell_space(agent.position), grid.to_cell_space(end))
        };
        let ways = [-velocity, velocity.perp(), -velocity.perp()];
        BACK_SPEED * ways.into_iter().find(is_open).unwrap_or(-velocity)
    }
}
