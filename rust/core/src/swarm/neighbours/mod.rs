//! Neighbour search: the sort of agents into buckets, and lists of pairs.
//!
//! Read `shape` (how the map is cut into buckets), `sorted_agent`, `buckets` (the sort's result), `bucket_ranges` and
//! `look_ahead` (searches in it), `bucket_upkeep` (between steps), then `bucket_sort` with `band_ends`, `oversized`,
//! `placed_piece`, `pairs`, and `reorder`, which brings the agents' columns into bucket order.
//!
//! - Agents in a bucket are in the order of their columns, so the order of neighbours does not depend on threads.
//! - [`Buckets`](buckets::Buckets) copy positions at the start of a step and keep them while agents are steered.

pub(in crate::swarm) mod band_ends;
pub(in crate::swarm) mod bucket_ranges;
mod bucket_sort;
mod bucket_upkeep;
pub(in crate::swarm) mod buckets;
pub(in crate::swarm) mod look_ahead;
pub(in crate::swarm) mod oversized;
pub(in crate::swarm) mod pairs;
pub(in crate::swarm) mod placed_piece;
mod reorder;
pub(in crate::swarm) mod shape;
pub(in crate::swarm) mod sorted_agent;
