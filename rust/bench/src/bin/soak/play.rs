//! The events of a soak: a crowd in groups, orders to random places, stamps and painted cells that come and go.

use std::error::Error;
use std::time::Instant;

use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL};

use super::Arguments;
use super::ground;

/// Radius of all agents, in cells.
pub const RADIUS: f32 = 0.3;
/// Length of a tick, in seconds.
const DT: f32 = 0.05;
const GROUPS: usize = 8;
/// The greatest number of stamps, and of painted cells, at a time.
const MOST_STAMPS: usize = 24;
const MOST_PAINTED: usize = 40;

/// The current order of a group.
#[derive(Clone, Copy)]
pub struct Order {
    pub goal: GoalId,
    pub target: Vec2,
    /// Whether the goal has been moved since it was created.
    pub was_moved: bool,
}

/// A world with a crowd.
pub struct Play {
    pub world: FlowWorld,
    pub swarm: Swarm,
    /// The ground without stamps and painted cells.
    bare: CostMap,
    /// The current ground.
    pub map: CostMap,
    pub orders: Vec<Order>,
    /// The group of each agent, by the number of its id.
    groups: Vec<(u64, usize)>,
    random: SplitMix64,
    stamps: Vec<StampId>,
    painted: Vec<IVec2>,
    /// The number of orders given, and the number of those that were refused, as they must be.
    pub given: usize,
    pub refused: usize,
    pub edits: usize,
    /// The time of the world and the requests in each tick, in milliseconds, and the time of all steps together.
    pub tick_ms: Vec<f64>,
    pub step_ms: f64,
}

impl Play {
    pub fn new(arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let map = ground::lay_out(arguments.side, arguments.seed);
        let grid = Grid::new(IVec2::splat(arguments.side as i32), 1.0, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::new(arguments.threads)?);
        world.set_terrain_bytes(&map.cost)?;
        world.set_sector_size(arguments.sector)?;
        world.set_tile_limit(arguments.tiles);
        world.set_tile_cache_bytes(arguments.cache_bytes)?;
        world.update();
        let mut swarm = Swarm::new(arguments.seed);
        swarm.set_types(&[AgentType {
            radius: RADIUS,
            max_speed: 6.0,
            acceleration: 36.0,
            ..AgentType::default()
        }])?;
        let mut play = Self {
            world,
            swarm,
            bare: map.clone(),
            map,
            orders: Vec::new(),
            groups: Vec::new(),
            random: SplitMix64::new(arguments.seed + 1),
            stamps: Vec::new(),
            painted: Vec::new(),
            given: 0,
            refused: 0,
            edits: 0,
            tick_ms: Vec::new(),
            step_ms: 0.0,
        };
        for group in 0..GROUPS {
            let count = arguments.units / GROUPS;
            let places: Vec<Vec2> = (0..count).map(|_| play.somewhere_open()).collect();
            let ids = play.swarm.spawn(&play.world, &places, 0, group as i64)?;
            play.groups.extend(ids.iter().map(|id| (id.bits(), group)));
            let target = play.somewhere_open();
            let order = play.goal_at(target)?;
            play.orders.push(order);
            play.swarm.set_group_goal(group as i64, Some(order.goal))?;
        }
        play.groups.sort_unstable();
        Ok(play)
    }

    /// The group of an agent.
    pub fn group_of(&self, id: u64) -> usize {
        let found = self.groups.binary_search_by_key(&id, |entry| entry.0);
        found.map_or(0, |at| self.groups[at].1)
    }

    fn somewhere(&mut self) -> Vec2 {
        self.bare.middle_of(self.random.below(self.bare.len()))
    }

    /// The centre of a random cell that is open without stamps and painted cells.
    pub fn somewhere_open(&mut self) -> Vec2 {
        loop {
            let cell = self.random.below(self.bare.len());
            if self.bare.is_passable(cell) {
                return self.bare.middle_of(cell);
            }
        }
    }

    fn goal_at(&mut self, target: Vec2) -> Result<Order, Box<dyn Error>> {
        let tiled = GoalMode::Tiled;
        let goal = self.world.create_goal_with_mode(&[target], &[0.0], tiled)?;
        self.given += 1;
        Ok(Order {
            goal,
            target,
            was_moved: false,
        })
    }

    /// Sends a group to a target by a new goal.
    pub fn send(&mut self, group: usize, target: Vec2) -> Result<(), Box<dyn Error>> {
        let order = self.goal_at(target)?;
        self.swarm.set_group_goal(group as i64, Some(order.goal))?;
        let old = std::mem::replace(&mut self.orders[group], order);
        self.world.release_goal(old.goal)?;
        Ok(())
    }

    /// Sometimes gives an order: mostly to open ground, but also into walls, to any place (including pockets and the
    /// island), and outside the map, which must be refused.
    pub fn order(&mut self) -> Result<(), Box<dyn Error>> {
        if self.random.below(100) >= 12 {
            return Ok(());
        }
        let group = self.random.below(GROUPS);
        match self.random.below(10) {
            0 => {
                let outside = Vec2::new(-5.0, self.random.below(90) as f32);
                let tiled = GoalMode::Tiled;
                let refused = self.world.create_goal_with_mode(&[outside], &[0.0], tiled);
                self.refused += usize::from(refused.is_err());
                if refused.is_ok() {
                    return Err("a goal outside the map was taken".into());
                }
            }
            1..=3 => {
                let target = self.somewhere_open();
                let order = &mut self.orders[group];
                self.world.move_goal(order.goal, &[target])?;
                (order.target, order.was_moved) = (target, true);
                self.given += 1;
            }
            4 | 5 => {
                let target = self.somewhere();
                self.send(group, target)?;
            }
            _ => {
                let target = self.somewhere_open();
                self.send(group, target)?;
            }
        }
        Ok(())
    }

    /// Sometimes places or removes a stamp, or paints a cell.
    pub fn edit(&mut self) -> Result<(), Box<dyn Error>> {
        match self.random.below(20) {
            0 | 1 => self.place_stamp()?,
            2 if !self.stamps.is_empty() => {
                let at = self.random.below(self.stamps.len());
                let stamp = self.stamps.swap_remove(at);
                self.world.remove_stamp(stamp)?;
                self.edits += 1;
            }
            3 => self.paint()?,
            _ => return Ok(()),
        }
        self.look_at_ground();
        Ok(())
    }

    fn place_stamp(&mut self) -> Result<(), Box<dyn Error>> {
        if self.stamps.len() == MOST_STAMPS {
            let oldest = self.stamps.remove(0);
            self.world.remove_stamp(oldest)?;
        }
        let size = IVec2::new(
            1 + self.random.below(8) as i32,
            1 + self.random.below(8) as i32,
        );
        let id = [WALL, WALL, 9, 1][self.random.below(4)];
        let ids = vec![id; size.element_product() as usize];
        let room = IVec2::splat(self.map.width as i32) - size;
        let cell = IVec2::new(
            self.random.below(room.x as usize) as i32,
            self.random.below(room.y as usize) as i32,
        );
        let stamp = Stamp::new(size, &ids, None)?;
        self.stamps.push(self.world.place_stamp(cell, &stamp)?);
        self.edits += 1;
        Ok(())
    }

    fn paint(&mut self) -> Result<(), Box<dyn Error>> {
        if self.painted.len() == MOST_PAINTED {
            let cell = self.painted.remove(0);
            self.unpaint(cell)?;
        }
        let (x, y) = self.map.position(self.random.below(self.map.len()));
        let cell = IVec2::new(x as i32, y as i32);
        let id = if self.map.is_passable(self.map.index(x, y)) {
            WALL
        } else {
            1
        };
        self.world.set_terrain(cell, id)?;
        self.painted.push(cell);
        self.edits += 1;
        Ok(())
    }

    fn unpaint(&mut self, cell: IVec2) -> Result<(), Box<dyn Error>> {
        let bare = self.bare.cost[self.bare.index(cell.x as usize, cell.y as usize)];
        self.world.set_terrain(cell, bare)?;
        Ok(())
    }

    /// Removes all stamps and painted cells.
    pub fn clear_ground(&mut self) -> Result<(), Box<dyn Error>> {
        self.world
            .remove_stamps(&std::mem::take(&mut self.stamps))?;
        for cell in std::mem::take(&mut self.painted) {
            self.unpaint(cell)?;
        }
        self.look_at_ground();
        if self.map.cost != self.bare.cost {
            return Err("stamps and paint have left something behind".into());
        }
        Ok(())
    }

    fn look_at_ground(&mut self) {
        let size = (self.map.width, self.map.height);
        let terrain = self.world.terrain();
        for index in 0..size.0 * size.1 {
            let cell = IVec2::new((index % size.0) as i32, (index / size.0) as i32);
            self.map.cost[index] = terrain.get(cell).unwrap_or(WALL);
        }
    }

    /// Builds tiles within the limit, and requests routes for agents without one.
    pub fn update(&mut self) -> Result<(), Box<dyn Error>> {
        let begin = Instant::now();
        let news = self.world.update();
        self.swarm.request_routes(&mut self.world)?;
        self.tick_ms.push(begin.elapsed().as_secs_f64() * 1e3);
        match news.failed.first() {
            Some((goal, _, error)) => Err(format!("goal {}: {error}", goal.0).into()),
            None => Ok(()),
        }
    }

    pub fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let begin = Instant::now();
        self.swarm.step(&self.world, DT)?;
        self.step_ms += begin.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    /// Removes agents that arrive.
    pub fn let_arrive(&mut self) -> Result<(), Box<dyn Error>> {
        self.swarm.set_settings(Settings {
            arrival: ArrivalAction::Despawn,
            ..*self.swarm.settings()
        })?;
        Ok(())
    }
}
