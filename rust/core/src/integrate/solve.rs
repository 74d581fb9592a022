//! The interface of solvers, through which the rest of the crate uses [`super::solvers`].

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

    /// Takes the memory of a field that is no longer needed for the next one. Returns what it has no use for.
    fn recycle(&mut self, field: IntegrationField) -> (Vec<u32>, Vec<Root>) {
        (field.cost, Vec::new())
    }

    /// The solver's interface for solves in parts; without it a map is solved in one part.
    fn in_parts(&mut self) -> Option<&mut dyn SolveInParts> {
        None
    }

    /// The solver's interface for windows, which tiles need.
    fn in_windows(&mut self) -> Option<&mut dyn SolveWindow> {
        None
    }
}

/// A solve in parts. The field's roots are separate from it until it is finished.
pub(super) trait SolveInParts {
    /// Memory for the costs and roots of a map of the size of `costs`, empty.
    fn take_memory(&mut self, costs: &CostField) -> (Vec<u32>, Vec<Root>);

    /// Clears the stored `rows`, including those of the border, in ascending order.
    fn clear_rows(&mut self, costs: &CostField, rows: Range<usize>, roots: &mut Vec<Root>);

    /// Follows a change of `costs` in the cells `changed`, given by stored index, while the rows before `cleared` are
    /// cleared.
    fn correct_rows(&mut self, costs: &CostField, changed: &[u32], cleared: usize);

    /// Begins the wavefront in a field of which no cell is reached.
    fn begin(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
        roots: &mut [Root],
    );

    /// Continues for about `most` cells. Returns whether that was the last part; `None` if costs came near the end of
    /// the number range.
    fn advance(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        roots: &mut [Root],
        most: usize,
    ) -> Option<bool>;
}

/// A solve of a window of a map, from the values around it.
pub(super) trait SolveWindow {
    /// Runs the wavefront from `starts` over a window of which `field` reaches no cell; false if costs came near the
    /// end of the number range. The values of `fixed` cells do not change.
    fn solve_window(
        &mut self,
        costs: &mut CostField,
        starts: &[Start],
        fixed: &[bool],
        field: &mut IntegrationField,
    ) -> bool;
}
