//! Places stamps on the world and removes them.

use crate::error::Result;
use crate::terrain::{Stamp, StampId};
use crate::world::FlowWorld;
use glam::IVec2;

impl FlowWorld {
    /// Places a stamp over the terrain, on top of all others, with its lower corner in `cell`.
    ///
    /// # Errors
    /// [`Error::StampOutside`](crate::Error::StampOutside) if a part of it would be outside the grid.
    pub fn place_stamp(&mut self, cell: IVec2, stamp: &Stamp) -> Result<StampId> {
        self.place_stamps(&[(cell, stamp.clone())])
            .map(|ids| ids[0])
    }

    /// Places stamps over the terrain as one edit, later ones on top; all of them or, on an error, none. Returns their
    /// ids in the same order.
    ///
    /// # Errors
    /// As for [`Self::place_stamp`].
    pub fn place_stamps(&mut self, stamps: &[(IVec2, Stamp)]) -> Result<Vec<StampId>> {
        let (ids, changed) = self.stamps.place(&mut self.terrain, stamps)?;
        for rect in changed {
            self.dirty.mark(rect);
        }
        Ok(ids)
    }

    /// Removes a stamp. Its cells show the other stamps or painted terrain there again. Stamps can be removed in any
    /// order.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn remove_stamp(&mut self, id: StampId) -> Result<()> {
        self.remove_stamps(&[id])
    }

    /// Removes stamps as one edit; all of them or, on an error, none.
    ///
    /// # Errors
    /// As for [`Self::remove_stamp`].
    pub fn remove_stamps(&mut self, ids: &[StampId]) -> Result<()> {
        for rect in self.stamps.remove(&mut self.terrain, ids)? {
            self.dirty.mark(rect);
        }
        Ok(())
    }

    /// All stamps, in the order in which they were placed.
    pub fn stamp_ids(&self) -> impl Iterator<Item = StampId> {
        self.stamps.ids()
    }

    /// The cells that a stamp covers, row by row: all cells of its rectangle that are not transparent.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn stamp_cells(&self, id: StampId) -> Result<Vec<IVec2>> {
        self.stamps.cells(id)
    }

    /// The painted terrain, without stamps, row-major, for saving a map whose stamps the game saves or places anew.
    /// Linear in the cells.
    #[must_use]
    pub fn base_terrain_bytes(&self) -> Vec<u8> {
        self.stamps.base(&self.terrain).to_bytes()
    }
}
