//! Initial costs of goals: each goal behaves as if a path of that cost followed it.

use crate::common::{SOLVERS_AND_RULES, cell_of, cost_field, flow_field, penalty_types, world_of};
use flow_swarm::integrate::{
    GoalCell, IntegrationField, MAX_INITIAL_COST, Method, Solvers, UNREACHED,
};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, every_kind, open, serpentine};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

fn solve(method: Method, costs: &CostField, goals: &[GoalCell]) -> IntegrationField {
    let solved = Solvers::default().solve_goals(method, costs, goals);
    solved.expect("small").0
}

fn stored(field: &IntegrationField, cost: f32) -> u32 {
    (f64::from(cost) * f64::from(field.scale().straight)).round() as u32
}

/// Plain Dijkstra over the eight neighbours.
fn plain_dijkstra(costs: &CostField, field: &IntegrationField, goals: &[GoalCell]) -> Vec<u32> {
    let lengths = [field.scale().straight, field.scale().diagonal];
    let mut best = vec![UNREACHED; costs.cell_count()];
    let mut queue = BinaryHeap::new();
    for goal in goals.iter().filter(|goal| costs.is_open(goal.cell)) {
        let (index, cost) = (costs.index(goal.cell), stored(field, goal.cost));
        best[index] = best[index].min(cost);
        queue.push(Reverse((cost, index)));
    }
    while let Some(Reverse((cost, index))) = queue.pop() {
        if cost > best[index] {
            continue;
        }
        for (step, offset) in costs.offsets().into_iter().enumerate() {
            let next = index.wrapping_add_signed(offset);
            let reached = cost + lengths[step % 2] * u32::from(costs.costs()[next]);
            if costs.steps()[index] >> step & 1 == 1 && reached < best[next] {
                best[next] = reached;
                queue.push(Reverse((reached, next)));
            }
        }
    }
    best
}

fn random_goals(random: &mut SplitMix64, costs: &CostField, farthest: usize) -> Vec<GoalCell> {
    let (width, height) = (costs.width(), costs.height());
    let goal = |_| GoalCell {
        cell: IVec2::new(random.below(width) as i32, random.below(height) as i32),
        cost: random.below(farthest) as f32 * 0.31,
    };
    (0..6).map(goal).collect()
}

#[test]
fn octile_costs_are_those_of_a_plain_dijkstra() {
    let mut random = SplitMix64::new(3);
    for seed in 0..6 {
        for (name, map) in every_kind(31, 23, seed) {
            for kind in penalty_types() {
                let costs = cost_field(&map, &kind);
                for farthest in [1, 9, 90, 3000] {
                    let goals = random_goals(&mut random, &costs, farthest);
                    let field = solve(Method::Octile, &costs, &goals);
                    let expected = plain_dijkstra(&costs, &field, &goals);
                    assert!(field.stored() == expected, "{name}, seed {seed}: {goals:?}");
                    let is_goal = |goal: &&GoalCell| {
                        costs.is_open(goal.cell)
                            && expected[costs.index(goal.cell)] == stored(&field, goal.cost)
                    };
                    let mut kept: Vec<usize> = goals
                        .iter()
                        .filter(is_goal)
                        .map(|goal| costs.index(goal.cell))
                        .collect();
                    kept.sort_unstable();
                    kept.dedup();
                    assert_eq!(field.goals(), kept, "{name}, seed {seed}: {goals:?}");
                }
            }
        }
    }
}

/// No solver gives a cell more than the best of its single goals would, or a goal more than its initial cost.
#[test]
fn costs_are_the_least_over_the_single_goals() {
    let mut random = SplitMix64::new(4);
    for (name, map) in every_kind(40, 30, 2) {
        let costs = cost_field(&map, &penalty_types()[0]);
        for method in [Method::Octile, Method::Predecessor, Method::Eikonal] {
            let goals = random_goals(&mut random, &costs, 60);
            let field = solve(method, &costs, &goals);
            let single: Vec<IntegrationField> = goals
                .iter()
                .map(|&goal| solve(method, &costs, &[GoalCell { cost: 0.0, ..goal }]))
                .collect();
            for index in 0..map.len() {
                let cell = cell_of(&map, index);
                let least = goals
                    .iter()
                    .zip(&single)
                    .filter_map(|(goal, field)| Some(field.cost_at(cell)? + f64::from(goal.cost)));
                let least = least.fold(f64::INFINITY, f64::min);
                let found = field.cost_at(cell).unwrap_or(f64::INFINITY);
                // Where the fronts of two goals meet, triangles between them may be crossed at a better angle.
                let slack = if method == Method::Eikonal {
                    0.03 * least + 0.1
                } else {
                    1.0
                };
                let same = found == least || (found - least).abs() <= slack;
                assert!(same, "{name} by {method:?} at {cell}: {found}, not {least}");
            }
        }
    }
}

#[test]
fn every_way_ends_in_a_goal_that_no_other_is_cheaper_from() {
    let mut random = SplitMix64::new(5);
    for (name, map) in every_kind(33, 27, 7) {
        let costs = cost_field(&map, &penalty_types()[1]);
        for (solver, rule) in SOLVERS_AND_RULES {
            let goals = random_goals(&mut random, &costs, 50);
            let field = solve(rule.method(solver), &costs, &goals);
            let indices: Vec<usize> = goals
                .iter()
                .map(|goal| map.index(goal.cell.x as usize, goal.cell.y as usize))
                .collect();
            let flow = flow_field(&costs, &field, &map, &indices, rule);
            for index in 0..map.len() {
                let cell = cell_of(&map, index);
                if field.cost_at(cell).is_none() {
                    continue;
                }
                let path = flow.path_from(cell);
                let end = *path.last().expect("a way");
                let what = format!("{name} by {solver:?}, {rule:?} from {cell}");
                assert!(field.goals().contains(&costs.index(end)), "{what}: {end}");
                let is_goal = field.goals().contains(&costs.index(cell));
                assert_eq!(flow.is_goal(cell), is_goal, "{what}");
                assert!(flow.target_in(cell).is_none() || is_goal, "{what}");
            }
        }
    }
}

#[test]
fn a_world_weighs_targets_against_each_other() {
    let mut world = world_of(&open(30, 5), Workers::serial());
    let targets = [Vec2::new(2.5, 2.5), Vec2::new(27.5, 2.5)];
    let goal = world
        .create_goal_with_costs(&targets, &[10.0, 0.0])
        .expect("valid");
    let cost = |world: &mut flow_swarm::world::FlowWorld, x: f32| {
        let found = world.cost_to_goal(goal, Vec2::new(x, 2.5), 0);
        found.expect("inside").expect("reachable")
    };
    assert_eq!(cost(&mut world, 2.5), 10.0);
    assert_eq!(cost(&mut world, 9.5), 17.0);
    assert_eq!(cost(&mut world, 10.5), 17.0);
    assert_eq!(world.goal_initial_costs(goal), Ok(&[10.0, 0.0][..]));
    // The path to the other target passes the one with the high initial cost.
    world
        .move_goal_with_costs(goal, &targets, &[100.0, 0.0])
        .expect("valid");
    assert_eq!(cost(&mut world, 2.5), 25.0);
    let way = world.flow_vector(goal, targets[0], 0).expect("inside");
    assert_eq!(way, Vec2::X);
    let signature = world.goal_signature(goal);
    world.move_goal(goal, &targets).expect("valid");
    assert_eq!(cost(&mut world, 2.5), 0.0);
    assert_ne!(world.goal_signature(goal), signature);
}

#[test]
fn the_cheapest_of_two_targets_in_one_cell_counts() {
    let mut world = world_of(&open(8, 3), Workers::serial());
    let targets = [Vec2::new(5.2, 1.5), Vec2::new(5.8, 1.5)];
    let goal = world
        .create_goal_with_costs(&targets, &[3.0, 1.0])
        .expect("valid");
    let field = world.whole_field(goal, 0).expect("known").expect("built");
    assert_eq!(field.integration.cost_at(IVec2::new(5, 1)), Some(1.0));
    assert_eq!(field.flow.target_in(IVec2::new(5, 1)), Some(targets[1]));
}

#[test]
fn bad_initial_costs_are_refused() {
    let mut world = world_of(&open(8, 3), Workers::serial());
    let targets = [Vec2::new(5.2, 1.5), Vec2::new(1.5, 1.5)];
    let goal = world.create_goal(&targets).expect("valid");
    for costs in [
        &[][..],
        &[1.0],
        &[1.0, 2.0, 3.0],
        &[1.0, -0.5],
        &[f32::NAN, 1.0],
        &[1.0, f32::INFINITY],
        &[1.0, MAX_INITIAL_COST * 1.01],
    ] {
        assert!(
            world.create_goal_with_costs(&targets, costs).is_err(),
            "{costs:?}"
        );
        assert!(
            world.move_goal_with_costs(goal, &targets, costs).is_err(),
            "{costs:?}"
        );
    }
    assert!(world.create_goal_with_costs(&[], &[]).is_err());
    assert_eq!(world.goal_initial_costs(goal), Ok(&[0.0, 0.0][..]));
    let most = [MAX_INITIAL_COST; 2];
    let far = world
        .create_goal_with_costs(&targets, &most)
        .expect("in range");
    let found = world
        .cost_to_goal(far, Vec2::new(7.5, 1.5), 0)
        .expect("inside");
    assert!((found.expect("reachable") - 1.0e6 - 2.0).abs() < 0.01);
}

/// Costs near the end of the number range, beside walls: sums that wrap there are not used.
#[test]
fn costs_beyond_a_scale_are_solved_on_the_next() {
    let mut map = serpentine(91, 220, 1);
    for (cell, cost) in map.cost.iter_mut().enumerate() {
        if *cost != WALL {
            *cost = 80 + 10 * (cell % 3) as u8;
        }
    }
    let costs = cost_field(&map, &MovementType::default());
    let first = (0..map.len()).find(|&cell| map.is_passable(cell));
    let goal = |cost: f32| GoalCell {
        cell: cell_of(&map, first.expect("a cell")),
        cost,
    };
    for method in [Method::Eikonal, Method::Octile] {
        let near = solve(method, &costs, &[goal(0.0)]);
        let farthest = |field: &IntegrationField| {
            let reached = field.stored().iter().filter(|&&cost| cost != UNREACHED);
            let most = reached.max().copied().unwrap_or(0);
            f64::from(most) / f64::from(field.scale().straight)
        };
        assert!(farthest(&near) > 810_000.0, "{}", farthest(&near));
        for less in 0..8 {
            let initial = MAX_INITIAL_COST - 13.0 * less as f32;
            let far = solve(method, &costs, &[goal(initial)]);
            assert!(far.scale().straight < near.scale().straight);
            let apart = farthest(&far) - farthest(&near);
            assert!(
                (apart - f64::from(initial)).abs() < 100.0,
                "{method:?} {apart}"
            );
        }
    }
}
