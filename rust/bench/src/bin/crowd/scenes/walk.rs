//! A goal that walks in a circle, as a player does who runs from a horde.

use std::f64::consts::TAU;

use flow_swarm::Vec2;

use super::places::cosine_and_sine;

/// A goal that walks in a circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// The circle's centre.
    pub(crate) centre: Vec2,
    /// The circle's radius.
    pub(crate) radius: f32,
    /// Speed of the goal, a second.
    pub(crate) speed: f32,
}

impl Walk {
    /// Where the goal is after so many seconds.
    pub(crate) fn at(self, seconds: f64) -> Vec2 {
        let turned = seconds * f64::from(self.speed) / f64::from(self.radius);
        let (cosine, sine) = cosine_and_sine(turned % TAU);
        self.centre + self.radius * Vec2::new(cosine as f32, sine as f32)
    }
}
