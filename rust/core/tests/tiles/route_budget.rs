//! The limit on routes per tick: requests beyond it wait with their own status, are searched in their order, and get
//! the same results as without a limit.

use crate::common::crowds::{DT, arrive, followed, random_starts, swarm_of, tick, tiled};
use crate::common::{central_goal, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::swarm::Swarm;
use flow_swarm::workers::Workers;
use flow_swarm::world::{DEFAULT_ROUTE_LIMIT, FlowWorld, GoalId, QueryStatus};
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, open, rooms};
use flow_swarm_bench::oracle::{StepRule, exact_costs};
use std::sync::atomic::{AtomicU64, Ordering};

/// Orders between random places that are connected.
fn orders(map: &CostMap, count: usize, seed: u64) -> Vec<(Vec2, Vec2)> {
    let target = central_goal(map).expect("open");
    let costs = exact_costs(map, &[target], &StepRule::default());
    let places = random_starts(map, &costs, 2 * count, seed);
    places.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn give(world: &mut FlowWorld, orders: &[(Vec2, Vec2)]) -> Vec<GoalId> {
    let order = |&(from, to): &(Vec2, Vec2)| {
        let goal = tiled(world, to);
        assert_eq!(world.request_route(goal, 0, from), Ok(true));
        goal
    };
    orders.iter().map(order).collect()
}

fn limited(map: &CostMap, routes: usize) -> FlowWorld {
    let mut world = world_of(map, Workers::serial());
    world.set_route_limit(routes).expect("in range");
    world
}

#[test]
fn no_route_at_all_is_refused_as_a_limit() {
    let mut world = limited(&open(40, 40), 7);
    let refused = Error::OutOfRange {
        name: "route_limit",
        value: 0.into(),
        min: 1.into(),
        max: usize::MAX.into(),
    };
    assert_eq!(world.set_route_limit(0), Err(refused));
    assert_eq!(world.route_limit(), 7);
    let new = world_of(&open(40, 40), Workers::serial());
    assert_eq!(new.route_limit(), DEFAULT_ROUTE_LIMIT);
}

#[test]
fn routes_that_waited_equal_routes_searched_at_once() {
    const ORDERS: usize = 600;
    let map = rooms(128, 128, 12, 4);
    let orders = orders(&map, ORDERS, 1);
    let mut world = limited(&map, 8);
    let mut at_once = limited(&map, usize::MAX);
    let goals = give(&mut world, &orders);
    let others = give(&mut at_once, &orders);
    assert_eq!(at_once.tile_stats().queued, 0);
    let first = world.tile_stats();
    assert!(first.routes < 30, "{} searched at once", first.routes);
    assert_eq!(first.queued + first.routes as usize, ORDERS);
    let status = |world: &mut FlowWorld, order: usize| {
        let status = world.query_status(goals[order], orders[order].0, 0);
        status.expect("known")
    };
    assert_eq!(status(&mut world, 0), QueryStatus::Pending);
    assert_eq!(status(&mut world, ORDERS - 1), QueryStatus::Queued);
    let mut updates = 0;
    while world.tile_stats().queued > 0 {
        let before = world.tile_stats();
        world.update();
        let now = world.tile_stats();
        let searched = now.routes - before.routes;
        assert!((1..30).contains(&searched), "{searched} in an update");
        // In the order of requests.
        let left = ORDERS - now.queued;
        assert_ne!(status(&mut world, left - 1), QueryStatus::Queued);
        assert!(left == ORDERS || status(&mut world, left) == QueryStatus::Queued);
        updates += 1;
    }
    assert!(updates > 20, "{updates} updates");
    for ((&goal, &other), &(from, _)) in goals.iter().zip(&others).zip(&orders) {
        let cost = world.cost_to_goal(goal, from, 0).expect("known");
        assert_eq!(cost, at_once.cost_to_goal(other, from, 0).expect("known"));
        assert!(cost.is_some());
        let direction = followed(&world, goal, from);
        let is_there = world.goal_targets(goal) == Ok(&[from]);
        assert!(is_there || direction != Vec2::ZERO, "agents go, too");
    }
}

#[test]
fn a_long_route_is_searched_in_several_updates() {
    let map = rooms(512, 512, 12, 4);
    let (from, target) = (Vec2::new(5.5, 5.5), Vec2::new(505.5, 505.5));
    let mut at_once = limited(&map, usize::MAX);
    let other = tiled(&mut at_once, target);
    assert_eq!(at_once.request_route(other, 0, from), Ok(true));
    assert_eq!(at_once.tile_stats().queued, 0, "searched at once");
    let mut world = limited(&map, 1);
    let goal = tiled(&mut world, target);
    let mut swarm = swarm_of(&world, &[from], goal);
    let mut ticks = 0;
    while world.tile_stats().routes == 0 {
        tick(&mut world, &mut swarm);
        assert_eq!(swarm.stats().lost, 0, "an agent that waits is not lost");
        ticks += 1;
        assert!(ticks < 200, "the search does not end");
    }
    assert!(ticks > 2, "{ticks} ticks");
    let cost = world.cost_to_goal(goal, from, 0).expect("known");
    assert_eq!(cost, at_once.cost_to_goal(other, from, 0).expect("known"));
    arrive("after a long search", &mut world, &mut swarm, 300.0);
}

#[test]
fn one_goal_from_everywhere_waits_as_well() {
    let map = rooms(256, 256, 12, 4);
    let mut world = limited(&map, 4);
    let orders = orders(&map, 500, 2);
    let goal = tiled(&mut world, orders[0].1);
    for order in &orders {
        assert_eq!(world.request_route(goal, 0, order.0), Ok(true));
    }
    assert_eq!(world.tile_stats().queued, 1);
    let mut before = world.tile_stats().routes;
    while world.tile_stats().queued > 0 {
        world.update();
        let now = world.tile_stats().routes;
        assert!(
            (1..=40).contains(&(now - before)),
            "{} routes",
            now - before
        );
        before = now;
    }
    for order in &orders {
        let direction = followed(&world, goal, order.0);
        assert!(direction != Vec2::ZERO || order.0 == orders[0].1);
    }
}

#[test]
fn answers_by_value_are_never_put_off() {
    let map = rooms(96, 96, 12, 4);
    let mut world = limited(&map, 1);
    let orders = orders(&map, 60, 3);
    let goals = give(&mut world, &orders);
    let before = world.tile_stats();
    for (&goal, &(from, to)) in goals.iter().zip(&orders) {
        let target = map.index(to.x as usize, to.y as usize);
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let exact = costs[map.index(from.x as usize, from.y as usize)];
        let cost = world.cost_to_goal(goal, from, 0).expect("known");
        let cost = cost.expect("they are joined");
        assert!(
            cost >= exact - 1e-6 && cost <= 1.5 * exact + 16.0,
            "{cost} for {exact}"
        );
        let path = world.path_from(goal, from, 0).expect("known");
        assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
    }
    assert_eq!(world.tile_stats(), before, "and take nothing from orders");
}

#[test]
fn agents_that_are_cut_off_are_lost_in_the_end() {
    let mut map = open(96, 96);
    for y in 0..96 {
        map.cost[y * 96 + 48] = WALL;
    }
    let mut world = limited(&map, 1);
    let goals: Vec<GoalId> = (0..40)
        .map(|row| tiled(&mut world, Vec2::new(80.5, row as f32 + 20.5)))
        .collect();
    let from = Vec2::new(10.5, 10.5);
    for &goal in &goals {
        let _ = world.request_route(goal, 0, from).expect("inside");
    }
    let mut swarm = swarm_of(&world, &[from, Vec2::new(70.5, 60.5)], goals[39]);
    for _ in 0..60 {
        tick(&mut world, &mut swarm);
    }
    for &goal in &goals {
        let status = world.query_status(goal, from, 0);
        assert_eq!(status, Ok(QueryStatus::Disconnected));
        assert_eq!(world.request_route(goal, 0, from), Ok(false));
    }
    assert_eq!(swarm.stats().lost, 1);
    // A refusal holds until the ground changes.
    let searched = world.tile_stats().routes;
    for _ in 0..5 {
        tick(&mut world, &mut swarm);
    }
    assert!(world.tile_stats().routes <= searched + 5);
    world.set_terrain(IVec2::new(48, 5), 1).expect("inside");
    arrive("through the new door", &mut world, &mut swarm, 60.0);
}

/// Groups of one agent each at the left, with goals at the right.
fn groups(world: &mut FlowWorld, count: usize) -> Swarm {
    let goal = tiled(world, Vec2::new(120.5, 2.5));
    let mut swarm = swarm_of(world, &[], goal);
    for group in 0..count {
        let row = group as f32 + 2.5;
        let goal = tiled(world, Vec2::new(120.5, row));
        swarm
            .set_group_goal(group as i64, Some(goal))
            .expect("a group");
        let start = [Vec2::new(8.5, row)];
        swarm.spawn(world, &start, 0, group as i64).expect("inside");
    }
    swarm
}

#[test]
fn agents_go_straight_on_while_their_order_waits_and_never_into_walls() {
    let mut map = open(128, 128);
    // A wall directly in front of some of them, so that they wait.
    for y in 0..60 {
        map.cost[y * 128 + 9] = WALL;
    }
    let mut world = limited(&map, 1);
    let mut swarm = groups(&mut world, 120);
    let before = swarm.positions().to_vec();
    swarm.request_routes(&mut world).expect("known");
    swarm.step(&world, DT).expect("valid");
    assert!(world.tile_stats().queued > 100);
    assert_eq!(swarm.stats().lost, 0, "an agent that waits is not lost");
    let moved: Vec<bool> = (before.iter().zip(swarm.positions()))
        .map(|(old, new)| old != new)
        .collect();
    // The first requests have been searched at once, and their routes lead around the wall.
    let searched = world.tile_stats().routes as usize;
    let waiting = &moved[searched..57];
    assert!(
        waiting.iter().all(|moved| !moved),
        "no agent walks to a wall"
    );
    let moved = moved.iter().filter(|&&moved| moved).count();
    assert!(
        moved >= 58,
        "{moved} of those without a wall before them move"
    );
    let mut ticks = 0;
    while world.tile_stats().queued > 0 {
        tick(&mut world, &mut swarm);
        for &at in swarm.positions() {
            assert!(world.costs(0).is_open(at.as_ivec2()), "{at} is a wall");
        }
        assert_eq!(swarm.stats().lost, 0);
        ticks += 1;
    }
    assert!((10..200).contains(&ticks), "{ticks} ticks");
    tick(&mut world, &mut swarm);
    let standing = swarm.velocities().iter().filter(|&&it| it == Vec2::ZERO);
    assert_eq!(standing.count(), 0, "all have a direction");
    arrive("after waiting", &mut world, &mut swarm, 60.0);
}

#[test]
fn agents_come_before_what_scripts_have_asked_for() {
    let map = rooms(128, 128, 12, 4);
    let mut world = limited(&map, 2);
    let orders = orders(&map, 400, 5);
    give(&mut world, &orders);
    let goal = tiled(&mut world, orders[0].1);
    let starts: Vec<Vec2> = orders[..20].iter().map(|order| order.0).collect();
    let mut swarm = swarm_of(&world, &starts, goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    assert!(world.tile_stats().queued > 100, "scripts still wait");
    for &at in swarm.positions() {
        let status = world.query_status(goal, at, 0).expect("known");
        assert_ne!(status, QueryStatus::Queued, "{at}");
    }
}

#[test]
fn orders_that_wait_come_to_the_same_for_any_number_of_threads() {
    let map = rooms(128, 128, 12, 6);
    let run = |threads: usize| {
        let mut world = world_of(&map, Workers::new(threads).expect("threads"));
        world.set_route_limit(2).expect("in range");
        let orders = orders(&map, 150, 7);
        let goals = give(&mut world, &orders);
        let starts: Vec<Vec2> = orders.iter().map(|order| order.0).collect();
        let mut swarm = swarm_of(&world, &starts, goals[0]);
        let mut hashes = Vec::new();
        for number in 0..60 {
            if number % 9 == 0 {
                let low = IVec2::splat(number + 8);
                let rect = CellRect { low, high: low + 2 };
                world.set_terrain_rect(rect, WALL).expect("inside");
                swarm
                    .set_group_goal(0, Some(goals[number as usize]))
                    .expect("known");
            }
            tick(&mut world, &mut swarm);
            hashes.push(swarm.state_hash());
        }
        hashes
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn thousands_of_goals_hear_of_an_edit_before_they_are_asked() {
    let map = rooms(128, 128, 12, 4);
    let mut world = limited(&map, usize::MAX);
    let orders = orders(&map, 1500, 8);
    let goals = give(&mut world, &orders);
    world.update();
    // Many edits, which most goals process late.
    let mut map = map;
    for number in 0..40 {
        let cell = IVec2::new(3 * number + 2, 64);
        map.cost[64 * 128 + cell.x as usize] = WALL;
        world.set_terrain(cell, WALL).expect("inside");
        world.update();
    }
    let mut fresh = limited(&map, usize::MAX);
    for (&goal, &(from, to)) in goals.iter().zip(&orders).rev() {
        let other = tiled(&mut fresh, to);
        let cost = fresh.cost_to_goal(other, from, 0).expect("known");
        assert_eq!(world.cost_to_goal(goal, from, 0).expect("known"), cost);
    }
    // In the end all tiles are correct.
    world.set_tile_limit(usize::MAX);
    for _ in 0..100 {
        world.update();
    }
    assert_eq!(world.tile_stats().waiting, 0);
    for &(number, (from, _)) in &[(0, orders[0]), (700, orders[700]), (1499, orders[1499])] {
        let path = world.path_from(goals[number], from, 0).expect("known");
        for at in path {
            assert!(world.costs(0).is_open(at.as_ivec2()), "{at} is a wall");
        }
    }
}

#[test]
fn thousands_of_goals_that_move_at_once_are_all_led_to() {
    let map = rooms(128, 128, 12, 4);
    let mut world = limited(&map, 8);
    world.set_route_limit(usize::MAX).expect("in range");
    let orders = orders(&map, 1200, 9);
    let goals = give(&mut world, &orders);
    world.update();
    world.set_route_limit(8).expect("in range");
    for (&goal, order) in goals.iter().zip(orders.iter().rev()) {
        world.move_goal(goal, &[order.1]).expect("inside");
    }
    world.update();
    let at = orders[5].0;
    // A request is for the current position of the goal.
    let mut fresh = limited(&map, usize::MAX);
    let target = world.goal_targets(goals[1100]).expect("known")[0];
    let other = tiled(&mut fresh, target);
    let cost = fresh.cost_to_goal(other, at, 0).expect("known");
    assert_eq!(world.cost_to_goal(goals[1100], at, 0), Ok(cost));
    let statuses = |world: &mut FlowWorld| {
        let status = |&goal: &GoalId| {
            world.request_route(goal, 0, at).expect("known");
            world.query_status(goal, at, 0).expect("known")
        };
        let statuses: Vec<QueryStatus> = goals.iter().map(status).collect();
        let queued = statuses.iter().filter(|&&it| it == QueryStatus::Queued);
        queued.count()
    };
    assert!(statuses(&mut world) > 500, "most wait");
    for _ in 0..1500 {
        world.update();
    }
    assert_eq!(world.tile_stats().queued, 0);
    for &goal in &goals {
        let target = world.goal_targets(goal).expect("known")[0];
        let path = world.path_from(goal, at, 0).expect("known");
        assert_eq!(path.last(), Some(&target));
    }
}

/// A clock that advances by a millisecond whenever it is read.
fn slow_clock() -> f64 {
    static TIME: AtomicU64 = AtomicU64::new(0);
    TIME.fetch_add(1, Ordering::Relaxed) as f64 / 1e3
}

#[test]
fn a_limit_of_time_holds_for_routes_too() {
    // So small that its portal graph is built at once.
    let map = rooms(96, 96, 12, 4);
    let orders = orders(&map, 60, 10);
    let mut world = world_of(&map, Workers::serial());
    world.set_clock(slow_clock);
    world.set_update_seconds(0.02).expect("in range");
    let goals = give(&mut world, &orders);
    let first = world.tile_stats().routes;
    assert!((1..30).contains(&first), "{first} at once");
    assert!(world.tile_stats().queued > 20);
    // With a time limit of zero one route is searched in each update.
    world.set_update_seconds(0.0).expect("in range");
    let mut updates = 0;
    while world.tile_stats().queued > 0 {
        world.update();
        updates += 1;
        assert!(updates <= 60, "the queue stands still");
    }
    assert!(updates > 20, "{updates} updates");
    for (&goal, order) in goals.iter().zip(&orders) {
        let status = world.query_status(goal, order.0, 0);
        assert_eq!(status, Ok(QueryStatus::Pending));
    }
}

/// The tiles that one update builds, in which `fields` whole fields are solved as well.
fn tiles_beside(fields: usize) -> u64 {
    /// [`slow_clock`], which no other test reads.
    fn clock() -> f64 {
        static TIME: AtomicU64 = AtomicU64::new(0);
        TIME.fetch_add(1, Ordering::Relaxed) as f64 / 1e3
    }
    let map = rooms(128, 128, 12, 4);
    let mut world = world_of(&map, Workers::serial());
    world.set_clock(clock);
    world.set_tile_limit(1_000);
    let orders = orders(&map, 10, 10);
    give(&mut world, &orders);
    for _ in 0..fields {
        let goal = world.create_goal(&[orders[0].1]).expect("inside");
        world.require(goal, 0).expect("known");
    }
    world.set_update_seconds(0.04).expect("in range");
    world.update();
    let stats = world.tile_stats();
    assert!(stats.waiting > 0, "all tiles are built at once");
    stats.built
}

#[test]
fn the_rest_of_an_update_counts_but_leaves_a_quarter() {
    let alone = tiles_beside(0);
    let beside_some = tiles_beside(20);
    let beside_many = tiles_beside(200);
    assert!(beside_some < alone, "{beside_some} instead of {alone}");
    assert!(
        beside_many < beside_some && beside_many > 0,
        "{beside_many}"
    );
}

#[test]
fn requests_to_goals_that_are_gone_are_dropped() {
    let map = rooms(96, 96, 12, 4);
    let mut world = limited(&map, 1);
    let orders = orders(&map, 100, 11);
    let goals = give(&mut world, &orders);
    assert!(world.tile_stats().queued > 50);
    for &goal in &goals[..99] {
        world.release_goal(goal).expect("known");
    }
    assert_eq!(world.tile_stats().queued, 1);
    world.set_sector_size(8).expect("in range");
    assert_eq!(world.tile_stats().queued, 0);
    let last = orders[99];
    assert_eq!(world.request_route(goals[99], 0, last.0), Ok(true));
    let path = world.path_from(goals[99], last.0, 0).expect("known");
    assert_eq!(path.last(), Some(&last.1));
}
