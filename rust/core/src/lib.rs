//! Flow fields and massively parallel crowds, independent of any engine.
//!
//! Each module uses only the modules before it, in the order in which data flows: [`error`], [`random`], `bytes` and
//! [`workers`]; [`grid`] → [`terrain`] → [`import`] → [`movement`] → `direction` → [`integrate`] → [`flow`] → [`route`] → [`entities`] → [`world`], the facade that owns
//! the field side, → [`swarm`]. (`tests/tidy/main.rs` holds the list.) Nothing here knows an engine, a clock, a file or
//! a global: time comes in as `dt`, threads as an owned [`workers::Workers`].

mod bytes;
mod direction;
pub mod entities;
pub mod error;
pub mod flow;
pub mod grid;
pub mod import;
pub mod integrate;
pub mod movement;
pub mod random;
pub mod route;
pub mod swarm;
pub mod terrain;
pub mod workers;
pub mod world;

pub use error::{Error, Result};
pub use glam::{IVec2, Vec2, Vec3};
