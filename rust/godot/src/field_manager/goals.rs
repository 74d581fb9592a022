//! Goal methods of `FlowFieldManager`.

use super::FlowFieldManager;
use super::enums::GoalMode;
use crate::class_enum::ClassEnum as _;
use crate::convert::{packed_vector2s, vec2s};
use crate::report::{OrRefuse, code};
use flow_swarm::Error as CoreError;
use flow_swarm::world::{self, GoalId};
use godot::global::Error;
use godot::prelude::*;

/// The core's form of a mode, or after a report `None`.
pub fn goal_mode(method: &str, mode: GoalMode) -> Option<world::GoalMode> {
    let modes = [world::GoalMode::Full, world::GoalMode::Tiled];
    let index = mode.index_for("mode").or_refuse(method)?;
    Some(modes[index])
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Creates a goal with one or more target positions and returns its id, or 0 after an error. Agents go to the target that is cheapest to reach. Targets in walls are allowed, and are ignored while they are in walls.
    ///
    /// `mode` is GOAL_MODE_FULL, one field over the whole map, or GOAL_MODE_TILED, for large maps: routes from sector to sector, and tiles along them, of which the manager builds a limited number in each frame. Agents move from the frame of the order on, before the tiles are built. For a TILED goal the rule DIRECTION_CHARACTERISTIC is used, whatever direction_rule is.
    ///
    /// `initial_costs` is empty, or has one number for each target, from 0 to 1000000: the cost of ending there, in cells of clear ground. Agents go to the target for which the sum of the path's cost and the initial cost is least. They pass a target from which it is cheaper to go on to another one.
    #[func]
    fn create_goal(
        &mut self,
        targets: PackedVector2Array,
        #[opt(default = GoalMode::GOAL_MODE_FULL)] mode: GoalMode,
        #[opt(default = &PackedFloat32Array::new())] initial_costs: PackedFloat32Array,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.create_goal";
        let Some(mode) = goal_mode(METHOD, mode) else {
            return 0;
        };
        let Some(world) = self.world(METHOD) else {
            return 0;
        };
        let targets = vec2s(&targets);
        let goal = if initial_costs.is_empty() {
            world.create_goal_with_mode(&targets, &vec![0.0; targets.len()], mode)
        } else {
            world.create_goal_with_mode(&targets, initial_costs.as_slice(), mode)
        };
        goal.or_refuse(METHOD).map_or(0, |goal| goal.0)
    }

    /// Moves a goal to other targets. `initial_costs` is the same as in create_goal(); if empty, all initial costs are 0. Agents follow the old field until the new one is built. Goals of the kinds GOAL_KIND_FLEE and GOAL_KIND_RANGE keep their distances and have no initial costs; costs above 0 are refused.
    ///
    /// Targets outside of the grid are refused with ERR_INVALID_PARAMETER, and the goal stays where it is. As games call this in every frame, that is reported once, and again after the goal has been moved.
    #[func]
    fn move_goal(
        &mut self,
        goal: i64,
        targets: PackedVector2Array,
        #[opt(default = &PackedFloat32Array::new())] initial_costs: PackedFloat32Array,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.move_goal";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let (id, targets) = (GoalId(goal), vec2s(&targets));
        let moved = if initial_costs.is_empty() {
            world.move_goal(id, &targets)
        } else {
            world.move_goal_with_costs(id, &targets, initial_costs.as_slice())
        };
        match moved {
            Ok(()) => {
                self.strayed_goals.remove(&goal);
            }
            Err(CoreError::PositionOutside { .. }) if !self.strayed_goals.insert(goal) => {
                return Error::ERR_INVALID_PARAMETER;
            }
            Err(_) => {}
        }
        code(METHOD, moved)
    }

    /// Removes a goal and its fields. The next step takes it from the groups that follow it and reports an error, once. Agents that had it as their own goal follow their group's again. To avoid the error, give groups another goal before, or none: set_group_goal() with 0.
    #[func]
    fn release_goal(&mut self, goal: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.release_goal";
        self.strayed_goals.remove(&goal);
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.release_goal(GoalId(goal))),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Returns the mode of a goal: GOAL_MODE_FULL or GOAL_MODE_TILED. If the goal does not exist, reports an error and returns -1.
    #[func]
    fn get_goal_mode(&mut self, goal: i64) -> GoalMode {
        const METHOD: &str = "FlowFieldManager.get_goal_mode";
        let world = self.world(METHOD);
        match world.and_then(|world| world.goal_mode(GoalId(goal)).or_refuse(METHOD)) {
            Some(world::GoalMode::Full) => GoalMode::GOAL_MODE_FULL,
            Some(world::GoalMode::Tiled) => GoalMode::GOAL_MODE_TILED,
            None => GoalMode(-1),
        }
    }

    /// Returns `true` if a goal with this id exists.
    #[func]
    fn has_goal(&mut self, goal: i64) -> bool {
        let world = self.world("FlowFieldManager.has_goal");
        world.is_some_and(|world| world.has_goal(GoalId(goal)))
    }

    /// Returns the ids of all goals, oldest first.
    #[func]
    fn get_goals(&mut self) -> PackedInt64Array {
        match self.world("FlowFieldManager.get_goals") {
            Some(world) => world.goal_ids().map(|goal| goal.0).collect(),
            None => PackedInt64Array::new(),
        }
    }

    /// Returns the target positions of a goal, in world units.
    #[func]
    fn get_goal_targets(&mut self, goal: i64) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_goal_targets";
        let Some(world) = self.world(METHOD) else {
            return PackedVector2Array::new();
        };
        let targets = world.goal_targets(GoalId(goal)).or_refuse(METHOD);
        targets.map_or_else(PackedVector2Array::new, packed_vector2s)
    }

    /// Returns the initial costs of a goal's targets: see create_goal().
    #[func]
    fn get_goal_initial_costs(&mut self, goal: i64) -> PackedFloat32Array {
        const METHOD: &str = "FlowFieldManager.get_goal_initial_costs";
        let Some(world) = self.world(METHOD) else {
            return PackedFloat32Array::new();
        };
        let costs = world.goal_initial_costs(GoalId(goal)).or_refuse(METHOD);
        costs.map_or_else(PackedFloat32Array::new, PackedFloat32Array::from)
    }
}
