//! Values of the stored cells of a cost field: in one array, or in blocks that share memory.
//!
//! Solvers read neighbours by their distance in an array, so windows and maps that are solved as a whole have one.
//! Other maps have blocks, until something asks for the array: then it is made once, and edits change both. Snapshots
//! share the blocks alone.

use crate::grid::blocks::Blocks;
use crate::retired::{Retired, make_room};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The most blocks that are compared cell by cell: 1 ms.
const MOST_UNSHARED: usize = 1024;

/// What is stored for cells.
pub(super) trait Stored: Copy + PartialEq + Debug + Send + Sync + 'static {}

impl<T: Copy + PartialEq + Debug + Send + Sync + 'static> Stored for T {}

/// A value for each stored cell, by stored index.
#[derive(Debug, Clone)]
pub(super) enum CellValues<T> {
    Flat(Vec<T>),
    /// The blocks, and the same in one array if something has asked for it.
    Shared(Blocks<T>, OnceLock<Vec<T>>),
}

impl<T: Stored> CellValues<T> {
    /// Values of no cells.
    pub(super) fn none() -> Self {
        Self::Flat(Vec::new())
    }

    /// The same value for `rows` rows of `stride` cells, in blocks.
    pub(super) fn shared(stride: usize, rows: usize, value: T) -> Self {
        Self::Shared(Blocks::new(stride, rows, value), OnceLock::new())
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Flat(values) => values.len(),
            Self::Shared(blocks, _) => blocks.cell_count(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Flat(values) => size_of_val(values.as_slice()),
            Self::Shared(blocks, flat) => {
                blocks.bytes() + flat.get().map_or(0, |flat| size_of_val(flat.as_slice()))
            }
        }
    }

    /// Visits the parts of the memory that copies may share, each with its address and bytes.
    pub(super) fn each_part(&self, visit: &mut impl FnMut(usize, usize)) {
        let (blocks, array) = match self {
            Self::Flat(values) => (&[][..], Some(values)),
            Self::Shared(blocks, flat) => (blocks.blocks(), flat.get()),
        };
        for block in blocks {
            visit(Arc::as_ptr(block) as usize, size_of_val(&**block));
        }
        if let Some(array) = array {
            visit(array.as_ptr() as usize, size_of_val(array.as_slice()));
        }
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        match self {
            Self::Flat(values) => retired.add(values),
            Self::Shared(blocks, flat) => {
                retired.add(blocks.into_blocks());
                if let Some(flat) = flat.into_inner() {
                    retired.add(flat);
                }
            }
        }
    }

    /// The value of a stored index. Finding its block takes longer than reading the array.
    #[inline]
    pub(super) fn get(&self, index: usize) -> T {
        match self {
            Self::Flat(values) => values[index],
            Self::Shared(blocks, array) => match array.get() {
                Some(values) => values[index],
                None => blocks.at(index % blocks.width(), index / blocks.width()),
            },
        }
    }

    /// The value in a stored column and row.
    #[inline]
    pub(super) fn at(&self, (x, y): (usize, usize), stride: usize) -> T {
        match self {
            Self::Flat(values) => values[y * stride + x],
            Self::Shared(blocks, _) => blocks.at(x, y),
        }
    }

    /// Sets the value of a stored index, and returns the one before.
    pub(super) fn replace(&mut self, index: usize, value: T) -> T {
        match self {
            Self::Flat(values) => std::mem::replace(&mut values[index], value),
            Self::Shared(blocks, array) => {
                if let Some(array) = array.get_mut() {
                    array[index] = value;
                }
                blocks.replace(index % blocks.width(), index / blocks.width(), value)
            }
        }
    }

    /// Copies cells of one row, from a stored index on, into `row`.
    #[inline]
    pub(super) fn copy_row(&self, from: usize, row: &mut [T]) {
        match self {
            Self::Flat(values) => row.copy_from_slice(&values[from..from + row.len()]),
            Self::Shared(blocks, array) => match array.get() {
                Some(values) => row.copy_from_slice(&values[from..from + row.len()]),
                None => blocks.copy_row(from % blocks.width(), from / blocks.width(), row),
            },
        }
    }

    /// Copies the cells of some stored columns and rows into `out`, in rows of `out_stride`. These have `stride` cells.
    #[inline]
    pub(super) fn copy_rect(
        &self,
        (columns, rows): (Range<usize>, Range<usize>),
        stride: usize,
        (out, out_stride): (&mut [T], usize),
    ) {
        match self {
            Self::Flat(values) => {
                for (row, out) in rows.zip(out.chunks_mut(out_stride)) {
                    let from = row * stride + columns.start;
                    out[..columns.len()].copy_from_slice(&values[from..from + columns.len()]);
                }
            }
            Self::Shared(blocks, _) => blocks.copy_rect(columns, rows, (out, out_stride)),
        }
    }

    /// Appends `count` cells of one row, from a stored index on.
    pub(super) fn append_row(&self, from: usize, count: usize, out: &mut Vec<T>) {
        match self {
            Self::Flat(values) => out.extend_from_slice(&values[from..from + count]),
            Self::Shared(blocks, _) => {
                let first = (from % blocks.width(), from / blocks.width());
                blocks.append_row(first, count, out);
            }
        }
    }

    /// Whether all cells of some stored columns and rows have a value. Rows have `stride` cells.
    pub(super) fn all_are(
        &self,
        (columns, mut rows): (Range<usize>, Range<usize>),
        stride: usize,
        value: T,
    ) -> bool {
        match self {
            Self::Flat(values) => rows.all(|row| {
                let cells = &values[row * stride + columns.start..][..columns.len()];
                // Without a branch for each cell.
                !cells
                    .iter()
                    .fold(false, |differs, &cell| differs | (cell != value))
            }),
            Self::Shared(blocks, _) => blocks.all_are(columns, rows, value),
        }
    }

    /// Sets cells of one row, from a stored index on.
    pub(super) fn put_row(&mut self, from: usize, row: &[T]) {
        match self {
            Self::Flat(values) => values[from..from + row.len()].copy_from_slice(row),
            Self::Shared(blocks, array) => {
                if let Some(array) = array.get_mut() {
                    array[from..from + row.len()].copy_from_slice(row);
                }
                blocks.put_row(from % blocks.width(), from / blocks.width(), row);
            }
        }
    }

    /// Calls `visit` with the columns of each run of cells of a stored row of `stride` with such values, ascending.
    pub(super) fn for_each_run_where(
        &self,
        is_such: impl Fn(T) -> bool,
        (row, stride): (usize, usize),
        mut visit: impl FnMut(Range<usize>),
    ) {
        let mut values = Vec::with_capacity(stride);
        self.append_row(row * stride, stride, &mut values);
        let mut start = 0;
        for cells in values.chunk_by(|&one, &next| is_such(one) == is_such(next)) {
            if is_such(cells[0]) {
                visit(start..start + cells.len());
            }
            start += cells.len();
        }
    }

    /// Other values that follow from these.
    pub(super) fn map<U: Stored>(&self, other: impl Fn(T) -> U) -> CellValues<U> {
        match self {
            Self::Flat(values) => CellValues::Flat(values.iter().copied().map(other).collect()),
            Self::Shared(blocks, _) => CellValues::Shared(blocks.map(other), OnceLock::new()),
        }
    }

    /// Has blocks share memory that hold one value and have cells in stored columns and rows.
    pub(super) fn share(&mut self, columns: Range<usize>, rows: Range<usize>) {
        if let Self::Shared(blocks, _) = self {
            blocks.share(columns, rows);
        }
    }

    /// All values in one array. The first time it is linear in the cells.
    pub(super) fn array(&self) -> &[T] {
        match self {
            Self::Flat(values) => values,
            Self::Shared(blocks, flat) => flat.get_or_init(|| {
                let mut copy = Vec::new();
                copy_rows(blocks, blocks.height(), &mut copy);
                copy
            }),
        }
    }

    /// The array of all values, if there is one.
    pub(super) fn known_array(&self) -> Option<&[T]> {
        match self {
            Self::Flat(values) => Some(values),
            Self::Shared(_, flat) => flat.get().map(Vec::as_slice),
        }
    }

    /// The same values without an array, which share all blocks.
    pub(super) fn without_array(&self) -> Self {
        match self {
            Self::Flat(_) => self.clone(),
            Self::Shared(blocks, _) => Self::Shared(blocks.clone(), OnceLock::new()),
        }
    }

    /// Rectangles of columns and rows around the cells that differ from others, if both have blocks and share all but a
    /// few of them.
    pub(super) fn differences(&self, other: &Self) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        match (self, other) {
            (Self::Shared(own, _), Self::Shared(others, _))
                if own.cell_count() == others.cell_count()
                    && own.unshared_blocks(others) <= MOST_UNSHARED =>
            {
                Some(own.differences(others))
            }
            _ => None,
        }
    }

    /// Takes the array of other values and changes it where they differ, as far as [`Self::differences`] tells.
    pub(super) fn inherit_array(&self, other: &mut Self) {
        let differences = self.differences(other);
        if let (Self::Shared(blocks, array), Self::Shared(_, from)) = (self, other)
            && let Some(differences) = differences
            && array.get().is_none()
            && let Some(mut values) = from.take()
        {
            for (columns, rows) in differences {
                for y in rows {
                    let row = &mut values[y * blocks.width()..][columns.clone()];
                    blocks.copy_row(columns.start, y, row);
                }
            }
            // Another solve may have given it meanwhile.
            drop(array.set(values));
        }
    }

    /// Continues a copy in one array to `end` of `all` cells, both of whole rows.
    pub(super) fn copy_rows_to(&self, end: usize, all: usize, copy: &mut Vec<T>) {
        if copy.is_empty() {
            make_room(copy, all);
        }
        match self {
            Self::Flat(values) => copy.extend_from_slice(&values[copy.len().min(end)..end]),
            Self::Shared(blocks, _) => copy_rows(blocks, end / blocks.width(), copy),
        }
    }

    /// Takes a complete copy as the array of these values.
    pub(super) fn give_array(&self, copy: Vec<T>) {
        if let Self::Shared(blocks, flat) = self
            && copy.len() == blocks.cell_count()
        {
            // Another solve may have given it meanwhile.
            drop(flat.set(copy));
        }
    }

    /// The array of all values, if there is one.
    pub(super) fn into_array(self) -> Option<Vec<T>> {
        match self {
            Self::Flat(values) => Some(values),
            Self::Shared(_, flat) => flat.into_inner(),
        }
    }

    /// All values in one array, for an edit.
    pub(super) fn array_mut(&mut self) -> &mut Vec<T> {
        if let Self::Shared(..) = self {
            *self = Self::Flat(self.array().to_vec());
        }
        match self {
            Self::Flat(values) => values,
            Self::Shared(..) => unreachable!("it is in one array now"),
        }
    }
}

/// Appends rows to a copy of all rows, until it has `end` of them.
fn copy_rows<T: Copy + PartialEq>(blocks: &Blocks<T>, end: usize, copy: &mut Vec<T>) {
    let width = blocks.width();
    if copy.is_empty() {
        make_room(copy, blocks.cell_count());
    }
    for y in copy.len() / width..end.min(blocks.height()) {
        blocks.append_row((0, y), width, copy);
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{CellRect, Grid};
    use crate::movement::cost_field::Surcharge;
    use crate::movement::{Arrays, Clearance, CostField, MovementType, WallPenalty};
    use crate::random;
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        /// When arrays are asked for, and how, changes no cost: not before edits, between them, or after.
        #[test]
        fn arrays_hold_what_blocks_hold(
            (width, height) in (1_i32..80, 1_i32..80),
            radius in prop::sample::select(vec![0.0_f32, 0.9]),
            edits in prop::collection::vec((0_u8..6, any::<u64>()), 1..12),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            let kind = MovementType::with_wall_penalty(WallPenalty::new(9, 1, true).expect("in range"))
                .with_clearance(Clearance::new(radius).expect("in range"));
            let mut shared = CostField::new(&grid, &terrain, &kind);
            let mut flat = shared.clone();
            for (what, seed) in edits {
                let drawn = |number: u64, end: i32| {
                    (random::keyed(seed, number, 0) % end as u64) as i32
                };
                let low = IVec2::new(drawn(0, width), drawn(1, height));
                let high = (low + 1 + drawn(2, 40)).min(grid.size());
                match what {
                    0 => prop_assert!(!flat.costs().is_empty() && !flat.steps().is_empty()),
                    1 => {
                        let mut copy = Arrays::default();
                        for end in [height as usize / 2, height as usize + 2] {
                            flat.copy_to_arrays(end, &mut copy);
                        }
                        flat = flat.in_arrays(copy);
                        prop_assert!(flat.has_arrays());
                    }
                    2 => {
                        let surcharge = Surcharge { crowd: 3, overlays: drawn(3, 9) as u8 };
                        let changes = flat.lay_surcharges(&[(low, surcharge)]);
                        prop_assert_eq!(changes, shared.lay_surcharges(&[(low, surcharge)]));
                    }
                    _ => {
                        let rect = CellRect { low, high };
                        terrain.fill_rect(rect, [1, 7, 255][drawn(4, 3) as usize]).expect("inside");
                        let changes = flat.update(&terrain, &kind, &[rect]);
                        prop_assert_eq!(changes, shared.update(&terrain, &kind, &[rect]));
                    }
                }
            }
            prop_assert!(!shared.has_arrays());
            prop_assert_eq!(shared.hash(), flat.hash());
            prop_assert_eq!(shared.to_bytes(), flat.to_bytes());
            prop_assert!(shared.cells_unlike(&flat).is_empty());
            prop_assert_eq!(shared.differences(&flat), vec![]);
            for y in -1..=height {
                for cell in (-1..=width).map(|x| IVec2::new(x, y)) {
                    let index = shared.index(cell);
                    prop_assert_eq!(shared.cost_of(index), flat.costs()[index]);
                    prop_assert_eq!(shared.is_wall_at(index), flat.is_wall_in(cell));
                    if shared.contains(cell) {
                        prop_assert_eq!(shared.steps_at(cell), flat.steps()[index]);
                        prop_assert_eq!(shared.plain_cost_at(cell), flat.plain_cost_at(cell));
                    }
                }
            }
        }

        /// Costs that inherit the arrays of former ones have their own values in them.
        #[test]
        fn inherited_arrays_are_corrected(seed in any::<u64>(), changes in 0..20_u64) {
            let grid = Grid::new(IVec2::new(70, 50), 1.0, Vec2::ZERO).expect("valid");
            let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
            let former = CostField::new(&grid, &terrain, &kind);
            let mut costs = former.clone();
            let mut changed = Vec::new();
            for number in 0..changes {
                let cell = grid.cell(random::keyed(seed, number, 0) as usize % grid.cell_count());
                terrain.set(cell, 255).expect("inside");
                let crate::movement::Changes::Cells(cells) =
                    costs.update(&terrain, &kind, &[CellRect::cell(cell)])
                else {
                    unreachable!("a cell is not many");
                };
                changed.extend(cells);
            }
            assert!(!former.costs().is_empty() && !former.steps().is_empty());
            costs.inherit_arrays(former, &changed);
            prop_assert!(costs.has_arrays());
            let anew = CostField::new(&grid, &terrain, &kind);
            prop_assert_eq!(costs.costs(), anew.costs());
            prop_assert_eq!(costs.steps(), anew.steps());
        }
    }

    /// The limit for a movement type on clear ground: a fifteenth of what arrays take.
    #[test]
    fn clear_ground_takes_four_mebibytes() {
        let grid = Grid::new(IVec2::splat(4096), 1.0, Vec2::ZERO).expect("valid");
        let (terrain, kind) = (Terrain::new(&grid), MovementType::default());
        let costs = CostField::new(&grid, &terrain, &kind);
        assert!(costs.bytes() <= 4 << 20, "{} bytes", costs.bytes());
    }
}
