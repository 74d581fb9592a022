//! Points of a map as the core has them.

use flow_swarm::{IVec2, Vec2};

/// A cell as the core names it.
pub fn cell((x, y): (usize, usize)) -> IVec2 {
    IVec2::new(x as i32, y as i32)
}

/// The middle of a cell, in cell space.
pub fn centre(at: (usize, usize)) -> Vec2 {
    cell(at).as_vec2() + 0.5
}
