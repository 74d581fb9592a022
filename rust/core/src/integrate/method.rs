//! The methods by which costs to the goal are computed.

/// What counts as a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// A chain of steps to one of the eight neighbours. Costs are exact.
    Octile,
    /// Any line: the Eikonal equation.
    #[default]
    Eikonal,
}

impl Solver {
    /// All solvers, by number.
    pub const ALL: [Self; 2] = [Self::Octile, Self::Eikonal];

    /// Its number in saved tiles and scenes.
    #[must_use]
    pub fn number(self) -> u64 {
        self as u64
    }
}

/// The method by which a field's costs were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By [`super::OctileSolver`].
    Octile,
    /// By [`super::EikonalSolver`].
    Eikonal,
    /// By [`super::PredecessorSolver`], in system C's metric.
    Predecessor,
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Octile => Self::Octile,
            Solver::Eikonal => Self::Eikonal,
        }
    }
}
