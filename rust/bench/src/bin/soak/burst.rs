//! Very many orders in one tick.

use std::error::Error;
use std::time::Instant;

use flow_swarm::Vec2;
use flow_swarm::world::{GoalId, GoalMode};
use flow_swarm_bench::statistics::percentile;
use serde_json::{Value, json};

use super::play::Play;

/// The number of timed updates after the orders.
const TICKS: usize = 100;

/// Gives `orders` orders at once, each to a goal of its own and for a route from another place, and then updates.
pub fn give(play: &mut Play, orders: usize, limit: usize) -> Result<Value, Box<dyn Error>> {
    let ends: Vec<(Vec2, Vec2)> = (0..orders)
        .map(|_| (play.somewhere_open(), play.somewhere_open()))
        .collect();
    let world = &mut play.world;
    let begin = Instant::now();
    let mut goals: Vec<GoalId> = Vec::with_capacity(orders);
    let mut each = Vec::with_capacity(orders);
    for &(from, to) in &ends {
        let begin = Instant::now();
        let goal = world.create_goal_with_mode(&[to], &[0.0], GoalMode::Tiled)?;
        world.request_route(goal, 0, from)?;
        each.push(begin.elapsed().as_secs_f64() * 1e6);
        goals.push(goal);
    }
    let orders_ms = begin.elapsed().as_secs_f64() * 1e3;
    let mut updates = Vec::with_capacity(TICKS);
    for _ in 0..TICKS {
        let before = world.tile_stats().built;
        let begin = Instant::now();
        world.update();
        updates.push(begin.elapsed().as_secs_f64() * 1e3);
        let built = world.tile_stats().built - before;
        if built > limit as u64 {
            return Err(format!("{built} tiles in a tick, not {limit}").into());
        }
    }
    for goal in goals {
        world.release_goal(goal)?;
    }
    Ok(json!({
        "orders": orders,
        "all_orders_ms": orders_ms,
        "order_us": percentile(&each, 50),
        "order_worst_us": percentile(&each, 100),
        "update_p95_ms": percentile(&updates, 95),
        "update_worst_ms": percentile(&updates, 100),
    }))
}
