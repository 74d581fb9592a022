//! The Eikonal solver's costs are the lengths of any-angle paths around walls, to the accuracy of its digital lines.

use crate::common::{cell_of, center_of, central_goal, cost_field, every_map, flow_field};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::integrate::{EikonalSolver, IntegrationField};
use flow_swarm::movement::MovementType;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, serpentine, terrain};
use flow_swarm_bench::oracle::{StepRule, exact_costs, godunov_costs, shortest_lengths};
use flow_swarm_bench::walker::Walker;

fn solve(map: &CostMap, goals: &[usize]) -> IntegrationField {
    let cells: Vec<IVec2> = goals.iter().map(|&goal| cell_of(map, goal)).collect();
    let costs = cost_field(map, &MovementType::default());
    EikonalSolver::new()
        .solve(&costs, &cells)
        .expect("these maps are small")
}

/// The same walls, on ground of one cost.
fn even(mut map: CostMap) -> CostMap {
    for cost in map.cost.iter_mut().filter(|cost| **cost != WALL) {
        *cost = 1;
    }
    map
}

/// A goal in the middle, or two at random places.
fn some_goals(map: &CostMap, seed: u64) -> Vec<usize> {
    if seed.is_multiple_of(2) {
        return central_goal(map).into_iter().collect();
    }
    let mut random = SplitMix64::new(seed);
    (0..2).map(|_| random.below(map.len())).collect()
}

/// The ratios of found to expected costs, for all cells except goals.
#[derive(Default)]
struct Ratios(Vec<f64>);

impl Ratios {
    fn compare(&mut self, name: &str, field: &IntegrationField, map: &CostMap, expected: &[f64]) {
        for (cell, &expected) in expected.iter().enumerate() {
            match field.cost_at(cell_of(map, cell)) {
                None => assert_eq!(expected, f64::INFINITY, "{name}: {cell}"),
                Some(cost) if expected == 0.0 => assert_eq!(cost, 0.0, "{name}: {cell}"),
                Some(cost) => self.0.push(cost / expected),
            }
        }
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn most(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    fn share_within(&self, error: f64) -> f64 {
        let near = self.0.iter().filter(|&&ratio| (ratio - 1.0).abs() <= error);
        near.count() as f64 / self.0.len() as f64
    }
}

/// A digital line may miss a wall one cell beside the true line, or turn at a corner at which the shortest path does
/// not. The error is then about a fifth of a cell, at most half a cell, and occurs in few cells.
#[test]
fn on_even_ground_costs_are_the_lengths_of_the_shortest_ways() {
    let mut ratios: [Ratios; 8] = Default::default();
    for seed in 0..12 {
        let kinds = every_kind(20, 18, seed).into_iter().zip(&mut ratios);
        for ((name, map), ratios) in kinds {
            let map = even(map);
            let goals = some_goals(&map, seed);
            let field = solve(&map, &goals);
            let exact = shortest_lengths(&map, &goals);
            ratios.compare(&format!("{name}, seed {seed}"), &field, &map, &exact);
        }
    }
    let kinds = every_kind(1, 1, 0).into_iter().zip(&ratios);
    for ((name, _), ratios) in kinds {
        let (least, mean, most) = (ratios.least(), ratios.mean(), ratios.most());
        let within = ratios.share_within(0.01);
        assert!(
            least > 0.965 && most < 1.075,
            "{name}: from {least} to {most} of the shortest way"
        );
        assert!((mean - 1.0).abs() < 0.002, "{name}: {mean} on average");
        assert!(within > 0.92, "{name}: {within} are within 1 %");
    }
}

#[test]
fn no_cost_is_less_than_the_straight_line() {
    for (name, map) in every_map(61, 47, 3) {
        let map = even(map);
        let goals = some_goals(&map, 1);
        let field = solve(&map, &goals);
        let open_goals: Vec<Vec2> = (goals.iter())
            .filter(|&&goal| map.is_passable(goal))
            .map(|&goal| center_of(&map, goal))
            .collect();
        for cell in 0..map.len() {
            let center = center_of(&map, cell);
            if let Some(cost) = field.cost_at(cell_of(&map, cell)) {
                let lines = open_goals.iter().map(|goal| center.distance(*goal));
                let straight = f64::from(lines.fold(f32::INFINITY, f32::min));
                assert!(
                    cost > straight - 1.0e-3,
                    "{name}: {cell}: {cost}, {straight}"
                );
            }
        }
    }
}

/// Octile costs, and directions derived from them, show eight spokes; these costs must not.
#[test]
fn on_open_ground_costs_directions_and_walks_are_straight() {
    let map = open(301, 201);
    for goal in [map.index(17, 33), map.index(150, 100), map.index(300, 0)] {
        let field = solve(&map, &[goal]);
        let flow = flow_of(&map, &field, goal);
        let target = center_of(&map, goal);
        for cell in (0..map.len()).filter(|&cell| cell != goal) {
            let way = target - center_of(&map, cell);
            let cost = field.cost_at(cell_of(&map, cell)).expect("open");
            let off = (cost - f64::from(way.length())).abs();
            assert!(off < 1.0e-3, "{cell} is off by {off}");
            let direction = flow.sample(center_of(&map, cell));
            let turned = direction.perp_dot(way.normalize()).abs();
            assert!(turned < 0.1_f32.to_radians(), "{cell}: {direction}");
        }
        let mut random = SplitMix64::new(7);
        for _ in 0..300 {
            let start = Vec2::new(random.unit() as f32 * 301.0, random.unit() as f32 * 201.0);
            let limit = 500.0;
            let walk = Walker::new(0.25).walk(&map, start, target, limit, |at| flow.sample(at));
            let straight = f64::from(start.distance(target));
            assert!(walk.arrived(), "from {start}");
            assert!(
                walk.length <= 1.001 * straight + 1.0e-3,
                "from {start}: {walk:?}"
            );
        }
    }
}

fn flow_of(map: &CostMap, field: &IntegrationField, goal: usize) -> FlowField {
    let costs = cost_field(map, &MovementType::default());
    flow_field(&costs, field, map, &[goal], DirectionRule::Characteristic)
}

/// Godunov's scheme overestimates except along axes, by up to a fifth near the start of a front. Where two fronts meet
/// it mixes them, so there is only one goal here.
#[test]
fn no_dearer_than_godunovs_scheme_and_near_it_on_smooth_ground() {
    let compare = |map: &CostMap, name: &str| {
        let goals: Vec<usize> = central_goal(map).into_iter().collect();
        let mut ratios = Ratios::default();
        let theirs = godunov_costs(map, &goals);
        ratios.compare(name, &solve(map, &goals), map, &theirs);
        assert!(ratios.most() < 1.01, "{name}: {}", ratios.most());
        ratios.mean()
    };
    for seed in 0..6 {
        for (name, map) in every_kind(61, 47, seed) {
            compare(&even(map), &format!("{name}, seed {seed}"));
        }
        let mean = compare(&terrain(200, 150, seed), &format!("hills, seed {seed}"));
        assert!((0.96..1.0).contains(&mean), "seed {seed}: {mean}");
    }
}

/// Also where two cells of a way touch at a corner only, with ground of higher cost on both sides.
#[test]
fn no_way_over_legal_steps_is_left_out() {
    let mut random = SplitMix64::new(20);
    let grounds: [&[u8]; 4] = [
        &[3, 3, 3, 200],
        &[1, 9],
        &[1, 200, WALL],
        &[1, 2, 3, 4, 5, WALL],
    ];
    for number in 0..400 {
        let mut map = open(3 + random.below(30), 3 + random.below(30));
        let ground = grounds[number % 4];
        for cost in &mut map.cost {
            *cost = ground[random.below(ground.len())];
        }
        let goals: Vec<usize> = (0..1 + random.below(2))
            .map(|_| random.below(map.len()))
            .collect();
        let by_steps = exact_costs(&map, &goals, &StepRule::default());
        let mut ratios = Ratios::default();
        let name = format!("map {number}, {ground:?}");
        ratios.compare(&name, &solve(&map, &goals), &map, &by_steps);
        // At most two straight steps in place of a diagonal one, and a bend costs a 594th more than a straight step.
        let most = std::f64::consts::SQRT_2 * 1.002;
        assert!(ratios.most() < most, "{name}: {}", ratios.most());
    }
}

/// Hills on a square of side 1.
fn hills(cells: usize) -> CostMap {
    let mut map = CostMap::filled(cells, cells, 1);
    for index in 0..map.len() {
        let (x, y) = map.position(index);
        let at = |cell: usize| (cell as f64 + 0.5) / cells as f64;
        let height = (5.0 * at(x)).sin() + (4.0 * at(y) + 1.0).cos();
        map.cost[index] = (110.0 + 60.0 * height).round() as u8;
    }
    map
}

#[test]
fn on_finer_grids_both_schemes_come_to_the_same_solution() {
    const FINEST: usize = 729;
    let middle = |cells: usize| cells / 2 * cells + cells / 2;
    let fine = godunov_costs(&hills(FINEST), &[middle(FINEST)]);
    let mut last = f64::INFINITY;
    for cells in [9, 27, 81, 243] {
        let map = hills(cells);
        let field = solve(&map, &[middle(cells)]);
        let coarse = godunov_costs(&map, &[middle(cells)]);
        // The centre of each cell is the centre of a cell of the finest grid.
        let times = FINEST / cells;
        let (mut ours, mut theirs, mut total) = (0.0, 0.0, 0.0);
        for (cell, coarse) in coarse.into_iter().enumerate() {
            let (x, y) = map.position(cell);
            let at = |cell: usize| cell * times + times / 2;
            let expected = fine[at(y) * FINEST + at(x)] / FINEST as f64;
            let in_units = |cost: f64| (cost / cells as f64 - expected).abs();
            ours += in_units(field.cost_at(cell_of(&map, cell)).expect("open"));
            theirs += in_units(coarse);
            total += expected;
        }
        assert!(ours <= theirs, "{cells}: {ours}, Godunov's {theirs}");
        let error = ours / total;
        assert!(error < 0.5 * last, "{cells}: {error} after {last}");
        last = error;
    }
    assert!(last < 0.003, "{last}");
}

/// The choice between two equally good roots is not symmetric, and decides which others are found behind them.
#[test]
fn mirrored_and_transposed_maps_have_the_same_costs() {
    let (mut off, mut count) = (0.0, 0);
    for seed in 0..10 {
        for (name, map) in every_kind(33, 25, seed) {
            let goals = some_goals(&map, seed);
            let field = solve(&map, &goals);
            for (map_to, size) in [
                (mirrored as fn(IVec2) -> IVec2, (33, 25)),
                (transposed, (25, 33)),
            ] {
                let mut other = CostMap::filled(size.0, size.1, 1);
                let moved = |cell: usize| map_to(cell_of(&map, cell));
                let index = |cell: IVec2| cell.y as usize * size.0 + cell.x as usize;
                for cell in 0..map.len() {
                    other.cost[index(moved(cell))] = map.cost[cell];
                }
                let goals: Vec<usize> = goals.iter().map(|&goal| index(moved(goal))).collect();
                let other_field = solve(&other, &goals);
                for cell in 0..map.len() {
                    let one = field.cost_at(cell_of(&map, cell));
                    let two = other_field.cost_at(moved(cell));
                    assert_eq!(one.is_some(), two.is_some(), "{name}: {cell}");
                    let (Some(one), Some(two)) = (one, two) else {
                        continue;
                    };
                    let difference = (one - two).abs();
                    assert!(difference < 0.6, "{name}: {cell}: {one}, {two}");
                    if matches!(name, "open" | "serpentine" | "maze") {
                        assert!(difference < 0.01, "{name}: {cell}: {one}, {two}");
                    }
                    off += difference;
                    count += 1;
                }
            }
        }
    }
    let mean = off / f64::from(count);
    assert!(mean < 0.005, "{mean} cells on average");
}

fn mirrored(cell: IVec2) -> IVec2 {
    IVec2::new(32 - cell.x, cell.y)
}

fn transposed(cell: IVec2) -> IVec2 {
    IVec2::new(cell.y, cell.x)
}

#[test]
fn long_ways_over_dear_ground_are_measured_on_a_coarser_scale() {
    let map = serpentine(260, 260, 1);
    let mut dear = map.clone();
    for cost in dear.cost.iter_mut().filter(|cost| **cost != WALL) {
        *cost = 254;
    }
    let goal = map.index(0, 0);
    let (cheap, dear) = (solve(&map, &[goal]), solve(&dear, &[goal]));
    assert!(dear.scale().straight < cheap.scale().straight);
    let mut reached = 0;
    for cell in 0..map.len() {
        let cell = cell_of(&map, cell);
        let (one, other) = (cheap.cost_at(cell), dear.cost_at(cell));
        assert_eq!(one.is_some(), other.is_some(), "{cell}");
        if let (Some(one), Some(other)) = (one, other) {
            let off = (other - 254.0 * one).abs();
            assert!(off <= 0.01 * other, "{cell}: {one}, {other}");
            reached += 1;
        }
    }
    assert!(reached > 30_000);
}
