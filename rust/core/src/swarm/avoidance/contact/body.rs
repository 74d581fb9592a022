//! Agents as the solver sees them, in bucket order.

use crate::workers::Columns;
use glam::Vec2;
use std::sync::atomic::AtomicBool;

/// The solver's view of an agent, apart from its position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactBody {
    /// The direction that the agent wants to go in: a unit vector while it moves towards a goal or target, shorter near
    /// its own target ([`NEAR`]), zero if it has nowhere to go.
    pub(super) preferred_direction: Vec2,
    pub(super) radius: f32,
    /// 0 for agents that contacts cannot move.
    pub(super) inverse_mass: f32,
    /// The maximum speed on the terrain where the agent is, in world units a second.
    pub(super) speed: f32,
    /// The remaining distance to the group's goal, in world units. NaN for agents that are alone, have a target of
    /// their own or have nowhere to go.
    pub(super) remaining: f32,
    /// The group whose goal the agent goes to; [`NO_GROUP`] if it has a target of its own.
    pub(super) goal_group: u16,
    /// The weight of right of way, 0..=255. It grows while a conflict holds the agent up.
    pub(super) held: u8,
    pub(super) kind: u8,
    /// Whether the agent stands in a queue before a bottleneck.
    pub(super) is_queued: bool,
    /// Whether agents go abreast through that bottleneck.
    pub(super) is_abreast: bool,
    /// Whether the agent moves towards a goal or target and is not near its own target.
    pub(super) is_under_way: bool,
    /// See [`is_special`](super::gather::is_special).
    pub(super) is_special: bool,
}

/// The [`ContactBody::goal_group`] of agents that have a target of their own.
pub(super) const NO_GROUP: u16 = u16::MAX;

/// The length of the preferred direction of agents near their own target.
pub(super) const NEAR: f32 = 0.5;

impl ContactBody {
    /// Whether both agents go to the goal of the same group.
    #[inline]
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.goal_group == other.goal_group && self.goal_group != NO_GROUP
    }
}

/// The values of the next [`ContactState`](super::ContactState) that pairs change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) cap: f32,
    pub(super) conflict: f32,
    pub(super) queue: f32,
    pub(super) is_abreast: bool,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            cap: 1.0,
            conflict: 0.0,
            queue: 0.0,
            is_abreast: false,
        }
    }
}

/// The bodies of all agents in bucket order. Their content is unspecified between steps.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// Positions after steering, which the solver then corrects. NaN for agents that take no part.
    pub(super) positions: Vec<Vec2>,
    pub(super) bodies: Vec<ContactBody>,
    pub(super) outcomes: Vec<Outcome>,
    /// Whether any body [is special](ContactBody::is_special).
    pub(super) has_special: AtomicBool,
}

impl Bodies {
    /// Makes room for `count` agents.
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

/// Consecutive rows of [`Bodies`]; empty where no type uses contacts.
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
