//! Agents of other swarms: discs that agents keep out of as they keep out of each other.
//!
//! Each swarm is solved by itself against the other swarms' positions before the step ([`Outline`]), so that the order
//! in which swarms step does not matter. An agent may touch an agent of another swarm, but not overlap it. If two
//! overlapped before the step, each swarm resolves its own agent's share of that overlap, and both shares together part
//! the two. The shares depend only on the state before the step, which both swarms know alike.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::band::{Band, OtherPair, clear_for, for_each_band};
use crate::swarm::avoidance::contact::body::{ContactBody, NEAR, NO_GROUP, Outcome};
use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::avoidance::contact::discs::{Disc, Discs};
use crate::swarm::avoidance::contact::leaders::{BESIDE, IN_THE_WAY, Leader, Rules};
use crate::swarm::avoidance::contact::matrix::Moves;
use crate::swarm::avoidance::contact::outline::{Others, Outline};
use crate::swarm::avoidance::contact::reach::SKIN;
use crate::swarm::avoidance::contact::rules::{
    AHEAD, ELSEWHERE, FADE, FADE_OPPOSED, FRONT_SLOPE, TURN, eager, scale_of,
};
use crate::swarm::step::context::Context;
use crate::workers::Workers;
use crate::world::GoalId;
use glam::Vec2;

/// How much less the agent in front yields than the agent behind it, at most.
const FRONT: f32 = 0.8;
/// How deep, in radii, a moving agent presses into a standing one.
const PRESS: f32 = 0.1;
/// The longest displacement of an agent by one agent of another swarm, in radii.
const LARGEST: f32 = 1.0;
/// Agents closer than this fraction of the touching distance are coincident: the line between them gives no direction.
const COINCIDENT: f32 = 1.0e-3;
/// Agents closer than this fraction of the touching distance may move past each other in a step.
const DEEP: f32 = 0.5;
/// The direction in which coincident agents part.
const ASIDE: Vec2 = Vec2::new(0.8, 0.6);
/// The most pairs of one agent with other swarms. Discs that do not overlap have fewer.
const MOST_OF_ONE: usize = 16;
/// How many pairs for each agent a band's list has room for at first.
const ROOM: usize = 6;

impl Contacts {
    /// Finds all pairs of this swarm's agents and other swarms' agents that may touch in this step.
    pub(super) fn find_others(&mut self, context: &Context<'_>, others: Others<'_>) {
        // Agents that do not keep apart do not keep out of other swarms either.
        let others = if context.settings.separation {
            others
        } else {
            Others::default()
        };
        self.note_moves(context.types, others);
        self.has_others = self.other_moves.iter().any(|moves| moves.own != 0);
        if !self.has_others {
            return;
        }
        let finder = Finder {
            context,
            others,
            positions: &self.agents.positions,
            bodies: &self.agents.bodies,
            moves: &self.other_moves,
        };
        let workers = context.world.workers();
        workers.for_each_chunk(&mut self.bands[..self.band_count], 1, |_, bands| {
            for band in bands {
                finder.find(band);
            }
        });
    }

    /// Fills in, for each outline and each of this swarm's types, which types keep out of which.
    fn note_moves(&mut self, types: &[AgentType], others: Others<'_>) {
        self.other_moves.clear();
        for number in 0..others.len() {
            let outline = others.get(number);
            let moves = types.iter().map(|kind| moves_of(kind, outline));
            self.other_moves.extend(moves);
        }
    }

    /// Moves agents out of agents of other swarms. Once a step is enough, because the other swarms do not move between
    /// passes. Doing so in every pass throws agents about that stand between another swarm and their own.
    pub(super) fn keep_out_of_others(&mut self, context: &Context<'_>) {
        if !self.has_others {
            return;
        }
        let bands = &mut self.bands[..self.band_count];
        let workers = context.world.workers();
        let (positions, bodies) = (&mut self.agents.positions, &self.agents.bodies);
        for_each_band(bands, positions, 0, workers, &|band, positions| {
            for pair in &band.others {
                let row = pair.row as usize;
                keep_out(&mut positions[row], bodies[band.first + row].radius, pair);
            }
        });
    }

    /// Applies the rules of following to leaders of other swarms; see [`Contacts::follow_leaders`].
    pub(super) fn follow_other_swarms(
        bands: &mut [Band],
        outcomes: &mut [Outcome],
        rules: &Rules<'_>,
        (others, workers): (Others<'_>, &Workers),
    ) {
        for_each_band(bands, outcomes, 0, workers, &|band, outcomes| {
            for pair in &band.others {
                let row = pair.row as usize;
                let outline = others.get(pair.outline as usize);
                let disc = &outline.sizes()[pair.size as usize].sorted()[pair.disc as usize];
                let radius = outline.types()[usize::from(disc.kind)].radius;
                rules.look_at_other(band.first + row, pair, (disc, radius), &mut outcomes[row]);
            }
        });
    }
}

/// The types of an outline that agents of `kind` keep out of, and those that keep out of them.
fn moves_of(kind: &AgentType, outline: &Outline) -> Moves {
    let mut moves = Moves::default();
    if outline.is_empty() || !kind.uses_contacts() {
        return moves;
    }
    for (index, other) in outline.types().iter().enumerate() {
        let yields = outline.keeps_apart() && other.uses_contacts() && other.keeps_out_of(kind);
        moves.own |= u64::from(kind.keeps_out_of(other)) << index;
        moves.theirs |= u64::from(yields) << index;
    }
    moves
}

/// An agent of another swarm at `at`, as a body of the solver.
fn other_body(at: Vec2, radius: f32, disc: &Disc) -> ContactBody {
    ContactBody {
        preferred_direction: disc.preferred_direction,
        radius,
        inverse_mass: 0.0,
        speed: 0.0,
        remaining: disc.remaining - disc.preferred_direction.dot(at - disc.position),
        goal_group: NO_GROUP,
        held: 0,
        kind: disc.kind,
        is_queued: false,
        is_abreast: false,
        is_under_way: disc.preferred_direction.length_squared() > NEAR,
        is_special: false,
    }
}

/// Moves an agent to the distance that it keeps from an agent of another swarm.
#[inline(always)]
fn keep_out(position: &mut Vec2, radius: f32, pair: &OtherPair) {
    let apart = *position - pair.at;
    let distance = apart.length();
    if distance < pair.distance {
        let away = apart.try_normalize().unwrap_or(ASIDE);
        let displacement = (away - away.perp() * pair.turn) * (pair.distance - distance);
        *position += displacement.clamp_length_max(LARGEST * radius);
    }
}

/// By how much an agent is in front of an agent of another swarm, -[`FRONT`]..=[`FRONT`]. It yields less by that much.
#[inline]
fn front_of(body: &ContactBody, other: &ContactBody, apart: Vec2, goes_with: bool) -> f32 {
    let touching = body.radius + other.radius;
    let further = (other.remaining - body.remaining) / touching;
    let along = if goes_with && further.is_finite() {
        further
    } else {
        apart.dot(body.preferred_direction + other.preferred_direction) * (0.5 / touching)
    };
    (along * (FRONT_SLOPE * FRONT)).clamp(-FRONT, FRONT)
}

struct Finder<'a> {
    context: &'a Context<'a>,
    others: Others<'a>,
    /// NaN for agents that take no part.
    positions: &'a [Vec2],
    bodies: &'a [ContactBody],
    moves: &'a [Moves],
}

/// The agents of one outline and size class, as a band searches them.
struct Source<'a> {
    number: u32,
    size: u32,
    outline: &'a Outline,
    discs: &'a Discs,
    moves: &'a [Moves],
    /// Whether the outline's swarm comes before this one in the order of swarms.
    is_before: bool,
}

impl Finder<'_> {
    fn find(&self, band: &mut Band) {
        clear_for(&mut band.others, ROOM, band.end - band.first);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let mut largest = 0.0_f32;
        for place in band.first..band.end {
            let position = self.positions[place];
            if position.is_finite() {
                low = low.min(position);
                high = high.max(position);
                largest = largest.max(self.bodies[place].radius);
            }
        }
        let types = self.context.types.len();
        for number in 0..self.others.len() {
            let outline = self.others.get(number);
            let moves = &self.moves[number * types..][..types];
            if moves.iter().all(|moves| moves.own == 0) {
                continue;
            }
            for (size, discs) in outline.sizes().into_iter().enumerate() {
                let source = Source {
                    number: number as u32,
                    size: size as u32,
                    outline,
                    discs,
                    moves,
                    is_before: number < self.others.before.len(),
                };
                let reach = largest * (1.0 + SKIN) + self.reach_of(discs);
                if discs.reach_into(low, high, reach) {
                    self.find_from(&source, band);
                }
            }
        }
    }

    /// The search distance for discs, beyond the agent's own radius and skin.
    fn reach_of(&self, discs: &Discs) -> f32 {
        discs.largest_radius() + discs.stride(self.context.dt)
    }

    fn find_from(&self, source: &Source<'_>, band: &mut Band) {
        let reach = self.reach_of(source.discs);
        for place in band.first..band.end {
            let (position, body) = (self.positions[place], &self.bodies[place]);
            let moves = source.moves[usize::from(body.kind)];
            let is_moved = moves.own != 0 && body.inverse_mass > 0.0;
            if !is_moved || !position.is_finite() {
                continue;
            }
            let row = (place - band.first) as u32;
            let reach = reach + body.radius * (1.0 + SKIN);
            let most = band.others.len() + MOST_OF_ONE;
            source.discs.for_each_near(position, reach, |disc| {
                if band.others.len() < most {
                    band.others
                        .extend(self.pair(source, moves, place, row, disc));
                }
            });
        }
    }

    /// The pair of the agent at `place` with a disc of another swarm; `None` if the two cannot touch in this step or
    /// the agent does not keep out of the disc.
    #[inline]
    fn pair(
        &self,
        source: &Source<'_>,
        moves: Moves,
        place: usize,
        row: u32,
        number: usize,
    ) -> Option<OtherPair> {
        let (position, body) = (self.positions[place], &self.bodies[place]);
        let disc = &source.discs.sorted()[number];
        if moves.own >> disc.kind & 1 == 0 {
            return None;
        }
        let kind = &source.outline.types()[usize::from(disc.kind)];
        let touching = body.radius + kind.radius;
        let start = self.context.buckets.sorted()[place].position;
        let before = start - disc.position;
        let moves_too = moves.theirs >> disc.kind & 1 == 1 && !disc.is_scripted;
        let longest = source.discs.stride(self.context.dt);
        let mut stride = (disc.drift * self.context.dt).clamp_length_max(longest);
        let nearer = stride.dot(before);
        if moves_too && nearer > 0.0 {
            // The part of the displacement that brings the two closer is left out: the other swarm prevents that
            // contact.
            stride -= before * (nearer / before.length_squared());
        }
        let mut at = disc.position + stride;
        let near = touching + SKIN * body.radius;
        if at.distance_squared(position) >= near * near {
            return None;
        }
        let goal = source.outline.goal_of(disc);
        let mut pair = OtherPair {
            row,
            outline: source.number,
            size: source.size,
            disc: number as u32,
            at,
            distance: touching,
            turn: 0.0,
            goes_with: goal.is_some() && self.goal_of(place) == goal,
        };
        let distance = before.length();
        let overlap = touching - distance;
        if moves_too && !pair.goes_with {
            // The other agent makes way as soon as there is an overlap.
            let more = eager(body) - eager(&other_body(at, kind.radius, disc));
            let radius = body.radius.min(kind.radius);
            pair.distance -= PRESS * more.max(0.0) * radius;
        }
        if overlap > 0.0 {
            if distance < DEEP * touching {
                // The displacements of the step are longer than the distance between the two. Both swarms have to part
                // them along the same line, which is the one before the step.
                at = position - before;
                if distance < COINCIDENT * touching {
                    let side = if source.is_before { ASIDE } else { -ASIDE };
                    at = position - side * (COINCIDENT * touching);
                }
                pair.at = at;
            }
            let mut other = other_body(at, kind.radius, disc);
            if moves_too {
                other.inverse_mass = 1.0 / kind.mass;
            }
            let share;
            (share, pair.turn) = self.share(place, &other, pair.goes_with, before, overlap);
            pair.distance = pair.distance.min(touching - (1.0 - share) * overlap);
        }
        Some(pair)
    }

    /// The share of an overlap that an agent resolves, and the tangent of the angle by which the correction is turned.
    fn share(
        &self,
        place: usize,
        other: &ContactBody,
        goes_with: bool,
        apart: Vec2,
        overlap: f32,
    ) -> (f32, f32) {
        let body = &self.bodies[place];
        let both_under_way = body.is_under_way && other.is_under_way;
        let go_elsewhere = !goes_with
            && both_under_way
            && body.preferred_direction.dot(other.preferred_direction) < ELSEWHERE;
        // One of the two is at or near its target.
        let steps_aside = !goes_with && !both_under_way;
        let turn = if go_elsewhere || steps_aside {
            TURN
        } else {
            0.0
        };
        let front = if steps_aside {
            FRONT * (eager(body) - eager(other))
        } else if both_under_way {
            front_of(body, other, apart, goes_with)
        } else {
            0.0
        };
        let fade = if go_elsewhere { FADE_OPPOSED } else { FADE };
        let depth = overlap / body.radius.min(other.radius);
        let front = front * (1.0 - depth / fade).max(0.0);
        let own = body.inverse_mass * (1.0 - front);
        let theirs = other.inverse_mass * (1.0 + front);
        (own / (own + theirs), turn)
    }

    /// The goal of the group of the agent at `place`; `None` if it has a target of its own.
    fn goal_of(&self, place: usize) -> Option<GoalId> {
        let group = usize::from(self.bodies[place].goal_group);
        self.context.groups.get(group)?.goal
    }
}

impl Rules<'_> {
    /// Applies the rules to an agent of another swarm. Agents that go to the same goal are never in conflict: the
    /// preferred direction of the other one is not known well enough to tell.
    fn look_at_other(
        &self,
        place: usize,
        pair: &OtherPair,
        (disc, radius): (&Disc, f32),
        outcome: &mut Outcome,
    ) {
        let own = &self.bodies[place];
        let other = other_body(pair.at, radius, disc);
        let touching = own.radius + radius;
        let apart = pair.at - self.positions[place];
        let own_ahead = apart.dot(own.preferred_direction);
        let scale = scale_of(own) * scale_of(&other);
        if own.preferred_direction.dot(other.preferred_direction) * scale < ELSEWHERE {
            if !pair.goes_with && own.is_under_way && other.is_under_way {
                let is_ahead = own_ahead > IN_THE_WAY * touching;
                let conflict = if is_ahead { 1.0 } else { BESIDE };
                outcome.conflict = outcome.conflict.max(conflict);
            }
            return;
        }
        if own_ahead > AHEAD * apart.length() {
            let ahead = Leader {
                apart,
                velocity: disc.velocity,
                touching,
                conflict: disc.conflict,
            };
            ahead.limit(own, self.dt, outcome);
        }
    }
}
