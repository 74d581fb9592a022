//! Flow-field navigation and crowds, independent of any engine.
//!
//! The modules, in the order in which data flows:
//!
//! 1. [`error`], [`random`], `bytes` and [`workers`]: errors, keyed random numbers, binary data and threads.
//! 2. [`grid`], [`ground`], [`terrain`], [`import`] and [`movement`]: the map, its heights, and what it costs each
//!    movement type.
//! 3. `direction`, [`integrate`] and [`flow`]: costs to a goal, and directions that follow from them.
//! 4. [`route`]: portals, routes and tiles, for goals of which only parts of the map are solved.
//! 5. [`entities`] and [`world`], the facade that owns the grid, the terrain and all goals.
//! 6. [`swarm`]: the agents.
//! 7. [`snapshots`]: the last ticks of a world and its swarms.
//!
//! Invariants:
//!
//! - Each module uses only modules before it in this order. `tests/tidy/main.rs` has the exact list and checks it.
//! - The crate uses no engine, clock, file or global state. Elapsed time is passed in as `dt`, and threads belong to a
//!   [`workers::Workers`].

mod bytes;
mod direction;
pub mod entities;
pub mod error;
pub mod flow;
pub mod grid;
pub mod ground;
pub mod import;
pub mod integrate;
pub mod movement;
pub mod random;
pub mod retired;
pub mod route;
pub mod snapshots;
pub mod swarm;
pub mod terrain;
pub mod workers;
pub mod world;

pub use error::{Error, Result};
pub use glam::{IVec2, Vec2, Vec3};
