//! Conversion of a map's cells to the core's types.

use flow_swarm::{IVec2, Vec2};

/// The cell in the core's type.
pub fn cell((x, y): (usize, usize)) -> IVec2 {
    IVec2::new(x as i32, y as i32)
}

/// The centre of a cell, in cell space.
pub fn centre(at: (usize, usize)) -> Vec2 {
    cell(at).as_vec2() + 0.5
}
