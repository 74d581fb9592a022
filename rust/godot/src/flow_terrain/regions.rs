//! Reads and paints parts of a terrain.

use super::FlowTerrain;
use super::area::{self, Search, Span};
use crate::convert::{cell_rect, ivec2, rect2i};
use crate::painted::terrain_id;
use crate::report::refuse;
use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowTerrain {
    /// Returns the terrain ids of a rectangle of cells, row by row. The whole rectangle must be in the terrain; otherwise reports an error and returns an empty array. The cost depends on the size of the rectangle alone.
    #[func]
    fn get_region(&mut self, rect: Rect2i) -> PackedByteArray {
        match self.region("FlowTerrain.get_region", rect) {
            Some(rect) => self.region_bytes(rect).into(),
            None => PackedByteArray::new(),
        }
    }

    /// Sets the terrain ids of a rectangle of cells, row by row, and leaves all others. The whole rectangle must be in the terrain. If a cell changes, changed and region_changed are emitted, and the managers of the terrain read that part again.
    #[func]
    fn set_region(&mut self, rect: Rect2i, cells: PackedByteArray) -> Error {
        const METHOD: &str = "FlowTerrain.set_region";
        let Some(rect) = self.region(METHOD, rect) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        if !has_one_for_each(METHOD, "cells", rect, &cells) {
            return Error::ERR_INVALID_PARAMETER;
        }
        let cells = cells.as_slice();
        self.paint(rect, |index, _| cells[index]);
        Error::OK
    }

    /// Sets the terrain id, 0 to 255, of all cells of a rectangle, as set_region() does.
    #[func]
    fn fill_region(&mut self, rect: Rect2i, id: i64) -> Error {
        const METHOD: &str = "FlowTerrain.fill_region";
        let (Some(rect), Some(id)) = (self.region(METHOD, rect), terrain_id(METHOD, id)) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.paint(rect, |_, _| id);
        Error::OK
    }

    /// Sets the terrain id, 0 to 255, of those cells of a rectangle that `mask` covers, as a brush does. `mask` has one entry for each cell of the rectangle, row by row: 255 covers the cell, 0 does not, and with an entry between, that share of cells is covered, in an even pattern. Which cells these are depends on their places alone, so the same call again changes nothing. The part of the rectangle that is outside the terrain has no effect.
    #[func]
    fn fill_masked(&mut self, rect: Rect2i, mask: PackedByteArray, id: i64) -> Error {
        const METHOD: &str = "FlowTerrain.fill_masked";
        let Some(all) = cell_rect(rect) else {
            refuse_rect(METHOD, rect);
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(id) = terrain_id(METHOD, id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        if !has_one_for_each(METHOD, "mask", all, &mask) {
            return Error::ERR_INVALID_PARAMETER;
        }
        let part = all.intersection(&self.all());
        if part.is_empty() {
            return Error::OK;
        }
        let mask = mask.as_slice();
        let columns = (all.high.x - all.low.x) as usize;
        let skipped = (part.low - all.low).as_usizevec2();
        let inside = (part.high.x - part.low.x) as usize;
        self.paint(part, |index, old| {
            let (x, y) = (index % inside + skipped.x, index / inside + skipped.y);
            let cell = all.low + IVec2::new(x as i32, y as i32);
            if is_covered(mask[y * columns + x], cell) {
                id
            } else {
                old
            }
        });
        Error::OK
    }

    /// Returns the smallest rectangle around the cells that fill_area() would change for the same arguments. If the cell is outside, reports an error and returns an empty rectangle.
    #[func]
    fn get_area(
        &mut self,
        cell: Vector2i,
        #[opt(default = Rect2i::default())] within: Rect2i,
    ) -> Rect2i {
        let spans = self.connected("FlowTerrain.get_area", cell, within);
        let bounds = spans.and_then(|spans| area::bounds(&spans));
        bounds.map(rect2i).unwrap_or_default()
    }

    /// Sets the terrain id, 0 to 255, of a cell and of all cells that are connected to it by horizontal and vertical steps over cells of the same id. With `within`, only cells in that rectangle count; by default all do. The time is linear in the cells that are filled.
    #[func]
    fn fill_area(
        &mut self,
        cell: Vector2i,
        id: i64,
        #[opt(default = Rect2i::default())] within: Rect2i,
    ) -> Error {
        const METHOD: &str = "FlowTerrain.fill_area";
        let Some(id) = terrain_id(METHOD, id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(spans) = self.connected(METHOD, cell, within) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let is_new = self.cells.as_slice()[self.index_of(ivec2(cell))] != id;
        if let Some(bounds) = area::bounds(&spans)
            && is_new
        {
            for Span { y, first, last } in spans {
                let start = self.index_of(IVec2::new(first, y));
                let length = (last - first) as usize + 1;
                self.cells.as_mut_slice()[start..start + length].fill(id);
            }
            self.touch(bounds);
        }
        Error::OK
    }
}

impl FlowTerrain {
    /// The terrain ids of a rectangle in the terrain, row by row.
    pub fn region_bytes(&self, rect: CellRect) -> Vec<u8> {
        let columns = (rect.high.x - rect.low.x) as usize;
        let rows = (rect.low.y..rect.high.y)
            .map(|y| &self.bytes()[self.index_of(IVec2::new(rect.low.x, y))..][..columns]);
        rows.flatten().copied().collect()
    }

    /// Gives the cells of a rectangle the id that `new` returns for the index of a cell in the rectangle and its id.
    fn paint(&mut self, rect: CellRect, new: impl Fn(usize, u8) -> u8) {
        let columns = (rect.high.x - rect.low.x) as usize;
        let mut changed: Option<CellRect> = None;
        for (y, first) in (rect.low.y..rect.high.y).zip((0..).step_by(columns.max(1))) {
            let start = self.index_of(IVec2::new(rect.low.x, y));
            let row = &self.cells.as_slice()[start..start + columns];
            let is_new = |(offset, &old): (usize, &u8)| new(first + offset, old) != old;
            let Some(left) = row.iter().enumerate().position(is_new) else {
                continue;
            };
            // Only now, as asking for it copies cells that something else holds.
            let row = &mut self.cells.as_mut_slice()[start..start + columns];
            let mut right = left;
            for (offset, id) in row.iter_mut().enumerate().skip(left) {
                let painted = new(first + offset, *id);
                if painted != *id {
                    *id = painted;
                    right = offset;
                }
            }
            let cells = CellRect {
                low: IVec2::new(rect.low.x + left as i32, y),
                high: IVec2::new(rect.low.x + right as i32 + 1, y + 1),
            };
            changed = Some(changed.map_or(cells, |known| known.union(&cells)));
        }
        if let Some(changed) = changed {
            self.touch(changed);
        }
    }

    /// A rectangle in the terrain; `None` after a report.
    fn region(&self, method: &str, rect: Rect2i) -> Option<CellRect> {
        let Some(cells) = cell_rect(rect) else {
            refuse_rect(method, rect);
            return None;
        };
        let all = self.all();
        if cells.low.cmplt(all.low).any() || cells.high.cmpgt(all.high).any() {
            let size = self.size;
            refuse(
                method,
                format_args!("rect must be in the terrain of {size}, not {rect}"),
            );
            return None;
        }
        Some(cells)
    }

    /// The cells that a fill from a cell reaches; `None` after a report.
    fn connected(&self, method: &str, cell: Vector2i, within: Rect2i) -> Option<Vec<Span>> {
        let within = if within == Rect2i::default() {
            self.all()
        } else {
            self.region(method, within)?
        };
        let start = ivec2(cell);
        if !within.contains(start) {
            let area = rect2i(within);
            refuse(
                method,
                format_args!("cell {cell} is outside the cells {area}"),
            );
            return None;
        }
        let search = Search {
            cells: self.bytes(),
            width: self.size.x as usize,
            within,
        };
        Some(search.area(start))
    }

    /// The index of a cell in the terrain, or at its end.
    fn index_of(&self, cell: IVec2) -> usize {
        cell.y as usize * self.size.x as usize + cell.x as usize
    }
}

/// Whether a cell is among those that a share, in parts of 255, covers: an ordered dither of 8 by 8 cells.
fn is_covered(share: u8, cell: IVec2) -> bool {
    if share == 0 || share == u8::MAX {
        return share > 0;
    }
    // Bits of x and y alternate, the lowest first, so that cells of similar ranks are far apart.
    let rank = (0..3).fold(0, |rank, bit| {
        let (x, y) = ((cell.x >> bit) & 1, (cell.y >> bit) & 1);
        rank * 4 + (x ^ y) * 2 + y
    });
    i32::from(share) * 64 > rank * 255 + 127
}

fn refuse_rect(method: &str, rect: Rect2i) {
    refuse(
        method,
        format_args!("rect must have a size of 0 or more, not {rect}"),
    );
}

/// Whether there is an entry for each cell of a rectangle; otherwise reports it.
fn has_one_for_each(method: &str, name: &str, rect: CellRect, entries: &PackedByteArray) -> bool {
    let (expected, actual) = (rect.cell_count(), entries.len());
    if actual != expected {
        let reason = format_args!("{name} must have {expected} entries, not {actual}");
        refuse(method, reason);
    }
    actual == expected
}
