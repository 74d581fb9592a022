//! Separation: overlapping agents push each other apart, the deeper the harder (system A, 4.3).

use super::super::buckets::{Buckets, Neighbour};
use crate::random;
use glam::Vec2;

/// Agents closer than this fraction of their radii's sum have no direction to be pushed in; a
/// random one is drawn for them.
const COINCIDENT: f32 = 1.0e-3;

/// The velocity with which all its neighbours push `agent`, in world units a second.
///
/// `key` seeds the push of coincident agents, for this agent in this tick.
#[inline]
pub(in super::super) fn push(agent: &Neighbour, weight: f32, key: u64, buckets: &Buckets) -> Vec2 {
    let reach = Vec2::splat(agent.radius + buckets.largest_radius());
    let mut sum = Vec2::ZERO;
    for row in buckets.rows_between(agent.position - reach, agent.position + reach) {
        for other in row {
            let away = agent.position - other.position;
            let touching = agent.radius + other.radius;
            let squared = away.length_squared();
            if squared >= touching * touching || other.index == agent.index {
                continue;
            }
            let distance = squared.sqrt();
            let direction = if distance > COINCIDENT * touching {
                away / distance
            } else {
                random::direction(key)
            };
            let overlap = (touching - distance) / touching;
            sum += direction * (overlap * agent.max_speed.max(other.max_speed) * weight);
        }
    }
    sum
}
