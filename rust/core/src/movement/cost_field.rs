//! The cost field, which the solvers read.
//!
//! Read this file (the data), then in `cost_field/`: `cell_values` and `arrays` (how it is stored, and where solvers
//! read it); `building` (from terrain, row by row, and updates) with `legal_steps`, `histogram` and `one_cell`;
//! `surcharged` and `lay_surcharges` (what crowds and cost overlays add); `excerpt` (taking updates back); `continued`
//! with `follow_floors` (walls that discs reach over, at seams between layers); `differences` and `hash` (what tells
//! two fields of one map apart); `trial_walls` (what other walls would close); `window` (copies of parts) and
//! `patchwork` (several parts as one map).
//!
//! - A border of one wall cell surrounds the grid, so reading neighbours needs no bounds test.
//! - An updated field equals a new one for the same terrain, byte for byte.

mod arrays;
mod building;
mod cell_values;
mod continued;
mod differences;
mod excerpt;
mod follow_floors;
mod hash;
mod histogram;
mod lay_surcharges;
mod legal_steps;
mod one_cell;
mod patchwork;
mod surcharged;
mod trial_walls;
mod window;

use super::BLOCKED;
use super::changes::Changes;
use crate::grid::layers::Layers;
use crate::grid::links::Links;
use crate::grid::seams::Seams;
use crate::grid::{CellRect, offsets};
use crate::retired::Retired;
pub(crate) use arrays::Arrays;
use cell_values::CellValues;
use continued::Continued;
pub(crate) use differences::CellDifference;
pub(crate) use excerpt::Excerpt;
use glam::IVec2;
use std::ops::Range;
use std::sync::Arc;
pub(crate) use surcharged::Surcharge;
use surcharged::Surcharged;

/// The cost of entering each cell of a grid for one movement type.
///
/// It is stored with a border of one wall cell on every side, so that reading neighbours needs no bounds test. Each
/// cell also has the set of its legal steps, bit `i` for [`STEPS`](crate::grid::STEPS)`[i]`: the target is open and,
/// for a diagonal, both cells beside it are open too, so that no path cuts a corner. `steps == 0xFF` means that no wall
/// is near.
///
/// If the movement type needs [`Clearance`](super::Clearance), cells too close to a wall are closed like walls.
/// [`Self::is_wall`] tells the two apart: paths avoid both, and agents are only held back by walls.
#[derive(Debug, Clone)]
pub struct CostField {
    width: usize,
    height: usize,
    stride: usize,
    cost: CellValues<u8>,
    steps: CellValues<u8>,
    /// The walls, bordered like the costs; empty if all closed cells are walls.
    walls: CellValues<bool>,
    /// The rows whose costs and whose walls are written, from the first on. The others are closed.
    written_rows: usize,
    walled_rows: usize,
    /// What crowds and cost overlays add; `None` until they add anything.
    surcharged: Option<Surcharged>,
    /// The number of walls in the grid, if `walls` is in use.
    wall_count: usize,
    /// The number of cells of the grid with each cost.
    histogram: [u32; 256],
    /// See [`Self::cheapest`] and [`Self::dearest`].
    extremes: (u8, u8),
    /// Cells between layers count like cells outside the grid.
    layers: Layers,
    links: Arc<Links>,
    seams: Arc<Seams>,
    continued: Arc<Continued>,
}

impl CostField {
    /// Has its memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        self.cost.retire(retired);
        self.steps.retire(retired);
        self.walls.retire(retired);
        if let Some(surcharged) = self.surcharged {
            surcharged.retire(retired);
        }
    }

    /// The memory of costs, surcharges, steps and walls in bytes. Blocks of 32×32 cells that are alike share
    /// theirs. Once a solve of the whole map has asked for [`Self::costs`], there are arrays beside them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let surcharged = self.surcharged.as_ref().map_or(0, Surcharged::bytes);
        self.cost.bytes() + self.steps.bytes() + self.walls.bytes() + surcharged
    }

    /// Visits the parts of this memory that copies may share, each with its address and bytes.
    pub(crate) fn each_part(&self, mut visit: impl FnMut(usize, usize)) {
        self.cost.each_part(&mut visit);
        self.steps.each_part(&mut visit);
        self.walls.each_part(&mut visit);
        if let Some(surcharged) = &self.surcharged {
            surcharged.each_part(&mut visit);
        }
    }

    /// The number of stored cells, the border's included.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.stride * (self.height + 2)
    }

    /// The links that join its cells.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The links as a shared reference.
    pub(crate) fn shared_links(&self) -> &Arc<Links> {
        &self.links
    }

    /// The layout of the grid's layers.
    pub(crate) fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Replaces the links. Returns the first and last cells of the links that were added or removed.
    pub fn set_links(&mut self, links: Arc<Links>) -> Changes {
        let changes = self.links.changes(&links);
        self.links = links;
        Changes::Cells(changes)
    }

    /// Whether two rows belong to one layer.
    #[inline]
    pub(crate) fn are_of_one_layer(&self, one: i32, other: i32) -> bool {
        self.layers.nearest_of_row(one) == self.layers.nearest_of_row(other)
    }

    pub(crate) fn cells(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: IVec2::new(self.width as i32, self.height as i32),
        }
    }

    /// Width in cells, without the border.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in cells, without the border.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Cells per stored row, the border's two included.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The stored index of a cell; cells of the border (-1 and width or height) have one too.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    /// The cell of a stored index.
    #[must_use]
    pub fn cell(&self, index: usize) -> IVec2 {
        IVec2::new(
            (index % self.stride) as i32 - 1,
            (index / self.stride) as i32 - 1,
        )
    }

    /// The change of a stored index by each of [`STEPS`](crate::grid::STEPS).
    #[must_use]
    pub fn offsets(&self) -> [isize; 8] {
        offsets(self.stride)
    }

    /// All costs, bordered, `stride` to a row; walls and the border are [`BLOCKED`].
    ///
    /// The first call for a map makes this array, in time and memory that are linear in the cells. Cells and rows take
    /// neither: [`Self::cost_at`], [`Self::cost_of`].
    #[must_use]
    pub fn costs(&self) -> &[u8] {
        self.cost.array()
    }

    /// The legal steps out of each cell, bordered, in an array that is made as that of [`Self::costs`]; see
    /// [`CostField`].
    #[must_use]
    pub fn steps(&self) -> &[u8] {
        self.steps.array()
    }

    /// The cost of a stored index, including the border.
    #[must_use]
    #[inline]
    pub fn cost_of(&self, index: usize) -> u8 {
        self.cost.get(index)
    }

    /// Copies the costs and legal steps of a rectangle of the grid, row by row.
    pub(crate) fn copy_rect(&self, rect: CellRect, (costs, steps): (&mut [u8], &mut [u8])) {
        let part = stored_rect(rect);
        let width = part.0.len();
        self.cost
            .copy_rect(part.clone(), self.stride, (costs, width));
        self.steps.copy_rect(part, self.stride, (steps, width));
    }

    /// The cost of a cell; outside the grid it is [`BLOCKED`].
    #[must_use]
    #[inline]
    pub fn cost_at(&self, cell: IVec2) -> u8 {
        if self.contains(cell) {
            self.cost.at(stored(cell), self.stride)
        } else {
            BLOCKED
        }
    }

    /// Whether a cell is in the grid and can be entered.
    #[must_use]
    #[inline]
    pub fn is_open(&self, cell: IVec2) -> bool {
        self.cost_at(cell) != BLOCKED
    }

    /// Whether a cell is a wall, and not only too close to one for the movement type's [`Clearance`](super::Clearance).
    /// All cells outside the grid are walls.
    #[must_use]
    #[inline]
    pub fn is_wall(&self, cell: IVec2) -> bool {
        !self.contains(cell) || self.is_wall_in(cell)
    }

    /// [`Self::is_wall`] for a cell of the grid or the border.
    #[inline]
    pub(crate) fn is_wall_in(&self, cell: IVec2) -> bool {
        if self.walls.is_empty() {
            self.cost.at(stored(cell), self.stride) == BLOCKED
        } else {
            self.walls.at(stored(cell), self.stride)
        }
    }

    /// [`Self::is_wall`] for a stored index, including the border.
    #[must_use]
    #[inline]
    pub fn is_wall_at(&self, index: usize) -> bool {
        if self.walls.is_empty() {
            self.cost.get(index) == BLOCKED
        } else {
            self.walls.get(index)
        }
    }

    /// Calls `visit` with the stored columns of each run of cells of a stored row that can be entered, ascending.
    pub(crate) fn for_each_open_in(&self, row: usize, visit: impl FnMut(Range<usize>)) {
        let is_open = |cost| cost != BLOCKED;
        self.cost
            .for_each_run_where(is_open, (row, self.stride), visit);
    }

    /// Calls `visit` with the stored columns of each run of cells of a stored row that are no walls, ascending.
    pub(crate) fn for_each_floor_in(&self, row: usize, visit: impl FnMut(Range<usize>)) {
        if self.has_clearance() {
            let is_floor = |is_wall: bool| !is_wall;
            self.walls
                .for_each_run_where(is_floor, (row, self.stride), visit);
        } else {
            self.for_each_open_in(row, visit);
        }
    }

    /// Whether cells can be closed for lack of clearance.
    #[must_use]
    pub fn has_clearance(&self) -> bool {
        !self.walls.is_empty()
    }

    /// The legal steps out of a cell that is in the grid.
    #[must_use]
    #[inline]
    pub fn steps_at(&self, cell: IVec2) -> u8 {
        self.steps.at(stored(cell), self.stride)
    }

    pub(crate) fn contains(&self, cell: IVec2) -> bool {
        cell.x >= 0
            && cell.y >= 0
            && (cell.x as usize) < self.width
            && (cell.y as usize) < self.height
    }

    /// The least cost of any open cell; [`MAX_COST`](super::MAX_COST) where there is none.
    #[must_use]
    pub fn cheapest(&self) -> u8 {
        self.extremes.0
    }

    /// The greatest cost of any open cell; 1 where there is none.
    #[must_use]
    pub fn dearest(&self) -> u8 {
        self.extremes.1
    }

    /// The number of cells that can be entered.
    #[must_use]
    pub fn open_cell_count(&self) -> usize {
        self.width * self.height - self.histogram[usize::from(BLOCKED)] as usize
    }

    /// The number of walls.
    #[must_use]
    pub fn wall_count(&self) -> usize {
        if self.walls.is_empty() {
            self.histogram[usize::from(BLOCKED)] as usize
        } else {
            self.wall_count
        }
    }

    /// All costs without the border, row-major.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.width * self.height);
        for y in 1..=self.height {
            let from = y * self.stride + 1;
            self.cost.append_row(from, self.width, &mut bytes);
        }
        bytes
    }
}

/// The stored column and row of a cell of the grid or the border.
#[inline]
fn stored(cell: IVec2) -> (usize, usize) {
    ((cell.x + 1) as usize, (cell.y + 1) as usize)
}

/// The stored columns and rows of a rectangle of the grid.
fn stored_rect(rect: CellRect) -> (Range<usize>, Range<usize>) {
    let (low, high) = (stored(rect.low), stored(rect.high));
    (low.0..high.0, low.1..high.1)
}
