//! The memory of the stage that decides which agents take a link.

use super::exchange::Waiting;
use super::floor::Floor;
use super::request::Request;
use super::travellers::Coming;
use glam::Vec2;

/// The memory of the stage. Between steps only its capacity is kept.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Boarding {
    pub(super) coming: Coming,
    pub(super) floor: Floor,
    pub(super) waiting: Waiting,
    /// The agents that take a link, and where they land.
    pub(super) boarded: Vec<(Request, Vec2)>,
}

impl Boarding {
    /// Empties everything, with room for `agents`.
    pub(super) fn clear(&mut self, agents: usize) {
        self.coming.clear(agents);
        self.waiting.clear(agents);
        self.boarded.clear();
        self.boarded.reserve(agents);
    }
}
