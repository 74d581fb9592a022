//! The `FlowStamp` resource.

use crate::convert::ivec2;
use crate::painted::{self, terrain_id};
use crate::report::{OrRefuse, refuse};
use crate::resources::announce_change;
use flow_swarm::terrain::{Stamp, WALL};
use godot::classes::Resource;
use godot::global::Error;
use godot::prelude::*;

/// A piece of terrain that can be placed over the terrain and removed again, such as a building, a bridge or a crater.
///
/// Place it with FlowFieldManager.place_stamp(). A change of the resource does not change stamps that are already placed.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowStamp {
    /// The size in cells. A change keeps the cells that are in both sizes; new cells are walls.
    #[export]
    #[var(set)]
    #[init(val = Vector2i::new(2, 2))]
    size: Vector2i,
    /// One terrain id for each cell, row by row: the cell (x, y) is at index y * size.x + x.
    #[export]
    #[var(get, set)]
    #[init(val = painted::filled(Vector2i::new(2, 2), WALL))]
    cells: PackedByteArray,
    /// Cells with this id leave the terrain under them unchanged. With -1 all cells replace the terrain.
    #[export(range = (-1.0, 255.0))]
    #[var(set)]
    leave_id: i64,
    base: Base<Resource>,
}

#[godot_api]
impl FlowStamp {
    #[func]
    fn set_size(&mut self, size: Vector2i) {
        // The number of cells is wrong in any case; a bad size is reported first.
        if let Err(error @ flow_swarm::Error::StampSize { .. }) = Stamp::new(ivec2(size), &[], None)
        {
            refuse("FlowStamp.size", error);
            return;
        }
        if size == self.size {
            return;
        }
        self.cells = painted::resized(&self.cells, self.size, size, WALL);
        self.size = size;
        announce_change(self.base_mut());
    }

    #[func]
    fn get_cells(&self) -> PackedByteArray {
        self.cells.clone()
    }

    #[func]
    fn set_cells(&mut self, cells: PackedByteArray) {
        let stamp = Stamp::new(ivec2(self.size), cells.as_slice(), None);
        if stamp.or_refuse("FlowStamp.cells").is_some() {
            self.cells = cells;
            announce_change(self.base_mut());
        }
    }

    #[func]
    fn set_leave_id(&mut self, id: i64) {
        if id == -1 || terrain_id("FlowStamp.leave_id", id).is_some() {
            self.leave_id = id;
            announce_change(self.base_mut());
        }
    }

    /// Returns the terrain id of a cell. If the cell is outside the stamp, reports an error and returns -1.
    #[func]
    fn get_terrain(&mut self, cell: Vector2i) -> i64 {
        match self.index("FlowStamp.get_terrain", cell) {
            Some(index) => i64::from(self.cells.as_slice()[index]),
            None => -1,
        }
    }

    /// Sets the terrain id, 0 to 255, of a cell.
    #[func]
    fn set_terrain(&mut self, cell: Vector2i, id: i64) -> Error {
        const METHOD: &str = "FlowStamp.set_terrain";
        let (Some(index), Some(id)) = (self.index(METHOD, cell), terrain_id(METHOD, id)) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.cells.as_mut_slice()[index] = id;
        announce_change(self.base_mut());
        Error::OK
    }

    /// Sets the terrain id, 0 to 255, of every cell.
    #[func]
    fn fill(&mut self, id: i64) -> Error {
        let Some(id) = terrain_id("FlowStamp.fill", id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.cells.fill(id);
        announce_change(self.base_mut());
        Error::OK
    }

    fn index(&self, method: &str, cell: Vector2i) -> Option<usize> {
        painted::index(method, "stamp", self.size, cell)
    }

    /// The core's form of this resource; `None` after a report.
    pub fn stamp(&self, method: &str) -> Option<Stamp> {
        let leave = u8::try_from(self.leave_id).ok();
        Stamp::new(ivec2(self.size), self.cells.as_slice(), leave).or_refuse(method)
    }
}
