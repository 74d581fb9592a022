//! Reachability methods of `FlowFieldManager`.

use super::FlowFieldManager;
use super::enums::QueryStatus;
use crate::convert::{f32_from, packed_cells, vec2, vector2};
use flow_swarm::IVec2;
use flow_swarm::world;
use godot::prelude::*;

impl FlowFieldManager {
    /// The cells within a budget, with their costs; none after a report.
    fn reach(
        &mut self,
        method: &str,
        position: Vector2,
        (budget, movement_type): (f64, i64),
    ) -> Vec<(IVec2, f64)> {
        let reached = self.ask(method, 0, movement_type, |world, _, movement| {
            world.reach(vec2(position), budget, movement)
        });
        reached.unwrap_or_default()
    }
}

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

    /// The cells that can be reached from a position at a cost of up to `budget`, 0 to 1000000 cells of clear ground, the cheapest first: how far a unit may move in a turn. The first is the position's own cell; empty if that is in a wall or the movement type does not fit there. Costs are those of the way there by steps to the eight neighbours and by links, as fields of the solver SOLVER_OCTILE count them, whatever solver is set: a step costs its length, 1 or the square root of 2, times the cost of the cell that it leaves, and a link its own cost; a one-way link is taken in its direction only. The time depends on the cells that are reached and hardly on the size of the map.
    #[func]
    fn get_reach(
        &mut self,
        position: Vector2,
        budget: f64,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_reach";
        let reached = self.reach(METHOD, position, (budget, movement_type));
        let cells: Vec<IVec2> = reached.into_iter().map(|(cell, _)| cell).collect();
        packed_cells(&cells)
    }

    /// What it costs to go to each cell of get_reach(), in the same order, in cells of clear ground. It searches again, and takes as long.
    #[func]
    fn get_reach_costs(
        &mut self,
        position: Vector2,
        budget: f64,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedFloat32Array {
        const METHOD: &str = "FlowFieldManager.get_reach_costs";
        let reached = self.reach(METHOD, position, (budget, movement_type));
        reached
            .into_iter()
            .map(|(_, cost)| f32_from(cost))
            .collect()
    }

    /// Why there is, or is not, a route from a position to the goal: QUERY_OK, QUERY_START_BLOCKED, QUERY_GOAL_BLOCKED, QUERY_DISCONNECTED, QUERY_TOO_NARROW, QUERY_OUT_OF_BOUNDS, QUERY_PENDING or QUERY_QUEUED; -1 after an error.
    #[func]
    fn get_query_status(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> QueryStatus {
        const METHOD: &str = "FlowFieldManager.get_query_status";
        let status = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.query_status(goal, vec2(position), movement)
        });
        match status {
            Some(world::QueryStatus::Ok) => QueryStatus::QUERY_OK,
            Some(world::QueryStatus::StartBlocked) => QueryStatus::QUERY_START_BLOCKED,
            Some(world::QueryStatus::GoalBlocked) => QueryStatus::QUERY_GOAL_BLOCKED,
            Some(world::QueryStatus::Disconnected) => QueryStatus::QUERY_DISCONNECTED,
            Some(world::QueryStatus::TooNarrow) => QueryStatus::QUERY_TOO_NARROW,
            Some(world::QueryStatus::OutOfBounds) => QueryStatus::QUERY_OUT_OF_BOUNDS,
            Some(world::QueryStatus::Pending) => QueryStatus::QUERY_PENDING,
            Some(world::QueryStatus::Queued) => QueryStatus::QUERY_QUEUED,
            None => QueryStatus(-1),
        }
    }
}
