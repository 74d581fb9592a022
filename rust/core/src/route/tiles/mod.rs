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
mod plain_tiles;
mod propagate;
mod queries;
mod queue;
mod roots;
mod saved;
mod sector_map;
mod solve;
mod tile;
mod wanted_tiles;

pub use build::BuildProgress;
pub(crate) use cache::Made;
pub use cache::{CacheStatistics, TileCache};
pub use field::TiledField;
pub(crate) use field::{FieldMemory, Retired};
pub(crate) use first::{FirstTiles, FirstView};
pub(crate) use parallel::make_solvers;
pub(crate) use plain_tiles::{PlainTiles, PlainView};
pub(crate) use saved::SavedTiles;
pub(crate) use sector_map::SectorMap;
pub(crate) use solve::TILE_RULE;
pub use solve::TileSolver;
pub(crate) use wanted_tiles::RouteSource;
