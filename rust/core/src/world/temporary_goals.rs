//! Temporary goals: they exist as long as there are holds on them.

use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::GoalMode;
use glam::Vec2;
use std::sync::Arc;

/// Keeps a temporary goal. The goal is released in the first update after its last hold has been dropped.
#[derive(Debug, Clone)]
pub(crate) struct GoalHold(
    #[allow(dead_code, reason = "it counts by being there")] pub(super) Arc<()>,
);

impl FlowWorld {
    /// A temporary goal at some targets, the same one for the same targets and mode, and a hold on it.
    ///
    /// # Errors
    /// Those of [`Self::create_goal_with_mode`].
    pub(crate) fn temporary_goal(
        &mut self,
        targets: &[Vec2],
        mode: GoalMode,
    ) -> Result<(GoalId, GoalHold)> {
        let costs = vec![0.0; targets.len()];
        for (&id, goal) in &self.goals.by_id {
            if let Some(holds) = &goal.holds
                && goal.mode == mode
                && goal.targets == targets
            {
                return Ok((id, GoalHold(Arc::clone(holds))));
            }
        }
        let id = self.create_goal_with_mode(targets, &costs, mode)?;
        let holds = Arc::new(());
        self.goals.get_mut(id)?.holds = Some(Arc::clone(&holds));
        Ok((id, GoalHold(holds)))
    }

    /// A hold on a goal; `None` if it is not temporary, or does not exist.
    pub(crate) fn hold_goal(&self, id: GoalId) -> Option<GoalHold> {
        let goal = self.goals.by_id.get(&id)?;
        goal.holds.clone().map(GoalHold)
    }

    /// A hold for a swarm that was loaded or went back, which follows a goal; `None` if the goal is not temporary, does
    /// not exist, or was not held in the state in which the world is since then.
    pub(crate) fn hold_goal_again(&self, id: GoalId) -> Option<GoalHold> {
        let goal = self.goals.by_id.get(&id)?;
        let holds = if self.goals.are_loaded {
            &goal.kept
        } else {
            &goal.holds
        };
        holds.clone().map(GoalHold)
    }

    /// Releases the temporary goals without a hold.
    pub(super) fn release_unheld_goals(&mut self) {
        self.goals.are_loaded = false;
        for goal in self.goals.by_id.values_mut() {
            goal.kept = None;
        }
        let is_unheld = |holds: &Arc<()>| Arc::strong_count(holds) == 1;
        let goals = self.goals.by_id.iter();
        let unheld: Vec<GoalId> = goals
            .filter(|(_, goal)| goal.holds.as_ref().is_some_and(is_unheld))
            .map(|(&id, _)| id)
            .collect();
        for id in unheld {
            // It has just been found.
            let released = self.release_goal(id);
            debug_assert!(released.is_ok());
        }
    }
}
