//! First fields and portal graphs in slices: they wait, agents go straight, and at the end they are what a world
//! without a limit builds at once.

use crate::common::world_of;
use crate::next_costs::settle;
use flow_swarm::flow::DirectionRule;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalKind, GoalMode, QueryStatus, Route};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, random_walls, rooms};
use std::sync::atomic::{AtomicU64, Ordering};

pub const SIZE: usize = 96;
/// A field takes about ten times as much.
pub const CELLS: usize = 900;

/// A world on a map of rooms whose updates are limited, and one whose updates are not.
pub fn pair() -> [FlowWorld; 2] {
    [CELLS, 0].map(|cells| {
        let mut world = world_of(&rooms(SIZE, SIZE, 12, 5), Workers::serial());
        world.set_sector_size(8).expect("in range");
        world.set_update_cells(cells);
        world
    })
}

pub fn open_places(world: &FlowWorld) -> Vec<Vec2> {
    let grid = *world.grid();
    let cells = (0..grid.cell_count()).map(|index| grid.cell(index));
    let open = cells.filter(|&cell| world.costs(0).is_open(cell));
    open.map(|cell| grid.center_of(cell)).collect()
}

/// Paths keep farther from walls than with the default.
pub fn other_costs() -> MovementType {
    MovementType::with_wall_penalty(WallPenalty::new(40, 3, true).expect("in range"))
}

pub fn goal_in(world: &mut FlowWorld, mode: GoalMode) -> GoalId {
    let target = *open_places(world).last().expect("an open cell");
    let goal = world.create_goal_with_mode(&[target], &[0.0], mode);
    goal.expect("inside")
}

/// Updates until the field of a goal is there. Returns how many updates that took.
pub fn updates_until_there(world: &mut FlowWorld, goal: GoalId) -> usize {
    let mut updates = 0;
    while world.field(goal, 0).is_none() {
        assert!(updates < 500, "the field is never finished");
        world.update();
        updates += 1;
    }
    updates
}

/// The costs to a goal from all open cells, and the directions there.
pub fn found(world: &mut FlowWorld, goal: GoalId) -> (Vec<Option<f64>>, Vec<Vec2>) {
    let places = open_places(world);
    let costs = world.costs_to_goal(goal, &places, 0).expect("known");
    let directions = world.flow_vectors(goal, &places, 0).expect("known");
    (costs, directions)
}

#[test]
fn a_first_field_waits_for_its_slices_and_is_that_of_one_update() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    let from = open_places(&limited)[0];
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        world.update();
    }
    assert!(
        whole.field(goal, 0).is_some(),
        "without a limit it is there at once"
    );
    assert!(limited.field(goal, 0).is_none());
    let status = limited.query_status(goal, from, 0);
    assert_eq!(status, Ok(QueryStatus::Pending));
    assert_eq!(
        limited.request_route(goal, 0, from),
        Ok(true),
        "there may be one"
    );
    let updates = 1 + updates_until_there(&mut limited, goal);
    let least = limited.costs(0).open_cell_count() / CELLS;
    let most = 2 * SIZE * SIZE / CELLS;
    assert!((least..=most).contains(&updates), "{updates} updates");
    assert_eq!(limited.query_status(goal, from, 0), Ok(QueryStatus::Ok));
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
    assert_eq!(limited.build_stats().full_solves, 1);
}

/// A clock that advances by a millisecond whenever it is read.
fn slow_clock() -> f64 {
    static TIME: AtomicU64 = AtomicU64::new(0);
    TIME.fetch_add(1, Ordering::Relaxed) as f64 / 1e3
}

#[test]
fn with_a_limit_of_time_a_field_is_built_in_slices_until_it_is_late() {
    let built = |seconds: f64, cells: usize, has_clock: bool| {
        let mut world = world_of(&rooms(160, 160, 12, 5), Workers::serial());
        if has_clock {
            world.set_clock(slow_clock);
        }
        world.set_update_seconds(seconds).expect("in range");
        world.set_update_cells(cells);
        let goal = goal_in(&mut world, GoalMode::Full);
        world.require(goal, 0).expect("known");
        let updates = updates_until_there(&mut world, goal);
        (updates, found(&mut world, goal))
    };
    let (at_once, field) = built(f64::INFINITY, 0, true);
    assert_eq!(at_once, 0);
    // The field takes some 28,000 cells, and a slice is 2,000.
    for (seconds, cells, has_clock, expected) in [
        (0.0, 0, true, 8..=15),
        // Nothing else needs the other half of the time.
        (0.01, 0, true, 2..=2),
        (1.0, 0, true, 1..=1),
        (1.0, 4_000, true, 4..=8),
        (0.0, 4_000, true, 8..=15),
        (0.0, 0, false, 0..=0),
    ] {
        let (updates, same) = built(seconds, cells, has_clock);
        let what = format!("{seconds} s, {cells} cells, clock: {has_clock}");
        assert!(expected.contains(&updates), "{what}: {updates} updates");
        assert!(same == field, "{what}");
    }
}

#[test]
fn agents_go_straight_until_the_first_field_is_there() {
    let [mut world, _] = pair();
    let goal = goal_in(&mut world, GoalMode::Full);
    assert!(world.route(goal, 0).is_none(), "nothing has asked for one");
    world.require(goal, 0).expect("known");
    assert!(matches!(world.route(goal, 0), Some(Route::Straight(_))));
    updates_until_there(&mut world, goal);
    assert!(matches!(world.route(goal, 0), Some(Route::Whole { .. })));
}

#[test]
fn maps_of_no_more_cells_than_the_limit_are_solved_at_once() {
    for (cells, is_at_once) in [(SIZE * SIZE, true), (SIZE * SIZE - 1, false)] {
        let [mut world, _] = pair();
        world.set_update_cells(cells);
        let goal = goal_in(&mut world, GoalMode::Full);
        world.require(goal, 0).expect("known");
        assert_eq!(world.field(goal, 0).is_some(), is_at_once, "{cells}");
        let tiled = goal_in(&mut world, GoalMode::Tiled);
        let from = open_places(&world)[0];
        world.request_route(tiled, 0, from).expect("known");
        assert_eq!(world.tile_stats().queued == 0, is_at_once, "{cells}");
    }
}

#[test]
fn fields_are_built_one_after_the_other_in_the_order_of_requests() {
    let [mut world, _] = pair();
    let goals = [0; 3].map(|_| goal_in(&mut world, GoalMode::Full));
    for goal in [goals[2], goals[0], goals[1]] {
        world.require(goal, 0).expect("known");
    }
    let mut order = Vec::new();
    for _ in 0..200 {
        order.extend(world.update().ready);
    }
    assert_eq!(order, [goals[2], goals[0], goals[1]]);
}

#[test]
fn edits_moves_and_releases_while_a_field_is_built() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    let moved = open_places(&limited)[400];
    for world in [&mut limited, &mut whole] {
        let dropped = goal_in(world, GoalMode::Full);
        world.require(dropped, 0).expect("known");
        world.require(goal, 0).expect("known");
        for tick in 0..80 {
            match tick {
                2 => world.release_goal(dropped).expect("known"),
                4 => {
                    let low = IVec2::new(30, 20);
                    let high = low + IVec2::new(9, 5);
                    let edited = world.set_terrain_rect(CellRect { low, high }, 255);
                    edited.expect("inside");
                }
                6 => world.move_goal(goal, &[moved]).expect("known"),
                _ => {}
            }
            world.update();
        }
    }
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
}

/// Changes may follow each other faster than fields are built.
#[test]
fn a_field_is_completed_although_costs_change_again_and_again() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    let kind = |height: i64| {
        let penalty = WallPenalty::new(height, 3, true).expect("in range");
        [MovementType::with_wall_penalty(penalty)]
    };
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        world.update();
    }
    let mut states = vec![found(&mut whole, goal)];
    let (mut seen, mut updates) = (Vec::new(), 0);
    for height in 20..40 {
        for world in [&mut limited, &mut whole] {
            world.set_movement_types(&kind(height)).expect("one");
        }
        whole.update();
        states.push(found(&mut whole, goal));
        for _ in 0..6 {
            limited.update();
            updates += 1;
        }
        if limited.field(goal, 0).is_some() {
            let now = found(&mut limited, goal);
            let number = states.iter().rposition(|state| *state == now);
            seen.push(number.expect("the field is of some former costs"));
        }
        if height % 3 == 0 {
            let bytes = limited.save_state().expect("nothing hinders");
            [limited, _] = pair();
            limited.set_movement_types(&kind(height)).expect("one");
            limited.load_state(&bytes).expect("just saved");
            assert!(limited.save_state() == Ok(bytes), "{height}");
        }
    }
    assert!(seen.is_sorted() && seen.len() > 14, "{seen:?}");
    seen.dedup();
    assert!(seen.len() >= 4, "{seen:?} in {updates} updates");
    settle(&mut limited);
    assert!(states.last() == Some(&found(&mut limited, goal)));
}

#[test]
fn a_field_whose_costs_are_being_copied_is_that_of_the_next_ones() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    limited.set_update_cells(40);
    for world in [&mut limited, &mut whole] {
        world.update();
        world.set_movement_types(&[other_costs()]).expect("one");
    }
    // Of 96 rows, 3 in each.
    (0..31).for_each(|_| drop(limited.update()));
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        world.update();
    }
    assert!(limited.has_next_costs());
    updates_until_there(&mut limited, goal);
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
    assert_eq!(limited.build_stats().full_solves, 1);
}

#[test]
fn new_costs_follow_a_field_and_a_new_grid_begins_it_again() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        for _ in 0..5 {
            world.update();
        }
    }
    let before = found(&mut whole, goal);
    for world in [&mut limited, &mut whole] {
        world.set_movement_types(&[other_costs()]).expect("one");
    }
    updates_until_there(&mut limited, goal);
    assert!(found(&mut limited, goal) == before);
    let after = settle(&mut limited);
    assert!(after > 8, "{after}");
    assert_eq!(limited.build_stats().full_solves, 2);
    whole.update();
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
    let grid = *limited.grid();
    let shorter = grid.size() - IVec2::new(3, 0);
    let grid = Grid::new(shorter, 1.0, Vec2::ZERO).expect("valid");
    limited.set_grid(grid);
    whole.set_grid(grid);
    limited.update();
    assert!(limited.field(goal, 0).is_none(), "a new grid is as large");
    let target = *open_places(&limited).last().expect("an open cell");
    for world in [&mut limited, &mut whole] {
        world.move_goal(goal, &[target]).expect("inside");
    }
    updates_until_there(&mut limited, goal);
    for _ in 0..30 {
        limited.update();
        whole.update();
    }
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
}

#[test]
fn without_the_limit_all_that_waits_is_built_at_once() {
    let [mut world, _] = pair();
    let goal = goal_in(&mut world, GoalMode::Full);
    world.require(goal, 0).expect("known");
    world.update();
    world.set_update_cells(0);
    world.update();
    assert!(world.field(goal, 0).is_some());
}

#[test]
fn a_field_that_a_query_has_solved_waits_for_its_turn_all_the_same() {
    let [mut world, _] = pair();
    let goal = goal_in(&mut world, GoalMode::Full);
    let from = open_places(&world)[0];
    let cost = world.cost_to_goal(goal, from, 0).expect("known");
    assert!(
        cost.is_some(),
        "a query of a goal that nothing follows is answered at once"
    );
    world.require(goal, 0).expect("known");
    assert!(world.field(goal, 0).is_none());
}

#[test]
fn goals_to_flee_from_do_not_wait() {
    let [mut world, _] = pair();
    let target = open_places(&world)[99];
    let flee = GoalKind::Flee { reach: 5.0 };
    let goal = world.create_goal_of_kind(&[target], flee).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    assert!(world.field(goal, 0).is_some());
}

#[test]
fn routes_wait_for_the_graph_and_are_those_of_a_graph_at_once() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Tiled);
    goal_in(&mut whole, GoalMode::Tiled);
    let mut random = SplitMix64::new(3);
    let places = open_places(&limited);
    let starts: Vec<Vec2> = (0..9).map(|_| places[random.below(places.len())]).collect();
    let mut waited = 0;
    for tick in 0..300 {
        for world in [&mut limited, &mut whole] {
            if tick == 0 || tick == 150 {
                for &from in &starts {
                    let is_asked = world.request_route(goal, 0, from).expect("known");
                    assert!(is_asked || tick > 0, "it waits, or is there");
                }
            }
            // Walls in sectors that are built, and in those that are not.
            if tick % 3 == 1 && tick < 30 {
                let cell = world.grid().cell(random.clone().below(SIZE * SIZE));
                world.set_terrain(cell, 255).expect("inside");
            }
            world.update();
        }
        random.next_u64();
        let status = limited.query_status(goal, starts[0], 0).expect("known");
        if status == QueryStatus::Queued {
            waited += 1;
            assert!(matches!(limited.route(goal, 0), Some(Route::Straight(_))));
            assert_eq!(limited.tile_stats().active, 0);
        }
    }
    assert!((3..60).contains(&waited), "{waited} updates");
    let directions = [&mut limited, &mut whole].map(|world| {
        let stats = world.tile_stats();
        assert_eq!((stats.waiting, stats.queued), (0, 0), "all is built");
        world.flow_vectors(goal, &starts, 0).expect("known")
    });
    assert_eq!(directions[0], directions[1]);
}

#[test]
fn a_graph_that_waits_holds_up_no_other_movement_type() {
    let map = random_walls(SIZE, SIZE, 10, 4);
    let mut world = world_of(&map, Workers::serial());
    world.set_sector_size(4).expect("in range");
    let kinds = [MovementType::default(), MovementType::default()];
    world.set_movement_types(&kinds).expect("two");
    let goal = goal_in(&mut world, GoalMode::Tiled);
    let from = open_places(&world)[0];
    world.request_route(goal, 0, from).expect("known");
    world.set_update_cells(1);
    world.set_route_limit(1).expect("in range");
    world.request_route(goal, 1, from).expect("known");
    let second = goal_in(&mut world, GoalMode::Tiled);
    for from in &open_places(&world)[..40] {
        world.request_route(second, 0, *from).expect("known");
    }
    for _ in 0..60 {
        world.update();
    }
    assert!(matches!(world.route(second, 0), Some(Route::Tiled(_))));
    let status = world.query_status(goal, from, 1);
    assert_eq!(status, Ok(QueryStatus::Queued), "its graph is not finished");
}

#[test]
fn the_old_field_stays_in_use_while_one_for_changed_costs_is_built() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        updates_until_there(world, goal);
    }
    let before = found(&mut limited, goal);
    for world in [&mut limited, &mut whole] {
        world.set_movement_types(&[other_costs()]).expect("one");
        world.update();
    }
    let mut updates = 1;
    while limited.build_stats().full_solves == 1 {
        assert!(found(&mut limited, goal) == before, "update {updates}");
        assert!(limited.update().ready.is_empty() || updates > 8);
        updates += 1;
        assert!(updates < 100, "it is never finished");
    }
    assert!(updates > 8, "{updates} updates");
    let after = found(&mut limited, goal);
    assert!(after != before && after == found(&mut whole, goal));
}

#[test]
fn the_old_field_stays_in_use_while_one_by_another_solver_is_built() {
    let set_solver = |world: &mut FlowWorld| world.set_solver(Solver::Octile);
    let set_rule = |world: &mut FlowWorld| world.set_direction_rule(DirectionRule::BestNeighbour);
    let sets: [&dyn Fn(&mut FlowWorld); 2] = [&set_solver, &set_rule];
    for set in sets {
        let [mut limited, mut whole] = pair();
        let goal = goal_in(&mut limited, GoalMode::Full);
        goal_in(&mut whole, GoalMode::Full);
        for world in [&mut limited, &mut whole] {
            world.require(goal, 0).expect("known");
            updates_until_there(world, goal);
        }
        let before = found(&mut limited, goal);
        for world in [&mut limited, &mut whole] {
            set(world);
            world.update();
        }
        let mut updates = 1;
        while limited.has_slices_left() {
            assert!(found(&mut limited, goal) == before, "update {updates}");
            limited.update();
            updates += 1;
            assert!(updates < 100, "it is never finished");
        }
        assert!(updates > 2, "{updates} updates");
        let after = found(&mut limited, goal);
        assert!(after != before && after == found(&mut whole, goal));
    }
}

/// What agents find of a goal at some places.
pub fn followed(world: &FlowWorld, goal: GoalId) -> String {
    let Some(route) = world.route(goal, 0) else {
        return "nothing".to_owned();
    };
    let places = (0..400).map(|number| Vec2::new((number % 20) as f32, (number / 20) as f32));
    let directions = places.map(|place| route.sample_for(place * 4.7 + 0.5, 0.3));
    format!("{:?}", directions.collect::<Vec<Vec2>>())
}

/// Three goals, an edit, a jump and a new cost table.
fn order(world: &mut FlowWorld, tick: usize, goals: &[GoalId]) {
    let places = open_places(world);
    match tick {
        0 | 3 | 6 => world.require(goals[tick / 3], 0).expect("known"),
        14 => {
            let low = IVec2::new(30, 20);
            let high = low + IVec2::new(9, 5);
            let edited = world.set_terrain_rect(CellRect { low, high }, 255);
            edited.expect("inside");
            world.set_movement_types(&[other_costs()]).expect("one");
        }
        17 | 40 => {
            let target = places[tick * 31];
            world.move_goal(goals[1], &[target]).expect("known");
        }
        21 => world.set_terrain(IVec2::new(50, 50), 255).expect("inside"),
        33 => {
            let kinds = [MovementType::default()];
            world.set_movement_types(&kinds).expect("one");
        }
        _ => {}
    }
}

#[test]
fn slices_go_on_after_a_load_and_whatever_is_asked() {
    let [mut quiet, _] = pair();
    let goals = [0; 3].map(|_| goal_in(&mut quiet, GoalMode::Full));
    let [mut loaded, _] = pair();
    let [mut asked, _] = pair();
    for world in [&mut loaded, &mut asked] {
        for _ in goals {
            goal_in(world, GoalMode::Full);
        }
    }
    let mut random = SplitMix64::new(8);
    for tick in 0..90 {
        for world in [&mut quiet, &mut loaded, &mut asked] {
            order(world, tick, &goals);
        }
        if random.percent(60) {
            let [mut other, _] = pair();
            if (14..33).contains(&tick) {
                other.set_movement_types(&[other_costs()]).expect("one");
            }
            let bytes = loaded.save_state().expect("no goal is tiled");
            other.load_state(&bytes).expect("just saved");
            assert!(other.save_state() == Ok(bytes), "tick {tick}");
            loaded = other;
        }
        let at = open_places(&asked)[random.below(900)];
        for goal in goals {
            asked.flow_vector(goal, at, 0).expect("known");
        }
        asked.cost(IVec2::new(50, 50), 0).expect("inside");
        for world in [&mut quiet, &mut loaded, &mut asked] {
            world.update();
        }
        for goal in goals {
            let expected = followed(&quiet, goal);
            assert!(
                followed(&loaded, goal) == expected,
                "loaded, tick {tick}, {goal:?}"
            );
            assert!(
                followed(&asked, goal) == expected,
                "asked, tick {tick}, {goal:?}"
            );
        }
    }
}
