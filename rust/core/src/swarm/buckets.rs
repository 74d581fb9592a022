//! Agents by place: a stable counting sort into square buckets.

use super::agents::{AgentState, Agents};
use super::{AgentType, Avoidance};
use crate::grid::Grid;
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::ops::Range;

/// What steering reads of an agent, copied into bucket order so that neighbours in space are
/// neighbours in memory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placed {
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    /// Its place in the agents' columns.
    pub(super) index: u32,
    pub(super) kind: u8,
    pub(super) group: u8,
    pub(super) state: AgentState,
    pub(super) flags: u8,
}

/// All agents sorted by bucket, row by row; within a bucket by place in the columns.
///
/// A bucket is at least as wide as two of the largest agents together, so
/// whatever touches an agent is in the 3×3 buckets around it; and there are at
/// most about four buckets to an agent, so that sparse crowds on huge maps do
/// not pay for the empty space.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    valid: bool,
    origin: Vec2,
    size: f32,
    inverse_size: f32,
    columns: i32,
    rows: i32,
    largest_radius: f32,
    /// Where each bucket starts in `sorted`, and a last entry for the end.
    starts: Vec<u32>,
    sorted: Vec<Placed>,
    /// The positions in [`Self::sorted`] once more, followed by [`LANES`] entries without meaning,
    /// so that any `LANES` from an agent on can be loaded at once.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The bucket of each agent, in the order of the columns.
    bucket: Vec<u32>,
    /// The place in `sorted` of each agent, in the order of the columns.
    rank: Vec<u32>,
}

/// Agents per piece of parallel work.
const CHUNK: usize = 4096;
/// Width of a bucket as a fraction of the radius within which neighbours are avoided.
const ORCA_WIDTH: f32 = 0.7;
/// How many positions are compared at once.
pub(super) const LANES: usize = 4;

impl Buckets {
    /// Says that agents have been added, removed or moved.
    pub(super) fn invalidate(&mut self) {
        self.valid = false;
    }

    /// Sorts all agents anew if any has been added, removed or moved. What is copied of them
    /// besides their positions may be out of date.
    pub(super) fn ensure(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        workers: &Workers,
    ) {
        if !self.valid {
            self.sort(grid, agents, types, workers);
        }
    }

    /// Sorts all agents anew. O(agents + buckets).
    pub(super) fn sort(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        workers: &Workers,
    ) {
        self.valid = true;
        let count = agents.len();
        self.largest_radius = types.iter().map(|kind| kind.radius).fold(0.0, f32::max);
        self.lay_out(grid, count, orca_width(types));
        let layout = (self.origin, self.inverse_size, self.columns, self.rows);
        self.bucket.resize(count, 0);
        let positions = &agents.position;
        workers.for_each_chunk(&mut self.bucket, CHUNK, |offset, part| {
            for (bucket, &position) in part.iter_mut().zip(&positions[offset..]) {
                *bucket = bucket_of(layout, position);
            }
        });
        self.count_starts();
        self.scatter(agents);
        self.spread_positions();
    }

    fn lay_out(&mut self, grid: &Grid, count: usize, least: f32) {
        let (low, high) = grid.bounds();
        let extent = high - low;
        let most = (4 * count).clamp(1024, 1 << 22) as f32;
        let size = (2.0 * self.largest_radius)
            .max(least)
            .max((extent.x * extent.y / most).sqrt())
            // Long thin maps: neither axis may have more buckets than there are in all.
            .max(extent.max_element() / most);
        self.origin = low;
        self.size = size;
        self.inverse_size = 1.0 / size;
        let last = (extent * self.inverse_size).as_ivec2();
        self.columns = last.x + 1;
        self.rows = last.y + 1;
    }

    /// Turns the buckets' sizes into where each ends; [`Self::scatter`] then fills from the back.
    fn count_starts(&mut self) {
        self.starts.clear();
        self.starts
            .resize((self.columns * self.rows) as usize + 1, 0);
        for &bucket in &self.bucket {
            self.starts[bucket as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
    }

    fn scatter(&mut self, agents: &Agents) {
        let count = agents.len();
        self.sorted.resize(count, Placed::default());
        self.rank.resize(count, 0);
        // Backwards, so that a bucket's agents end up in ascending order and its end becomes its
        // start.
        for index in (0..count).rev() {
            let start = &mut self.starts[self.bucket[index] as usize];
            *start -= 1;
            self.rank[index] = *start;
            self.sorted[*start as usize] = Placed {
                position: agents.position[index],
                velocity: agents.velocity[index],
                index: index as u32,
                kind: agents.kind[index],
                group: agents.group[index],
                state: agents.state[index],
                flags: agents.flags[index],
            };
        }
    }

    fn spread_positions(&mut self) {
        let padded = self.sorted.len() + LANES;
        self.x.resize(padded, 0.0);
        self.y.resize(padded, 0.0);
        for ((agent, x), y) in self.sorted.iter().zip(&mut self.x).zip(&mut self.y) {
            *x = agent.position.x;
            *y = agent.position.y;
        }
    }

    /// All agents in bucket order.
    pub(super) fn sorted(&self) -> &[Placed] {
        &self.sorted
    }

    /// Coordinates in bucket order, with [`LANES`] entries without meaning at the end.
    pub(super) fn coordinates(&self) -> (&[f32], &[f32]) {
        (&self.x, &self.y)
    }

    /// The place of each agent in [`Self::sorted`], in the order of the columns.
    pub(super) fn rank(&self) -> &[u32] {
        &self.rank
    }

    /// The radius of the largest agent type.
    pub(super) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    /// The runs of [`Self::sorted`], one per row of buckets, that hold every agent whose centre is
    /// in the rectangle from `low` to `high`.
    #[inline]
    pub(super) fn rows_between(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = Range<usize>> {
        let first = self.bucket_cell(low);
        let last = self.bucket_cell(high);
        (first.y..=last.y).map(move |row| {
            let row = row * self.columns;
            let from = self.starts[(row + first.x) as usize] as usize;
            let to = self.starts[(row + last.x) as usize + 1] as usize;
            from..to
        })
    }

    /// The row of buckets at a position, and how many rows there are.
    #[inline]
    pub(super) fn rows_around(&self, position: Vec2) -> (i32, i32) {
        (self.bucket_cell(position).y, self.rows)
    }

    /// How far, along y, the agents of a row are from `y` at least. The outer rows also hold who is
    /// outside.
    #[inline]
    pub(super) fn distance_to_row(&self, row: i32, y: f32) -> f32 {
        let low = self.origin.y + row as f32 * self.size;
        let below = if row == 0 { 0.0 } else { low - y };
        let above = if row == self.rows - 1 {
            0.0
        } else {
            y - (low + self.size)
        };
        below.max(above).max(0.0)
    }

    /// The run of [`Self::sorted`] that holds every agent of a row from `low` to `high` along x.
    #[inline]
    pub(super) fn run(&self, row: i32, low: f32, high: f32) -> Range<usize> {
        let column = |x: f32| {
            let column = ((x - self.origin.x) * self.inverse_size) as i32;
            column.clamp(0, self.columns - 1)
        };
        let row = row * self.columns;
        let from = self.starts[(row + column(low)) as usize] as usize;
        let to = self.starts[(row + column(high)) as usize + 1] as usize;
        from..to
    }

    #[inline]
    fn bucket_cell(&self, position: Vec2) -> IVec2 {
        cell_of(
            (self.origin, self.inverse_size, self.columns, self.rows),
            position,
        )
    }
}

/// A good width of buckets for finding neighbours for reciprocal avoidance; 0 where nobody does.
fn orca_width(types: &[AgentType]) -> f32 {
    let avoiders = types
        .iter()
        .filter(|kind| kind.avoidance == Avoidance::Orca && kind.max_neighbours > 0);
    let reach = avoiders
        .map(|kind| kind.neighbour_radius)
        .fold(0.0, f32::max);
    ORCA_WIDTH * reach
}

type Layout = (Vec2, f32, i32, i32);

#[inline]
fn cell_of((origin, inverse_size, columns, rows): Layout, position: Vec2) -> IVec2 {
    // Truncation is as good as floor here: what is below 0 is clamped to 0 anyway.
    ((position - origin) * inverse_size)
        .as_ivec2()
        .clamp(IVec2::ZERO, IVec2::new(columns - 1, rows - 1))
}

#[inline]
fn bucket_of(layout: Layout, position: Vec2) -> u32 {
    let cell = cell_of(layout, position);
    (cell.y * layout.2 + cell.x) as u32
}
