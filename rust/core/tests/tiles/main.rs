//! Large maps: sectors, portals, routes, tiles, and goals in tiles.

#[path = "../common/mod.rs"]
mod common;

mod baked_tiles;
mod graph_builds;
mod hierarchy;
mod large_maps;
mod many_tiled_goals;
mod plain_tiles;
mod portals;
mod route_budget;
mod routes;
mod saved_tiles;
mod tile_edits;
mod tile_fields;
mod tiled_bad_input;
mod tiled_goals;
mod tiled_layers;
mod tiled_links;
mod tiled_moves;
mod tiled_previews;
mod tiled_walking;
