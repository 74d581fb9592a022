//! What an agent wants that may take a link, and how near others are to where it lands.

use crate::grid::travel::Travel;
use crate::swarm::AgentType;
use glam::IVec2;

/// The least distance at which an agent lands from another one, in touching distances. It is less than one because
/// agents in queues are pressed together a little.
pub(super) const CLOSEST: f32 = 0.8;

/// An agent that wants to take a link.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    /// Its place in bucket order, and its index in the columns.
    pub(super) place: usize,
    pub(super) index: usize,
    pub(super) kind: u8,
    /// The link's first and last cell.
    pub(super) first: IVec2,
    pub(super) end: IVec2,
    pub(super) travel: Travel,
    /// The seconds until it lands.
    pub(super) seconds: f32,
    /// Its greatest speed.
    pub(super) speed: f32,
    /// Whether it keeps apart from any other agents.
    pub(super) keeps_apart: bool,
}

/// The distances from where an agent lands to the nearest others, in touching distances; infinite if there are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// To any other agent.
    pub(super) to_any: f32,
    /// To those that will not make way soon.
    pub(super) to_standing: f32,
}

impl Default for Gap {
    fn default() -> Self {
        Self {
            to_any: f32::INFINITY,
            to_standing: f32::INFINITY,
        }
    }
}

impl Gap {
    pub(super) fn note(&mut self, distance: f32, stands: bool) {
        self.to_any = self.to_any.min(distance);
        if stands {
            self.to_standing = self.to_standing.min(distance);
        }
    }

    /// Standing agents count first, as far as they keep an agent from landing.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|gap| gap.to_standing.min(CLOSEST));
        own > others || own == others && self.to_any > other.to_any
    }
}

/// Whether agents of two types keep apart: at least one of them moves out of the way of the other.
pub(super) fn keep_apart(one: &AgentType, other: &AgentType) -> bool {
    one.keeps_out_of(other) || other.keeps_out_of(one)
}
