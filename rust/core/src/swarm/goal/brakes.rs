//! Braking distances and speeds.

use crate::swarm::constraints::speed_factors::SpeedFactors;
use crate::swarm::limits::MAX_AGENT_TYPES;
use crate::swarm::{AgentType, ArrivalAction, Settings};

/// The distance, in cells, within which an agent goes straight to a target in sight instead of following directions,
/// which lead only to the target's cell. The displacement of a step counts instead if it is longer.
pub(super) const STRAIGHT_ON: f32 = 1.0;

/// How fast an agent can brake.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Brakes {
    /// The largest change of speed in a step.
    pub(super) most: f32,
    /// The duration of a step, scaled by the share of its displacement that the agent really moves.
    pub(super) seconds: f32,
}

impl Brakes {
    /// The brakes of agents of a type whose steps last `seconds`.
    #[inline]
    pub(super) fn over(seconds: f32, kind: &AgentType) -> Self {
        Self {
            most: kind.acceleration * seconds,
            seconds: seconds * kind.position_smoothing,
        }
    }

    /// The stopping distance from a speed. It is exact or too long by at most the displacement of one step.
    #[inline]
    pub(super) fn stopping_distance(self, speed: f32) -> f32 {
        self.seconds * speed * (0.5 * speed / self.most + 1.0)
    }

    /// The greatest speed in the next step from which an agent stops within `left`.
    ///
    /// With `n` further steps the speeds are `v, v - most, ..., v - n * most`, all of them at least 0. `v` is chosen so
    /// that these steps cover `left`.
    pub(super) fn speed_within(self, left: f32) -> f32 {
        // In units of the distance that the change of speed of one step covers in one step.
        let left = left / (self.seconds * self.most);
        let steps = (0.5 * ((1.0 + 8.0 * left).sqrt() - 1.0)).floor();
        let speed = (left + 0.5 * steps * (steps + 1.0)) / (steps + 1.0);
        // NaN or infinite where the step or the change is too small to compute with. Such agents do not brake.
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

/// See [`STRAIGHT_ON`]; 0 for agents that stop anywhere in the goal's cell.
pub(in crate::swarm) fn straight_on(settings: &Settings) -> f32 {
    match settings.arrival {
        ArrivalAction::KeepGoing => STRAIGHT_ON,
        _ => 0.0,
    }
}

/// The distance, in cells, within which agents of each type look for targets to brake for. It suffices for every
/// terrain, and for agents whose own factor on their speed is up to `greatest_factor`.
pub(in crate::swarm) fn reaches(
    types: &[AgentType],
    settings: &Settings,
    speeds: &SpeedFactors<'_>,
    (dt, cell_size): (f32, f32),
    greatest_factor: f32,
) -> [f32; MAX_AGENT_TYPES] {
    // Below any distance.
    let mut reaches = [f32::NEG_INFINITY; MAX_AGENT_TYPES];
    if !has_brakes(settings) {
        return reaches;
    }
    let seconds = dt * settings.far_agents_every as f32;
    for (reach, kind) in reaches.iter_mut().zip(types) {
        let brakes = Brakes::over(seconds, kind);
        let distance = brakes.stopping_distance(greatest_factor * speeds.greatest_speed(kind));
        let distance = distance / cell_size;
        // Agents with contacts make way differently near their targets.
        let near = if kind.uses_contacts() {
            NEAR * kind.radius / cell_size
        } else {
            0.0
        };
        *reach = distance.max(straight_on(settings)).max(near);
    }
    reaches
}

/// The distance from its target, in radii, within which an agent with contacts counts as near its target
/// ([`StepResult::is_near_target`](crate::swarm::step::result::StepResult::is_near_target)).
pub(in crate::swarm) const NEAR: f32 = 6.0;
