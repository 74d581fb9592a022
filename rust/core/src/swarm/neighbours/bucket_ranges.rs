//! Which runs of agents in bucket order are in a rectangle or along a line, and searches in them.

use crate::swarm::neighbours::buckets::{Buckets, REMOVED};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use glam::{DVec2, IVec2, Vec2};
use std::ops::Range;

/// A rectangle of buckets by column and row, both ends included.
pub(in crate::swarm) struct Cells {
    pub(in crate::swarm) low: IVec2,
    pub(in crate::swarm) high: IVec2,
}

impl Buckets {
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
        (from, to): (DVec2, DVec2),
        reach: f32,
    ) -> impl Iterator<Item = &SortedAgent> {
        let rows = self.rows_along((from, to), reach + self.drift());
        rows.flat_map(|row| &self.sorted[row])
            .filter(|agent| agent.index != REMOVED)
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

    /// The runs of [`Self::sorted`], row by row, that hold every agent whose centre is at most `reach` from
    /// the segment between two points.
    fn rows_along(
        &self,
        (start, end): (DVec2, DVec2),
        reach: f32,
    ) -> impl Iterator<Item = Range<usize>> {
        // An agent on the edge of a bucket may be in either.
        let reach = reach + 0.01 * self.shape.size;
        let first = self.row_at(start.y.min(end.y) as f32 - reach);
        let last = self.row_at(start.y.max(end.y) as f32 + reach);
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
