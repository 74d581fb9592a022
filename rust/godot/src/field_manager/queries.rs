//! Query methods of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::convert::{f32_from, packed_vector2s, vec2, vec2s, vector2};
use crate::report::OrRefuse;
use flow_swarm::error::Result;
use flow_swarm::world::{Field, FlowWorld, GoalId};
use godot::prelude::*;
use std::sync::Arc;

impl FlowFieldManager {
    /// Asks the world something about a goal for a movement type.
    pub(super) fn ask<T>(
        &mut self,
        method: &str,
        goal: i64,
        movement_type: i64,
        question: impl FnOnce(&mut FlowWorld, GoalId, usize) -> Result<T>,
    ) -> Option<T> {
        let world = self.world(method)?;
        let movement = world.check_movement(movement_type).or_refuse(method)?;
        question(world, GoalId(goal), movement).or_refuse(method)
    }

    fn whole_field(&mut self, method: &str, goal: i64, movement_type: i64) -> Option<Arc<Field>> {
        self.ask(method, goal, movement_type, FlowWorld::whole_field)?
    }
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// The unit direction in which to walk from a position to the goal; zero at the goal and where there is no route.
    #[func]
    fn get_flow_vector(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.get_flow_vector";
        let vector = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.flow_vector(goal, vec2(position), movement)
        });
        vector.map_or(Vector2::ZERO, vector2)
    }

    /// get_flow_vector for many positions at once. Empty if one of them is not in the grid.
    #[func]
    fn get_flow_vectors(
        &mut self,
        goal: i64,
        positions: PackedVector2Array,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_flow_vectors";
        let vectors = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.flow_vectors(goal, &vec2s(&positions), movement)
        });
        vectors.map_or_else(PackedVector2Array::new, |vectors| packed_vector2s(&vectors))
    }

    /// The cost of the cheapest path from a position's cell to the goal: on clear ground its length in cells. Infinite without a route. To a TILED goal it is the cost of the route over the portals' middles, some percent more.
    #[func]
    fn get_cost_to_goal(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> f64 {
        const METHOD: &str = "FlowFieldManager.get_cost_to_goal";
        let cost = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.cost_to_goal(goal, vec2(position), movement)
        });
        cost.flatten().unwrap_or(f64::INFINITY)
    }

    /// get_cost_to_goal for many positions at once, in less time than one call for each, on the worker threads if they are thousands. Infinite for those without a route. Empty if one of them is not in the grid.
    #[func]
    fn get_costs_to_goal(
        &mut self,
        goal: i64,
        positions: PackedVector2Array,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedFloat32Array {
        const METHOD: &str = "FlowFieldManager.get_costs_to_goal";
        let costs = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.costs_to_goal(goal, &vec2s(&positions), movement)
        });
        let number = |cost: Option<f64>| cost.map_or(f32::INFINITY, f32_from);
        costs.unwrap_or_default().into_iter().map(number).collect()
    }

    /// The centres of the cells from a position to the goal, both ends included. Empty without a route. If `smooth` is `true`, cells are left out that a straight line makes unnecessary. Each leg is then a straight line over cells of one cost that the movement type can enter, a step to a neighbour where costs change, or a link, and the path costs no more than that of all cells.
    #[func]
    fn get_path_from(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = false)] smooth: bool,
    ) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_path_from";
        let path = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            if smooth {
                world.smooth_path_from(goal, vec2(position), movement)
            } else {
                world.path_from(goal, vec2(position), movement)
            }
        });
        path.map_or_else(PackedVector2Array::new, |path| packed_vector2s(&path))
    }

    /// The cost to the goal from each cell of a layer, row by row; infinite without a route. A TILED goal is refused.
    #[func]
    fn get_integration(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedFloat32Array {
        const METHOD: &str = "FlowFieldManager.get_integration";
        match self.whole_field(METHOD, goal, movement_type) {
            Some(field) => self.part(METHOD, &field.to_costs(), layer).into(),
            None => PackedFloat32Array::new(),
        }
    }

    /// The direction of each cell of a layer, row by row; zero in goals, where a link is to be taken, walls and without a route. For a TILED goal, of the cells that have a tile, and zero elsewhere.
    #[func]
    fn get_directions(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_directions";
        let directions = self.ask(METHOD, goal, movement_type, FlowWorld::direction_map);
        directions.map_or_else(PackedVector2Array::new, |all| {
            packed_vector2s(&self.part(METHOD, &all, layer))
        })
    }

    /// How many physics frames ago a goal that walks was where the directions at a position lead to: 0 near the goal, and everywhere while it stands and the next field is finished. -1 before there is a field or a route. Costs and paths to a FULL goal lead there too, and on to where it is now; those to a TILED one lead to where it is now at once.
    #[func]
    fn get_field_age(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_field_age";
        let age = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.field_age(goal, vec2(position), movement)
        });
        age.flatten().map_or(-1, u64::cast_signed)
    }

    /// get_field_age of each cell of a layer, row by row. Empty before there is a field or a route.
    #[func]
    fn get_field_ages(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedInt32Array {
        const METHOD: &str = "FlowFieldManager.get_field_ages";
        let ages = self.ask(METHOD, goal, movement_type, FlowWorld::field_ages);
        let Some(ages) = ages.flatten() else {
            return PackedInt32Array::new();
        };
        let ages = self.part(METHOD, &ages, layer).into_iter();
        ages.map(|age| i32::try_from(age).unwrap_or(i32::MAX))
            .collect()
    }

    /// How crowded the cell at a position is, from 0 to 1 for a full one, by agents that stand or hardly move; always 0 as long as no movement type has a crowd_penalty.
    #[func]
    fn get_crowding(&mut self, position: Vector2) -> f64 {
        const METHOD: &str = "FlowFieldManager.get_crowding";
        let crowding = self
            .world(METHOD)
            .map(|world| world.crowding_at(vec2(position)));
        let crowding = crowding.and_then(|crowding| crowding.or_refuse(METHOD));
        crowding.map_or(0.0, f64::from)
    }

    /// How many cells have a route to the goal, the goal's own included. A TILED goal is refused.
    #[func]
    fn get_reachable_cell_count(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_reachable_cell_count";
        match self.whole_field(METHOD, goal, movement_type) {
            Some(field) => field.reached_cell_count() as i64,
            None => 0,
        }
    }
}
