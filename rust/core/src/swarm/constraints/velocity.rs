//! Velocities by what they cover.

use glam::Vec2;

/// The velocity that covers `way` in `seconds`, or `most` in that direction. Finite for the shortest
/// time too, by which nothing can be divided.
pub(in crate::swarm) fn velocity_over(way: Vec2, seconds: f32, most: f32) -> Vec2 {
    let length = way.length();
    if length > most * seconds {
        way * (most / length)
    } else if seconds > 0.0 {
        (way / seconds).clamp_length_max(most)
    } else {
        Vec2::ZERO
    }
}
