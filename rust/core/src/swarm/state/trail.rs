//! The columns that only drawing reads ([`crate::swarm::draw::trail`] fills them).

use crate::grid::layers::Layers;
use crate::random;
use glam::Vec2;

/// The purpose of the random number for the first phase of an agent's walk cycle.
const FIRST_PHASE: u64 = 0x0050_4841_5345;

/// The columns. Each is as long as those of [`super::agents::Agents`], or empty.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Trail {
    /// Positions before the last step. For an agent that was moved by the game since, its present position.
    pub(in crate::swarm) position: Vec<Vec2>,
    /// Headings before the last step.
    pub(in crate::swarm) heading: Vec<Vec2>,
    /// The phases of walk cycles, 0..1. The first phase is random, so that a crowd does not walk in step. For a corpse it
    /// is the time since its death, in seconds.
    pub(in crate::swarm) phase: Vec<f32>,
}

impl Trail {
    /// Adds the entries of an agent at the end.
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

    /// Starts the time since the death of an agent.
    pub(in crate::swarm) fn lie_down(&mut self, index: usize) {
        if let Some(phase) = self.phase.get_mut(index) {
            *phase = 0.0;
        }
    }

    /// Moves the trail of an agent that came to `position` from another layer to that layer. In flat coordinates it stays
    /// where it is.
    pub(in crate::swarm) fn follow_to(&mut self, index: usize, layers: &Layers, position: Vec2) {
        if let Some(before) = self.position.get_mut(index) {
            let layer = layers.at(position);
            if layers.at(*before) != layer {
                *before = layers.place(layers.flat(*before), layer);
            }
        }
    }

    /// Sets the trail of an agent that did not walk to its position.
    pub(in crate::swarm) fn jump(&mut self, index: usize, position: Vec2) {
        if let Some(before) = self.position.get_mut(index) {
            *before = position;
        }
    }
}

/// The first phase of an agent's walk cycle.
pub(in crate::swarm) fn first_phase(key: u64) -> f32 {
    random::unit(random::keyed(0, key, FIRST_PHASE))
}
