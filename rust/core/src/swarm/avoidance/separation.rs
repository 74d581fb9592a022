//! Separation: overlapping agents push each other apart, in proportion to the overlap (system A, 4.3), and aside where
//! their directions are opposed ([`giving_way`](super::giving_way)). An agent that is jammed beside a wall passes
//! through others for a moment now and then ([`jammed`](super::jammed)).

use crate::random;
use crate::swarm::AgentType;
use crate::swarm::avoidance::giving_way::{give_way, turn_in};
use crate::swarm::neighbours::buckets::{Buckets, LANES};
use crate::swarm::neighbours::look_ahead::{AHEAD, Ahead};
use crate::swarm::neighbours::pairs::{FULL, LANE_SETS, LANE_SETS_OF_ONE, Pairs};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use glam::{Vec2, Vec4};
use std::ops::Range;

/// Agents closer than this fraction of the sum of their radii are coincident: a random direction is drawn for their
/// push.
const COINCIDENT: f32 = 1.0e-3;
/// Agents less than so many radii from a wall are beside it.
const AT_WALL: f32 = 0.5;

/// The data that separation reads.
pub(in crate::swarm) struct Separation<'a, Key> {
    pub(in crate::swarm) types: &'a [AgentType],
    pub(in crate::swarm) buckets: &'a Buckets,
    /// Whether not all types have the same mass.
    pub(in crate::swarm) masses_differ: bool,
    /// The tangent of the angle by which pushes are turned between agents that give way to each other.
    pub(in crate::swarm) turn: f32,
    /// The random key for the push of coincident agents, for an agent in this tick.
    pub(in crate::swarm) key: Key,
}

impl Context<'_> {
    /// Fills `pushes` with the velocities with which neighbours push the agents from place `first` in bucket order on.
    pub(in crate::swarm) fn push_apart(&self, first: usize, pushes: &mut [Vec2]) {
        if !self.pushes {
            return;
        }
        let key = |agent: &SortedAgent| {
            let key = self.agents.key[agent.index as usize];
            random::keyed(self.seed, key, self.tick)
        };
        let separation = Separation {
            types: self.types,
            buckets: self.buckets,
            masses_differ: self
                .types
                .windows(2)
                .any(|pair| pair[0].mass != pair[1].mass),
            turn: turn_in(self.tick),
            key,
        };
        if self.update_lod.spares_any() || !self.buckets.oversized().is_empty() {
            separation.push_each(first, pushes, |agent| !self.decides(agent));
            return;
        }
        separation.push_pairs(first, pushes);
        if !self.types.iter().all(AgentType::is_pushed) {
            for (push, agent) in pushes.iter_mut().zip(&self.buckets.sorted()[first..]) {
                if !self.types[usize::from(agent.kind)].is_pushed() {
                    *push = Vec2::ZERO;
                }
            }
        }
    }

    /// Whether an agent is jammed beside a wall and has its turn: pushes do not count then, so it passes through those
    /// that hold it there.
    #[inline]
    pub(super) fn passes_through_others(&self, agent: &SortedAgent, kind: &AgentType) -> bool {
        self.is_jammed(agent) && self.passes_at_wall(agent, kind)
    }

    /// The rare part of [`Self::passes_through_others`], kept out of the loop over all agents.
    #[inline(never)]
    fn passes_at_wall(&self, agent: &SortedAgent, kind: &AgentType) -> bool {
        self.has_turn(agent) && self.room_around(agent.position, kind) < AT_WALL * kind.radius
    }
}

/// Two agents that overlap.
pub(in crate::swarm) struct Contact<'a> {
    kind: &'a AgentType,
    other_kind: &'a AgentType,
    /// The unit vector from the other agent, plus the perpendicular part that turns the push where the two give way to
    /// each other; `None` if both are at one point.
    away: Option<Vec2>,
    /// The strength of the push for a weight of 1 and equal masses.
    force: f32,
}

impl<Key: Fn(&SortedAgent) -> u64> Separation<'_, Key> {
    /// Adds to `pushes` the velocity, in world units a second, with which all its neighbours push
    /// each agent from place `first` in bucket order on. There must be no oversized agents. Entries of agents
    /// without separation are unspecified.
    ///
    /// Each pair is found once, from its first agent in bucket order, and both agents are pushed. Pairs come in
    /// ascending order, so an agent's pushes are summed in the order of its neighbours, bit for bit as if it had
    /// searched for all of them itself. (A row of buckets is as high as the touching distance. Two agents that touch
    /// and are more than a row apart, which only rounding causes, do not push each other.)
    ///
    /// Whether two agents touch cannot be predicted, and a misprediction costs more than a push. So
    /// pairs are gathered first, without branches, and then pushed in one long loop.
    pub(in crate::swarm) fn push_pairs(&self, first: usize, pushes: &mut [Vec2]) {
        let (mut pairs, mut ahead) = (Pairs::new(), Ahead::new());
        let mut reaches = [2.0 * self.buckets.regular_radius(); AHEAD];
        let end = (first + pushes.len()).min(self.buckets.living());
        // Agents before `first` that may push these agents take part as well.
        let mut block = self.buckets.first_near(first);
        while block < end {
            let count = AHEAD.min(end - block);
            let radii = self.buckets.radii().get(block..).unwrap_or_default();
            for (reach, radius) in reaches.iter_mut().zip(radii) {
                *reach = radius + self.buckets.regular_radius();
            }
            let reaches = &reaches[..count];
            self.buckets.look_ahead(block, reaches, &mut ahead);
            for (number, reach) in reaches.iter().enumerate() {
                let own = block + number;
                let least = if own < first { first } else { 0 };
                let start = (ahead.next_start[number] as usize).max(least);
                let runs = [
                    (own + 1).max(least)..ahead.own_end[number] as usize,
                    start..ahead.next_end[number] as usize,
                ];
                self.gather_ahead(&mut pairs, own, runs, reach * reach, |pairs| {
                    self.add_both(pairs, first, pushes);
                });
            }
            block += count;
        }
        self.add_both(&mut pairs, first, pushes);
    }

    /// [`Self::gather`] for the two runs of agents after `own`.
    #[inline]
    fn gather_ahead(
        &self,
        pairs: &mut Pairs,
        own: usize,
        runs: [Range<usize>; 2],
        reach: f32,
        mut flush: impl FnMut(&mut Pairs),
    ) {
        let (x, y) = self.buckets.coordinates();
        let (own_x, own_y) = (Vec4::splat(x[own]), Vec4::splat(y[own]));
        let reach = Vec4::splat(reach);
        let mut count = pairs.count();
        for Range { mut start, end } in runs {
            // At least once even if the run is empty: it rarely is.
            loop {
                let away_x = own_x - Vec4::from_slice(&x[start..start + LANES]);
                let away_y = own_y - Vec4::from_slice(&y[start..start + LANES]);
                let squared = away_x * away_x + away_y * away_y;
                let inside = LANE_SETS[end.saturating_sub(start).min(LANES)];
                count = pairs.put(count, own, start, squared.cmplt(reach).bitmask() & inside);
                if count > FULL {
                    pairs.set_count(count);
                    flush(pairs);
                    count = pairs.count();
                }
                start += LANES;
                if start >= end {
                    break;
                }
            }
        }
        pairs.set_count(count);
    }

    /// [`Self::push_pairs`] where there are oversized agents, or few agents to push: each agent searches for its
    /// neighbours itself. Agents for which `stands_apart` holds are left out.
    pub(in crate::swarm) fn push_each(
        &self,
        first: usize,
        pushes: &mut [Vec2],
        stands_apart: impl Fn(&SortedAgent) -> bool,
    ) {
        let mut pairs = Pairs::new();
        for own in first..first + pushes.len() {
            let agent = &self.buckets.sorted()[own];
            if !self.types[usize::from(agent.kind)].is_pushed() || stands_apart(agent) {
                continue;
            }
            let reach = self.reach(agent);
            let corner = Vec2::splat(reach);
            let (low, high) = (agent.position - corner, agent.position + corner);
            for row in self.buckets.rows_between(low, high) {
                self.gather(&mut pairs, own, row, reach * reach, |pairs| {
                    self.add(pairs, first, pushes);
                });
            }
            if !self.buckets.oversized().is_empty() {
                self.gather_oversized(&mut pairs, own, reach * reach, |pairs| {
                    self.add(pairs, first, pushes);
                });
            }
        }
        self.add(&mut pairs, first, pushes);
    }

    /// The largest distance at which a regular agent touches this one.
    #[inline]
    fn reach(&self, agent: &SortedAgent) -> f32 {
        self.types[usize::from(agent.kind)].radius + self.buckets.regular_radius()
    }

    /// Gathers the agents of `row` whose squared distance from `own` is below `reach`, [`LANES`] at a time. Hands full
    /// lists to `flush`.
    #[inline]
    fn gather(
        &self,
        pairs: &mut Pairs,
        own: usize,
        row: Range<usize>,
        reach: f32,
        mut flush: impl FnMut(&mut Pairs),
    ) {
        let position = self.buckets.sorted()[own].position;
        let (x, y) = self.buckets.coordinates();
        let mut first = row.start;
        // At least once even if the row is empty: it rarely is.
        loop {
            let away_x = Vec4::splat(position.x) - Vec4::from_slice(&x[first..]);
            let away_y = Vec4::splat(position.y) - Vec4::from_slice(&y[first..]);
            let squared = away_x * away_x + away_y * away_y;
            let near = squared.cmplt(Vec4::splat(reach)).bitmask();
            let inside = LANE_SETS[(row.end - first).min(LANES)];
            let itself = LANE_SETS_OF_ONE[own.wrapping_sub(first).min(LANES)];
            pairs.push(own, first, near & inside & !itself);
            if pairs.is_full() {
                flush(pairs);
            }
            first += LANES;
            if first >= row.end {
                break;
            }
        }
    }

    /// Gathers the oversized agents that may touch `own`, except those that [`Self::gather`] has found with `reach`.
    /// Hands full lists to `flush`.
    #[inline(never)]
    fn gather_oversized(
        &self,
        pairs: &mut Pairs,
        own: usize,
        reach: f32,
        mut flush: impl FnMut(&mut Pairs),
    ) {
        let agents = self.buckets.sorted();
        let agent = &agents[own];
        let radius = self.types[usize::from(agent.kind)].radius;
        let corner = Vec2::splat(radius + self.buckets.largest_radius());
        let (low, high) = (agent.position - corner, agent.position + corner);
        for place in self.buckets.oversized().between(low, high) {
            let larger = &agents[place as usize];
            // Computed as in `gather`, to the bit, so that each oversized agent is found once.
            let is_known = agent.position.distance_squared(larger.position) < reach;
            pairs.push(own, place as usize, u32::from(!is_known));
            if pairs.is_full() {
                flush(pairs);
            }
        }
    }

    /// Adds the pushes on the first of each of the `pairs`, in their order, and empties the list.
    fn add(&self, pairs: &mut Pairs, first: usize, pushes: &mut [Vec2]) {
        let agents = self.buckets.sorted();
        for (own, other) in pairs.drain() {
            let (agent, other) = (&agents[own], &agents[other]);
            if let Some(contact) = self.contact(agent, other) {
                pushes[own - first] += self.push_on(agent, &contact);
            }
        }
    }

    /// [`Self::add`] for both agents of each pair, if they are in `pushes`.
    #[cold]
    fn add_both(&self, pairs: &mut Pairs, first: usize, pushes: &mut [Vec2]) {
        let agents = self.buckets.sorted();
        for (own, other) in pairs.drain() {
            let (agent, neighbour) = (&agents[own], &agents[other]);
            let Some(contact) = self.contact(agent, neighbour) else {
                continue;
            };
            if let Some(push) = pushes.get_mut(own.wrapping_sub(first)) {
                *push += self.push_on(agent, &contact);
            }
            if let Some(push) = pushes.get_mut(other.wrapping_sub(first)) {
                *push += self.push_on(neighbour, &contact.of_other());
            }
        }
    }

    /// How two agents overlap; `None` if they do not.
    #[inline(always)]
    fn contact(&self, agent: &SortedAgent, other: &SortedAgent) -> Option<Contact<'_>> {
        let kind = &self.types[usize::from(agent.kind)];
        let other_kind = &self.types[usize::from(other.kind)];
        let away = agent.position - other.position;
        let touching = kind.radius + other_kind.radius;
        let squared = away.length_squared();
        if squared >= touching * touching {
            return None;
        }
        let distance = squared.sqrt();
        let overlap = (touching - distance) / touching;
        let right = -away.perp() * (self.turn * give_way(agent.flags, other.flags));
        Some(Contact {
            kind,
            other_kind,
            away: (distance > COINCIDENT * touching).then(|| (away + right) / distance),
            force: overlap * kind.max_speed.max(other_kind.max_speed),
        })
    }

    /// The push on the first agent of a contact.
    #[inline(always)]
    fn push_on(&self, agent: &SortedAgent, contact: &Contact<'_>) -> Vec2 {
        let mut strength = contact.force * contact.kind.separation_weight;
        if self.masses_differ {
            strength *= share_of_push(contact.kind.mass, contact.other_kind.mass);
        }
        let away = contact.away;
        away.unwrap_or_else(|| random::direction((self.key)(agent))) * strength
    }
}

impl Contact<'_> {
    /// This contact from the other agent's side.
    #[inline]
    fn of_other(&self) -> Self {
        Self {
            kind: self.other_kind,
            other_kind: self.kind,
            away: self.away.map(|away| -away),
            force: self.force,
        }
    }
}

/// The share of a push by which an agent of mass `own` moves away from one of mass `other`: 1 for equal masses. Both
/// shares add up to 2, so that all pairs part at the same speed.
#[inline]
fn share_of_push(own: f32, other: f32) -> f32 {
    2.0 * other / (own + other)
}
