//! Flow tiles: directions to a goal only where they are needed (Emerson, Game AI Pro, chapter 23).
//!
//! A whole field takes memory and time for every cell of the map. Of a
//! [`TiledField`] only the sectors that are active are built, one tile after the
//! other and as many at a time as there is time for. Each is integrated from the
//! values along its neighbours' borders (23.6.1: costs carried over make the flow
//! seamless), roots included, so that lines of sight and the corners of walls are
//! carried across (23.6.2): once built, tiles lead exactly where a whole field over
//! the active sectors would.

mod border;
mod build;
mod cache;
mod clear;
mod edits;
mod field;
mod first;
mod linked;
mod parallel;
mod plain;
mod plain_tiles;
mod propagate;
mod queries;
mod queue;
mod roots;
mod saved;
mod solve;
mod tile;

pub use build::BuildProgress;
pub(crate) use cache::Made;
pub use cache::{CacheStatistics, TileCache};
pub(crate) use field::{FieldMemory, Retired};
pub use field::{TileSettings, TiledField};
pub(crate) use first::{FirstSource, FirstTiles, Surroundings};
pub(crate) use parallel::make_solvers;
pub use plain::{Exit, PlainTile};
pub(crate) use plain_tiles::{PlainSource, PlainTiles, PlainView};
pub(crate) use saved::SavedTiles;
pub(crate) use solve::TILE_RULE;
pub use solve::TileSolver;
