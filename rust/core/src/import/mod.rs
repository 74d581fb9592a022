//! Terrain from what games have besides terrain ids: shapes and heights.
//!
//! A map editor builds its costs by looking at the geometry, walls and hills
//! where they belong (Emerson, Game AI Pro, 23.10). The code that knows the engine
//! gathers the geometry as plain points; what it does to the grid is here.

mod footprint;
mod heights;
mod shapes;

pub use footprint::Solid;
pub use heights::{Slope, terrain_from_heights};
pub use shapes::{Coverage, TOLERANCE};
