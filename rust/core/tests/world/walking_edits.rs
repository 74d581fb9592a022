//! Goals that walk over ground that changes, into walls, and by jumps.

use crate::common::heroes::{Hero, open_place};
use crate::common::walking::{DEFAULT_PAIR, age, assert_sound, field, followed, settle, world_of};
use flow_swarm::grid::Grid;
use flow_swarm::movement::MovementType;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, open, rooms};
use std::sync::Arc;

/// Ten edits per second, near the goal and far from it. Fields being built are continued, and repaired when they are
/// finished.
#[test]
fn on_a_large_map_middle_fields_outlive_edits() {
    let map = rooms(840, 740, 32, 2);
    let mut world = world_of(&map, MovementType::default());
    world.set_walking_cells(9000);
    let mut hero = Hero::new(&mut world, 3);
    let goal = followed(&mut world, &[hero.at]);
    let mut random = SplitMix64::new(8);
    let mut middle = 0;
    for tick in 0..240 {
        let reach = if tick % 12 == 0 { 200 } else { 40 };
        let mut beside = || random.below(2 * reach) as i32 - reach as i32;
        let cell = hero.at.as_ivec2() + IVec2::new(beside(), beside());
        let cell = cell.clamp(IVec2::ONE, IVec2::new(838, 738));
        if tick % 6 == 0 && cell.as_vec2().distance(hero.at) > 8.0 {
            let id = if world.terrain().get(cell) == Ok(WALL) {
                1
            } else {
                WALL
            };
            world.set_terrain(cell, id).expect("inside");
        }
        hero.at.x += if tick / 80 % 2 == 0 { 0.1 } else { -0.1 };
        world.set_terrain(hero.at.as_ivec2(), 1).expect("inside");
        world.move_goal(goal, &[hero.at]).expect("inside");
        world.update();
        let ages = world.field_ages(goal, 0).expect("known").expect("finished");
        let far = ages.iter().max().copied().expect("cells");
        let is_between = |&&age: &&u32| 0 < age && age < far;
        middle += usize::from(ages.iter().filter(is_between).count() > 30_000);
        if tick % 30 == 29 {
            assert_sound(&world, goal, DEFAULT_PAIR, &format!("tick {tick}"));
        }
    }
    assert!(middle > 50, "middle fields in {middle} of 240 ticks");
}

#[test]
fn a_goal_that_jumps_leaves_the_field_of_before_until_the_next_is_finished() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    let mut random = SplitMix64::new(5);
    let first = open_place(&mut world, &mut random);
    let goal = followed(&mut world, &[first]);
    for jump in 0..12 {
        let before = field(&world, goal);
        let place = loop {
            let place = open_place(&mut world, &mut random);
            if place.distance(world.goal_targets(goal).expect("known")[0]) > 80.0 {
                break place;
            }
        };
        world.move_goal(goal, &[place]).expect("inside");
        world.update();
        let served = field(&world, goal);
        assert!(
            Arc::ptr_eq(&before, &served),
            "jump {jump}: the field of before"
        );
        assert!(age(&mut world, goal).is_some_and(|age| age > 0));
        settle(&mut world, goal);
        assert_sound(&world, goal, DEFAULT_PAIR, &format!("jump {jump}"));
    }
}

/// Its middle fields lead to where it was before the jump, so they are not used until new ones are finished, which is long
/// before the far field is.
#[test]
fn a_goal_that_jumps_out_of_its_middle_fields_is_led_to_by_new_ones() {
    let map = rooms(840, 740, 32, 2);
    let mut world = world_of(&map, MovementType::default());
    world.set_walking_cells(3000);
    let mut random = SplitMix64::new(5);
    let first = open_place(&mut world, &mut random);
    let goal = followed(&mut world, &[first]);
    for jump in 0..3 {
        let before = world.goal_targets(goal).expect("known")[0];
        let place = loop {
            let place = open_place(&mut world, &mut random);
            let cost = world.cost_to_goal(goal, place, 0).expect("inside");
            if place.distance(before) > 66.0 && cost.is_some_and(|cost| cost < 80.0) {
                break place;
            }
        };
        // A few steps, after which near and middle fields are in use, and the jump.
        for _ in 0..60 {
            let to = world.goal_targets(goal).expect("known")[0];
            let there = Vec2::new(before.x + f32::from(u8::from(to.x == before.x)), before.y);
            world.set_terrain(there.as_ivec2(), 1).expect("inside");
            world.move_goal(goal, &[there]).expect("inside");
            world.update();
        }
        world.move_goal(goal, &[place]).expect("inside");
        world.update();
        let what = format!("jump {jump}");
        assert!(age(&mut world, goal).is_some_and(|age| age > 0), "{what}");
        let mut ticks = 0;
        while age(&mut world, goal) != Some(0) {
            ticks += 1;
            world.update();
        }
        assert!((5..40).contains(&ticks), "{what}: {ticks} ticks");
        assert_sound(&world, goal, DEFAULT_PAIR, &what);
        settle(&mut world, goal);
        assert_sound(&world, goal, DEFAULT_PAIR, &what);
    }
}

/// The other side of the wall is in the window of a near field around the goal, and a long way from it. Fields that
/// lead to where the goal was are not used together with that near field.
#[test]
fn on_a_large_map_a_goal_jumps_over_a_wall() {
    let mut world = world_of(&open(840, 740), MovementType::default());
    for x in 0..700 {
        let cell = IVec2::new(x, 370);
        world.set_terrain(cell, WALL).expect("inside");
    }
    world.set_walking_cells(3000);
    let mut at = Vec2::new(100.5, 365.5);
    let goal = followed(&mut world, &[at]);
    let mut walk = |ticks: usize, at: &mut Vec2, found_near: &mut usize, what: &str| {
        for tick in 0..ticks {
            at.x += 0.1;
            world.move_goal(goal, &[*at]).expect("inside");
            world.update();
            if tick % 20 == 0 && age(&mut world, goal) == Some(0) {
                *found_near += 1;
                assert_sound(&world, goal, DEFAULT_PAIR, &format!("{what}, tick {tick}"));
            }
        }
    };
    let mut found_near = 0;
    walk(60, &mut at, &mut found_near, "before");
    assert!(found_near >= 3, "middle and near fields: {found_near}");
    for jump in 0..2 {
        at.y = 740.0 - at.y;
        walk(60, &mut at, &mut found_near, &format!("jump {jump}"));
    }
    assert!(found_near > 4, "near fields after a jump: {found_near}");
}

#[test]
fn a_goal_that_jumps_to_and_fro_is_followed_as_well_as_can_be() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    let mut random = SplitMix64::new(5);
    let ends = loop {
        let ends = [(); 3].map(|()| open_place(&mut world, &mut random));
        if (0..3).all(|end| ends[end].distance(ends[(end + 1) % 3]) > 70.0) {
            break ends;
        }
    };
    let goal = followed(&mut world, &ends[..1]);
    for tick in 0..400 {
        world
            .move_goal(goal, &[ends[1 + tick % 2]])
            .expect("inside");
        world.update();
    }
    let served = field(&world, goal);
    let leads_to = |end: &Vec2| served.cost_at(end.as_ivec2()) == Some(0.0);
    assert!(
        ends[1..].iter().any(leads_to),
        "a solve has been finished in the meantime"
    );
    settle(&mut world, goal);
    assert_sound(&world, goal, DEFAULT_PAIR, "afterwards");
}

#[test]
fn ground_changes_while_goals_walk() {
    for seed in 0..4 {
        let map = rooms(130, 120, 16, seed);
        let mut world = world_of(&map, MovementType::default());
        let mut random = SplitMix64::new(seed);
        let mut hero = Hero::new(&mut world, seed);
        let goal = followed(&mut world, &[hero.at]);
        for tick in 0..150 {
            if tick % 3 == 0 {
                let rect = crate::common::random_rect(&mut random, world.grid().size(), 5);
                if !rect.contains(hero.at.as_ivec2()) {
                    let id = [1, 1, 7, WALL][random.below(4)];
                    world.set_terrain_rect(rect, id).expect("inside");
                    // The path is another one now.
                    hero.way.clear();
                }
            }
            if tick % 40 == 39 {
                let all = if tick % 80 == 39 {
                    open(130, 120)
                } else {
                    map.clone()
                };
                world.set_terrain_bytes(&all.cost).expect("same size");
                hero.way.clear();
            }
            if world.fresh_costs(0).is_open(hero.at.as_ivec2()) {
                hero.walk(&mut world, 0.3);
            } else {
                hero = Hero::new(&mut world, seed + tick);
            }
            world.move_goal(goal, &[hero.at]).expect("inside");
            world.update();
            let target = hero.at;
            if world.field_age(goal, target, 0) == Ok(Some(0)) {
                assert_sound(
                    &world,
                    goal,
                    DEFAULT_PAIR,
                    &format!("seed {seed}, tick {tick}"),
                );
            }
        }
        assert!(world.build_stats().repairs > 5);
        settle(&mut world, goal);
    }
}

#[test]
fn a_goal_in_a_wall_or_on_another_island_is_led_to_once_it_can_be() {
    let mut map = open(120, 100);
    for y in 0..100 {
        map.cost[y * 120 + 60] = WALL;
    }
    let mut world = world_of(&map, MovementType::default());
    let goal = followed(&mut world, &[Vec2::new(30.5, 50.5)]);
    // Into the wall for some ticks and out of it again, for which nothing is solved.
    for x in [50.5, 59.5, 60.5, 60.5, 60.5, 59.5, 58.5] {
        world
            .move_goal(goal, &[Vec2::new(x, 50.5)])
            .expect("inside");
        world.update();
        let field = field(&world, goal);
        assert!(field.cost_at(IVec2::new(5, 5)).is_some(), "{x}");
    }
    settle(&mut world, goal);
    world
        .move_goal(goal, &[Vec2::new(61.5, 50.5)])
        .expect("inside");
    world.update();
    settle(&mut world, goal);
    assert_eq!(
        field(&world, goal).cost_at(IVec2::new(5, 5)),
        None,
        "the other island"
    );
    assert_sound(&world, goal, DEFAULT_PAIR, "on the other island");
    world
        .move_goal(goal, &[Vec2::new(60.5, 50.5)])
        .expect("inside");
    settle(&mut world, goal);
    assert_eq!(field(&world, goal).integration.reached_cell_count(), 0);
    world
        .move_goal(goal, &[Vec2::new(30.5, 50.5)])
        .expect("inside");
    world.update();
    assert_sound(&world, goal, DEFAULT_PAIR, "out of the wall");
}

#[test]
fn a_grid_that_changes_under_a_goal_that_walks() {
    let map = rooms(120, 110, 16, 7);
    let mut world = world_of(&map, MovementType::default());
    let goal = followed(&mut world, &[Vec2::new(40.5, 40.5)]);
    for step in 0..8 {
        let at = Vec2::new(40.5 + step as f32, 40.5);
        world.set_terrain(at.as_ivec2(), 1).expect("inside");
        world.move_goal(goal, &[at]).expect("inside");
        world.update();
    }
    let size = IVec2::new(90, 130);
    world.set_grid(Grid::new(size, 1.0, Vec2::ZERO).expect("valid"));
    world.update();
    assert_sound(&world, goal, DEFAULT_PAIR, "on the new grid");
    for step in 0..8 {
        let at = Vec2::new(47.5, 41.5 + step as f32);
        world.set_terrain(at.as_ivec2(), 1).expect("inside");
        world.move_goal(goal, &[at]).expect("inside");
        world.update();
        assert_sound(&world, goal, DEFAULT_PAIR, "on the new grid");
    }
}
