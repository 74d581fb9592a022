//! What is drawn of a crowd.

use crate::error::{Result, finite, in_range};
use crate::swarm::draw::pack::channels::Eye;
use crate::swarm::draw::pack::frustum::Frustum;
use glam::Vec2;

/// The part of a crowd that is drawn, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The rectangle, as its lower and upper corner in world units, that instances must reach into;
    /// `None` for all of them.
    pub rect: Option<(Vec2, Vec2)>,
    /// The space that instances must reach into, in 3D; `None` for all of them. In 2D it does not count.
    pub frustum: Option<Frustum>,
    /// How far an instance extends beyond a square of its width, in world units, 0..=1e6.
    pub margin: f32,
    /// Whether instances are sorted by y, and by id where y is equal.
    pub y_sort: bool,
    /// The point in time between the step before and the last one at which agents are shown, 0..=1. Values below 1 need
    /// [`Tracking::between_steps`](crate::swarm::Tracking::between_steps).
    pub fraction: f32,
    /// The point from which [`Swarm::instances_by_channel`](crate::swarm::Swarm::instances_by_channel) measures
    /// distances; `None` if all agents are in the first band of their type.
    pub eye: Option<Eye>,
}

impl Default for View {
    /// All agents at their present positions.
    fn default() -> Self {
        Self {
            rect: None,
            frustum: None,
            margin: 0.0,
            y_sort: false,
            fraction: 1.0,
            eye: None,
        }
    }
}

impl View {
    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<()> {
        if let Some((low, high)) = self.rect {
            finite("view", low)?;
            finite("view", high)?;
            in_range("width of view", high.x - low.x, 0.0, f32::INFINITY)?;
            in_range("height of view", high.y - low.y, 0.0, f32::INFINITY)?;
        }
        in_range("margin of view", self.margin, 0.0, 1.0e6)?;
        in_range("fraction", self.fraction, 0.0, 1.0)?;
        self.eye.as_ref().map_or(Ok(()), Eye::check)
    }
}
