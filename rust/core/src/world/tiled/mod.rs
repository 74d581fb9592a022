//! Tiled goals: routes over the portal graph and tiles along them, behind the same questions as whole
//! fields (Emerson, Game AI Pro, chapter 23).
//!
//! Agents request routes from where they are, and games from where agents will be. The sectors that a route
//! crosses, and those beside them, become active, and [`FlowWorld::update`] builds their tiles, so many at a time.
//! Until an agent's tile is there the route itself says where to walk. Queries request nothing (`previews`). Edits change the portal graph and the tiles that depend on them;
//! old tiles are served meanwhile.
//!
//! Read `tiling` for what is kept: the ways to each goal (`goal_state`), which requests wait (`route_queue`), what is left
//! to build (`pending_work`), what of the tick's budget is used (`budget_used`). `requests` searches routes, `building`
//! builds tiles, `syncing` brings both up to date after edits, and `moving` and `pursuit` after moves of goals. Agents
//! read a [`TiledRoute`] (`following`), or a [`StraightRoute`] where they see the target.

mod budget;
mod budget_used;
mod building;
pub(super) mod following;
mod goal_state;
mod goal_version;
mod make_spare;
mod moving;
mod paths;
mod pending_work;
mod preview_memory;
mod previews;
mod pursuit;
mod requests;
pub(super) mod route_queue;
mod saving;
mod settings;
mod slot_pursuit;
mod spare;
pub(super) mod straight;
mod syncing;
pub(super) mod tiling;
mod views;
mod walking;

pub use budget_used::DEFAULT_ROUTE_LIMIT;
pub use following::TiledRoute;
pub(crate) use goal_state::RouteNeed;
pub(crate) use route_queue::RequestPriority;
pub use settings::{MOST_TILE_CACHE_BYTES, TileMemory, TileStats};
pub use straight::StraightRoute;
pub use tiling::{DEFAULT_TILE_CACHE_BYTES, DEFAULT_TILE_LIMIT};
