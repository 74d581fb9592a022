//! The octile solver skips most steps of most cells; plain Dijkstra skips none. Both must find exactly the same
//! integers.

use flow_swarm::flow::{Direction, DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{GoalCell, IntegrationField, OctileSolver, UNREACHED};
use flow_swarm::movement::{BLOCKED, CostField, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs for which detours pay, and which lead to many ties and near ties, because there are few different ones.
const PALETTES: [&[u8]; 6] = [
    &[1],
    &[1, 2],
    &[1, 2, 3, 4],
    &[4, 5, 6, 7],
    &[1, 21],
    &[1, 3, 50, 254],
];

/// Plain Dijkstra from goals with initial costs, in stored units.
fn plain_dijkstra(costs: &CostField, field: &IntegrationField, goals: &[(IVec2, u32)]) -> Vec<u32> {
    let scale = field.scale();
    let mut best = vec![UNREACHED; costs.cell_count()];
    let mut open = BinaryHeap::new();
    for &(goal, cost) in goals {
        let goal = costs.index(goal);
        if costs.costs()[goal] != BLOCKED && cost < best[goal] {
            best[goal] = cost;
            open.push(Reverse((cost, goal)));
        }
    }
    while let Some(Reverse((cost, index))) = open.pop() {
        if cost > best[index] {
            continue;
        }
        for (step, offset) in costs.offsets().into_iter().enumerate() {
            if costs.steps()[index] >> step & 1 == 0 {
                continue;
            }
            let next = index.wrapping_add_signed(offset);
            let length = if step % 2 == 0 {
                scale.straight
            } else {
                scale.diagonal
            };
            let reached = cost + length * u32::from(costs.costs()[next]);
            if reached < best[next] {
                best[next] = reached;
                open.push(Reverse((reached, next)));
            }
        }
    }
    best
}

/// The best neighbour of an index by testing all of them, diagonals first.
fn plain_direction(costs: &CostField, field: &IntegrationField, index: usize) -> Direction {
    let stored = field.stored();
    if costs.costs()[index] == BLOCKED {
        return Direction::WALL;
    }
    if stored[index] == 0 {
        return Direction::GOAL;
    }
    let own = u32::from(costs.costs()[index]);
    let through = |step: usize| {
        let next = index.wrapping_add_signed(costs.offsets()[step]);
        let legal = costs.steps()[index] >> step & 1 == 1;
        let length = [field.scale().straight, field.scale().diagonal][step % 2];
        (legal && stored[next] != UNREACHED).then(|| stored[next] + length * own)
    };
    [1, 3, 5, 7, 0, 2, 4, 6]
        .into_iter()
        .filter_map(|step| Some((through(step)?, step)))
        .min_by_key(|&(cost, _)| cost)
        .map_or(Direction::NO_ROUTE, |(_, step)| Direction::from_step(step))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_step_that_matters_is_left_out(
        (width, height) in (1_i32..24, 1_i32..24),
        palette in 0..PALETTES.len(),
        walls_percent in prop::sample::select(vec![0_u32, 5, 15, 35]),
        smooth in any::<bool>(),
        penalty in prop::sample::select(vec![0_i64, 0, 20]),
        seed in any::<u64>(),
        goal_count in 1_usize..4,
    ) {
        let palette = PALETTES[palette];
        let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let draw = |x: i32, y: i32| flow_swarm::random::keyed(seed, x as u64, y as u64);
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            // Either single cells or patches of four by four.
            let patch = if smooth { cell / 4 } else { cell };
            let id = if draw(cell.x + 1000, cell.y) % 100 < u64::from(walls_percent) {
                BLOCKED
            } else {
                palette[(draw(patch.x, patch.y) % palette.len() as u64) as usize]
            };
            terrain.set(cell, id).expect("inside");
        }
        let penalty = WallPenalty::new(penalty, 1, false).expect("in range");
        let costs = CostField::new(&grid, &terrain, &MovementType::with_wall_penalty(penalty));
        let goals: Vec<IVec2> = (0..goal_count)
            .map(|goal| grid.cell((draw(-7, goal as i32) % grid.cell_count() as u64) as usize))
            .collect();
        let field = OctileSolver::new().solve(&costs, &goals).expect("small");
        let free: Vec<(IVec2, u32)> = goals.iter().map(|&goal| (goal, 0)).collect();
        prop_assert_eq!(field.stored(), plain_dijkstra(&costs, &field, &free));
        let flow = FlowField::new(&costs, &field, &[], DirectionRule::BestNeighbour, &Workers::serial());
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            let expected = plain_direction(&costs, &field, costs.index(cell));
            prop_assert_eq!(flow.direction_at(cell), expected, "{}", cell);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// On ground of one cost, runs are followed ahead of the wave, and others may overtake them.
    #[test]
    fn runs_that_are_overtaken_leave_nothing_behind(
        (width, height) in (1_i32..90, 1_i32..90),
        cost in prop::sample::select(vec![1_u8, 3, 254]),
        walls_percent in prop::sample::select(vec![0_u64, 2, 10, 40]),
        patch in prop::sample::select(vec![IVec2::ONE, IVec2::new(9, 1), IVec2::new(1, 9), IVec2::splat(5)]),
        initial in prop::sample::select(vec![0.0_f32, 3.7, 30.0]),
        seed in any::<u64>(),
        goal_count in 1_usize..5,
    ) {
        let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let draw = |x: i32, y: i32| flow_swarm::random::keyed(seed, x as u64, y as u64);
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            let at = cell / patch;
            let wall = draw(at.x, at.y) % 100 < walls_percent;
            terrain.set(cell, if wall { BLOCKED } else { cost }).expect("inside");
        }
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let goals: Vec<GoalCell> = (0..goal_count as i32)
            .map(|goal| GoalCell {
                cell: grid.cell((draw(-7, goal) % grid.cell_count() as u64) as usize),
                cost: initial * f32::from(cost) * goal as f32,
            })
            .collect();
        let field = OctileSolver::new().solve_goals(&costs, &goals).expect("small");
        let stored = |cost: f32| (f64::from(cost) * f64::from(field.scale().straight)).round() as u32;
        let seeds: Vec<(IVec2, u32)> = goals.iter().map(|goal| (goal.cell, stored(goal.cost))).collect();
        prop_assert_eq!(field.stored(), plain_dijkstra(&costs, &field, &seeds));
    }
}
