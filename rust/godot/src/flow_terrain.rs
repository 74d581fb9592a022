//! The `FlowTerrain` resource.

use crate::convert::ivec2;
use crate::report::refuse;
use crate::resources::Revised;
use flow_swarm::Vec2;
use flow_swarm::grid::Grid;
use flow_swarm::terrain::CLEAR;
use godot::classes::Resource;
use godot::global::Error;
use godot::prelude::*;

/// What the designer painted: one terrain id per cell, as a resource that can be saved and shared.
///
/// Id 1 is clear ground. What the other ids cost is up to each FlowMovementType; by default the id is the cost, and 255 is a wall. Edits through a FlowFieldManager do not change the resource; edits of the resource replace the manager's whole terrain, under the stamps that lie on it.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowTerrain {
    /// Size in cells. Changing it keeps the cells that both sizes have; new ones are clear ground.
    #[export]
    #[var(set)]
    #[init(val = Vector2i::new(64, 64))]
    size: Vector2i,
    /// One id per cell, row by row: the cell (x, y) is at y * size.x + x.
    #[export]
    #[var(get, set)]
    #[init(val = clear_cells(Vector2i::new(64, 64)))]
    cells: PackedByteArray,
    /// Counts the changes, for managers that use this resource.
    revision: u64,
    base: Base<Resource>,
}

fn clear_cells(size: Vector2i) -> PackedByteArray {
    let mut cells = PackedByteArray::new();
    cells.resize(size.x as usize * size.y as usize);
    cells.fill(CLEAR);
    cells
}

#[godot_api]
impl FlowTerrain {
    #[func]
    fn set_size(&mut self, size: Vector2i) {
        if let Err(error) = Grid::new(ivec2(size), 1.0, Vec2::ZERO) {
            refuse("FlowTerrain.size", error);
            return;
        }
        if size == self.size {
            return;
        }
        let mut cells = clear_cells(size);
        let common = Vector2i::new(size.x.min(self.size.x), size.y.min(self.size.y));
        let (from, to) = (self.cells.as_slice(), cells.as_mut_slice());
        for y in 0..common.y as usize {
            let columns = common.x as usize;
            let source = &from[y * self.size.x as usize..][..columns];
            to[y * size.x as usize..][..columns].copy_from_slice(source);
        }
        self.cells = cells;
        self.size = size;
        self.touch();
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
        self.touch();
    }

    /// Number of cells.
    #[func]
    fn get_cell_count(&self) -> i64 {
        i64::from(self.size.x) * i64::from(self.size.y)
    }

    /// The terrain id of a cell; -1 for a cell outside, which is reported.
    #[func]
    fn get_terrain(&self, cell: Vector2i) -> i64 {
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
        self.touch();
        Error::OK
    }

    /// Sets the terrain id, 0 to 255, of every cell.
    #[func]
    fn fill(&mut self, id: i64) -> Error {
        let Some(id) = terrain_id("FlowTerrain.fill", id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        self.cells.fill(id);
        self.touch();
        Error::OK
    }

    fn index(&self, method: &str, cell: Vector2i) -> Option<usize> {
        let Vector2i { x, y } = self.size;
        if (0..x).contains(&cell.x) && (0..y).contains(&cell.y) {
            return Some(cell.y as usize * x as usize + cell.x as usize);
        }
        refuse(
            method,
            format_args!("cell {cell} is outside the {x}x{y} terrain"),
        );
        None
    }

    fn touch(&mut self) {
        self.revision += 1;
        self.base_mut().emit_changed();
    }

    /// Size in cells.
    pub fn size(&self) -> Vector2i {
        self.size
    }

    /// One id per cell.
    pub fn bytes(&self) -> &[u8] {
        self.cells.as_slice()
    }
}

impl Revised for FlowTerrain {
    fn revision(&self) -> u64 {
        self.revision
    }
}

/// A terrain id of a number, or after a report `None`.
pub fn terrain_id(method: &str, id: i64) -> Option<u8> {
    match u8::try_from(id) {
        Ok(id) => Some(id),
        Err(_) => {
            refuse(method, format_args!("id must be in 0..=255, not {id}"));
            None
        }
    }
}
