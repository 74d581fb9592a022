//! Separation: overlapping agents push each other apart, the deeper the harder (system A, 4.3).

use super::super::buckets::{Buckets, LANES, Placed};
use super::super::{AgentType, Avoidance};
use crate::random;
use glam::{Vec2, Vec4};
use std::ops::Range;

/// Agents closer than this fraction of their radii's sum have no direction to be pushed in; a
/// random one is drawn for them.
const COINCIDENT: f32 = 1.0e-3;
/// How many pairs of neighbours are gathered before their pushes are added up.
const MOST_PAIRS: usize = 1024;

/// What tells agents how to keep apart.
pub(in super::super) struct Separation<'a, Key> {
    pub(in super::super) types: &'a [AgentType],
    pub(in super::super) buckets: &'a Buckets,
    /// Whether not all types have the same mass.
    pub(in super::super) masses_differ: bool,
    /// The seed for the push of coincident agents, for this agent in this tick.
    pub(in super::super) key: Key,
}

impl<Key: Fn(&Placed) -> u64> Separation<'_, Key> {
    /// Adds to `pushes` the velocity, in world units a second, with which all its neighbours push
    /// each agent from place `first` in bucket order on, apart from those that `stands_apart`.
    ///
    /// Who is near whom is a coin toss, and a wrong guess costs the processor more than a push. So
    /// pairs are gathered first, without branches, and then pushed in one long loop.
    pub(in super::super) fn push(
        &self,
        first: usize,
        pushes: &mut [Vec2],
        stands_apart: impl Fn(&Placed) -> bool,
    ) {
        let mut pairs = Pairs {
            one: [0; MOST_PAIRS],
            other: [0; MOST_PAIRS],
            count: 0,
        };
        for own in first..first + pushes.len() {
            let agent = &self.buckets.sorted()[own];
            let kind = &self.types[usize::from(agent.kind)];
            let is_pushed = kind.avoidance == Avoidance::Separation && kind.separation_weight > 0.0;
            if !is_pushed || stands_apart(agent) {
                continue;
            }
            let reach = kind.radius + self.buckets.largest_radius();
            let corner = Vec2::splat(reach);
            let (low, high) = (agent.position - corner, agent.position + corner);
            for row in self.buckets.rows_between(low, high) {
                self.gather(&mut pairs, own, row, reach * reach, |pairs| {
                    self.add(pairs, first, pushes);
                });
            }
        }
        self.add(&mut pairs, first, pushes);
    }

    /// Gathers those of `row` that are closer to `own` than the square root of `reach`, [`LANES`] at
    /// a time; hands full lists to `flush`.
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
            if pairs.count > MOST_PAIRS - LANES {
                flush(pairs);
            }
            first += LANES;
            if first >= row.end {
                break;
            }
        }
    }

    /// Adds the pushes of all `pairs`, in their order, and empties the list.
    fn add(&self, pairs: &mut Pairs, first: usize, pushes: &mut [Vec2]) {
        let agents = self.buckets.sorted();
        let count = std::mem::take(&mut pairs.count);
        for (&own, &other) in pairs.one[..count].iter().zip(&pairs.other[..count]) {
            let (agent, other) = (&agents[own as usize], &agents[other as usize]);
            let kind = &self.types[usize::from(agent.kind)];
            let other_kind = &self.types[usize::from(other.kind)];
            let away = agent.position - other.position;
            let touching = kind.radius + other_kind.radius;
            let squared = away.length_squared();
            if squared >= touching * touching {
                continue;
            }
            let distance = squared.sqrt();
            let direction = if distance > COINCIDENT * touching {
                away / distance
            } else {
                random::direction((self.key)(agent))
            };
            let overlap = (touching - distance) / touching;
            let speed = kind.max_speed.max(other_kind.max_speed);
            let mut strength = overlap * speed * kind.separation_weight;
            if self.masses_differ {
                strength *= share_of_push(kind.mass, other_kind.mass);
            }
            pushes[own as usize - first] += direction * strength;
        }
    }
}

/// How much of a push moves an agent of mass `own` away from one of mass `other`: 1 for equals. What both
/// do adds up to 2 whatever their masses, so that pairs part as fast.
#[inline]
fn share_of_push(own: f32, other: f32) -> f32 {
    2.0 * other / (own + other)
}

/// Agents and their neighbours, by their places in bucket order.
struct Pairs {
    one: [u32; MOST_PAIRS],
    other: [u32; MOST_PAIRS],
    count: usize,
}

impl Pairs {
    /// Pairs `own` with the `set` of lanes from `first` on.
    #[inline]
    fn push(&mut self, own: usize, first: usize, set: u32) {
        let lanes = &LANE_LISTS[set as usize & 15];
        let one = &mut self.one[self.count..self.count + LANES];
        let other = &mut self.other[self.count..self.count + LANES];
        for lane in 0..LANES {
            one[lane] = own as u32;
            other[lane] = first as u32 + lanes[lane];
        }
        self.count += usize::from(LANE_COUNTS[set as usize & 15]);
    }
}

/// The first so many lanes.
pub(super) const LANE_SETS: [u32; LANES + 1] = [0b0000, 0b0001, 0b0011, 0b0111, 0b1111];
/// One lane, or none.
pub(super) const LANE_SETS_OF_ONE: [u32; LANES + 1] = [0b0001, 0b0010, 0b0100, 0b1000, 0];

/// A set of lanes as a list.
pub(super) static LANE_LISTS: [[u32; LANES]; 16] = lane_lists();
pub(super) static LANE_COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

const fn lane_lists() -> [[u32; LANES]; 16] {
    let mut lists = [[0; LANES]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut count, mut lane) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                lists[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    lists
}
