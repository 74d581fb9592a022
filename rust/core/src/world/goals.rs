//! Goals: what fields lead to.

use super::FlowWorld;
use super::fields::FieldSlot;
use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::random::mix;
use glam::Vec2;
use std::collections::BTreeMap;

/// Names a goal; never reused within a world, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub i64);

/// Targets, and the fields that lead to them.
#[derive(Debug)]
pub(super) struct Goal {
    /// World positions inside the grid.
    pub(super) targets: Vec<Vec2>,
    /// Counts the moves.
    pub(super) revision: u64,
    /// When the last move was asked for, if there is a clock.
    pub(super) moved_at: Option<f64>,
    /// See [`FlowWorld::goal_signature`].
    signature: u64,
    /// By movement type; only those that something asked for.
    pub(super) fields: Vec<Option<FieldSlot>>,
}

impl Goal {
    /// Forgets all fields, and the targets that are not in `grid`; says whether there were any.
    pub(super) fn lay_out(&mut self, grid: &Grid) -> bool {
        let before = self.targets.len();
        self.targets
            .retain(|&target| grid.contains(grid.cell_at(target)));
        for slot in self.fields.iter_mut().flatten() {
            *slot = FieldSlot::default();
        }
        let lost = self.targets.len() < before;
        if lost {
            self.revision += 1;
            self.signature = signature(&self.targets);
        }
        lost
    }
}

fn signature(targets: &[Vec2]) -> u64 {
    let start = mix(targets.len() as u64);
    targets.iter().fold(start, |hash, target| {
        let (x, y) = (target.x.to_bits(), target.y.to_bits());
        mix(hash.wrapping_add(u64::from(x) << 32 | u64::from(y)))
    })
}

/// All goals by id, in order of creation.
#[derive(Debug, Default)]
pub(super) struct Goals {
    pub(super) by_id: BTreeMap<GoalId, Goal>,
    last: i64,
}

impl FlowWorld {
    fn check_targets(&self, targets: &[Vec2]) -> Result<()> {
        if targets.is_empty() {
            return Err(Error::Length {
                name: "targets",
                expected: 1,
                actual: 0,
            });
        }
        for &target in targets {
            self.grid.check_position("target", target)?;
        }
        Ok(())
    }

    /// A goal at one or more world positions. Agents go to whichever is cheapest to reach.
    ///
    /// Targets in walls are allowed, and ignored as long as they are in walls. No field is built
    /// before one is needed.
    ///
    /// # Errors
    /// No target, or one that is not finite and in the grid.
    pub fn create_goal(&mut self, targets: &[Vec2]) -> Result<GoalId> {
        self.check_targets(targets)?;
        self.goals.last += 1;
        let id = GoalId(self.goals.last);
        let goal = Goal {
            targets: targets.to_vec(),
            revision: 0,
            moved_at: None,
            signature: signature(targets),
            fields: Vec::new(),
        };
        self.goals.by_id.insert(id, goal);
        Ok(id)
    }

    /// Moves a goal.
    ///
    /// # Errors
    /// [`Error::UnknownId`], no target, or one that is not finite and in the grid.
    pub fn move_goal(&mut self, id: GoalId, targets: &[Vec2]) -> Result<()> {
        self.check_targets(targets)?;
        let now = self.builder.now();
        let goal = self.goals.get_mut(id)?;
        if goal.targets != targets {
            goal.moved_at = now;
            goal.targets = targets.to_vec();
            goal.revision += 1;
            goal.signature = signature(targets);
        }
        Ok(())
    }

    /// Removes a goal with its fields.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn release_goal(&mut self, id: GoalId) -> Result<()> {
        self.goals.get(id)?;
        self.goals.by_id.remove(&id);
        Ok(())
    }

    /// Whether a goal exists.
    #[must_use]
    pub fn has_goal(&self, id: GoalId) -> bool {
        self.goals.by_id.contains_key(&id)
    }

    /// All goals, oldest first.
    pub fn goal_ids(&self) -> impl Iterator<Item = GoalId> {
        self.goals.by_id.keys().copied()
    }

    /// A goal's targets in world units.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_targets(&self, id: GoalId) -> Result<&[Vec2]> {
        Ok(&self.goals.get(id)?.targets)
    }

    /// A number that tells a goal's targets from others, in this world and in any other; `None` if
    /// there is no such goal.
    #[must_use]
    pub fn goal_signature(&self, id: GoalId) -> Option<u64> {
        self.goals.by_id.get(&id).map(|goal| goal.signature)
    }
}

impl Goals {
    pub(super) fn get(&self, id: GoalId) -> Result<&Goal> {
        self.by_id.get(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }

    pub(super) fn get_mut(&mut self, id: GoalId) -> Result<&mut Goal> {
        self.by_id.get_mut(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }
}
