//! The directions that system C's solver records beside the costs.

/// The entry of goals, walls and cells that the wavefront has not reached.
pub(super) const NO_STEP: u8 = 8;

/// For every cell, the step to the cell from which the wavefront came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predecessors(pub(super) Vec<u8>);

impl Predecessors {
    /// The step, as an index into [`crate::grid::STEPS`], from the cell at a stored index to its predecessor;
    /// `None` for goals, walls and cells from which no goal can be reached.
    #[must_use]
    #[inline]
    pub fn step(&self, index: usize) -> Option<usize> {
        let step = self.0[index];
        (step != NO_STEP).then_some(usize::from(step))
    }
}
