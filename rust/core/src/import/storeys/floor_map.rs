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

/// The floors of a grid of one layer, by number. The floors of a column follow each other, from below.
///
/// In a new map the columns follow each other row by row. Columns that are replaced get numbers after all others, and
/// their old numbers stay unused until half of all are. So a replacement takes time for its own columns alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FloorMap {
    size: IVec2,
    /// The numbers of the floors of each column: the first, and the one after the last.
    columns: Vec<(u32, u32)>,
    pub floors: Vec<Floor>,
    unused: usize,
}

/// Columns as they were before they were replaced.
pub(super) struct Replaced {
    cells: CellRect,
    /// Row by row.
    columns: Vec<(u32, u32)>,
    /// The number of floors of the map.
    floors: usize,
}

impl Replaced {
    /// The numbers of the floors that a cell had. They are valid until the map is compacted.
    pub(super) fn column(&self, cell: IVec2) -> Range<u32> {
        let at = cell - self.cells.low;
        let width = self.cells.high.x - self.cells.low.x;
        let (first, end) = self.columns[(at.y * width + at.x) as usize];
        first..end
    }
}

impl FloorMap {
    /// Joins the floors of bands of rows.
    pub(super) fn new(grid: &Grid, bands: impl Iterator<Item = ColumnFloors>) -> Self {
        let mut columns = Vec::with_capacity(grid.cell_count());
        let mut floors = Vec::new();
        let mut next = 0;
        for band in bands {
            for count in band.counts {
                columns.push((next, next + u32::from(count)));
                next += u32::from(count);
            }
            floors.extend(band.floors);
        }
        Self {
            size: grid.size(),
            columns,
            floors,
            unused: 0,
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
        let (first, end) = self.columns[self.index(cell)];
        first..end
    }

    fn index(&self, cell: IVec2) -> usize {
        (cell.y * self.size.x + cell.x) as usize
    }

    pub(super) fn floor(&self, number: u32) -> &Floor {
        &self.floors[number as usize]
    }

    /// The cell of each floor of a map without replaced columns.
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
        let counts = self.columns.iter().map(|(first, end)| end - first);
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

    /// Gives the columns of `cells`, which are in the grid, other floors.
    pub(super) fn replace(&mut self, cells: CellRect, new: &ColumnFloors) -> Replaced {
        let mut replaced = Replaced {
            cells,
            columns: Vec::with_capacity(cells.cell_count()),
            floors: self.floors.len(),
        };
        let mut next = self.floors.len() as u32;
        self.floors.extend_from_slice(&new.floors);
        for (cell, &count) in cells.cells().zip(&new.counts) {
            let index = self.index(cell);
            let own = (next, next + u32::from(count));
            replaced
                .columns
                .push(std::mem::replace(&mut self.columns[index], own));
            next = own.1;
        }
        replaced
    }

    /// Takes the last replacement back.
    pub(super) fn restore(&mut self, replaced: &Replaced) {
        for (cell, &column) in replaced.cells.cells().zip(&replaced.columns) {
            let index = self.index(cell);
            self.columns[index] = column;
        }
        self.floors.truncate(replaced.floors);
    }

    /// Keeps the last replacement.
    pub(super) fn confirm(&mut self, replaced: &Replaced) {
        let counts = replaced.columns.iter().map(|(first, end)| end - first);
        self.unused += counts.sum::<u32>() as usize;
        if 2 * self.unused > self.floors.len() {
            self.compact();
        }
    }

    /// Numbers the floors again row by row.
    fn compact(&mut self) {
        let mut floors = Vec::with_capacity(self.floors.len() - self.unused);
        for column in &mut self.columns {
            let first = floors.len() as u32;
            floors.extend_from_slice(&self.floors[column.0 as usize..column.1 as usize]);
            *column = (first, floors.len() as u32);
        }
        self.floors = floors;
        self.unused = 0;
    }
}
