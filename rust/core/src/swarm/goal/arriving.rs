//! Arriving: agents brake so that they stop on their target.
//!
//! An agent moves in steps: its velocity changes by at most its acceleration times the step, and then it covers the
//! step at that velocity. The greatest speed from which it can still stop within a distance follows from that exactly,
//! whatever the length of a step, so that neither long steps nor short ones lead past the target.

use crate::swarm::avoidance::contact::uses_contacts;
use crate::swarm::constraints::ground::Ground;
use crate::swarm::constraints::travel::velocity_over;
use crate::swarm::goal::own_target::NEAR;
use crate::swarm::neighbours::buckets::SortedAgent;
use crate::swarm::step::context::Context;
use crate::swarm::{AgentType, ArrivalAction, MAX_AGENT_TYPES, Settings};
use crate::world::FlowSource;
use glam::Vec2;

/// In about how many seconds an agent that was pushed off its target is back, at its type's greatest speed.
const SETTLING: f32 = 0.3;
/// From how far away, in cells, an agent goes straight to a target in sight, and not by directions, which lead to its
/// cell; from a step's way if that is longer.
const STRAIGHT_ON: f32 = 1.0;

/// How an agent comes to a stop.
#[derive(Debug, Clone, Copy)]
struct Brakes {
    /// The most that its speed changes in a step.
    most: f32,
    /// How far it goes in a step for each unit of its speed.
    seconds: f32,
}

impl Brakes {
    /// Those of agents of a type that decide after so many seconds.
    #[inline]
    fn over(seconds: f32, kind: &AgentType) -> Self {
        Self {
            most: kind.acceleration * seconds,
            seconds: seconds * kind.position_smoothing,
        }
    }

    /// How far an agent of this speed goes until it stands, or a little more: up to one step's way.
    #[inline]
    fn way_at(self, speed: f32) -> f32 {
        self.seconds * speed * (0.5 * speed / self.most + 1.0)
    }

    /// The greatest speed in the next step from which an agent stops within `left`.
    ///
    /// With `n` further steps the speeds are `v, v - most, ..., v - n * most`, all of them at least 0; `v` is what has
    /// these cover `left`.
    fn speed_within(self, left: f32) -> f32 {
        // In units of the way that the change of one step covers in one step.
        let left = left / (self.seconds * self.most);
        let steps = (0.5 * ((1.0 + 8.0 * left).sqrt() - 1.0)).floor();
        let speed = (left + 0.5 * steps * (steps + 1.0)) / (steps + 1.0);
        // No number where the step or the change is too short to reckon with: nothing to brake for then.
        if speed.is_finite() {
            speed * self.most
        } else {
            f32::INFINITY
        }
    }
}

/// Whether agents come to rest where they arrive.
fn has_brakes(settings: &Settings) -> bool {
    settings.arrival != ArrivalAction::Despawn
}

/// See [`STRAIGHT_ON`]; 0 for agents that stop in the goal's cell, wherever that is.
fn straight_on(settings: &Settings) -> f32 {
    match settings.arrival {
        ArrivalAction::KeepGoing => STRAIGHT_ON,
        _ => 0.0,
    }
}

/// From how far away, in cells, agents of each type look for targets to brake for: no less than they need on any
/// ground.
pub(in crate::swarm) fn reaches(
    types: &[AgentType],
    settings: &Settings,
    ground: &Ground<'_>,
    (dt, cell_size): (f32, f32),
) -> [f32; MAX_AGENT_TYPES] {
    // Below any distance.
    let mut reaches = [f32::NEG_INFINITY; MAX_AGENT_TYPES];
    if !has_brakes(settings) {
        return reaches;
    }
    let seconds = dt * settings.far_agents_every as f32;
    for (reach, kind) in reaches.iter_mut().zip(types) {
        let brakes = Brakes::over(seconds, kind);
        let way = brakes.way_at(ground.greatest_speed(kind)) / cell_size;
        // Agents with contacts make way differently near their targets.
        let near = if uses_contacts(kind) {
            NEAR * kind.radius / cell_size
        } else {
            0.0
        };
        *reach = way.max(straight_on(settings)).max(near);
    }
    reaches
}

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
