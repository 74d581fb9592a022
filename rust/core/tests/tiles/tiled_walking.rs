//! Tiled goals that walk: near them directions equal those of a solve of the whole map, and agents arrive from
//! everywhere.

use crate::common::crowds::{DT, SPEED, swarm_of, tick, tiled};
use crate::common::heroes::{Hero, open_place};
use crate::common::unit_grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, Route, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open, random_walls, rooms, terrain};

/// So few cells that goals walk even on the small maps of these tests.
const CELLS: usize = 300;
/// The distance that the hero walks in a tick, in cells.
const PACE: f32 = 0.2;

fn world_of(map: &CostMap) -> FlowWorld {
    let mut world = FlowWorld::new(unit_grid(map), Workers::serial());
    world.set_terrain_bytes(&map.cost).expect("same size");
    world.set_walking_cells(CELLS);
    world
}

/// Agents at random places from which the hero can be reached. They stop when they reach the hero.
fn chasers(world: &mut FlowWorld, goal: GoalId, count: usize, seed: u64) -> Swarm {
    let mut random = SplitMix64::new(seed);
    let hero = world.goal_targets(goal).expect("known")[0];
    let mut starts = Vec::new();
    while starts.len() < count {
        let place = open_place(world, &mut random);
        if world.is_reachable(place, hero, 0) == Ok(true) {
            starts.push(place);
        }
    }
    let mut swarm = swarm_of(world, &starts, goal);
    let settings = Settings {
        arrival: ArrivalAction::Stop,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm
}

fn settle(world: &mut FlowWorld, swarm: &mut Swarm) {
    for _ in 0..2000 {
        swarm.request_routes(world).expect("known");
        world.update();
        let stats = world.tile_stats();
        if stats.waiting == 0 && stats.queued == 0 {
            return;
        }
    }
    panic!("tiles wait for ever");
}

/// The end of the path of a point that follows the present directions in small steps along walls; an error with the
/// place at which it gets stuck.
fn end_of_way(world: &FlowWorld, route: &Route, mut at: Vec2) -> Result<Vec2, Vec2> {
    let is_open = |at: Vec2| world.costs(0).is_open(at.floor().as_ivec2());
    for _ in 0..12_000 {
        let cell = at.floor().as_ivec2();
        if route.is_goal(cell) {
            return Ok(at);
        }
        if let Some(end) = route.link_from(cell) {
            at = end.as_vec2() + 0.5;
            continue;
        }
        let step = route.sample_for(at, 0.0) * 0.1;
        let ways = [step, Vec2::new(step.x, 0.0), Vec2::new(0.0, step.y)];
        let free = ways
            .into_iter()
            .find(|&way| way != Vec2::ZERO && is_open(at + way));
        at += free.ok_or(at)?;
    }
    Err(at)
}

/// Asserts that the present directions lead from all agents to the goal's present position.
fn assert_all_arrive(world: &FlowWorld, goal: GoalId, swarm: &Swarm, what: &str) {
    let route = world.route(goal, 0).expect("requested");
    let targets = world.goal_targets(goal).expect("known");
    for &start in swarm.positions().iter().step_by(7) {
        let end = end_of_way(world, &route, start);
        let end = end.unwrap_or_else(|at| panic!("{what}: a point from {start} is stuck at {at}"));
        let is_there = |target: &Vec2| target.floor() == end.floor();
        assert!(
            targets.iter().any(is_there),
            "{what}: {start} ends at {end}"
        );
    }
}

fn maps() -> [(&'static str, CostMap); 4] {
    [
        ("open", open(190, 170)),
        ("rooms", rooms(190, 170, 16, 2)),
        ("terrain", terrain(190, 170, 4)),
        ("walls", random_walls(190, 170, 15, 3)),
    ]
}

#[test]
fn from_everywhere_agents_arrive_where_the_goal_is_now() {
    for (name, map) in maps() {
        let mut world = world_of(&map);
        let mut hero = Hero::new(&mut world, 5);
        let goal = tiled(&mut world, hero.at);
        let mut swarm = chasers(&mut world, goal, 60, 4);
        settle(&mut world, &mut swarm);
        for number in 0..500 {
            hero.walk(&mut world, PACE);
            world.move_goal(goal, &[hero.at]).expect("inside");
            swarm.request_routes(&mut world).expect("known");
            world.update();
            if number % 25 == 0 {
                let what = format!("{name}, tick {number}");
                assert_all_arrive(&world, goal, &swarm, &what);
            }
            // The agents come nearer, and so they are later found in other parts of the field.
            if number % 3 == 0 {
                swarm.step(&world, DT).expect("valid");
            }
        }
    }
}

/// Plain tiles are built only where agents stand, so a crowd shows whether they lead to the goal.
#[test]
fn a_crowd_on_plain_tiles_comes_to_a_goal_that_walks() {
    // On terrain agents are slow.
    for (name, map) in maps().into_iter().filter(|map| map.0 != "terrain") {
        let mut world = world_of(&map);
        world.set_tile_variant(TileVariant::Plain);
        let mut hero = Hero::new(&mut world, 5);
        let goal = tiled(&mut world, hero.at);
        let mut swarm = chasers(&mut world, goal, 60, 4);
        for _ in 0..1200 {
            hero.walk(&mut world, 0.3 * SPEED * DT);
            world.move_goal(goal, &[hero.at]).expect("inside");
            tick(&mut world, &mut swarm);
        }
        let is_far = |at: &&Vec2| at.distance(hero.at) > 20.0;
        let far = swarm.positions().iter().filter(is_far).count();
        assert!(far < 6, "{name}: {far} of 60 are far away");
    }
}

#[test]
fn near_the_goal_queries_and_agents_get_what_a_whole_field_has() {
    for (name, map) in maps() {
        let mut world = world_of(&map);
        let mut hero = Hero::new(&mut world, 8);
        let goal = tiled(&mut world, hero.at);
        let whole = world.create_goal(&[hero.at]).expect("inside");
        let mut swarm = chasers(&mut world, goal, 40, 4);
        settle(&mut world, &mut swarm);
        let (mut near, mut far) = (0, 0);
        for number in 0..120 {
            hero.walk(&mut world, PACE);
            for goal in [goal, whole] {
                world.move_goal(goal, &[hero.at]).expect("inside");
            }
            swarm.request_routes(&mut world).expect("known");
            world.update();
            if number % 15 != 14 {
                continue;
            }
            // No agent follows the second goal: it is solved for its present position.
            for index in (0..map.len()).step_by(23) {
                let at = world.grid().cell(index).as_vec2() + 0.5;
                let age = world.field_age(goal, at, 0).expect("inside");
                if age != Some(0) {
                    far += 1;
                    continue;
                }
                near += 1;
                let costs = [goal, whole].map(|goal| world.cost_to_goal(goal, at, 0));
                assert_eq!(costs[0], costs[1], "{name}: cost at {at}");
                let ways = [goal, whole].map(|goal| world.flow_vector(goal, at, 0));
                let [tiled, whole_way] = ways.map(|way| way.expect("inside"));
                let is_same = tiled.abs_diff_eq(whole_way, 1e-5);
                assert!(is_same, "{name}: {tiled} and {whole_way} at {at}");
                let paths = [goal, whole].map(|goal| world.path_from(goal, at, 0));
                assert_eq!(paths[0], paths[1], "{name}: path from {at}");
            }
        }
        assert!(near > 300 && far > 300, "{name}: {near} near, {far} far");
    }
}

/// A hero that walks costs a few near fields, and sometimes tiles.
#[test]
fn a_walk_costs_little() {
    let map = rooms(400, 380, 16, 2);
    let mut world = world_of(&map);
    world.set_walking_cells(3072);
    let mut hero = Hero::new(&mut world, 3);
    let goal = tiled(&mut world, hero.at);
    let mut swarm = chasers(&mut world, goal, 100, 4);
    settle(&mut world, &mut swarm);
    let built = world.tile_stats().built;
    let (mut cells, mut most) = (0, 0);
    for _ in 0..900 {
        let before = hero.at.floor();
        hero.walk(&mut world, 0.07);
        cells += u64::from(hero.at.floor() != before);
        world.move_goal(goal, &[hero.at]).expect("inside");
        let before = world.tile_stats().built;
        tick(&mut world, &mut swarm);
        most = most.max(world.tile_stats().built - before);
        let age = world.field_age(goal, hero.at, 0).expect("inside");
        assert_eq!(age, Some(0), "led to where he is");
    }
    let solves = world.build_stats().near_solves;
    // Routes that come into use need no further near fields.
    assert!(
        solves <= 2 * cells,
        "{solves} near fields for {cells} cells"
    );
    let built = world.tile_stats().built - built;
    assert!(most <= 100, "{most} tiles in a tick");
    assert!((200..30_000).contains(&built), "{built} tiles");
}

/// The ticks until 20, 60 and 100 of 400 chasers have caught a hero who walks through rooms at half of their speed.
fn ticks_to_catch(seed: u64, is_tiled: bool) -> [u32; 3] {
    let map = rooms(150, 150, 16, seed);
    let mut world = world_of(&map);
    world.set_walking_cells(if is_tiled { CELLS } else { 0 });
    let mut hero = Hero::new(&mut world, 9);
    let goal = if is_tiled {
        tiled(&mut world, hero.at)
    } else {
        world.create_goal(&[hero.at]).expect("inside")
    };
    let mut swarm = chasers(&mut world, goal, 400, 4);
    let mut ticks = Vec::new();
    let mut has_caught = vec![false; swarm.len()];
    for number in 0..2000 {
        hero.walk(&mut world, SPEED * DT * 0.5);
        world.move_goal(goal, &[hero.at]).expect("inside");
        tick(&mut world, &mut swarm);
        for (agent, at) in swarm.positions().iter().enumerate() {
            if !has_caught[agent] && at.distance(hero.at) < 2.0 {
                has_caught[agent] = true;
                ticks.push(number);
            }
        }
        if ticks.len() > 100 {
            return [ticks[20], ticks[60], ticks[100]];
        }
    }
    panic!("{} have caught him", ticks.len());
}

#[test]
fn chasers_catch_a_hero_as_soon_as_by_whole_fields() {
    // In a single map a door more or less before the hero makes a fifth of the time.
    let total = |is_tiled| {
        let of_maps = (6..10).map(|seed| ticks_to_catch(seed, is_tiled));
        of_maps.fold([0; 3], |all, ticks| [0, 1, 2].map(|at| all[at] + ticks[at]))
    };
    let [whole, tiled] = [false, true].map(total);
    for (whole, tiled) in whole.into_iter().zip(tiled) {
        let ratio = f64::from(tiled) / f64::from(whole);
        assert!((0.9..1.1).contains(&ratio), "{whole} and {tiled}");
    }
}

#[test]
fn a_goal_that_jumps_is_followed_in_the_end_whatever_it_does_next() {
    let map = rooms(160, 140, 16, 7);
    for seed in 0..3 {
        let mut world = world_of(&map);
        world.set_tile_limit(20);
        let mut random = SplitMix64::new(seed);
        let mut hero = Hero::new(&mut world, seed);
        let goal = tiled(&mut world, hero.at);
        let mut swarm = chasers(&mut world, goal, 60, seed);
        for number in 0..400 {
            // The hero walks, jumps, alternates between two places, and enters walls.
            let place = match number / 50 % 4 {
                0 | 2 => {
                    hero.walk(&mut world, PACE);
                    hero.at
                }
                1 if number % 10 == 0 => {
                    hero = Hero::new(&mut world, seed + number);
                    hero.at
                }
                1 => hero.at,
                _ => {
                    let aside = if number % 2 == 0 { 40.0 } else { 0.0 };
                    let limit = Vec2::new(159.5, 139.5);
                    (hero.at + Vec2::new(aside, 0.5 * aside)).min(limit)
                }
            };
            world.move_goal(goal, &[place]).expect("inside");
            if number % 9 == 0 {
                let cell = world.grid().cell(random.below(map.len()));
                let id = world.terrain().get(cell).expect("inside");
                if place.distance(cell.as_vec2()) > 3.0 {
                    let new = if id == WALL { 1 } else { WALL };
                    world.set_terrain(cell, new).expect("inside");
                }
            }
            tick(&mut world, &mut swarm);
        }
        world.set_terrain_bytes(&map.cost).expect("same size");
        let place = open_place(&mut world, &mut random);
        world.move_goal(goal, &[place]).expect("inside");
        for _ in 0..1500 {
            tick(&mut world, &mut swarm);
        }
        let hero = place;
        for &at in swarm.positions() {
            let can = world.is_reachable(at, hero, 0) == Ok(true);
            assert!(
                !can || at.distance(hero) < 12.0,
                "seed {seed}: {at} to {hero}"
            );
        }
    }
}

#[test]
fn tiled_goals_walk_by_links_from_layer_to_layer() {
    let grid = Grid::layered(IVec2::new(90, 80), 1.0, Vec2::ZERO, 2).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    world.set_walking_cells(CELLS);
    let mut random = SplitMix64::new(3);
    for _ in 0..12 {
        let ends = [(); 2].map(|()| open_place(&mut world, &mut random).as_ivec2());
        let _ = world.add_link(Link {
            from: ends[0],
            to: ends[1],
            cost: 4.0,
            both_ways: true,
            travel: Travel::AtOnce,
        });
    }
    let mut hero = Hero::new(&mut world, 3);
    let goal = tiled(&mut world, hero.at);
    let mut swarm = chasers(&mut world, goal, 60, 4);
    settle(&mut world, &mut swarm);
    let mut checked = 0;
    for number in 0..300 {
        hero.walk(&mut world, PACE);
        world.move_goal(goal, &[hero.at]).expect("inside");
        swarm.request_routes(&mut world).expect("known");
        world.update();
        if number % 20 == 0 {
            // A hero that uses a link may have jumped.
            if world.field_age(goal, hero.at, 0) != Ok(Some(0)) {
                continue;
            }
            checked += 1;
            assert_all_arrive(&world, goal, &swarm, &format!("tick {number}"));
        }
    }
    assert!(checked > 8, "{checked} checks");
}

#[test]
fn very_many_tiled_goals_walk_in_turns() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map);
    let mut heroes: Vec<Hero> = (0..256).map(|seed| Hero::new(&mut world, seed)).collect();
    let goals: Vec<GoalId> = heroes
        .iter()
        .map(|hero| tiled(&mut world, hero.at))
        .collect();
    let start = heroes[0].at;
    for &goal in &goals {
        world.request_route(goal, 0, start).expect("inside");
    }
    for _ in 0..40 {
        for (hero, &goal) in heroes.iter_mut().zip(&goals) {
            hero.walk(&mut world, 0.05);
            world.move_goal(goal, &[hero.at]).expect("inside");
        }
        let before = world.build_stats().near_solves;
        world.update();
        let solved = world.build_stats().near_solves - before;
        assert!(solved <= 120, "{solved} near fields in a tick");
    }
    for (hero, &goal) in heroes.iter().zip(&goals) {
        let age = world.field_age(goal, hero.at, 0).expect("inside");
        assert!(age.is_some(), "{goal:?}");
    }
}

#[test]
fn runs_repeat_with_any_number_of_threads_and_after_queries() {
    let run = |threads: usize, asks: bool| {
        let map = rooms(190, 170, 16, 2);
        let mut world = world_of(&map);
        world.set_workers(Workers::new(threads).expect("a few"));
        let mut hero = Hero::new(&mut world, 5);
        let goal = tiled(&mut world, hero.at);
        let mut swarm = chasers(&mut world, goal, 80, 4);
        for number in 0..250 {
            hero.at.x += if number / 60 % 2 == 0 { 0.1 } else { -0.1 };
            if number % 40 == 0 {
                let cell = IVec2::new(10 + number / 4, 30);
                world.set_terrain(cell, 1).expect("inside");
            }
            world.move_goal(goal, &[hero.at]).expect("inside");
            if asks {
                let at = Vec2::splat(20.5);
                world.flow_vector(goal, at, 0).expect("inside");
                world.cost_to_goal(goal, hero.at, 0).expect("inside");
                world.field_ages(goal, 0).expect("known");
            }
            tick(&mut world, &mut swarm);
        }
        let bits = |at: &Vec2| (at.x.to_bits(), at.y.to_bits());
        swarm.positions().iter().map(bits).collect::<Vec<_>>()
    };
    let once = run(1, false);
    assert_eq!(once, run(3, false), "three threads");
    assert_eq!(once, run(2, true), "with queries");
}

#[test]
fn a_grid_that_changes_under_a_tiled_goal_that_walks() {
    let map = open(160, 140);
    let mut world = world_of(&map);
    let goal = tiled(&mut world, Vec2::new(60.5, 60.5));
    let mut swarm = chasers(&mut world, goal, 30, 4);
    settle(&mut world, &mut swarm);
    for number in 0..120 {
        let at = Vec2::new(60.5 + 0.1 * number as f32, 60.5);
        world.move_goal(goal, &[at]).expect("inside");
        if number == 60 {
            let grid = Grid::new(IVec2::new(170, 150), 1.0, Vec2::ZERO).expect("valid");
            world.set_grid(grid);
            world
                .set_terrain_bytes(&vec![1; 170 * 150])
                .expect("same size");
        }
        if number == 80 {
            let rect = CellRect {
                low: IVec2::new(40, 50),
                high: IVec2::new(42, 90),
            };
            world.set_terrain_rect(rect, WALL).expect("inside");
        }
        tick(&mut world, &mut swarm);
        if number > 100 {
            assert_eq!(world.field_age(goal, at, 0), Ok(Some(0)), "tick {number}");
        }
    }
    assert_all_arrive(&world, goal, &swarm, "in the end");
}

/// So far that routes are renewed more than once, whose ends middle fields hold.
#[test]
fn on_a_large_map_routes_are_renewed_in_parts() {
    let map = rooms(840, 760, 32, 2);
    let mut world = world_of(&map);
    world.set_walking_cells(3072);
    let mut hero = Hero::new(&mut world, 3);
    let goal = tiled(&mut world, hero.at);
    let mut swarm = chasers(&mut world, goal, 80, 4);
    settle(&mut world, &mut swarm);
    let (mut most, mut oldest, mut begun) = (0, 0, 0);
    let far = swarm.positions()[0];
    for number in 0..3000 {
        hero.walk(&mut world, 0.2);
        if number > 1500 && number % 50 == 20 {
            // Not on the hero's path.
            let cell = (hero.at + Vec2::new(20.0, 15.0)).min(Vec2::new(835.0, 755.0));
            let cell = cell.as_ivec2();
            let id = world.terrain().get(cell).expect("inside");
            world
                .set_terrain(cell, if id == WALL { WALL } else { 2 })
                .expect("inside");
        }
        world.move_goal(goal, &[hero.at]).expect("inside");
        let before = world.tile_stats().built;
        swarm.request_routes(&mut world).expect("known");
        world.update();
        most = most.max(world.tile_stats().built - before);
        let age_of = |world: &mut FlowWorld, at| {
            let age = world.field_age(goal, at, 0).expect("inside");
            age.expect("requested")
        };
        assert_eq!(age_of(&mut world, hero.at), 0, "tick {number}");
        let age = age_of(&mut world, far);
        begun += usize::from(age < oldest);
        oldest = age;
        if number % 100 == 0 {
            assert_all_arrive(&world, goal, &swarm, &format!("tick {number}"));
            for &at in swarm.positions() {
                let has_tiles = world.has_first_tiles(goal, 0, at);
                assert_eq!(has_tiles, Ok(true), "tick {number}: tiles at {at}");
            }
        }
    }
    assert!(begun > 1, "new ways {begun} times");
    assert!(most <= 100, "{most} tiles in a tick");
}
