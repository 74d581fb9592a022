//! How steadily agents move: velocities, as displacements over a step, and their changes.

use glam::Vec2;

/// The share of its greatest speed below which an agent's heading is not counted.
const STANDING: f32 = 0.1;

/// An agent after a step.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Identifies the agent during its life. A small number, because it is used as an index.
    pub slot: usize,
    /// The position.
    pub at: Vec2,
    /// The agent's greatest speed, in the unit of `at` per second, above 0.
    pub speed: f32,
    /// Whether the agent is counted. All agents are followed, but only those in the watched area of a scene are
    /// counted.
    pub counts: bool,
}

/// The data of an agent from earlier steps.
#[derive(Clone, Copy, Default)]
struct Known {
    at: Option<Vec2>,
    velocity: Option<Vec2>,
}

/// Sums over all agents and steps.
#[derive(Default)]
pub struct Motion {
    known: Vec<Known>,
    turns: f64,
    turned: u64,
    changes: f64,
    changed: u64,
    speeds: f64,
}

impl Motion {
    /// Follows an agent through a step of `dt` seconds. Call this once for each agent and step.
    pub fn note(&mut self, sample: Sample, dt: f32) {
        if sample.slot >= self.known.len() {
            self.known.resize(sample.slot + 1, Known::default());
        }
        let known = &mut self.known[sample.slot];
        let before = known.velocity;
        known.velocity = known.at.map(|from| (sample.at - from) / dt);
        known.at = Some(sample.at);
        if let (Some(before), Some(after), true) = (before, known.velocity, sample.counts) {
            self.add(before / sample.speed, after / sample.speed);
        }
    }

    /// Adds two successive velocities of an agent, as shares of its greatest speed.
    fn add(&mut self, before: Vec2, after: Vec2) {
        if before.length() > STANDING && after.length() > STANDING {
            self.turns += f64::from(before.angle_to(after).abs());
            self.turned += 1;
        }
        self.changes += f64::from(before.distance(after));
        self.changed += 1;
        self.speeds += f64::from(after.length());
    }

    /// The agent's velocity in the last step; `None` if it has been seen in fewer than two steps.
    #[must_use]
    pub fn velocity(&self, slot: usize) -> Option<Vec2> {
        self.known.get(slot)?.velocity
    }

    /// The mean change of heading per step, in radians, of agents that are faster than a tenth of their greatest speed
    /// before and after the step.
    #[must_use]
    pub fn jitter(&self) -> f64 {
        self.turns / self.turned.max(1) as f64
    }

    /// The mean length of the change of velocity per step, as a share of the greatest speed, over all agents that are
    /// counted.
    #[must_use]
    pub fn roughness(&self) -> f64 {
        self.changes / self.changed.max(1) as f64
    }

    /// The mean speed, as a share of the greatest speed, over all agents that are counted.
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        self.speeds / self.changed.max(1) as f64
    }

    /// Resets the sums, but keeps the data of each agent.
    pub fn forget_sums(&mut self) {
        *self = Self {
            known: std::mem::take(&mut self.known),
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn walk(path: &[(f32, f32)], counts: bool) -> Motion {
        let mut motion = Motion::default();
        for &(x, y) in path {
            let sample = Sample {
                slot: 3,
                at: Vec2::new(x, y),
                speed: 2.0,
                counts,
            };
            motion.note(sample, 0.5);
        }
        motion
    }

    #[test]
    fn a_turn_is_an_angle_and_a_change_of_velocity() {
        // Two steps straight ahead at full speed, then one at a right angle.
        let motion = walk(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0)], true);
        assert!((motion.jitter() - FRAC_PI_2 / 2.0).abs() < 1e-6);
        assert!((motion.roughness() - 2.0_f64.sqrt() / 2.0).abs() < 1e-6);
        assert!((motion.mean_speed() - 1.0).abs() < 1e-6);
        assert_eq!(motion.velocity(3), Some(Vec2::new(0.0, 2.0)));
        assert_eq!(motion.velocity(2), None);
    }

    #[test]
    fn agents_that_stand_have_no_heading_but_count_as_calm() {
        let motion = walk(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], true);
        assert_eq!(motion.jitter(), 0.0);
        assert!((motion.roughness() - 0.5).abs() < 1e-6);
    }

    #[test]
    fn agents_out_of_sight_are_followed_but_do_not_count() {
        let motion = walk(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], false);
        assert_eq!((motion.jitter(), motion.roughness()), (0.0, 0.0));
        assert_eq!(motion.velocity(3), Some(Vec2::new(0.0, 2.0)));
    }

    #[test]
    fn sums_start_anew_without_a_gap() {
        let mut motion = walk(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)], true);
        motion.forget_sums();
        let sample = Sample {
            slot: 3,
            at: Vec2::new(2.0, 1.0),
            speed: 2.0,
            counts: true,
        };
        motion.note(sample, 0.5);
        assert!((motion.jitter() - FRAC_PI_2).abs() < 1e-6);
    }
}
