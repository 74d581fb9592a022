//! The world: edits, goals that walk, zones, layers, links, ground, stamps and queries.

#[path = "../common/mod.rs"]
mod common;

mod cost_memory;
mod edits;
mod entity_buckets;
mod flee;
mod ground;
mod large_edits;
mod layers;
mod links;
mod next_costs;
mod placement;
mod queries;
mod range;
mod repairs;
mod slice_updates;
mod slices;
mod smooth_path;
mod stamps;
mod standing;
mod terrain_speed;
mod walking_edits;
mod walking_goals;
mod zones;
