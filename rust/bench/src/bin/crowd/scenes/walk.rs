//! A goal that walks in a circle, like a player that a horde follows.

use std::f64::consts::TAU;

use flow_swarm::Vec2;

use super::places::cosine_and_sine;

/// A goal that walks in a circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// The centre of the circle.
    pub(crate) centre: Vec2,
    /// The radius of the circle.
    pub(crate) radius: f32,
    /// The speed of the goal, per second.
    pub(crate) speed: f32,
}

impl Walk {
    /// Returns the position of the goal after `seconds`.
    pub(crate) fn at(self, seconds: f64) -> Vec2 {
        let turned = seconds * f64::from(self.speed) / f64::from(self.radius);
        let (cosine, sine) = cosine_and_sine(turned % TAU);
        self.centre + self.radius * Vec2::new(cosine as f32, sine as f32)
    }
}
