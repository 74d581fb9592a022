//! The steps from a cell to its neighbours.

use glam::IVec2;

/// The eight steps in the order of their angle, from +x towards +y. Odd indices are diagonal steps.
pub const STEPS: [IVec2; 8] = [
    IVec2::new(1, 0),
    IVec2::new(1, 1),
    IVec2::new(0, 1),
    IVec2::new(-1, 1),
    IVec2::new(-1, 0),
    IVec2::new(-1, -1),
    IVec2::new(0, -1),
    IVec2::new(1, -1),
];

/// Returns the change of a stored index by each of [`STEPS`], in rows of `stride` cells.
#[must_use]
pub fn offsets(stride: usize) -> [isize; 8] {
    STEPS.map(|step| step.y as isize * stride as isize + step.x as isize)
}
