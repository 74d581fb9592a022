//! The octile solver's costs are exact.

use crate::common::{
    as_map, cell_of, central_goal, cost_field, every_map, integrate, system_a_penalty,
};
use flow_swarm::error::Error;
use flow_swarm::integrate::{IntegrationField, OctileSolver};
use flow_swarm::movement::MovementType;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, serpentine};
use flow_swarm_bench::oracle::{StepRule, exact_costs};
use proptest::prelude::*;

/// Compares with the oracle: once with the field's own diagonal, where only `f64` rounding in the oracle may differ,
/// and once with sqrt(2), within `error`.
fn assert_exact(name: &str, field: &IntegrationField, map: &CostMap, goals: &[usize], error: f64) {
    let scale = field.scale();
    let own = StepRule {
        diagonal_length: f64::from(scale.diagonal) / f64::from(scale.straight),
        ..StepRule::default()
    };
    let by_own_diagonal = exact_costs(map, goals, &own);
    let by_root_two = exact_costs(map, goals, &StepRule::default());
    for cell in 0..map.len() {
        match field.cost_at(cell_of(map, cell)) {
            None => assert_eq!(by_own_diagonal[cell], f64::INFINITY, "{name}: cell {cell}"),
            Some(cost) => {
                let off = |exact: f64| (cost - exact).abs() / exact.max(1.0);
                assert!(
                    off(by_own_diagonal[cell]) < 1.0e-11,
                    "{name}: cell {cell}: {cost}, exactly {}",
                    by_own_diagonal[cell]
                );
                assert!(
                    off(by_root_two[cell]) < error,
                    "{name}: cell {cell}: {cost}, with sqrt(2) {}",
                    by_root_two[cell]
                );
            }
        }
    }
}

#[test]
fn every_map_one_and_many_goals() {
    for (name, map) in every_map(37, 91, 1).into_iter().chain(every_map(64, 64, 2)) {
        let costs = cost_field(&map, &MovementType::default());
        let mut random = SplitMix64::new(5);
        let some: Vec<usize> = (0..7).map(|_| random.below(map.len())).collect();
        let one: Vec<usize> = central_goal(&map).into_iter().collect();
        for goals in [one, some] {
            let field = integrate(&costs, &map, &goals);
            assert_eq!(field.scale().straight, 2378, "{name}: the finest scale");
            assert_exact(&name, &field, &map, &goals, 1.0e-7);
        }
    }
}

#[test]
fn costs_with_a_wall_penalty() {
    for (name, map) in every_map(41, 33, 3) {
        let costs = cost_field(&map, &MovementType::with_wall_penalty(system_a_penalty()));
        let penalised = as_map(&costs);
        let goals: Vec<usize> = central_goal(&map).into_iter().collect();
        let field = integrate(&costs, &map, &goals);
        assert_exact(&name, &field, &penalised, &goals, 1.0e-7);
    }
}

#[test]
fn goals_in_walls_are_ignored() {
    let map = CostMap::from_rows(&["..#..", "..#..", "..#.."]);
    let costs = cost_field(&map, &MovementType::default());
    let only_wall = integrate(&costs, &map, &[map.index(2, 1)]);
    assert_eq!(only_wall.reached_cell_count(), 0);
    assert!(only_wall.goals().is_empty());
    let one_of_two = integrate(&costs, &map, &[map.index(2, 1), map.index(0, 0)]);
    assert_eq!(one_of_two.reached_cell_count(), 6);
    let twice = integrate(&costs, &map, &[0, 0, 0]);
    assert_eq!(twice.goals().len(), 1);
}

#[test]
fn a_map_of_walls_reaches_nothing() {
    for (width, height) in [(1, 1), (9, 5)] {
        let map = CostMap::filled(width, height, WALL);
        let costs = cost_field(&map, &MovementType::default());
        let field = integrate(&costs, &map, &(0..map.len()).collect::<Vec<_>>());
        assert_eq!(field.reached_cell_count(), 0);
        assert!(field.to_costs().iter().all(|&cost| cost == f32::INFINITY));
    }
}

#[test]
fn targets_outside_the_grid_count_for_nothing() {
    let map = open(5, 4);
    let costs = cost_field(&map, &MovementType::default());
    let outside = [
        glam::IVec2::new(-1, 0),
        glam::IVec2::new(5, 0),
        glam::IVec2::new(0, 4),
        glam::IVec2::splat(i32::MAX),
        glam::IVec2::splat(i32::MIN),
    ];
    let field = OctileSolver::new()
        .solve(&costs, &outside)
        .expect("no costs");
    assert_eq!(field.reached_cell_count(), 0);
}

#[test]
fn a_solver_that_is_used_again_gives_what_a_new_one_gives() {
    let mut used = OctileSolver::new();
    for seed in 0..3 {
        for (name, map) in every_kind(29, 31, seed) {
            let costs = cost_field(&map, &MovementType::default());
            let goals = [cell_of(&map, 0), cell_of(&map, map.len() / 2)];
            let again = used.solve(&costs, &goals).expect("small");
            let fresh = OctileSolver::new().solve(&costs, &goals).expect("small");
            assert_eq!(again.stored(), fresh.stored(), "{name}");
        }
    }
}

/// A corridor of one cost, one cell wide, that folds back and forth over the map.
fn slow_serpentine(width: usize, height: usize, cost: u8) -> CostMap {
    let mut map = serpentine(width, height, 1);
    for cell in &mut map.cost {
        if *cell != WALL {
            *cell = cost;
        }
    }
    map
}

#[test]
fn long_slow_ways_fall_back_to_coarser_scales() {
    // Costs of about 254 * size^2 / 2 at the far end.
    for (size, straight, error) in [(81, 2378, 1.0e-7), (151, 408, 3.0e-6), (401, 70, 1.0e-4)] {
        let map = slow_serpentine(size, size, 254);
        let costs = cost_field(&map, &MovementType::default());
        let field = integrate(&costs, &map, &[0]);
        assert_eq!(field.scale().straight, straight, "{size}");
        assert_exact("serpentine", &field, &map, &[0], error);
    }
}

#[test]
fn a_slow_plain_at_a_coarse_scale_is_within_that_scales_error() {
    // Open ground, where errors of diagonals add up, behind a corridor that is too long for fine scales.
    let mut map = slow_serpentine(201, 201, 254);
    for y in 120..201 {
        for x in 0..201 {
            let cell = map.index(x, y);
            map.cost[cell] = 254;
        }
    }
    let costs = cost_field(&map, &MovementType::default());
    let field = integrate(&costs, &map, &[0]);
    assert_eq!(field.scale().straight, 408);
    assert_exact("plain", &field, &map, &[0], 3.0e-6);
}

#[test]
fn costs_beyond_the_last_scale_are_an_error() {
    let size = 1701;
    let map = slow_serpentine(size, size, 254);
    let costs = cost_field(&map, &MovementType::default());
    let solved = OctileSolver::new().solve(&costs, &[cell_of(&map, 0)]);
    assert!(
        matches!(solved, Err(Error::CostOverflow { limit }) if limit > 3.5e8),
        "{solved:?}"
    );
    // From the middle the paths are half as long.
    let middle = map.index(0, size / 2 / 2 * 2);
    let field = integrate(&costs, &map, &[middle]);
    assert_eq!(field.scale().straight, 12);
    assert_exact("half", &field, &map, &[middle], 2.6e-3);
}

prop_compose! {
    fn weighted_map()(width in 1usize..14, height in 1usize..14)
        (cost in prop::collection::vec(
            prop_oneof![3 => 1u8..=254, 2 => Just(1u8), 2 => Just(WALL)], width * height),
         goals in prop::collection::vec(0..width * height, 1..5),
         width in Just(width), height in Just(height)) -> (CostMap, Vec<usize>) {
        (CostMap { width, height, cost }, goals)
    }
}

proptest! {
    #[test]
    fn any_weighted_map((map, goals) in weighted_map()) {
        let costs = cost_field(&map, &MovementType::default());
        let field = integrate(&costs, &map, &goals);
        assert_exact("random", &field, &map, &goals, 1.0e-7);
    }
}
