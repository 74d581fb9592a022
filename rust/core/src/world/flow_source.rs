//! The interface through which agents read a field or route.

use glam::{IVec2, Vec2};

/// The queries of steering about a field or route. Steering is compiled for each implementation.
pub(crate) trait FlowSource {
    fn is_goal(&self, cell: IVec2) -> bool;
    fn target_in(&self, cell: IVec2) -> Option<Vec2>;
    fn distance_to_target(&self, point: Vec2) -> f32;

    /// The nearest target within `reach` of a point.
    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2>;

    /// The unit direction at a point, for a body of some radius; `cell` is the cell of the grid nearest to it.
    fn sample_in(&self, cell: IVec2, point: Vec2, radius: f32) -> Vec2;

    /// `direction`, which [`Self::sample_in`] returned, turned to a side.
    fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2;

    /// The cost from a cell of the grid to the goal, in cells of clear ground, or less where only the distance
    /// is known.
    fn remaining_cost(&self, cell: IVec2) -> f32;

    /// The end of the link that the path from a cell of the grid takes.
    fn link_from(&self, cell: IVec2) -> Option<IVec2>;

    /// Whether agents have arrived in the goal cells alone, and no longer than they stay there.
    fn is_region(&self) -> bool {
        false
    }
}
