//! How far agents reach in a step: which pairs may come to touch.

use crate::swarm::AgentType;

/// How far beyond touching pairs are looked for, in radii: they may come to touch while others are pushed apart.
pub(super) const SKIN: f32 = 0.3;

/// How wide buckets have to be for agents of some types and steps of `dt` seconds, so that all that may touch an
/// agent after steering are in the buckets beside it; 0 where no type uses contacts.
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

/// How far agents of some types, none larger than a radius, go in a step under their own power; at most two radii.
pub(in crate::swarm) fn longest_stride<'a>(
    types: impl Iterator<Item = &'a AgentType>,
    largest: f32,
    dt: f32,
) -> f32 {
    let regular = types.filter(|kind| kind.radius <= largest);
    let fastest = regular.map(|kind| kind.max_speed).fold(0.0, f32::max);
    (fastest * dt).min(2.0 * largest)
}
