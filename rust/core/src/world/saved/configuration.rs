//! What a world must have in common with the one that was saved.

use crate::bytes::{Source as _, Unpacker, Writer, checksum};
use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::goal_mode::TileVariant;

/// The settings of a world as numbers, each with the error text for another one.
#[derive(Debug)]
pub(in crate::world) struct Configuration([(u64, &'static str); 14]);

impl Configuration {
    pub(in crate::world) fn of(world: &FlowWorld) -> Self {
        let grid = &world.grid;
        let size = grid.layer_size();
        let pair = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
        let mut kinds = Writer::default();
        for layer in &world.layers {
            layer.newest_kind.write(&mut kinds);
        }
        let (routes, tiles) = (world.tiling.route_limit(), world.tiling.tile_limit());
        let is_plain = world.tile_variant() == TileVariant::Plain;
        let origin = grid.origin();
        Self([
            (size.x as u64, "it was saved for a grid of another width"),
            (size.y as u64, "it was saved for a grid of another height"),
            (
                grid.layers().count().into(),
                "it was saved for a grid with another number of layers",
            ),
            (
                grid.cell_size().to_bits().into(),
                "it was saved for another cell size",
            ),
            (
                pair(origin.x.to_bits(), origin.y.to_bits()),
                "it was saved for another origin of the grid",
            ),
            (
                checksum(&kinds.bytes),
                "it was saved for other movement types",
            ),
            (world.solver.number(), "it was saved for another solver"),
            (world.rule as u64, "it was saved for another direction rule"),
            (
                world.sector_size().into(),
                "it was saved for another sector size",
            ),
            (
                u64::from(is_plain),
                "it was saved for another variant of tiles",
            ),
            (routes as u64, "it was saved for another limit of routes"),
            (tiles as u64, "it was saved for another limit of tiles"),
            (
                world.walking.cells as u64,
                "it was saved for another number of cells for goals that walk",
            ),
            (
                world.slices.cells as u64,
                "it was saved for another number of cells for an update",
            ),
        ])
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.0.iter().for_each(|&(number, _)| out.u64(number));
    }

    /// What differs in another one.
    pub(in crate::world) fn difference(&self, other: &Self) -> Option<&'static str> {
        let mut pairs = self.0.iter().zip(&other.0);
        let differing = pairs.find(|(own, other)| own.0 != other.0);
        differing.map(|(own, _)| own.1)
    }

    pub(super) fn check(&self, input: &mut Unpacker<'_>) -> Result<()> {
        for (number, reason) in self.0 {
            if input.u64()? != number {
                return Err(input.bad(reason));
            }
        }
        Ok(())
    }
}
