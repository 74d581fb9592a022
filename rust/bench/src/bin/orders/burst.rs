//! Orders from random places to as many goals, all in one tick, in a game in which a crowd receives orders and the
//! ground changes. No tick may take much longer than the others, and every order must get an answer.

use std::error::Error;
use std::time::Instant;

use flow_swarm::grid::CellRect;
use flow_swarm::swarm::Swarm;
use flow_swarm::world::{FlowWorld, GoalId, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, largest_component};
use flow_swarm_bench::orders::large_map;
use flow_swarm_bench::statistics::percentile;
use serde_json::{Value, json};

use super::{Arguments, make_world, milliseconds, order, unit};

/// Ticks with orders and edits before and after the orders in one tick.
const TICKS: usize = 200;
/// Ticks between two orders to a group of the crowd.
const ORDER_EVERY: usize = 5;
/// Ticks between two edits.
const EDIT_EVERY: usize = 4;
/// Edge length, in cells, of the square that an edit closes or opens.
const EDIT: i32 = 3;
const DT: f32 = 0.05;

/// A world with a crowd that receives orders.
struct Game {
    map: CostMap,
    world: FlowWorld,
    swarm: Swarm,
    random: SplitMix64,
    open: Vec<usize>,
    /// The goal of each group.
    goals: Vec<GoalId>,
    edits: Vec<IVec2>,
}

/// The times of ticks, in milliseconds.
#[derive(Default)]
struct Times {
    /// Orders, edits, the update and the requests.
    tick: Vec<f64>,
    orders: Vec<f64>,
    update: Vec<f64>,
    requests: Vec<f64>,
}

/// The number of updates after which every order must have its answer.
const MOST_UPDATES: usize = 10_000;

pub fn measure(name: &str, arguments: &Arguments) -> Result<Value, Box<dyn Error>> {
    let mut runs = Vec::new();
    for _ in 0..arguments.runs.max(1) {
        runs.push(Run::new(name, arguments)?);
    }
    let mut best = runs.remove(0);
    for run in runs {
        if arguments.budget_ms > 0.0 {
            // What happens in which tick depends on the clock.
            if worst(&run.after.tick) < worst(&best.after.tick) {
                best = run;
            }
        } else {
            best.keep_least(&run)?;
        }
    }
    let Run {
        before,
        after,
        ticks_of_queue,
        answers,
    } = best;
    println!(
        "{name:12} {} orders: their tick {:.1} ms, of that the orders {:.1}; of all ticks 99 % below {:.1} and the worst \
         {:.1}, before them {:.1} and {:.1}; all searched after {ticks_of_queue} ticks",
        arguments.burst,
        after.tick[0],
        after.orders[0],
        percentile(&after.tick, 99).unwrap_or_default(),
        worst(&after.tick),
        percentile(&before.tick, 99).unwrap_or_default(),
        worst(&before.tick),
    );
    Ok(json!({
        "map": name,
        "size": arguments.size,
        "orders": arguments.burst,
        "route_limit": arguments.routes,
        "tile_limit": arguments.tiles,
        "budget_ms": arguments.budget_ms,
        "tick_of_orders_ms": after.tick[0],
        "calls_in_it_ms": after.orders[0],
        "worst_tick_ms": worst(&after.tick),
        "p99_tick_ms": percentile(&after.tick, 99),
        "median_tick_ms": percentile(&after.tick, 50),
        "worst_orders_ms": worst(&after.orders),
        "worst_update_ms": worst(&after.update),
        "worst_requests_ms": worst(&after.requests),
        "worst_tick_before_ms": worst(&before.tick),
        "median_tick_before_ms": percentile(&before.tick, 50),
        "ticks_until_searched": ticks_of_queue,
        "with_a_route": answers.with_a_route,
        "told_why_not": answers.told_why_not,
    }))
}

fn worst(times: &[f64]) -> f64 {
    percentile(times, 100).unwrap_or_default()
}

/// The results of the orders.
#[derive(PartialEq, Eq, Debug)]
struct Answers {
    with_a_route: usize,
    told_why_not: usize,
}

struct Run {
    before: Times,
    after: Times,
    ticks_of_queue: usize,
    answers: Answers,
}

impl Run {
    fn new(name: &str, arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let mut game = Game::new(name, arguments)?;
        let mut before = Times::default();
        for number in 0..TICKS {
            game.tick(number, &[], &mut before)?;
        }
        let burst: Vec<(Vec2, Vec2)> = (0..arguments.burst)
            .map(|_| (game.somewhere(), game.somewhere()))
            .collect();
        let mut after = Times::default();
        let goals = game.tick(0, &burst, &mut after)?;
        let mut ticks_of_queue = 0;
        while ticks_of_queue < MOST_UPDATES && game.world.tile_stats().queued > 0
            || after.tick.len() < TICKS
        {
            if game.world.tile_stats().queued > 0 {
                ticks_of_queue += 1;
            }
            game.tick(after.tick.len(), &[], &mut after)?;
        }
        let answers = game.answers(&burst, &goals)?;
        game.check_crowd()?;
        Ok(Self {
            before,
            after,
            ticks_of_queue,
            answers,
        })
    }

    /// Keeps for each tick the lesser time of two runs that did the same, because other load on the machine only adds
    /// to times.
    fn keep_least(&mut self, other: &Self) -> Result<(), Box<dyn Error>> {
        if (self.ticks_of_queue, &self.answers) != (other.ticks_of_queue, &other.answers) {
            return Err("two runs differ".into());
        }
        self.before.keep_least(&other.before);
        self.after.keep_least(&other.after);
        Ok(())
    }
}

impl Times {
    fn keep_least(&mut self, other: &Self) {
        let pairs = [
            (&mut self.tick, &other.tick),
            (&mut self.orders, &other.orders),
            (&mut self.update, &other.update),
            (&mut self.requests, &other.requests),
        ];
        for (times, others) in pairs {
            for (time, &other) in times.iter_mut().zip(others) {
                *time = time.min(other);
            }
        }
    }
}

impl Game {
    fn new(name: &str, arguments: &Arguments) -> Result<Self, Box<dyn Error>> {
        let map = large_map(name, arguments.size as usize)?;
        let mut world = make_world(&map, arguments)?;
        drop(world.portal_graph(0)?);
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[unit()])?;
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

    /// The centre of a random cell of the largest connected component.
    fn somewhere(&mut self) -> Vec2 {
        let cell = self.open[self.random.below(self.open.len())];
        let (x, y) = self.map.position(cell);
        IVec2::new(x as i32, y as i32).as_vec2() + 0.5
    }

    /// Runs a tick with an edit, orders to the crowd, and the orders `burst` between pairs of places; returns their
    /// goals.
    fn tick(
        &mut self,
        number: usize,
        burst: &[(Vec2, Vec2)],
        times: &mut Times,
    ) -> Result<Vec<GoalId>, Box<dyn Error>> {
        let target = self.somewhere();
        let begin = Instant::now();
        if number.is_multiple_of(EDIT_EVERY) {
            self.edit()?;
        }
        if number.is_multiple_of(ORDER_EVERY) {
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

    /// Closes a few cells at a random place, or opens the cells that were closed first.
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

    /// The results of the orders `burst`. Each of them must have a route, or a reason why there is none.
    fn answers(
        &mut self,
        burst: &[(Vec2, Vec2)],
        goals: &[GoalId],
    ) -> Result<Answers, Box<dyn Error>> {
        let mut answers = Answers {
            with_a_route: 0,
            told_why_not: 0,
        };
        let world = &mut self.world;
        world.set_route_limit(usize::MAX)?;
        world.set_update_seconds(f64::INFINITY)?;
        for (&(from, to), &goal) in burst.iter().zip(goals) {
            // A query alone would be answered without the routes that agents follow.
            world.request_route(goal, 0, from)?;
            let status = world.query_status(goal, from, 0)?;
            let has_route = matches!(status, QueryStatus::Ok | QueryStatus::Pending);
            if status == QueryStatus::Queued || has_route != world.is_reachable(from, to, 0)? {
                return Err(format!("{status:?} from {from} to {to}").into());
            }
            if has_route {
                answers.with_a_route += 1;
            } else {
                answers.told_why_not += 1;
            }
        }
        Ok(answers)
    }

    /// Checks that every agent that can reach its goal has a direction.
    fn check_crowd(&mut self) -> Result<(), Box<dyn Error>> {
        let places = self.swarm.positions().iter().zip(self.swarm.groups());
        for (&place, &group) in places {
            let goal = self.goals[usize::from(group)];
            let target = self.world.goal_targets(goal)?[0];
            let can_go = self.world.is_reachable(place, target, 0)?;
            let is_there = place.floor() == target.floor();
            let route = self.world.route(goal, 0);
            let point = self.world.grid().to_cell_space(place);
            let direction = route.map_or(Vec2::ZERO, |route| route.sample_for(point, 0.0));
            if can_go && !is_there && direction == Vec2::ZERO {
                return Err(format!("nothing leads from {place} to {target}").into());
            }
        }
        Ok(())
    }
}
