//! Two agents that may touch, and the rules by which they part. What a rule reads does not change much while the solver
//! works, so it is looked up once, and the passes over all pairs read nothing but them and the positions.

use crate::swarm::avoidance::contact::body::ContactBody;
use glam::Vec2;

/// How fast an agent comes to be in front of another one with the angle.
pub(super) const FRONT_SLOPE: f32 = 2.0;
/// The same for agents that differ in how far they have to go. Steep, for two that meet at a door differ by little: the one
/// that is in front has to gain more than the other one presses.
const NEARER_SLOPE: f32 = 20.0;
/// The overlap, in radii, at which who is in front no longer counts: of agents with a common way, and of others.
pub(super) const FADE: f32 = 0.3;
pub(super) const FADE_OPPOSED: f32 = 0.1;
/// Below this cosine between their wishes two agents go elsewhere.
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

/// Two agents that may touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Their places, from the first of their band on.
    pub(super) one: u32,
    pub(super) other: u32,
    /// The distance at which they touch.
    pub(super) touching: f32,
    /// How much lighter the first one is: the difference of the inverse masses over their sum. -1 if it does not move
    /// for the other one, 1 if the other one does not.
    pub(super) lighter: f32,
    /// How much further in front the first one is, -1..=1: it yields by as much less.
    pub(super) front: f32,
    /// By how much of itself that falls with each bit of [`solve`](super::solve)'s size of the overlap.
    pub(super) fading: f32,
    /// How far corrections are turned to one hand, as a tangent.
    pub(super) turn: f32,
    /// How far a correction moves one of them at most.
    pub(super) most: f32,
}

/// What two agents are to each other on their ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    /// Whether one leads the other one.
    follows: bool,
    /// Whether it is the first that leads.
    one_leads: bool,
    /// Whether they go elsewhere.
    is_conflict: bool,
}

/// An agent that follows another one, by their places as in [`Pair`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Follow {
    pub(super) follower: u32,
    pub(super) leader: u32,
    pub(super) touching: f32,
}

/// Pairs, and what they are to each other. Room is kept, so that a crowd that changes its shape hardly ever needs more.
#[derive(Debug, Default)]
pub(super) struct PairList {
    /// In ascending order.
    pub(super) pairs: Vec<Pair>,
    /// The first so many say who follows.
    follows: Vec<Follow>,
    follow_count: usize,
    /// Pairs that go elsewhere.
    pub(super) conflicts: Vec<Follow>,
}

impl PairList {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.conflicts.clear();
        self.follow_count = 0;
    }

    /// Makes room for so many pairs.
    pub(super) fn reserve(&mut self, pairs: usize) {
        self.pairs.reserve(pairs);
        self.conflicts.reserve(pairs);
        let empty = Follow {
            follower: 0,
            leader: 0,
            touching: 0.0,
        };
        if self.follows.len() < pairs {
            self.follows.resize(pairs, empty);
        }
    }

    /// Who follows whom is a coin toss, and a wrong guess costs the processor more than to write what is not needed.
    #[inline(always)]
    pub(super) fn push(&mut self, pair: Pair, relation: Relation) {
        let (one, other) = (pair.one, pair.other);
        let follow = Follow {
            follower: if relation.one_leads { other } else { one },
            leader: if relation.one_leads { one } else { other },
            touching: pair.touching,
        };
        if relation.is_conflict {
            self.conflicts.push(follow);
        }
        if let Some(place) = self.follows.get_mut(self.follow_count) {
            *place = follow;
        } else {
            self.follows.push(follow);
        }
        self.follow_count += usize::from(relation.follows);
        self.pairs.push(pair);
    }

    pub(super) fn follows(&self) -> &[Follow] {
        &self.follows[..self.follow_count]
    }
}

/// What the rules look at, beside two agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The direction that has right of way.
    pub(super) axis: Vec2,
}

impl Rules {
    /// The pair of two agents, of which the first one is `apart` from the other one, or `None` if neither moves.
    #[inline(always)]
    pub(super) fn pair(
        &self,
        places: [usize; 2],
        [one, other]: [&ContactBody; 2],
        apart: Vec2,
        moves: [bool; 2],
    ) -> Option<(Pair, Relation)> {
        let weight = |body: &ContactBody, moves| if moves { body.inverse_mass } else { 0.0 };
        let weights = [weight(one, moves[0]), weight(other, moves[1])];
        let sum = weights[0] + weights[1];
        if sum <= 0.0 {
            return None;
        }
        let cosine = one.wish.dot(other.wish);
        let under_way = one.is_under_way() && other.is_under_way();
        let goes_with = one.goes_with(other);
        let touching = one.radius + other.radius;
        let (front, fade, turn) = if cosine < ELSEWHERE && !goes_with && under_way {
            let held = f32::from(one.held.max(other.held)) * (1.0 / 255.0);
            let front = if held > 0.0 && cosine < OPPOSED {
                let right = (one.wish - other.wish).dot(self.axis) * held;
                RIGHT_OF_WAY * right.clamp(-1.0, 1.0)
            } else {
                front_of(one, other, apart, touching)
            };
            (front, FADE_OPPOSED, TURN)
        } else if under_way || goes_with {
            (front_of(one, other, apart, touching), FADE, 0.0)
        } else {
            // One of them is where it wants to be, or nearly, and steps aside.
            (0.0, FADE, TURN)
        };
        let pair = Pair {
            one: places[0] as u32,
            other: places[1] as u32,
            touching,
            lighter: (weights[0] - weights[1]) / sum,
            front,
            fading: 4.0 / fade,
            turn,
            most: LARGEST * one.radius.min(other.radius),
        };
        Some((pair, relation(one, other, apart, (cosine, under_way))))
    }
}

/// How much further in front the first of two agents is. Of agents with one goal the one is in front that has less far
/// to go, so that those who come to a door from all sides go through one after the other; else it is the one that is
/// ahead on the way that both have in common.
#[inline(always)]
fn front_of(one: &ContactBody, other: &ContactBody, apart: Vec2, touching: f32) -> f32 {
    let further = other.remaining - one.remaining;
    let tells = further.is_finite() & (one.way == other.way);
    let ahead = 0.5 * FRONT_SLOPE * apart.dot(one.wish + other.wish);
    let along = if tells { NEARER_SLOPE * further } else { ahead };
    (along / touching).clamp(-1.0, 1.0)
}

#[inline(always)]
fn relation(
    one: &ContactBody,
    other: &ContactBody,
    apart: Vec2,
    (cosine, under_way): (f32, bool),
) -> Relation {
    // As if the wishes of those near their targets were whole.
    if cosine < ELSEWHERE && cosine * scale_of(one) * scale_of(other) < ELSEWHERE {
        return Relation {
            follows: false,
            one_leads: false,
            is_conflict: under_way,
        };
    }
    let further = other.remaining - one.remaining;
    let goes_with = one.goes_with(other);
    let distance2 = apart.length_squared();
    let is_ahead = |ahead: f32, further: f32| {
        let cosine = if goes_with & (further > 0.0) {
            ABREAST
        } else {
            AHEAD
        };
        (ahead > 0.0) & (ahead * ahead > cosine * cosine * distance2)
    };
    let other_leads = is_ahead(-apart.dot(one.wish), -further);
    let one_leads = is_ahead(apart.dot(other.wish), further) & !other_leads;
    Relation {
        follows: one_leads | other_leads,
        one_leads,
        is_conflict: false,
    }
}

#[inline]
pub(super) fn scale_of(body: &ContactBody) -> f32 {
    if body.is_under_way() { 1.0 } else { 2.0 }
}
