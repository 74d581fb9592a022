//! The field leads to the goal from every connected cell.

use crate::common::{
    SOLVERS_AND_RULES, as_map, cell_of, center_of, central_goal, cost_field, every_map, field_by,
    index_of, system_a_penalty,
};
use flow_swarm::Vec2;
use flow_swarm::flow::{Direction, DirectionRule, FlowField, LOOKAHEAD};
use flow_swarm::grid::STEPS;
use flow_swarm::grid::floor_to_cell;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, maze, random_walls, serpentine};
use flow_swarm_bench::oracle::{
    StepRule, exact_costs, follow, no_corner_cut, path_cost, reachable,
};
use flow_swarm_bench::steps::Corners;
use proptest::prelude::*;

/// One map under one movement type with one set of goals.
struct Case {
    name: String,
    /// The costs, including any wall penalty.
    map: CostMap,
    costs: CostField,
    goals: Vec<usize>,
}

/// Ground of all costs side by side, with steep slopes that change from cell to cell.
fn broken_ground(width: usize, height: usize, seed: u64) -> CostMap {
    let mut map = random_walls(width, height, 25, seed);
    let mut random = SplitMix64::new(seed);
    for cost in map.cost.iter_mut().filter(|cost| **cost != WALL) {
        *cost = [1, 1, 3, 20, 200][random.below(5)];
    }
    map
}

fn cases(width: usize, height: usize, seed: u64) -> Vec<Case> {
    let mut maps = every_map(width, height, seed);
    // Winding corridors one cell wide, in which agents got stuck with system A's wall penalty.
    maps.push(("narrow serpentine".to_owned(), serpentine(width, height, 1)));
    maps.push(("another maze".to_owned(), maze(width, height, seed + 1)));
    for seed in seed..seed + 8 {
        let map = broken_ground(24, 24, seed);
        maps.push((format!("broken ground {seed}"), map));
    }
    let mut cases = Vec::new();
    for (name, map) in maps {
        let mut random = SplitMix64::new(seed);
        let several: Vec<usize> = (0..4).map(|_| random.below(map.len())).collect();
        let one: Vec<usize> = central_goal(&map).into_iter().collect();
        for goals in [one, several] {
            let kinds = [
                ("", MovementType::default()),
                (
                    " with wall penalty",
                    MovementType::with_wall_penalty(system_a_penalty()),
                ),
            ];
            for (penalty, kind) in kinds {
                let costs = cost_field(&map, &kind);
                cases.push(Case {
                    name: format!("{name}{penalty}, {} goals", goals.len()),
                    map: as_map(&costs),
                    costs,
                    goals: goals.clone(),
                });
            }
        }
    }
    cases
}

#[test]
fn steps_lead_downhill_to_the_goal_without_corner_cuts() {
    for case in cases(37, 91, 1).into_iter().chain(cases(48, 32, 9)) {
        let optimum = exact_costs(&case.map, &case.goals, &StepRule::default());
        let connected = reachable(&case.map, &case.goals, Corners::Closed);
        for pair in SOLVERS_AND_RULES {
            let (integration, flow) = field_by(&case.costs, &case.map, &case.goals, pair);
            let name = format!("{} by {pair:?}", case.name);
            for start in 0..case.map.len() {
                assert_ends_right(&name, &flow, &case, start, connected[start]);
                if connected[start] {
                    let path = assert_downhill(&name, &flow, &case, &integration, start);
                    if pair == (Solver::Octile, DirectionRule::BestNeighbour) {
                        let (found, best) = (path_cost(&case.map, &path), optimum[start]);
                        assert!(
                            (found - best).abs() <= 1.0e-6 * best.max(1.0),
                            "{name}: from {start} the path costs {found}, the best {best}"
                        );
                    }
                }
            }
        }
    }
}

fn assert_ends_right(name: &str, flow: &FlowField, case: &Case, start: usize, connected: bool) {
    let direction = flow.direction_at(cell_of(&case.map, start));
    if !case.map.is_passable(start) {
        assert_eq!(direction, Direction::WALL, "{name}: {start}");
    } else if !connected {
        assert_eq!(direction, Direction::NO_ROUTE, "{name}: {start}");
    } else {
        let is_goal = case.goals.contains(&start);
        assert_eq!(direction == Direction::GOAL, is_goal, "{name}: {start}");
        assert_eq!(direction.is_angle(), !is_goal, "{name}: {start}");
    }
}

fn assert_downhill(
    name: &str,
    flow: &FlowField,
    case: &Case,
    integration: &flow_swarm::integrate::IntegrationField,
    start: usize,
) -> Vec<usize> {
    let map = &case.map;
    let path = follow(map, start, |cell| {
        let step = flow.next_step(cell_of(map, cell))?;
        Some(index_of(map, cell_of(map, cell) + STEPS[step]))
    })
    .unwrap_or_else(|fault| panic!("{name}: from {start}: {fault}"));
    no_corner_cut(map, &path).unwrap_or_else(|fault| panic!("{name}: from {start}: {fault}"));
    let last = *path.last().expect("a path holds its start");
    assert!(
        case.goals.contains(&last),
        "{name}: from {start} the field ends in {last}"
    );
    let cost = |cell: usize| integration.cost_at(cell_of(map, cell));
    assert!(
        path.windows(2).all(|pair| cost(pair[1]) < cost(pair[0])),
        "{name}: from {start} a step does not lead downhill"
    );
    let cells: Vec<_> = path.iter().map(|&cell| cell_of(map, cell)).collect();
    assert_eq!(flow.path_from(cell_of(map, start)), cells, "{name}");
    path
}

/// Cells per step of a walk: the longest for which arrival is proven, and that of a slow agent.
const STRIDES: [f32; 2] = [LOOKAHEAD, 0.05];

#[test]
fn a_point_that_walks_along_the_samples_reaches_the_goal_beside_no_wall() {
    for case in cases(37, 41, 2) {
        let connected = reachable(&case.map, &case.goals, Corners::Closed);
        for pair in SOLVERS_AND_RULES {
            let (_, flow) = field_by(&case.costs, &case.map, &case.goals, pair);
            let name = format!("{} by {pair:?}", case.name);
            let starts: Vec<usize> = (0..case.map.len())
                .filter(|&cell| connected[cell])
                .collect();
            // Twice the length of the longest path, diagonals included: between two goals a walk may end at another
            // goal than the cells' steps do.
            let length = |&start: &usize| flow.path_from(cell_of(&case.map, start)).len();
            let longest = starts.iter().map(length).max().unwrap_or(0);
            for stride in STRIDES {
                let most = ((longest as f32 * 1.5 + 2.0) * 2.0 / stride) as usize;
                for &start in &starts {
                    walk(&name, &case, &flow, start, stride, most);
                }
            }
        }
    }
}

/// Walks from the centre of a cell into a goal's cell. No step may end in a wall or pass diagonally between two walls.
fn walk(name: &str, case: &Case, flow: &FlowField, start: usize, stride: f32, most: usize) {
    let (map, costs) = (&case.map, &case.costs);
    let mut at = center_of(map, start);
    for _ in 0..most {
        let cell = floor_to_cell(at);
        if flow.direction_at(cell) == Direction::GOAL {
            return;
        }
        let direction = flow.sample(at);
        assert!(
            (direction.length() - 1.0).abs() < 1.0e-4,
            "{name}: from {start}: {direction} at {at}"
        );
        let next = at + direction * stride;
        let entered = floor_to_cell(next);
        let beside = [
            glam::IVec2::new(cell.x, entered.y),
            glam::IVec2::new(entered.x, cell.y),
        ];
        assert!(
            costs.is_open(entered) && beside.iter().any(|&cell| costs.is_open(cell)),
            "{name}: from {start}: the step from {at} along {direction} enters a wall"
        );
        at = next;
    }
    panic!("{name}: from {start} the walk is still at {at} after {most} steps");
}

#[test]
fn samples_are_unit_vectors_everywhere_and_lead_to_exact_targets() {
    let map = CostMap::from_rows(&["....", ".#..", "...."]);
    let costs = cost_field(&map, &MovementType::default());
    let target = Vec2::new(3.2, 2.9);
    for pair in SOLVERS_AND_RULES {
        let (integration, _) = field_by(&costs, &map, &[map.index(3, 2)], pair);
        let flow = FlowField::new(
            &costs,
            &integration,
            &[target],
            pair.1,
            &flow_swarm::workers::Workers::serial(),
        );
        let mut random = SplitMix64::new(1);
        for _ in 0..10_000 {
            let at = Vec2::new(
                random.unit() as f32 * 6.0 - 1.0,
                random.unit() as f32 * 5.0 - 1.0,
            );
            let length = flow.sample(at).length();
            assert!((length - 1.0).abs() < 1.0e-4, "{at}: {length}");
        }
        let towards = flow.sample(Vec2::new(3.8, 2.3));
        let expected = (target - Vec2::new(3.8, 2.3)).normalize();
        assert!(towards.distance(expected) < 1.0e-6);
        assert_eq!(flow.sample(target), Vec2::ZERO);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every reached cell has a neighbour of lower cost, whatever the ground.
    #[test]
    fn every_reached_cell_has_a_lower_neighbour(
        (width, height) in (1_usize..40, 1_usize..40),
        walls_percent in prop::sample::select(vec![0_u32, 10, 35]),
        ground in prop::sample::select(vec![&[1_u8][..], &[7], &[1, 2], &[1, 1, 1, 5], &[1, 30, 254]]),
        patch in prop::sample::select(vec![1_usize, 4]),
        is_penalised in any::<bool>(),
        goal_count in 1_usize..4,
        seed in any::<u64>(),
    ) {
        let mut map = random_walls(width, height, walls_percent, seed);
        let mut random = SplitMix64::new(seed);
        let drawn: Vec<u8> = (0..map.len()).map(|_| ground[random.below(ground.len())]).collect();
        for index in 0..map.len() {
            let (x, y) = map.position(index);
            if map.cost[index] != WALL {
                map.cost[index] = drawn[map.index(x / patch, y / patch)];
            }
        }
        let kind = if is_penalised {
            MovementType::with_wall_penalty(system_a_penalty())
        } else {
            MovementType::default()
        };
        let costs = cost_field(&map, &kind);
        let goals: Vec<usize> = (0..goal_count).map(|_| random.below(map.len())).collect();
        let connected = reachable(&map, &goals, Corners::Closed);
        for pair in SOLVERS_AND_RULES {
            let (integration, flow) = field_by(&costs, &map, &goals, pair);
            for cell in (0..map.len()).map(|index| cell_of(&map, index)) {
                let cost = integration.cost_at(cell);
                let is_connected = connected[index_of(&map, cell)];
                prop_assert_eq!(cost.is_some(), is_connected, "{:?}: {}", pair, cell);
                if !is_connected || flow.is_goal(cell) {
                    continue;
                }
                let step = flow.next_step(cell);
                prop_assert!(step.is_some(), "{:?}: {} has no step", pair, cell);
                let step = step.expect("it has one");
                let legal = costs.steps()[costs.index(cell)] >> step & 1 == 1;
                prop_assert!(legal, "{:?}: {} has no such step", pair, cell);
                let lower = integration.cost_at(cell + STEPS[step]) < cost;
                prop_assert!(lower, "{:?}: {} leads uphill", pair, cell);
            }
        }
    }
}
