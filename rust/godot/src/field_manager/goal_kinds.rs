//! Methods of `FlowFieldManager` about goals that agents flee from or keep at a distance from.

use super::{FlowFieldManager, enums};
use crate::convert::{f32_from, vec2s};
use crate::report::OrRefuse;
use flow_swarm::world::{GoalId, GoalKind};
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Creates a goal of the kind GOAL_KIND_FLEE and returns its id, or 0 after an error. Agents of groups with this goal flee from the targets, which are threats. move_goal() moves the threats, in every frame if needed.
    ///
    /// `reach` is the distance in world units, above 0 and at most 1000000, at which agents are safe: the length of the path from the nearest threat, around walls and by links, whatever the terrain costs. Agents within the reach go to a place beyond it, by paths that keep away from the threats, at any angle. They enter no dead end within the reach if there is another path that does not lead past a threat through the cells beside it. If there is none, they go as far away as they can. Agents beyond the reach have arrived; they flee again when a threat comes near.
    ///
    /// A threat in a wall counts in the nearest cell beside it that is no wall, and is ignored if there is none. A move of a threat to another cell, or a change of terrain, computes only the cells around the threats again, at once, also if background is `true`. Queries work as with other goals: costs are 0 beyond the reach, and within it ground near a threat counts up to three times. TILED goals cannot be of this kind.
    #[func]
    fn create_flee_goal(&mut self, targets: PackedVector2Array, reach: f64) -> i64 {
        let kind = GoalKind::Flee {
            reach: f32_from(reach),
        };
        self.create_of_kind("FlowFieldManager.create_flee_goal", &targets, kind)
    }

    /// Creates a goal of the kind GOAL_KIND_RANGE and returns its id, or 0 after an error. Agents of groups with this goal, such as archers, keep at a distance between `least` and `most` world units from the targets. move_goal() moves the targets, in every frame if needed.
    ///
    /// Distances are straight lines from the centre of a cell to the centre of the nearest target's cell on the same layer. `least` is 0 to 1000000, and `most` at least as great and above 0; a ring less than a cell wide counts as one cell wide. Agents go to the nearest cell between the two distances from which a target within `most` is in sight: the straight line crosses no wall. If no path leads to such a cell, they go to one that is not in sight. On an island from which no path leads to a target, such as the other bank of a river, the same holds for the cells of the island, and if none is between the distances, agents stand. Agents that are nearer than `least`, and have no path away except past a target through the cells beside it, go as far away as they can. Agents between the distances have arrived; they move again when the target moves away or comes near.
    ///
    /// A target in a wall counts in the nearest cell beside it that is no wall. Around the targets, up to 8 cells beyond `most`, directions lead to those cells; farther away they lead to the targets, as for a goal of the kind GOAL_KIND_SEEK, and a goal that walks is followed like one. If cells of an island without a target are between the distances, a further field of the whole map leads the agents there. It is computed anew with each move of a target to another cell, and each change of costs. Islands that lie wholly around the targets need none. TILED goals cannot be of this kind.
    #[func]
    fn create_range_goal(&mut self, targets: PackedVector2Array, least: f64, most: f64) -> i64 {
        let kind = GoalKind::Range {
            least: f32_from(least),
            most: f32_from(most),
        };
        self.create_of_kind("FlowFieldManager.create_range_goal", &targets, kind)
    }

    /// Returns the kind of a goal: GOAL_KIND_SEEK, GOAL_KIND_FLEE or GOAL_KIND_RANGE. If the goal does not exist, reports an error and returns -1.
    #[func]
    fn get_goal_kind(&mut self, goal: i64) -> enums::GoalKind {
        const METHOD: &str = "FlowFieldManager.get_goal_kind";
        let world = self.world(METHOD);
        match world.and_then(|world| world.goal_kind(GoalId(goal)).or_refuse(METHOD)) {
            Some(GoalKind::Seek) => enums::GoalKind::GOAL_KIND_SEEK,
            Some(GoalKind::Flee { .. }) => enums::GoalKind::GOAL_KIND_FLEE,
            Some(GoalKind::Range { .. }) => enums::GoalKind::GOAL_KIND_RANGE,
            None => enums::GoalKind(-1),
        }
    }
}

impl FlowFieldManager {
    fn create_of_kind(
        &mut self,
        method: &str,
        targets: &PackedVector2Array,
        kind: GoalKind,
    ) -> i64 {
        let Some(world) = self.world(method) else {
            return 0;
        };
        let goal = world.create_goal_of_kind(&vec2s(targets), kind);
        goal.or_refuse(method).map_or(0, |goal| goal.0)
    }
}
