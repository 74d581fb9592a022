//! Arriving: agents brake so that they stop on their target.
//!
//! An agent moves in steps: its velocity changes by at most its acceleration times the step, and it then moves at that
//! velocity for the whole step. The greatest speed from which it can stop within a distance follows from this exactly
//! for any step, so neither long nor short steps lead past the target.

use crate::swarm::AgentType;
use crate::swarm::constraints::velocity::velocity_over;
use crate::swarm::goal::brakes::{Brakes, has_brakes, straight_on};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use crate::world::FlowSource;
use glam::Vec2;

/// The time in which an agent that was pushed off its target returns to it, in seconds, on ground that does not slow
/// it.
const SETTLING: f32 = 0.3;

impl Context<'_> {
    /// The brakes of an agent from this decision to its next one.
    #[inline]
    fn brakes_of(&self, agent: &SortedAgent, kind: &AgentType) -> Brakes {
        Brakes::over(self.dt * self.update_lod.steps(agent), kind)
    }

    /// The velocity towards a target at the offset `left`, at most `speed`. The agent brakes to stop on the target,
    /// unless agents are removed there.
    pub(in crate::swarm) fn towards(
        &self,
        left: Vec2,
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
    ) -> Vec2 {
        // An agent that decides only in some steps must not be past the target at its next decision.
        let seconds = self.dt * self.update_lod.steps(agent);
        if !has_brakes(self.settings) {
            return velocity_over(left, seconds, speed);
        }
        let (brakes, distance) = (self.brakes_of(agent, kind), left.length());
        // Most agents are too far away to brake, and this test is cheaper than the exact speed.
        if distance > brakes.stopping_distance(speed) {
            return left * (speed / distance);
        }
        let safe = brakes.speed_within(distance);
        velocity_over(left, seconds * kind.position_smoothing, speed.min(safe))
    }

    /// The velocity of an agent that has arrived and was pushed off its target, or is about to stop on it.
    pub(in crate::swarm) fn back_to(
        &self,
        left: Vec2,
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
    ) -> Vec2 {
        let safe = self.brakes_of(agent, kind).speed_within(left.length());
        // On slow ground the agent returns more slowly, as its neighbours also push it less there; otherwise it would
        // not give way.
        let settling = SETTLING * (kind.max_speed / speed);
        velocity_over(left, settling.max(self.dt), speed.min(safe))
    }

    /// The offset of the target that an agent outside of its goal's cells may have to brake for. Far from all targets,
    /// a test against their bounds suffices.
    #[inline]
    pub(in crate::swarm) fn target_ahead(
        &self,
        flow: &impl FlowSource,
        agent: &SortedAgent,
        point: Vec2,
    ) -> Option<Vec2> {
        let target = flow.target_within(point, self.reach[usize::from(agent.kind)])?;
        Some((target - point) * self.world.grid().cell_size())
    }

    /// Whether a target at the offset `left` is so near that an agent with this speed goes straight to it.
    pub(in crate::swarm) fn is_before(
        &self,
        left: Vec2,
        (agent, kind): (&SortedAgent, &AgentType),
        point: Vec2,
        speed: f32,
    ) -> bool {
        let cell_size = self.world.grid().cell_size();
        let step = self.brakes_of(agent, kind).seconds * speed / cell_size;
        let near = step.max(straight_on(self.settings));
        let offset = left / cell_size;
        let costs = self.world.costs(kind.movement);
        offset.length_squared() <= near * near && costs.has_line_of_sight(point, point + offset)
    }

    /// The greatest speed from which an agent can stop within `left`.
    pub(in crate::swarm) fn speed_before(
        &self,
        left: Vec2,
        agent: &SortedAgent,
        kind: &AgentType,
    ) -> f32 {
        self.brakes_of(agent, kind).speed_within(left.length())
    }
}
