//! Terrain and stamps as bytes: what was painted, and the stamps over it.

use super::Terrain;
use super::stamps::{Stamp, StampId, Stamps};
use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::blocks::EDGE;
use glam::IVec2;

impl Terrain {
    pub(crate) fn write(&self, out: &mut Writer) {
        let mut row = vec![0; self.width()];
        for y in 0..self.height() {
            self.copy_row(y, 0, &mut row);
            out.bytes.extend(&row);
        }
    }

    /// Reads what [`Self::write`] has written for this grid.
    pub(crate) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut terrain = Self::new(grid);
        // By rows of blocks, so that memory is taken for what is there.
        let mut bytes = Vec::new();
        for top in (0..terrain.height()).step_by(EDGE) {
            let rows = EDGE.min(terrain.height() - top);
            bytes.extend_from_slice(input.take(rows * terrain.width())?);
        }
        terrain.set_bytes(&bytes)?;
        Ok(terrain)
    }
}

impl Stamps {
    /// Writes the painted terrain and the stamps.
    pub(crate) fn write(&self, terrain: &Terrain, out: &mut Writer) {
        self.base(terrain).write(out);
        self.last_id().write(out);
        out.u32(self.iter().count() as u32);
        for (id, origin, stamp) in self.iter() {
            id.0.write(out);
            origin.write(out);
            stamp.write(out);
        }
    }

    /// Reads what [`Self::write`] has written for a terrain of this grid.
    pub(crate) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<(Terrain, Self)> {
        let mut terrain = Terrain::read(input, grid)?;
        let last = i64::read(input)?;
        let mut stamps = Self::after(last);
        let count = input.u32()?;
        let mut before = 0;
        for _ in 0..count {
            let (id, origin) = (i64::read(input)?, IVec2::read(input)?);
            let stamp = Stamp::read(input)?;
            if id <= before || id > last {
                return Err(input.bad("it has stamps out of order"));
            }
            before = id;
            let put = stamps.put(&mut terrain, StampId(id), origin, stamp);
            put.map_err(|_| input.bad("it has a stamp outside the grid"))?;
        }
        Ok((terrain, stamps))
    }
}
