//! Creates, moves and releases goals.

use crate::error::{Error, Result, in_range};
use crate::integrate::MAX_INITIAL_COST;
use crate::world::FlowWorld;
use crate::world::goal::Goal;
use crate::world::goal_id::GoalId;
use crate::world::goal_kind::GoalKind;
use crate::world::goal_mode::GoalMode;
use glam::Vec2;
use std::sync::Arc;

impl FlowWorld {
    fn check_targets(&self, targets: &[Vec2]) -> Result<()> {
        if targets.is_empty() {
            return Err(Error::TooShort {
                name: "targets",
                least: 1,
                actual: 0,
            });
        }
        for &target in targets {
            self.grid.check_position("target", target)?;
        }
        Ok(())
    }

    fn check_initial_costs(targets: &[Vec2], costs: &[f32]) -> Result<()> {
        if costs.len() != targets.len() {
            return Err(Error::Length {
                name: "initial_costs",
                expected: targets.len(),
                actual: costs.len(),
            });
        }
        for &cost in costs {
            in_range("initial cost", cost, 0.0, MAX_INITIAL_COST)?;
        }
        Ok(())
    }

    /// Creates a goal at one or more world positions. Agents go to the target that is cheapest to reach.
    ///
    /// Targets in walls are allowed, and ignored while they are in walls. No field is built before it is needed.
    ///
    /// # Errors
    /// No target, or one that is not finite and in the grid.
    pub fn create_goal(&mut self, targets: &[Vec2]) -> Result<GoalId> {
        self.create_goal_with_costs(targets, &vec![0.0; targets.len()])
    }

    /// [`Self::create_goal`] with an initial cost for each target, in cost units, 0..=[`MAX_INITIAL_COST`]. Agents go
    /// to the target with the least sum of its initial cost and the path's cost, and pass targets from which another
    /// one is cheaper.
    ///
    /// # Errors
    /// As there, and costs that are not one for each target and in range.
    pub fn create_goal_with_costs(&mut self, targets: &[Vec2], costs: &[f32]) -> Result<GoalId> {
        self.create_goal_with_mode(targets, costs, GoalMode::Full)
    }

    /// [`Self::create_goal_with_costs`] with a mode, which says how directions to the goal are found. For a tiled goal
    /// only tiles of requested routes are built: see [`Self::request_route`].
    ///
    /// # Errors
    /// As there.
    pub fn create_goal_with_mode(
        &mut self,
        targets: &[Vec2],
        costs: &[f32],
        mode: GoalMode,
    ) -> Result<GoalId> {
        self.check_targets(targets)?;
        Self::check_initial_costs(targets, costs)?;
        Ok(self.add_goal(targets, costs, mode, GoalKind::Seek))
    }

    /// Creates a goal of a kind. Goals of other kinds than [`GoalKind::Seek`] have no initial costs and are not tiled.
    ///
    /// # Errors
    /// No target, one that is not finite and in the grid, or distances of the kind that are out of range.
    pub fn create_goal_of_kind(&mut self, targets: &[Vec2], kind: GoalKind) -> Result<GoalId> {
        self.check_targets(targets)?;
        kind.check()?;
        Ok(self.add_goal(targets, &vec![0.0; targets.len()], GoalMode::Full, kind))
    }

    fn add_goal(
        &mut self,
        targets: &[Vec2],
        costs: &[f32],
        mode: GoalMode,
        kind: GoalKind,
    ) -> GoalId {
        self.goals.last += 1;
        let id = GoalId(self.goals.last);
        let mut goal = Goal {
            targets: targets.to_vec(),
            destination: Arc::default(),
            initial_costs: costs.to_vec(),
            holds: None,
            kept: None,
            revision: 0,
            moved_at: None,
            signature: 0,
            fields: Vec::new(),
            mode,
            kind,
            tiled: Vec::new(),
        };
        goal.place_targets(&self.grid);
        goal.sign();
        self.goals.by_id.insert(id, goal);
        id
    }

    /// Moves a goal to targets without initial costs.
    ///
    /// # Errors
    /// [`Error::UnknownId`], no target, or one that is not finite and in the grid.
    pub fn move_goal(&mut self, id: GoalId, targets: &[Vec2]) -> Result<()> {
        self.move_goal_with_costs(id, targets, &vec![0.0; targets.len()])
    }

    /// Moves a goal to targets with initial costs: see [`Self::create_goal_with_costs`].
    ///
    /// # Errors
    /// As there, [`Error::UnknownId`], and [`Error::NoInitialCosts`] for costs above 0 of a goal of another kind than
    /// [`GoalKind::Seek`].
    pub fn move_goal_with_costs(
        &mut self,
        id: GoalId,
        targets: &[Vec2],
        costs: &[f32],
    ) -> Result<()> {
        self.check_targets(targets)?;
        Self::check_initial_costs(targets, costs)?;
        let now = self.builder.now();
        let goal = self.goals.get_mut(id)?;
        if goal.kind != GoalKind::Seek && costs.iter().any(|&cost| cost != 0.0) {
            let kind = goal.kind.name();
            return Err(Error::NoInitialCosts { goal: id.0, kind });
        }
        if goal.targets != targets || goal.initial_costs != costs {
            goal.moved_at = now;
            goal.targets = targets.to_vec();
            goal.initial_costs = costs.to_vec();
            goal.place_targets(&self.grid);
            goal.revision += 1;
            goal.sign();
            self.note_moved(id);
        }
        Ok(())
    }

    /// Removes a goal with its fields.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn release_goal(&mut self, id: GoalId) -> Result<()> {
        self.goals.get(id)?;
        let goal = self.goals.by_id.remove(&id);
        self.tiling.forget_goal(id);
        let slots = goal.into_iter().flat_map(|goal| goal.fields).flatten();
        slots.for_each(|slot| slot.retire(&self.builder.scratch));
        Ok(())
    }

    /// How directions to a goal are found.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_mode(&self, id: GoalId) -> Result<GoalMode> {
        Ok(self.goals.get(id)?.mode)
    }

    /// What agents do about the targets of a goal.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_kind(&self, id: GoalId) -> Result<GoalKind> {
        Ok(self.goals.get(id)?.kind)
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

    /// The initial costs of a goal's targets, in cost units.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_initial_costs(&self, id: GoalId) -> Result<&[f32]> {
        Ok(&self.goals.get(id)?.initial_costs)
    }

    /// A number that distinguishes the targets of a goal of the kind [`GoalKind::Seek`] from others, in this world and
    /// any other; the same for all targets of another kind. `None` if there is no such goal.
    #[must_use]
    pub fn goal_signature(&self, id: GoalId) -> Option<u64> {
        self.goals.by_id.get(&id).map(|goal| goal.signature)
    }
}
