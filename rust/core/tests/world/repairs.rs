//! A world repairs its fields in place, in the same tick, and never uses one that is half repaired.

use crate::common::{
    assert_same_flow, edit_like_a_game, penalty_types, random_rect, unit_grid, world_of,
};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::EikonalSolver;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, rooms, serpentine};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn world_with_goal(map: &CostMap, workers: Workers, target: Vec2) -> (FlowWorld, GoalId) {
    let mut world = world_of(map, workers);
    let goal = world.create_goal(&[target]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    (world, goal)
}

/// Compares the stored costs and the directions of a goal's field with those of a new one.
fn assert_fresh(world: &FlowWorld, goal: GoalId, movement: usize, what: &str) {
    let field = world.field(goal, movement).expect("finished");
    let costs = world.costs(movement);
    let grid = world.grid();
    let targets: Vec<Vec2> = world.goal_targets(goal).expect("known").to_vec();
    let cells: Vec<IVec2> = targets.iter().map(|&at| grid.cell_at(at)).collect();
    let expected = EikonalSolver::new().solve(costs, &cells).expect("small");
    assert_eq!(field.integration.scale(), expected.scale(), "{what}");
    assert_eq!(field.integration.goals(), expected.goals(), "{what}");
    assert!(field.integration.stored() == expected.stored(), "{what}");
    let points: Vec<Vec2> = targets.iter().map(|&at| grid.to_cell_space(at)).collect();
    let rule = DirectionRule::default();
    let flow = FlowField::new(costs, &expected, &points, rule, &Workers::serial());
    assert_same_flow(&field.flow, &flow, grid.size(), what);
}

#[test]
fn a_small_edit_costs_a_small_repair_and_no_solve() {
    let map = rooms(400, 300, 20, 1);
    for background in [false, true] {
        let workers = Workers::new(2).expect("threads");
        let (mut world, goal) = world_with_goal(&map, workers, Vec2::new(200.5, 150.5));
        world.set_background(background);
        let mut random = SplitMix64::new(9);
        let before = world.build_stats();
        let (mut abandoned, mut solved) = (0, 0);
        for edit in 0..60 {
            let cell = IVec2::new(random.below(400) as i32, random.below(300) as i32);
            let id = if world.terrain().get(cell) == Ok(WALL) {
                1
            } else {
                WALL
            };
            world.set_terrain(cell, id).expect("inside");
            let told = world.update();
            let stats = world.build_stats();
            if stats.abandoned_repairs > abandoned {
                world.set_background(false);
                world.update();
                world.set_background(background);
                // In the foreground the repair is tried once more before the field is solved.
                abandoned = world.build_stats().abandoned_repairs;
                solved += 1;
            } else {
                assert_eq!(told.ready, [goal], "in the same tick");
            }
            assert_fresh(&world, goal, 0, &format!("edit {edit}"));
        }
        let stats = world.build_stats();
        assert_eq!(stats.full_solves - before.full_solves, solved);
        assert!(stats.repairs > 50, "{stats:?}");
        assert!(stats.last_repair_cells < 400 * 300 / 50, "{stats:?}");
    }
}

#[test]
fn an_edit_that_changes_no_cost_touches_no_field() {
    // Both ids have the same cost.
    let mut table = [1; 256];
    table[255] = 255;
    let kind = MovementType::new(&table, WallPenalty::default()).expect("256 costs");
    let mut world = FlowWorld::new(unit_grid(&open(50, 50)), Workers::serial());
    world.set_movement_types(&[kind]).expect("few");
    let goal = world.create_goal(&[Vec2::splat(3.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let before = world.build_stats();
    world.set_terrain(IVec2::new(9, 9), 7).expect("inside");
    let told = world.update();
    assert_eq!(told.terrain, Some(CellRect::cell(IVec2::new(9, 9))));
    assert!(told.ready.is_empty());
    assert_eq!(world.build_stats(), before);
}

#[test]
fn thousands_of_edits_in_one_tick() {
    let mut random = SplitMix64::new(4);
    for (name, map) in every_kind(180, 140, 3) {
        let grid = unit_grid(&map);
        let mut world = FlowWorld::new(grid, Workers::new(2).expect("threads"));
        world.set_terrain_bytes(&map.cost).expect("same size");
        world.set_movement_types(&penalty_types()).expect("few");
        let goal = world.create_goal(&[Vec2::new(90.5, 70.5)]).expect("inside");
        for movement in 0..3 {
            world.require(goal, movement).expect("known");
        }
        world.update();
        for count in [1, 40, 5_000] {
            let mut around: Option<CellRect> = None;
            for _ in 0..count {
                let cell = grid.cell(random.below(grid.cell_count()));
                let id = [1, 4, WALL][random.below(3)];
                if world.terrain().get(cell) != Ok(id) {
                    let edited = CellRect::cell(cell);
                    around = Some(around.map_or(edited, |known| known.union(&edited)));
                }
                world.set_terrain(cell, id).expect("inside");
            }
            assert_eq!(world.update().terrain, around, "{name}");
            for movement in 0..3 {
                assert_fresh(&world, goal, movement, &format!("{name}, {count} edits"));
            }
        }
    }
}

#[test]
fn a_field_that_is_held_does_not_change() {
    let map = open(60, 60);
    let (mut world, goal) = world_with_goal(&map, Workers::serial(), Vec2::splat(5.5));
    let kept = Arc::clone(world.field(goal, 0).expect("finished"));
    let costs = kept.integration.stored().to_vec();
    let vectors = kept.flow.to_vectors();
    world.set_terrain(IVec2::new(56, 5), WALL).expect("inside");
    world.update();
    assert_eq!(world.build_stats().repairs, 1);
    assert!(kept.integration.stored() == costs && kept.flow.to_vectors() == vectors);
    let now = world.field(goal, 0).expect("finished");
    assert!(now.integration.stored() != costs);
    assert_fresh(&world, goal, 0, "after the edit");
}

#[test]
fn the_background_never_serves_a_half_repaired_field() {
    let map = rooms(120, 90, 10, 2);
    let grid = unit_grid(&map);
    let size = grid.size();
    for seed in 0..6 {
        let mut random = SplitMix64::new(seed);
        let workers = Workers::new(2).expect("threads");
        let (mut world, goal) = world_with_goal(&map, workers, Vec2::splat(60.5));
        world.set_background(true);
        let mut states = vec![
            world
                .field(goal, 0)
                .expect("finished")
                .integration
                .stored()
                .to_vec(),
        ];
        for tick in 0..60 {
            let target = [IVec2::splat(60)];
            if random.percent(70) {
                edit_like_a_game(&mut random, size, &target, |rect, id| {
                    world.set_terrain_rect(rect, id).expect("inside");
                });
            }
            world.update();
            let truth = EikonalSolver::new().solve(world.costs(0), &target);
            let truth = truth.expect("small").stored().to_vec();
            if states.last() != Some(&truth) {
                states.push(truth);
            }
            let field = world.field(goal, 0).expect("the old one stays in service");
            let whole = states
                .iter()
                .any(|state| state == field.integration.stored());
            assert!(whole, "seed {seed}, tick {tick}: torn field");
        }
        for _ in 0..3 {
            world.set_workers(Workers::new(2).expect("threads"));
            world.update();
        }
        assert_fresh(&world, goal, 0, "at the end");
    }
}

#[test]
fn edits_during_a_background_build_are_repaired_after_it() {
    let map = open(300, 300);
    let workers = Workers::new(2).expect("threads");
    let (mut world, goal) = world_with_goal(&map, workers, Vec2::splat(20.5));
    world.set_background(true);
    world.move_goal(goal, &[Vec2::splat(250.5)]).expect("known");
    let old = Arc::clone(world.field(goal, 0).expect("finished"));
    let solves = world.build_stats().full_solves;
    world.update();
    for x in 0..5 {
        world
            // In a corner, with few cells behind it.
            .set_terrain(IVec2::new(10 + x, 1), WALL)
            .expect("inside");
        world.update();
        if world.build_stats().full_solves == solves {
            let served = world.field(goal, 0).expect("the old one");
            assert!(Arc::ptr_eq(served, &old), "the old field stays as it is");
        }
    }
    // Waits for the build; the next update applies it.
    world.set_workers(Workers::new(2).expect("threads"));
    world.update();
    let stats = world.build_stats();
    assert_eq!(stats.full_solves, solves + 1);
    assert!(stats.repairs > 0, "the edits were not in the job");
    assert_fresh(&world, goal, 0, "after the build");
}

#[test]
fn the_goal_may_be_walled_in_and_opened_again() {
    let map = open(64, 48);
    let (mut world, goal) = world_with_goal(&map, Workers::serial(), Vec2::new(30.5, 20.5));
    let cell = IVec2::new(30, 20);
    for id in [WALL, 1, 7, WALL, WALL, 3] {
        world.set_terrain(cell, id).expect("inside");
        world.update();
        assert_fresh(&world, goal, 0, &format!("goal cell of terrain {id}"));
    }
}

#[test]
fn repairs_near_the_end_of_the_number_range_choose_the_solver_s_scale() {
    let mut map = serpentine(120, 120, 1);
    for cost in &mut map.cost {
        *cost = if *cost == WALL { WALL } else { 250 };
    }
    let (mut world, goal) = world_with_goal(&map, Workers::serial(), Vec2::splat(0.5));
    let scale = |world: &FlowWorld| world.field(goal, 0).expect("finished").integration.scale();
    let mut scales = vec![scale(&world)];
    let mut random = SplitMix64::new(8);
    for edit in 0..40 {
        // More and more of the path gets the highest cost, then the lowest.
        let rect = random_rect(&mut random, IVec2::splat(120), 60);
        let id = if edit < 20 { 254 } else { 200 };
        for y in rect.low.y..rect.high.y {
            for x in rect.low.x..rect.high.x {
                let cell = IVec2::new(x, y);
                if world.terrain().get(cell) != Ok(WALL) {
                    world.set_terrain(cell, id).expect("inside");
                }
            }
        }
        // And a single cell, which would be repaired if it were alone.
        world.update();
        assert_fresh(&world, goal, 0, &format!("edit {edit}"));
        let cell = IVec2::new(2, 2);
        world
            .set_terrain(cell, 254 - (edit % 2) as u8)
            .expect("inside");
        world.update();
        assert_fresh(&world, goal, 0, &format!("edit {edit}, one cell"));
        scales.push(scale(&world));
    }
    scales.dedup();
    assert!(
        scales.len() > 2,
        "the scale changes there and back: {scales:?}"
    );
}

static TICKS: AtomicU64 = AtomicU64::new(0);

/// A clock that counts how often it is read.
fn counting_clock() -> f64 {
    TICKS.fetch_add(1, Ordering::Relaxed) as f64
}

#[test]
fn latency_counts_from_the_request() {
    let map = open(100, 80);
    let workers = Workers::new(2).expect("threads");
    let (mut world, goal) = world_with_goal(&map, workers, Vec2::splat(20.5));
    world.set_clock(counting_clock);
    world.set_background(true);
    world.move_goal(goal, &[Vec2::splat(70.5)]).expect("known");
    for _ in 0..100 {
        counting_clock();
    }
    world.update();
    for _ in 0..50 {
        counting_clock();
    }
    world.set_workers(Workers::new(2).expect("threads"));
    world.update();
    let stats = world.build_stats();
    assert!(stats.last_latency_seconds >= 150.0, "{stats:?}");
    assert!(stats.last_build_seconds >= 1.0, "{stats:?}");
    assert!(stats.last_build_seconds < stats.last_latency_seconds);
    assert!((world.last_build_seconds() - stats.last_build_seconds).abs() < 1.0e-9);
}

#[test]
fn grids_of_any_origin_are_repaired() {
    let grid = Grid::new(IVec2::new(40, 25), 2.5, Vec2::new(-30.0, 17.0)).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let targets = [Vec2::new(-20.0, 20.0), Vec2::new(40.0, 60.0)];
    let goal = world.create_goal(&targets).expect("inside");
    world.require(goal, 0).expect("known");
    let mut random = SplitMix64::new(12);
    for tick in 0..200 {
        edit_like_a_game(
            &mut random,
            grid.size(),
            &[grid.cell_at(targets[1])],
            |rect, id| {
                world.set_terrain_rect(rect, id).expect("inside");
            },
        );
        world.update();
        assert_fresh(&world, goal, 0, &format!("tick {tick}"));
    }
    assert!(
        world.build_stats().repairs > 20,
        "{:?}",
        world.build_stats()
    );
}
