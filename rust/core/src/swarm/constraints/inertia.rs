//! Inertia: limits the acceleration and the turning of agents (system A's MoveToward and LimitLength), for many agents
//! at once.
//!
//! In a dense crowd it cannot be predicted whether an agent is too fast or still accelerating, and a misprediction
//! costs more than a division. So these are plain loops over arrays, which the compiler turns into vector instructions
//! that compute both outcomes and select one. Each agent's result is bit for bit that of the same computation for it
//! alone.

use glam::Vec2;

/// The number of agents that are processed together.
pub(in crate::swarm) const BLOCK: usize = 64;

/// The wanted velocities of some agents, and the limits of their acceleration.
pub(in crate::swarm) struct AccelerationLimiter {
    wanted_x: [f32; BLOCK],
    wanted_y: [f32; BLOCK],
    old_x: [f32; BLOCK],
    old_y: [f32; BLOCK],
    /// The greatest speed that an agent wants.
    max_speed: [f32; BLOCK],
    /// The largest change of its velocity.
    most: [f32; BLOCK],
}

impl AccelerationLimiter {
    pub(in crate::swarm) fn new() -> Self {
        Self {
            wanted_x: [0.0; BLOCK],
            wanted_y: [0.0; BLOCK],
            old_x: [0.0; BLOCK],
            old_y: [0.0; BLOCK],
            max_speed: [0.0; BLOCK],
            most: [0.0; BLOCK],
        }
    }

    /// Sets the velocity `old`, the wanted velocity and the limits of agent `number`.
    #[inline]
    pub(in crate::swarm) fn set(
        &mut self,
        number: usize,
        old: Vec2,
        wanted: Vec2,
        max_speed: f32,
        most: f32,
    ) {
        (self.old_x[number], self.old_y[number]) = (old.x, old.y);
        (self.wanted_x[number], self.wanted_y[number]) = (wanted.x, wanted.y);
        self.max_speed[number] = max_speed;
        self.most[number] = most;
    }

    /// The velocity that [`Self::accelerate`] has found.
    #[inline]
    pub(in crate::swarm) fn velocity(&self, number: usize) -> Vec2 {
        Vec2::new(self.wanted_x[number], self.wanted_y[number])
    }

    /// Limits the wanted velocities by the agents' accelerations.
    ///
    /// The limit applies to the wanted velocity: a velocity above it, from an impulse, decays
    /// at the agent's own acceleration.
    pub(in crate::swarm) fn accelerate(&mut self) {
        for number in 0..BLOCK {
            let (x, y) = (self.wanted_x[number], self.wanted_y[number]);
            let (old_x, old_y) = (self.old_x[number], self.old_y[number]);
            let (max_speed, most) = (self.max_speed[number], self.most[number]);
            let squared = x * x + y * y;
            let speed = squared.sqrt();
            let too_fast = squared > max_speed * max_speed;
            let x = if too_fast { max_speed * (x / speed) } else { x };
            let y = if too_fast { max_speed * (y / speed) } else { y };
            let (change_x, change_y) = (x - old_x, y - old_y);
            let length = (change_x * change_x + change_y * change_y).sqrt();
            let share = most / length;
            let at_once = length <= most;
            self.wanted_x[number] = if at_once { x } else { old_x + change_x * share };
            self.wanted_y[number] = if at_once { y } else { old_y + change_y * share };
        }
    }
}

/// The cosine of the angle, almost half a turn, from which on a heading counts as opposite to the velocity.
const STRAIGHT_BACK: f32 = -0.9999;

/// The velocities and headings of some agents.
pub(in crate::swarm) struct Turning {
    velocity_x: [f32; BLOCK],
    velocity_y: [f32; BLOCK],
    heading_x: [f32; BLOCK],
    heading_y: [f32; BLOCK],
    /// The speed below which an agent keeps its heading.
    least_speed: [f32; BLOCK],
}

impl Turning {
    pub(in crate::swarm) fn new() -> Self {
        Self {
            velocity_x: [0.0; BLOCK],
            velocity_y: [0.0; BLOCK],
            heading_x: [0.0; BLOCK],
            heading_y: [0.0; BLOCK],
            least_speed: [0.0; BLOCK],
        }
    }

    /// Sets the velocity and heading of agent `number`.
    #[inline]
    pub(in crate::swarm) fn set(
        &mut self,
        number: usize,
        velocity: Vec2,
        heading: Vec2,
        least_speed: f32,
    ) {
        (self.velocity_x[number], self.velocity_y[number]) = (velocity.x, velocity.y);
        (self.heading_x[number], self.heading_y[number]) = (heading.x, heading.y);
        self.least_speed[number] = least_speed;
    }

    /// The heading that [`Self::turn`] has found.
    #[inline]
    pub(in crate::swarm) fn heading(&self, number: usize) -> Vec2 {
        Vec2::new(self.heading_x[number], self.heading_y[number])
    }

    /// Turns headings towards the velocities by the share `share` of the difference.
    pub(in crate::swarm) fn turn(&mut self, share: f32) {
        for number in 0..BLOCK {
            let (x, y) = (self.velocity_x[number], self.velocity_y[number]);
            let (old_x, old_y) = (self.heading_x[number], self.heading_y[number]);
            let speed = (x * x + y * y).sqrt();
            let (ahead_x, ahead_y) = (x / speed, y / speed);
            // The mean of two opposite directions is zero, so an agent that faces backwards first turns to a side.
            let faces_back = old_x * ahead_x + old_y * ahead_y < STRAIGHT_BACK;
            let aside = if faces_back { share } else { 0.0 };
            let turned_x = old_x + (ahead_x - old_x) * share - old_y * aside;
            let turned_y = old_y + (ahead_y - old_y) * share + old_x * aside;
            let scale = 1.0 / (turned_x * turned_x + turned_y * turned_y).sqrt();
            // For opposite directions the mean has no direction.
            let has_direction = (scale > 0.0) & (scale < f32::INFINITY);
            let next_x = if has_direction {
                turned_x * scale
            } else {
                ahead_x
            };
            let next_y = if has_direction {
                turned_y * scale
            } else {
                ahead_y
            };
            let turns = speed > self.least_speed[number];
            self.heading_x[number] = if turns { next_x } else { old_x };
            self.heading_y[number] = if turns { next_y } else { old_y };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_face_straight_back_turn_round() {
        for share in [0.05, 0.2, 0.5, 0.9] {
            let mut turning = Turning::new();
            let mut heading = Vec2::X;
            for _ in 0..200 {
                turning.set(0, Vec2::NEG_X, heading, 0.1);
                turning.turn(share);
                heading = turning.heading(0);
                assert!((heading.length() - 1.0).abs() < 1.0e-4, "{heading}");
            }
            assert!(heading.x < -0.999, "{heading} by {share}");
        }
    }
}
