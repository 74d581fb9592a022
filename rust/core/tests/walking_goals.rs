//! Goals that walk: near them the field equals a solve of the whole map, and it leads to them from everywhere in the
//! end.

mod common;

use common::heroes::{Hero, open_place};
use common::{EVERY_WAY, Way, every_map, unit_grid};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{GoalCell, IntegrationField, Solver, Solvers};
use flow_swarm::movement::{Clearance, MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{Field, FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open, rooms, terrain};
use std::sync::Arc;

const DEFAULT_WAY: Way = (Solver::Eikonal, DirectionRule::Characteristic);

/// So few cells per update that a far field takes dozens of updates.
const CELLS: usize = 300;

/// A world in which goals walk, however small the map.
fn world_of(map: &CostMap, kind: MovementType) -> FlowWorld {
    let mut world = FlowWorld::new(unit_grid(map), Workers::serial());
    world.set_terrain_bytes(&map.cost).expect("same size");
    world.set_movement_types(&[kind]).expect("one");
    world.set_walking_cells(CELLS);
    world
}

fn field(world: &FlowWorld, goal: GoalId) -> Arc<Field> {
    Arc::clone(world.field(goal, 0).expect("finished"))
}

/// A solve of the whole map at once to some cells, with the directions.
fn solved(
    world: &FlowWorld,
    cells: &[IVec2],
    targets: &[Vec2],
    (solver, rule): Way,
) -> (IntegrationField, FlowField) {
    let (method, costs) = (rule.method(solver), world.costs(0));
    let goals: Vec<GoalCell> = cells
        .iter()
        .map(|&cell| GoalCell { cell, cost: 0.0 })
        .collect();
    let (integration, _) = Solvers::default()
        .solve_goals(method, costs, &goals)
        .expect("small");
    let flow = FlowField::new(costs, &integration, targets, rule, &Workers::serial());
    (integration, flow)
}

fn cells_of(grid: &Grid) -> impl Iterator<Item = IVec2> {
    let size = grid.size();
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
}

/// Asserts that near the goal the field equals a solve of the whole map; that its far part is such a solve too, though
/// perhaps for an earlier position of the goal; and that the path from every cell ends at the goal. Returns the number
/// of near cells.
fn assert_sound(world: &FlowWorld, goal: GoalId, way: Way, what: &str) -> usize {
    let grid = *world.grid();
    let field = field(world, goal);
    let targets = world.goal_targets(goal).expect("known").to_vec();
    let points: Vec<Vec2> = targets.iter().map(|&at| grid.to_cell_space(at)).collect();
    let cells: Vec<IVec2> = targets.iter().map(|&at| grid.cell_at(at)).collect();
    let (integration, flow) = solved(world, &cells, &points, way);
    let mut near = 0;
    for cell in cells_of(&grid).filter(|&cell| field.is_near(cell)) {
        near += 1;
        assert_eq!(
            field.cost_at(cell),
            integration.cost_at(cell),
            "{what}: cost at {cell}"
        );
        let (found, expected) = (field.direction_at(cell), flow.direction_at(cell));
        assert_eq!(found, expected, "{what}: direction at {cell}");
        assert_eq!(field.is_goal(cell), flow.is_goal(cell), "{what}: {cell}");
        assert_eq!(
            field.target_in(cell),
            flow.target_in(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            field.sees_target(cell),
            flow.sees_target(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            field.link_from(cell),
            flow.link_from(cell),
            "{what}: {cell}"
        );
        let point = cell.as_vec2() + Vec2::new(0.7, 0.2);
        let (found, expected) = (field.sample_for(point, 0.3), flow.sample_for(point, 0.3));
        // Neighbours beyond the near part are blended in.
        assert!(
            found.dot(expected) > 0.3 || found == expected,
            "{what}: {found} instead of {expected} at {point}"
        );
    }
    let size = grid.size().x;
    let old: Vec<IVec2> = (field.integration.goals().iter())
        .map(|&index| {
            let stride = size as usize + 2;
            IVec2::new((index % stride) as i32 - 1, (index / stride) as i32 - 1)
        })
        .collect();
    let (far, _) = solved(world, &old, &[], way);
    assert!(
        far.stored() == field.integration.stored(),
        "{what}: the far field is no solve"
    );
    // A cell reaches the goal if the cell to which it leads does.
    let mut arrives = vec![None; grid.cell_count()];
    for start in cells_of(&grid).filter(|&cell| integration.cost_at(cell).is_some()) {
        let mut way = Vec::new();
        let mut cell = start;
        let reached = loop {
            let known = &mut arrives[(cell.y * size + cell.x) as usize];
            if let Some(known) = *known {
                break known;
            }
            *known = Some(false);
            way.push(cell);
            if field.is_goal(cell) {
                break true;
            }
            match field.next_cell(cell) {
                Some(next) => cell = next,
                None => break false,
            }
        };
        assert!(reached, "{what}: who starts at {start} is stuck at {cell}");
        for cell in way {
            arrives[(cell.y * size + cell.x) as usize] = Some(true);
        }
    }
    near
}

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
        for (turn, &way) in EVERY_WAY.iter().enumerate() {
            let kind = kinds[(number + turn) % 2].clone();
            let mut world = world_of(&map, kind);
            if !(0..map.len()).any(|cell| world.costs(0).is_open(world.grid().cell(cell))) {
                continue;
            }
            world.set_solver(way.0);
            world.set_direction_rule(way.1);
            let mut hero = Hero::new(&mut world, 5 + turn as u64);
            let goal = world.create_goal(&[hero.at]).expect("inside");
            world.require(goal, 0).expect("known");
            for tick in 0..60 {
                hero.walk(&mut world, 0.35);
                world.move_goal(goal, &[hero.at]).expect("inside");
                world.update();
                if tick % 7 == 0 {
                    let what = format!("{name}, {way:?}, tick {tick}");
                    assert_sound(&world, goal, way, &what);
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

/// A goal at some places that agents follow.
fn followed(world: &mut FlowWorld, targets: &[Vec2]) -> GoalId {
    let goal = world.create_goal(targets).expect("inside");
    world.require(goal, 0).expect("known");
    goal
}

/// Updates until the whole map leads to the present position of the goal.
fn settle(world: &mut FlowWorld, goal: GoalId) {
    for _ in 0..2000 {
        world.update();
        let corner = Vec2::splat(0.5);
        if world.field_age(goal, corner, 0) == Ok(Some(0)) {
            return;
        }
    }
    panic!("the far field is never finished");
}

fn age(world: &mut FlowWorld, goal: GoalId) -> Option<u64> {
    let target = world.goal_targets(goal).expect("known")[0];
    world.field_age(goal, target, 0).expect("inside")
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
                    assert_sound(&world, goal, DEFAULT_WAY, &format!("{name}, tick {tick}"));
                }
            }
        }
        for &goal in &goals {
            settle(&mut world, goal);
            assert_sound(&world, goal, DEFAULT_WAY, name);
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
                    DEFAULT_WAY,
                    &format!("seed {seed}, tick {tick}"),
                );
            }
        }
    }
    assert!(checks > 40, "{checks}");
}

#[test]
fn on_a_large_map_three_fields_lead_one_to_the_next() {
    for (name, map) in [
        ("rooms", rooms(840, 740, 32, 2)),
        ("terrain", terrain(840, 740, 4)),
    ] {
        let mut world = world_of(&map, MovementType::default());
        world.set_walking_cells(6000);
        let mut hero = Hero::new(&mut world, 3);
        let goal = followed(&mut world, &[hero.at]);
        let (mut oldest, mut parts) = (0, 0);
        for tick in 0..160 {
            hero.walk(&mut world, 0.25);
            world.move_goal(goal, &[hero.at]).expect("inside");
            world.update();
            let corner = Vec2::splat(2.5);
            oldest = oldest.max(
                world
                    .field_age(goal, corner, 0)
                    .expect("inside")
                    .unwrap_or(0),
            );
            if tick % 20 == 0 {
                let mut ages = world.field_ages(goal, 0).expect("known").expect("finished");
                ages.sort_unstable();
                ages.dedup();
                parts = parts.max(ages.len());
                let near = assert_sound(&world, goal, DEFAULT_WAY, &format!("{name}, tick {tick}"));
                assert!(tick == 0 || near < 20_000, "{name}, tick {tick}: {near}");
            }
        }
        assert_eq!(parts, 3, "{name}: near, middle and far");
        assert!(oldest > 60, "{name}: the far field is {oldest} ticks old");
        settle(&mut world, goal);
        assert_sound(&world, goal, DEFAULT_WAY, name);
    }
}

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
            assert_sound(&world, goal, DEFAULT_WAY, &format!("tick {tick}"));
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
        assert_sound(&world, goal, DEFAULT_WAY, &format!("jump {jump}"));
    }
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
    assert_sound(&world, goal, DEFAULT_WAY, "afterwards");
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
                let rect = common::random_rect(&mut random, world.grid().size(), 5);
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
                    DEFAULT_WAY,
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
    assert_sound(&world, goal, DEFAULT_WAY, "on the other island");
    world
        .move_goal(goal, &[Vec2::new(60.5, 50.5)])
        .expect("inside");
    settle(&mut world, goal);
    assert_eq!(field(&world, goal).integration.reached_cell_count(), 0);
    world
        .move_goal(goal, &[Vec2::new(30.5, 50.5)])
        .expect("inside");
    world.update();
    assert_sound(&world, goal, DEFAULT_WAY, "out of the wall");
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
        assert_sound(&world, goal, DEFAULT_WAY, &format!("tick {tick}"));
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
        assert_sound(&world, wide, DEFAULT_WAY, "the wide goal");
    }
    for &goal in goals.iter().step_by(50) {
        assert_sound(&world, goal, DEFAULT_WAY, "one of many");
    }
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
    assert_sound(&world, goal, DEFAULT_WAY, "on the new grid");
    for step in 0..8 {
        let at = Vec2::new(47.5, 41.5 + step as f32);
        world.set_terrain(at.as_ivec2(), 1).expect("inside");
        world.move_goal(goal, &[at]).expect("inside");
        world.update();
        assert_sound(&world, goal, DEFAULT_WAY, "on the new grid");
    }
}

#[test]
fn a_move_within_a_cell_moves_the_target_and_solves_nothing() {
    let map = rooms(160, 140, 16, 7);
    let mut world = world_of(&map, MovementType::default());
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
        assert_sound(&world, goal, DEFAULT_WAY, "in the cell");
    }
    let stats = world.build_stats();
    assert_eq!((stats.full_solves, stats.near_solves), (solves, near));
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
        assert_sound(&world, goal, DEFAULT_WAY, &format!("tick {tick}"));
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
