//! What is kept for drawing.

use crate::error::{Result, in_range};

/// What is kept for drawing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tracking {
    /// Whether agents can be drawn between the last step and the one before. Costs 16 bytes an agent.
    pub between_steps: bool,
    /// The distance that an agent walks while its animation plays once, in diameters, 0.001 to 1e6; `None` if no
    /// animation follows the distance. Costs 4 bytes an agent, and 8 more without `between_steps`.
    pub walk_cycle: Option<f32>,
}

impl Tracking {
    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// A walk cycle out of its range.
    pub fn check(&self) -> Result<()> {
        if let Some(cycle) = self.walk_cycle {
            in_range("walk_cycle", cycle, 1.0e-3, 1.0e6)?;
        }
        Ok(())
    }
}
