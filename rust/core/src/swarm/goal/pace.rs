//! The walking pace of each agent of a type.

use crate::random;
use crate::swarm::state::agent_type::AgentType;

/// The purpose of the number that an agent's pace is drawn from.
const PACE: u64 = 0x5041_4345;

/// An agent's own pace, as a fraction of its type's greatest speed.
pub(in crate::swarm) fn pace(kind: &AgentType, seed: u64, key: u64) -> f32 {
    if kind.speed_variation > 0.0 {
        1.0 - kind.speed_variation * random::unit(random::keyed(seed, key, PACE))
    } else {
        1.0
    }
}
