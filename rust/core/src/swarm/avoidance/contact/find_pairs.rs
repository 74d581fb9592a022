//! Finds the pairs of agents in a band that may touch.

use crate::swarm::avoidance::contact::band::{Band, ROOM, clear_for};
use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::avoidance::contact::pair::Pair;
use crate::swarm::avoidance::contact::reach::SKIN;
use crate::swarm::avoidance::contact::rules::Rules;
use crate::swarm::neighbours::buckets::{Buckets, LANES};
use crate::swarm::neighbours::look_ahead::{AHEAD, Ahead};
use crate::swarm::neighbours::pairs::{FULL, LANE_SETS, Pairs};
use crate::swarm::step::context::Context;
use glam::{Vec2, Vec4, Vec4Swizzles};
use std::ops::Range;

/// Pairs closer than this multiple of their touching distance are kept. Pairs farther apart do not come to touch during
/// the passes.
const KEPT: f32 = 1.1;

/// The most pairs in which one agent is the first. Discs that do not overlap have fewer than half as many. Agents that
/// are all at one point part over several steps.
const MOST_OF_ONE: usize = 32;

/// Finds the pairs of a band.
pub(super) struct Finder<'a> {
    buckets: &'a Buckets,
    rules: Rules<'a>,
    /// Whether each pair has to be checked, because there are collision masks or special agents.
    is_picky: bool,
    /// The distance beyond touching within which pairs are found.
    margin: f32,
    /// By how much steering may have brought two agents closer together since they were sorted.
    strides: f32,
}

impl<'a> Finder<'a> {
    pub(super) fn new(context: &Context<'a>, rules: Rules<'a>, has_special: bool) -> Self {
        let regular = context.buckets.regular_radius();
        Self {
            buckets: context.buckets,
            rules,
            is_picky: has_special || !rules.matrix.is_uniform(),
            margin: SKIN * regular,
            strides: 2.0 * context.stride,
        }
    }

    /// Finds the pairs of a band and calls `solve` for each. The `positions` are those of the band's agents and of the
    /// next band's.
    pub(super) fn find(
        &self,
        band: &mut Band,
        positions: &mut [Vec2],
        mut solve: impl FnMut(&mut Pair, &mut [Vec2]),
    ) {
        clear_for(&mut band.pairs, ROOM, band.end - band.first);
        let bodies = &self.rules.bodies[band.first..];
        let mut take = |found: &mut Pairs, positions: &mut [Vec2], pairs: &mut Vec<Pair>| {
            for (one, other) in found.drain() {
                let places = [one - band.first, other - band.first];
                let [one, other] = [&bodies[places[0]], &bodies[places[1]]];
                let apart = positions[places[0]] - positions[places[1]];
                let touching = one.radius + other.radius;
                let kept_within = KEPT * touching;
                if apart.length_squared() < kept_within * kept_within
                    && !(self.is_picky && self.pass_by(one, other))
                {
                    let mut pair = Pair::new(places, touching);
                    solve(&mut pair, positions);
                    pairs.push(pair);
                }
            }
        };
        let (mut found, mut ahead) = (Pairs::new(), Ahead::new());
        let regular = self.buckets.regular_radius();
        let mut reaches = [0.0; AHEAD];
        let mut block = band.first;
        while block < band.end {
            let count = AHEAD.min(band.end - block);
            let bodies = &self.rules.bodies[block..block + count];
            for (reach, body) in reaches.iter_mut().zip(bodies) {
                *reach = body.radius.min(regular) + regular + self.margin + self.strides;
            }
            self.buckets
                .look_ahead(block, &reaches[..count], &mut ahead);
            for (number, reach) in reaches[..count].iter().enumerate() {
                let own = block + number;
                if positions[own - band.first].is_nan() {
                    // It takes no part, and an agent on a link has no coordinates from which to look ahead.
                    continue;
                }
                let runs = [
                    own + 1..ahead.own_end[number] as usize,
                    ahead.next_start[number] as usize..ahead.next_end[number] as usize,
                ];
                let near = reach - self.strides;
                self.gather(&mut found, own, runs, near * near, (band.first, positions));
                if found.count() + MOST_OF_ONE + LANES > FULL {
                    take(&mut found, positions, &mut band.pairs);
                }
            }
            block += count;
        }
        take(&mut found, positions, &mut band.pairs);
    }

    /// Pairs `own` with the agents in `runs` whose squared distance is below `reach`. The `positions` begin with place
    /// `first`.
    #[inline]
    fn gather(
        &self,
        found: &mut Pairs,
        own: usize,
        runs: [Range<usize>; 2],
        reach: f32,
        (first, positions): (usize, &[Vec2]),
    ) {
        let at = positions[own - first];
        let at = Vec4::new(at.x, at.y, at.x, at.y);
        let same = Vec4::splat(reach);
        let radii = self.buckets.radii();
        let own_radius = Vec4::splat(self.rules.bodies[own].radius + self.margin);
        let most = found.count() + MOST_OF_ONE;
        for run in runs {
            let (mut start, end) = (run.start, run.end);
            while start < end {
                let reach = if radii.is_empty() {
                    [same; 2]
                } else {
                    let touching = own_radius + Vec4::from_slice(&radii[start..start + LANES]);
                    let squared = touching * touching;
                    [squared.xxyy(), squared.zzww()]
                };
                let near = nearer(at, four(positions, start - first), reach);
                found.push(own, start, near & LANE_SETS[(end - start).min(LANES)]);
                start += LANES;
                if found.count() >= most {
                    return;
                }
            }
        }
    }

    /// Whether the band leaves this pair out: neither agent moves for the other one, or one of them is special.
    fn pass_by(&self, one: &ContactBody, other: &ContactBody) -> bool {
        one.is_special
            || other.is_special
            || self.rules.matrix.both_move(one.kind, other.kind) == [false; 2]
    }
}

/// The four positions from `start` on, two in each vector; NaN beyond the end.
#[inline(always)]
fn four(positions: &[Vec2], start: usize) -> [Vec4; 2] {
    let mut four = [Vec2::NAN; LANES];
    if let Some(all) = positions.get(start..start + LANES) {
        four.copy_from_slice(all);
    } else {
        let rest = &positions[start..];
        four[..rest.len()].copy_from_slice(rest);
    }
    let [a, b, c, d] = four;
    [Vec4::new(a.x, a.y, b.x, b.y), Vec4::new(c.x, c.y, d.x, d.y)]
}

/// A bit set of those of four positions whose squared distance from `at` is below `reach`. `at` holds one point twice,
/// and `reach` each bound twice.
#[inline(always)]
fn nearer(at: Vec4, four: [Vec4; 2], reach: [Vec4; 2]) -> u32 {
    let is_near = |half: usize| {
        let away = at - four[half];
        let squares = away * away;
        (squares + squares.yxwz()).cmplt(reach[half]).bitmask()
    };
    let (low, high) = (is_near(0), is_near(1));
    (low & 1) | (low >> 1 & 2) | (high & 1) << 2 | (high & 4) << 1
}
