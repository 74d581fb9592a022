//! The steps between the floors of a window of cells, each found once.

use super::floor_map::{FloorMap, NONE, SIDES};
use super::settings::StoreySettings;
use crate::grid::CellRect;
use glam::IVec2;

/// The steps from the floors of a window.
pub(super) struct Steps<'a> {
    map: &'a FloorMap,
    cells: CellRect,
    /// The place in `to` of the lowest floor of each cell, row by row.
    first: Vec<u32>,
    /// The floors that steps lead to, by direction, or [`NONE`]. Steps that lead out of the window are only those along
    /// x and z, and not against.
    to: Vec<[u32; 4]>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(map: &'a FloorMap, settings: &StoreySettings, cells: CellRect) -> Self {
        let mut count = 0;
        let mut first = Vec::with_capacity(cells.cell_count());
        for cell in cells.cells() {
            first.push(count);
            count += map.column(cell).len() as u32;
        }
        let mut steps = Self {
            map,
            cells,
            first,
            to: vec![[NONE; 4]; count as usize],
        };
        for cell in cells.cells() {
            for floor in map.column(cell) {
                for (side, &step) in SIDES[..2].iter().enumerate() {
                    let next = map.step(floor, cell, side, settings);
                    let place = steps.place(floor, cell);
                    steps.to[place][side] = next;
                    if next != NONE && cells.contains(cell + step) {
                        let place = steps.place(next, cell + step);
                        steps.to[place][side + 2] = floor;
                    }
                }
            }
        }
        steps
    }

    fn place(&self, floor: u32, cell: IVec2) -> usize {
        let at = cell - self.cells.low;
        let width = self.cells.high.x - self.cells.low.x;
        let first = self.first[(at.y * width + at.x) as usize];
        (first + floor - self.map.column(cell).start) as usize
    }

    /// The floor that a step from a floor of `cell`, which is in the window, leads to: see [`FloorMap::step`].
    pub(super) fn from(&self, floor: u32, cell: IVec2, side: usize) -> u32 {
        self.to[self.place(floor, cell)][side]
    }
}
