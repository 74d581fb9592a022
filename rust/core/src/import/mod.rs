//! Import: makes terrain from shapes and heights.
//!
//! A map editor derives costs from geometry: walls and hills (Emerson, Game AI Pro, 23.10). The binding to the engine
//! collects the geometry as plain points; this module turns it into terrain ids.
//!
//! Read `shapes` (polygons and lines in the plane), `footprint` (solids: their outline between two heights, and with
//! `outline` and `hull` their faces), `heights` (slopes) and [`storeys`] (floors above each other).
//!
//! - Results depend only on the arguments; nothing here changes a terrain.
//! - A shape covers every cell that it overlaps by more than [`TOLERANCE`], so that visible walls are walls of the
//!   grid.

mod footprint;
mod heights;
mod hull;
mod outline;
mod shapes;
pub mod storeys;

pub use footprint::Solid;
pub use heights::{Slope, terrain_from_heights};
pub use shapes::{Coverage, TOLERANCE};
