//! Agents sorted by position into square buckets.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::neighbours::bucket_sort::{BucketSort, Sorted};
use crate::swarm::neighbours::oversized::{OversizedAgents, regular_radius};
use crate::swarm::neighbours::shape::Shape;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// The column or row of a coordinate, at most `last`: one axis of [`Shape::cell_of`], bit for bit.
#[inline]
fn axis(at: f32, origin: f32, inverse_size: f32, last: f32) -> i32 {
    let scaled = (at - origin) * inverse_size;
    let scaled = if scaled > 0.0 { scaled } else { 0.0 };
    let scaled = if scaled < last { scaled } else { last };
    scaled as i32
}

/// The number of agents that [`Buckets::look_ahead`] processes together.
pub(in crate::swarm) const AHEAD: usize = 64;

/// The result of [`Buckets::look_ahead`].
pub(in crate::swarm) struct Ahead {
    pub(in crate::swarm) own_end: [u32; AHEAD],
    pub(in crate::swarm) next_start: [u32; AHEAD],
    pub(in crate::swarm) next_end: [u32; AHEAD],
}

impl Ahead {
    pub(in crate::swarm) fn new() -> Self {
        Self {
            own_end: [0; AHEAD],
            next_start: [0; AHEAD],
            next_end: [0; AHEAD],
        }
    }
}

/// All agents sorted by bucket, row by row, and within a bucket by their index in the columns.
///
/// A bucket is at least as wide as the diameter of the largest regular agents, so every agent that touches a regular
/// agent is in the 3×3 buckets around it, or oversized. There are at most about four buckets for each agent, so that
/// sparse crowds on huge maps do not pay for empty space.
///
/// Between steps the sort stays in use for searches: removed agents are taken out of it, and after agents have moved, the
/// copies of their positions are renewed while each stays in its bucket ([`Self::ensure`]).
#[derive(Debug, Default)]
pub(in crate::swarm) struct Buckets {
    validity: Validity,
    shape: Shape,
    largest_radius: f32,
    regular_radius: f32,
    oversized: OversizedAgents,
    /// The index in `sorted` at which each bucket starts, that of corpses at last, followed by one entry for the end.
    starts: Vec<u32>,
    sorted: Vec<SortedAgent>,
    /// The positions of [`Self::sorted`] as columns, NaN for agents on links, followed by [`LANES`] unspecified entries,
    /// so that `LANES` entries from any agent on can be loaded at once.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The radii as a column of the same form; empty if all types have the same radius.
    radius: Vec<f32>,
    /// The place in `sorted` of each agent, in the order of the columns.
    sorted_index: Vec<AtomicU32>,
    sort: BucketSort,
}

/// What has happened to the agents since the sort.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Validity {
    /// Some were added: a new sort is needed.
    #[default]
    Outdated,
    /// They have moved, or changed their types: copies may be out of date.
    Changed,
    /// The copies of positions and types are up to date. No agent is farther than this from the position by which it
    /// was sorted.
    Within(f32),
}

/// The index of an agent in [`Buckets::sorted`] that has been removed or hidden. It keeps its place until the next sort.
pub(in crate::swarm) const REMOVED: u32 = u32::MAX;

/// Computes the width of buckets for the types that a condition selects, in steps of some seconds; 0 if agents only
/// need neighbours that they touch.
pub(in crate::swarm) type BucketWidth = fn(&[AgentType], &dyn Fn(&AgentType) -> bool, f32) -> f32;

/// Agents per piece of parallel work.
const CHUNK: usize = 8192;
/// The number of positions that are compared at once.
pub(in crate::swarm) const LANES: usize = 4;
/// The least number of agents for which the order matters. Smaller crowds fit into a core's own caches in any order.
const LEAST_ORDERED: usize = 4096;
/// One in this many agents may be far from the agent before it in the columns.
const TOLERATED_STRANGERS: usize = 8;

impl Buckets {
    /// Requires a new sort, after agents were added or everything about them has changed.
    pub(in crate::swarm) fn invalidate(&mut self) {
        self.validity = Validity::Outdated;
    }

    /// Requires new copies, after agents have moved or changed their types.
    pub(in crate::swarm) fn mark_moved(&mut self) {
        if self.validity != Validity::Outdated {
            self.validity = Validity::Changed;
        }
    }

    /// Takes out the agent that is about to be removed from index `removed` of the columns; the last agent is moved
    /// there. O(1).
    pub(in crate::swarm) fn remove(&mut self, removed: usize) {
        if self.validity == Validity::Outdated {
            return;
        }
        let Some(last) = self.sorted_index.pop().map(AtomicU32::into_inner) else {
            return;
        };
        match self.sorted_index.get_mut(removed) {
            Some(place) => {
                let gone = std::mem::replace(place.get_mut(), last);
                self.sorted[gone as usize].index = REMOVED;
                let last = &mut self.sorted[last as usize];
                // A corpse stays hidden.
                if last.index != REMOVED {
                    last.index = removed as u32;
                }
            }
            None => self.sorted[last as usize].index = REMOVED,
        }
    }

    /// Hides an agent, which becomes a corpse, from searches. O(1).
    pub(in crate::swarm) fn hide(&mut self, index: usize) {
        if self.validity == Validity::Outdated {
            return;
        }
        if let Some(place) = self.sorted_index.get_mut(index) {
            self.sorted[*place.get_mut() as usize].index = REMOVED;
        }
    }

    /// Makes the buckets fit for searches with [`Self::search`] and [`Self::search_along`]. Sorts all agents anew if any
    /// was added or has moved far; otherwise renews their copied positions and types. The other copies may be out of
    /// date. O(agents) after a change, O(1) otherwise.
    pub(in crate::swarm) fn ensure(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        width_for: BucketWidth,
        workers: &Workers,
    ) {
        if self.validity == Validity::Changed {
            let farthest = self.renew_copies(agents, workers);
            // Every search visits this much more around it.
            self.validity = if farthest <= self.shape.size {
                Validity::Within(farthest)
            } else {
                Validity::Outdated
            };
        }
        if self.validity == Validity::Outdated {
            self.sort(grid, agents, types, (width_for, 0.0), workers);
        }
    }

    /// Copies the present positions and types of agents. Returns how far the farthest agent is from the position by
    /// which it was sorted.
    fn renew_copies(&mut self, agents: &Agents, workers: &Workers) -> f32 {
        // The bits of floats that are not negative are in the order of their values.
        let farthest = AtomicU32::new(0);
        let (x, y) = (&self.x, &self.y);
        workers.for_each_chunk(&mut self.sorted, CHUNK, |offset, part| {
            let mut most = 0.0_f32;
            let sorted_by = x[offset..].iter().zip(&y[offset..]);
            for (agent, (&x, &y)) in part.iter_mut().zip(sorted_by) {
                if agent.index != REMOVED {
                    agent.position = agents.position[agent.index as usize];
                    agent.kind = agents.kind[agent.index as usize];
                    let squared = agent.position.distance_squared(Vec2::new(x, y));
                    // Where an agent on a link was sorted is not known.
                    most = most.max(if squared.is_nan() {
                        f32::INFINITY
                    } else {
                        squared
                    });
                }
            }
            farthest.fetch_max(most.to_bits(), Ordering::Relaxed);
        });
        // Rounded up: the distance of a square.
        f32::from_bits(farthest.into_inner()).sqrt() * (1.0 + f32::EPSILON)
    }

    /// How far agents may be from their buckets.
    fn drift(&self) -> f32 {
        match self.validity {
            Validity::Within(distance) => distance,
            Validity::Outdated | Validity::Changed => 0.0,
        }
    }

    /// At least all agents that are now in the rectangle from `low` to `high`. Their positions and types are up to date
    /// after [`Self::ensure`].
    #[inline]
    pub(in crate::swarm) fn search(
        &self,
        low: Vec2,
        high: Vec2,
    ) -> impl Iterator<Item = &SortedAgent> {
        let drift = Vec2::splat(self.drift());
        let rows = self.rows_between(low - drift, high + drift);
        rows.flat_map(|row| &self.sorted[row])
            .filter(|agent| agent.index != REMOVED)
    }

    /// [`Self::search`] for all agents whose centres are now at most `reach` from the segment between two points.
    pub(in crate::swarm) fn search_along(
        &self,
        from: Vec2,
        to: Vec2,
        reach: f32,
    ) -> impl Iterator<Item = &SortedAgent> {
        let rows = self.rows_along(from, to, reach + self.drift());
        rows.flat_map(|row| &self.sorted[row])
            .filter(|agent| agent.index != REMOVED)
    }

    /// The width of a bucket.
    pub(in crate::swarm) fn width(&self) -> f32 {
        self.shape.size
    }

    /// Sorts all agents anew for a step of `dt` seconds. O(agents + buckets).
    pub(in crate::swarm) fn sort(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        (width_for, dt): (BucketWidth, f32),
        workers: &Workers,
    ) {
        self.validity = Validity::Within(0.0);
        let count = agents.len();
        self.largest_radius = types.iter().map(|kind| kind.radius).fold(0.0, f32::max);
        self.regular_radius = regular_radius(agents, types);
        let is_regular = |kind: &AgentType| kind.radius <= self.regular_radius;
        let width = width_for(types, &is_regular, dt);
        self.shape = Shape::new(grid, count, self.regular_radius, width);
        let buckets = self.shape.bucket_count();
        self.starts.resize(buckets + 2, 0);
        self.sorted.resize(count, SortedAgent::default());
        self.x.resize(count + LANES, 0.0);
        self.y.resize(count + LANES, 0.0);
        self.sorted_index.resize_with(count, AtomicU32::default);
        let sorted = Sorted {
            starts: &mut self.starts[..=buckets],
            placed: &mut self.sorted,
            x: &mut self.x[..count],
            y: &mut self.y[..count],
            sorted_index: &self.sorted_index,
        };
        self.sort.run(&self.shape, agents, sorted, workers);
        self.starts[buckets + 1] = count as u32;
        self.note_sizes(grid, types, width_for, workers);
    }

    /// Finds oversized agents and fills the column of radii, unless all radii are the same.
    fn note_sizes(
        &mut self,
        grid: &Grid,
        types: &[AgentType],
        width_for: BucketWidth,
        workers: &Workers,
    ) {
        self.radius.clear();
        self.oversized.clear();
        if types
            .windows(2)
            .all(|pair| pair[0].radius == pair[1].radius)
        {
            return;
        }
        self.radius.resize(self.sorted.len() + LANES, 0.0);
        let radii = &mut self.radius[..self.sorted.len()];
        workers.for_each_chunk(radii, CHUNK, |offset, part| {
            for (radius, agent) in part.iter_mut().zip(&self.sorted[offset..]) {
                *radius = types[usize::from(agent.kind)].radius;
            }
        });
        if self.regular_radius < self.largest_radius {
            let is_oversized = |kind: &AgentType| kind.radius > self.regular_radius;
            let width = width_for(types, &is_oversized, 0.0);
            let living = &self.sorted[..self.living()];
            self.oversized
                .find(grid, living, types, self.regular_radius, width);
        }
    }

    /// Whether so many agents are far from those before them in the columns that steering would
    /// wait for memory.
    pub(in crate::swarm) fn is_disordered(&self) -> bool {
        self.sorted.len() >= LEAST_ORDERED
            && self.sort.strangers() > self.sorted.len() / TOLERATED_STRANGERS
    }

    /// Updates the indices after the columns were reordered into bucket order.
    pub(in crate::swarm) fn agents_are_in_order(&mut self) {
        for (place, (agent, sorted_index)) in self
            .sorted
            .iter_mut()
            .zip(&mut self.sorted_index)
            .enumerate()
        {
            agent.index = place as u32;
            *sorted_index.get_mut() = place as u32;
        }
    }

    /// The number of agents that are not corpses. They come first in bucket order.
    pub(in crate::swarm) fn living(&self) -> usize {
        self.starts[self.shape.bucket_count()] as usize
    }

    /// All agents in bucket order.
    pub(in crate::swarm) fn sorted(&self) -> &[SortedAgent] {
        &self.sorted
    }

    /// The coordinates in bucket order, NaN for agents that no other perceives, followed by [`LANES`] unspecified
    /// entries.
    pub(in crate::swarm) fn coordinates(&self) -> (&[f32], &[f32]) {
        (&self.x, &self.y)
    }

    /// The place of each agent in [`Self::sorted`], in the order of the columns.
    pub(in crate::swarm) fn sorted_index(&self) -> &[AtomicU32] {
        &self.sorted_index
    }

    /// The radii in bucket order, followed by [`LANES`] unspecified entries; empty if all types have the same radius.
    pub(in crate::swarm) fn radii(&self) -> &[f32] {
        &self.radius
    }

    /// The radius of the largest agent type.
    pub(in crate::swarm) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    /// The radius of the largest agents that are not oversized.
    pub(in crate::swarm) fn regular_radius(&self) -> f32 {
        self.regular_radius
    }

    /// The oversized agents.
    pub(in crate::swarm) fn oversized(&self) -> &OversizedAgents {
        &self.oversized
    }

    /// For agents from place `first` on, finds the runs of later agents in bucket order that may be nearer than
    /// `reach`, which is at most a bucket's width: the end of the run in the agent's own row, and the run in the next
    /// row. These are plain loops over arrays, which the compiler turns into vector instructions.
    #[inline]
    pub(in crate::swarm) fn look_ahead(&self, first: usize, reach: &[f32], ahead: &mut Ahead) {
        let count = reach.len().min(AHEAD);
        let shape = &self.shape;
        let last = Vec2::new((shape.columns - 1) as f32, (shape.rows - 1) as f32);
        let end = shape.bucket_count() as i32;
        let (reach, x, y) = (
            &reach[..count],
            &self.x[first..first + count],
            &self.y[first..first + count],
        );
        let Ahead {
            own_end,
            next_start,
            next_end,
        } = ahead;
        let (own_end, next_start, next_end) = (
            &mut own_end[..count],
            &mut next_start[..count],
            &mut next_end[..count],
        );
        for number in 0..count {
            let column = |x| axis(x, shape.origin.x, shape.inverse_size, last.x);
            let left = column(x[number] - reach[number]);
            let right = column(x[number] + reach[number]);
            let row = axis(y[number], shape.origin.y, shape.inverse_size, last.y);
            let (own_row, next_row) = (row * shape.columns, (row + 1) * shape.columns);
            own_end[number] = (own_row + right + 1) as u32;
            // There are no agents after the last row.
            next_start[number] = (next_row + left).min(end) as u32;
            next_end[number] = (next_row + right + 1).min(end) as u32;
        }
        for list in [own_end, next_start, next_end] {
            for place in list {
                *place = self.starts[*place as usize];
            }
        }
    }

    /// The first place of a regular agent that may touch an agent from place `first` on.
    pub(in crate::swarm) fn first_near(&self, first: usize) -> usize {
        let Some(agent) = self.sorted.get(first) else {
            return first;
        };
        let cell = self.shape.cell_of(agent.position);
        // A bucket more for rounding.
        let column = (cell.x - 2).max(0);
        let bucket = self
            .shape
            .bucket_of(IVec2::new(column, (cell.y - 1).max(0)));
        self.starts[bucket as usize] as usize
    }

    /// The runs of [`Self::sorted`], one per row of buckets, that hold every agent whose centre is
    /// in the rectangle from `low` to `high`.
    #[inline]
    pub(in crate::swarm) fn rows_between(
        &self,
        low: Vec2,
        high: Vec2,
    ) -> impl Iterator<Item = Range<usize>> {
        self.shape.rows_between(&self.starts, low, high)
    }

    /// Calls `change` on all threads with pieces of the copies in bucket order, which it may change except for
    /// positions.
    pub(in crate::swarm) fn change(
        &mut self,
        workers: &Workers,
        change: impl Fn(PlacedPiece<'_>) + Sync + Send,
    ) {
        let length = workers.piece_length(self.sorted.len(), CHUNK);
        let (shape, starts) = (&self.shape, &self.starts);
        workers.for_each_chunk(&mut self.sorted, length, |first, agents| {
            change(PlacedPiece {
                shape,
                starts,
                first,
                agents,
            });
        });
    }

    /// The runs of [`Self::sorted`], row by row, that hold every agent whose centre is at most `reach` from
    /// the segment between two points.
    fn rows_along(&self, from: Vec2, to: Vec2, reach: f32) -> impl Iterator<Item = Range<usize>> {
        // An agent on the edge of a bucket may be in either.
        let reach = reach + 0.01 * self.shape.size;
        let corner = Vec2::splat(reach);
        let first = self.shape.cell_of(from.min(to) - corner).y;
        let last = self.shape.cell_of(from.max(to) + corner).y;
        let [start, end] = [from.as_dvec2(), to.as_dvec2()];
        (first..=last).map(move |row| {
            let low = self.shape.origin.y + row as f32 * self.shape.size;
            let high = low + self.shape.size;
            // The outer rows also hold the agents outside of the grid.
            let low = if row == 0 { f32::NEG_INFINITY } else { low };
            let is_last = row == self.shape.rows - 1;
            let high = if is_last { f32::INFINITY } else { high };
            let height = end.y - start.y;
            let x_at = |y: f32| {
                let share = (f64::from(y) - start.y) / height;
                start.x + (end.x - start.x) * share.clamp(0.0, 1.0)
            };
            let (one, other) = if height == 0.0 {
                (start.x, end.x)
            } else {
                (x_at(low - reach), x_at(high + reach))
            };
            let [left, right] = [one.min(other) as f32 - reach, one.max(other) as f32 + reach]
                .map(|x| self.shape.cell_of(Vec2::new(x, 0.0)).x);
            self.run(row, left, right)
        })
    }

    /// The number of rows of buckets.
    pub(in crate::swarm) fn row_count(&self) -> usize {
        self.shape.rows as usize
    }

    /// The place of the first agent in a row of buckets; the number of agents for the row after the last one.
    pub(in crate::swarm) fn row_start(&self, row: usize) -> usize {
        self.starts[row * self.shape.columns as usize] as usize
    }

    /// The row of buckets at a coordinate.
    #[inline]
    pub(in crate::swarm) fn row_at(&self, y: f32) -> i32 {
        self.shape.cell_of(Vec2::new(self.shape.origin.x, y)).y
    }

    /// The buckets that hold every agent whose centre is in the rectangle from `low` to `high`.
    #[inline]
    pub(in crate::swarm) fn cells_between(&self, low: Vec2, high: Vec2) -> Cells {
        Cells {
            low: self.shape.cell_of(low),
            high: self.shape.cell_of(high),
        }
    }

    /// The run of [`Self::sorted`] in a row of buckets from column `first` to column `last`.
    #[inline]
    pub(in crate::swarm) fn run(&self, row: i32, first: i32, last: i32) -> Range<usize> {
        let row = row * self.shape.columns;
        let from = self.starts[(row + first) as usize] as usize;
        let to = self.starts[(row + last) as usize + 1] as usize;
        from..to
    }
}

/// A rectangle of buckets by column and row, both ends included.
pub(in crate::swarm) struct Cells {
    pub(in crate::swarm) low: IVec2,
    pub(in crate::swarm) high: IVec2,
}

/// Consecutive agents in bucket order.
pub(in crate::swarm) struct PlacedPiece<'a> {
    shape: &'a Shape,
    starts: &'a [u32],
    /// The place of the first of them.
    first: usize,
    agents: &'a mut [SortedAgent],
}

impl PlacedPiece<'_> {
    /// Visits at least all agents of the piece whose centres are in the rectangle from `low` to `high`.
    pub(in crate::swarm) fn for_each_between(
        &mut self,
        low: Vec2,
        high: Vec2,
        mut visit: impl FnMut(&mut SortedAgent),
    ) {
        for row in self.shape.rows_between(self.starts, low, high) {
            let row = within(row, self.first, self.agents.len());
            self.agents[row].iter_mut().for_each(&mut visit);
        }
    }
}

/// The part of a run in the `count` places from `first` on, relative to `first`.
#[inline]
pub(in crate::swarm) fn within(run: Range<usize>, first: usize, count: usize) -> Range<usize> {
    let start = run.start.clamp(first, first + count) - first;
    let end = run.end.clamp(first, first + count) - first;
    start..end
}
