//! The size of agents, and what they can climb.

use crate::error::{Result, in_range, positive};

/// What agents need to walk on a surface. Lengths are in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoreySettings {
    /// The free height that agents need above a floor.
    pub agent_height: f32,
    /// The greatest height of a step, at most `agent_height`.
    pub agent_max_climb: f32,
    /// The steepest slope that is a floor, as a rise per unit of distance.
    pub agent_max_slope: f32,
    /// The vertical resolution: lower gaps between shapes are closed, and surfaces in one column that are nearer to
    /// each other are one floor. Heights are not rounded to it. At most `agent_height`.
    pub cell_height: f32,
}

impl StoreySettings {
    /// Checks all numbers.
    ///
    /// # Errors
    /// A number that is not finite or not above 0 (`agent_max_climb` may be 0), or a climb or cell height above
    /// `agent_height`.
    pub fn check(&self) -> Result<()> {
        positive("agent_height", self.agent_height)?;
        in_range(
            "agent_max_climb",
            self.agent_max_climb,
            0.0,
            self.agent_height,
        )?;
        positive("agent_max_slope", self.agent_max_slope)?;
        positive("cell_height", self.cell_height)?;
        in_range("cell_height", self.cell_height, 0.0, self.agent_height)?;
        Ok(())
    }

    /// The greatest difference in height between parts of one floor within a column.
    pub(super) fn merged_height(&self) -> f32 {
        self.agent_max_climb.max(self.cell_height)
    }
}
