//! Agents sorted by position into square buckets: the sort's result.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::neighbours::bucket_sort::{BucketSort, Sorted};
use crate::swarm::neighbours::oversized::{OversizedAgents, regular_radius};
use crate::swarm::neighbours::shape::Shape;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::IVec2;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

/// All agents sorted by bucket, row by row, and within a bucket by their index in the columns.
///
/// A bucket is at least as wide as the diameter of the largest regular agents, so every agent that touches a regular
/// agent is in the 3×3 buckets around it, or oversized. There are at most about four buckets for each agent, so that
/// sparse crowds on huge maps do not pay for empty space.
///
/// Between steps the sort stays in use for searches: removed agents are taken out of it, and after agents have moved,
/// the copies of their positions are renewed while each stays in its bucket ([`Self::ensure`]).
#[derive(Debug, Default)]
pub(in crate::swarm) struct Buckets {
    pub(super) validity: Validity,
    pub(super) shape: Shape,
    largest_radius: f32,
    regular_radius: f32,
    oversized: OversizedAgents,
    /// The index in `sorted` at which each bucket starts, that of corpses at last, followed by one entry for the end.
    pub(super) starts: Vec<u32>,
    pub(super) sorted: Vec<SortedAgent>,
    /// The positions of [`Self::sorted`] as columns, NaN for agents on links, followed by [`LANES`] unspecified
    /// entries, so that `LANES` entries from any agent on can be loaded at once.
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    /// The radii as a column of the same form; empty if all types have the same radius.
    radius: Vec<f32>,
    /// The place in `sorted` of each agent, in the order of the columns.
    pub(super) sorted_index: Vec<AtomicU32>,
    sort: BucketSort,
}

/// What has happened to the agents since the sort.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Validity {
    /// Some were added: a new sort is needed.
    #[default]
    Outdated,
    /// They have moved, or changed their types: copies may be out of date.
    Changed,
    /// The copies of positions and types are up to date. No agent is farther than this from the position by which it
    /// was sorted.
    Within(f32),
}

/// The index of an agent in [`Buckets::sorted`] that has been removed or hidden. It keeps its place until the next
/// sort.
pub(super) const REMOVED: u32 = u32::MAX;

/// Computes the width of buckets for the types that a condition selects, in steps of some seconds; 0 if agents only
/// need neighbours that they touch.
pub(in crate::swarm) type BucketWidth = fn(&[AgentType], &dyn Fn(&AgentType) -> bool, f32) -> f32;

/// Agents per piece of parallel work.
pub(super) const CHUNK: usize = 8192;
/// The number of positions that are compared at once.
pub(in crate::swarm) const LANES: usize = 4;
/// The least number of agents for which the order matters. Smaller crowds fit into a core's own caches in any order.
const LEAST_ORDERED: usize = 4096;
/// One in this many agents may be far from the agent before it in the columns.
const TOLERATED_STRANGERS: usize = 8;

impl Buckets {
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

    /// Calls `visit` for each bucket with at least `least` agents, with its column and row and the places of its
    /// agents. The places `within` are those of whole buckets.
    pub(in crate::swarm) fn for_each_crowded(
        &self,
        within: Range<usize>,
        least: u32,
        mut visit: impl FnMut(IVec2, Range<usize>),
    ) {
        /// Buckets that are looked at together, as most are not crowded.
        const TOGETHER: usize = 8;
        let bucket_at = |place: usize| {
            let cell = self.shape.cell_of(self.sorted[place].position);
            self.shape.bucket_of(cell) as usize
        };
        let (first, last) = (bucket_at(within.start), bucket_at(within.end - 1));
        let is_crowded = |bounds: &[u32]| bounds[1] - bounds[0] >= least;
        for start in (first..=last).step_by(TOGETHER) {
            let end = (start + TOGETHER).min(last + 1);
            let bounds = self.starts[start..=end].windows(2);
            // Without a branch for each bucket.
            if !bounds
                .clone()
                .fold(false, |any, bounds| any | is_crowded(bounds))
            {
                continue;
            }
            for (bucket, bounds) in (start..).zip(bounds) {
                if is_crowded(bounds) {
                    let bucket = bucket as i32;
                    let cell = IVec2::new(bucket % self.shape.columns, bucket / self.shape.columns);
                    visit(cell, bounds[0] as usize..bounds[1] as usize);
                }
            }
        }
    }

    /// The places of the agents in the bucket at a column and row; none outside of the map.
    #[inline]
    pub(in crate::swarm) fn agents_of(&self, cell: IVec2) -> Range<usize> {
        let size = IVec2::new(self.shape.columns, self.shape.rows);
        if cell.cmplt(IVec2::ZERO).any() || cell.cmpge(size).any() {
            return 0..0;
        }
        let bucket = self.shape.bucket_of(cell) as usize;
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
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
}
