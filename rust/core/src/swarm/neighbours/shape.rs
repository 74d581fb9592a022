//! How the map is cut into buckets.

use crate::grid::Grid;
use glam::{IVec2, Vec2};
use std::ops::Range;

/// How the map is cut into buckets.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Shape {
    pub(super) origin: Vec2,
    /// Width of a bucket.
    pub(super) size: f32,
    pub(super) inverse_size: f32,
    pub(super) columns: i32,
    pub(super) rows: i32,
}

impl Shape {
    /// Buckets at least `least` wide for `count` agents with radii up to `largest_radius`.
    pub(in crate::swarm) fn new(
        grid: &Grid,
        count: usize,
        largest_radius: f32,
        least: f32,
    ) -> Self {
        let (low, high) = grid.bounds();
        Self::over(low, high, count, largest_radius, least)
    }

    /// [`Self::new`] for agents in the rectangle from `low` to `high`.
    pub(in crate::swarm) fn over(
        low: Vec2,
        high: Vec2,
        count: usize,
        largest_radius: f32,
        least: f32,
    ) -> Self {
        let extent = high - low;
        let most = (4 * count).clamp(1024, 1 << 22) as f32;
        let size = (2.0 * largest_radius)
            .max(least)
            .max((extent.x * extent.y / most).sqrt())
            // For long thin maps: neither axis may have more buckets than the limit of all buckets.
            .max(extent.max_element() / most);
        let inverse_size = 1.0 / size;
        let last = (extent * inverse_size).as_ivec2();
        Self {
            origin: low,
            size,
            inverse_size,
            columns: last.x + 1,
            rows: last.y + 1,
        }
    }

    pub(in crate::swarm) fn bucket_count(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// The column and row of the bucket at a position.
    #[inline]
    pub(in crate::swarm) fn cell_of(&self, position: Vec2) -> IVec2 {
        // Truncation is as good as floor here: what is below 0 is clamped to 0 anyway.
        ((position - self.origin) * self.inverse_size)
            .as_ivec2()
            .clamp(IVec2::ZERO, IVec2::new(self.columns - 1, self.rows - 1))
    }

    #[inline]
    pub(in crate::swarm) fn bucket_of(&self, cell: IVec2) -> u32 {
        (cell.y * self.columns + cell.x) as u32
    }

    /// The runs, one for each row, that hold every agent whose centre is in the rectangle from `low` to `high`.
    /// `starts` are the starts of all buckets.
    #[inline]
    pub(in crate::swarm) fn rows_between(
        &self,
        starts: &[u32],
        low: Vec2,
        high: Vec2,
    ) -> impl Iterator<Item = Range<usize>> {
        let first = self.cell_of(low);
        let last = self.cell_of(high);
        (first.y..=last.y).map(move |row| {
            let row = row * self.columns;
            let from = starts[(row + first.x) as usize] as usize;
            let to = starts[(row + last.x) as usize + 1] as usize;
            from..to
        })
    }
}
