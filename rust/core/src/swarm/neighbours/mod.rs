//! Neighbour search: the sort of agents into buckets, and lists of pairs.
//!
//! Read `shape` (how the map is cut into buckets), `sorted_agent`, `buckets` (the result and its queries), then
//! `bucket_sort` with `band_ends`, `oversized`, `pairs`, and `reorder`, which brings the agents' columns into bucket
//! order.
//!
//! - Agents in a bucket are in the order of their columns, so the order of neighbours does not depend on threads.
//! - [`Buckets`](buckets::Buckets) copy positions at the start of a step and keep them while agents are steered.

pub(in crate::swarm) mod band_ends;
mod bucket_sort;
pub(in crate::swarm) mod buckets;
pub(in crate::swarm) mod oversized;
pub(in crate::swarm) mod pairs;
mod reorder;
pub(in crate::swarm) mod shape;
pub(in crate::swarm) mod sorted_agent;
