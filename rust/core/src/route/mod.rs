//! Routes over sectors (flow field tiles: Emerson, Game AI Pro, ch. 23): where a route crosses from
//! sector to sector, found on a graph that is far smaller than the map, and fields of those sectors only.

mod build;
mod cluster_heuristic;
mod clusters;
mod exit_costs;
mod exits;
mod find;
mod goal_routes;
mod graph;
mod link_portals;
mod merge;
mod open_entry;
mod portal_fallback;
mod saved_graph;
mod search;
mod search_target;
mod sector_links;
mod sector_portals;
mod sector_search;
mod sectors;
mod table;
pub mod tiles;
mod windows;

pub use find::{Route, RouteStart};
pub use goal_routes::{DEFAULT_EXPANSION_BUDGET, GoalRoutes};
pub use graph::{PortalGraph, PortalId};
pub use sector_links::SectorLinks;
pub use sector_portals::PortalSettings;
pub use sector_search::SectorSearch;
pub use sectors::{DEFAULT_SECTOR_SIZE, MAX_SECTOR_SIZE, MIN_SECTOR_SIZE, Sectors, Side};
pub use windows::MAX_WINDOW;
