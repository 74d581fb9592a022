//! The rules by which two agents part that touch. What a rule reads does not change much while the solver works, so it
//! is looked up once, when the two first touch: then passes read nothing but pairs and positions.

use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::avoidance::contact::matrix::CollisionMatrix;
use crate::swarm::avoidance::contact::pair::{Pair, Shares};
use glam::Vec2;

/// How fast an agent comes to be in front of another one with the angle.
pub(super) const FRONT_SLOPE: f32 = 2.0;

/// The same for agents that differ in how far they have to go. Steep, for two that meet at a door differ by little: the one
/// that is in front has to gain more than the other one presses.
const NEARER_SLOPE: f32 = 20.0;

/// The overlap, in radii, at which who is in front no longer counts: of agents with a common way, and of others.
pub(super) const FADE: f32 = 0.3;

pub(super) const FADE_OPPOSED: f32 = 0.1;

/// Below this cosine between their preferred directions two agents go elsewhere.
pub(super) const ELSEWHERE: f32 = 0.3;

/// How far corrections are turned to one hand between agents that go elsewhere, as a tangent.
pub(super) const TURN: f32 = 0.9;

/// Below this cosine right of way counts, and how much, as a share of being in front.
const OPPOSED: f32 = -0.5;

const RIGHT_OF_WAY: f32 = 0.78;

/// How far a correction moves an agent at most, in radii.
const LARGEST: f32 = 0.5;

/// An agent leads another one if it is within this cosine of straight ahead.
pub(super) const AHEAD: f32 = 0.4;

/// The same for an agent with the same goal that has less far to go: of two side by side before a door one follows.
const ABREAST: f32 = 0.2;

/// What two agents are to each other on their ways.
#[derive(Debug, Clone, Copy)]
pub(super) enum Relation {
    /// They have nothing to do with each other.
    Apart,
    /// One follows the other one; whether the first leads.
    Follows { one_leads: bool },
    /// They go elsewhere, both on their way.
    Conflict,
}

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    /// The direction that has right of way.
    pub(super) axis: Vec2,
    pub(super) matrix: &'a CollisionMatrix,
    pub(super) bodies: &'a [ContactBody],
}

impl Rules<'_> {
    /// The same with the agents from place `first` on alone.
    pub(super) fn from(self, first: usize) -> Self {
        let bodies = &self.bodies[first..];
        Self { bodies, ..self }
    }

    /// What parts two agents that touch, of which the first one is `apart` from the other one. Looked up once a step, as
    /// it does not change much while the solver works.
    #[inline(never)]
    pub(super) fn shares(&self, pair: &Pair, apart: Vec2) -> Shares {
        let [one, other] = [pair.one, pair.other].map(|place| &self.bodies[place as usize]);
        let moves = self.matrix.both_move(one.kind, other.kind);
        let weight = |body: &ContactBody, moves| if moves { body.inverse_mass } else { 0.0 };
        let weights = [weight(one, moves[0]), weight(other, moves[1])];
        let sum = weights[0] + weights[1];
        if sum <= 0.0 {
            return Shares {
                most: 0.0,
                ..Shares::UNKNOWN
            };
        }
        let cosine = one.preferred_direction.dot(other.preferred_direction);
        let under_way = one.is_under_way && other.is_under_way;
        let goes_with = one.goes_with(other);
        let touching = pair.touching;
        let (front, fade, turn) = if cosine < ELSEWHERE && !goes_with && under_way {
            let held = f32::from(one.held.max(other.held)) * (1.0 / 255.0);
            let front = if held > 0.0 && cosine < OPPOSED {
                let right =
                    (one.preferred_direction - other.preferred_direction).dot(self.axis) * held;
                RIGHT_OF_WAY * right.clamp(-1.0, 1.0)
            } else {
                front_of(one, other, apart, touching)
            };
            (front, FADE_OPPOSED, TURN)
        } else if under_way || goes_with {
            (front_of(one, other, apart, touching), FADE, 0.0)
        } else {
            // One of them is where it wants to be, or nearly.
            (eager(one) - eager(other), FADE, TURN)
        };
        Shares {
            lighter: (weights[0] - weights[1]) / sum,
            front,
            fading: 4.0 / fade,
            turn,
            most: LARGEST * one.radius.min(other.radius),
        }
    }
}

/// What an agent has to do with its way: nothing at its place, little near it, else all. Each makes way for those that
/// have more to do: if they pressed back alike, two that stand could shut one out of its place for good.
pub(super) fn eager(body: &ContactBody) -> f32 {
    if body.is_under_way {
        1.0
    } else if body.preferred_direction != Vec2::ZERO {
        0.5
    } else {
        0.0
    }
}

/// How much further in front the first of two agents is. Of agents with one goal the one is in front that has less far
/// to go, so that those who come to a door from all sides go through one after the other; else it is the one that is
/// ahead on the way that both have in common.
#[inline(always)]
fn front_of(one: &ContactBody, other: &ContactBody, apart: Vec2, touching: f32) -> f32 {
    let further = other.remaining - one.remaining;
    let tells = further.is_finite() & (one.way == other.way);
    let ahead = 0.5 * FRONT_SLOPE * apart.dot(one.preferred_direction + other.preferred_direction);
    let along = if tells { NEARER_SLOPE * further } else { ahead };
    (along / touching).clamp(-1.0, 1.0)
}

/// What two agents are to each other, of which the first one is `apart` from the other one.
#[inline(always)]
pub(super) fn relation(one: &ContactBody, other: &ContactBody, apart: Vec2) -> Relation {
    // As if the preferred directions of those near their targets were whole.
    let cosine = one.preferred_direction.dot(other.preferred_direction);
    if cosine < ELSEWHERE && cosine * scale_of(one) * scale_of(other) < ELSEWHERE {
        let is_conflict = one.is_under_way && other.is_under_way;
        return if is_conflict {
            Relation::Conflict
        } else {
            Relation::Apart
        };
    }
    let further = other.remaining - one.remaining;
    let goes_with = one.goes_with(other);
    let distance2 = apart.length_squared();
    let is_ahead = |ahead: f32, further: f32| {
        let least = if goes_with & (further > 0.0) {
            ABREAST * ABREAST
        } else {
            AHEAD * AHEAD
        };
        (ahead > 0.0) & (ahead * ahead > least * distance2)
    };
    let other_leads = is_ahead(-apart.dot(one.preferred_direction), -further);
    let one_leads = is_ahead(apart.dot(other.preferred_direction), further);
    if one_leads | other_leads {
        Relation::Follows {
            one_leads: !other_leads,
        }
    } else {
        Relation::Apart
    }
}

#[inline]
pub(super) fn scale_of(body: &ContactBody) -> f32 {
    if body.is_under_way { 1.0 } else { 2.0 }
}
