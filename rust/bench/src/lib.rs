//! The measuring tools of Flow Swarm: map generators, benchmark baselines, exact oracles and timing.
//!
//! No module of this library uses the core, so each of them can check the core independently. The harnesses under
//! `src/bin` compare the library with the core. They produce every figure in `docs/performance.md`.
//!
//! Order of reading: `maps` (the inputs), `oracle` (slow, exact answers), `baselines` (other methods), `measures`
//! (statistics of crowds), then `timing` and `statistics`. `movingai` reads benchmark files, `orders` sets up orders
//! over large maps, `walker` walks along fields, `picture` writes images, `saved_bytes` takes saves apart, and
//! `peak_memory` counts what a thread allocates.

pub mod baselines;
pub mod maps;
pub mod march;
pub mod measures;
pub mod movingai;
pub mod oracle;
pub mod orders;
pub mod peak_memory;
pub mod picture;
pub mod saved_bytes;
pub mod statistics;
pub mod steps;
pub mod timing;
pub mod walker;
