//! Flow tiles, section 6: steering rules. A crowd follows routes and tiles, and arrives where whole fields would lead
//! it.

use std::collections::BTreeSet;

use crate::common::crowds::{DT, SPEED, arrive, random_starts, swarm_of, tick, tiled};
use crate::common::{cell_of, center_of, central_goal, world_of};
use flow_swarm::error::Error;
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::swarm::AgentType;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{
    SplitMix64, WALL, every_kind, largest_component, largest_component_cell, open, random_walls,
    rooms,
};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

#[test]
fn all_agents_arrive_with_any_budget() {
    for (name, map) in every_kind(70, 61, 8) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        for limit in [0, 1, 2, 9, 1000] {
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

#[test]
fn a_finished_field_leads_as_a_whole_one_does() {
    let map = rooms(96, 96, 12, 4);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let mut world = world_of(&map, Workers::serial());
    let part = tiled(&mut world, center_of(&map, target));
    let whole = world
        .create_goal(&[center_of(&map, target)])
        .expect("inside");
    let places = random_starts(&map, &costs, 300, 1);
    for &place in &places {
        let status = |world: &mut FlowWorld| world.query_status(part, place, 0).expect("known");
        assert_ne!(world.path_from(part, place, 0).expect("known"), []);
        assert_ne!(status(&mut world), QueryStatus::Disconnected);
        world.request_route(part, 0, place).expect("inside");
        assert_eq!(status(&mut world), QueryStatus::Pending, "{place}");
        assert_ne!(world.path_from(part, place, 0).expect("known"), []);
    }
    while world.tile_stats().waiting > 0 {
        world.update();
    }
    for &place in &places {
        let cost = world
            .cost_to_goal(whole, place, 0)
            .expect("known")
            .expect("joined");
        let mut length = |goal| {
            let path = world.path_from(goal, place, 0).expect("known");
            let steps = path.windows(2).map(|pair| pair[0].distance(pair[1]));
            steps.sum::<f32>()
        };
        let (by_tiles, by_field) = (length(part), length(whole));
        assert!(
            by_tiles <= 1.05 * by_field + 1.0,
            "{place}: {by_tiles}, not {by_field}"
        );
        let route = world
            .cost_to_goal(part, place, 0)
            .expect("known")
            .expect("joined");
        assert!(
            route >= 0.95 * cost && route <= 1.3 * cost + 12.0,
            "{place}: {route} for {cost}"
        );
        assert_eq!(
            world.query_status(part, place, 0).expect("known"),
            QueryStatus::Ok
        );
    }
}

#[test]
fn unreachable_goals_are_reported_and_cost_nothing() {
    let mut map = open(64, 64);
    for y in 0..64 {
        let index = map.index(30, y);
        map.cost[index] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let wall = tiled(&mut world, Vec2::new(30.5, 8.5));
    let other = tiled(&mut world, Vec2::new(50.5, 8.5));
    let place = Vec2::new(5.5, 5.5);
    for (goal, expected) in [
        (wall, QueryStatus::GoalBlocked),
        (other, QueryStatus::Disconnected),
    ] {
        let mut swarm = swarm_of(&world, &[place], goal);
        for _ in 0..10 {
            tick(&mut world, &mut swarm);
        }
        assert_eq!(swarm.positions(), [place]);
        assert_eq!(world.query_status(goal, place, 0), Ok(expected));
        assert_eq!(world.flow_vector(goal, place, 0), Ok(Vec2::ZERO));
        assert_eq!(world.request_route(goal, 0, place), Ok(false));
    }
    let inside = Vec2::new(30.5, 40.5);
    let status = world.query_status(other, inside, 0);
    assert_eq!(status, Ok(QueryStatus::StartBlocked));
    let outside = world.query_status(other, Vec2::new(-3.0, 2.0), 0);
    assert_eq!(outside, Ok(QueryStatus::OutOfBounds));
    assert_eq!(world.tile_stats().built, 0);
}

#[test]
fn threads_change_nothing() {
    let map = rooms(140, 110, 14, 2);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 3000, 2);
    let run = |threads: usize| {
        let mut world = world_of(&map, Workers::new(threads).expect("threads"));
        world.set_tile_limit(5);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        for number in 0..60 {
            tick(&mut world, &mut swarm);
            if number % 9 == 0 {
                let cell = IVec2::new(20 + number, 33);
                world.set_terrain(cell, WALL).expect("inside");
            }
        }
        let bits: Vec<u32> = swarm
            .positions()
            .iter()
            .flat_map(|at| [at.x.to_bits(), at.y.to_bits()])
            .collect();
        (bits, world.tile_stats())
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

/// The cache is far above its limit when many goals are released.
#[test]
fn tiles_above_the_limit_are_evicted_in_parts() {
    const LIMIT: u64 = 60_000;
    let map = rooms(140, 110, 14, 2);
    let costs = exact_costs(
        &map,
        &[central_goal(&map).expect("open")],
        &StepRule::default(),
    );
    let starts = random_starts(&map, &costs, 60, 2);
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_cache_bytes(LIMIT).expect("in range");
    let goals: Vec<_> = starts.iter().map(|&at| tiled(&mut world, at)).collect();
    for (&goal, &from) in goals.iter().zip(starts.iter().rev()) {
        world.request_route(goal, 0, from).expect("known");
        (0..9).for_each(|_| drop(world.update()));
    }
    let memory = |world: &FlowWorld| world.tile_memory().cache as u64;
    assert!(memory(&world) > 4 * LIMIT, "{}", memory(&world));
    for goal in goals {
        world.release_goal(goal).expect("known");
    }
    let mut updates = 0;
    while memory(&world) > LIMIT {
        let before = world.tile_stats().cache.evictions;
        world.update();
        let evicted = world.tile_stats().cache.evictions - before;
        assert!((1..=32).contains(&evicted), "{evicted} in update {updates}");
        updates += 1;
    }
    assert!(updates > 1, "all in {updates} updates");
}

#[test]
fn threads_change_nothing_where_many_goals_are_built_at_once() {
    let map = rooms(140, 110, 14, 2);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 400, 2);
    let run = |threads: usize| {
        let mut world = world_of(&map, Workers::new(threads).expect("threads"));
        world.set_tile_limit(45);
        world.set_tile_cache_bytes(60_000).expect("in range");
        let mut swarms = Vec::new();
        for number in 0..11 {
            let goal = tiled(&mut world, starts[number * 7]);
            swarms.push(swarm_of(&world, &starts[number * 30..][..30], goal));
        }
        let mut seen = Vec::new();
        for number in 0..40 {
            for swarm in &mut swarms {
                tick(&mut world, swarm);
            }
            if number % 9 == 0 {
                let cell = IVec2::new(20 + number, 33);
                world.set_terrain(cell, WALL).expect("inside");
            }
            let before = world.tile_stats().built;
            world.update();
            let stats = world.tile_stats();
            assert!(stats.built - before <= 45, "{}", stats.built - before);
            let positions = swarms.iter().flat_map(|swarm| swarm.positions());
            let bits = positions.flat_map(|at| [at.x.to_bits(), at.y.to_bits()]);
            seen.push((stats, bits.collect::<Vec<u32>>()));
        }
        seen
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(one == run(threads), "{threads} threads");
    }
}

/// 23.12: the first two sectors of every route have tiles at once, long before the queue of tiles reaches them.
#[test]
fn routes_begin_with_tiles_that_are_made_at_once() {
    for (name, map) in every_kind(330, 300, 5) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let starts = random_starts(&map, &costs, 40, 9);
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(170);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        let has_tiles = |world: &mut FlowWorld, at: &Vec2| {
            let has = world.has_first_tiles(goal, 0, *at);
            has.expect("a known goal and a place in the grid")
        };
        assert!(!starts.iter().any(|at| has_tiles(&mut world, at)), "{name}");
        swarm.request_routes(&mut world).expect("known");
        assert!(!starts.iter().any(|at| has_tiles(&mut world, at)), "{name}");
        world.update();
        assert!(starts.iter().all(|at| has_tiles(&mut world, at)), "{name}");
        let stats = world.tile_stats();
        assert!(stats.first > 0 && stats.built <= 170, "{name}: {stats:?}");
        // A walk along them, and along the tiles that have been built, enters no cell twice.
        let route = world.route(goal, 0).expect("just asked for");
        for &start in &starts {
            let (mut at, mut last) = (start, world.grid().cell_at(start));
            let mut left = BTreeSet::new();
            while !route.is_goal(last) && has_tiles(&mut world, &at) {
                let direction = route.sample_for(at, 0.0);
                assert!(direction != Vec2::ZERO, "{name}: no way on from {at}");
                at += direction * 0.2;
                let cell = world.grid().cell_at(at);
                if cell != last {
                    left.insert((last.x, last.y));
                    let was_left = left.contains(&(cell.x, cell.y));
                    assert!(!was_left, "{name}: from {start} to {cell} again");
                    last = cell;
                }
            }
            assert!(at != start || route.is_goal(last), "{name}: {start}");
        }
        // They are removed when the sectors have been built.
        while world.tile_stats().waiting > 0 {
            world.update();
        }
        assert_eq!(world.tile_memory().first_tiles, 0, "{name}");
    }
}

/// Every agent has first tiles, including those whose routes were found later and join earlier routes.
#[test]
fn every_unit_of_a_crowd_with_a_far_goal_has_first_tiles_after_one_update() {
    for (name, map) in [
        ("rooms", rooms(512, 512, 6, 3)),
        ("random", random_walls(512, 512, 10, 3)),
    ] {
        let target = largest_component_cell(&map, (490, 490)).expect("open");
        let is_start = |&cell: &usize| {
            let (x, y) = map.position(cell);
            x.max(y) < 44 && (x + y) % 2 == 0
        };
        let starts = largest_component(&map).into_iter().filter(is_start);
        let starts: Vec<Vec2> = starts.map(|cell| center_of(&map, cell)).collect();
        let mut world = world_of(&map, Workers::serial());
        // With so many sectors there is a level above.
        world.set_sector_size(4).expect("in range");
        world.set_tile_limit(400);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        swarm.request_routes(&mut world).expect("known");
        world.update();
        for &at in &starts {
            let has_tiles = world.has_first_tiles(goal, 0, at);
            assert!(has_tiles.expect("known and inside"), "{name}: {at}");
        }
        assert!(world.tile_stats().first > 0, "{name}");
    }
}

#[test]
fn bad_settings_are_refused_by_name_and_change_nothing() {
    let map = open(40, 30);
    let mut world = world_of(&map, Workers::serial());
    for size in [0, 3, 65] {
        let refused = world.set_sector_size(size);
        assert!(
            matches!(
                refused,
                Err(Error::OutOfRange {
                    name: "sector_size",
                    ..
                })
            ),
            "{size}: {refused:?}"
        );
    }
    assert_eq!(world.sector_size(), 16);
    for bytes in [0, u64::MAX] {
        let refused = world.set_tile_cache_bytes(bytes);
        assert!(
            matches!(
                refused,
                Err(Error::OutOfRange {
                    name: "tile_cache_bytes",
                    ..
                })
            ),
            "{bytes}: {refused:?}"
        );
    }
    for seconds in [-1.0, f64::NAN] {
        let refused = world.set_update_seconds(seconds);
        assert!(
            matches!(
                refused,
                Err(Error::OutOfRange {
                    name: "seconds",
                    ..
                })
            ),
            "{seconds}: {refused:?}"
        );
    }
    let goal = tiled(&mut world, Vec2::new(3.5, 3.5));
    assert_eq!(world.goal_mode(goal), Ok(GoalMode::Tiled));
    assert_eq!(
        world.whole_field(goal, 0).err(),
        Some(Error::NotWhole { goal: goal.0 })
    );
    assert!(world.request_route(goal, 0, Vec2::new(-1.0, 3.0)).is_err());
    assert!(world.request_route(goal, 1, Vec2::ONE).is_err());
    assert!(world.request_route(GoalId(99), 0, Vec2::ONE).is_err());
}

#[test]
fn sector_sizes_and_tiny_caches_are_only_a_matter_of_time() {
    let map = rooms(77, 50, 11, 3);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 50, 6);
    let mut world = world_of(&map, Workers::serial());
    let goal = tiled(&mut world, center_of(&map, target));
    world.set_tile_cache_bytes(1).expect("in range");
    for size in [4, 7, 16, 64] {
        world.set_sector_size(size).expect("in range");
        let mut swarm = swarm_of(&world, &starts, goal);
        arrive(&format!("sectors of {size}"), &mut world, &mut swarm, 200.0);
    }
}

#[test]
fn large_agents_take_ways_that_are_wide_enough() {
    for seed in 0..4 {
        let map = rooms(120, 90, 17, seed);
        let mut world = world_of(&map, Workers::serial());
        let wide = MovementType::default().with_clearance(Clearance::new(1.0).expect("in range"));
        world.set_movement_types(&[wide]).expect("one");
        world.set_tile_limit(8);
        let costs = world.costs(0);
        let is_open = |&cell: &usize| costs.is_open(cell_of(&map, cell));
        let Some(target) = (map.len() / 2..map.len()).find(is_open) else {
            continue;
        };
        let goal_cell = center_of(&map, target);
        let open: Vec<Vec2> = (0..map.len())
            .filter(is_open)
            .map(|cell| center_of(&map, cell))
            .collect();
        let goal = tiled(&mut world, goal_cell);
        let mut random = SplitMix64::new(seed);
        let mut starts = Vec::new();
        for _ in 0..40 {
            let start = open[random.below(open.len())];
            if world.is_reachable(start, goal_cell, 0).expect("inside") {
                starts.push(start);
            }
        }
        let mut swarm = swarm_of(&world, &starts, goal);
        let kind = AgentType {
            radius: 0.9,
            ..swarm.types()[0]
        };
        swarm.set_types(&[kind]).expect("valid");
        arrive(&format!("seed {seed}"), &mut world, &mut swarm, 400.0);
    }
}

#[test]
fn of_several_targets_the_cheapest_is_taken() {
    let map = open(100, 40);
    let mut world = world_of(&map, Workers::serial());
    let targets = [Vec2::new(5.5, 20.5), Vec2::new(95.5, 20.5)];
    for (costs, nearer) in [([0.0, 0.0], 0), ([80.0, 0.0], 1)] {
        for limit in [0, 1000] {
            world.set_tile_limit(limit);
            let goal = world
                .create_goal_with_mode(&targets, &costs, GoalMode::Tiled)
                .expect("inside");
            let mut swarm = swarm_of(&world, &[Vec2::new(40.5, 20.5)], goal);
            for _ in 0..40 {
                tick(&mut world, &mut swarm);
            }
            let moved = swarm.positions()[0].x - 40.5;
            let expected = targets[nearer].x - 40.5;
            assert!(
                moved * expected > 5.0 * expected.abs(),
                "{costs:?}: {moved}"
            );
        }
    }
}
