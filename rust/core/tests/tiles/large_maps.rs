//! Maps of 4096×4096 cells: correct to the far corners, in less than 200 MB per field.

use crate::common::{cell_of, cost_field};
use flow_swarm::Vec2;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::integrate::{IntegrationField, Solver, Solvers};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{CostMap, open, random_walls};

const SIDE: usize = 4096;
const MOST_BYTES: usize = 200_000_000;

/// Returns the costs to a goal and the directions derived from them; checks their memory.
fn solve(
    map: &CostMap,
    costs: &CostField,
    goal: usize,
    solver: Solver,
) -> (IntegrationField, FlowField) {
    let rule = DirectionRule::default();
    let goal = cell_of(map, goal);
    let (field, _) = Solvers::default()
        .solve(rule.method(solver), costs, &[goal])
        .expect("not that dear");
    let targets = [goal.as_vec2() + 0.5];
    let flow = FlowField::new(costs, &field, &targets, rule, &Workers::serial());
    let (bytes, cells) = (field.bytes() + flow.bytes(), map.len());
    let least = match solver {
        Solver::Octile => 6 * cells,
        Solver::Eikonal => 10 * cells,
    };
    assert!((least..MOST_BYTES).contains(&bytes), "{solver:?}: {bytes}");
    (field, flow)
}

fn corners(map: &CostMap) -> [usize; 4] {
    let last = SIDE - 1;
    [(0, 0), (last, 0), (0, last), (last, last)].map(|(x, y)| map.index(x, y))
}

fn length(map: &CostMap, from: usize, to: usize) -> f64 {
    let way = cell_of(map, from) - cell_of(map, to);
    way.as_dvec2().length()
}

#[test]
fn open_ground_is_measured_from_corner_to_corner() {
    let map = open(SIDE, SIDE);
    let costs = cost_field(&map, &MovementType::default());
    let goal = 0;
    let (eikonal, flow) = solve(&map, &costs, goal, Solver::Eikonal);
    for cell in corners(&map) {
        let (found, exact) = (
            eikonal.cost_at(cell_of(&map, cell)),
            length(&map, cell, goal),
        );
        let off = (found.expect("open") - exact).abs();
        // A line ends in two straight steps where its root is farther away than 16 bits can store.
        assert!(off <= 0.6, "{cell} is off by {off}");
    }
    let direction = flow.sample(Vec2::splat(4000.5));
    assert!(direction.distance(-Vec2::ONE.normalize()) < 1.0e-6);
    drop((eikonal, flow));

    let (octile, _) = solve(&map, &costs, goal, Solver::Octile);
    let last = (SIDE - 1) as f64;
    for (cell, exact) in corners(&map)
        .into_iter()
        .zip([0.0, last, last, last * 2.0_f64.sqrt()])
    {
        let off = (octile.cost_at(cell_of(&map, cell)).expect("open") - exact).abs();
        assert!(off <= 1.0e-6 * exact, "{cell} is off by {off}");
    }
}

#[test]
fn ways_among_walls_are_shorter_than_grid_steps_and_longer_than_lines() {
    let mut map = random_walls(SIDE, SIDE, 10, 3);
    for corner in corners(&map) {
        map.cost[corner] = 1;
    }
    let costs = cost_field(&map, &MovementType::default());
    let goal = map.len() - 1;
    let octile = solve(&map, &costs, goal, Solver::Octile).0.to_costs();
    let (eikonal, flow) = solve(&map, &costs, goal, Solver::Eikonal);
    for (cell, (&octile, &found)) in octile.iter().zip(&eikonal.to_costs()).enumerate() {
        assert_eq!(found == f32::INFINITY, octile == f32::INFINITY, "{cell}");
        if found < f32::INFINITY {
            let straight = length(&map, cell, goal) as f32;
            assert!(
                found >= straight * 0.9999 - 0.001,
                "{cell}: {found}, {straight}"
            );
            assert!(found <= octile * 1.0001 + 0.6, "{cell}: {found}, {octile}");
        }
    }
    let last = *flow.path_from(cell_of(&map, 0)).last().expect("its start");
    assert_eq!(last, cell_of(&map, goal));
}
