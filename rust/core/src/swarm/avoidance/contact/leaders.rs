//! Following leaders: limits an agent's speed by the agent ahead, and finds where streams meet.
//!
//! Without these limits agents in a queue keep pressing forward, and the queue never comes to rest. The limits take
//! effect in the next step ([`ContactState`]).

use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::avoidance::contact::band::Band;
use crate::swarm::avoidance::contact::body::{Bodies, ContactBody, Outcome};
use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::avoidance::contact::outline::Others;
use crate::swarm::avoidance::contact::pair::Pair;
use crate::swarm::avoidance::contact::rules::{ABREAST, Relation, relation};
use crate::swarm::avoidance::contact::sweep::Sweep;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;
use std::ops::Range;

/// Agents per piece of parallel work.
const CHUNK: usize = 4096;
/// The time in which an agent closes a gap to its leader, as a multiple of the time that it needs for its own radius;
/// at least one step.
const CLOSING: f32 = 0.3;
/// The share of a leader's conflict that followers inherit, and the rate at which a conflict fades, per second.
const INHERITED: f32 = 0.8;
const FADING: f32 = 1.856;
/// The share of a leader's place in a queue before a bottleneck that followers with the same goal inherit. It fades at
/// the same rate.
const QUEUED: f32 = 0.97;
/// The conflict of an agent with an opposing agent beside or behind it.
pub(super) const BESIDE: f32 = 0.98;
/// How far ahead an opposing agent has to be to block, as a share of the touching distance.
pub(super) const IN_THE_WAY: f32 = 0.2;
/// A leader that moves faster than this share of the follower's speed limits it less, in whatever direction the leader
/// moves, except in a queue; and the slope of that transition.
const MOVING: f32 = 0.1;
const MOVING_SLOPE: f32 = 3.3;
/// An agent is held up if its conflict is above `HELD` and it moves forward at less than the share `SLOW` of its speed.
/// The time that it is held up is counted up to `LONGEST` seconds.
const HELD: f32 = 0.5;
const SLOW: f32 = 0.2;
const LONGEST: f32 = 12.0;

impl Contacts {
    pub(super) fn follow_leaders(
        &mut self,
        context: &Context<'_>,
        moved: &mut [StepResult],
        others: Others<'_>,
    ) {
        let Bodies {
            positions,
            bodies,
            outcomes,
            ..
        } = &mut self.agents;
        let rules = Rules {
            positions,
            bodies,
            moved,
            dt: context.dt,
        };
        let workers = context.world.workers();
        let bands = &mut self.bands[..self.band_count];
        let sweep = Sweep {
            steps: 2,
            starts_backward: false,
            workers,
            task: |_, bands: &mut [Band], outcomes: &mut [Outcome]| {
                let rules = rules.within(bands[0].first..bands[bands.len() - 1].end);
                rules.look_at(&bands[0].pairs, outcomes);
            },
        };
        sweep.run(bands, outcomes);
        rules.look_at(&self.special_pairs, outcomes);
        if self.has_others {
            Self::follow_other_swarms(bands, outcomes, &rules, (others, workers));
        }
        let rows = (moved, &mut outcomes[..]);
        workers.for_each_rows(rows, CHUNK, |offset, (moved, outcomes)| {
            let rows = moved.iter_mut().zip(outcomes).zip(&bodies[offset..]);
            for ((moved, outcome), body) in rows {
                moved.contact = outcome.state_after(moved, body, context.dt);
            }
        });
    }
}

impl Outcome {
    /// The contact state after the step, from the outcome of all pairs.
    fn state_after(&self, moved: &StepResult, body: &ContactBody, dt: f32) -> ContactState {
        let before = moved.contact;
        let fading = 1.0 + FADING * dt;
        let conflict = self.conflict.max(before.conflict() / fading);
        let faded = before.queue() / fading;
        let (queue, is_abreast) = if self.queue >= faded {
            (self.queue, self.is_abreast)
        } else {
            (faded, before.is_abreast())
        };
        let progress = moved.velocity.dot(body.preferred_direction);
        let is_held = conflict > HELD && progress < SLOW * body.speed;
        let change = if is_held { dt } else { -dt };
        let held = (before.held() + change / LONGEST).clamp(0.0, 1.0);
        let cap = self.cap.max(conflict).min(1.0);
        ContactState::new(cap, conflict, before.turn(), held).with_queue(queue, is_abreast)
    }
}

/// The data of consecutive agents that the rules of following read.
pub(super) struct Rules<'a> {
    pub(super) positions: &'a [Vec2],
    pub(super) bodies: &'a [ContactBody],
    moved: &'a [StepResult],
    pub(super) dt: f32,
}

impl Rules<'_> {
    /// These rules for a range of the agents.
    fn within(&self, range: Range<usize>) -> Self {
        Self {
            positions: &self.positions[range.clone()],
            bodies: &self.bodies[range.clone()],
            moved: &self.moved[range],
            dt: self.dt,
        }
    }

    /// Applies the rules to pairs of agents.
    fn look_at(&self, pairs: &[Pair], outcomes: &mut [Outcome]) {
        for pair in pairs {
            let [one, other] = [pair.one as usize, pair.other as usize];
            let apart = self.positions[one] - self.positions[other];
            let ordered = |one_leads| {
                if one_leads {
                    (one, other)
                } else {
                    (other, one)
                }
            };
            match relation(&self.bodies[one], &self.bodies[other], apart) {
                Relation::Apart => {}
                Relation::Follows { one_leads } => {
                    let (leader, follower) = ordered(one_leads);
                    self.follow(follower, leader, pair.touching, outcomes);
                }
                Relation::Queue { one_leads } => {
                    let (leader, follower) = ordered(one_leads);
                    self.queue(follower, leader, pair.touching, outcomes);
                }
                Relation::Conflict => {
                    self.oppose([one, other], pair.touching, outcomes);
                    self.oppose([other, one], pair.touching, outcomes);
                }
            }
        }
    }

    /// Notes the conflict of an agent with an agent that goes elsewhere.
    #[inline]
    fn oppose(&self, [one, other]: [usize; 2], touching: f32, outcomes: &mut [Outcome]) {
        let ahead =
            (self.positions[other] - self.positions[one]).dot(self.bodies[one].preferred_direction);
        let conflict = if ahead > IN_THE_WAY * touching {
            1.0
        } else {
            BESIDE
        };
        let outcome = &mut outcomes[one];
        outcome.conflict = outcome.conflict.max(conflict);
    }

    /// Limits a follower's speed by its leader's velocity and the gap between the two.
    #[inline(always)]
    fn follow(&self, follower: usize, leader: usize, touching: f32, outcomes: &mut [Outcome]) {
        let ahead = self.leader(follower, leader, touching);
        ahead.limit(&self.bodies[follower], self.dt, &mut outcomes[follower]);
    }

    /// [`Self::follow`] in a queue before a bottleneck, whose place the follower inherits.
    #[inline(never)]
    fn queue(&self, follower: usize, leader: usize, touching: f32, outcomes: &mut [Outcome]) {
        let ahead = self.leader(follower, leader, touching);
        let outcome = &mut outcomes[follower];
        ahead.limit_in_queue(&self.bodies[follower], self.dt, outcome);
        let state = self.moved[leader].contact;
        let queue = QUEUED * state.queue();
        if queue > outcome.queue {
            (outcome.queue, outcome.is_abreast) = (queue, state.is_abreast());
        }
    }

    #[inline(always)]
    fn leader(&self, follower: usize, leader: usize, touching: f32) -> Leader {
        Leader {
            apart: self.positions[leader] - self.positions[follower],
            velocity: self.moved[leader].velocity,
            touching,
            conflict: self.moved[leader].contact.conflict(),
        }
    }
}

/// The agent ahead of a follower.
pub(super) struct Leader {
    /// The leader's position relative to the follower.
    pub(super) apart: Vec2,
    pub(super) velocity: Vec2,
    /// The distance of the centres at which leader and follower touch.
    pub(super) touching: f32,
    /// The leader's conflict of the step before.
    pub(super) conflict: f32,
}

impl Leader {
    /// Limits a follower's speed by this leader, and hands on the conflict.
    #[inline(always)]
    pub(super) fn limit(&self, body: &ContactBody, dt: f32, outcome: &mut Outcome) {
        let (apart, velocity) = (self.apart, self.velocity);
        let ahead = apart.dot(body.preferred_direction);
        if ahead <= 0.0 {
            return;
        }
        let distance = apart.length().max(1.0e-6);
        // Shares of the follower's speed along the line between the two.
        let speed = 1.0 / body.speed;
        let along = velocity.dot(apart) * (speed / distance);
        let leaves = if along > -MOVING {
            let share = velocity.length() * speed;
            along.max(share * ((share - MOVING) * MOVING_SLOPE).clamp(0.0, 1.0))
        } else {
            along
        };
        let cap = (leaves + self.gap(body, distance, dt)).max(0.0) * distance / ahead;
        outcome.cap = outcome.cap.min(cap);
        outcome.conflict = outcome.conflict.max(INHERITED * self.conflict);
    }

    /// [`Self::limit`] in a queue before a bottleneck: the leader is nearer to the goal and goes first, even from
    /// beside. Only the speed with which it moves away counts, as those beside close up to where it has moved from.
    fn limit_in_queue(&self, body: &ContactBody, dt: f32, outcome: &mut Outcome) {
        let distance = self.apart.length().max(1.0e-6);
        let ahead = self.apart.dot(body.preferred_direction);
        if ahead <= 0.0 {
            return;
        }
        let ahead = ahead.max(ABREAST * distance);
        let along = self.velocity.dot(self.apart) / (body.speed * distance);
        let cap = (along + self.gap(body, distance, dt)).max(0.0) * distance / ahead;
        outcome.cap = outcome.cap.min(cap);
        outcome.conflict = outcome.conflict.max(INHERITED * self.conflict);
    }

    /// The share of its speed at which a follower at `distance` closes the gap in the time that it takes for that.
    #[inline(always)]
    fn gap(&self, body: &ContactBody, distance: f32, dt: f32) -> f32 {
        (distance - self.touching) / (CLOSING * body.radius).max(body.speed * dt)
    }
}
