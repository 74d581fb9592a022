//! Worlds with goals that walk, and what must hold of their fields.

use super::{SolverAndRule, unit_grid};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{GoalCell, IntegrationField, Solver, Solvers};
use flow_swarm::movement::MovementType;
use flow_swarm::workers::Workers;
use flow_swarm::world::{Field, FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;
use std::sync::Arc;

pub const DEFAULT_PAIR: SolverAndRule = (Solver::Eikonal, DirectionRule::Characteristic);

/// So few cells per update that a far field takes dozens of updates.
pub const CELLS: usize = 300;

/// A world in which goals walk, however small the map.
pub fn world_of(map: &CostMap, kind: MovementType) -> FlowWorld {
    let mut world = FlowWorld::new(unit_grid(map), Workers::serial());
    world.set_terrain_bytes(&map.cost).expect("same size");
    world.set_movement_types(&[kind]).expect("one");
    world.set_walking_cells(CELLS);
    world
}

/// A world of rough ground that gets better towards a road from top to bottom. On the way there the cost to where the
/// far field leads comes to exceed that to the end of the middle field along the road.
pub fn world_with_a_road() -> FlowWorld {
    let (width, height, road) = (840, 740, 420);
    let mut map = flow_swarm_bench::maps::open(width, height);
    for (index, cost) in map.cost.iter_mut().enumerate() {
        *cost = 1 + ((index % width).abs_diff(road) / 15) as u8;
    }
    let mut world = world_of(&map, MovementType::default());
    world.set_walking_cells(1000);
    world
}

/// Where a hero is at a tick on the way to the road, at tick 300, and beyond it.
pub fn on_the_way_to_the_road(tick: u32) -> Vec2 {
    Vec2::new(270.5 + 0.5 * tick as f32, 370.5)
}

pub fn field(world: &FlowWorld, goal: GoalId) -> Arc<Field> {
    Arc::clone(world.field(goal, 0).expect("finished"))
}

/// A solve of the whole map at once to some cells, with the directions.
pub fn solved(
    world: &FlowWorld,
    cells: &[IVec2],
    targets: &[Vec2],
    (solver, rule): SolverAndRule,
) -> (IntegrationField, FlowField) {
    let (method, costs) = (rule.method(solver), world.costs(0));
    let goals: Vec<GoalCell> = cells
        .iter()
        .map(|&cell| GoalCell { cell, cost: 0.0 })
        .collect();
    let (integration, _) = Solvers::default()
        .solve_goals(method, costs, &goals)
        .expect("small");
    let flow = FlowField::new(costs, &integration, targets, rule, &Workers::serial());
    (integration, flow)
}

pub fn cells_of(grid: &Grid) -> impl Iterator<Item = IVec2> {
    let size = grid.size();
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
}

/// Asserts that near the goal the field equals a solve of the whole map; that its far part is such a solve too, though
/// perhaps for an earlier position of the goal; and that the path from every cell ends at the goal. Returns the number
/// of near cells.
pub fn assert_sound(world: &FlowWorld, goal: GoalId, pair: SolverAndRule, what: &str) -> usize {
    let grid = *world.grid();
    let field = field(world, goal);
    let targets = world.goal_targets(goal).expect("known").to_vec();
    let points: Vec<Vec2> = targets.iter().map(|&at| grid.to_cell_space(at)).collect();
    let cells: Vec<IVec2> = targets.iter().map(|&at| grid.cell_at(at)).collect();
    let (integration, flow) = solved(world, &cells, &points, pair);
    let mut near = 0;
    for cell in cells_of(&grid).filter(|&cell| field.is_near(cell)) {
        near += 1;
        assert_eq!(
            field.cost_at(cell),
            integration.cost_at(cell),
            "{what}: cost at {cell}"
        );
        let (found, expected) = (field.direction_at(cell), flow.direction_at(cell));
        assert_eq!(found, expected, "{what}: direction at {cell}");
        assert_eq!(field.is_goal(cell), flow.is_goal(cell), "{what}: {cell}");
        assert_eq!(
            field.target_in(cell),
            flow.target_in(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            field.sees_target(cell),
            flow.sees_target(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            field.link_from(cell),
            flow.link_from(cell),
            "{what}: {cell}"
        );
        let point = cell.as_vec2() + Vec2::new(0.7, 0.2);
        let (found, expected) = (field.sample_for(point, 0.3), flow.sample_for(point, 0.3));
        // Neighbours beyond the near part are blended in.
        assert!(
            found.dot(expected) > 0.3 || found == expected,
            "{what}: {found} instead of {expected} at {point}"
        );
    }
    let size = grid.size().x;
    let old: Vec<IVec2> = (field.integration.goals().iter())
        .map(|&index| {
            let stride = size as usize + 2;
            IVec2::new((index % stride) as i32 - 1, (index / stride) as i32 - 1)
        })
        .collect();
    let (far, _) = solved(world, &old, &[], pair);
    assert!(
        far.stored() == field.integration.stored(),
        "{what}: the far field is no solve"
    );
    // A cell reaches the goal if the cell to which it leads does.
    let mut arrives = vec![None; grid.cell_count()];
    for start in cells_of(&grid).filter(|&cell| integration.cost_at(cell).is_some()) {
        let mut path = Vec::new();
        let mut cell = start;
        let reached = loop {
            let known = &mut arrives[(cell.y * size + cell.x) as usize];
            if let Some(known) = *known {
                break known;
            }
            *known = Some(false);
            path.push(cell);
            if flow.is_goal(cell) {
                break true;
            }
            match field.next_cell(cell) {
                Some(next) => cell = next,
                None => break false,
            }
        };
        assert!(reached, "{what}: the path from {start} ends at {cell}");
        for cell in path {
            arrives[(cell.y * size + cell.x) as usize] = Some(true);
        }
    }
    near
}

/// A goal at some places that agents follow.
pub fn followed(world: &mut FlowWorld, targets: &[Vec2]) -> GoalId {
    let goal = world.create_goal(targets).expect("inside");
    world.require(goal, 0).expect("known");
    goal
}

/// Updates until the whole map leads to the present position of the goal.
pub fn settle(world: &mut FlowWorld, goal: GoalId) {
    for _ in 0..2000 {
        world.update();
        let corner = Vec2::splat(0.5);
        if world.field_age(goal, corner, 0) == Ok(Some(0)) {
            return;
        }
    }
    panic!("the far field is never finished");
}

pub fn age(world: &mut FlowWorld, goal: GoalId) -> Option<u64> {
    let target = world.goal_targets(goal).expect("known")[0];
    world.field_age(goal, target, 0).expect("inside")
}
