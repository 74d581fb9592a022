//! The solvers that the core is measured against.
//!
//! All keep their memory between runs, so that a comparison times solving and not allocating.

pub mod binary_heap;
pub mod fifo;
pub mod path_search;
pub mod plain_flow;
pub mod potential;
pub mod predecessor_tree;
