//! Flow tiles, sections 5 and 6: orders to unreachable places, agents pushed off their routes, windows that close, maps
//! and caches that are too small, and more orders in a tick than the limits allow.

use crate::common::crowds::{
    arrive, crowd_on_the_left, followed, random_starts, swarm_of, tick, tiled,
};
use crate::common::{center_of, central_goal, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::MovementType;
use flow_swarm::workers::Workers;
use flow_swarm::world::{GoalId, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open, rooms};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

/// Draws a closed ring of walls into a map.
fn ring(map: &mut CostMap, low: usize, high: usize) {
    for at in low..=high {
        for (x, y) in [(at, low), (at, high), (low, at), (high, at)] {
            let index = map.index(x, y);
            map.cost[index] = WALL;
        }
    }
}

#[test]
fn unreachable_pockets_and_islands_make_no_agent_move() {
    // A pocket within a sector, and an island that covers several sectors and parts of others.
    let mut map = open(90, 90);
    ring(&mut map, 34, 38);
    ring(&mut map, 50, 81);
    let outside = Vec2::new(8.5, 8.5);
    for inside in [Vec2::new(36.5, 36.5), Vec2::new(66.5, 60.5)] {
        for (from, to) in [(outside, inside), (inside, outside)] {
            let mut world = world_of(&map, Workers::serial());
            let goal = tiled(&mut world, to);
            let mut swarm = swarm_of(&world, &[from], goal);
            for _ in 0..20 {
                tick(&mut world, &mut swarm);
            }
            assert_eq!(swarm.positions(), [from]);
            let status = world.query_status(goal, from, 0);
            assert_eq!(status, Ok(QueryStatus::Disconnected), "{from} to {to}");
            assert_eq!(world.tile_stats().built, 0, "{from} to {to}");
            // Agents on the same side as the target go there.
            let near = to + Vec2::new(1.0, 1.0);
            swarm.spawn(&world, &[near], 0, 0).expect("inside the map");
            for _ in 0..60 {
                tick(&mut world, &mut swarm);
            }
            assert_eq!(swarm.positions(), [from], "the other one has arrived");
        }
    }
}

#[test]
fn units_pushed_off_their_route_find_another() {
    for seed in 0..4 {
        let map = rooms(160, 120, 15, seed);
        let target = central_goal(&map).expect("open");
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(20);
        let goal = tiled(&mut world, center_of(&map, target));
        let starts = random_starts(&map, &costs, 40, seed);
        let mut swarm = swarm_of(&world, &starts, goal);
        let mut random = SplitMix64::new(seed);
        for _ in 0..12 {
            for _ in 0..10 {
                tick(&mut world, &mut swarm);
            }
            // Some agents are moved to where no route has been requested, some receive an impulse.
            let ids: Vec<_> = swarm.ids().iter().copied().take(10).collect();
            let places = random_starts(&map, &costs, ids.len(), random.next_u64());
            swarm
                .set_positions(&world, &ids, &places)
                .expect("inside the map");
            let ids: Vec<_> = swarm.ids().to_vec();
            let push = Vec2::new(random.below(80) as f32 - 40.0, 25.0);
            swarm.apply_impulse(&ids, push).expect("all are alive");
        }
        arrive(&format!("seed {seed}"), &mut world, &mut swarm, 400.0);
    }
}

#[test]
fn the_only_window_closes_and_opens_under_a_moving_crowd() {
    let mut map = open(96, 40);
    for y in 0..40 {
        let index = map.index(48, y);
        map.cost[index] = WALL;
    }
    // The only connection: three cells beside the border of a sector.
    let window = CellRect {
        low: IVec2::new(48, 18),
        high: IVec2::new(49, 21),
    };
    for limit in [0, 3, 1000] {
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(limit);
        world.set_terrain_rect(window, 1).expect("inside");
        let goal = tiled(&mut world, Vec2::new(90.5, 20.5));
        let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
        for _ in 0..20 {
            world.set_terrain_rect(window, 1).expect("inside");
            for _ in 0..15 {
                tick(&mut world, &mut swarm);
            }
            world.set_terrain_rect(window, WALL).expect("inside");
            tick(&mut world, &mut swarm);
            let is_left = |at: &Vec2| at.x < 48.5;
            let left = swarm.positions().iter().filter(|at| is_left(at)).count();
            for _ in 0..30 {
                tick(&mut world, &mut swarm);
                let now = swarm.positions().iter().filter(|at| is_left(at)).count();
                assert_eq!(now, left, "no agent goes through a shut window");
            }
        }
        assert!(swarm.len() < 80, "some have come through");
        world.set_terrain_rect(window, 1).expect("inside");
        arrive(
            &format!("{limit} tiles a tick"),
            &mut world,
            &mut swarm,
            200.0,
        );
    }
}

#[test]
fn maps_smaller_than_a_sector_are_maps() {
    for (width, height) in [(1, 1), (2, 1), (1, 9), (5, 3), (15, 15), (17, 3)] {
        let map = open(width, height);
        let mut world = world_of(&map, Workers::serial());
        let last = Vec2::new(width as f32 - 0.5, height as f32 - 0.5);
        let goal = tiled(&mut world, last);
        let starts: Vec<Vec2> = (0..map.len()).map(|cell| center_of(&map, cell)).collect();
        let mut swarm = swarm_of(&world, &starts, goal);
        arrive(&format!("{width}x{height}"), &mut world, &mut swarm, 60.0);
        let graph = world.portal_graph(0).expect("a movement type");
        assert_eq!(graph.sectors().count(), width.div_ceil(16));
    }
}

#[test]
fn sectors_of_every_size_lead_to_the_goal() {
    let map = rooms(70, 45, 9, 2);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 25, 6);
    for size in 4..=64 {
        let mut world = world_of(&map, Workers::serial());
        world.set_sector_size(size).expect("in range");
        world.set_tile_limit(if size % 2 == 0 { 6 } else { 1000 });
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        arrive(&format!("sectors of {size}"), &mut world, &mut swarm, 200.0);
    }
}

#[test]
fn a_cache_too_small_for_one_route_keeps_little_more_than_is_in_use() {
    let map = rooms(128, 128, 12, 8);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_cache_bytes(1).expect("in range");
    let goals: Vec<GoalId> = (0..2)
        .map(|_| tiled(&mut world, center_of(&map, target)))
        .collect();
    for place in random_starts(&map, &costs, 20, 4) {
        world.request_route(goals[0], 0, place).expect("inside");
    }
    while world.tile_stats().waiting > 0 {
        world.update();
    }
    let stats = world.tile_stats();
    assert!(stats.cache.tiles > 0, "tiles in use are shared: {stats:?}");
    // Eviction may skip a few tiles that are not in use.
    assert!(stats.cache.tiles <= 2 * stats.active, "{stats:?}");
    world.release_goal(goals[0]).expect("known");
    // Tiles that are not in use are removed when the next tile arrives.
    let place = center_of(&map, target) + 1.0;
    world.request_route(goals[1], 0, place).expect("inside");
    while world.tile_stats().waiting > 0 {
        world.update();
    }
    assert!(world.tile_stats().cache.evictions > 0);
}

#[test]
fn ten_thousand_orders_in_a_tick_are_followed_within_the_budget() {
    // Ten agents per goal.
    const GOALS: usize = 1000;
    const ORDERS: usize = 10_000;
    const LIMIT: usize = 50;
    let map = rooms(128, 128, 12, 5);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let places = random_starts(&map, &costs, GOALS + ORDERS, 1);
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(LIMIT);
    let goals: Vec<GoalId> = places[..GOALS]
        .iter()
        .map(|&at| tiled(&mut world, at))
        .collect();
    let mut waiting = 0;
    for (&goal, &at) in goals.iter().cycle().zip(&places[GOALS..]) {
        assert_eq!(world.request_route(goal, 0, at), Ok(true));
        if world.query_status(goal, at, 0) == Ok(QueryStatus::Queued) {
            waiting += 1;
            continue;
        }
        let direction = followed(&world, goal, at);
        let is_there = at.distance(world.goal_targets(goal).expect("known")[0]) < 1.0;
        assert!(
            is_there || direction != Vec2::ZERO,
            "all that do not wait can go at once, without a tile"
        );
    }
    assert!((1..ORDERS).contains(&waiting), "{waiting} wait");
    let mut built = world.tile_stats().built;
    assert_eq!(built, 0, "orders build nothing themselves");
    for _ in 0..40 {
        world.update();
        let now = world.tile_stats().built;
        assert_eq!(now - built, LIMIT as u64, "there is enough to do");
        built = now;
    }
    for _ in 0..400 {
        world.update();
    }
    assert_eq!(world.tile_stats().queued, 0);
    for (&goal, &at) in goals.iter().cycle().zip(&places[GOALS..]) {
        let direction = followed(&world, goal, at);
        let is_there = at.distance(world.goal_targets(goal).expect("known")[0]) < 1.0;
        assert!(is_there || direction != Vec2::ZERO, "all can go in the end");
    }
    for goal in goals {
        world.release_goal(goal).expect("known");
    }
    assert_eq!(world.tile_stats().waiting, 0);
}

/// A number that is mostly valid.
fn odd(random: &mut SplitMix64) -> f32 {
    const ODD: [f32; 5] = [f32::NAN, f32::INFINITY, -3.0, 1.0e30, 0.0];
    if random.percent(10) {
        ODD[random.below(ODD.len())]
    } else {
        random.below(60) as f32 + 0.5
    }
}

#[test]
fn whatever_is_called_in_whatever_order_there_is_no_panic() {
    for seed in 0..6 {
        let map = rooms(50, 40, 9, seed);
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(seed as usize * 3);
        let mut random = SplitMix64::new(seed);
        let first = tiled(&mut world, Vec2::splat(5.5));
        let mut goals = vec![first];
        let mut swarm = swarm_of(&world, &crowd_on_the_left()[..30], first);
        let mut saved: Vec<Vec<u8>> = Vec::new();
        for _ in 0..1500 {
            let place = Vec2::new(odd(&mut random), odd(&mut random));
            let goal = goals[random.below(goals.len())];
            // Errors and successes are both accepted.
            match random.below(16) {
                0 => {
                    let mode = [GoalMode::Tiled, GoalMode::Full][random.below(5) / 4];
                    if let Ok(new) = world.create_goal_with_mode(&[place], &[0.0], mode) {
                        goals.push(new);
                        let group = random.below(3) as i64 - 1;
                        let _ = swarm.set_group_goal(group, Some(new));
                    }
                }
                1 => drop(world.move_goal(goal, &[place])),
                2 => drop(world.release_goal(goal)),
                3 | 4 => {
                    let _ = world.request_route(goal, random.below(3), place);
                    let _ = world.query_status(goal, place, 0);
                    let _ = world.path_from(goal, place, 0);
                    let _ = world.flow_vector(goal, place, random.below(3));
                }
                5 => drop(world.set_sector_size(random.below(40) as u32)),
                6 => drop(world.set_tile_cache_bytes(random.below(50_000) as u64)),
                7 => drop(world.set_update_seconds(f64::from(odd(&mut random)))),
                8 => world.set_solver([Solver::Eikonal, Solver::Octile][random.below(2)]),
                9 | 10 => {
                    let id = [1, 7, WALL][random.below(3)];
                    let _ = world.set_terrain(place.as_ivec2(), id);
                }
                11 => {
                    let kinds = vec![MovementType::default(); random.below(3)];
                    let _ = world.set_movement_types(&kinds);
                }
                12 => saved.push(world.save_tiles()),
                13 if !saved.is_empty() => {
                    let bytes = &saved[random.below(saved.len())];
                    let _ = world.load_tiles(bytes);
                    let _ = world.load_tiles(&bytes[..random.below(bytes.len())]);
                }
                14 => {
                    let _ = world.built_sectors(goal, random.below(3));
                    let _ = world.direction_map(goal, random.below(2));
                    let _ = world.portal_windows(random.below(3));
                }
                _ => {
                    let _ = world.update();
                    let _ = swarm.request_routes(&mut world);
                    swarm.step(&world, 0.05).expect("a valid step");
                }
            }
        }
    }
}
