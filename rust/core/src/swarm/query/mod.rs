//! Finding agents by position.
//!
//! Read `agent_query` (which agents, in which order, how many), `search` (what all searches share), then the searches:
//! `shapes` (circle and rectangle), `segment`, `nearest`, `space` (sphere and ray in 3D, for which agents are a
//! `capsule`); `overlap` measures overlaps for statistics.
//!
//! - Agents are found at their present positions, also right after a step or a change: searches use the sort of the
//!   last step while no agent is farther than a bucket from where it was sorted.
//! - The result does not depend on the sort, on threads or on the order of columns: ties are broken by id.
//! - Searches take `&mut self` only to renew the sort; they change nothing that a step reads.

pub(in crate::swarm) mod agent_query;
mod capsule;
mod nearest;
mod overlap;
mod search;
mod segment;
mod shapes;
mod space;
