//! The yardsticks of Flow Swarm: map generators, benchmark baselines, exactness oracles and timing.
//!
//! No module of this library uses the core, so that each of them can check the core from outside. The harnesses
//! under `src/bin` put the two side by side and are the source of every figure in `docs/performance.md`.

pub mod baselines;
pub mod maps;
pub mod measures;
pub mod movingai;
pub mod oracle;
pub mod orders;
pub mod picture;
pub mod statistics;
pub mod steps;
pub mod timing;
pub mod walker;
