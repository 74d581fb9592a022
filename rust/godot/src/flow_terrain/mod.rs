//! The `FlowTerrain` resource: this file has its properties and cells, `regions` its parts, `area` connected cells, and
//! `changes` what managers need not read again.

mod area;
mod changes;
mod regions;

use crate::convert::{ivec2, rect2i};
use crate::painted::{self, terrain_id};
use crate::report::refuse;
use crate::resources::Revised;
use changes::Changes;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::terrain::CLEAR;
use flow_swarm::{IVec2, Vec2};
use godot::classes::Resource;
use godot::global::Error;
use godot::init::is_main_thread;
use godot::prelude::*;

/// A painted terrain with one terrain id for each cell, as a resource that can be saved and shared.
///
/// Id 1 is clear ground. The costs of the other ids depend on the FlowMovementType; by default the id is the cost, and 255 is a wall. Edits through a FlowFieldManager do not change the resource. All managers that have the resource follow its edits: they read the rectangle of cells that has changed, or everything after fill() and a new size or new cells, and overwrite there what was edited through the manager; stamps stay.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowTerrain {
    /// The size in cells. A change keeps the cells that are in both sizes; new cells are clear ground.
    #[export]
    #[var(set)]
    #[init(val = Vector2i::new(64, 64))]
    size: Vector2i,
    /// One terrain id for each cell, row by row: the cell (x, y) is at index y * size.x + x.
    #[export]
    #[var(get, set)]
    #[init(val = painted::filled(Vector2i::new(64, 64), CLEAR))]
    cells: PackedByteArray,
    /// The changes so far, for managers that use this resource.
    changes: Changes,
    base: Base<Resource>,
}

#[godot_api]
impl FlowTerrain {
    /// Emitted after changed when cells have changed. `rect` is the rectangle around them; the whole terrain after fill() and a new size or new cells.
    #[signal]
    fn region_changed(rect: Rect2i);

    #[func]
    fn set_size(&mut self, size: Vector2i) {
        if let Err(error) = Grid::new(ivec2(size), 1.0, Vec2::ZERO) {
            refuse("FlowTerrain.size", error);
            return;
        }
        if size == self.size {
            return;
        }
        self.cells = painted::resized(&self.cells, self.size, size, CLEAR);
        self.size = size;
        self.touch_all();
    }

    #[func]
    fn get_cells(&self) -> PackedByteArray {
        self.cells.clone()
    }

    #[func]
    fn set_cells(&mut self, cells: PackedByteArray) {
        let expected = self.get_cell_count();
        if cells.len() as i64 != expected {
            let (actual, size) = (cells.len(), self.size);
            refuse(
                "FlowTerrain.cells",
                format_args!("a terrain of {size} must have {expected} entries, not {actual}"),
            );
            return;
        }
        self.cells = cells;
        self.touch_all();
    }

    /// Returns the number of cells.
    #[func]
    fn get_cell_count(&mut self) -> i64 {
        i64::from(self.size.x) * i64::from(self.size.y)
    }

    /// Returns the terrain id of a cell. If the cell is outside the terrain, reports an error and returns -1.
    #[func]
    fn get_terrain(&mut self, cell: Vector2i) -> i64 {
        match self.index("FlowTerrain.get_terrain", cell) {
            Some(index) => i64::from(self.cells.as_slice()[index]),
            None => -1,
        }
    }

    /// Sets the terrain id, 0 to 255, of a cell.
    #[func]
    fn set_terrain(&mut self, cell: Vector2i, id: i64) -> Error {
        const METHOD: &str = "FlowTerrain.set_terrain";
        let (Some(index), Some(id)) = (self.index(METHOD, cell), terrain_id(METHOD, id)) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.cells.as_mut_slice()[index] = id;
        self.touch(CellRect::cell(ivec2(cell)));
        Error::OK
    }

    /// Sets the terrain id, 0 to 255, of every cell.
    #[func]
    fn fill(&mut self, id: i64) -> Error {
        let Some(id) = terrain_id("FlowTerrain.fill", id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.cells.fill(id);
        self.touch_all();
        Error::OK
    }

    fn index(&self, method: &str, cell: Vector2i) -> Option<usize> {
        painted::index(method, "terrain", self.size, cell)
    }

    /// Notes and announces that cells in a rectangle have changed.
    fn touch(&mut self, rect: CellRect) {
        self.changes.note(rect);
        self.announce(rect);
    }

    fn touch_all(&mut self) {
        self.changes.note_all();
        self.announce(self.all());
    }

    /// Emits the signals, on the main thread: see `resources::announce_change`.
    fn announce(&mut self, rect: CellRect) {
        crate::resources::announce_change(self.base_mut());
        let rect = rect2i(rect).to_variant();
        let mut resource = self.base_mut();
        if is_main_thread() {
            resource.emit_signal("region_changed", &[rect]);
        } else {
            resource.call_deferred("emit_signal", &["region_changed".to_variant(), rect]);
        }
    }

    /// All cells.
    fn all(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: ivec2(self.size),
        }
    }

    /// The rectangles in which cells have changed since a revision; `None` if all cells may have.
    pub fn changed_since(&self, revision: u64) -> Option<impl Iterator<Item = CellRect>> {
        self.changes.since(revision)
    }

    /// Size in cells.
    pub fn size(&self) -> Vector2i {
        self.size
    }

    /// One terrain id for each cell.
    pub fn bytes(&self) -> &[u8] {
        self.cells.as_slice()
    }
}

impl Revised for FlowTerrain {
    fn revision(&self) -> u64 {
        self.changes.revision()
    }
}
