//! Tiled goals: a crowd goes by routes and tiles, and gets to where whole fields would lead it.

mod common;

use common::{cell_of, center_of, central_goal, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::CellRect;
use flow_swarm::swarm::{AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, rooms};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

/// Cells a second.
const SPEED: f32 = 6.0;
const DT: f32 = 0.05;

fn swarm_of(world: &FlowWorld, starts: &[Vec2], goal: GoalId) -> Swarm {
    let mut swarm = Swarm::new(5);
    let kind = AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 6.0 * SPEED,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.spawn(world, starts, 0, 0).expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    swarm
}

fn tick(world: &mut FlowWorld, swarm: &mut Swarm) {
    let news = world.update();
    assert!(news.failed.is_empty(), "{:?}", news.failed);
    swarm.request_routes(world).expect("known");
    swarm.step(world, DT).expect("valid");
}

fn tiled(world: &mut FlowWorld, target: Vec2) -> GoalId {
    world
        .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)
        .expect("inside")
}

fn random_starts(map: &CostMap, costs: &[f64], count: usize, seed: u64) -> Vec<Vec2> {
    let open: Vec<usize> = (0..map.len())
        .filter(|&cell| costs[cell].is_finite())
        .collect();
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| center_of(map, open[random.below(open.len())]))
        .collect()
}

/// Ticks until all are there; panics if they do not get there in `seconds`.
fn arrive(name: &str, world: &mut FlowWorld, swarm: &mut Swarm, seconds: f64) {
    let most = (seconds / f64::from(DT)) as usize;
    for _ in 0..most {
        if swarm.is_empty() {
            return;
        }
        tick(world, swarm);
    }
    let left = &swarm.positions()[..swarm.len().min(3)];
    assert!(swarm.is_empty(), "{name}: {} left, at {left:?}", swarm.len());
}

#[test]
fn everyone_arrives_whatever_the_budget() {
    for (name, map) in every_kind(70, 61, 8) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        for limit in [0, 1, 1000] {
            let mut world = world_of(&map, Workers::serial());
            world.set_tile_limit(limit);
            let goal = tiled(&mut world, center_of(&map, target));
            let starts = random_starts(&map, &costs, 60, 3);
            let mut swarm = swarm_of(&world, &starts, goal);
            let farthest = costs.iter().copied().filter(|cost| cost.is_finite());
            let farthest = farthest.fold(0.0, f64::max);
            let seconds = 4.0 * (farthest + 60.0) / f64::from(SPEED) + 10.0;
            let name = format!("{name}, {limit} tiles a tick");
            arrive(&name, &mut world, &mut swarm, seconds);
            assert_eq!(world.tile_stats().built > 0, limit > 0, "{name}");
        }
    }
}

#[test]
fn agents_move_in_the_tick_of_the_order_without_a_tile() {
    let map = rooms(256, 256, 24, 5);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(0);
    let starts = random_starts(&map, &costs, 200, 9);
    let goal = tiled(&mut world, center_of(&map, target));
    let mut swarm = swarm_of(&world, &starts, goal);
    swarm.request_routes(&mut world).expect("known");
    swarm.step(&world, DT).expect("valid");
    for (&start, &now) in starts.iter().zip(swarm.positions()) {
        let is_there = cell_of(&map, target) == world.grid().cell_at(start);
        assert!(is_there || start != now, "{start} stands still");
    }
    assert_eq!(world.tile_stats().built, 0);
}
