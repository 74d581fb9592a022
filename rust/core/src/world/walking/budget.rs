//! The work for a field in a tick.

/// The depth ([`GoalDepths`](super::near::GoalDepths)) from which on a tick does more work, up to `HURRY` times as
/// much, as after a jump.
pub(super) const CALM: f32 = 0.5;
const HURRY: usize = 4;

/// The work for a field in a tick, in cells: at least `least`, and enough that `work` is done when the goal has walked
/// `within`. It increases as the depth `depth` exceeds `calm`, when rough ground has brought the goal near the bound
/// of the next field.
pub(super) fn budget(
    least: usize,
    work: usize,
    (walked, within): (f32, f32),
    (depth, calm): (f32, f32),
) -> usize {
    let cells = least.max((work as f32 * walked / within) as usize);
    let hurry = ((depth - calm) / (1.0 - calm)).max(0.0) * (HURRY as f32 - 1.0);
    cells + (cells as f32 * hurry) as usize
}
