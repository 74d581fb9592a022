//! Queries about tiled goals without requests: they are answered at once and include all edits, and nothing is searched
//! or built for agents.

use crate::common::crowds::{random_starts, tiled};
use crate::common::{as_map, cell_of, center_of, central_goal, index_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, QueryStatus, TileStats, TileVariant};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

/// Queries paths from some places to an open cell, and compares the answers with exact costs.
fn check(name: &str, world: &mut FlowWorld, map: &CostMap, target: usize, places: &[Vec2]) {
    let exact = exact_costs(map, &[target], &StepRule::default());
    let goal = tiled(world, center_of(map, target));
    let size = world.grid().size();
    for &place in places {
        let cell = world.grid().cell_at(place);
        let exact = exact[index_of(map, cell)];
        let is_open = map.is_passable(index_of(map, cell));
        let what = format!("{name}: {place}");
        let status = world.query_status(goal, place, 0).expect("inside");
        let cost = world.cost_to_goal(goal, place, 0).expect("inside");
        let path = world.path_from(goal, place, 0).expect("inside");
        let direction = world.flow_vector(goal, place, 0).expect("inside");
        if !exact.is_finite() {
            let expected = [QueryStatus::StartBlocked, QueryStatus::Disconnected];
            assert_eq!(status, expected[usize::from(is_open)], "{what}");
            assert_eq!((cost, path), (None, vec![]), "{what}");
            // Agents in a wall are led out of it.
            assert!(direction == Vec2::ZERO || !is_open, "{what}");
            continue;
        }
        assert_eq!(status, QueryStatus::Ok, "{what}");
        let cost = cost.expect("a route");
        let most = 1.5 * exact + 16.0 * f64::from(as_map(world.costs(0)).cost[0].clamp(1, 9));
        assert!(
            cost >= exact - 1e-6 && cost <= most,
            "{what}: {cost} for {exact}"
        );
        let ends = (path.first().copied(), path.last().copied());
        let expected = (Some(place), Some(center_of(map, target)));
        assert_eq!(ends, expected, "{what}");
        for pair in path.windows(2) {
            assert!(pair[0].distance(pair[1]) < 1.5, "{what}: {pair:?}");
            let cell = world.grid().cell_at(pair[1]);
            assert!(map.is_passable(index_of(map, cell)), "{what}: {cell}");
            assert!(cell.cmplt(size).all(), "{what}: {cell}");
        }
        let is_there = cell == cell_of(map, target);
        assert_eq!(direction == Vec2::ZERO, is_there, "{what}");
    }
    world.release_goal(goal).expect("known");
}

#[test]
fn queries_without_requests_are_answered() {
    for variant in [TileVariant::Seamless, TileVariant::Plain] {
        for (name, map) in every_kind(70, 52, 3) {
            let mut world = world_of(&map, Workers::serial());
            world.set_tile_variant(variant);
            world.set_route_limit(1).expect("in range");
            let Some(target) = central_goal(&map) else {
                continue;
            };
            let mut random = SplitMix64::new(8);
            let anywhere = vec![0.0; map.len()];
            let places = random_starts(&map, &anywhere, 25, 4);
            let mut now = map.clone();
            check(name, &mut world, &now, target, &places);
            // Edits that no update has processed, with and without an earlier portal graph.
            for _ in 0..4 {
                for _ in 0..9 {
                    let index = random.below(now.len());
                    if index != target {
                        now.cost[index] = if now.is_passable(index) { WALL } else { 1 };
                        let set = world.set_terrain(cell_of(&now, index), now.cost[index]);
                        set.expect("inside");
                    }
                }
                check(name, &mut world, &now, target, &places);
            }
            assert_eq!(world.tile_stats(), TileStats::default(), "{name}");
            world.update();
            check(name, &mut world, &now, target, &places);
            assert_eq!(world.tile_stats(), TileStats::default(), "{name}");
        }
    }
}

/// More goals than those for which queries keep routes.
#[test]
fn many_goals_are_asked_about_in_turns() {
    let map = &every_kind(64, 48, 5)[1].1;
    let mut world = world_of(map, Workers::serial());
    let open = vec![0.0; map.len()];
    let goals: Vec<_> = random_starts(map, &open, 50, 6)
        .into_iter()
        .map(|at| (tiled(&mut world, at), at))
        .collect();
    let from = random_starts(map, &open, 2, 7);
    let mut ask = || -> Vec<_> {
        let pairs = goals
            .iter()
            .flat_map(|&(goal, _)| [(goal, from[0]), (goal, from[1])]);
        pairs
            .map(|(goal, at)| world.cost_to_goal(goal, at, 0).expect("inside"))
            .collect()
    };
    let first = ask();
    assert_eq!(ask(), first);
    assert!(first.iter().filter(|cost| cost.is_some()).count() > 20);
}

/// Agents use edits and moved goals from the next update on; queries use them at once.
#[test]
fn answers_do_not_lag_behind_what_agents_follow() {
    // A wall with two doors, the nearer of which is about to close.
    let mut map = open(96, 64);
    for y in (0..64).filter(|y| ![20, 60].contains(y)) {
        map.cost[y * 96 + 48] = WALL;
    }
    let from = Vec2::new(10.5, 20.5);
    let targets = [Vec2::new(80.5, 20.5), Vec2::new(80.5, 30.5)];
    let mut world = world_of(&map, Workers::serial());
    let goals = targets.map(|target| tiled(&mut world, target));
    for goal in goals {
        assert_eq!(world.request_route(goal, 0, from), Ok(true));
    }
    world.update();
    while world.tile_stats().waiting > 0 {
        world.update();
    }
    let round = |world: &mut FlowWorld, goal| {
        let path = world.path_from(goal, from, 0).expect("inside");
        let cost = world.cost_to_goal(goal, from, 0).expect("inside");
        let is_round = path.contains(&Vec2::new(48.5, 60.5));
        (is_round, cost.expect("a route") > 95.0)
    };
    for goal in goals {
        assert_eq!(round(&mut world, goal), (false, false));
    }
    world.set_terrain((48, 20).into(), WALL).expect("inside");
    for goal in goals {
        assert!(round(&mut world, goal) == (true, true), "before an update");
    }
    // By this query only the first goal learns of the edit.
    assert_eq!(world.request_route(goals[0], 0, from), Ok(true));
    for goal in goals {
        assert!(
            round(&mut world, goal) == (true, true),
            "after another's request"
        );
    }
    // Old tiles are used until new ones are built. They lead into the wall; paths do not.
    world.set_tile_limit(0);
    world.update();
    assert!(world.tile_stats().waiting > 0);
    for goal in goals {
        assert!(round(&mut world, goal) == (true, true), "beside old tiles");
    }
    world.move_goal(goals[1], &[from]).expect("known");
    assert_eq!(world.cost_to_goal(goals[1], from, 0), Ok(Some(0.0)));
    assert_eq!(world.path_from(goals[1], from, 0), Ok(vec![from]));
}
