//! Flow fields and massively parallel crowds, independent of any engine.
//!
//! The modules read in the order in which data flows: [`grid`] → [`terrain`] →
//! [`movement`] → [`integrate`] → [`flow`] → [`swarm`], with [`world`] as the
//! facade that owns the field side. Nothing here knows an engine, a clock, a
//! file or a global: time comes in as `dt`, threads as an owned
//! [`workers::Workers`].

mod bytes;
mod cell_set;
mod direction;
pub mod entities;
pub mod error;
pub mod flow;
pub mod grid;
pub mod import;
pub mod integrate;
pub mod layers;
pub mod links;
pub mod movement;
pub mod random;
pub mod route;
pub mod swarm;
pub mod terrain;
pub mod workers;
pub mod world;

pub use error::{Error, Result};
pub use glam::{IVec2, Vec2, Vec3};
