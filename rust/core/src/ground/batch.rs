//! How things stand at many places of a layer.
//!
//! The numbers of a batch lie in arrays, one for each number of a place, so that one instruction computes several
//! places. The heights of corners are gathered one place at a time, four corners in a row with one instruction; what is
//! left to compute along x is then transposed.

use crate::ground::Ground;
use crate::ground::block::{Block, EDGE, ROW, lerp};
use crate::ground::heights::Heights;
use glam::{Mat4, Vec2, Vec4};

/// The greatest number of places in a batch.
pub(crate) const BATCH: usize = 32;

/// How many of them one instruction computes.
pub(crate) const GROUP: usize = 4;

/// A number of each place.
pub(crate) type Lanes = [f32; BATCH];
/// Nothing for each place.
pub(crate) const ZEROS: Lanes = [0.0; BATCH];

/// Places of a layer, and how things stand there.
pub(crate) struct GroundBatch {
    /// The places, in world units. All of them must be finite.
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    /// See [`Ground::standing_height`], from which it may differ by rounding.
    pub(crate) height: Lanes,
    /// The rise for each unit of distance: see [`Ground::standing`].
    pub(crate) rise_x: Lanes,
    pub(crate) rise_y: Lanes,
}

impl Default for GroundBatch {
    fn default() -> Self {
        Self {
            x: ZEROS,
            y: ZEROS,
            height: ZEROS,
            rise_x: ZEROS,
            rise_y: ZEROS,
        }
    }
}

impl Ground {
    /// Finds the heights of the first `count` places of a batch. False, and nothing is written, if the layer has none.
    pub(crate) fn find_heights(&self, layer: u32, batch: &mut GroundBatch, count: usize) -> bool {
        let Some(heights) = self.layer(layer) else {
            return false;
        };
        let mut spots = Spots::new(heights, batch);
        let mut columns = [Vec4::ZERO; BATCH];
        spots.gather(heights, batch, count, |at, spots, block| {
            let first = spots.corner[at] as usize;
            // One check of bounds for both rows.
            let rows = &block.heights()[first..first + ROW + GROUP];
            columns[at] = lerp(corners(rows), corners(&rows[ROW..]), spots.share_y[at]);
        });
        for at in (0..BATCH).step_by(GROUP) {
            let [left, right, ..] = lanes(&columns, at);
            let share = Vec4::from_slice(&spots.share_x[at..]);
            lerp(left, right, share).write_to_slice(&mut batch.height[at..]);
        }
        true
    }

    /// [`Self::find_heights`], and the rises.
    pub(crate) fn find_rises(&self, layer: u32, batch: &mut GroundBatch, count: usize) -> bool {
        let Some(heights) = self.layer(layer) else {
            return false;
        };
        let mut spots = Spots::new(heights, batch);
        // At the y of each place, on the sides of its cell and of those before and after along x: the heights, and the
        // rises along y.
        let mut columns = [Vec4::ZERO; BATCH];
        let mut rises = [Vec4::ZERO; BATCH];
        spots.gather(heights, batch, count, |at, spots, block| {
            let first = spots.corner[at] as usize - ROW - 1;
            // One check of bounds for all rows.
            let rows = &block.heights()[first..first + 3 * ROW + GROUP];
            let row = |number: usize| corners(&rows[number * ROW..]);
            let y = spots.share_y[at];
            columns[at] = lerp(row(1), row(2), y);
            // The nearest row.
            let near = if y >= 0.5 { 2 } else { 1 };
            let (before, nearest, after) = (row(near - 1), row(near), row(near + 1));
            let past = y + 1.5 - near as f32;
            rises[at] = lerp(nearest - before, after - nearest, past);
        });
        let per_unit = 1.0 / heights.grid().cell_size();
        let half = Vec4::splat(0.5);
        for at in (0..BATCH).step_by(GROUP) {
            let x = Vec4::from_slice(&spots.share_x[at..]);
            let [before, left, right, after] = lanes(&columns, at);
            lerp(left, right, x).write_to_slice(&mut batch.height[at..]);
            // The rise is linear between the centres of cells.
            let share_before = (half - x).max(Vec4::ZERO);
            let share_after = (x - half).max(Vec4::ZERO);
            let share_own = Vec4::ONE - share_before - share_after;
            let rise = (left - before) * share_before
                + (right - left) * share_own
                + (after - right) * share_after;
            (rise * per_unit).write_to_slice(&mut batch.rise_x[at..]);
            let [_, left, right, _] = lanes(&rises, at);
            (lerp(left, right, x) * per_unit).write_to_slice(&mut batch.rise_y[at..]);
        }
        true
    }
}

/// The heights of the first four corners of a row.
#[inline]
fn corners(row: &[f32]) -> Vec4 {
    Vec4::from_slice(row)
}

/// Each component of the vectors of four places, from place `at` on.
#[inline]
fn lanes(places: &[Vec4; BATCH], at: usize) -> [Vec4; GROUP] {
    let [a, b, c, d] = [0, 1, 2, 3].map(|next| places[at + next]);
    let lanes = Mat4::from_cols(a, b, c, d).transpose();
    [lanes.x_axis, lanes.y_axis, lanes.z_axis, lanes.w_axis]
}

/// The cells in which the places of a batch are.
struct Spots {
    /// The square of cells, as the index of its block.
    square: [u32; BATCH],
    /// The index of the lower corner of the cell in the block.
    corner: [u32; BATCH],
    /// The coordinates in the cell, 0..=1.
    share_x: Lanes,
    share_y: Lanes,
}

impl Spots {
    #[inline]
    fn new(heights: &Heights, batch: &GroundBatch) -> Self {
        let mut spots = Self {
            square: [0; BATCH],
            corner: [0; BATCH],
            share_x: ZEROS,
            share_y: ZEROS,
        };
        let (grid, squares) = (heights.grid(), heights.squares_in_row());
        let (origin, size) = (grid.origin(), grid.size());
        let per_unit = 1.0 / grid.cell_size();
        let edge = EDGE.cast_unsigned();
        for at in 0..BATCH {
            let (x, share_x) = cell_of((batch.x[at] - origin.x) * per_unit, size.x);
            let (y, share_y) = cell_of((batch.y[at] - origin.y) * per_unit, size.y);
            spots.square[at] = y / edge * squares + x / edge;
            spots.corner[at] = (y % edge + 1) * ROW as u32 + x % edge + 1;
            (spots.share_x[at], spots.share_y[at]) = (share_x, share_y);
        }
        spots
    }

    /// Calls `take` for each of the first `count` places, with the block in which its cell is.
    #[inline]
    fn gather(
        &mut self,
        heights: &Heights,
        batch: &GroundBatch,
        count: usize,
        mut take: impl FnMut(usize, &Self, &Block),
    ) {
        let mut last = None;
        for at in 0..count.min(BATCH) {
            let square = self.square[at];
            let (block, is_own) = match last {
                Some((known, block, is_own)) if known == square => (block, is_own),
                _ => {
                    // A layer with heights has a block for each square.
                    let Some((block, is_own)) = heights.block_of(square) else {
                        continue;
                    };
                    last = Some((square, block, is_own));
                    (block, is_own)
                }
            };
            if !is_own {
                self.move_into(
                    block,
                    at,
                    heights.nearest_point(Vec2::new(batch.x[at], batch.y[at])),
                );
            }
            take(at, self, block);
        }
    }

    /// Moves a place of a square without heights to the nearest point of the block near it.
    #[cold]
    fn move_into(&mut self, block: &Block, at: usize, point: Vec2) {
        let spot = block.spot(point);
        self.corner[at] = spot.corner as u32;
        (self.share_x[at], self.share_y[at]) = spot.share.into();
    }
}

/// The cell in a row of `count` in which a coordinate of cell space is, or the nearest one, and the coordinate in it.
///
/// Clamps and conversions of the standard library keep NaN and end at the ends of integers, for which they take several
/// times as many instructions, one place at a time.
#[inline]
fn cell_of(point: f32, count: i32) -> (u32, f32) {
    /// Numbers from this on have no fraction: adding it rounds a coordinate, and leaves it in the lowest bits.
    const NO_FRACTION: f32 = 8_388_608.0;
    let end = count as f32;
    let point = if point > 0.0 { point } else { 0.0 };
    let point = if point < end { point } else { end };
    let rounded = (point + NO_FRACTION) - NO_FRACTION;
    let below = if rounded > point {
        rounded - 1.0
    } else {
        rounded
    };
    let cell = if below < end - 1.0 { below } else { end - 1.0 };
    let bits = (cell + NO_FRACTION).to_bits();
    (bits - NO_FRACTION.to_bits(), point - cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Grid};
    use crate::random::keyed;
    use glam::IVec2;
    use proptest::prelude::*;

    proptest! {
        /// On ground with holes, squares without heights, and places on corners, on sides and out of the grid.
        #[test]
        fn a_batch_is_what_each_of_its_places_is(
            (width, height) in (1_i32..100, 1_i32..100),
            cell_size in prop::sample::select(vec![0.25_f32, 1.0, 16.0]),
            holes in prop::sample::select(vec![0_u64, 10, 95]),
            count in 1..=BATCH,
            seed in any::<u64>(),
        ) {
            let draw = |number: u64| (keyed(seed, number, 0) >> 40) as f32 / (1 << 24) as f32;
            let origin = Vec2::new(-30.0, 12.5);
            let grid = Grid::new(IVec2::new(width, height), cell_size, origin).expect("valid");
            // A part of the corners, so that some squares have no heights.
            let ends = (grid.size() + 1).as_vec2() * Vec2::new(draw(1), draw(2));
            let rect = CellRect { low: IVec2::ZERO, high: ends.as_ivec2() + 1 };
            let corners = 0..rect.cell_count() as u64;
            let heights: Vec<f32> = corners.map(|at| match keyed(seed, at, 1) % 100 {
                drawn if drawn < holes => f32::NAN,
                _ => 10.0 * draw(100 + at) - 5.0,
            }).collect();
            let mut ground = Ground::default();
            ground.set(&grid, 0, rect, &heights).expect("inside");
            let mut batch = GroundBatch::default();
            let extent = grid.size().as_vec2();
            for at in 0..count {
                let number = 50_000 + 3 * at as u64;
                let point = Vec2::new(draw(number), draw(number + 1)) * (extent + 4.0) - 2.0;
                let point = if draw(number + 2) < 0.2 { point.round() } else { point };
                (batch.x[at], batch.y[at]) = (origin + point * cell_size).into();
            }
            let is_there = ground.find_rises(0, &mut batch, count);
            prop_assert_eq!(is_there, !ground.is_flat());
            let mut other = GroundBatch { x: batch.x, y: batch.y, ..GroundBatch::default() };
            ground.find_heights(0, &mut other, count);
            for at in 0..count {
                let Some((height, rise)) = ground.standing(0, Vec2::new(batch.x[at], batch.y[at])) else {
                    prop_assert!(!is_there);
                    continue;
                };
                prop_assert!((batch.height[at] - height).abs() <= 1e-5);
                prop_assert!((other.height[at] - height).abs() <= 1e-5);
                let found = Vec2::new(batch.rise_x[at], batch.rise_y[at]);
                prop_assert!(found.distance(rise) <= 1e-4 * (1.0 + rise.length()), "{found} {rise}");
            }
            prop_assert!(!ground.find_heights(1, &mut batch, count));
        }
    }
}
