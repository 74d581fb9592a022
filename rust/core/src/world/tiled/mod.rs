//! Tiled goals: routes over the portal graph and tiles along them, with the same queries as whole fields (Emerson, Game
//! AI Pro, chapter 23).
//!
//! Agents request routes from where they are, and games from where agents will be. The sectors that a route crosses,
//! and those beside them, become active, and [`FlowWorld::update`](crate::world::FlowWorld::update) builds a limited
//! number of their tiles. Until an agent's tile is built the route itself leads the agent. Edits change the portal
//! graph and the tiles that depend on it; agents follow the old tiles meanwhile. Queries request nothing.
//!
//! Tiles, fields and routes *lead on* from a cell in which they have a direction. Routes are *forgotten* after an edit
//! that may change them; their *renewal* is a search while tiles lead on.
//!
//! Reading order:
//!
//! - `tiling`: what all tiled goals share, and the slot of a goal and movement type. `goal_state`: the routes and tiles
//!   of a slot. `goal_version`: what they were made for.
//! - `scheduler`: the work that waits, and how much of it is done in a tick. `requests`: requests for routes.
//!   `route_search`: their searches, in slices.
//! - `building`: tiles within the budget. `spare`, `make_spare`: memory that is prepared for the next goal.
//! - `graph_builds`: first graphs, on large maps in slices. `syncing`, with `slot_edits`: updates of graphs, routes and
//!   tiles after edits.
//!   `moving`: goals that have been moved.
//! - `pursuit`, `slot_pursuit`, `walking`: goals that walk.
//! - `following`: a [`TiledRoute`], which agents follow. `straight`: a [`StraightRoute`], which they follow before
//!   their first route has been searched.
//! - `paths`, `previews`, `preview_memory`, `views`: queries. `saving`: tiles as bytes. `tile_bake`: the plain
//!   tiles of all sectors as a file. `baking`: their use, read sector by sector. `settings`: parameters and statistics.
//!
//! Invariants:
//!
//! - A slot has one current state, which agents follow, and at most one pending state, which they follow when its tiles
//!   are built.
//! - Queries write `previews` alone. They change no state, no tile, no queue and no budget of the simulation.
//! - Work is taken in turns, in the order of ids and requests, so each goal gets its share and runs repeat exactly,
//!   unless the time for tiles is limited.
//! - A search, build or move first brings the slot up to date with all edits (`sync_slot`).

mod baking;
mod building;
pub(super) mod following;
mod goal_state;
mod goal_version;
mod graph_builds;
mod make_spare;
mod moving;
mod paths;
mod preview_memory;
mod previews;
mod pursuit;
mod requests;
mod route_search;
mod saved_graphs;
pub(super) mod saved_states;
mod saving;
pub(super) mod scheduler;
mod settings;
mod slot_edits;
mod slot_pursuit;
mod spare;
pub(super) mod straight;
mod syncing;
mod tile_bake;
pub(super) mod tiling;
mod views;
mod walking;

pub use following::TiledRoute;
pub(crate) use goal_state::RouteNeed;
pub(crate) use scheduler::RequestPriority;
pub use scheduler::{DEFAULT_ROUTE_LIMIT, DEFAULT_TILE_LIMIT};
pub use settings::{MOST_TILE_CACHE_BYTES, TileMemory, TileStats};
pub use straight::StraightRoute;
pub use tile_bake::TileBake;
pub use tiling::DEFAULT_TILE_CACHE_BYTES;
