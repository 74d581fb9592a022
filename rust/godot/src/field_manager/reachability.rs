//! Reachability methods of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::convert::{vec2, vector2};
use flow_swarm::world::QueryStatus;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Whether a path joins two positions. It knows of every edit, and takes no longer the larger the map is.
    #[func]
    fn is_reachable(
        &mut self,
        from: Vector2,
        to: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> bool {
        const METHOD: &str = "FlowFieldManager.is_reachable";
        let reachable = self.ask(METHOD, 0, movement_type, |world, _, movement| {
            world.is_reachable(vec2(from), vec2(to), movement)
        });
        reachable.unwrap_or(false)
    }

    /// The number of the island that a position belongs to, -1 in walls and where the movement type does not fit. Two positions are joined exactly if their numbers are the same. An edit may give an island another number.
    #[func]
    fn get_island(&mut self, position: Vector2, #[opt(default = 0)] movement_type: i64) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_island";
        let island = self.ask(METHOD, 0, movement_type, |world, _, movement| {
            world.island_at(vec2(position), movement)
        });
        island.flatten().map_or(-1, i64::from)
    }

    /// The position nearest to `to` that can be reached from `from`: `to` itself if there is a way, else the centre of the nearest cell to which there is one; where to send agents if a goal is in a wall or cut off. Vector2.INF if `from` is in a wall.
    #[func]
    fn get_nearest_reachable(
        &mut self,
        from: Vector2,
        to: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.get_nearest_reachable";
        let nearest = self.ask(METHOD, 0, movement_type, |world, _, movement| {
            let cell = world.nearest_reachable_cell(vec2(from), vec2(to), movement)?;
            Ok(cell.map(|cell| {
                if cell == world.grid().cell_at(vec2(to)) {
                    to
                } else {
                    vector2(world.grid().center_of(cell))
                }
            }))
        });
        let nowhere = Vector2::new(f32::INFINITY, f32::INFINITY);
        nearest.flatten().unwrap_or(nowhere)
    }

    /// Why there is, or is not, a route from a position to the goal: OK, START_BLOCKED, GOAL_BLOCKED, DISCONNECTED, TOO_NARROW, OUT_OF_BOUNDS, PENDING or QUEUED; -1 after an error.
    #[func]
    fn get_query_status(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_query_status";
        let status = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.query_status(goal, vec2(position), movement)
        });
        match status {
            Some(QueryStatus::Ok) => Self::OK,
            Some(QueryStatus::StartBlocked) => Self::START_BLOCKED,
            Some(QueryStatus::GoalBlocked) => Self::GOAL_BLOCKED,
            Some(QueryStatus::Disconnected) => Self::DISCONNECTED,
            Some(QueryStatus::TooNarrow) => Self::TOO_NARROW,
            Some(QueryStatus::OutOfBounds) => Self::OUT_OF_BOUNDS,
            Some(QueryStatus::Pending) => Self::PENDING,
            Some(QueryStatus::Queued) => Self::QUEUED,
            None => -1,
        }
    }
}
