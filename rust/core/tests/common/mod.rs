//! Shared code of the contract tests: maps as terrain, worlds on them, and plain geometry to compare with.

#![allow(
    dead_code,
    reason = "every test binary compiles this file and uses a part of it"
)]

pub mod bodies;
pub mod crowds;
pub mod discs;
pub mod heroes;
pub mod linked;
pub mod portals;
pub mod refusals;
pub mod tiles;
pub mod walking;

use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{IntegrationField, OctileSolver, Solver, Solvers};
use flow_swarm::movement::{Changes, CostField, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, largest_component_cell, open};

/// Random seeds for tests that derive cases from a seed. Each is printed before its case, so that a failure can be
/// replayed: with `FRESH_SEED=7` in the environment only that seed is returned. The sequence ends after `count` seeds
/// or `seconds` seconds from its first seed on.
pub fn fresh_seeds(count: usize, seconds: u64) -> impl Iterator<Item = u64> {
    let asked = std::env::var("FRESH_SEED").ok();
    let asked: Option<u64> = asked.and_then(|text| text.parse().ok());
    // The cases before them take time of their own.
    let mut start = None;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let first = now.map_or(1, |since| since.as_nanos() as u64 % 1_000_000_000);
    let seeds =
        (0..count as u64).map(move |number| asked.unwrap_or(first.wrapping_add(number * 7919)));
    seeds
        .take(if asked.is_some() { 1 } else { count })
        .take_while(move |_| {
            let start = start.get_or_insert_with(std::time::Instant::now);
            start.elapsed().as_secs() < seconds
        })
        .inspect(|seed| eprintln!("fresh seed: replay with FRESH_SEED={seed}"))
}

/// A solver and a direction rule.
pub type SolverAndRule = (Solver, DirectionRule);

/// All pairs with different results.
pub const SOLVERS_AND_RULES: [SolverAndRule; 6] = [
    (Solver::Eikonal, DirectionRule::Characteristic),
    (Solver::Eikonal, DirectionRule::BestNeighbour),
    (Solver::Eikonal, DirectionRule::NegativeGradient),
    (Solver::Octile, DirectionRule::BestNeighbour),
    (Solver::Octile, DirectionRule::NegativeGradient),
    (Solver::Octile, DirectionRule::Predecessor),
];

/// System A's wall penalty: 20 on the eight neighbours of each wall.
pub fn system_a_penalty() -> WallPenalty {
    WallPenalty::new(20, 1, false).expect("in range")
}

/// Every kind of map at a size, and shapes that expose errors in index formulas.
pub fn every_map(width: usize, height: usize, seed: u64) -> Vec<(String, CostMap)> {
    let mut maps: Vec<(String, CostMap)> = every_kind(width, height, seed)
        .into_iter()
        .map(|(name, map)| (format!("{name} {width}x{height}"), map))
        .collect();
    for (width, height) in [(1, 1), (1, 23), (23, 1), (2, 2)] {
        maps.push((format!("open {width}x{height}"), open(width, height)));
    }
    maps
}

/// A grid of cells of size 1 with its lower corner at the origin.
pub fn unit_grid(map: &CostMap) -> Grid {
    let size = IVec2::new(map.width as i32, map.height as i32);
    Grid::new(size, 1.0, Vec2::ZERO).expect("maps have cells")
}

pub fn cost_field(map: &CostMap, kind: &MovementType) -> CostField {
    let grid = unit_grid(map);
    let mut terrain = Terrain::new(&grid);
    terrain
        .set_bytes(&map.cost)
        .expect("one entry per cell of the same map");
    CostField::new(&grid, &terrain, kind)
}

pub fn cell_of(map: &CostMap, index: usize) -> IVec2 {
    let (x, y) = map.position(index);
    IVec2::new(x as i32, y as i32)
}

pub fn center_of(map: &CostMap, index: usize) -> Vec2 {
    cell_of(map, index).as_vec2() + 0.5
}

pub fn index_of(map: &CostMap, cell: IVec2) -> usize {
    map.index(cell.x as usize, cell.y as usize)
}

/// The costs of a cost field as a map, for the oracles.
pub fn as_map(costs: &CostField) -> CostMap {
    CostMap {
        width: costs.width(),
        height: costs.height(),
        cost: costs.to_bytes(),
    }
}

/// The walls that discs must not touch as a map. Cells that only lack clearance are open, and so are walls where the
/// floor continues on another layer.
pub fn obstacles_of(costs: &CostField) -> CostMap {
    let mut map = as_map(costs);
    for index in 0..map.len() {
        let is_obstacle = costs.is_obstacle(cell_of(&map, index));
        map.cost[index] = if is_obstacle { WALL } else { 1 };
    }
    map
}

pub fn integrate(costs: &CostField, map: &CostMap, goals: &[usize]) -> IntegrationField {
    let cells: Vec<IVec2> = goals.iter().map(|&goal| cell_of(map, goal)).collect();
    OctileSolver::new()
        .solve(costs, &cells)
        .expect("these maps are small")
}

/// Costs and directions by a solver and a rule.
pub fn field_by(
    costs: &CostField,
    map: &CostMap,
    goals: &[usize],
    (solver, rule): SolverAndRule,
) -> (IntegrationField, FlowField) {
    let cells: Vec<IVec2> = goals.iter().map(|&goal| cell_of(map, goal)).collect();
    let (integration, _) = Solvers::default()
        .solve(rule.method(solver), costs, &cells)
        .expect("these maps are small");
    let flow = flow_field(costs, &integration, map, goals, rule);
    (integration, flow)
}

pub fn flow_field(
    costs: &CostField,
    integration: &IntegrationField,
    map: &CostMap,
    goals: &[usize],
    rule: DirectionRule,
) -> FlowField {
    let targets: Vec<Vec2> = goals.iter().map(|&goal| center_of(map, goal)).collect();
    FlowField::new(costs, integration, &targets, rule, &Workers::serial())
}

/// A cell near the centre from which most of the map can be reached.
pub fn central_goal(map: &CostMap) -> Option<usize> {
    largest_component_cell(map, (map.width / 2, map.height / 2))
}

/// A world on a map, with cells of size 1 at the origin.
pub fn world_of(map: &CostMap, workers: Workers) -> FlowWorld {
    world_on(unit_grid(map), map, workers)
}

pub fn world_on(grid: Grid, map: &CostMap, workers: Workers) -> FlowWorld {
    let mut world = FlowWorld::new(grid, workers);
    world
        .set_terrain_bytes(&map.cost)
        .expect("one entry per cell of the same map");
    world.update();
    world
}

/// A random rectangle of at most `most` by `most` cells inside a grid.
pub fn random_rect(random: &mut SplitMix64, size: IVec2, most: i32) -> CellRect {
    let mut below = |end: i32| random.below(end as usize) as i32;
    let low = IVec2::new(below(size.x), below(size.y));
    let left = (size - low).min(IVec2::splat(most));
    let high = low + IVec2::new(1 + below(left.x), 1 + below(left.y));
    CellRect { low, high }
}

/// The default movement type, and two with wall penalties.
pub fn penalty_types() -> [MovementType; 3] {
    let far = WallPenalty::new(60, 3, true).expect("in range");
    [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
        MovementType::with_wall_penalty(far),
    ]
}

/// Changes as they are, or now and then as a rectangle for each cell.
pub fn listed_or_not(random: &mut SplitMix64, changes: Changes, costs: &CostField) -> Changes {
    match changes {
        Changes::Cells(cells) if random.percent(40) => {
            let rects = cells.iter();
            let rects = rects.map(|&cell| CellRect::cell(costs.cell(cell as usize)));
            Changes::Regions(rects.collect())
        }
        changes => changes,
    }
}

/// The edits of one tick: single cells, rectangles, rows and columns with and without a door, and cells of goals.
pub fn edit_like_a_game(
    random: &mut SplitMix64,
    size: IVec2,
    targets: &[IVec2],
    mut set: impl FnMut(CellRect, u8),
) {
    for _ in 0..1 + random.below(3) {
        let id = [1, 1, 1, 2, 9, 90, WALL, WALL, WALL][random.below(9)];
        let cell = IVec2::new(
            random.below(size.x as usize) as i32,
            random.below(size.y as usize) as i32,
        );
        match random.below(10) {
            0..=3 => set(CellRect::cell(cell), id),
            4 | 5 => set(random_rect(random, size, 5), id),
            6 => {
                let low = IVec2::new(0, cell.y);
                let high = IVec2::new(size.x, cell.y + 1);
                set(CellRect { low, high }, id);
                if random.percent(60) {
                    set(CellRect::cell(cell), 1);
                }
            }
            7 => {
                let low = IVec2::new(cell.x, 0);
                let high = IVec2::new(cell.x + 1, size.y);
                set(CellRect { low, high }, id);
                if random.percent(60) {
                    set(CellRect::cell(cell), 1);
                }
            }
            8 => set(CellRect::cell(targets[random.below(targets.len())]), WALL),
            _ => set(CellRect::cell(targets[random.below(targets.len())]), 1),
        }
    }
}

pub fn assert_same_flow(found: &FlowField, expected: &FlowField, size: IVec2, what: &str) {
    for y in 0..size.y {
        for x in 0..size.x {
            let cell = IVec2::new(x, y);
            let (one, other) = (found.direction_at(cell), expected.direction_at(cell));
            assert_eq!(one, other, "{what}: direction at {cell}");
            let (one, other) = (found.target_in(cell), expected.target_in(cell));
            assert_eq!(one, other, "{what}: target in {cell}");
        }
    }
}
