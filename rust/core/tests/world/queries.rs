//! Answers of a world: they include edits at once, and give a reason if there is no route.

use crate::common::{as_map, system_a_penalty, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::CellRect;
use flow_swarm::movement::MovementType;
use flow_swarm::workers::Workers;
use flow_swarm::world::{GoalId, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open};
use flow_swarm_bench::oracle::reachable;
use flow_swarm_bench::steps::Corners;

#[test]
fn queries_see_edits_before_any_update() {
    let mut world = world_of(&open(9, 3), Workers::serial());
    let goal = world.create_goal(&[Vec2::new(8.5, 1.5)]).expect("inside");
    let start = Vec2::new(0.5, 1.5);
    assert_eq!(world.cost_to_goal(goal, start, 0), Ok(Some(8.0)));
    assert_eq!(world.flow_vector(goal, start, 0), Ok(Vec2::X));
    let wall = CellRect {
        low: IVec2::new(4, 0),
        high: IVec2::new(5, 2),
    };
    world.set_terrain_rect(wall, WALL).expect("inside");
    let around = world
        .cost_to_goal(goal, start, 0)
        .expect("valid")
        .expect("a way round");
    let shortest = 2.0 * 3.5_f64.hypot(0.5) + 1.0;
    assert!((around - shortest).abs() < 0.02, "{around}");
    assert_eq!(world.cost(IVec2::new(4, 0), 0), Ok(WALL));
    let path = world.path_from(goal, start, 0).expect("valid");
    assert!(path.contains(&Vec2::new(4.5, 2.5)), "{path:?}");
    assert_eq!(world.is_reachable(start, Vec2::new(8.5, 0.5), 0), Ok(true));
    world.set_terrain(IVec2::new(4, 2), WALL).expect("inside");
    assert_eq!(world.is_reachable(start, Vec2::new(8.5, 0.5), 0), Ok(false));
    assert_eq!(
        world.query_status(goal, start, 0),
        Ok(QueryStatus::Disconnected)
    );
    assert_eq!(world.flow_vector(goal, start, 0), Ok(Vec2::ZERO));
    assert_eq!(world.path_from(goal, start, 0), Ok(Vec::new()));
    world.move_goal(goal, &[start]).expect("known");
    assert_eq!(world.cost_to_goal(goal, start, 0), Ok(Some(0.0)));
}

#[test]
fn reachability_is_that_of_a_flood_fill() {
    for (name, map) in every_kind(19, 23, 5) {
        let mut world = world_of(&map, Workers::serial());
        let kinds = [
            MovementType::default(),
            MovementType::with_wall_penalty(system_a_penalty()),
        ];
        world.set_movement_types(&kinds).expect("two");
        let mut random = SplitMix64::new(9);
        for _ in 0..12 {
            let cell = random.below(map.len());
            let id = [1, WALL][random.below(2)];
            world
                .set_terrain(crate::common::cell_of(&map, cell), id)
                .expect("inside");
            let now = as_map(world.fresh_costs(0));
            let from = random.below(map.len());
            let expected = reachable(&now, &[from], Corners::Closed);
            for (to, &joined) in expected.iter().enumerate() {
                for movement in 0..2 {
                    let found = world.is_reachable(
                        crate::common::center_of(&map, from),
                        crate::common::center_of(&map, to),
                        movement,
                    );
                    assert_eq!(found, Ok(joined), "{name}: {from} to {to}");
                }
            }
        }
    }
}

#[test]
fn every_status_has_its_reason() {
    let map = CostMap::from_rows(&["..#.", "..#.", "..#."]);
    let mut world = world_of(&map, Workers::serial());
    let goal = world.create_goal(&[Vec2::new(0.5, 0.5)]).expect("inside");
    let in_wall = world
        .create_goal(&[Vec2::new(2.5, 0.5), Vec2::new(2.5, 1.5)])
        .expect("inside");
    let mut status = |goal, x, y| world.query_status(goal, Vec2::new(x, y), 0);
    assert_eq!(status(goal, 1.5, 2.5), Ok(QueryStatus::Ok));
    assert_eq!(status(goal, 0.5, 0.5), Ok(QueryStatus::Ok));
    assert_eq!(status(goal, 2.5, 1.5), Ok(QueryStatus::StartBlocked));
    assert_eq!(status(goal, 3.5, 1.5), Ok(QueryStatus::Disconnected));
    assert_eq!(status(in_wall, 0.5, 1.5), Ok(QueryStatus::GoalBlocked));
    assert_eq!(status(goal, -0.1, 1.5), Ok(QueryStatus::OutOfBounds));
    assert_eq!(status(goal, 1.0e30, 1.5), Ok(QueryStatus::OutOfBounds));
    assert!(status(goal, f32::NAN, 1.5).is_err());
    assert!(status(GoalId(99), 0.5, 0.5).is_err());
    assert!(world.query_status(goal, Vec2::ONE, 1).is_err());
    world.set_terrain(IVec2::new(2, 1), 1).expect("inside");
    assert_eq!(
        world.query_status(goal, Vec2::new(3.5, 1.5), 0),
        Ok(QueryStatus::Ok)
    );
    assert_eq!(
        world.query_status(in_wall, Vec2::new(3.5, 1.5), 0),
        Ok(QueryStatus::Ok)
    );
}

#[test]
fn the_first_field_of_a_background_is_pending() {
    let mut world = world_of(&open(300, 300), Workers::new(2).expect("threads"));
    world.set_background(true);
    let goal = world.create_goal(&[Vec2::ONE]).expect("inside");
    let start = Vec2::splat(200.5);
    assert_eq!(world.query_status(goal, start, 0), Ok(QueryStatus::Pending));
    // Another goal, because the field of the first one may be finished by now.
    let other = world.create_goal(&[Vec2::splat(9.0)]).expect("inside");
    assert_eq!(
        world.flow_vectors(other, &[start, start], 0),
        Ok(vec![Vec2::ZERO; 2])
    );
    // Waits for the old workers.
    world.set_workers(Workers::new(2).expect("threads"));
    assert_eq!(world.update().ready, [goal, other]);
    assert_eq!(world.query_status(goal, start, 0), Ok(QueryStatus::Ok));
    // After a later edit the old field stays in use until the new one is finished.
    world.set_terrain(IVec2::new(9, 9), WALL).expect("inside");
    assert!(world.cost_to_goal(goal, start, 0).expect("known").is_some());
}

#[test]
fn unknown_ids_and_bad_arguments_change_nothing() {
    let mut world = world_of(&open(6, 5), Workers::serial());
    let goal = world.create_goal(&[Vec2::ONE]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let unknown = GoalId(goal.0 + 1);
    let at = Vec2::splat(2.5);
    let is_unknown = |error: Error| matches!(error, Error::UnknownId { name: "goal", .. });
    assert!(world.move_goal(unknown, &[at]).is_err_and(is_unknown));
    assert!(world.release_goal(unknown).is_err_and(is_unknown));
    assert!(world.goal_targets(unknown).is_err_and(is_unknown));
    assert!(world.require(unknown, 0).is_err_and(is_unknown));
    assert!(world.flow_vector(unknown, at, 0).is_err_and(is_unknown));
    assert!(world.cost_to_goal(unknown, at, 0).is_err_and(is_unknown));
    assert!(world.path_from(unknown, at, 0).is_err_and(is_unknown));
    assert!(world.whole_field(unknown, 0).is_err_and(is_unknown));
    assert!(!world.has_goal(unknown) && world.goal_signature(unknown).is_none());
    assert!(world.create_goal(&[]).is_err());
    for bad in [f32::NAN, f32::INFINITY, -1.0, 6.5, 1.0e30] {
        let at = Vec2::new(bad, 1.0);
        assert!(world.create_goal(&[Vec2::ONE, at]).is_err(), "{bad}");
        assert!(world.move_goal(goal, &[at]).is_err(), "{bad}");
        assert!(world.flow_vector(goal, at, 0).is_err(), "{bad}");
        assert!(
            world.flow_vectors(goal, &[Vec2::ONE, at], 0).is_err(),
            "{bad}"
        );
        assert!(world.cost_to_goal(goal, at, 0).is_err(), "{bad}");
        assert!(world.path_from(goal, at, 0).is_err(), "{bad}");
        assert!(world.is_reachable(Vec2::ONE, at, 0).is_err(), "{bad}");
        assert!(world.is_reachable(at, Vec2::ONE, 0).is_err(), "{bad}");
    }
    for movement in [1, 64, usize::MAX] {
        assert!(world.require(goal, movement).is_err());
        assert!(world.flow_vector(goal, at, movement).is_err());
        assert!(world.is_reachable(at, at, movement).is_err());
        assert!(world.cost(IVec2::ZERO, movement).is_err());
        assert!(world.closest_walls(at, 1.0, movement).is_err());
    }
    assert!(world.check_movement(-1).is_err());
    for cell in [IVec2::new(-1, 0), IVec2::new(6, 0), IVec2::splat(i32::MAX)] {
        assert!(world.set_terrain(cell, WALL).is_err());
        assert!(world.cost(cell, 0).is_err());
        let rect = CellRect {
            low: IVec2::ZERO,
            high: cell.saturating_add(IVec2::new(1, 6)),
        };
        assert!(rect.is_empty() || world.set_terrain_rect(rect, WALL).is_err());
    }
    assert!(world.set_terrain_bytes(&[1; 29]).is_err());
    assert!(
        world
            .set_movement_types(&vec![MovementType::default(); 65])
            .is_err()
    );
    let update = world.update();
    assert!(update.terrain.is_none() && update.ready.is_empty());
    assert_eq!(world.goal_ids().collect::<Vec<_>>(), [goal]);
    assert_eq!(world.goal_targets(goal), Ok(&[Vec2::ONE][..]));
    assert_eq!(world.terrain().to_bytes(), [1; 30]);
}
