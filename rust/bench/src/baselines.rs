//! The solvers that the core is measured against.
//!
//! Both keep their memory between runs, so that a comparison times solving and not allocating.

pub mod binary_heap;
pub mod fifo;
