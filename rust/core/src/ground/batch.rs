//! How things stand at many places of a layer.
//!
//! The numbers of a batch lie in arrays, one for each number of a place, so that the compiler computes several places
//! with one instruction. Only the heights of corners are gathered one place at a time.

use crate::ground::Ground;
use crate::ground::block::{Block, EDGE, ROW, lerp};
use crate::ground::heights::Heights;
use glam::Vec2;

/// The greatest number of places in a batch.
pub(crate) const BATCH: usize = 32;

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
        let mut corners = [[ZEROS; 2]; 2];
        spots.gather(heights, batch, count, |at, spots, block| {
            let first = spots.corner[at] as usize;
            // One check of bounds for all corners.
            let near = &block.heights()[first..first + ROW + 2];
            corners[0][0][at] = near[0];
            corners[0][1][at] = near[1];
            corners[1][0][at] = near[ROW];
            corners[1][1][at] = near[ROW + 1];
        });
        let [[a, b], [c, d]] = &corners;
        for at in 0..BATCH {
            let (x, y) = (spots.share_x[at], spots.share_y[at]);
            batch.height[at] = lerp(lerp(a[at], b[at], x), lerp(c[at], d[at], x), y);
        }
        true
    }

    /// [`Self::find_heights`], and the rises.
    pub(crate) fn find_rises(&self, layer: u32, batch: &mut GroundBatch, count: usize) -> bool {
        let Some(heights) = self.layer(layer) else {
            return false;
        };
        let mut spots = Spots::new(heights, batch);
        // Three corners along x in two rows, and three along y in two columns, around the nearest corner.
        let mut along_x = [[ZEROS; 3]; 2];
        let mut along_y = [[ZEROS; 3]; 2];
        spots.gather(heights, batch, count, |at, spots, block| {
            let corner = spots.corner[at] as usize;
            let first = corner - 1 + usize::from(spots.share_x[at] >= 0.5);
            let rows = &block.heights()[first..first + ROW + 3];
            for step in 0..3 {
                along_x[0][step][at] = rows[step];
                along_x[1][step][at] = rows[ROW + step];
            }
            let first = corner - ROW + ROW * usize::from(spots.share_y[at] >= 0.5);
            let columns = &block.heights()[first..first + 2 * ROW + 2];
            for step in 0..3 {
                along_y[0][step][at] = columns[ROW * step];
                along_y[1][step][at] = columns[ROW * step + 1];
            }
        });
        let per_unit = 1.0 / heights.grid().cell_size();
        for at in 0..BATCH {
            let (x, y) = (spots.share_x[at], spots.share_y[at]);
            let [near, far] = [0, 1].map(|row| Line::new(&along_x[row], at, x));
            batch.height[at] = lerp(near.height(), far.height(), y);
            batch.rise_x[at] = lerp(near.rise(), far.rise(), y) * per_unit;
            let [near, far] = [0, 1].map(|column| Line::new(&along_y[column], at, y));
            batch.rise_y[at] = lerp(near.rise(), far.rise(), x) * per_unit;
        }
        true
    }
}

/// The heights of three corners in a row around the nearest one.
struct Line {
    heights: [f32; 3],
    /// The coordinate between the corners of the cell, 0..=1.
    share: f32,
}

impl Line {
    #[inline]
    fn new(heights: &[Lanes; 3], at: usize, share: f32) -> Self {
        Self {
            heights: [heights[0][at], heights[1][at], heights[2][at]],
            share,
        }
    }

    /// The height between the corners of the cell.
    #[inline]
    fn height(&self) -> f32 {
        let [before, nearest, after] = self.heights;
        let is_past = self.share >= 0.5;
        let from = if is_past { before } else { nearest };
        let to = if is_past { nearest } else { after };
        lerp(from, to, self.share)
    }

    /// The difference of the heights half a cell further and half a cell before.
    #[inline]
    fn rise(&self) -> f32 {
        let [before, nearest, after] = self.heights;
        let past = if self.share >= 0.5 { -0.5 } else { 0.5 };
        lerp(nearest - before, after - nearest, self.share + past)
    }
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
