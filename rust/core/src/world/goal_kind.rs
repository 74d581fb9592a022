//! The kinds of goals: what agents do about the targets.

use crate::error::{Error, Result, in_range};

/// The greatest distance of a goal's kind, in world units.
pub const MAX_GOAL_DISTANCE: f32 = 1.0e6;

/// What agents do about the targets of a goal. Distances are in world units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum GoalKind {
    /// They go to the target that is cheapest to reach.
    #[default]
    Seek,
    /// They leave the cells that are nearer than `reach` to a target, by paths around walls.
    Flee {
        /// The distance at which they are safe, above 0 and at most [`MAX_GOAL_DISTANCE`].
        reach: f32,
    },
    /// They keep at a straight distance between `least` and `most` from the targets, in sight of a target where
    /// possible.
    Range {
        /// The least distance from every target, at least 0.
        least: f32,
        /// The greatest distance from the nearest target, at least `least`, above 0, and at most [`MAX_GOAL_DISTANCE`].
        most: f32,
    },
}

impl GoalKind {
    /// The kind's name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Seek => "SEEK",
            Self::Flee { .. } => "FLEE",
            Self::Range { .. } => "RANGE",
        }
    }

    /// Checks the distances.
    pub(super) fn check(self) -> Result<()> {
        let positive = |name: &'static str, value: f32| {
            if value.is_finite() && value > 0.0 {
                in_range(name, value, 0.0, MAX_GOAL_DISTANCE)?;
                Ok(())
            } else {
                Err(Error::NotPositive { name, value })
            }
        };
        match self {
            Self::Seek => Ok(()),
            Self::Flee { reach } => positive("reach", reach),
            Self::Range { least, most } => {
                in_range("least", least, 0.0, MAX_GOAL_DISTANCE)?;
                positive("most", most)?;
                in_range("most", most, least, MAX_GOAL_DISTANCE)?;
                Ok(())
            }
        }
    }
}
