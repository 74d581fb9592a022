//! What a solver does: the interface between [`super::solvers`] and all that has fields computed.

use super::candidate::Start;
use super::field::IntegrationField;
use super::goal_cells::{GoalCell, Seed};
use super::predecessors::Predecessors;
use super::root::Root;
use crate::error::Result;
use crate::movement::CostField;
use std::fmt::Debug;
use std::ops::Range;

/// A field, with directions where the method gives them.
pub(super) type Solved = (IntegrationField, Option<Predecessors>);

/// A solver with its scratch memory.
pub(super) trait Solve: Debug + Send + Sync {
    /// The costs to the nearest of `goals`.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when costs exceed the number range.
    fn solve(&mut self, costs: &CostField, goals: &[GoalCell]) -> Result<Solved>;

    /// Takes the memory of a field that is not needed any more for the next one.
    fn recycle(&mut self, field: IntegrationField) {
        drop(field);
    }

    /// The solver as one that can stop and go on; without it all of a map is solved in one part.
    fn in_parts(&mut self) -> Option<&mut dyn SolveInParts> {
        None
    }

    /// The solver as one of tiles.
    fn in_windows(&mut self) -> Option<&mut dyn SolveWindow> {
        None
    }
}

/// A solve that is done a part at a time. The field's roots are apart from it until it is finished.
pub(super) trait SolveInParts {
    /// Memory for the costs and roots of a map of the size of `costs`, empty.
    fn take_memory(&mut self, costs: &CostField) -> (Vec<u32>, Vec<Root>);

    /// Clears the stored `rows`, the border's among them, after all those before them.
    fn clear_rows(&mut self, costs: &CostField, rows: Range<usize>, roots: &mut Vec<Root>);

    /// Lets the wave begin, in a field that reaches nothing yet.
    fn begin(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
        roots: &mut [Root],
    );

    /// Goes on over about `most` cells; says whether that was the last part. `None` if costs came near the end of the
    /// number range.
    fn advance(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        roots: &mut [Root],
        most: usize,
    ) -> Option<bool>;
}

/// A solve of a window of a map, from values that lie around it.
pub(super) trait SolveWindow {
    /// Lets the wave run from `starts` over a window, in which `field` reaches nothing yet; false if costs came near
    /// the end of the number range. The values of `fixed` cells stay as they are.
    fn solve_window(
        &mut self,
        costs: &mut CostField,
        starts: &[Start],
        fixed: &[bool],
        field: &mut IntegrationField,
    ) -> bool;
}
