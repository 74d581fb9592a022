//! How agents come to a stop, and from how far away.

use crate::swarm::constraints::ground::Ground;
use crate::swarm::limits::MAX_AGENT_TYPES;
use crate::swarm::{AgentType, ArrivalAction, Settings};

/// From how far away, in cells, an agent goes straight to a target in sight, and not by directions, which lead to its
/// cell; from a step's way if that is longer.
pub(super) const STRAIGHT_ON: f32 = 1.0;

/// How an agent comes to a stop.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Brakes {
    /// The most that its speed changes in a step.
    pub(super) most: f32,
    /// How far it goes in a step for each unit of its speed.
    pub(super) seconds: f32,
}

impl Brakes {
    /// Those of agents of a type that decide after so many seconds.
    #[inline]
    pub(super) fn over(seconds: f32, kind: &AgentType) -> Self {
        Self {
            most: kind.acceleration * seconds,
            seconds: seconds * kind.position_smoothing,
        }
    }

    /// How far an agent of this speed goes until it stands, or a little more: up to one step's way.
    #[inline]
    pub(super) fn way_at(self, speed: f32) -> f32 {
        self.seconds * speed * (0.5 * speed / self.most + 1.0)
    }

    /// The greatest speed in the next step from which an agent stops within `left`.
    ///
    /// With `n` further steps the speeds are `v, v - most, ..., v - n * most`, all of them at least 0; `v` is what has
    /// these cover `left`.
    pub(super) fn speed_within(self, left: f32) -> f32 {
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
pub(in crate::swarm) fn has_brakes(settings: &Settings) -> bool {
    settings.arrival != ArrivalAction::Despawn
}

/// See [`STRAIGHT_ON`]; 0 for agents that stop in the goal's cell, wherever that is.
pub(in crate::swarm) fn straight_on(settings: &Settings) -> f32 {
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
        let near = if kind.uses_contacts() {
            NEAR * kind.radius / cell_size
        } else {
            0.0
        };
        *reach = way.max(straight_on(settings)).max(near);
    }
    reaches
}

/// Distance from its own target, in radii, from which on an agent makes no way for others to get there.
pub(in crate::swarm) const NEAR: f32 = 6.0;
