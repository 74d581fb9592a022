//! Contacts: agents are discs that do not sink into each other, position-based dynamics after Müller, Heidelberger,
//! Hennix and Ratcliff (Position based dynamics, 2007) and Weiss, Litteneker, Jiang and Terzopoulos (Position-based
//! multi-agent dynamics, 2017).
//!
//! Steering moves each agent as if it were alone. A few Gauss-Seidel passes then push overlapping discs apart, and out
//! of walls. Four rules keep dense crowds calm ([`solve`], [`leaders`], [`bottlenecks`]):
//!
//! - Front priority: an agent behind another one yields more, so that no pressure builds up in a queue.
//! - Agents follow leaders: an agent wants no more speed than the one ahead of it leaves room for.
//! - Where streams meet, agents push on: contact with an agent that goes elsewhere raises a flag, which lifts that
//!   limit, and those behind inherit it.
//! - Before a bottleneck agents of one goal do not push on, but queue: the one that is nearer to the goal goes first,
//!   unless it is behind the other one.
//!
//! Agents of other swarms count at their positions before the step ([`outline`]), and each swarm resolves its own
//! agents' share of an overlap ([`others`]).
//!
//! Agents are sorted into buckets for all stages ([`Buckets`](crate::swarm::neighbours::buckets::Buckets)). Rows of
//! buckets form bands. Even bands are solved in parallel, then odd bands, each together with the first row of the next
//! band.
//!
//! Read [`resolve`] first: the stages in order. Then the data: [`body`], [`gather`], [`pair`], [`bands`]; then the
//! solver: [`heaps`], [`find_pairs`], [`rules`], [`solve`], [`sweep`], [`near_walls`], [`special`], [`write_back`];
//! then what acts on the next step's steering: [`leaders`], [`streams`], [`bottlenecks`], [`steer`], [`step_back`]; and
//! other swarms: [`outline`], [`discs`], [`others`].
//!
//! - No two bands that run at once touch the same agents, so the result does not depend on threads.
//! - Only [`ContactState`] is kept from step to step. [`Contacts`] holds scratch memory.
//! - Corrections move agents; only [`write_back`] changes velocities.

mod band;
mod bands;
mod body;
mod bottlenecks;
mod contacts;
mod discs;
mod find_pairs;
mod gather;
mod heaps;
mod leaders;
mod matrix;
mod near_walls;
mod others;
mod outline;
mod pair;
mod reach;
mod resolve;
mod rules;
mod solve;
mod special;
mod state;
mod steer;
mod step_back;
mod streams;
mod sweep;
mod trace_outline;
mod write_back;

pub(in crate::swarm) use contacts::Contacts;
pub use outline::{Others, Outline};
pub(in crate::swarm) use reach::{bucket_width, longest_stride};
pub(in crate::swarm) use state::ContactState;
pub(in crate::swarm) use streams::Streams;
