//! Measures of a crowd, from the positions of its agents alone.
//!
//! No measure depends on the code that moved the agents: velocities are displacements over a step, and each measure
//! searches for neighbours itself. So the statistics of different methods and programs can be compared.
//!
//! Order of reading: `nearby` (the neighbour search) with `overlap` and `waiting`, which use it; then `motion`, `flow`,
//! `gauge` and `packing`, which are independent of each other.

mod flow;
mod gauge;
mod motion;
mod nearby;
mod overlap;
mod packing;
mod waiting;

pub use flow::{Passages, Window};
pub use gauge::{Gauge, GaugePoint};
pub use motion::{Motion, Sample};
pub use nearby::Nearby;
pub use overlap::{Overlaps, deepest};
pub use packing::{HEXAGONAL, packing, share_of_room};
pub use waiting::{Ahead, Waiting};
