//! Places stamps on the world and removes them.

use crate::error::Result;
use crate::movement::BLOCKED;
use crate::terrain::{Stamp, StampId};
use crate::world::FlowWorld;
use glam::{IVec2, Vec2};

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
        let mut cells = 0;
        for (origin, stamp) in stamps {
            cells += stamp.check_inside(&self.terrain, *origin)?.cell_count();
        }
        self.prepare_edit(cells);
        let (ids, changed) = self.stamps.place(&mut self.terrain, stamps)?;
        for rect in changed {
            self.mark_edit(rect);
        }
        Ok(ids)
    }

    /// The pairs of positions that would not be joined if a stamp were placed with its lower corner in `cell`: their
    /// indices, ascending. A pair is joined if [`Self::is_reachable`] from its first to its second position would hold
    /// after [`Self::place_stamp`]. A pair that is not joined now is in the answer too, unless the stamp joins it.
    ///
    /// Nothing changes. O(cells of the stamp and within clearance of it), and linear in the smaller parts that the
    /// stamp would join or split, in the islands, rows and links of the map. The first query after an edit costs as
    /// much as with [`Self::is_reachable`].
    ///
    /// # Errors
    /// An unknown movement type, a position that is not finite and in the grid, or
    /// [`Error::StampOutside`](crate::Error::StampOutside).
    pub fn cut_pairs(
        &mut self,
        cell: IVec2,
        stamp: &Stamp,
        pairs: &[(Vec2, Vec2)],
        movement: usize,
    ) -> Result<Vec<usize>> {
        self.check_movement(movement as i64)?;
        let mut ends = Vec::with_capacity(pairs.len());
        for &(from, to) in pairs {
            let end = |position| self.grid.check_position("pairs", position);
            ends.push((end(from)?, end(to)?));
        }
        let rect = stamp.check_inside(&self.terrain, cell)?;
        if ends.is_empty() {
            return Ok(Vec::new());
        }
        self.refresh_for_query();
        let layer = &mut self.layers[movement];
        let (costs, kind) = (&layer.costs, &layer.kind);
        let changes = costs.opened_and_closed(kind.clearance(), rect, |at| {
            let id = stamp.id_at(at - cell);
            id.map_or_else(|| costs.is_wall(at), |id| kind.cost_of(id) == BLOCKED)
        });
        Ok(layer.cut_pairs(&changes, &ends))
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
        let mut cells = 0;
        for &id in ids {
            cells += self.stamps.rect(id)?.cell_count();
        }
        self.prepare_edit(cells);
        for rect in self.stamps.remove(&mut self.terrain, ids)? {
            self.mark_edit(rect);
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
