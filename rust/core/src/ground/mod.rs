//! The heights of the ground: one for each corner of cells, for each layer that has any.
//!
//! Costs and fields do not depend on heights. Drawing places instances on them, and agents may be slower uphill.
//!
//! Read `block` (the corners of a square of cells, and the surface between them), `heights` (the blocks of a layer),
//! then this file (the layers), `batch` (many places at once) and `under` (the layer on which a thing stands).
//!
//! - A block exists only where heights were set, behind an `Arc`: a clone shares all blocks, and an edit copies only
//!   those that it touches.
//! - Between corners heights are bilinear. A corner without a height is a hole. Its cells have no height for queries,
//!   but agents that stand there are drawn at the last height of the corner, or else at that of the nearest one. So
//!   whatever is drawn is finite.

mod batch;
mod block;
mod centres;
mod heights;
mod saved;
mod under;

pub(crate) use batch::{BATCH, GROUP, GroundBatch, Lanes, ZEROS};
pub use block::MAX_HEIGHT;
pub(crate) use centres::{corners_from_centres, is_one_per_corner};
use heights::Heights;

use crate::error::Result;
use crate::grid::{CellRect, Grid};
use glam::Vec2;
use std::sync::Arc;

/// The heights of the ground on all layers. Clones share memory until either is edited.
#[derive(Debug, Clone, Default)]
pub struct Ground {
    /// `None` for a layer without heights, and for all of them if no layer has any.
    layers: Option<Arc<Vec<Option<Heights>>>>,
}

impl Ground {
    /// Whether no layer has heights.
    #[must_use]
    #[inline]
    pub fn is_flat(&self) -> bool {
        self.layers.is_none()
    }

    /// The heights of a layer.
    #[inline]
    fn layer(&self, layer: u32) -> Option<&Heights> {
        self.layers.as_deref()?.get(layer as usize)?.as_ref()
    }

    /// Sets the heights of a rectangle of corners of a layer, row by row; NaN is a hole.
    ///
    /// # Errors
    /// A rectangle that is not inside the corners of `grid`, a wrong number of heights, or a height beyond
    /// [`MAX_HEIGHT`].
    pub(crate) fn set(
        &mut self,
        grid: &Grid,
        layer: u32,
        rect: CellRect,
        heights: &[f32],
    ) -> Result<()> {
        heights::check(grid, rect, heights)?;
        let layers = Arc::make_mut(self.layers.get_or_insert_default());
        let count = layers.len().max(layer as usize + 1);
        layers.resize(count, None);
        let kept = layers[layer as usize].take();
        let mut own = kept.unwrap_or_else(|| Heights::new(grid));
        own.set(rect, heights);
        layers[layer as usize] = Some(own).filter(Heights::has_any);
        self.forget_if_flat();
        Ok(())
    }

    /// The heights of all corners of a layer of `grid`; NaN for holes.
    pub(crate) fn corners(&self, grid: &Grid, layer: u32) -> Vec<f32> {
        let all = heights::all_corners(grid);
        match self.layer(layer) {
            Some(heights) => heights.corners(all),
            None => vec![f32::NAN; all.cell_count()],
        }
    }

    /// Removes the heights of a layer.
    pub(crate) fn clear(&mut self, layer: u32) {
        if self.layer(layer).is_some()
            && let Some(layers) = &mut self.layers
        {
            Arc::make_mut(layers)[layer as usize] = None;
        }
        self.forget_if_flat();
    }

    fn forget_if_flat(&mut self) {
        let layers = self.layers.as_deref();
        if layers.is_some_and(|layers| layers.iter().all(Option::is_none)) {
            self.layers = None;
        }
    }

    /// Moves the heights to another grid. Corners that both have keep their heights.
    pub(crate) fn move_to(&mut self, grid: &Grid) {
        if let Some(layers) = &mut self.layers {
            let layers = Arc::make_mut(layers);
            layers.truncate(grid.layers().count() as usize);
            for layer in layers.iter_mut() {
                *layer = layer
                    .take()
                    .map(|heights| heights.on(grid))
                    .filter(Heights::has_any);
            }
        }
        self.forget_if_flat();
    }

    /// The height of a layer at a world position; `None` where it has none.
    #[must_use]
    pub fn height_at(&self, layer: u32, position: Vec2) -> Option<f32> {
        let spot = self.layer(layer)?.solid_spot(position)?;
        Some(spot.height())
    }

    /// The rise of the ground along x and y for each unit of distance, over a cell around a world position; `None`
    /// where the layer has no height. Continuous, because heights are.
    #[must_use]
    pub fn rise_at(&self, layer: u32, position: Vec2) -> Option<Vec2> {
        let heights = self.layer(layer)?;
        Some(heights.rise(heights.solid_spot(position)?))
    }

    /// The height at which things stand that are at a world position: as [`Self::height_at`] but in holes the last or
    /// nearest height. `None` if the layer has no heights.
    #[must_use]
    #[inline]
    pub fn standing_height(&self, layer: u32, position: Vec2) -> Option<f32> {
        Some(self.layer(layer)?.spot(position)?.height())
    }

    /// [`Self::standing_height`], and the rise of the ground there: see [`Self::rise_at`].
    #[must_use]
    #[inline]
    pub fn standing(&self, layer: u32, position: Vec2) -> Option<(f32, Vec2)> {
        let heights = self.layer(layer)?;
        let spot = heights.spot(position)?;
        Some((spot.height(), heights.rise(spot)))
    }

    /// The least and the greatest height at which things stand on the layers that have heights; `None` if none has.
    #[must_use]
    pub fn range(&self) -> Option<(f32, f32)> {
        let layers = self.layers.as_deref()?.iter().flatten();
        layers
            .map(Heights::range)
            .reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// [`Self::range`] for one layer.
    #[must_use]
    pub fn layer_range(&self, layer: u32) -> Option<(f32, f32)> {
        self.layer(layer).map(Heights::range)
    }

    /// Whether each of the first `count` layers has heights.
    #[must_use]
    pub fn is_on_all(&self, count: u32) -> bool {
        (0..count).all(|layer| self.layer(layer).is_some())
    }
}
