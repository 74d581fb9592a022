//! Reads where things stand at many places in turn.
//!
//! Agents near each other follow each other in memory, so most places are in the same block as the one before. It is
//! remembered, and only a place outside of it has to find its own.

use crate::ground::Ground;
use crate::ground::block::{Block, Spot};
use crate::ground::heights::Heights;
use glam::Vec2;

/// Answers as [`Ground::standing_height`] and [`Ground::standing`], faster for places near each other.
pub(crate) struct GroundReader<'a> {
    ground: &'a Ground,
    layer: u32,
    /// The heights of `layer`.
    heights: Option<&'a Heights>,
    /// The block of the last place.
    block: Option<&'a Block>,
    /// Cells in a unit of distance.
    cells: f32,
}

impl<'a> GroundReader<'a> {
    pub(crate) fn new(ground: &'a Ground) -> Self {
        let mut reader = Self {
            ground,
            layer: 0,
            heights: None,
            block: None,
            cells: 1.0,
        };
        reader.enter(0);
        reader
    }

    /// See [`Ground::standing_height`].
    #[allow(
        clippy::inline_always,
        reason = "a call would cost more than the rest of it"
    )]
    #[inline(always)]
    pub(crate) fn height(&mut self, layer: u32, position: Vec2) -> Option<f32> {
        Some(self.spot(layer, position)?.height())
    }

    /// See [`Ground::standing`]. The rise differs by rounding.
    #[allow(
        clippy::inline_always,
        reason = "a call would cost more than the rest of it"
    )]
    #[inline(always)]
    pub(crate) fn standing(&mut self, layer: u32, position: Vec2) -> Option<(f32, Vec2)> {
        let spot = self.spot(layer, position)?;
        Some((spot.height(), spot.rise() * self.cells))
    }

    #[allow(
        clippy::inline_always,
        reason = "a call would cost more than the rest of it"
    )]
    #[inline(always)]
    fn spot(&mut self, layer: u32, position: Vec2) -> Option<Spot<'a>> {
        if layer != self.layer {
            self.enter(layer);
        }
        let point = self.heights?.nearest_point(position);
        let block = match self.block {
            Some(block) if block.has(point) => block,
            _ => self.find(point)?,
        };
        Some(block.spot(point))
    }

    #[cold]
    fn enter(&mut self, layer: u32) {
        self.layer = layer;
        self.heights = self.ground.layer(layer);
        self.block = None;
        self.cells = self
            .heights
            .map_or(1.0, |heights| 1.0 / heights.cell_size());
    }

    #[cold]
    fn find(&mut self, point: Vec2) -> Option<&'a Block> {
        self.block = self.heights?.block(point);
        self.block
    }
}
