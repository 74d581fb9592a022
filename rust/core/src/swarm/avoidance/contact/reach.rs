//! How far agents reach in a step, which bounds the search for pairs that may touch.

use crate::swarm::AgentType;

/// The distance beyond touching within which pairs are found, in radii. Such pairs may come to touch while other pairs
/// are parted.
pub(super) const SKIN: f32 = 0.3;

/// The width of buckets for agents of some types and steps of `dt` seconds. All agents that may touch an agent after
/// steering are then in its own bucket or one beside it. 0 if no type uses contacts.
pub(in crate::swarm) fn bucket_width<'a>(
    types: impl Iterator<Item = &'a AgentType> + Clone,
    dt: f32,
) -> f32 {
    if !types.clone().any(AgentType::uses_contacts) {
        return 0.0;
    }
    let largest = types.clone().map(|kind| kind.radius).fold(0.0, f32::max);
    // A little more for rounding.
    1.001 * ((2.0 + SKIN) * largest + 2.0 * longest_stride(types, largest, dt))
}

/// The longest displacement in a step of agents under their own power, among the types with radii up to `largest`. It
/// is limited to two radii.
pub(in crate::swarm) fn longest_stride<'a>(
    types: impl Iterator<Item = &'a AgentType>,
    largest: f32,
    dt: f32,
) -> f32 {
    let regular = types.filter(|kind| kind.radius <= largest);
    let fastest = regular.map(|kind| kind.max_speed).fold(0.0, f32::max);
    (fastest * dt).min(2.0 * largest)
}
