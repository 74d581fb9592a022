//! How steadily agents move: velocities, as displacements over a step, and by how much they change.

use glam::Vec2;

/// Below this share of an agent's greatest speed its heading means nothing.
const STANDING: f32 = 0.1;

/// An agent after a step.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Names the agent as long as it lives: a small number, as it is an index.
    pub slot: usize,
    /// Where it is.
    pub at: Vec2,
    /// Its greatest speed, in the unit of `at` a second, above 0.
    pub speed: f32,
    /// Whether it counts: agents are followed everywhere, and counted where a scene is watched.
    pub counts: bool,
}

/// What is known of an agent from the steps before.
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
    /// Follows an agent through a step of `dt` seconds; to be called once for each agent and step.
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

    /// Adds two velocities of an agent, one after the other, as shares of its greatest speed.
    fn add(&mut self, before: Vec2, after: Vec2) {
        if before.length() > STANDING && after.length() > STANDING {
            self.turns += f64::from(before.angle_to(after).abs());
            self.turned += 1;
        }
        self.changes += f64::from(before.distance(after));
        self.changed += 1;
        self.speeds += f64::from(after.length());
    }

    /// The agent's velocity in the last step; `None` if it has been seen in fewer than two.
    #[must_use]
    pub fn velocity(&self, slot: usize) -> Option<Vec2> {
        self.known.get(slot)?.velocity
    }

    /// The mean change of heading a step, in radians, of agents that go at more than a tenth of their speed before and
    /// after.
    #[must_use]
    pub fn jitter(&self) -> f64 {
        self.turns / self.turned.max(1) as f64
    }

    /// The mean length of the change of velocity a step, as a share of the greatest speed, of all agents that count.
    #[must_use]
    pub fn roughness(&self) -> f64 {
        self.changes / self.changed.max(1) as f64
    }

    /// The mean speed, as a share of the greatest, of all agents that count.
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        self.speeds / self.changed.max(1) as f64
    }

    /// Starts the sums anew, and keeps what is known of each agent.
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
        // Two steps at full speed, straight on, then one at a right angle.
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
