//! The heights of one layer.

use crate::error::{Error, Result, in_range};
use crate::grid::{CellRect, Grid};
use crate::ground::block::{Block, Corners, EDGE, MAX_HEIGHT, ROW, Spot};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The rectangle of all corners of a layer.
pub(super) fn all_corners(grid: &Grid) -> CellRect {
    CellRect {
        low: IVec2::ZERO,
        high: grid.layer_size() + 1,
    }
}

/// Checks the heights for a rectangle of corners.
///
/// # Errors
/// [`Error::CornerOutside`], [`Error::Length`], or [`Error::OutOfRange`] for a height beyond [`MAX_HEIGHT`].
pub(super) fn check(grid: &Grid, rect: CellRect, heights: &[f32]) -> Result<()> {
    let (all, size) = (all_corners(grid), grid.layer_size());
    let is_empty = rect.is_empty();
    for corner in [rect.low, rect.high.saturating_sub(IVec2::ONE)] {
        if !is_empty && !all.contains(corner) {
            return Err(Error::CornerOutside {
                corner,
                width: size.x.cast_unsigned(),
                height: size.y.cast_unsigned(),
            });
        }
    }
    let expected = if is_empty { 0 } else { rect.cell_count() };
    if heights.len() != expected {
        return Err(Error::Length {
            name: "heights",
            expected,
            actual: heights.len(),
        });
    }
    check_values(heights)
}

/// Checks that no height is beyond [`MAX_HEIGHT`].
///
/// # Errors
/// [`Error::OutOfRange`] if one is.
pub(super) fn check_values(heights: &[f32]) -> Result<()> {
    for &height in heights.iter().filter(|height| !height.is_nan()) {
        in_range("heights", height, -MAX_HEIGHT, MAX_HEIGHT)?;
    }
    Ok(())
}

/// Whether two corners are holes or have one height.
fn is_same(one: f32, other: f32) -> bool {
    one == other || one.is_nan() && other.is_nan()
}

/// The heights of one layer.
#[derive(Debug, Clone)]
pub(super) struct Heights {
    /// The grid of the lowest layer, which is where all layers are in the world.
    grid: Grid,
    /// How many blocks there are along x and y.
    size: IVec2,
    /// The block of each square of cells, row by row. A square without heights has the block of a square near it.
    blocks: Vec<Option<Arc<Block>>>,
    /// The least and the greatest height of each square, row by row; [`NOTHING`] for a square without heights.
    ranges: Vec<(f32, f32)>,
    range: (f32, f32),
}

/// The range of no heights.
const NOTHING: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

impl Heights {
    /// A layer without any heights.
    pub(super) fn new(grid: &Grid) -> Self {
        let size = (grid.layer_size() + EDGE - 1) / EDGE;
        let count = size.as_usizevec2().element_product();
        Self {
            grid: grid.one_layer(),
            size,
            blocks: vec![None; count],
            ranges: vec![NOTHING; count],
            range: (0.0, 0.0),
        }
    }

    /// Whether any heights were set.
    pub(super) fn has_any(&self) -> bool {
        self.blocks.iter().any(Option::is_some)
    }

    /// See [`Ground::range`](super::Ground::range).
    pub(super) fn range(&self) -> (f32, f32) {
        self.range
    }

    fn index(&self, block: IVec2) -> usize {
        (block.y * self.size.x + block.x) as usize
    }

    /// The block of a square of cells, if it has heights of its own.
    fn own(&self, block: IVec2) -> Option<&Arc<Block>> {
        let found = self.blocks[self.index(block)].as_ref();
        found.filter(|found| found.low == block * EDGE)
    }

    /// Sets the heights of a rectangle of corners, which [`check`] has allowed.
    pub(super) fn set(&mut self, rect: CellRect, heights: &[f32]) {
        if rect.is_empty() {
            return;
        }
        // Blocks share the corners at their borders, and each has one more beyond.
        let least = (rect.low - 2).max(IVec2::ZERO) / EDGE;
        let most = (rect.high / EDGE).min(self.size - 1);
        let edited = CellRect {
            low: least,
            high: most + 1,
        };
        let mut is_any_new = false;
        for block in edited.cells() {
            is_any_new |= self.set_block(block, rect, heights);
        }
        // Otherwise shared blocks may stay: at the borders, which others read, they have holes alone, and those keep
        // their heights.
        if is_any_new {
            self.share_blocks();
        }
        self.measure();
    }

    /// Sets the block of a square of cells; false if there is no such square. [`Self::settle`] must follow.
    pub(super) fn put(&mut self, square: IVec2, block: Block) -> bool {
        let is_there = square.cmpge(IVec2::ZERO).all() && square.cmplt(self.size).all();
        if is_there {
            let index = self.index(square);
            self.ranges[index] = block.range(self.grid.size());
            self.blocks[index] = Some(Arc::new(block));
        }
        is_there
    }

    /// Finds what follows from the blocks.
    pub(super) fn settle(&mut self) {
        self.share_blocks();
        self.measure();
    }

    /// Sets the corners of one block. Whether it is a new one.
    fn set_block(&mut self, block: IVec2, rect: CellRect, heights: &[f32]) -> bool {
        let low = block * EDGE;
        let before = self.own(block).cloned();
        let mut corners: Corners = match &before {
            Some(before) => before.corners(),
            None => [f32::NAN; ROW * ROW],
        };
        let span = CellRect {
            low: low - 1,
            high: low - 1 + ROW as i32,
        };
        let part = rect.intersection(&span);
        if part.is_empty() {
            return false;
        }
        let columns = (part.high.x - part.low.x) as usize;
        let row = (rect.high.x - rect.low.x) as usize;
        let mut is_changed = false;
        for y in part.low.y..part.high.y {
            let from = (y - rect.low.y) as usize * row + (part.low.x - rect.low.x) as usize;
            let to = (y - span.low.y) as usize * ROW + (part.low.x - span.low.x) as usize;
            let (old, new) = (
                &mut corners[to..to + columns],
                &heights[from..from + columns],
            );
            is_changed |= old.iter().zip(new).any(|(old, new)| !is_same(*old, *new));
            old.copy_from_slice(new);
        }
        if !is_changed {
            return false;
        }
        let size = self.grid.size();
        let Some(made) = Block::new(low, size, corners, before.as_deref()) else {
            return false;
        };
        let index = self.index(block);
        self.ranges[index] = made.range(size);
        self.blocks[index] = Some(Arc::new(made));
        before.is_none()
    }

    /// Gives squares without heights the block of a square near them, by steps to the four neighbours.
    fn share_blocks(&mut self) {
        let has_own = |&square: &IVec2| self.own(square).is_some();
        let (mut front, others): (Vec<_>, Vec<_>) = self.squares().partition(has_own);
        for &square in &others {
            let index = self.index(square);
            self.blocks[index] = None;
        }
        let all = CellRect {
            low: IVec2::ZERO,
            high: self.size,
        };
        let mut next = 0;
        while front.len() < self.blocks.len()
            && let Some(&from) = front.get(next)
        {
            next += 1;
            for step in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y] {
                let to = from + step;
                if all.contains(to) && self.blocks[self.index(to)].is_none() {
                    let index = self.index(to);
                    self.blocks[index] = self.blocks[self.index(from)].clone();
                    front.push(to);
                }
            }
        }
    }

    /// All squares of cells, in the order of their blocks.
    fn squares(&self) -> impl Iterator<Item = IVec2> + use<> {
        let size = self.size;
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
    }

    /// The blocks of the squares that have heights of their own.
    pub(super) fn own_blocks(&self) -> impl Iterator<Item = &Block> {
        let own = self.squares().filter_map(|square| self.own(square));
        own.map(Arc::as_ref)
    }

    fn measure(&mut self) {
        let known = self.ranges.iter().filter(|&&range| range != NOTHING);
        let range = known
            .copied()
            .reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        self.range = range.unwrap_or_default();
    }

    /// These heights on another grid. Corners that both have keep their heights.
    pub(super) fn on(self, grid: &Grid) -> Self {
        if grid.layer_size() == self.grid.size() {
            return Self {
                grid: grid.one_layer(),
                ..self
            };
        }
        let mut moved = Self::new(grid);
        let common = all_corners(grid).intersection(&all_corners(&self.grid));
        moved.set(common, &self.corners(common));
        moved
    }

    /// The heights of a rectangle of corners; NaN for holes.
    pub(super) fn corners(&self, rect: CellRect) -> Vec<f32> {
        let row = (rect.high.x - rect.low.x) as usize;
        let mut heights = vec![f32::NAN; rect.cell_count()];
        for block in self.own_blocks() {
            let low = block.low - 1;
            let span = CellRect {
                low,
                high: low + ROW as i32,
            };
            let (part, corners) = (rect.intersection(&span), block.corners());
            if part.is_empty() {
                continue;
            }
            let columns = (part.high.x - part.low.x) as usize;
            for y in part.low.y..part.high.y {
                let from = (y - low.y) as usize * ROW + (part.low.x - low.x) as usize;
                let to = (y - rect.low.y) as usize * row + (part.low.x - rect.low.x) as usize;
                heights[to..to + columns].copy_from_slice(&corners[from..from + columns]);
            }
        }
        heights
    }

    /// The point of the surface where things stand that are at a world position.
    #[inline]
    pub(super) fn spot(&self, position: Vec2) -> Option<Spot<'_>> {
        let point = self.nearest_point(position);
        Some(self.block(point)?.spot(point))
    }

    /// The point in cell space of a world position, or the nearest one in the grid.
    #[inline]
    pub(super) fn nearest_point(&self, position: Vec2) -> Vec2 {
        let point = self.grid.to_cell_space(position);
        point.clamp(Vec2::ZERO, self.grid.size().as_vec2())
    }

    /// The block where things stand that are at a point in the grid.
    #[inline]
    fn block(&self, point: Vec2) -> Option<&Block> {
        let square = (point.as_ivec2() / EDGE).min(self.size - 1);
        self.blocks[self.index(square)].as_deref()
    }

    /// The grid of the layer.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of squares of cells in a row.
    pub(super) fn squares_in_row(&self) -> u32 {
        self.size.x.cast_unsigned()
    }

    /// The block of a square by its index, and whether its heights are those of the square itself.
    pub(super) fn block_of(&self, square: u32) -> Option<(&Block, bool)> {
        let block = self.blocks.get(square as usize)?.as_deref()?;
        let row = self.squares_in_row();
        let low = IVec2::new((square % row) as i32, (square / row) as i32) * EDGE;
        Some((block, block.low == low))
    }

    /// The rise of the ground along x and y for each unit of distance.
    #[inline]
    pub(super) fn rise(&self, spot: Spot<'_>) -> Vec2 {
        spot.rise() / self.grid.cell_size()
    }

    /// As [`Self::spot`], but `None` outside of the grid and where a corner of the cell has no height.
    pub(super) fn solid_spot(&self, position: Vec2) -> Option<Spot<'_>> {
        self.own_spot(position).filter(|spot| !spot.is_hole())
    }

    /// Whether a corner of the cell at a world position has a height.
    pub(super) fn has_ground(&self, position: Vec2) -> bool {
        self.own_spot(position).is_some_and(|spot| !spot.is_void())
    }

    fn own_spot(&self, position: Vec2) -> Option<Spot<'_>> {
        let cell = self.grid.cell_at(position);
        if !self.grid.contains(cell) {
            return None;
        }
        self.own(cell / EDGE)?;
        self.spot(position)
    }
}
