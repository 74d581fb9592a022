//! Fields: costs, what is solved from them, directions, islands, sight, and terrain from shapes.

#[path = "../common/mod.rs"]
mod common;

mod clearance;
mod cost_changes;
mod eikonal;
mod exact_costs;
mod field_reaches_goal;
mod import_heights;
mod import_shapes;
mod initial_costs;
mod islands;
mod line_of_sight;
mod octile_is_dijkstra;
mod predecessor;
mod reach;
mod repair;
mod terrain_blocks;
mod wall_penalty;
mod whole_maps;
