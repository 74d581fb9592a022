//! The floors of a whole grid, and the steps between them.

use super::columns::ColumnFloors;
use super::floors::Floor;
use super::settings::StoreySettings;
use crate::grid::{CellRect, Grid};
use glam::IVec2;
use std::ops::Range;

/// No floor.
pub(super) const NONE: u32 = u32::MAX;

/// The four directions of steps. The opposite of direction `n` is `(n + 2) % 4`.
pub(super) const SIDES: [IVec2; 4] = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];

/// The floors of a grid of one layer, by number: row by row, and from below in each column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FloorMap {
    size: IVec2,
    /// The number of the first floor of each column, and at last the number of floors.
    first: Vec<u32>,
    pub floors: Vec<Floor>,
}

impl FloorMap {
    /// Joins the floors of bands of rows.
    pub(super) fn new(grid: &Grid, bands: impl Iterator<Item = ColumnFloors>) -> Self {
        let mut first = Vec::with_capacity(grid.cell_count() + 1);
        let mut floors = Vec::new();
        let mut next = 0;
        for band in bands {
            for count in band.counts {
                first.push(next);
                next += u32::from(count);
            }
            floors.extend(band.floors);
        }
        first.push(next);
        Self {
            size: grid.size(),
            first,
            floors,
        }
    }

    pub(super) fn cells(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: self.size,
        }
    }

    /// The numbers of the floors of a cell; none outside the grid.
    pub(super) fn column(&self, cell: IVec2) -> Range<u32> {
        if !self.cells().contains(cell) {
            return 0..0;
        }
        let index = (cell.y * self.size.x + cell.x) as usize;
        self.first[index]..self.first[index + 1]
    }

    pub(super) fn floor(&self, number: u32) -> &Floor {
        &self.floors[number as usize]
    }

    /// The cell of each floor.
    pub(super) fn cells_of_floors(&self) -> Vec<IVec2> {
        let mut cells = Vec::with_capacity(self.floors.len());
        for y in 0..self.size.y {
            for x in 0..self.size.x {
                let cell = IVec2::new(x, y);
                cells.resize(cells.len() + self.column(cell).len(), cell);
            }
        }
        cells
    }

    /// The greatest number of floors of a column.
    pub(super) fn depth(&self) -> u32 {
        let counts = self.first.windows(2).map(|pair| pair[1] - pair[0]);
        counts.max().unwrap_or_default()
    }

    /// The floor that a step from a floor of `cell` in a direction leads to, or [`NONE`].
    ///
    /// Where several floors are near enough, floors are joined that are each the nearest to the other.
    pub(super) fn step(
        &self,
        floor: u32,
        cell: IVec2,
        side: usize,
        settings: &StoreySettings,
    ) -> u32 {
        let next = self.nearest(floor, cell + SIDES[side], side, settings);
        if next == NONE || self.nearest(next, cell, (side + 2) % 4, settings) != floor {
            return NONE;
        }
        next
    }

    fn nearest(&self, floor: u32, column: IVec2, side: usize, settings: &StoreySettings) -> u32 {
        let own = self.floor(floor);
        let direction = SIDES[side].as_vec2();
        let mut best = (f32::INFINITY, f32::INFINITY, NONE);
        for number in self.column(column) {
            let next = self.floor(number);
            if let Some(step) = own.step_to(next, (direction.x, direction.y), settings) {
                let apart = (next.height - own.height).abs();
                if (step, apart) < (best.0, best.1) {
                    best = (step, apart, number);
                }
            }
        }
        best.2
    }

    /// A copy with other floors in the columns of `cells`, which are in the grid.
    pub(super) fn replaced(&self, cells: CellRect, new: &ColumnFloors) -> Self {
        let width = (cells.high.x - cells.low.x) as usize;
        let mut first = Vec::with_capacity(self.first.len());
        let mut floors = Vec::with_capacity(self.floors.len() + new.floors.len());
        let mut taken = 0;
        // What is between the replaced columns is copied in one piece.
        let mut column = 0;
        let copy = |from: usize, to: usize, first: &mut Vec<u32>, floors: &mut Vec<Floor>| {
            let (begin, end) = (self.first[from], self.first[to]);
            let place = floors.len() as u32;
            first.extend(self.first[from..to].iter().map(|old| old - begin + place));
            floors.extend_from_slice(&self.floors[begin as usize..end as usize]);
        };
        for (row, counts) in (cells.low.y..).zip(new.counts.chunks(width.max(1))) {
            let begin = (row * self.size.x + cells.low.x) as usize;
            copy(column, begin, &mut first, &mut floors);
            for &count in counts {
                first.push(floors.len() as u32);
                let count = usize::from(count);
                floors.extend_from_slice(&new.floors[taken..taken + count]);
                taken += count;
            }
            column = begin + width;
        }
        copy(column, self.first.len() - 1, &mut first, &mut floors);
        first.push(floors.len() as u32);
        Self {
            size: self.size,
            first,
            floors,
        }
    }
}
