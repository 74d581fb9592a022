//! A hero that walks from one random place to the next, along shortest paths.

use std::error::Error;

use flow_swarm::grid::Grid;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{self, CostMap, SplitMix64};

/// A hero with its path.
pub(crate) struct Hero {
    /// The remaining points of the path, the next one last.
    way: Vec<Vec2>,
    at: Vec2,
    /// Speed, in cells per tick.
    pace: f32,
    random: SplitMix64,
    component: Vec<usize>,
}

impl Hero {
    pub(crate) fn new(map: &CostMap, seed: u64, speed: f32) -> Result<Self, Box<dyn Error>> {
        let mut random = SplitMix64::new(seed);
        let component = maps::largest_component(map);
        let start = component[random.below(component.len())];
        let mut hero = Self {
            way: Vec::new(),
            at: middle(map, start),
            pace: speed / 60.0,
            random,
            component,
        };
        hero.plan(map)?;
        Ok(hero)
    }

    /// Plans a path to a random place, by a field of its own.
    fn plan(&mut self, map: &CostMap) -> Result<(), Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let mut world = FlowWorld::new(Grid::new(size, 1.0, Vec2::ZERO)?, Workers::serial());
        world.set_terrain_bytes(&map.cost)?;
        let end = middle(map, self.component[self.random.below(self.component.len())]);
        let goal = world.create_goal(&[end])?;
        self.way = world.path_from(goal, self.at, 0)?;
        self.way.reverse();
        Ok(())
    }

    pub(crate) fn position(&self) -> Vec2 {
        self.at
    }

    /// Walks for a tick. Returns `true` if the hero has entered another cell.
    pub(crate) fn walk(&mut self, map: &CostMap) -> bool {
        let cell = self.at.floor();
        let mut left = self.pace;
        while left > 0.0 {
            let Some(&next) = self.way.last() else {
                if self.plan(map).is_err() {
                    break;
                }
                continue;
            };
            let way = next - self.at;
            if way.length() <= left {
                left -= way.length();
                self.at = next;
                self.way.pop();
            } else {
                self.at += way.normalize() * left;
                left = 0.0;
            }
        }
        self.at.floor() != cell
    }
}

fn middle(map: &CostMap, cell: usize) -> Vec2 {
    let (x, y) = map.position(cell);
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}
