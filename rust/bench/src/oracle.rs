//! Slow, plain, exact answers to check fast ones against. All arithmetic is in `f64`.

mod costs;
mod neighbours;
mod paths;
mod reachable;
mod walls;

pub use costs::{StepRule, exact_costs, legal_step, relative_error};
pub use neighbours::{all_neighbours, neighbours_within};
pub use paths::{PathFault, follow, no_corner_cut, path_cost};
pub use reachable::reachable;
pub use walls::{WallPoint, WorldFrame, closest_wall_point, wall_overlap, wall_points_within};
