//! Changed movement types.

use crate::next_costs::{settle, told};
use crate::slices::{
    CELLS, SIZE, found, goal_in, open_places, other_costs, pair, updates_until_there,
};
use flow_swarm::grid::Grid;
use flow_swarm::movement::{CrowdPenalty, MovementType, TerrainSpeed, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, QueryStatus, Route};
use flow_swarm::{IVec2, Vec2};

#[test]
fn the_old_costs_stay_in_use_as_a_whole() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.update();
    }
    let before = (told(limited.costs(0)), found(&mut limited, goal));
    for world in [&mut limited, &mut whole] {
        world.set_movement_types(&[other_costs()]).expect("one");
    }
    let after = (told(whole.costs(0)), found(&mut whole, goal));
    let mut updates = 0;
    while limited.has_slices_left() {
        let now = (told(limited.costs(0)), found(&mut limited, goal));
        assert!(now == before, "update {updates}");
        limited.update();
        updates += 1;
    }
    // 96 rows of 11 cells of work each, 900 in an update, and the update that takes them over.
    assert_eq!(updates, 3);
    let now = (told(limited.costs(0)), found(&mut limited, goal));
    assert!(now == after && now != before);
}

#[test]
fn another_call_goes_on_with_what_it_does_not_change() {
    let ready = || {
        let [mut world, _] = pair();
        world.update();
        world.set_update_cells(50);
        world.set_movement_types(&[other_costs()]).expect("one");
        world
    };
    let updates = settle(&mut ready());
    assert!(updates > 20, "{updates}");
    // The same costs again, with other speeds: these change at once.
    let mut world = ready();
    let slow = TerrainSpeed::even().with_factor(1, 0.5).expect("in range");
    let slowed = other_costs().with_terrain_speed(&slow);
    for _ in 0..updates / 2 {
        world.update();
    }
    let old = told(world.costs(0));
    let at = open_places(&world)[0];
    let terrain = world.grid().cell_at(at);
    world.set_terrain(terrain, 1).expect("inside");
    assert_ne!(world.speed_factor(0, at), 0.5);
    world.set_movement_types(&[slowed]).expect("one");
    assert_eq!(world.speed_factor(0, at), 0.5);
    assert_eq!(settle(&mut world), updates - updates / 2);
    assert_eq!(world.speed_factor(0, at), 0.5);
    // Other costs follow those that are being written.
    let mut world = ready();
    let kind = MovementType::with_wall_penalty(WallPenalty::new(30, 3, true).expect("in range"));
    for _ in 0..updates / 2 {
        world.update();
    }
    world.set_movement_types(&[kind]).expect("one");
    // The update that takes over the costs in work writes the first rows of these.
    assert_eq!(settle(&mut world), 2 * updates - updates / 2 - 1);
    assert_ne!(told(world.costs(0)), old);
    // Those of which no row is written are not needed.
    let mut world = ready();
    let kind = MovementType::with_wall_penalty(WallPenalty::new(30, 3, true).expect("in range"));
    world.set_movement_types(&[kind]).expect("one");
    assert_eq!(settle(&mut world), updates);
    // Those in use are there.
    let mut world = ready();
    world.update();
    world
        .set_movement_types(&[MovementType::default()])
        .expect("one");
    assert!(!world.has_slices_left());
    world.update();
    assert_eq!(told(world.costs(0)), old);
}

#[test]
fn crowds_count_as_long_as_a_type_in_work_minds_them() {
    let [mut world, _] = pair();
    world.update();
    world.set_update_cells(50);
    let crowds = CrowdPenalty::new(9).expect("in range");
    let minding = MovementType::default().with_crowd_penalty(crowds);
    world.set_movement_types(&[minding]).expect("one");
    world.update();
    world.set_movement_types(&[other_costs()]).expect("one");
    // In work, and then in use.
    while world.has_next_costs() {
        assert!(world.minds_crowds());
        world.update();
    }
    assert!(!world.minds_crowds());
}

#[test]
fn types_are_there_at_once_where_nothing_has_used_the_old_ones_or_nothing_waits() {
    let [mut world, mut whole] = [CELLS, 0].map(|cells| {
        let grid = Grid::new(IVec2::splat(SIZE as i32), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_update_cells(cells);
        world.set_terrain(IVec2::splat(9), 255).expect("inside");
        world.set_movement_types(&[other_costs()]).expect("one");
        world
    });
    assert!(!world.has_slices_left(), "before the first update");
    assert_eq!(told(world.costs(0)), told(whole.costs(0)));
    world.update();
    let plain = MovementType::default();
    let kinds = [plain.clone(), plain.clone()];
    world.set_movement_types(&kinds).expect("two");
    assert_eq!(told(world.costs(0)), told(whole.costs(0)));
    whole.set_movement_types(&kinds).expect("two");
    world.update();
    assert!(world.has_slices_left());
    // Without a limit all is taken over at once.
    world.set_update_cells(0);
    for movement in 0..2 {
        assert_ne!(told(world.costs(movement)), told(whole.costs(movement)));
    }
    world.update();
    assert!(!world.has_slices_left());
    for movement in 0..2 {
        assert_eq!(told(world.costs(movement)), told(whole.costs(movement)));
    }
}

/// An added type with the costs of the first one, in a world with orders for it.
fn with_an_added_type(mode: GoalMode) -> ([FlowWorld; 2], GoalId, Vec2) {
    let mut worlds = pair();
    let goals = worlds.each_mut().map(|world| {
        let goal = goal_in(world, mode);
        world.update();
        world.update();
        goal
    });
    let from = open_places(&worlds[0])[0];
    worlds[0].set_update_cells(100);
    for (world, goal) in worlds.iter_mut().zip(goals) {
        // It changes once more before a row of its costs is written.
        let penalty = WallPenalty::new(20, 3, true).expect("in range");
        for added in [MovementType::with_wall_penalty(penalty), other_costs()] {
            let kinds = [MovementType::default(), added];
            world.set_movement_types(&kinds).expect("two");
        }
        match mode {
            GoalMode::Tiled => drop(world.request_route(goal, 1, from).expect("known")),
            _ => world.require(goal, 1).expect("known"),
        }
    }
    (worlds, goals[0], from)
}

#[test]
fn an_added_type_has_the_costs_of_the_first_one_until_its_own_are_written() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let [mut limited, mut whole] = with_an_added_type(mode).0;
        assert!(!whole.has_next_costs());
        let first = told(limited.costs(0));
        let mut updates = 0;
        while limited.has_next_costs() {
            assert!(told(limited.costs(1)) == first, "update {updates}");
            limited.update();
            updates += 1;
        }
        whole.update();
        // 96 rows of 11 cells of work each, 100 in an update: what waits for them takes no part of it.
        assert!((9..=12).contains(&updates), "{mode:?}: {updates}");
        assert!(told(limited.costs(1)) == told(whole.costs(1)));
        assert!(told(limited.costs(1)) != first);
    }
}

#[test]
fn an_added_type_with_the_costs_of_the_first_one_is_there_at_once() {
    let [mut world, _] = pair();
    world.update();
    let slow = TerrainSpeed::even().with_factor(1, 0.5).expect("in range");
    let slowed = MovementType::default().with_terrain_speed(&slow);
    let kinds = [MovementType::default(), slowed];
    world.set_movement_types(&kinds).expect("two");
    assert!(!world.has_next_costs());
    assert!(told(world.costs(1)) == told(world.costs(0)));
    let at = open_places(&world)[0];
    let terrain = world.grid().cell_at(at);
    world.set_terrain(terrain, 1).expect("inside");
    assert_eq!(world.speed_factor(1, at), 0.5);
}

#[test]
fn fields_and_routes_of_an_added_type_wait_for_its_costs() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let ([mut limited, mut whole], goal, from) = with_an_added_type(mode);
        while limited.has_next_costs() {
            let status = limited.query_status(goal, from, 1).expect("known");
            let waiting = [QueryStatus::Pending, QueryStatus::Queued];
            assert!(waiting.contains(&status), "{mode:?}: {status:?}");
            limited.update();
        }
        let started = limited.build_stats().full_solves;
        settle(&mut limited);
        (0..99).for_each(|_| drop(limited.update()));
        (0..99).for_each(|_| drop(whole.update()));
        let solves = limited.build_stats().full_solves - started;
        assert_eq!(solves, u64::from(mode == GoalMode::Full), "{mode:?}");
        let places = open_places(&limited);
        let [of_limited, of_whole] =
            [&mut limited, &mut whole].map(|world| world.flow_vectors(goal, &places, 1));
        assert_eq!(of_limited, of_whole, "{mode:?}");
    }
}

#[test]
fn a_new_grid_has_the_costs_of_the_newest_types() {
    let [mut limited, mut whole] = pair();
    let shorter = IVec2::new(SIZE as i32, SIZE as i32 - 7);
    let grid = Grid::new(shorter, 1.0, Vec2::ZERO).expect("valid");
    for world in [&mut limited, &mut whole] {
        world.update();
        world.set_movement_types(&[other_costs()]).expect("one");
        world.update();
    }
    limited.update();
    for world in [&mut limited, &mut whole] {
        world.set_grid(grid);
    }
    assert!(!limited.has_slices_left());
    assert_eq!(told(limited.costs(0)), told(whole.costs(0)));
}

#[test]
fn a_field_is_built_on_the_old_costs_beside_the_new_ones() {
    let [mut world, _] = pair();
    world.update();
    world.set_update_cells(100);
    world.set_movement_types(&[other_costs()]).expect("one");
    let alone = settle(&mut world);
    let penalty = WallPenalty::new(20, 3, true).expect("in range");
    let kind = MovementType::with_wall_penalty(penalty);
    world.set_movement_types(&[kind]).expect("one");
    let goal = goal_in(&mut world, GoalMode::Full);
    world.require(goal, 0).expect("known");
    let before = told(world.costs(0));
    let mut updates = 0;
    while told(world.costs(0)) == before {
        world.update();
        updates += 1;
    }
    // Both have half of the work.
    assert!(
        updates > 3 * alone / 2 && updates < 3 * alone,
        "{updates} {alone}"
    );
    updates_until_there(&mut world, goal);
}

#[test]
fn a_type_that_is_there_at_once_leaves_nothing_of_the_costs_that_were_asked_for() {
    let [_, mut world] = pair();
    world.set_movement_types(&[other_costs()]).expect("one");
    let goal = goal_in(&mut world, GoalMode::Tiled);
    let place = open_places(&world)[0];
    world.request_route(goal, 0, place).expect("known");
    world.update();
    // Beside a wall paths are dearer by the old type.
    let cell = world.grid().cell_at(place);
    world.set_terrain(cell, 255).expect("inside");
    // The costs are edited for the query alone, which the next update would take back.
    world.cost(cell, 0).expect("inside");
    let plain = [MovementType::default()];
    world.set_movement_types(&plain).expect("one");
    world.update();
    let mut fresh = FlowWorld::new(*world.grid(), Workers::serial());
    let terrain = world.terrain().to_bytes();
    fresh.set_terrain_bytes(&terrain).expect("as large");
    fresh.update();
    assert_eq!(told(world.costs(0)), told(fresh.costs(0)));
}

#[test]
fn a_type_that_waits_for_its_costs_holds_up_no_other() {
    let [mut world, _] = pair();
    let [goal, second] = [0, 1].map(|_| goal_in(&mut world, GoalMode::Tiled));
    let from = open_places(&world)[0];
    world.request_route(goal, 0, from).expect("known");
    settle(&mut world);
    world.set_update_cells(1);
    world.set_route_limit(1).expect("in range");
    let kinds = [MovementType::default(), other_costs()];
    world.set_movement_types(&kinds).expect("two");
    world.request_route(goal, 1, from).expect("known");
    for from in &open_places(&world)[..40] {
        world.request_route(second, 0, *from).expect("known");
    }
    for _ in 0..60 {
        world.update();
    }
    assert!(world.has_next_costs());
    assert!(matches!(world.route(second, 0), Some(Route::Tiled(_))));
    let status = world.query_status(goal, from, 1);
    assert_eq!(status, Ok(QueryStatus::Queued), "it has no costs");
}
