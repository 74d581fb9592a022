//! Separation: overlapping agents push each other apart, the deeper the harder (system A, 4.3).

use super::super::AgentType;
use super::super::buckets::{Buckets, LANES};
use crate::random;
use glam::{Vec2, Vec4};

/// Agents closer than this fraction of their radii's sum have no direction to be pushed in; a
/// random one is drawn for them.
const COINCIDENT: f32 = 1.0e-3;
/// How many neighbours are gathered before their pushes are added up.
const MOST_GATHERED: usize = 64;

/// The velocity with which all its neighbours push the agent of type `kind` at place `own` in bucket
/// order, in world units a second.
///
/// `near` is scratch memory. `key` gives the seed for the push of coincident agents, for this agent in this tick.
#[inline]
pub(in super::super) fn push(
    own: usize,
    kind: &AgentType,
    types: &[AgentType],
    buckets: &Buckets,
    near: &mut Near,
    key: impl Fn() -> u64,
) -> Vec2 {
    let agents = buckets.sorted();
    let position = agents[own].position;
    let mut sum = Vec2::ZERO;
    let mut add = |near: &[u32]| {
        for &other in near {
            let other = &agents[other as usize];
            let away = position - other.position;
            let other = &types[usize::from(other.kind)];
            let touching = kind.radius + other.radius;
            let squared = away.length_squared();
            if squared >= touching * touching {
                continue;
            }
            let distance = squared.sqrt();
            let direction = if distance > COINCIDENT * touching {
                away / distance
            } else {
                random::direction(key())
            };
            let overlap = (touching - distance) / touching;
            let strength = kind.max_speed.max(other.max_speed) * kind.separation_weight;
            sum += direction * (overlap * strength);
        }
    };
    near.count = 0;
    let reach = kind.radius + buckets.largest_radius();
    let corner = Vec2::splat(reach);
    for row in buckets.rows_between(position - corner, position + corner) {
        near.gather(row, own, position, reach * reach, buckets, &mut add);
    }
    add(&near.places[..near.count]);
    sum
}

/// Agents that are close enough to matter, by their place in bucket order: memory to be used again.
pub(in super::super) struct Near {
    places: [u32; MOST_GATHERED],
    count: usize,
}

impl Default for Near {
    fn default() -> Self {
        Self {
            places: [0; MOST_GATHERED],
            count: 0,
        }
    }
}

impl Near {
    /// Gathers those of `row` that are closer to `position` than the square root of `reach`, without
    /// `own`; hands full lists to `add`.
    ///
    /// [`LANES`] agents at a time and without branches: which of them are near is a coin toss, and a
    /// wrong guess costs the processor more than the comparison.
    #[inline]
    fn gather(
        &mut self,
        row: std::ops::Range<usize>,
        own: usize,
        position: Vec2,
        reach: f32,
        buckets: &Buckets,
        add: &mut impl FnMut(&[u32]),
    ) {
        let (x, y) = buckets.coordinates();
        for first in row.clone().step_by(LANES) {
            let away_x = Vec4::splat(position.x) - Vec4::from_slice(&x[first..]);
            let away_y = Vec4::splat(position.y) - Vec4::from_slice(&y[first..]);
            let squared = away_x * away_x + away_y * away_y;
            let inside = LANE_SETS[(row.end - first).min(LANES)];
            let itself = LANE_SETS_OF_ONE[own.wrapping_sub(first).min(LANES)];
            let set = squared.cmplt(Vec4::splat(reach)).bitmask() & inside & !itself;
            let lanes = &LANE_LISTS[set as usize & 15];
            let out = &mut self.places[self.count..self.count + LANES];
            for lane in 0..LANES {
                out[lane] = first as u32 + lanes[lane];
            }
            self.count += usize::from(LANE_COUNTS[set as usize & 15]);
            if self.count > MOST_GATHERED - LANES {
                add(&self.places[..self.count]);
                self.count = 0;
            }
        }
    }
}

/// The first so many lanes.
const LANE_SETS: [u32; LANES + 1] = [0b0000, 0b0001, 0b0011, 0b0111, 0b1111];
/// One lane, or none.
const LANE_SETS_OF_ONE: [u32; LANES + 1] = [0b0001, 0b0010, 0b0100, 0b1000, 0];

/// A set of lanes as a list.
static LANE_LISTS: [[u32; LANES]; 16] = lane_lists();
static LANE_COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

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
