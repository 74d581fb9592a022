//! Storeys: the floors above each other in a scene, and the layers and links that they need.
//!
//! As in Recast (Mononen, 2009), bodies are rasterised into columns of solid spans, and a span is walkable where agents
//! fit above it and the slope permits it. Unlike there, heights are exact, closed bodies are solid, and the result is
//! not a mesh: connected floors become layers of the grid, joined by links.
//!
//! Read `settings` and `geometry` (the input), `facets` (triangles to columns), `floors` (one column) and `columns`
//! (the columns of a rectangle); then `floor_map` (all floors and the steps between them), `surfaces`, `clusters` and
//! `layering` (which floor is on which layer); then `window_steps` and `seams` (links, and floors that two layers
//! have), `bake` (all of it), and `rebake` (changes of a rectangle).
//!
//! Invariants: results do not depend on the number of threads. A layer has at most one floor in each column, and agents
//! on one layer never step between floors that differ by more than they can climb.

mod bake;
mod clusters;
mod columns;
mod facets;
mod floor_map;
mod floors;
mod geometry;
mod layering;
mod rebake;
mod seams;
mod settings;
mod surfaces;
mod window_steps;

pub use bake::{Bake, StoreyLayer, StoreyLink, StoreyMaps, Storeys};
pub use geometry::{Geometry, Volume};
pub use settings::StoreySettings;
