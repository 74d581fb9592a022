//! The heights of the ground as bytes.

use super::Ground;
use super::block::{Block, EDGE};
use super::heights::Heights;
use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use std::sync::Arc;

impl Ground {
    pub(crate) fn write(&self, out: &mut Writer) {
        let layers = self.layers.as_deref().map_or(&[][..], Vec::as_slice);
        out.u32(layers.len() as u32);
        for layer in layers {
            layer.is_some().write(out);
            if let Some(heights) = layer {
                heights.write(out);
            }
        }
    }

    /// Reads what [`Self::write`] has written for this grid.
    pub(crate) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let count = input.u32()?;
        if count > grid.layers().count() {
            return Err(input.bad("it has heights of layers that the grid has not"));
        }
        let mut layers = Vec::new();
        for _ in 0..count {
            layers.push(match bool::read(input)? {
                true => Some(Heights::read(input, grid)?),
                false => None,
            });
        }
        let is_flat = layers.iter().all(Option::is_none);
        Ok(Self {
            layers: (!is_flat).then(|| Arc::new(layers)),
        })
    }
}

impl Heights {
    fn write(&self, out: &mut Writer) {
        out.u32(self.own_blocks().count() as u32);
        for block in self.own_blocks() {
            (block.low / EDGE).write(out);
            block.write(out);
        }
    }

    fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut heights = Self::new(grid);
        for _ in 0..input.u32()? {
            let square = Saved::read(input)?;
            let block = Block::read(input, square)?;
            if !heights.put(square, block) {
                return Err(input.bad("it has heights outside the grid"));
            }
        }
        heights.settle();
        if heights.has_any() {
            Ok(heights)
        } else {
            Err(input.bad("it has a layer without heights"))
        }
    }
}
