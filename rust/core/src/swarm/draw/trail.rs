//! The trail of agents, which only drawing reads: positions and headings before the last step, and the phases of walk
//! cycles.
//!
//! It is kept only on request ([`Swarm::set_tracking`]) and is no part of the state: steps do not depend on it, and
//! neither saves nor hashes hold it.

use crate::error::Result;
use crate::swarm::draw::gait::{cycles, next_gait};
use crate::swarm::draw::tracking::Tracking;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::trail::first_phase;
use crate::workers::Workers;
use glam::Vec2;

/// The least diameter of an instance for which strides are reckoned. A factor on the size may be 0.
pub(super) const LEAST_SIZE: f32 = 1.0e-6;
/// Agents per piece of parallel work.
const CHUNK: usize = 8192;
/// The time after which the time since a death stops, in seconds. Half floats still resolve a frame there.
const MOST_SECONDS: f32 = 16.0;

impl Swarm {
    /// Sets what is kept for drawing from the next step on.
    ///
    /// # Errors
    /// A walk cycle out of its range.
    pub fn set_tracking(&mut self, tracking: Tracking) -> Result<()> {
        tracking.check()?;
        self.tracking = tracking;
        Ok(())
    }

    /// What is kept for drawing.
    #[must_use]
    pub fn tracking(&self) -> Tracking {
        self.tracking
    }

    /// Stores positions and headings before agents move.
    pub(in crate::swarm) fn note_trail(&mut self) {
        let Tracking {
            between_steps,
            walk_cycle,
        } = self.tracking;
        let Agents {
            trail,
            position,
            heading,
            key,
            state,
            ..
        } = &mut self.agents;
        keep(
            between_steps || walk_cycle.is_some(),
            &mut trail.position,
            position,
        );
        keep(between_steps, &mut trail.heading, heading);
        if walk_cycle.is_none() {
            trail.phase.clear();
        } else if trail.phase.is_empty() {
            let agents = key.iter().zip(&*state);
            let phases = agents.map(|(&key, &state)| match state {
                // How long ago it died is not known, so its animation is over.
                AgentState::Corpse => MOST_SECONDS,
                _ => first_phase(key),
            });
            trail.phase.extend(phases);
        }
        let has_gaits = walk_cycle.is_some() && self.types.iter().any(|kind| kind.clips.is_some());
        if !has_gaits {
            trail.gait.clear();
            trail.held.clear();
        } else if trail.gait.is_empty() {
            trail.gait.resize(key.len(), 0.0);
        }
    }

    /// Advances the phases of the agents' walk cycles, and the times since the deaths of corpses.
    pub(in crate::swarm) fn advance_walk_phase(&mut self, workers: &Workers, dt: f32) {
        let Some(cycle) = self.tracking.walk_cycle else {
            return;
        };
        self.advance_gaits(workers, dt);
        let agents = &mut self.agents;
        let (before, now, kinds) = (&agents.trail.position, &agents.position, &agents.kind);
        let (types, states) = (&self.types, &agents.state);
        let (gaits, sizes) = (&agents.trail.gait, &agents.factors);
        workers.for_each_chunk(&mut agents.trail.phase, CHUNK, |offset, part| {
            for (row, phase) in part.iter_mut().enumerate() {
                let index = offset + row;
                if states[index] == AgentState::Corpse {
                    *phase = (*phase + dt).min(MOST_SECONDS);
                    continue;
                }
                let kind = &types[usize::from(kinds[index])];
                let diameter = 2.0 * kind.radius;
                let distance = now[index].distance(before[index]);
                let cycles = match gaits.get(index) {
                    Some(&gait) if kind.clips.is_some() => {
                        let distance = distance / (diameter * sizes.size_of(index)).max(LEAST_SIZE);
                        cycles(&kind.clips, gait, distance, dt)
                    }
                    _ => distance / (cycle * diameter),
                };
                *phase = fraction(*phase + cycles);
            }
        });
    }

    /// Changes the gaits of characters with the distance that they have covered.
    fn advance_gaits(&mut self, workers: &Workers, dt: f32) {
        let agents = &mut self.agents;
        let (before, now, kinds) = (&agents.trail.position, &agents.position, &agents.kind);
        let (types, sizes) = (&self.types, &agents.factors);
        workers.for_each_chunk(&mut agents.trail.gait, CHUNK, |offset, part| {
            for (row, gait) in part.iter_mut().enumerate() {
                let index = offset + row;
                let kind = &types[usize::from(kinds[index])];
                let size = (2.0 * kind.radius * sizes.size_of(index)).max(LEAST_SIZE);
                let speed = now[index].distance(before[index]) / (size * dt);
                *gait = next_gait(&kind.clips, *gait, speed, dt);
            }
        });
    }
}

fn keep(wanted: bool, kept: &mut Vec<Vec2>, present: &Vec<Vec2>) {
    if wanted {
        kept.clone_from(present);
    } else {
        kept.clear();
    }
}

/// The fractional part of a number of cycles, in 0..1.
#[inline]
pub(in crate::swarm) fn fraction(cycles: f32) -> f32 {
    // Numbers beyond the range of the integer have no fractional part; they become 0.
    let rest = cycles - cycles as i32 as f32;
    let rest = if rest < 0.0 { rest + 1.0 } else { rest };
    if (0.0..1.0).contains(&rest) {
        rest
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_the_cycle() {
        for (cycles, rest) in [
            (0.0, 0.0),
            (0.25, 0.25),
            (7.5, 0.5),
            (-0.25, 0.75),
            (-3.0, 0.0),
        ] {
            assert_eq!(fraction(cycles), rest, "of {cycles}");
        }
        for odd in [
            1.0e20,
            -1.0e20,
            -1.0e-9,
            f32::INFINITY,
            f32::NAN,
            0.999_999_94,
        ] {
            assert!((0.0..1.0).contains(&fraction(odd)), "of {odd}");
        }
    }
}
