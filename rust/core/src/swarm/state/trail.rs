//! The columns that only drawing reads ([`crate::swarm::draw::trail`] fills them).

use crate::random;
use glam::Vec2;

/// The purpose of the number that says where in its walk an agent begins.
const FIRST_PHASE: u64 = 0x0050_4841_5345;

/// The columns. Each is as long as those of [`super::agents::Agents`], or empty.
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

/// Where in its walk an agent begins.
pub(in crate::swarm) fn first_phase(key: u64) -> f32 {
    random::unit(random::keyed(0, key, FIRST_PHASE))
}
