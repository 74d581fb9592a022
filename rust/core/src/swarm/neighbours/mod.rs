//! Which agents are near each other: the sort into buckets, and lists of pairs.

pub(in crate::swarm) mod band_ends;
mod bucket_sort;
pub(in crate::swarm) mod buckets;
pub(in crate::swarm) mod oversized;
pub(in crate::swarm) mod pairs;
mod reorder;
pub(in crate::swarm) mod shape;
pub(in crate::swarm) mod sorted_agent;
