//! Many tiled goals in a changing world: an edit does not cause all routes to be searched again in one step.

use crate::common::crowds::{DT, SPEED, tick, tiled};
use crate::common::{center_of, world_of};
use flow_swarm::swarm::{AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::terrain::Stamp;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{WALL, open};

const GOALS: usize = 100;
/// The greatest number of routes that a step may search again after an edit, for agents that have directions meanwhile.
const MOST: u64 = 16;

/// Agents in a column at the left, each in its own group with a goal at the right.
fn scene() -> (FlowWorld, Swarm) {
    let mut map = open(128, 128);
    // A wall with two doors in the middle.
    for y in (0..128).filter(|y| !(20..24).contains(y) && !(100..104).contains(y)) {
        map.cost[y * 128 + 64] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let mut swarm = Swarm::new(3);
    swarm
        .set_types(&[AgentType {
            radius: 0.3,
            max_speed: SPEED,
            acceleration: 6.0 * SPEED,
            ..AgentType::default()
        }])
        .expect("valid");
    swarm
        .set_settings(Settings {
            arrival: ArrivalAction::Despawn,
            ..Settings::default()
        })
        .expect("valid");
    for number in 0..GOALS {
        let row = 14 + number;
        let goal = tiled(&mut world, center_of(&map, row * 128 + 120));
        swarm
            .set_group_goal(number as i64, Some(goal))
            .expect("a group");
        let start = Vec2::new(8.5, row as f32 + 0.5);
        swarm
            .spawn(&world, &[start], 0, number as i64)
            .expect("inside");
    }
    (world, swarm)
}

#[test]
fn forgotten_routes_are_found_anew_in_turns_and_all_arrive() {
    let (mut world, mut swarm) = scene();
    for _ in 0..80 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(world.tile_stats().waiting, 0, "all tiles are built");
    let before = world.tile_stats().routes;
    // A door is closed: all routes through it, and many others, are removed.
    let shut = Stamp::new(IVec2::new(1, 4), &[WALL; 4], None).expect("valid");
    world
        .place_stamps(&[(IVec2::new(64, 20), shut)])
        .expect("inside");
    let mut asked = before;
    let mut steps = 0;
    loop {
        tick(&mut world, &mut swarm);
        let now = world.tile_stats().routes;
        if now == asked {
            break;
        }
        // One agent per goal, and so one request per renewed goal.
        assert!(now - asked <= MOST, "{} routes in one step", now - asked);
        asked = now;
        steps += 1;
    }
    // Some goals are reached without any of the sectors beside the door.
    assert!(asked - before > 3 * MOST, "{} routes", asked - before);
    assert!(steps > 3, "{steps} steps");
    for _ in 0..(60.0 / DT) as usize {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.len(), 0, "{:?}", swarm.positions().first());
}

#[test]
fn agents_with_nothing_to_follow_get_a_route_at_once() {
    let (mut world, mut swarm) = scene();
    swarm.request_routes(&mut world).expect("known");
    swarm.step(&world, DT).expect("valid");
    assert!(
        swarm
            .velocities()
            .iter()
            .all(|&velocity| velocity != Vec2::ZERO),
        "all orders count in their own step"
    );
    assert_eq!(swarm.stats().lost, 0);
}

#[test]
fn an_order_costs_as_much_whether_there_are_few_goals_or_thousands() {
    const ORDERS: u64 = 3000;
    let mut world = world_of(&open(64, 64), Workers::serial());
    world.set_route_limit(usize::MAX).expect("in range");
    world.update();
    let mut goals = Vec::new();
    for order in 0..ORDERS {
        let at = Vec2::new((order % 60) as f32 + 1.5, (order / 60 % 60) as f32 + 1.5);
        let goal = tiled(&mut world, at);
        assert_eq!(world.request_route(goal, 0, Vec2::new(3.5, 40.5)), Ok(true));
        goals.push(goal);
    }
    // An order must not process each of the goals.
    assert!(
        world.tile_stats().checked <= 2 * ORDERS,
        "{:?}",
        world.tile_stats()
    );
    assert_eq!(world.tile_stats().routes, ORDERS);
    // An edit concerns all goals, but is processed once, however many requests follow.
    let before = world.tile_stats().checked;
    world.set_terrain(IVec2::new(62, 62), WALL).expect("inside");
    for &goal in &goals {
        world
            .request_route(goal, 0, Vec2::new(3.5, 40.5))
            .expect("known");
    }
    let checked = world.tile_stats().checked - before;
    assert!(checked <= 3 * ORDERS, "{checked} checks");
}
