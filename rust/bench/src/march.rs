//! A crowd on its way across a map of blocks to a goal, for the measurements of saves and rollbacks.

use std::error::Error;

use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};

use crate::maps::{CostMap, blocks};
use crate::orders;

/// A world with a goal in one corner of its map, and agents in many places.
pub struct March {
    /// The map.
    pub map: CostMap,
    /// The world on it.
    pub world: FlowWorld,
    /// The agents, in group 0.
    pub swarm: Swarm,
    /// Where they go.
    pub goal: GoalId,
}

impl March {
    /// A crowd of up to `agents` on a square map of `size` cells; 0 `threads` mean one per core.
    ///
    /// # Errors
    /// A size that is out of range, or threads that cannot be started.
    pub fn new(
        mode: GoalMode,
        size: u32,
        agents: usize,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let grid = Grid::new(IVec2::splat(size.cast_signed()), 1.0, Vec2::ZERO)?;
        let size = size as usize;
        let map = blocks(size, size, 15, 7);
        let mut world = FlowWorld::new(grid, Workers::new(threads)?);
        world.set_terrain_bytes(&map.cost)?;
        let corner = orders::margin(&map);
        let target = orders::open_near(&map, size - corner, size - corner)?;
        let goal = world.create_goal_with_mode(&[target], &[0.0], mode)?;
        let mut swarm = Swarm::new(1);
        let kind = AgentType {
            radius: 0.3,
            max_speed: 4.0,
            acceleration: 40.0,
            ..AgentType::default()
        };
        swarm.set_types(&[kind])?;
        let open = (0..map.len()).filter(|&cell| map.is_passable(cell));
        let places: Vec<Vec2> = open
            .step_by(7)
            .map(|cell| map.middle_of(cell))
            .map(|middle| Vec2::new(middle.x, middle.y))
            .take(agents)
            .collect();
        swarm.spawn(&world, &places, 0, 0)?;
        swarm.set_group_goal(0, Some(goal))?;
        Ok(Self {
            map,
            world,
            swarm,
            goal,
        })
    }
}
