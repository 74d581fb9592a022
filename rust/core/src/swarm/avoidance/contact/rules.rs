//! The rules by which two touching agents part. Their inputs hardly change between passes, so each pair evaluates them
//! once, when the two first touch. Passes then read only pairs and positions.

use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::avoidance::contact::matrix::CollisionMatrix;
use crate::swarm::avoidance::contact::pair::{Pair, Shares};
use glam::Vec2;

/// The slope by which an agent gets in front of another one as it is farther ahead, in touching distances.
pub(super) const FRONT_SLOPE: f32 = 2.0;

/// The slope for agents whose remaining distances are known. It is steep because two agents that meet at a door differ
/// by little: the one in front has to gain more ground than the other one presses it back.
const NEARER_SLOPE: f32 = 20.0;

/// The overlap, in radii, from which on being in front no longer counts: for agents that go the same way, and for
/// opposed agents.
pub(super) const FADE: f32 = 0.3;

pub(super) const FADE_OPPOSED: f32 = 0.1;

/// Two agents go elsewhere if the cosine between their preferred directions is below this.
pub(super) const ELSEWHERE: f32 = 0.3;

/// The tangent of the angle by which corrections between agents that go elsewhere are turned to one side.
pub(super) const TURN: f32 = 0.9;

/// The cosine between preferred directions below which right of way counts, and its weight as a share of being in
/// front.
const OPPOSED: f32 = -0.5;

const RIGHT_OF_WAY: f32 = 0.78;

/// The longest displacement of an agent by a correction, in radii.
const LARGEST: f32 = 0.5;

/// An agent leads another one if the cosine between the other one's preferred direction and the line to it is above
/// this.
pub(super) const AHEAD: f32 = 0.4;

/// The bound for an agent with the same goal and a shorter remaining distance, so that of two side by side before a
/// door one follows.
pub(super) const ABREAST: f32 = 0.2;

/// In a queue the nearer one leads unless it is behind by more than this, in distances between the two, each along its
/// preferred direction.
const BEHIND: f32 = 0.3;

/// Two agents before a wide bottleneck stand in one row, and neither waits for the other one, if their remaining
/// distances differ by less than this, in touching distances.
const ROW: f32 = 0.75;

/// How two agents that touch relate to each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Relation {
    /// Neither affects the other one's speed.
    Apart,
    /// One follows the other one.
    Follows { one_leads: bool },
    /// The same in a queue before a bottleneck.
    Queue { one_leads: bool },
    /// Both move, and they go elsewhere.
    Conflict,
}

/// The data that the rules read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    /// The direction that has right of way.
    pub(super) axis: Vec2,
    pub(super) matrix: &'a CollisionMatrix,
    pub(super) bodies: &'a [ContactBody],
}

impl Rules<'_> {
    /// These rules with the bodies from place `first` on.
    pub(super) fn from(self, first: usize) -> Self {
        let bodies = &self.bodies[first..];
        Self { bodies, ..self }
    }

    /// How two touching agents share a correction. `apart` is the first agent's position relative to the other one. It
    /// is evaluated once a step, as its inputs hardly change between passes.
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
            // One of the two is at or near its target.
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

/// How urgently an agent has to move: 0 at its place, 0.5 near it, otherwise 1. Less urgent agents make way for more
/// urgent ones. If standing agents pressed back as hard, two of them could keep a third out of its place for good.
pub(super) fn eager(body: &ContactBody) -> f32 {
    if body.is_under_way {
        1.0
    } else if body.preferred_direction != Vec2::ZERO {
        0.5
    } else {
        0.0
    }
}

/// By how much the first of two agents is in front, -1..=1. Of agents with the same goal the one with the shorter
/// remaining distance is in front, so that agents that reach a door from all sides pass it one after the other.
/// Otherwise it is the one that is ahead in the mean of both preferred directions.
#[inline(always)]
fn front_of(one: &ContactBody, other: &ContactBody, apart: Vec2, touching: f32) -> f32 {
    let further = other.remaining - one.remaining;
    let tells = further.is_finite() & (one.goal_group == other.goal_group);
    let ahead = 0.5 * FRONT_SLOPE * apart.dot(one.preferred_direction + other.preferred_direction);
    let along = if tells { NEARER_SLOPE * further } else { ahead };
    (along / touching).clamp(-1.0, 1.0)
}

/// The relation of two agents. `apart` is the first agent's position relative to the other one.
#[inline(always)]
pub(super) fn relation(one: &ContactBody, other: &ContactBody, apart: Vec2) -> Relation {
    let further = other.remaining - one.remaining;
    let goes_with = one.goes_with(other);
    let is_under_way = one.is_under_way & other.is_under_way;
    let is_queued = one.is_queued | other.is_queued;
    if is_queued && goes_with && is_under_way && further.is_finite() {
        return queue_relation(one, other, apart, further);
    }
    // Preferred directions that are shorter near a target are scaled back to unit length.
    let cosine = one.preferred_direction.dot(other.preferred_direction);
    if cosine < ELSEWHERE && cosine * scale_of(one) * scale_of(other) < ELSEWHERE {
        return if is_under_way {
            Relation::Conflict
        } else {
            Relation::Apart
        };
    }
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

/// The relation of two agents of which one at least is queued.
#[inline(never)]
fn queue_relation(one: &ContactBody, other: &ContactBody, apart: Vec2, further: f32) -> Relation {
    let may_go_abreast = |body: &ContactBody| body.is_abreast | !body.is_queued;
    let is_row = further.abs() < ROW * (one.radius + other.radius);
    if is_row && may_go_abreast(one) && may_go_abreast(other) {
        return Relation::Apart;
    }
    Relation::Queue {
        one_leads: leads_queue(one, other, apart, further),
    }
}

/// Whether the first of two agents goes first in a queue: the nearer one, unless the other one is in front of it. Round
/// the corner of a bend, one that has come to the corner is nearer than the one before it, which is on the outer side.
fn leads_queue(one: &ContactBody, other: &ContactBody, apart: Vec2, further: f32) -> bool {
    let ahead = apart.dot(one.preferred_direction + other.preferred_direction);
    let least = BEHIND * apart.length();
    if further > 0.0 {
        ahead > -least
    } else {
        ahead > least
    }
}

#[inline]
pub(super) fn scale_of(body: &ContactBody) -> f32 {
    if body.is_under_way { 1.0 } else { 2.0 }
}
