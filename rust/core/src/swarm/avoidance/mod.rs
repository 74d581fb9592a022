//! How agents keep apart: separation by pushes, and reciprocal avoidance.

pub(in crate::swarm) mod contact;
pub(in crate::swarm) mod giving_way;
pub(in crate::swarm) mod orca;
pub(in crate::swarm) mod separation;

use crate::swarm::AgentType;

/// A good width of buckets for agents of some types that look for their neighbours in a step of `dt` seconds; 0 where
/// touching is all that counts.
pub(in crate::swarm) fn bucket_width<'a>(
    types: impl Iterator<Item = &'a AgentType> + Clone,
    dt: f32,
) -> f32 {
    orca::bucket_width(types.clone()).max(contact::bucket_width(types, dt))
}
