//! Orders and edits that concern the whole map.

use crate::game::{Begun, Game, terrain};
use crate::{Outcome, clock, ms_since};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::world::GoalMode;
use flow_swarm::{IVec2, Vec2};

/// The number of goals of the scene with many.
const GOALS: usize = 1_000;

impl Game {
    pub fn first_order(&mut self) -> Outcome<Begun> {
        let target = self.far_corner();
        let begin = clock();
        let goal = self
            .world
            .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
        for number in 0..100 {
            let from = Vec2::new(15.5 + (number % 10) as f32, 15.5 + (number / 10) as f32);
            self.world.request_route(goal, 0, from)?;
        }
        Ok(("first order to a tiled goal", ms_since(begin), None))
    }

    pub fn first_field(&mut self) -> Outcome<Begun> {
        let goal = self.world.create_goal(&[self.far_corner()])?;
        let begin = clock();
        self.world.require(goal, 0)?;
        Ok(("first whole field", ms_since(begin), None))
    }

    pub fn wall_across(&mut self) -> Outcome<Begun> {
        let middle = self.size as i32 / 2;
        let low = IVec2::new(0, middle);
        let high = IVec2::new(self.size as i32 - 40, middle + 2);
        let begin = clock();
        self.world.set_terrain_rect(CellRect { low, high }, 255)?;
        Ok(("wall across the map", ms_since(begin), None))
    }

    pub fn cost_table(&mut self) -> Outcome<Begun> {
        let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        costs[4] = 9;
        let begin = clock();
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        self.world.set_movement_types(&[kind])?;
        Ok(("changed cost table", ms_since(begin), None))
    }

    pub fn new_terrain(&mut self) -> Outcome<Begun> {
        let terrain = terrain(self.size, &mut self.random);
        let begin = clock();
        self.world.set_terrain_bytes(&terrain)?;
        Ok(("whole new terrain", ms_since(begin), None))
    }

    pub fn many_goals(&mut self) -> Outcome<Begun> {
        let mut longest = 0.0_f64;
        let begin = clock();
        for _ in 0..GOALS {
            let mut place = || self.random.unit() as f32 * (self.size - 1) as f32;
            let (target, from) = (Vec2::new(place(), place()), Vec2::new(place(), place()));
            let one = clock();
            let goal = self
                .world
                .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
            self.world.request_route(goal, 0, from)?;
            longest = longest.max(ms_since(one));
            self.many.push(goal);
        }
        Ok(("a thousand new goals", ms_since(begin), Some(longest)))
    }
}
