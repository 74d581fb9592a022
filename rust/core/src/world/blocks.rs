//! Reads and paints rectangles of terrain.

use crate::error::{Error, Result};
use crate::grid::CellRect;
use crate::world::FlowWorld;
use glam::IVec2;

impl FlowWorld {
    /// Replaces the terrain of a whole layer by one id per cell of it, row-major.
    ///
    /// # Errors
    /// A layer that does not exist, or [`Error::Length`].
    pub fn set_layer_bytes(&mut self, layer: i64, bytes: &[u8]) -> Result<()> {
        let layers = self.grid.layers();
        let layer = layers.check(layer)?;
        if layers.count() == 1 {
            return self.set_terrain_bytes(bytes);
        }
        self.set_terrain_block(layers.cells(layer, self.grid.width()), bytes)
    }

    /// What belongs to the cells of a layer, of what belongs to all cells of the grid, row-major.
    ///
    /// # Errors
    /// A layer that does not exist, or [`Error::Length`].
    pub fn layer_part<T: Copy>(&self, all: &[T], layer: i64) -> Result<Vec<T>> {
        let cells = self.grid.layers();
        let cells = cells.cells(cells.check(layer)?, self.grid.width());
        let width = self.grid.width() as usize;
        let rows = cells.low.y as usize * width..cells.high.y as usize * width;
        let part = all.get(rows).ok_or(Error::Length {
            name: "cells",
            expected: self.grid.cell_count(),
            actual: all.len(),
        })?;
        Ok(part.to_vec())
    }

    /// Replaces the terrain of a rectangle of cells by one id per cell of it, row-major.
    ///
    /// Only the cells that come out different count as changed.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::CellOutside`] if any part of it is outside; nothing is
    /// changed then.
    pub fn set_terrain_block(&mut self, rect: CellRect, bytes: &[u8]) -> Result<()> {
        let size = rect.high.saturating_sub(rect.low).max(IVec2::ZERO);
        let size = size.as_usizevec2();
        if bytes.len() != size.x * size.y {
            return Err(Error::Length {
                name: "terrain",
                expected: size.x * size.y,
                actual: bytes.len(),
            });
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.check_rect(rect)?;
        self.prepare_edit(bytes.len());
        for (y, row) in (rect.low.y..).zip(bytes.chunks(size.x)) {
            for (x, &id) in (rect.low.x..).zip(row) {
                self.put_terrain(IVec2::new(x, y), id)?;
            }
        }
        Ok(())
    }

    /// The painted terrain, without stamps, of a rectangle of cells, row-major.
    ///
    /// # Errors
    /// [`Error::CellOutside`] if any part of it is outside.
    pub fn base_terrain_block(&self, rect: CellRect) -> Result<Vec<u8>> {
        if rect.is_empty() {
            return Ok(Vec::new());
        }
        self.check_rect(rect)?;
        let base = self.stamps.base(&self.terrain);
        let size = (rect.high - rect.low).as_usizevec2();
        let mut bytes = vec![0; size.x * size.y];
        for (y, row) in (rect.low.y..).zip(bytes.chunks_mut(size.x)) {
            base.copy_row(y as usize, rect.low.x as usize, row);
        }
        Ok(bytes)
    }

    pub(super) fn check_rect(&self, rect: CellRect) -> Result<()> {
        self.grid.check_cell(rect.low)?;
        self.grid.check_cell(rect.high - IVec2::ONE)?;
        Ok(())
    }
}
