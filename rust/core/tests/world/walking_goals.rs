//! Goals that walk: near them the field equals a solve of the whole map, and it leads to them from everywhere in the
//! end.

use crate::common::heroes::{Hero, open_place};
use crate::common::walking::{
    CELLS, DEFAULT_PAIR, age, assert_sound, field, followed, on_the_way_to_the_road, settle,
    world_of, world_with_a_road,
};
use crate::common::{SOLVERS_AND_RULES, every_map};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, open, rooms, terrain};
use std::sync::Arc;

#[test]
fn near_a_goal_that_walks_fields_equal_a_solve_of_the_whole_map() {
    let near = WallPenalty::new(9, 2, true).expect("in range");
    let kinds = [
        MovementType::default(),
        MovementType::with_wall_penalty(near)
            .with_clearance(Clearance::new(0.9).expect("in range")),
    ];
    let (mut parted, mut ticks) = (0, 0);
    for (number, (name, map)) in every_map(97, 83, 3).into_iter().enumerate() {
        if map.len() <= CELLS {
            continue;
        }
        for (turn, &pair) in SOLVERS_AND_RULES.iter().enumerate() {
            let kind = kinds[(number + turn) % 2].clone();
            let mut world = world_of(&map, kind);
            if !(0..map.len()).any(|cell| world.costs(0).is_open(world.grid().cell(cell))) {
                continue;
            }
            world.set_solver(pair.0);
            world.set_direction_rule(pair.1);
            let mut hero = Hero::new(&mut world, 5 + turn as u64);
            let goal = world.create_goal(&[hero.at]).expect("inside");
            world.require(goal, 0).expect("known");
            for tick in 0..60 {
                hero.walk(&mut world, 0.35);
                world.move_goal(goal, &[hero.at]).expect("inside");
                world.update();
                if tick % 7 == 0 {
                    let what = format!("{name}, {pair:?}, tick {tick}");
                    assert_sound(&world, goal, pair, &what);
                }
                parted += usize::from(!field(&world, goal).is_whole());
            }
            ticks += 60;
        }
    }
    // In a small pocket of open cells the hero stands still.
    assert!(
        parted * 3 > ticks * 2,
        "near fields in {parted} of {ticks} ticks"
    );
}

#[test]
fn several_heroes_in_one_goal_and_several_goals_at_once() {
    for (name, map) in [
        ("rooms", rooms(150, 130, 16, 2)),
        ("terrain", terrain(150, 130, 4)),
    ] {
        let mut world = world_of(&map, MovementType::default());
        let mut parties: Vec<Vec<Hero>> = (0..3)
            .map(|party| {
                (0..=party * 2)
                    .map(|hero| Hero::new(&mut world, 10 * party + hero))
                    .collect()
            })
            .collect();
        let places = |party: &Vec<Hero>| party.iter().map(|hero| hero.at).collect::<Vec<_>>();
        let goals: Vec<GoalId> = (parties.iter())
            .map(|party| followed(&mut world, &places(party)))
            .collect();
        for tick in 0..80 {
            for (party, &goal) in parties.iter_mut().zip(&goals) {
                // Each hero of a party stands still from time to time.
                for (number, hero) in party.iter_mut().enumerate() {
                    if (tick / 10 + number) % 3 != 0 {
                        hero.walk(&mut world, 0.3);
                    }
                }
                world.move_goal(goal, &places(party)).expect("inside");
            }
            world.update();
            if tick % 9 == 0 {
                for &goal in &goals {
                    assert_sound(&world, goal, DEFAULT_PAIR, &format!("{name}, tick {tick}"));
                }
            }
        }
        for &goal in &goals {
            settle(&mut world, goal);
            assert_sound(&world, goal, DEFAULT_PAIR, name);
        }
    }
}

#[test]
fn goals_walk_on_layers_and_by_links() {
    let grid = Grid::layered(IVec2::new(80, 70), 1.0, Vec2::ZERO, 2).expect("valid");
    let mut checks = 0;
    for seed in 0..8 {
        let mut random = SplitMix64::new(seed);
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_walking_cells(CELLS);
        for _ in 0..40 {
            let low = open_place(&mut world, &mut random).as_ivec2();
            let high = (low + IVec2::new(1 + random.below(9) as i32, 2)).min(grid.size());
            let rect = CellRect { low, high };
            if (low.y..high.y).all(|y| grid.is_on_layer(IVec2::new(low.x, y))) {
                world.set_terrain_rect(rect, WALL).expect("inside");
            }
        }
        for _ in 0..14 {
            let ends = [(); 2].map(|()| open_place(&mut world, &mut random).as_ivec2());
            let cost = 1.0 + random.below(30) as f32;
            let both_ways = random.below(2) == 0;
            let [from, to] = ends;
            let _ = world.add_link(Link {
                from,
                to,
                cost,
                both_ways,
                travel: Travel::AtOnce,
            });
        }
        let mut heroes = [(); 2].map(|()| Hero::new(&mut world, random.below(1000) as u64));
        let goal = followed(&mut world, &heroes.each_ref().map(|hero| hero.at));
        for tick in 0..60 {
            for hero in &mut heroes {
                hero.walk(&mut world, 0.4);
            }
            world
                .move_goal(goal, &heroes.each_ref().map(|hero| hero.at))
                .expect("inside");
            world.update();
            // A hero that uses a link has jumped.
            if tick % 6 == 0 && age(&mut world, goal) == Some(0) {
                checks += 1;
                assert_sound(
                    &world,
                    goal,
                    DEFAULT_PAIR,
                    &format!("seed {seed}, tick {tick}"),
                );
            }
        }
    }
    assert!(checks > 40, "{checks}");
}

/// Maps with one tier of middle fields and with two.
#[test]
fn on_large_maps_fields_lead_one_to_the_next() {
    for (name, map, tiers) in [
        ("rooms", rooms(420, 380, 32, 2), 1),
        ("terrain", terrain(420, 380, 4), 1),
        ("large rooms", rooms(840, 740, 32, 2), 2),
        ("large terrain", terrain(840, 740, 4), 2),
    ] {
        let mut world = world_of(&map, MovementType::default());
        world.set_walking_cells(1500 << tiers);
        let mut hero = Hero::new(&mut world, 3);
        let goal = followed(&mut world, &[hero.at]);
        let (mut oldest, mut parts) = (0, 0);
        for tick in 0..160 {
            hero.walk(&mut world, 0.25);
            world.move_goal(goal, &[hero.at]).expect("inside");
            world.update();
            if tick % 20 == 0 {
                let mut ages = world.field_ages(goal, 0).expect("known").expect("finished");
                ages.sort_unstable();
                ages.dedup();
                parts = parts.max(ages.len());
                oldest = oldest.max(ages.last().copied().unwrap_or(0));
                let near =
                    assert_sound(&world, goal, DEFAULT_PAIR, &format!("{name}, tick {tick}"));
                assert!(tick == 0 || near < 20_000, "{name}, tick {tick}: {near}");
            }
        }
        assert_eq!(parts, 2 + tiers, "{name}: near, middle and far");
        assert!(oldest > 60, "{name}: the far field is {oldest} ticks old");
        settle(&mut world, goal);
        assert_sound(&world, goal, DEFAULT_PAIR, name);
    }
}

/// A query may come before the update that gets where the goal is.
#[test]
fn middle_fields_have_an_age_when_the_goal_is_back_where_the_far_field_leads() {
    let mut world = world_of(&open(420, 380), MovementType::default());
    world.set_walking_cells(3000);
    let at = |step: i32| Vec2::new(200.5 + 0.25 * step as f32, 190.5);
    let goal = followed(&mut world, &[at(0)]);
    for step in 1..90 {
        world.move_goal(goal, &[at(step)]).expect("inside");
        world.update();
    }
    let place = Vec2::new(260.5, 190.5);
    let far = Vec2::splat(20.5);
    let ages = [place, far].map(|place| world.field_age(goal, place, 0));
    let [Ok(Some(middle)), Ok(Some(far_age))] = ages else {
        panic!("{ages:?}");
    };
    assert!(0 < middle && middle < far_age, "{middle}, {far_age}");
    // In the same cell, but not at the same place.
    let back = at(0) + Vec2::new(0.2, -0.2);
    world.move_goal(goal, &[back]).expect("inside");
    assert_eq!(world.field_age(goal, place, 0), Ok(Some(middle)));
    assert_eq!(world.field_age(goal, far, 0), Ok(Some(0)));
    assert_eq!(age(&mut world, goal), Some(0));
    world.update();
    assert_eq!(world.field_age(goal, place, 0), Ok(Some(0)));
}

#[test]
fn a_goal_that_walks_from_rough_ground_to_a_road_is_never_lost() {
    let mut world = world_with_a_road();
    let goal = followed(&mut world, &[on_the_way_to_the_road(0)]);
    for tick in 1..340 {
        let at = on_the_way_to_the_road(tick);
        world.move_goal(goal, &[at]).expect("inside");
        world.update();
        assert_eq!(age(&mut world, goal), Some(0), "tick {tick}");
        if tick % 30 == 0 {
            assert_sound(&world, goal, DEFAULT_PAIR, &format!("tick {tick}"));
        }
    }
}

#[test]
fn without_a_budget_every_move_solves_the_whole_field() {
    let map = rooms(100, 90, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    world.set_walking_cells(0);
    let mut hero = Hero::new(&mut world, 3);
    let goal = followed(&mut world, &[hero.at]);
    for tick in 0..20 {
        hero.walk(&mut world, 0.8);
        world.move_goal(goal, &[hero.at]).expect("inside");
        world.update();
        assert!(field(&world, goal).is_whole());
        assert_sound(&world, goal, DEFAULT_PAIR, &format!("tick {tick}"));
    }
}

#[test]
fn goals_of_many_cells_and_many_goals_that_walk() {
    let map = open(100, 90);
    let mut world = world_of(&map, MovementType::default());
    let crowd = |at: i32| -> Vec<Vec2> {
        (0..100)
            .map(|number| {
                Vec2::new(
                    10.5 + (number % 40) as f32,
                    (at + number / 40 * 5) as f32 + 0.5,
                )
            })
            .collect()
    };
    let wide = followed(&mut world, &crowd(10));
    let goals: Vec<GoalId> = (0..256)
        .map(|number| followed(&mut world, &[Vec2::new(1.5 + (number % 90) as f32, 20.5)]))
        .collect();
    for tick in 0..6 {
        world.move_goal(wide, &crowd(11 + tick)).expect("inside");
        for (number, &goal) in goals.iter().enumerate() {
            let at = Vec2::new(1.5 + (number % 90) as f32, 21.5 + tick as f32);
            world.move_goal(goal, &[at]).expect("inside");
        }
        world.update();
        assert!(field(&world, wide).is_whole(), "solved whole");
        assert_sound(&world, wide, DEFAULT_PAIR, "the wide goal");
    }
    for &goal in goals.iter().step_by(50) {
        assert_sound(&world, goal, DEFAULT_PAIR, "one of many");
    }
}

/// Also without a budget, where every other move solves the whole field.
#[test]
fn a_move_within_a_cell_moves_the_target_and_solves_nothing() {
    let map = rooms(160, 140, 16, 7);
    for cells in [CELLS, 0] {
        let mut world = world_of(&map, MovementType::default());
        world.set_walking_cells(cells);
        let goal = followed(&mut world, &[Vec2::new(80.5, 70.5)]);
        world.set_terrain(IVec2::new(80, 70), 1).expect("inside");
        world.update();
        let solves = world.build_stats().full_solves;
        world
            .move_goal(goal, &[Vec2::new(80.25, 70.75)])
            .expect("inside");
        world.update();
        let near = world.build_stats().near_solves;
        for step in 0_u8..10 {
            let target = Vec2::new(80.1 + 0.08 * f32::from(step), 70.4);
            world.move_goal(goal, &[target]).expect("inside");
            let told = world.update();
            assert!(told.ready.is_empty(), "no new field");
            let field = field(&world, goal);
            assert_eq!(field.target_in(IVec2::new(80, 70)), Some(target));
            let way = field.sample_for(Vec2::new(80.9, 70.9), 0.0);
            let wanted = (target - Vec2::new(80.9, 70.9)).normalize();
            assert!(way.distance(wanted) < 1.0e-5, "{way} instead of {wanted}");
            assert_sound(&world, goal, DEFAULT_PAIR, "in the cell");
            assert_eq!(age(&mut world, goal), Some(0));
        }
        let stats = world.build_stats();
        assert_eq!((stats.full_solves, stats.near_solves), (solves, near));
        // An edit in the same tick counts nevertheless.
        let target = Vec2::new(80.3, 70.3);
        world.move_goal(goal, &[target]).expect("inside");
        world.set_terrain(IVec2::new(84, 70), 255).expect("inside");
        world.update();
        assert_sound(&world, goal, DEFAULT_PAIR, "after an edit");
    }
}

/// A query moves the target ahead of the simulation, which gets where the goal is in its next update.
#[test]
fn queries_of_a_goal_that_moves_within_a_cell_solve_nothing() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    world.set_terrain(IVec2::new(80, 70), 1).expect("inside");
    let goal = world.create_goal(&[Vec2::new(80.5, 70.5)]).expect("inside");
    let at = Vec2::new(80.5, 70.9);
    let way = |world: &mut FlowWorld| world.flow_vector(goal, at, 0).expect("inside");
    assert_eq!(way(&mut world), Vec2::new(0.0, -1.0));
    let solves = world.build_stats().full_solves;
    for target in [
        Vec2::new(80.1, 70.5),
        Vec2::new(80.5, 70.1),
        Vec2::new(80.9, 70.9),
    ] {
        world.move_goal(goal, &[target]).expect("inside");
        let wanted = (target - at).normalize();
        let way = way(&mut world);
        assert!(way.distance(wanted) < 1.0e-5, "{way} instead of {wanted}");
    }
    assert_eq!(world.build_stats().full_solves, solves);
}

/// A hero that walks must not keep a core busy, and distant agents must eventually learn its position.
#[test]
fn in_the_background_far_fields_are_built_now_and_then() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    world.set_workers(Workers::new(2).expect("threads"));
    world.set_background(true);
    // The hero plans its paths at once.
    let mut planner = world_of(&map, MovementType::default());
    let mut hero = Hero::new(&mut planner, 3);
    let goal = followed(&mut world, &[hero.at]);
    let wait = |world: &mut FlowWorld| {
        // Waits for the running builds; the next update applies them.
        world.set_workers(Workers::new(2).expect("threads"));
        world.update();
    };
    wait(&mut world);
    let mut far = vec![Arc::clone(&field(&world, goal).integration)];
    for tick in 0..300 {
        hero.walk(&mut planner, 0.1);
        world.move_goal(goal, &[hero.at]).expect("inside");
        wait(&mut world);
        assert_sound(&world, goal, DEFAULT_PAIR, &format!("tick {tick}"));
        let now = Arc::clone(&field(&world, goal).integration);
        if !Arc::ptr_eq(&now, far.last().expect("one")) {
            far.push(now);
        }
    }
    let built = far.len() - 1;
    assert!(built > 1 && built < 30, "{built} far fields for 30 cells");
    for _ in 0..40 {
        wait(&mut world);
    }
    assert_eq!(world.field_age(goal, Vec2::splat(0.5), 0), Ok(Some(0)));
}
