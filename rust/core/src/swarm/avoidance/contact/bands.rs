//! Bands of rows of buckets, and the pairs of agents in them that may touch.

use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::avoidance::contact::near_walls::NearWall;
use crate::swarm::avoidance::contact::others::OtherPair;
use crate::swarm::avoidance::contact::pair::{Pair, Rules};
use crate::swarm::avoidance::contact::{Contacts, SKIN};
use crate::swarm::neighbours::buckets::{AHEAD, Ahead, Buckets, LANES};
use crate::swarm::neighbours::pairs::{FULL, LANE_SETS, Pairs};
use crate::swarm::step::context::Context;
use crate::workers::Workers;
use glam::{Vec2, Vec4, Vec4Swizzles};
use std::ops::Range;

/// A band has at least so many agents, or rows, unless it is the last.
const LEAST_AGENTS: usize = 256;
const MOST_ROWS: usize = 8;
/// Pairs within this multiple of touching are kept: others do not come to touch while the solver works.
const KEPT: f32 = 1.1;
/// The most pairs that one agent is the first of. Discs that do not overlap have fewer than half of it; agents that
/// are all at one place part step by step.
const MOST_OF_ONE: usize = 32;

/// For how many pairs of each agent there is room before more is needed: discs side by side have three.
const ROOM: usize = 5;

/// Consecutive rows of buckets. Its pairs reach into the row after them.
#[derive(Debug, Default)]
pub(super) struct Band {
    /// The places of its first agent and of the next band's.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Pairs that may touch, in ascending order.
    pub(super) pairs: Vec<Pair>,
    /// Pairs of its own agents, row by row of each outline, with those of other swarms.
    pub(super) others: Vec<OtherPair>,
    pub(super) near_walls: Vec<NearWall>,
}

/// Empties a band's list and makes room in it for so many entries of each agent: when there is too little, for twice as
/// many, so that a crowd that changes its shape hardly ever needs more.
pub(super) fn clear_for<T>(list: &mut Vec<T>, of_each: usize, agents: usize) {
    list.clear();
    let entries = of_each * agents.max(2 * LEAST_AGENTS);
    if list.capacity() < entries {
        list.reserve(2 * entries);
    }
}

impl Contacts {
    /// Cuts the rows of buckets into bands, by where agents are alone.
    pub(super) fn cut_bands(&mut self, buckets: &Buckets) {
        let rows = buckets.row_count();
        let mut count = 0;
        let mut row = 0;
        while row < rows {
            let first = buckets.row_start(row);
            let mut end_row = row + 1;
            while end_row < rows
                && end_row - row < MOST_ROWS
                && buckets.row_start(end_row) - first < LEAST_AGENTS
            {
                end_row += 1;
            }
            let end = buckets.row_start(end_row);
            if end > first {
                if count == self.bands.len() {
                    self.add_bands();
                }
                let band = &mut self.bands[count];
                (band.first, band.end) = (first, end);
                count += 1;
            }
            row = end_row;
        }
        self.band_count = count;
    }

    /// Adds a few bands with room in them: a crowd that spreads needs one more now and then.
    fn add_bands(&mut self) {
        let more = 4 + self.bands.len() / 8;
        self.bands.extend((0..more).map(|_| {
            let mut band = Band::default();
            clear_for(&mut band.pairs, ROOM, 0);
            clear_for(&mut band.near_walls, 1, 0);
            band
        }));
    }
}

/// Calls `task` for every band with the `items` of the agents in it. Halves the work, which needs no memory for a list of
/// pieces.
pub(super) fn for_each_band<T: Send>(
    bands: &mut [Band],
    items: &mut [T],
    offset: usize,
    workers: &Workers,
    task: &(impl Fn(&mut Band, &mut [T]) + Sync),
) {
    const LEAF: usize = 4;
    if bands.len() <= LEAF {
        for band in bands {
            let range = band.first - offset..band.end - offset;
            task(band, &mut items[range]);
        }
        return;
    }
    let (one, two) = bands.split_at_mut(bands.len() / 2);
    let start = two[0].first;
    let (own, others) = items.split_at_mut(start - offset);
    workers.join(
        || for_each_band(one, own, offset, workers, task),
        || for_each_band(two, others, start, workers, task),
    );
}

/// What finds the pairs of a band.
pub(super) struct Finder<'a> {
    buckets: &'a Buckets,
    rules: Rules<'a>,
    /// Whether each pair has to be looked at: there are masks, or agents that bands have no place for.
    is_picky: bool,
    /// How far beyond touching pairs are looked for.
    margin: f32,
    /// How much nearer two agents may be after steering than in their buckets.
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

    /// Finds the pairs of a band whose agents, and those of the next band, are at `positions`, and calls `solve` for
    /// each with the positions.
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

    /// Pairs `own` with those in `runs` that are closer to it than the square root of `reach`. The `positions` are those
    /// from place `first` on.
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

    /// Whether neither of two agents moves for the other one in its band.
    fn pass_by(&self, one: &ContactBody, other: &ContactBody) -> bool {
        one.is_special
            || other.is_special
            || self.rules.matrix.both_move(one.kind, other.kind) == [false; 2]
    }
}

/// The positions from `start` on, two by two; of those that there are not, no numbers.
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

/// Which of four positions are nearer to `at`, twice the same, than the square roots of `reach`, each twice.
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
