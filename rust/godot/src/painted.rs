//! Painted cells with one terrain id each, row by row: the data of `FlowTerrain` and `FlowStamp`.

use crate::report::refuse;
use godot::prelude::*;

/// Cells with the same id.
pub fn filled(size: Vector2i, id: u8) -> PackedByteArray {
    let mut cells = PackedByteArray::new();
    cells.resize(size.x as usize * size.y as usize);
    cells.fill(id);
    cells
}

/// The cells in another size. Cells that are in both sizes keep their ids; the others get `id`.
pub fn resized(cells: &PackedByteArray, old: Vector2i, new: Vector2i, id: u8) -> PackedByteArray {
    let mut resized = filled(new, id);
    let columns = new.x.min(old.x) as usize;
    let (from, to) = (cells.as_slice(), resized.as_mut_slice());
    for y in 0..new.y.min(old.y) as usize {
        let source = &from[y * old.x as usize..][..columns];
        to[y * new.x as usize..][..columns].copy_from_slice(source);
    }
    resized
}

/// The index of a cell. `None`, after a report that calls the painted object `name`, if the cell is outside.
pub fn index(method: &str, name: &str, size: Vector2i, cell: Vector2i) -> Option<usize> {
    let Vector2i { x, y } = size;
    if (0..x).contains(&cell.x) && (0..y).contains(&cell.y) {
        return Some(cell.y as usize * x as usize + cell.x as usize);
    }
    let reason = format_args!("cell {cell} is outside the {x}x{y} {name}");
    refuse(method, reason);
    None
}

/// A terrain id from a number; `None` after a report.
pub fn terrain_id(method: &str, id: i64) -> Option<u8> {
    match u8::try_from(id) {
        Ok(id) => Some(id),
        Err(_) => {
            refuse(method, format_args!("id must be from 0 to 255, not {id}"));
            None
        }
    }
}
