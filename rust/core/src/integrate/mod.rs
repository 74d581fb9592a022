//! Integration: from the cost field and goal cells to the cost of reaching the goal from everywhere.
//!
//! Read [`field`](IntegrationField), `goal_cells`, `candidate` and `root` for what is computed; `solve` for what a solver
//! does, `solvers` for the table of them and a folder for each; `repair` for what follows a change of the map;
//! `part_solve` and `window` for solves that are spread over ticks, or over the tiles of a map.
//!
//! Every offer that a cell makes exceeds what it was made from by at least a shortest step. Hence a field is the only one
//! in which all cells agree with their neighbours, and a solve at once, one in parts, one in windows and a repair come to
//! the same, bit for bit.

mod bucket_queue;
mod candidate;
mod crossings;
mod field;
mod goal_cells;
mod method;
mod moves;
mod part_solve;
mod predecessors;
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
pub use repair::Repairer;
pub use root::Root;
pub use scale::StepScale;
pub(crate) use scale::{FINEST, SCALES, cost_overflow};
pub use solvers::{EikonalSolver, OctileSolver, PredecessorSolver, Solvers, predecessor_step};
pub(crate) use solvers::{LEAST_GAIN, Sight, WindowBoundary, successors_on_even_ground};
pub(crate) use window::WindowSolver;
