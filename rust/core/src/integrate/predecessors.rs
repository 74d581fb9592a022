//! The directions that system C's solver records beside the costs.

/// In place of a step: a goal, a wall or a cell that the wave has not reached.
pub(super) const NO_STEP: u8 = 8;

/// For every cell the step to the cell from which the wave came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predecessors(pub(super) Vec<u8>);

impl Predecessors {
    /// The step, as an index into [`crate::movement::STEPS`], from the cell at a stored index to
    /// its predecessor; `None` for goals, walls and what no goal can be reached from.
    #[must_use]
    #[inline]
    pub fn step(&self, index: usize) -> Option<usize> {
        let step = self.0[index];
        (step != NO_STEP).then_some(usize::from(step))
    }
}
