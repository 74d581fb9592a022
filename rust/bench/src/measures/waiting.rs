//! Agents that wait in the open: they are slow although the ground ahead is free.

use glam::Vec2;

use super::Nearby;

/// The share of its greatest speed below which an agent is slow.
const SLOW: f32 = 0.25;
/// The cosine of the angle, 60 degrees to either side of an agent's direction, within which others are in front of it.
const FRONT: f32 = 0.5;

/// The state of an agent in a step, for [`Waiting`].
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Identifies the agent during its life. A small number, because it is used as an index.
    pub slot: usize,
    /// The position.
    pub at: Vec2,
    /// The radius of its disc, above 0.
    pub radius: f32,
    /// The speed as a share of the agent's greatest speed.
    pub speed: f32,
    /// The unit vector of the direction in which it is to go; zero if there is none, in which case it does not wait.
    pub direction: Vec2,
}

/// The time that agents spend slow in the open.
///
/// In a step an agent waits in the open if it is slower than a quarter of its greatest speed, and no other agent whose
/// centre is within 60 degrees of its direction is closer than one radius from rim to rim.
#[derive(Default)]
pub struct Waiting {
    nearby: Nearby,
    points: Vec<Vec2>,
    /// The seconds for which each agent has waited without interruption.
    stretch: Vec<f64>,
    seconds: f64,
    slow_seconds: f64,
    longest: f64,
}

impl Waiting {
    /// Adds a step of `dt` seconds with all agents.
    pub fn note(&mut self, agents: &[Ahead], dt: f32) {
        let largest = agents.iter().map(|agent| agent.radius).fold(0.0, f32::max);
        if largest <= 0.0 {
            return;
        }
        self.points.clear();
        self.points.extend(agents.iter().map(|agent| agent.at));
        self.nearby.rebuild(&self.points, 3.0 * largest);
        for (index, agent) in agents.iter().enumerate() {
            if agent.slot >= self.stretch.len() {
                self.stretch.resize(agent.slot + 1, 0.0);
            }
            let is_slow = agent.speed < SLOW && agent.direction != Vec2::ZERO;
            if is_slow {
                self.slow_seconds += f64::from(dt);
            }
            if is_slow && self.is_free_ahead(agents, index, largest) {
                self.seconds += f64::from(dt);
                self.stretch[agent.slot] += f64::from(dt);
                self.longest = self.longest.max(self.stretch[agent.slot]);
            } else {
                self.stretch[agent.slot] = 0.0;
            }
        }
    }

    fn is_free_ahead(&self, agents: &[Ahead], index: usize, largest: f32) -> bool {
        let agent = &agents[index];
        let mut is_free = true;
        let reach = 2.0 * agent.radius + largest;
        self.nearby.around(agent.at, reach, |other| {
            let offset = agents[other].at - agent.at;
            let apart = offset.length();
            let is_close = apart < 2.0 * agent.radius + agents[other].radius;
            let is_in_front = offset.dot(agent.direction) > FRONT * apart;
            is_free &= other == index || !(is_close && is_in_front);
        });
        is_free
    }

    /// Agent-seconds of waiting in the open.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Agent-seconds below a quarter of the greatest speed, whether or not others are in front.
    #[must_use]
    pub fn slow_seconds(&self) -> f64 {
        self.slow_seconds
    }

    /// The longest time for which one agent waited in the open without interruption, in seconds.
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(slot: usize, x: f32, y: f32, speed: f32) -> Ahead {
        Ahead {
            slot,
            at: Vec2::new(x, y),
            radius: 1.0,
            speed,
            direction: Vec2::X,
        }
    }

    fn waits(agents: &[Ahead]) -> f64 {
        let mut waiting = Waiting::default();
        waiting.note(agents, 0.25);
        waiting.seconds()
    }

    #[test]
    fn only_bodies_close_ahead_excuse() {
        let slow = agent(0, -0.5, 0.0, 0.1);
        assert_eq!(waits(&[slow]), 0.25);
        assert_eq!(waits(&[Ahead { speed: 0.3, ..slow }]), 0.0, "is not slow");
        let nowhere = Ahead {
            direction: Vec2::ZERO,
            ..slow
        };
        assert_eq!(waits(&[nowhere]), 0.0, "has nowhere to go");
        assert_eq!(waits(&[slow, agent(1, 2.0, 0.0, 1.0)]), 0.0, "in front");
        assert_eq!(waits(&[slow, agent(1, 2.6, 0.0, 1.0)]), 0.25, "too far");
        assert_eq!(waits(&[slow, agent(1, -0.5, 2.0, 1.0)]), 0.25, "beside");
        assert_eq!(waits(&[slow, agent(1, -2.5, 0.0, 1.0)]), 0.25, "behind");
    }

    #[test]
    fn a_stretch_ends_when_the_agent_goes_on() {
        let mut waiting = Waiting::default();
        for speed in [0.0, 0.0, 0.0, 0.9, 0.0, 0.0] {
            waiting.note(&[agent(4, 0.0, 0.0, speed)], 0.5);
        }
        assert_eq!(waiting.seconds(), 2.5);
        assert_eq!(waiting.slow_seconds(), 2.5);
        assert_eq!(waiting.longest(), 1.5);
    }
}
