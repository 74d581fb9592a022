//! Slow, simple, exact answers with which fast ones are compared. All arithmetic is in `f64`.
//!
//! Order of reading: `costs` (grid steps), `godunov` and `visibility` (any-angle costs and lengths), `paths` and
//! `reachable`, then `walls` and `neighbours`.

mod costs;
mod godunov;
mod neighbours;
mod paths;
mod reachable;
mod visibility;
mod walls;

use std::cmp::Ordering;

pub use costs::{StepRule, exact_costs, legal_step, relative_error};
pub use godunov::godunov_costs;
pub use neighbours::{all_neighbours, neighbours_within};
pub use paths::{PathFault, follow, no_corner_cut, path_cost};
pub use reachable::reachable;
pub use visibility::shortest_lengths;
pub use walls::{
    WallPoint, WorldFrame, closest_wall_point, wall_depth, wall_overlap, wall_points_within,
};

/// A cost that is never NaN, so that it can be ordered.
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
