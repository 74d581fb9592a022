//! Orders from anywhere to as many goals, all in one tick, in a game in which a crowd gets orders and the ground changes:
//! no tick may take much longer than any other, and every order comes to something.

use std::error::Error;
use std::time::Instant;

use flow_swarm::grid::CellRect;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, largest_component};
use flow_swarm_bench::statistics::percentile;
use serde_json::{Value, json};

use super::{Arguments, make_map, make_world, milliseconds, order};

/// Ticks with orders and edits before and after the orders in one tick.
const TICKS: usize = 200;
/// Ticks between two orders to a group of the crowd.
const ORDER_EVERY: usize = 5;
/// Cells along each edge of what an edit closes or opens.
const EDIT: i32 = 3;
const DT: f32 = 0.05;

/// A world with a crowd that is sent here and there.
struct Game {
    map: CostMap,
    world: FlowWorld,
    swarm: Swarm,
    random: SplitMix64,
    open: Vec<usize>,
    /// Of each group.
    goals: Vec<GoalId>,
    edits: Vec<IVec2>,
}

/// What a tick took, in milliseconds.
#[derive(Default)]
struct Times {
    /// Orders and edits, the update and the requests.
    tick: Vec<f64>,
    orders: Vec<f64>,
    update: Vec<f64>,
    requests: Vec<f64>,
}

pub fn measure(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let mut game = Game::new(name, arguments)?;
    let mut before = Times::default();
    for number in 0..TICKS {
        game.tick(number, &[], &mut before)?;
    }
    let burst: Vec<(Vec2, Vec2)> = (0..arguments.burst)
        .map(|_| (game.somewhere(), game.somewhere()))
        .collect();
    let mut times = Times::default();
    let goals = game.tick(0, &burst, &mut times)?;
    for number in 1..=TICKS {
        game.tick(number, &[], &mut times)?;
    }
    let worst = |times: &[f64]| percentile(times, 100).unwrap_or_default();
    println!(
        "{name:12} {} orders: their tick {:.1} ms, of that the orders {:.1}; the worst of all {:.1}, before {:.1}",
        goals.len(),
        times.tick[0],
        times.orders[0],
        worst(&times.tick),
        worst(&before.tick),
    );
    Ok(json!({
        "map": name,
        "size": arguments.size,
        "orders": goals.len(),
        "tick_of_orders_ms": times.tick[0],
        "worst_tick_ms": worst(&times.tick),
        "median_tick_ms": percentile(&times.tick, 50),
        "worst_orders_ms": worst(&times.orders),
        "worst_update_ms": worst(&times.update),
        "worst_requests_ms": worst(&times.requests),
        "worst_tick_before_ms": worst(&before.tick),
        "median_tick_before_ms": percentile(&before.tick, 50),
    }))
}

impl Game {
    fn new(name: &str, arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let map = make_map(name, arguments.size as usize)?;
        let mut world = make_world(&map, arguments)?;
        drop(world.portal_graph(0)?);
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[AgentType {
            radius: 0.3,
            max_speed: 6.0,
            acceleration: 36.0,
            ..AgentType::default()
        }])?;
        let open = largest_component(&map);
        let mut game = Self {
            map,
            world,
            swarm,
            random: SplitMix64::new(1),
            open,
            goals: Vec::new(),
            edits: Vec::new(),
        };
        let groups = usize::from(arguments.groups);
        for group in 0..groups {
            let count = arguments.units as usize / groups;
            let starts: Vec<Vec2> = (0..count).map(|_| game.somewhere()).collect();
            game.swarm.spawn(&game.world, &starts, 0, group as i64)?;
            let target = game.somewhere();
            game.goals.push(order(&mut game.world, target)?);
            let goal = game.goals.last().copied();
            game.swarm.set_group_goal(group as i64, goal)?;
        }
        Ok(game)
    }

    /// The middle of a cell of the largest part that hangs together.
    fn somewhere(&mut self) -> Vec2 {
        let cell = self.open[self.random.below(self.open.len())];
        let (x, y) = self.map.position(cell);
        IVec2::new(x as i32, y as i32).as_vec2() + 0.5
    }

    /// A tick with an edit, orders to the crowd, and the orders `burst` from places to places; returns their goals.
    fn tick(
        &mut self,
        number: usize,
        burst: &[(Vec2, Vec2)],
        times: &mut Times,
    ) -> Result<Vec<GoalId>, Box<dyn Error>> {
        let target = self.somewhere();
        let begin = Instant::now();
        self.edit()?;
        if number % ORDER_EVERY == 0 {
            let group = number / ORDER_EVERY % self.goals.len();
            let goal = order(&mut self.world, target)?;
            let old = std::mem::replace(&mut self.goals[group], goal);
            self.swarm.set_group_goal(group as i64, Some(goal))?;
            self.world.release_goal(old)?;
        }
        let mut goals = Vec::with_capacity(burst.len());
        for &(from, to) in burst {
            let goal = order(&mut self.world, to)?;
            self.world.request_route(goal, 0, from)?;
            goals.push(goal);
        }
        times.orders.push(milliseconds(begin));
        let updating = Instant::now();
        self.world.update();
        times.update.push(milliseconds(updating));
        let requesting = Instant::now();
        self.swarm.request_routes(&mut self.world)?;
        times.requests.push(milliseconds(requesting));
        times.tick.push(milliseconds(begin));
        self.swarm.step(&self.world, DT)?;
        Ok(goals)
    }

    /// Closes a few cells anywhere, or opens those that were closed first.
    fn edit(&mut self) -> Result<(), Box<dyn Error>> {
        let side = self.map.width as i32 - EDIT;
        let low = IVec2::new(
            self.random.below(side as usize) as i32,
            self.random.below(side as usize) as i32,
        );
        if self.edits.len() < 20 {
            self.edits.push(low);
            let rect = CellRect {
                low,
                high: low + EDIT,
            };
            self.world.set_terrain_rect(rect, WALL)?;
        } else {
            let low = self.edits.remove(0);
            for y in low.y..low.y + EDIT {
                for x in low.x..low.x + EDIT {
                    let id = self.map.cost[self.map.index(x as usize, y as usize)];
                    self.world.set_terrain(IVec2::new(x, y), id)?;
                }
            }
        }
        Ok(())
    }
}
