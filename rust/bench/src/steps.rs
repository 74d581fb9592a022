//! The eight steps between neighbouring cells, in the order that the baselines use.

/// Whether a diagonal step may pass the corner of a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corners {
    /// A diagonal step needs both orthogonal neighbours to be passable.
    #[default]
    Closed,
    /// A diagonal step needs only a passable cell at its end, as in system A.
    Cut,
}

/// `(dx, dy)` of each step in cells, y growing with the row; the four straight steps come first.
pub const STEPS: [(isize, isize); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
];

/// Instead of an index into [`STEPS`]: the cell is a goal or a wall, or reaches no goal.
pub const NO_STEP: u8 = 8;
