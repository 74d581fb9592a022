//! System C's fields: costs as in its equation 3, and directions as a repair would find them.

use crate::common::{cell_of, center_of, central_goal, cost_field, every_map, system_a_penalty};
use flow_swarm::flow::{Direction, DirectionRule, FlowField};
use flow_swarm::grid::STEPS;
use flow_swarm::integrate::{PredecessorSolver, UNREACHED, predecessor_step};
use flow_swarm::movement::{BLOCKED, CostField, MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, serpentine};

/// System C's cost of clear ground, and of each axis along which a step moves.
const BASE_COST: u64 = 20;
const PENALTY: u64 = 10;

/// The least cost from every cell to any goal, in system C's units, by relaxing until nothing changes.
fn relaxed(costs: &CostField, goals: &[IVec2]) -> Vec<Option<u64>> {
    let (width, height) = (costs.width() as i32, costs.height() as i32);
    let index = |cell: IVec2| (cell.y * width + cell.x) as usize;
    let mut best = vec![None; (width * height) as usize];
    for &goal in goals {
        best[index(goal)] = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for y in 0..height {
            for x in 0..width {
                let cell = IVec2::new(x, y);
                if !costs.is_open(cell) {
                    continue;
                }
                for step in STEPS {
                    let next = cell + step;
                    let beside = cell + IVec2::new(step.x, 0);
                    let above = cell + IVec2::new(0, step.y);
                    if ![next, beside, above].iter().all(|&at| costs.is_open(at)) {
                        continue;
                    }
                    let Some(rest) = best[index(next)] else {
                        continue;
                    };
                    let axes = u64::from(step.x.unsigned_abs() + step.y.unsigned_abs());
                    let cost = rest + BASE_COST * u64::from(costs.cost_at(cell)) + PENALTY * axes;
                    if best[index(cell)].is_none_or(|known| cost < known) {
                        best[index(cell)] = Some(cost);
                        changed = true;
                    }
                }
            }
        }
    }
    best
}

fn for_each_case(mut check: impl FnMut(&str, &CostMap, &CostField, &[usize])) {
    let graded = WallPenalty::new(9, 3, true).expect("in range");
    let types = [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
        MovementType::with_wall_penalty(graded),
    ];
    for seed in 0..3 {
        for (name, map) in every_map(41, 29, seed) {
            let Some(goal) = central_goal(&map) else {
                continue;
            };
            for kind in &types {
                let costs = cost_field(&map, kind);
                check(&name, &map, &costs, &[goal]);
                let last = (0..map.len()).rfind(|&cell| map.is_passable(cell));
                check(&name, &map, &costs, &[goal, last.unwrap_or(goal)]);
            }
        }
    }
}

#[test]
fn costs_are_those_of_equation_3() {
    for_each_case(|name, map, costs, goals| {
        let cells: Vec<IVec2> = goals.iter().map(|&goal| cell_of(map, goal)).collect();
        let (field, _) = PredecessorSolver::new()
            .solve(costs, &cells)
            .expect("these maps are small");
        for (index, expected) in relaxed(costs, &cells).into_iter().enumerate() {
            let cell = cell_of(map, index);
            let stored = field.stored()[costs.index(cell)];
            // Stored in tenths of system C's units.
            let found = (stored != UNREACHED).then(|| u64::from(stored) * PENALTY);
            assert_eq!(found, expected, "{name}: {cell}");
            let in_straight_steps = expected.map(|cost| cost as f64 / (BASE_COST + PENALTY) as f64);
            assert_eq!(field.cost_at(cell), in_straight_steps, "{name}: {cell}");
        }
    });
}

#[test]
fn what_the_wave_records_follows_from_the_costs_alone() {
    let mut solver = PredecessorSolver::new();
    for_each_case(|name, map, costs, goals| {
        let cells: Vec<IVec2> = goals.iter().map(|&goal| cell_of(map, goal)).collect();
        let targets: Vec<Vec2> = goals.iter().map(|&goal| center_of(map, goal)).collect();
        let (field, record) = solver.solve(costs, &cells).expect("these maps are small");
        for index in 0..costs.cell_count() {
            let derived = predecessor_step(costs, &field, index);
            assert_eq!(record.step(index), derived, "{name}: {}", costs.cell(index));
        }
        let workers = Workers::new(2).expect("threads");
        let recorded = FlowField::from_predecessors(costs, &field, &record, &targets, &workers);
        let rule = DirectionRule::Predecessor;
        let derived = FlowField::new(costs, &field, &targets, rule, &Workers::serial());
        for index in 0..map.len() {
            let cell = cell_of(map, index);
            let direction = recorded.direction_at(cell);
            assert_eq!(direction, derived.direction_at(cell), "{name}: {cell}");
            match direction {
                Direction::GOAL => assert!(goals.contains(&index)),
                Direction::WALL => assert_eq!(costs.cost_at(cell), BLOCKED),
                Direction::NO_ROUTE => assert_eq!(field.cost_at(cell), None),
                _ => assert!(record.step(costs.index(cell)).is_some()),
            }
        }
        assert_eq!(recorded.target_in(cells[0]), Some(targets[0]), "{name}");
    });
}

#[test]
fn of_equally_good_predecessors_the_diagonal_one_is_taken() {
    let map = CostMap::filled(7, 7, 1);
    let costs = cost_field(&map, &MovementType::default());
    let (field, record) = PredecessorSolver::new()
        .solve(&costs, &[IVec2::ZERO])
        .expect("small");
    // Three diagonal and three straight steps, in any order.
    let at = IVec2::new(6, 3);
    assert_eq!(field.stored()[costs.index(at)], 3 * 4 + 3 * 3);
    let step = record.step(costs.index(at)).expect("not the goal");
    assert_eq!(STEPS[step], IVec2::new(-1, -1));
}

#[test]
fn a_goal_in_a_wall_reaches_nothing() {
    let map = CostMap::from_rows(&["..#", "..."]);
    let costs = cost_field(&map, &MovementType::default());
    for targets in [vec![], vec![IVec2::new(2, 0), IVec2::new(9, 9)]] {
        let (field, record) = PredecessorSolver::new()
            .solve(&costs, &targets)
            .expect("small");
        assert_eq!(field.reached_cell_count(), 0);
        assert!((0..costs.cell_count()).all(|index| record.step(index).is_none()));
    }
}

#[test]
fn costs_beyond_32_bits_are_an_error() {
    let mut map = serpentine(4201, 4201, 1);
    for cost in map.cost.iter_mut().filter(|cost| **cost != BLOCKED) {
        *cost = 254;
    }
    let costs = cost_field(&map, &MovementType::default());
    let solved = PredecessorSolver::new().solve(&costs, &[IVec2::ZERO]);
    assert!(
        matches!(solved, Err(Error::CostOverflow { limit }) if limit > 1.4e9),
        "a way of nine million of the slowest cells"
    );
}
