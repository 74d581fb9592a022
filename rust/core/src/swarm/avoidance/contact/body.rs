//! Agents as the solver sees them, in bucket order.

use crate::workers::Columns;
use glam::Vec2;
use std::sync::atomic::AtomicBool;

/// What the solver knows of an agent beside its place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactBody {
    /// The direction it wants to go in: a unit vector under way, shorter near its own target ([`NEAR`]), zero if it
    /// wants to go nowhere.
    pub(super) preferred_direction: Vec2,
    pub(super) radius: f32,
    /// 0 for agents that no other moves.
    pub(super) inverse_mass: f32,
    /// The greatest speed it has where it is.
    pub(super) speed: f32,
    /// How far it still has to go, in world units, if it is on its way to a goal among others; else not a number.
    pub(super) remaining: f32,
    /// The group whose goal it is on its way to; [`OWN_WAY`] if it has a target of its own.
    pub(super) way: u16,
    /// How much right of way counts, of 255: it grows while a conflict holds the agent up.
    pub(super) held: u8,
    pub(super) kind: u8,
    /// Whether it is on its way, and not near its own target.
    pub(super) is_under_way: bool,
    /// See [`is_special`].
    pub(super) is_special: bool,
}

/// What [`ContactBody::way`] is of agents that go where no other goes.
pub(super) const OWN_WAY: u16 = u16::MAX;

/// How long the preferred direction is of agents near their own target.
pub(super) const NEAR: f32 = 0.5;

impl ContactBody {
    /// Whether both go to the same goal.
    #[inline]
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.way == other.way && self.way != OWN_WAY
    }
}

/// What becomes of an agent's [`ContactState`](super::ContactState).
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) cap: f32,
    pub(super) conflict: f32,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            cap: 1.0,
            conflict: 0.0,
        }
    }
}

/// All agents; without meaning between steps.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// Where steering has put them, and the solver then. Not a number for those that take no part.
    pub(super) positions: Vec<Vec2>,
    pub(super) bodies: Vec<ContactBody>,
    pub(super) outcomes: Vec<Outcome>,
    /// Whether any is special.
    pub(super) has_special: AtomicBool,
}

impl Bodies {
    /// Makes room for so many agents.
    pub(super) fn resize(&mut self, count: usize) {
        self.positions.resize(count, Vec2::NAN);
        self.bodies.resize(count, ContactBody::default());
        self.outcomes.resize(count, Outcome::default());
        *self.has_special.get_mut() = false;
    }

    pub(super) fn rows(&mut self) -> BodyRows<'_> {
        BodyRows {
            positions: &mut self.positions,
            bodies: &mut self.bodies,
            outcomes: &mut self.outcomes,
            has_special: &self.has_special,
        }
    }
}

/// Consecutive rows of [`Bodies`]; none where agents have no contacts.
pub(in crate::swarm) struct BodyRows<'a> {
    pub(super) positions: &'a mut [Vec2],
    pub(super) bodies: &'a mut [ContactBody],
    pub(super) outcomes: &'a mut [Outcome],
    pub(super) has_special: &'a AtomicBool,
}

impl Columns for BodyRows<'_> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let middle = middle.min(self.positions.len());
        let (positions, more_positions) = self.positions.split_at_mut(middle);
        let (bodies, more_bodies) = self.bodies.split_at_mut(middle);
        let (outcomes, more_outcomes) = self.outcomes.split_at_mut(middle);
        let one = Self {
            positions,
            bodies,
            outcomes,
            has_special: self.has_special,
        };
        let two = Self {
            positions: more_positions,
            bodies: more_bodies,
            outcomes: more_outcomes,
            has_special: self.has_special,
        };
        (one, two)
    }
}
