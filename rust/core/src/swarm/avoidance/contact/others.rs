//! Agents of other swarms: discs that agents keep out of as they keep out of each other.
//!
//! Each swarm is solved by itself, against the others as they were before the step ([`Outline`]), so that it does not
//! matter which steps first. An agent may not come nearer to another swarm's than to touch it, and of the overlap
//! that there was before the step it leaves its own share: the other swarm has the other agent do the same, and both
//! together part the two. What both know alike decides the shares: how they stood before the step.

use crate::swarm::avoidance::contact::band::{Band, OtherPair, clear_for, for_each_band};
use crate::swarm::avoidance::contact::body::{ContactBody, NEAR, OWN_WAY, Outcome};
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
use crate::swarm::{AgentType, Avoidance};
use crate::workers::Workers;
use crate::world::GoalId;
use glam::Vec2;

/// How much less an agent in front yields than the one behind, at most.
const FRONT: f32 = 0.8;
/// How deep, in radii, an agent under way presses into one that stands.
const PRESS: f32 = 0.1;
/// How far one of them moves an agent at most, in radii.
const LARGEST: f32 = 1.0;
/// Nearer than this fraction of touching two agents have no direction to part in.
const COINCIDENT: f32 = 1.0e-3;
/// Nearer than this fraction of touching two agents may move past each other in a step.
const DEEP: f32 = 0.5;
/// The direction in which they part.
const ASIDE: Vec2 = Vec2::new(0.8, 0.6);
/// The most pairs of one agent. Discs that do not overlap have fewer.
const MOST_OF_ONE: usize = 16;
/// For how many pairs of each agent there is room before more is needed.
const ROOM: usize = 6;

impl Contacts {
    /// Finds all agents of other swarms that this one's may come to touch.
    pub(super) fn find_others(&mut self, context: &Context<'_>, others: Others<'_>) {
        // Where agents do not keep apart, they do not keep out of others either.
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

    /// Notes for each outline and own type what moves for what.
    fn note_moves(&mut self, types: &[AgentType], others: Others<'_>) {
        self.other_moves.clear();
        for number in 0..others.len() {
            let outline = others.get(number);
            let moves = types.iter().map(|kind| moves_of(kind, outline));
            self.other_moves.extend(moves);
        }
    }

    /// Has agents leave those of other swarms that they overlap: once, since these do not move in between. Pushed out
    /// in every pass, agents between others and their own crowd are thrown about.
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

    /// Has agents follow leaders of other swarms; see [`Contacts::follow_leaders`].
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

/// What of an outline agents of a type keep out of, and what keeps out of them.
fn moves_of(kind: &AgentType, outline: &Outline) -> Moves {
    let mut moves = Moves::default();
    if outline.is_empty() || !kind.uses_contacts() {
        return moves;
    }
    for (index, other) in outline.types().iter().enumerate() {
        let is_solid = other.avoidance != Avoidance::None;
        let sees = is_solid && kind.collision_mask & other.collision_layer != 0;
        let is_seen = outline.keeps_apart()
            && other.uses_contacts()
            && other.collision_mask & kind.collision_layer != 0;
        moves.own |= u64::from(sees) << index;
        moves.theirs |= u64::from(is_seen) << index;
    }
    moves
}

/// An agent of another swarm as one of the solver's bodies.
fn other_body(at: Vec2, radius: f32, disc: &Disc) -> ContactBody {
    ContactBody {
        preferred_direction: disc.preferred_direction,
        radius,
        inverse_mass: 0.0,
        speed: 0.0,
        remaining: disc.remaining - disc.preferred_direction.dot(at - disc.position),
        way: OWN_WAY,
        held: 0,
        kind: disc.kind,
        is_under_way: disc.preferred_direction.length_squared() > NEAR,
        is_special: false,
    }
}

/// Moves an agent as far from one of another swarm as it is to keep.
#[inline(always)]
fn keep_out(position: &mut Vec2, radius: f32, pair: &OtherPair) {
    let apart = *position - pair.at;
    let distance = apart.length();
    if distance < pair.distance {
        let away = apart.try_normalize().unwrap_or(ASIDE);
        let way = (away - away.perp() * pair.turn) * (pair.distance - distance);
        *position += way.clamp_length_max(LARGEST * radius);
    }
}

/// How much further in front an agent is than one of another swarm: it leaves as much less.
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
    /// Not a number for agents that take no part.
    positions: &'a [Vec2],
    bodies: &'a [ContactBody],
    moves: &'a [Moves],
}

/// Agents of an outline, one size of them, for one band.
struct Source<'a> {
    number: u32,
    size: u32,
    outline: &'a Outline,
    discs: &'a Discs,
    moves: &'a [Moves],
    /// Whether the outline's swarm comes before this one.
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

    /// How far from a touch of their rims and an agent's the discs are looked for.
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

    /// Pairs the agent at a place with one of another swarm if it may come to touch it and keeps out of it.
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
            // As far as it comes nearer it is the other that keeps out.
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
            // The other one makes way as soon as there is an overlap.
            let more = eager(body) - eager(&other_body(at, kind.radius, disc));
            let radius = body.radius.min(kind.radius);
            pair.distance -= PRESS * more.max(0.0) * radius;
        }
        if overlap > 0.0 {
            if distance < DEEP * touching {
                // Where both go is more than what lies between them. To part they need the same line.
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

    /// Which share of an overlap an agent leaves, and the tangent by which it turns.
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
        // Or one of them is where it wants to be, or nearly.
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

    /// The goal that the agent at a place goes to with others.
    fn goal_of(&self, place: usize) -> Option<GoalId> {
        let group = usize::from(self.bodies[place].way);
        self.context.groups.get(group)?.goal
    }
}

impl Rules<'_> {
    /// Looks at an agent of another swarm. Those that go to the same goal are in no conflict with each other: what one
    /// knows of the other's preferred direction is not enough to tell.
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
