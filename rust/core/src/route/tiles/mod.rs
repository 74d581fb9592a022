//! Flow tiles: directions to a goal in the sectors where they are needed (Emerson, Game AI Pro, chapter 23).
//!
//! A whole field takes memory and time for every cell of the map. A [`TiledField`] builds only the active sectors, one
//! tile after the other and as many at a time as there is time for. Each tile is integrated from the values along its
//! neighbours' borders (23.6.1: costs carried over make the flow seamless). A value is a cost and a root, so lines of
//! sight and the corners of walls cross borders as well (23.6.2). Once built, tiles lead exactly where a whole field
//! over the active sectors would.
//!
//! Reading order:
//!
//! - `border`, `roots`, `tile`: the layout of a built tile.
//! - `field`: the active sectors of a goal. `queue`: the tiles that wait.
//! - `build`, `solve`, `clear`, `propagate`: how a tile is solved, and which tiles are queued after it. `linked`: the
//!   same across links. `edits`: changes of the ground and of the active sectors.
//! - `cache`, `block_list`, `saved`: shared tiles, and tiles as bytes.
//! - `sector_map`: everything that agents read from tiles, in one place; `queries` implements it for a [`TiledField`].
//! - `wanted_tiles`, `first`, `plain_tiles`: tiles that are made from routes instead of from neighbouring tiles.
//!   `exit_tiles`: what plain tiles are put together from, `baked`: all of these, made beforehand. `parallel`: their
//!   solves on several threads.
//!
//! Invariants:
//!
//! - The contents of the tiles after [`TiledField::build`] has finished do not depend on the order of builds, on the
//!   budget of each call or on the number of threads.
//! - Each value exceeds the value it was made from by at least a least step, so agents that follow tiles reach cells of
//!   ever lower cost.
//! - A tile depends only on the ground of its cells and of those around it, on the values along its neighbours'
//!   borders, and on its goals and links. Its cache key covers all of these.

mod baked;
mod block_list;
mod border;
mod build;
mod cache;
mod clear;
mod edits;
mod exit_tiles;
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
mod saved_contents;
mod saved_fields;
mod sector_map;
mod solve;
mod tile;
mod wanted_tiles;

pub use baked::ReadBytes;
pub(crate) use baked::{BakedTiles, Place};
pub use build::BuildProgress;
pub(crate) use cache::MadeTile;
pub use cache::{CacheStatistics, TileCache};
pub(crate) use exit_tiles::BakedSector;
pub(crate) use field::FieldMemory;
pub use field::TiledField;
pub(crate) use first::{FirstTiles, FirstView};
pub(crate) use parallel::make_solvers;
pub(crate) use plain_tiles::{PlainContext, PlainProgress, PlainTiles, PlainView};
pub(crate) use saved::SavedTiles;
pub(crate) use saved_contents::{TileList, TileNumbers};
pub(crate) use sector_map::SectorMap;
pub(crate) use solve::TILE_RULE;
pub use solve::TileSolver;
pub(crate) use wanted_tiles::RouteSource;
