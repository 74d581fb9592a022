//! Tiled goals: a crowd goes by routes and tiles, and gets to where whole fields would lead it.

mod common;

use common::{cell_of, center_of, central_goal, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{Clearance, MovementType};
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
    assert!(
        swarm.is_empty(),
        "{name}: {} left, at {left:?}",
        swarm.len()
    );
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

/// A map in two halves, with a door of four cells in the wall between them, and one far from it.
fn two_doors() -> (CostMap, CellRect) {
    let mut map = open(120, 90);
    for y in 0..map.height {
        let index = map.index(60, y);
        let is_door = (20..24).contains(&y) || (80..82).contains(&y);
        if !is_door {
            map.cost[index] = WALL;
        }
    }
    let door = CellRect {
        low: IVec2::new(60, 20),
        high: IVec2::new(61, 24),
    };
    (map, door)
}

fn crowd_on_the_left() -> Vec<Vec2> {
    (0..80)
        .map(|number| Vec2::new(5.5 + (number % 10) as f32, 10.5 + (number / 10) as f32))
        .collect()
}

#[test]
fn a_door_shut_in_front_of_a_crowd_sends_it_to_the_other_one() {
    let (map, door) = two_doors();
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(4);
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..140 {
        tick(&mut world, &mut swarm);
    }
    let farthest = swarm
        .positions()
        .iter()
        .fold(0.0_f32, |most, at| most.max(at.x));
    assert!((40.0..60.0).contains(&farthest), "on the way: {farthest}");
    world.set_terrain_rect(door, WALL).expect("inside");
    arrive("by the other door", &mut world, &mut swarm, 120.0);
}

#[test]
fn a_crowd_waits_at_a_shut_door_and_goes_on_when_it_opens() {
    let (mut map, door) = two_doors();
    for y in 80..82 {
        let index = map.index(60, y);
        map.cost[index] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..140 {
        tick(&mut world, &mut swarm);
    }
    world.set_terrain_rect(door, WALL).expect("inside");
    for _ in 0..200 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.len(), 80, "nobody gets through a shut door");
    let place = swarm.positions()[0];
    let status = world.query_status(goal, place, 0).expect("known");
    assert_eq!(status, QueryStatus::Disconnected);
    assert_eq!(world.cost_to_goal(goal, place, 0).expect("known"), None);
    assert_eq!(world.path_from(goal, place, 0).expect("known"), []);
    world.set_terrain_rect(door, 1).expect("inside");
    arrive("the door is open", &mut world, &mut swarm, 80.0);
}

#[test]
fn edits_under_a_moving_crowd_stop_nobody() {
    for seed in 0..6 {
        let map = rooms(130, 100, 14, seed);
        let target = central_goal(&map).expect("open");
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(12);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 150, seed), goal);
        let mut random = SplitMix64::new(seed);
        let mut undo = Vec::new();
        for number in 0..400 {
            tick(&mut world, &mut swarm);
            if number % 7 == 0 {
                let cell = cell_of(&map, random.below(map.len()));
                if cell != cell_of(&map, target) {
                    let id = world.terrain().get(cell).expect("inside");
                    undo.push((cell, id));
                    let new = if id == WALL { 1 } else { WALL };
                    world.set_terrain(cell, new).expect("inside");
                }
            }
        }
        for (cell, id) in undo.into_iter().rev() {
            world.set_terrain(cell, id).expect("inside");
        }
        arrive(&format!("seed {seed}"), &mut world, &mut swarm, 400.0);
    }
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
        let status = world.query_status(part, place, 0).expect("known");
        assert!(
            matches!(status, QueryStatus::Pending),
            "{place}: {status:?}"
        );
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
fn a_goal_that_moves_is_followed_by_old_tiles_until_new_ones_are_there() {
    let map = open(160, 160);
    let mut world = world_of(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(150.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    world.set_tile_limit(2);
    world
        .move_goal(goal, &[Vec2::new(20.5, 150.5)])
        .expect("inside");
    tick(&mut world, &mut swarm);
    let velocity = swarm.velocities()[0];
    assert!(velocity.x > 4.0, "still by the old tiles: {velocity}");
    for _ in 0..200 {
        tick(&mut world, &mut swarm);
    }
    let velocity = swarm.velocities()[0];
    assert!(velocity.y > 4.0, "by the new ones: {velocity}");
    arrive("at the new place", &mut world, &mut swarm, 60.0);
}

#[test]
fn a_goal_that_moves_in_every_tick_is_caught() {
    let map = open(100, 100);
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(30);
    let at = |number: i32| Vec2::new(60.5 + 0.05 * number as f32, 70.5 - 0.05 * number as f32);
    let goal = tiled(&mut world, at(0));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for number in 1..700 {
        world.move_goal(goal, &[at(number)]).expect("inside");
        tick(&mut world, &mut swarm);
    }
    assert!(swarm.len() < 40, "{} have not come near", swarm.len());
}

#[test]
fn the_unreachable_is_named_and_costs_nothing() {
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
        let refused = world.set_tile_seconds(seconds);
        assert!(
            matches!(
                refused,
                Err(Error::OutOfRange {
                    name: "tile_seconds",
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
fn a_goal_in_a_wall_is_reached_when_the_wall_goes() {
    let map = open(70, 70);
    let mut world = world_of(&map, Workers::serial());
    let rect = CellRect {
        low: IVec2::new(50, 50),
        high: IVec2::new(56, 56),
    };
    world.set_terrain_rect(rect, WALL).expect("inside");
    let goal = tiled(&mut world, Vec2::new(53.5, 53.5));
    let starts = crowd_on_the_left();
    let mut swarm = swarm_of(&world, &starts, goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    let status = world.query_status(goal, starts[0], 0);
    assert_eq!(status, Ok(QueryStatus::GoalBlocked));
    world.set_terrain_rect(rect, 1).expect("inside");
    for _ in 0..40 {
        tick(&mut world, &mut swarm);
    }
    world.set_terrain_rect(rect, WALL).expect("inside");
    for _ in 0..40 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.len(), 80);
    world.set_terrain_rect(rect, 1).expect("inside");
    arrive("the wall has gone", &mut world, &mut swarm, 60.0);
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

#[test]
fn nobody_is_lost_while_there_is_a_route() {
    for seed in 0..5 {
        let map = rooms(110, 110, 13, seed);
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit([0, 3, 40, 1000, 7][seed as usize]);
        let mut random = SplitMix64::new(seed);
        let mut somewhere = || {
            let open: Vec<usize> = (0..map.len())
                .filter(|&cell| map.is_passable(cell))
                .collect();
            center_of(&map, open[random.below(open.len())])
        };
        let goals: Vec<GoalId> = (0..3).map(|_| tiled(&mut world, somewhere())).collect();
        let starts: Vec<Vec2> = (0..120).map(|_| somewhere()).collect();
        let mut swarm = swarm_of(&world, &starts[..40], goals[0]);
        let settings = Settings {
            arrival: ArrivalAction::Stop,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        for group in 1..3 {
            let starts = &starts[40 * group..][..40];
            swarm
                .spawn(&world, starts, 0, group as i64)
                .expect("inside");
            let goal = Some(goals[group]);
            swarm.set_group_goal(group as i64, goal).expect("a group");
        }
        let mut random = SplitMix64::new(seed + 100);
        for number in 0..500 {
            if number % 3 == 0 {
                let cell = cell_of(&map, random.below(map.len()));
                let id = world.terrain().get(cell).expect("inside");
                let new = if id == WALL { 1 } else { WALL };
                world.set_terrain(cell, new).expect("inside");
            }
            if number % 40 == 39 {
                world
                    .move_goal(goals[random.below(3)], &[somewhere()])
                    .expect("inside");
            }
            tick(&mut world, &mut swarm);
            let lost = swarm.events().lost.clone();
            for id in lost {
                let index = swarm.index_of(id).expect("alive");
                let (at, group) = (swarm.positions()[index], index / 40);
                let target = world.goal_targets(goals[group]).expect("known")[0];
                assert!(
                    !world.is_reachable(at, target, 0).expect("inside"),
                    "seed {seed}, tick {number}: lost at {at}, but {target} can be reached"
                );
            }
        }
    }
}
