//! Routes from sector to sector (flow field tiles: Emerson, Game AI Pro, ch. 23). A route is searched on a graph of
//! portals, which is far smaller than the map; [`tiles`] solves fields only in the sectors that routes need.
//!
//! Reading order:
//!
//! - `sectors`: the division of the map into squares. `windows`: the portal windows along a border.
//! - `sector_links`, `link_portals`: links by sector, and the portals at their ends.
//! - `sector_search`: exact costs within one sector. `build`, `sector_portals`: what the graph stores for a sector.
//!   `sector_list`: for all of them.
//! - `graph`, `changed_sectors`: the portal graph of a movement type and its update after edits. `graph_build`,
//!   `own_portals`: the graph, or its update, in slices. `saved_graph`: the graph as bytes.
//! - `goal_routes`: what is known of the routes to one goal. `search`, `search_target`, `open_entry`: the backward
//!   search over portals. `find`: requests, with one `table` of costs for each sector in which routes begin.
//! - `clusters`, `disjoint_sets`, `pace`, `cluster_build`, `cluster_heuristic`: the level above the graph of a very
//!   large map, at once and in slices, and the estimates that it gives. `merge`: sources that are close to known
//!   routes.
//! - `portal_fallback`, `exit_costs`, `exits`: what agents and tiles read from routes.
//!
//! Invariants:
//!
//! - What the graph stores for a sector depends only on the cells of that sector, on the rows that touch it and on the
//!   cells at the other ends of its links. An updated graph therefore equals a new one.
//! - Costs are integers on the finest scale, so equal inputs give equal routes on every machine.
//! - The known cost of a portal never increases while the graph stays the same, and it is never less than the cost of
//!   the route that `next` describes.

mod build;
mod changed_sectors;
mod cluster_build;
mod cluster_heuristic;
mod clusters;
mod disjoint_sets;
mod exit_costs;
mod exits;
mod find;
mod goal_routes;
mod graph;
mod graph_build;
mod link_portals;
mod merge;
mod open_entry;
mod own_portals;
mod pace;
mod portal_fallback;
mod saved_graph;
mod saved_routes;
mod search;
mod search_target;
mod sector_links;
mod sector_list;
mod sector_portals;
mod sector_search;
mod sectors;
mod table;
pub mod tiles;
mod windows;

pub(crate) use find::Found;
pub use find::{Route, RouteStart};
pub use goal_routes::{DEFAULT_EXPANSION_BUDGET, GoalRoutes};
pub use graph::{PortalGraph, PortalId};
pub use graph_build::GraphBuild;
pub use sector_links::SectorLinks;
pub use sector_portals::PortalSettings;
pub use sector_search::SectorSearch;
pub use sectors::{DEFAULT_SECTOR_SIZE, MAX_SECTOR_SIZE, MIN_SECTOR_SIZE, Sectors, Side};
pub use windows::MAX_WINDOW;
