//! Integration: from the cost field and goal cells to the cost of reaching the goal from everywhere.
//!
//! Read [`field`](IntegrationField), `goal_cells`, `candidate` and `root` for the data, and `neighbour_sets` for what
//! is found of costs beforehand; `solve` for the interface of solvers, and `solvers` for the table of solvers with a
//! folder for each; `repair` for updates after a change of the map; `part_solve` and `window` for solves that are
//! spread over ticks, or over the tiles of a map. `reach` is a search in the other direction, for queries.
//!
//! - A candidate exceeds every value from which it was made by at least the shortest step. Hence there is only one
//!   field in which each cell has the best candidate of its neighbours.
//! - A full solve, a solve in parts, a solve in windows and a repair therefore give the same field, bit for bit.

mod bucket_queue;
mod candidate;
mod crossings;
mod field;
mod goal_cells;
mod merging;
mod method;
mod moves;
mod neighbour_sets;
mod part_solve;
mod predecessors;
mod reach;
mod repair;
mod root;
mod scale;
mod solve;
mod solvers;
mod window;

pub(crate) use candidate::{Candidate, Start};
pub use field::{IntegrationField, UNREACHED};
pub use goal_cells::{GoalCell, MAX_INITIAL_COST};
pub use method::{Method, Solver};
pub(crate) use part_solve::PartSolve;
pub use predecessors::Predecessors;
pub use reach::MAX_REACH;
pub(crate) use reach::reach;
pub(crate) use repair::OverwrittenCosts;
pub use repair::Repairer;
pub use root::Root;
pub use scale::StepScale;
pub(crate) use scale::{FINEST, SCALES, cost_overflow};
pub use solvers::{EikonalSolver, OctileSolver, PredecessorSolver, Solvers, predecessor_step};
pub(crate) use solvers::{LEAST_GAIN, Sight, WindowBoundary, successors_on_even_ground};
pub(crate) use window::WindowSolver;
