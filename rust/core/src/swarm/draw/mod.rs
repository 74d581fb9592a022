//! Data for drawing: instance buffers, colours, and agents' positions before the last step.
//!
//! Read `tracking` (what is kept) and `trail` (how steps keep it, with `gait`), `palette`, `levels` (where agents stand
//! in 3D), `height`, then `pack`, which writes instance buffers.
//!
//! - Nothing here changes a step: neither saves nor hashes hold it.

mod gait;
mod height;
pub(in crate::swarm) mod levels;
pub(in crate::swarm) mod pack;
pub(in crate::swarm) mod palette;
pub(in crate::swarm) mod tracking;
pub(in crate::swarm) mod trail;
