//! The heights of the corners of a square of cells, and the surface between them.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::Result;
use glam::{IVec2, Vec2};
use std::ops::{Add, Mul, Sub};

/// The greatest height, and the depth below 0, of the ground in world units.
pub const MAX_HEIGHT: f32 = 1.0e6;

/// The edge length of a block in cells.
pub(super) const EDGE: i32 = 32;
/// The corners of a block in a row. There is one more on each side than cells have, so that the rise of the ground is
/// found in one block.
pub(super) const ROW: usize = EDGE as usize + 3;
const COUNT: usize = ROW * ROW;
const WORDS: usize = COUNT.div_ceil(u64::BITS as usize);

/// The heights of a square of [`ROW`] corners; NaN for a hole.
pub(super) type Corners = [f32; COUNT];

/// A square of cells whose ground has heights.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The first cell.
    pub(super) low: IVec2,
    /// The heights at which things stand: holes have one too.
    heights: Corners,
    /// A bit for each corner that is a hole.
    holes: [u64; WORDS],
}

impl Block {
    /// The block whose first cell is `low`, of a layer of `size` cells. Holes keep the height that they had in
    /// `before`, or get that of the nearest corner. `None` if nothing has a height.
    pub(super) fn new(
        low: IVec2,
        size: IVec2,
        mut corners: Corners,
        before: Option<&Self>,
    ) -> Option<Self> {
        let mut holes = [0; WORDS];
        let known = before.map(|before| &before.heights);
        for (index, height) in corners.iter_mut().enumerate() {
            if height.is_nan() {
                holes[index / 64] |= 1 << (index % 64);
                *height = known.map_or(f32::NAN, |known| known[index]);
            }
        }
        if !fill(&mut corners) {
            return None;
        }
        // The first corner beyond the layer, as an index of a row.
        let ends = (size - low + 2).min(IVec2::splat(ROW as i32));
        extend(
            &mut corners,
            low.cmpeq(IVec2::ZERO).into(),
            ends.as_usizevec2().into(),
        );
        Some(Self {
            low,
            heights: corners,
            holes,
        })
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.heights.iter().for_each(|height| height.write(out));
        self.holes.iter().for_each(|holes| holes.write(out));
    }

    /// Reads what [`Self::write`] has written, for a square of cells.
    pub(super) fn read(input: &mut Unpacker<'_>, square: IVec2) -> Result<Self> {
        let mut block = Self {
            low: square.saturating_mul(IVec2::splat(EDGE)),
            heights: [0.0; COUNT],
            holes: [0; WORDS],
        };
        for height in &mut block.heights {
            *height = f32::read(input)?;
            // Corners beyond the sides continue the slope there.
            if height.abs() > 4.0 * MAX_HEIGHT {
                return Err(input.bad("it has a height that is out of its range"));
            }
        }
        for holes in &mut block.holes {
            *holes = u64::read(input)?;
        }
        Ok(block)
    }

    /// The heights of the corners; NaN for holes.
    pub(super) fn corners(&self) -> Corners {
        let mut corners = self.heights;
        for (index, height) in corners.iter_mut().enumerate() {
            if self.is_hole(index) {
                *height = f32::NAN;
            }
        }
        corners
    }

    /// The heights at which things stand, in holes too.
    #[inline]
    pub(super) fn heights(&self) -> &Corners {
        &self.heights
    }

    #[inline]
    fn is_hole(&self, index: usize) -> bool {
        self.holes[index / 64] >> (index % 64) & 1 == 1
    }

    /// The least and the greatest height of the corners of cells in a layer of `size` cells.
    pub(super) fn range(&self, size: IVec2) -> (f32, f32) {
        let ends = (size - self.low).min(IVec2::splat(EDGE)) + 2;
        let rows =
            (1..ends.y as usize).map(|y| &self.heights[y * ROW + 1..y * ROW + ends.x as usize]);
        rows.flatten().fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(low, high), &height| (low.min(height), high.max(height)),
        )
    }

    /// The point of the block that is nearest to a point in cell space.
    #[inline]
    pub(super) fn spot(&self, point: Vec2) -> Spot<'_> {
        let inside = (point - self.low.as_vec2()).clamp(Vec2::ZERO, Vec2::splat(EDGE as f32));
        // Conversions to narrow numbers take fewer instructions.
        let most = EDGE as u8 - 1;
        let (x, y) = ((inside.x as u8).min(most), (inside.y as u8).min(most));
        Spot {
            block: self,
            corner: (usize::from(y) + 1) * ROW + usize::from(x) + 1,
            share: inside - Vec2::new(f32::from(x), f32::from(y)),
        }
    }
}

/// A point of a block's surface.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    block: &'a Block,
    /// The index of the lower corner of its cell.
    pub(super) corner: usize,
    /// Its coordinates in its cell, 0..=1.
    pub(super) share: Vec2,
}

impl Spot<'_> {
    /// Whether a corner of its cell is a hole.
    pub(super) fn is_hole(&self) -> bool {
        self.holes().any(|is_hole| is_hole)
    }

    /// Whether all corners of its cell are holes.
    pub(super) fn is_void(&self) -> bool {
        self.holes().all(|is_hole| is_hole)
    }

    /// Whether each corner of its cell is a hole.
    fn holes(&self) -> impl Iterator<Item = bool> {
        let corner = self.corner;
        let corners = [corner, corner + 1, corner + ROW, corner + ROW + 1];
        corners.into_iter().map(|corner| self.block.is_hole(corner))
    }

    /// The height, bilinear between the corners of its cell.
    #[inline]
    pub(super) fn height(&self) -> f32 {
        // One check of bounds for all four corners.
        let corners = &self.block.heights[self.corner..self.corner + ROW + 2];
        // Along y first, as in batches: with the same bits.
        let left = lerp(corners[0], corners[ROW], self.share.y);
        let right = lerp(corners[1], corners[ROW + 1], self.share.y);
        lerp(left, right, self.share.x)
    }

    /// The difference of the heights half a cell further and half a cell before, along x and y. Without a hole nearby
    /// this is exact, and at most three corners in a row are read.
    #[inline]
    pub(super) fn rise(&self) -> Vec2 {
        // From the corner before along x and y, with one check of bounds for all.
        let before = self.corner - ROW - 1;
        let heights = &self.block.heights[before..before + 3 * ROW + 3];
        let corner = ROW + 1;
        // From the nearest of the corners.
        let near = (self.share.x >= 0.5, self.share.y >= 0.5);
        let past = self.share - Vec2::new(f32::from(u8::from(near.0)), f32::from(u8::from(near.1)));
        let rise = |at: usize, step: usize, past: f32| {
            let before = heights[at] - heights[at - step];
            let after = heights[at + step] - heights[at];
            lerp(before, after, past + 0.5)
        };
        let along_x = corner + usize::from(near.0);
        let along_y = corner + ROW * usize::from(near.1);
        Vec2::new(
            lerp(
                rise(along_x, 1, past.x),
                rise(along_x + ROW, 1, past.x),
                self.share.y,
            ),
            lerp(
                rise(along_y, ROW, past.y),
                rise(along_y + 1, ROW, past.y),
                self.share.x,
            ),
        )
    }
}

#[inline]
pub(super) fn lerp<T, S>(from: T, to: T, share: S) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<S, Output = T>,
{
    from + (to - from) * share
}

/// Gives each corner without a height that of the nearest with one, by steps to the four neighbours. False if no corner
/// has a height.
fn fill(corners: &mut Corners) -> bool {
    let is_known = |&index: &usize| !corners[index].is_nan();
    let mut front: Vec<usize> = (0..COUNT).filter(is_known).collect();
    if front.len() == COUNT {
        return true;
    }
    let mut next = 0;
    while let Some(&from) = front.get(next) {
        next += 1;
        let (x, y) = (from % ROW, from / ROW);
        let beside = [
            (x > 0).then(|| from - 1),
            (x + 1 < ROW).then(|| from + 1),
            (y > 0).then(|| from - ROW),
            (y + 1 < ROW).then(|| from + ROW),
        ];
        for to in beside.into_iter().flatten() {
            if corners[to].is_nan() {
                corners[to] = corners[from];
                front.push(to);
            }
        }
    }
    !front.is_empty()
}

/// Continues the surface by a corner beyond the sides of the layer, so that the ground there rises as inside. `first`
/// says whether the block is the first along x and y; `ends` are the first corners beyond the other sides.
fn extend(corners: &mut Corners, first: [bool; 2], ends: [usize; 2]) {
    for (axis, (is_first, end)) in first.into_iter().zip(ends).enumerate() {
        let at = |line: usize, across: usize| match axis {
            0 => across * ROW + line,
            _ => line * ROW + across,
        };
        for across in 0..ROW {
            if is_first {
                let (one, two) = (corners[at(1, across)], corners[at(2, across)]);
                corners[at(0, across)] = one + (one - two);
            }
            if end < ROW {
                let (one, two) = (corners[at(end - 1, across)], corners[at(end - 2, across)]);
                corners[at(end, across)] = one + (one - two);
            }
        }
    }
}
