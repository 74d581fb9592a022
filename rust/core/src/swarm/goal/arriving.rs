//! Arriving: agents brake so that they stop on their target.
//!
//! An agent moves in steps: its velocity changes by at most its acceleration times the step, and then it covers the
//! step at that velocity. The greatest speed from which it can still stop within a distance follows from that exactly,
//! whatever the length of a step, so that neither long steps nor short ones lead past the target.

use crate::swarm::AgentType;
use crate::swarm::constraints::velocity::velocity_over;
use crate::swarm::goal::brakes::{Brakes, has_brakes, straight_on};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use crate::world::FlowSource;
use glam::Vec2;

/// In about how many seconds an agent that was pushed off its target is back, at its type's greatest speed.
const SETTLING: f32 = 0.3;

impl Context<'_> {
    /// What an agent that decides in this step does until it next does.
    #[inline]
    fn brakes_of(&self, agent: &SortedAgent, kind: &AgentType) -> Brakes {
        Brakes::over(self.dt * self.update_lod.steps(agent), kind)
    }

    /// The velocity towards a target `left` away, at most at `speed`: that which stops on it, unless agents are removed
    /// there.
    pub(in crate::swarm) fn towards(
        &self,
        left: Vec2,
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
    ) -> Vec2 {
        // What decides in some steps only is to be there, not past it, when it next does.
        let seconds = self.dt * self.update_lod.steps(agent);
        if !has_brakes(self.settings) {
            return velocity_over(left, seconds, speed);
        }
        let (brakes, distance) = (self.brakes_of(agent, kind), left.length());
        // Most are too far away to brake, which is found out sooner than how much they may.
        if distance > brakes.way_at(speed) {
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
        // Slower by as much as it is on its ground, and as its neighbours push: else it would not give way there.
        let settling = SETTLING * (kind.max_speed / speed);
        velocity_over(left, settling.max(self.dt), speed.min(safe))
    }

    /// How far the target is that an agent, outside of its goal's cells, may have to brake for. Far from all targets
    /// that is found out by a look at the rectangle around them.
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

    /// Whether a target `left` away is so near that an agent of some speed goes straight to it.
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
        let way = left / cell_size;
        let costs = self.world.costs(kind.movement);
        way.length_squared() <= near * near && costs.has_line_of_sight(point, point + way)
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
