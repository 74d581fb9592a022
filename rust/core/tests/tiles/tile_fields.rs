//! Flow tiles, sections 3 and 4: the integrator per tile with lines of sight, and the tile cache. Where they are
//! needed, tiled fields equal whole fields.

use crate::common::tiles::{
    Builder, Oracle, SOLVERS, all_sectors, field_to, random_goals, random_sectors, with_walls,
};
use crate::common::{cell_of, center_of, cost_field, every_map, index_of, penalty_types};
use flow_swarm::flow::LOOKAHEAD;
use flow_swarm::grid::floor_to_cell;
use flow_swarm::integrate::{GoalCell, Solver};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::tiles::{TileCache, TileSolver, TiledField};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, open, random_walls};

/// 23.6.1 and 23.6.2: costs, roots and lines of sight are carried across borders without loss.
#[test]
fn tiles_agree_with_the_whole_field_to_the_bit() {
    let mut random = SplitMix64::new(1);
    let mut builder = Builder::default();
    for (seed, side) in [(1, 4), (2, 5), (3, 7), (4, 10), (5, 16), (6, 32), (7, 64)] {
        for (name, map) in every_map(33 + side, 51, u64::from(seed as u32)) {
            for kind in penalty_types() {
                for solver in SOLVERS {
                    let costs = cost_field(&map, &kind);
                    let goals = random_goals(&mut random, &map);
                    for percent in [100, 70] {
                        let mut field = field_to(&costs, side as u32, &goals, solver);
                        let sectors = random_sectors(&mut random, &field, percent);
                        field.activate(&sectors).expect("they exist");
                        builder.finish(&mut field, &costs);
                        let map = with_walls(&map, &field);
                        // The walls that replace sectors that are not active have no penalty around them.
                        if kind == MovementType::default() || percent == 100 {
                            let oracle = Oracle::new(map, &kind, &goals, solver);
                            let what =
                                format!("{name}, sectors of {side}, {solver:?}, {percent} %");
                            oracle.assert_agrees(&field, &what);
                        }
                    }
                }
            }
        }
    }
}

/// Walks from the centre of a cell to a goal. Every stride must lead from open ground to open ground.
fn walk(map: &CostMap, start: usize, field: &TiledField, most: usize, what: &str) {
    let costs = |cell: IVec2| map.is_passable(index_of(map, cell));
    let mut at = center_of(map, start);
    for _ in 0..most {
        let cell = floor_to_cell(at);
        if field.is_goal(cell) {
            return;
        }
        let direction = field.sample_for(at, 0.0).expect("active and built");
        assert!(
            (direction.length() - 1.0).abs() < 1.0e-4,
            "{what}: {direction} at {at}"
        );
        let next = at + direction * LOOKAHEAD;
        let entered = floor_to_cell(next);
        let beside = [IVec2::new(cell.x, entered.y), IVec2::new(entered.x, cell.y)];
        assert!(
            costs(entered) && beside.into_iter().any(costs),
            "{what}: from {start}: the step from {at} along {direction} enters a wall"
        );
        at = next;
    }
    panic!("{what}: from {start} the walk is still at {at} after {most} steps");
}

/// 23.12: a walk along the tiles arrives.
#[test]
fn walks_arrive_from_every_cell_whatever_the_sectors_are() {
    let mut random = SplitMix64::new(3);
    let mut builder = Builder::default();
    for (round, side) in [4, 5, 6, 8, 10, 13, 16, 21, 32, 47, 64]
        .into_iter()
        .enumerate()
    {
        let mut maps = every_map(38, 41, round as u64);
        for percent in [10, 25, 35] {
            maps.push((
                format!("{percent} % walls"),
                random_walls(45, 37, percent, side.into()),
            ));
        }
        for (name, map) in maps {
            let costs = cost_field(&map, &MovementType::default());
            let goals = random_goals(&mut random, &map);
            let solver = SOLVERS[random.below(2)];
            let mut field = field_to(&costs, side, &goals, solver);
            let percent = [100, 85][random.below(2)];
            let sectors = random_sectors(&mut random, &field, percent);
            field.activate(&sectors).expect("they exist");
            builder.finish(&mut field, &costs);
            let map = with_walls(&map, &field);
            let what = format!("{name}, sectors of {side}, {solver:?}");
            for start in 0..map.len() {
                let cell = cell_of(&map, start);
                if field.lower_steps(cell) != 0 {
                    walk(
                        &map,
                        start,
                        &field,
                        40 * (map.width + map.height) * 4,
                        &what,
                    );
                }
            }
        }
    }
}

/// One goal in the middle of clear ground, with all sectors active.
fn open_field(size: usize, side: u32) -> (CostField, TiledField) {
    let costs = cost_field(&open(size, size), &MovementType::default());
    let goal = IVec2::splat(size as i32 / 2);
    let mut field = field_to(&costs, side, &GoalCell::free(&[goal]), Solver::Eikonal);
    let sectors = all_sectors(&field);
    field.activate(&sectors).expect("they exist");
    (costs, field)
}

/// 23.15: limits on the number of tiles, and on time.
#[test]
fn a_budget_of_tiles_and_of_time_is_kept() {
    let (costs, mut field) = open_field(200, 10);
    let mut builder = Builder::default();
    let goal = field.goal_sectors()[0];
    let first = builder.some(&mut field, &costs, 0);
    assert_eq!(
        (first.built, first.is_done, field.is_built(goal)),
        (0, false, false)
    );
    let next = builder.some(&mut field, &costs, 7);
    assert_eq!(
        (next.built, next.is_done, field.is_built(goal)),
        (7, false, true)
    );
    let mut asked = 0;
    let mut should_stop = || {
        asked += 1;
        asked > 3
    };
    let (solver, cache) = (&mut builder.solver, &mut builder.cache);
    let stopped = field.build(&costs, solver, cache, usize::MAX, &mut should_stop);
    let stopped = stopped.expect("small");
    assert_eq!((stopped.built, stopped.is_done), (3, false));
    builder.finish(&mut field, &costs);
    assert!((0..field.layout().count() as u32).all(|sector| field.is_built(sector)));
    assert_eq!(builder.finish(&mut field, &costs), 0, "nothing is left");
}

/// 23.6: a tile is not solved again for changes that do not affect it.
#[test]
fn tiles_are_seldom_built_twice() {
    for (percent, most) in [(0, 1.02), (10, 1.6)] {
        let map = random_walls(200, 200, percent, 1);
        let costs = cost_field(&map, &MovementType::default());
        let goals = GoalCell::free(&[IVec2::new(1, 1)]);
        let mut field = field_to(&costs, 16, &goals, Solver::Eikonal);
        field.activate(&all_sectors(&field)).expect("they exist");
        let built = Builder::default().finish(&mut field, &costs);
        let per_sector = built as f64 / field.active_count() as f64;
        assert!(per_sector <= most, "{percent} %: {per_sector}");
    }
}

/// 23.4.1 and 23.6.4: clear tiles in line of sight need no work.
#[test]
fn clear_ground_in_sight_of_the_goal_takes_one_look_and_no_memory() {
    let (costs, mut field) = open_field(400, 10);
    let mut builder = Builder::default();
    let built = builder.finish(&mut field, &costs);
    assert!(built < 1700, "{built} for 1600 sectors");
    assert!(builder.solver.solved() < 100, "{}", builder.solver.solved());
    let seen = (0..400 * 400).filter(|i| field.sees_target(IVec2::new(i % 400, i / 400)));
    assert_eq!(seen.count(), 400 * 400);
    assert!(field.tile_bytes() < 10_000, "{}", field.tile_bytes());
}

/// 23.7: tiles are shared, and removed when no field needs them.
#[test]
fn a_cache_shares_tiles_and_keeps_its_limit() {
    let map = random_walls(120, 120, 12, 5);
    let costs = cost_field(&map, &MovementType::default());
    let goals = GoalCell::free(&[IVec2::new(60, 60), IVec2::new(61, 60), IVec2::new(60, 62)]);
    let mut solver = TileSolver::new();
    for limit in [0, 1, 20_000, 1 << 24] {
        let mut cache = TileCache::new(limit);
        let mut fields = Vec::new();
        let mut solved = Vec::new();
        for _ in 0..2 {
            let mut field = field_to(&costs, 10, &goals, Solver::Eikonal);
            field.activate(&all_sectors(&field)).expect("they exist");
            let before = solver.solved();
            let done = field.build(&costs, &mut solver, &mut cache, usize::MAX, &mut || false);
            assert!(done.expect("small").is_done);
            solved.push(solver.solved() - before);
            Oracle::new(
                map.clone(),
                &MovementType::default(),
                &goals,
                Solver::Eikonal,
            )
            .assert_agrees(&field, "cached");
            fields.push(field);
        }
        let statistics = cache.statistics();
        if limit == 1 << 24 {
            assert_eq!(solved[1], 0, "all is shared");
            assert_eq!(statistics.evictions, 0);
        }
        assert_eq!(statistics.tiles == 0, limit == 0);
        // Tiles in use are not removed.
        assert!(limit == 0 || statistics.bytes >= fields[1].tile_bytes());
        drop(fields);
        cache.set_limit(limit / 2);
        assert!(
            cache.statistics().bytes <= limit / 2,
            "{:?}",
            cache.statistics()
        );
    }
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let (_, mut field) = open_field(20, 10);
    assert!(field.activate(&[0, 4]).is_err());
    assert!(field.deactivate(&[4]).is_err());
    assert_eq!(field.active_count(), 4);
    assert!(field.sample_for(Vec2::splat(f32::NAN), 0.0).is_none());
}
