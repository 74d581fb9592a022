//! Values of the cells of a rectangle, in square blocks behind `Arc`s.
//!
//! Blocks in which all cells have one value share memory (Emerson, Game AI Pro, 23.4.1). A clone shares all blocks, and
//! an edit copies only blocks that something else holds.

use std::ops::Range;
use std::sync::Arc;

/// The edge length of a block in cells.
pub(crate) const EDGE: usize = 32;

/// The most values of which even blocks share memory.
const MOST_EVEN: usize = 16;

/// The cells of a block, row-major.
pub(crate) type Block<T> = [T; EDGE * EDGE];

/// A value for each cell of a rectangle.
#[derive(Debug, Clone)]
pub(crate) struct Blocks<T> {
    width: usize,
    height: usize,
    blocks_per_row: usize,
    blocks: Vec<Arc<Block<T>>>,
    /// The blocks of one value that others share, each value once.
    even: Vec<Arc<Block<T>>>,
}

impl<T: Copy + PartialEq> Blocks<T> {
    /// A rectangle whose cells all have one value.
    pub(crate) fn new(width: usize, height: usize, value: T) -> Self {
        let blocks_per_row = width.div_ceil(EDGE);
        let even = Arc::new([value; EDGE * EDGE]);
        Self {
            width,
            height,
            blocks_per_row,
            blocks: vec![Arc::clone(&even); blocks_per_row * height.div_ceil(EDGE)],
            even: vec![even],
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The number of cells.
    pub(crate) fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// The memory in bytes. Blocks that share theirs count once.
    pub(crate) fn bytes(&self) -> usize {
        let own = self.own_block_count() + self.even.len();
        own * size_of::<Block<T>>() + size_of_val(self.blocks.as_slice())
    }

    /// The number of blocks that do not share the memory of others with one value.
    pub(crate) fn own_block_count(&self) -> usize {
        let is_own = |block: &&Arc<Block<T>>| !self.shares(block);
        self.blocks.iter().filter(is_own).count()
    }

    fn shares(&self, block: &Arc<Block<T>>) -> bool {
        self.even.iter().any(|even| Arc::ptr_eq(even, block))
    }

    /// The memory of all blocks.
    pub(crate) fn blocks(&self) -> &[Arc<Block<T>>] {
        &self.blocks
    }

    /// Takes the blocks, for giving their memory back.
    pub(crate) fn into_blocks(self) -> Vec<Arc<Block<T>>> {
        self.blocks
    }

    #[inline]
    fn locate(&self, x: usize, y: usize) -> (usize, usize) {
        (
            y / EDGE * self.blocks_per_row + x / EDGE,
            y % EDGE * EDGE + x % EDGE,
        )
    }

    /// The value of a cell of the rectangle.
    #[inline]
    pub(crate) fn at(&self, x: usize, y: usize) -> T {
        let (block, place) = self.locate(x, y);
        self.blocks[block][place]
    }

    /// Sets the value of a cell, and returns the one before.
    #[inline]
    pub(crate) fn replace(&mut self, x: usize, y: usize, value: T) -> T {
        let (block, place) = self.locate(x, y);
        let block = &mut self.blocks[block];
        let before = block[place];
        if before != value {
            Arc::make_mut(block)[place] = value;
        }
        before
    }

    /// The pieces of `count` cells of row `y` from column `x` on that lie in one block each: the block, the place in it
    /// and the places in the row.
    fn pieces(
        &self,
        x: usize,
        y: usize,
        count: usize,
    ) -> impl Iterator<Item = (usize, usize, Range<usize>)> + use<T> {
        let (blocks, places) = (y / EDGE * self.blocks_per_row, y % EDGE * EDGE);
        let mut done = 0;
        std::iter::from_fn(move || {
            let at = x + done;
            let length = (EDGE - at % EDGE).min(count - done);
            let piece = done..done + length;
            done += length;
            (length > 0).then_some((blocks + at / EDGE, places + at % EDGE, piece))
        })
    }

    /// How many blocks are not shared with `other`, which is as large. It looks at no cell.
    pub(crate) fn unshared_blocks(&self, other: &Self) -> usize {
        let pairs = self.blocks.iter().zip(&other.blocks);
        pairs
            .filter(|(own, others)| !Arc::ptr_eq(own, others))
            .count()
    }

    /// Rectangles of columns and rows around all cells that differ from those of `other`, which is as large: one for
    /// each block that the two do not share.
    pub(crate) fn differences(&self, other: &Self) -> Vec<(Range<usize>, Range<usize>)> {
        let pairs = self.blocks.iter().zip(&other.blocks).enumerate();
        let unlike = pairs.filter(|(_, (own, others))| !Arc::ptr_eq(own, others));
        let around = unlike.filter_map(|(number, (own, others))| {
            let places = (0..EDGE * EDGE).filter(|&place| own[place] != others[place]);
            let around = places.fold(None, |around, place| {
                let (x, y) = (place % EDGE, place / EDGE);
                let (low, high) = around.unwrap_or(([x, y], [x, y]));
                let low = [x.min(low[0]), y.min(low[1])];
                Some((low, [x.max(high[0]), y.max(high[1])]))
            });
            let (low, high) = around?;
            let first = [number % self.blocks_per_row, number / self.blocks_per_row];
            let [columns, rows] = [0, 1]
                .map(|axis| first[axis] * EDGE + low[axis]..first[axis] * EDGE + high[axis] + 1);
            Some((columns, rows))
        });
        around.collect()
    }

    /// Copies cells of row `y`, from column `x` on, into `row`.
    pub(crate) fn copy_row(&self, x: usize, y: usize, row: &mut [T]) {
        for (block, place, piece) in self.pieces(x, y, row.len()) {
            let length = piece.len();
            row[piece].copy_from_slice(&self.blocks[block][place..place + length]);
        }
    }

    /// The parts of some columns and rows that lie in one block each.
    fn parts(
        columns: Range<usize>,
        rows: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let cut = |range: &Range<usize>, block: usize| {
            range.start.max(block * EDGE)..range.end.min((block + 1) * EDGE)
        };
        (rows.start / EDGE..rows.end.div_ceil(EDGE)).flat_map(move |row| {
            let (columns, rows) = (columns.clone(), cut(&rows, row));
            (columns.start / EDGE..columns.end.div_ceil(EDGE))
                .map(move |column| (cut(&columns, column), rows.clone()))
        })
    }

    /// Copies the cells of some columns and rows into `out`, in rows of `stride`.
    ///
    /// It goes block by block, and without a call for each row: this is a large part of the time of a cached tile.
    pub(crate) fn copy_rect(
        &self,
        columns: Range<usize>,
        rows: Range<usize>,
        (out, stride): (&mut [T], usize),
    ) {
        for (part, part_rows) in Self::parts(columns.clone(), rows.clone()) {
            let (block, place) = self.locate(part.start, part_rows.start);
            let cells = &self.blocks[block][place..];
            let first = (part_rows.start - rows.start) * stride + part.start - columns.start;
            let out = out[first..].chunks_mut(stride);
            let pairs = out.zip(cells.chunks(EDGE)).take(part_rows.len());
            match part.len() {
                count @ 16.. => copy_ends::<16, T>(pairs, count),
                count @ 8.. => copy_ends::<8, T>(pairs, count),
                count @ 4.. => copy_ends::<4, T>(pairs, count),
                count @ 2.. => copy_ends::<2, T>(pairs, count),
                count => copy_ends::<1, T>(pairs, count),
            }
        }
    }

    /// Whether all cells of some columns and rows have a value.
    pub(crate) fn all_are(&self, columns: Range<usize>, rows: Range<usize>, value: T) -> bool {
        Self::parts(columns, rows).all(|(columns, rows)| {
            let (block, place) = self.locate(columns.start, rows.start);
            let block = &self.blocks[block];
            if block[place] != value || self.shares(block) {
                return block[place] == value;
            }
            let mut cells = block[place..].chunks(EDGE).take(rows.len());
            // Without a branch for each cell.
            cells.all(|row| {
                let cells = row[..columns.len()].iter();
                !cells.fold(false, |differs, &cell| differs | (cell != value))
            })
        })
    }

    /// Sets all cells, row-major.
    pub(crate) fn set_all(&mut self, values: &[T]) {
        for row in 0..self.height.div_ceil(EDGE) {
            for column in 0..self.blocks_per_row {
                let mut block = *self.block((column, row));
                let (left, top) = (column * EDGE, row * EDGE);
                let count = EDGE.min(self.width - left);
                for y in top..self.height.min(top + EDGE) {
                    let from = y * self.width + left;
                    block[(y - top) * EDGE..][..count].copy_from_slice(&values[from..from + count]);
                }
                self.put_block((column, row), &block);
            }
        }
    }

    /// Appends `count` cells of row `y`, from column `x` on.
    pub(crate) fn append_row(&self, (x, y): (usize, usize), count: usize, out: &mut Vec<T>) {
        for (block, place, piece) in self.pieces(x, y, count) {
            out.extend_from_slice(&self.blocks[block][place..place + piece.len()]);
        }
    }

    /// Sets cells of row `y`, from column `x` on. Blocks that have these values already stay shared.
    pub(crate) fn put_row(&mut self, x: usize, y: usize, row: &[T]) {
        for (block, place, piece) in self.pieces(x, y, row.len()) {
            let fresh = &row[piece];
            let block = &mut self.blocks[block];
            if block[place..place + fresh.len()] != *fresh {
                Arc::make_mut(block)[place..place + fresh.len()].copy_from_slice(fresh);
            }
        }
    }

    /// Other values that follow from these.
    pub(crate) fn map<U: Copy + PartialEq>(&self, other: impl Fn(T) -> U) -> Blocks<U> {
        let block = |block: &Arc<Block<T>>| Arc::new(block.map(&other));
        let mut all = Blocks {
            width: self.width,
            height: self.height,
            blocks_per_row: self.blocks_per_row,
            blocks: self.blocks.iter().map(block).collect(),
            even: Vec::new(),
        };
        all.share(0..self.width, 0..self.height);
        all
    }

    /// The block in a column and row of blocks. Cells outside the rectangle have unspecified values.
    pub(crate) fn block(&self, (column, row): (usize, usize)) -> &Block<T> {
        &self.blocks[row * self.blocks_per_row + column]
    }

    /// Replaces the block in a column and row of blocks.
    pub(crate) fn put_block(&mut self, (column, row): (usize, usize), block: &Block<T>) {
        let place = row * self.blocks_per_row + column;
        if *self.blocks[place] != *block {
            self.blocks[place] = Arc::new(*block);
        }
        self.share_block(place);
    }

    fn share_block(&mut self, place: usize) {
        let block = &self.blocks[place];
        let first = block[0];
        if block.iter().any(|&value| value != first) || self.shares(block) {
            return;
        }
        match self.even.iter().find(|even| even[0] == first) {
            Some(even) => self.blocks[place] = Arc::clone(even),
            None if self.even.len() < MOST_EVEN => self.even.push(Arc::clone(block)),
            None => {}
        }
    }

    /// Has blocks share memory in which cells of these rows and columns lie, if all their cells have one value.
    pub(crate) fn share(&mut self, columns: Range<usize>, rows: Range<usize>) {
        for row in rows.start / EDGE..rows.end.div_ceil(EDGE) {
            for column in columns.start / EDGE..columns.end.div_ceil(EDGE) {
                self.share_block(row * self.blocks_per_row + column);
            }
        }
    }
}

/// Copies `count` cells of each row: the first and the last `PART` ones, which overlap.
#[inline]
fn copy_ends<'a, const PART: usize, T: Copy + 'a>(
    rows: impl Iterator<Item = (&'a mut [T], &'a [T])>,
    count: usize,
) {
    for (out, row) in rows {
        let (out, row) = (&mut out[..count], &row[..count]);
        out[..PART].copy_from_slice(&row[..PART]);
        let rest = count - PART;
        out[rest..].copy_from_slice(&row[rest..][..PART]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is written and shared, blocks are an array of values, and a clone does not see later edits.
        #[test]
        fn blocks_are_an_array_of_values(
            (width, height) in (1_usize..100, 1_usize..100),
            edits in prop::collection::vec((0_u64..5, any::<u64>(), 0_u8..3), 0..40),
        ) {
            let mut blocks = Blocks::new(width, height, 7_u8);
            let mut array = vec![7_u8; width * height];
            let mut clones = Vec::new();
            for (what, seed, value) in edits {
                let drawn = |number: u64, end: usize| random::keyed(seed, number, 0) as usize % end;
                let (x, y) = (drawn(0, width), drawn(1, height));
                match what {
                    0 => {
                        let before = std::mem::replace(&mut array[y * width + x], value);
                        prop_assert_eq!(blocks.replace(x, y, value), before);
                    }
                    1 => {
                        let row = vec![value; 1 + drawn(2, width - x)];
                        array[y * width + x..][..row.len()].copy_from_slice(&row);
                        blocks.put_row(x, y, &row);
                    }
                    2 => blocks.share(x..width, y..height),
                    3 => {
                        array.iter_mut().skip(x).step_by(1 + y).for_each(|cell| *cell = value);
                        blocks.set_all(&array);
                    }
                    _ => clones.push((blocks.clone(), array.clone())),
                }
            }
            blocks.share(0..width, 0..height);
            clones.push((blocks, array));
            for (blocks, array) in clones {
                let other = blocks.map(|value| u16::from(value) + 1);
                for (y, known) in array.chunks(width).enumerate() {
                    let mut row = vec![0; width];
                    blocks.copy_row(0, y, &mut row);
                    prop_assert_eq!(&row, known);
                    let first = y % width;
                    let (rows, stride) = (y / 2..y + 1, width + 3);
                    let mut rect = vec![99; rows.len() * stride];
                    blocks.copy_rect(first..width, rows.clone(), (&mut rect, stride));
                    let value = array[y * width + first];
                    let cells = rows.clone().flat_map(|y| &array[y * width + first..(y + 1) * width]);
                    let all_are = cells.into_iter().all(|&cell| cell == value);
                    prop_assert_eq!(blocks.all_are(first..width, rows.clone(), value), all_are);
                    for (row, y) in rect.chunks(stride).zip(rows) {
                        let (inside, outside) = row.split_at(width - first);
                        prop_assert_eq!(inside, &array[y * width + first..(y + 1) * width]);
                        prop_assert!(outside.iter().all(|&cell| cell == 99));
                    }
                    let mut part = Vec::new();
                    blocks.append_row((first, y), width - first, &mut part);
                    prop_assert_eq!(&part, &known[first..]);
                    for (x, &value) in known.iter().enumerate() {
                        prop_assert_eq!(blocks.at(x, y), value);
                        prop_assert_eq!(other.at(x, y), u16::from(value) + 1);
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_of_one_value_share_memory() {
        let edge = 4 * EDGE;
        let mut blocks = Blocks::new(edge, edge, 0_u8);
        assert_eq!(blocks.own_block_count(), 0);
        for y in 0..edge {
            blocks.put_row(0, y, &vec![9; edge]);
        }
        assert_eq!(blocks.own_block_count(), 16, "written row by row");
        blocks.share(0..edge, 0..edge);
        assert_eq!(blocks.own_block_count(), 0);
        blocks.replace(40, 40, 3);
        assert_eq!((blocks.own_block_count(), blocks.at(41, 40)), (1, 9));
        // A value that is there already copies nothing.
        blocks.replace(70, 70, 9);
        blocks.put_row(64, 70, &[9; 30]);
        assert_eq!(blocks.own_block_count(), 1);
    }
}
