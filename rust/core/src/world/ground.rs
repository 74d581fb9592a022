//! The heights of the ground.

use crate::error::{Result, finite, in_range};
use crate::grid::CellRect;
use crate::ground::{Ground, corners_from_centres, is_one_per_corner};
use crate::import::{Slope, terrain_from_heights};
use crate::terrain::WALL;
use crate::world::FlowWorld;
use glam::{IVec2, Vec2, Vec3};

impl FlowWorld {
    /// The heights of the ground.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Sets the heights of a whole layer in world units, row by row: one for each corner of cells, (width + 1) *
    /// (height + 1), or one for the centre of each cell. Each corner then gets the mean of the centres around it. NaN
    /// is a hole: see [`Ground`].
    ///
    /// # Errors
    /// A layer that does not exist, a wrong number of heights, or a height beyond
    /// [`MAX_HEIGHT`](crate::ground::MAX_HEIGHT).
    pub fn set_heights(&mut self, layer: i64, heights: &[f32]) -> Result<()> {
        self.grid.layers().check(layer)?;
        let rect = CellRect {
            low: IVec2::ZERO,
            high: self.grid.layer_size() + 1,
        };
        if is_one_per_corner(&self.grid, heights.len())? {
            self.set_heights_rect(layer, rect, heights)
        } else {
            let corners = corners_from_centres(&self.grid, heights)?;
            self.set_heights_rect(layer, rect, &corners)
        }
    }

    /// Sets the heights of a rectangle of corners of a layer, row by row. Corner (x, y) is the lower corner of cell (x,
    /// y) of the layer; there is one corner more than cells along x and y. NaN is a hole. Nothing else is read or
    /// changed.
    ///
    /// # Errors
    /// A layer that does not exist, a rectangle that is not inside, a wrong number of heights, or a height beyond
    /// [`MAX_HEIGHT`](crate::ground::MAX_HEIGHT).
    pub fn set_heights_rect(&mut self, layer: i64, rect: CellRect, heights: &[f32]) -> Result<()> {
        let layer = self.grid.layers().check(layer)?;
        self.ground.set(&self.grid, layer, rect, heights)?;
        self.builder.news.heights = true;
        Ok(())
    }

    /// The heights of all corners of a layer, row by row; NaN for holes and where no heights were set.
    ///
    /// # Errors
    /// A layer that does not exist.
    pub fn corner_heights(&self, layer: i64) -> Result<Vec<f32>> {
        let layer = self.grid.layers().check(layer)?;
        Ok(self.ground.corners(&self.grid, layer))
    }

    /// Removes the heights of a layer.
    ///
    /// # Errors
    /// A layer that does not exist.
    pub fn clear_heights(&mut self, layer: i64) -> Result<()> {
        let layer = self.grid.layers().check(layer)?;
        self.ground.clear(layer);
        self.builder.news.heights = true;
        Ok(())
    }

    /// The height of the ground at a place, bilinear between the corners of its cell. `None` where no heights were set,
    /// in holes and outside of the grid.
    #[must_use]
    pub fn height_at(&self, place: Vec2) -> Option<f32> {
        let layers = self.grid.layers();
        self.ground.height_at(layers.at(place), layers.flat(place))
    }

    /// The unit normal of the ground at a place, with y up: that of the plane through the heights half a cell away
    /// along x and y, so that it changes steadily from cell to cell. `None` where there is no height.
    #[must_use]
    pub fn normal_at(&self, place: Vec2) -> Option<Vec3> {
        let layers = self.grid.layers();
        let rise = self.ground.rise_at(layers.at(place), layers.flat(place))?;
        Some(Vec3::new(-rise.x, 1.0, -rise.y).normalize())
    }

    /// The place on which a thing stands that is at a world position, without its layer, and at a height: on the layer
    /// whose ground there is nearest at or below the height, or else on the lowest one that has ground there. The
    /// ground may be 0.1 above the thing, as physics lets bodies sink in a little. A cell is ground if one of its
    /// corners has a height. Where no layer has ground, the heights at which agents are drawn there count. Without any
    /// heights the layer is 0.
    ///
    /// O(layers).
    ///
    /// # Errors
    /// A position or a height that is not finite.
    pub fn place_under(&self, position: Vec2, height: f32) -> Result<Vec2> {
        finite("position", position)?;
        in_range("height", height, f32::MIN, f32::MAX)?;
        let layers = self.grid.layers();
        if self.ground.is_flat() {
            return Ok(layers.place(position, 0));
        }
        let layer = (self.ground).layer_under(layers.count(), position, height, |_| 0.0);
        Ok(layers.place(position, layer))
    }

    /// Makes the terrain of a layer from heights, as [`terrain_from_heights`] does, and keeps them as the heights of
    /// the ground, as [`Self::set_heights`] does. With `keep_terrain` only cells that are too steep, or holes, change:
    /// they become walls.
    ///
    /// # Errors
    /// As [`Self::set_heights`]; nothing is changed then.
    pub fn load_heights(
        &mut self,
        layer: i64,
        heights: &[f32],
        slope: &Slope,
        keep_terrain: bool,
    ) -> Result<()> {
        let number = self.grid.layers().check(layer)?;
        let mut terrain = terrain_from_heights(&self.grid.one_layer(), heights, slope)?;
        let cells = self.grid.layers().cells(number, self.grid.width());
        if keep_terrain {
            let before = self.base_terrain_block(cells)?;
            for (id, before) in terrain.iter_mut().zip(before) {
                if *id != WALL {
                    *id = before;
                }
            }
        }
        self.set_heights(layer, heights)?;
        self.set_terrain_block(cells, &terrain)
    }
}
