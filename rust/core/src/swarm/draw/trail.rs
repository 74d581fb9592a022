//! What drawing needs beyond the present: where agents were a step ago, and how far into their walk
//! they are.
//!
//! It is kept only where asked for ([`Swarm::set_tracking`]), and no part of the state: nothing in a
//! step depends on it, and neither saves nor hashes hold it.

use crate::error::{Result, in_range};
use crate::random;
use crate::swarm::Swarm;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::Vec2;

/// The purpose of the number that says where in its walk an agent begins.
const FIRST_PHASE: u64 = 0x0050_4841_5345;
/// Agents per piece of parallel work.
const CHUNK: usize = 8192;

/// What is kept for drawing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tracking {
    /// Whether agents can be drawn between the last step and the one before. Costs 16 bytes an agent.
    pub between_steps: bool,
    /// How many of its diameters an agent walks while its animation plays once, 0.001 to 1e6;
    /// `None` where no animation follows the way. Costs 4 bytes an agent, and 8 more alone.
    pub walk_cycle: Option<f32>,
}

impl Tracking {
    /// Whether a swarm takes it.
    ///
    /// # Errors
    /// A walk cycle out of its range.
    pub fn check(&self) -> Result<()> {
        if let Some(cycle) = self.walk_cycle {
            in_range("walk_cycle", cycle, 1.0e-3, 1.0e6)?;
        }
        Ok(())
    }
}

/// The columns. Each is as long as those of [`Agents`], or empty.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Trail {
    /// Where agents were before the last step. What has been put somewhere since was always there.
    pub(in crate::swarm) position: Vec<Vec2>,
    /// Where they were headed then.
    pub(in crate::swarm) heading: Vec<Vec2>,
    /// How far into their walk they are, 0..1. They begin anywhere in it, so that a horde does not
    /// walk in step.
    pub(in crate::swarm) phase: Vec<f32>,
}

impl Trail {
    /// Makes room for an agent that comes last.
    pub(in crate::swarm) fn insert(&mut self, key: u64, position: Vec2, heading: Vec2) {
        if !self.position.is_empty() {
            self.position.push(position);
        }
        if !self.heading.is_empty() {
            self.heading.push(heading);
        }
        if !self.phase.is_empty() {
            self.phase.push(first_phase(key));
        }
    }

    /// Notes that an agent did not walk to where it is.
    pub(in crate::swarm) fn jump(&mut self, index: usize, position: Vec2) {
        if let Some(before) = self.position.get_mut(index) {
            *before = position;
        }
    }
}

fn first_phase(key: u64) -> f32 {
    random::unit(random::keyed(0, key, FIRST_PHASE))
}

impl Swarm {
    /// Says what to keep for drawing, from the next step on.
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

    /// Notes where agents are before they move.
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
            trail.phase.extend(key.iter().copied().map(first_phase));
        }
    }

    /// Advances the phases of the agents' walk cycles.
    pub(in crate::swarm) fn advance_walk_phase(&mut self, workers: &Workers) {
        let Some(cycle) = self.tracking.walk_cycle else {
            return;
        };
        let agents = &mut self.agents;
        let (before, now, kinds) = (&agents.trail.position, &agents.position, &agents.kind);
        let types = &self.types;
        workers.for_each_chunk(&mut agents.trail.phase, CHUNK, |offset, part| {
            for (row, phase) in part.iter_mut().enumerate() {
                let index = offset + row;
                let diameter = 2.0 * types[usize::from(kinds[index])].radius;
                let way = now[index].distance(before[index]);
                *phase = fraction(*phase + way / (cycle * diameter));
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

/// What is left of a number of cycles without the whole ones, in 0..1.
#[inline]
pub(in crate::swarm) fn fraction(cycles: f32) -> f32 {
    // Beyond the range of the integer a number has no fraction left: it becomes 0.
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
