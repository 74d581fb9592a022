//! Velocities from displacements.

use glam::Vec2;

/// The velocity that covers `displacement` in `seconds`, limited to the speed `most`. It is finite even where `seconds`
/// is too small to divide by.
pub(in crate::swarm) fn velocity_over(displacement: Vec2, seconds: f32, most: f32) -> Vec2 {
    let length = displacement.length();
    if length > most * seconds {
        displacement * (most / length)
    } else if seconds > 0.0 {
        (displacement / seconds).clamp_length_max(most)
    } else {
        Vec2::ZERO
    }
}
