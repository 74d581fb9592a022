//! The line of sight, compared with a test of every cell, edge and corner of the map.

use flow_swarm::grid::Grid;
use flow_swarm::movement::{BLOCKED, Clearance, CostField, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use proptest::prelude::*;

/// Steps per cell of the test's points, so that many lines run along edges and through corners.
const STEPS: i64 = 4;

fn costs_of(size: IVec2, ids: &[u8]) -> CostField {
    let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
    let mut terrain = Terrain::new(&grid);
    terrain.set_bytes(ids).expect("one id per cell");
    CostField::new(&grid, &terrain, &MovementType::default())
}

type Point = (i64, i64);

/// Returns `true` if the line meets the inside of the square from `low` on: the part between its crossings of the four
/// sides is then not empty. Units are `1 / STEPS` cells, and parameters are fractions of `dx * dy` or similar.
fn meets_inside(from: Point, to: Point, low: Point) -> bool {
    // The parameters of entry and exit, as fractions with positive denominators.
    let (mut enter, mut leave) = ((0, 1), (1, 1));
    let less = |one: Point, other: Point| one.0 * other.1 < other.0 * one.1;
    for (start, end, low) in [(from.0, to.0, low.0), (from.1, to.1, low.1)] {
        let (length, high) = (end - start, low + STEPS);
        if length == 0 {
            if start <= low || start >= high {
                return false;
            }
            continue;
        }
        let (near, far) = if length > 0 { (low, high) } else { (high, low) };
        let sign = length.signum();
        let near = ((near - start) * sign, length.abs());
        let far = ((far - start) * sign, length.abs());
        if less(enter, near) {
            enter = near;
        }
        if less(far, leave) {
            leave = far;
        }
    }
    less(enter, leave) || (from == to && enter == (0, 1) && leave == (1, 1))
}

fn lies_on(from: Point, to: Point, point: Point) -> bool {
    let cross = (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0);
    let between = |a: i64, b: i64, x: i64| a.min(b) <= x && x <= a.max(b);
    cross == 0 && between(from.0, to.0, point.0) && between(from.1, to.1, point.1)
}

fn plain_sight(costs: &CostField, from: Point, to: Point) -> bool {
    let cell = |point: Point| {
        IVec2::new(
            point.0.div_euclid(STEPS) as i32,
            point.1.div_euclid(STEPS) as i32,
        )
    };
    let own = costs.cost_at(cell(from));
    let is_other = |x: i64, y: i64| costs.cost_at(IVec2::new(x as i32, y as i32)) != own;
    let end = cell(to);
    if own == BLOCKED || is_other(end.x.into(), end.y.into()) {
        return false;
    }
    let (width, height) = (costs.width() as i64, costs.height() as i64);
    for y in 0..=height {
        for x in 0..=width {
            let corner = (x * STEPS, y * STEPS);
            if is_other(x, y) && meets_inside(from, to, corner) {
                return false;
            }
            // Along the edge that begins in the corner, tested at its middle, with cells of another cost on both sides.
            let (right, below) = (
                (corner.0 + STEPS / 2, corner.1),
                (corner.0, corner.1 + STEPS / 2),
            );
            let along_x = from.1 == to.1 && from != to && lies_on(from, to, right);
            let along_y = from.0 == to.0 && from != to && lies_on(from, to, below);
            if along_x && is_other(x, y) && is_other(x, y - 1)
                || along_y && is_other(x, y) && is_other(x - 1, y)
            {
                return false;
            }
            // Through a corner at which two such cells touch.
            let rising = is_other(x, y - 1) && is_other(x - 1, y);
            let falling = is_other(x - 1, y - 1) && is_other(x, y);
            let slips = if corner == from {
                rising && (to.0 < from.0 || to.1 < from.1)
            } else if corner == to {
                rising && (from.0 < to.0 || from.1 < to.1)
            } else {
                rising || falling
            };
            if lies_on(from, to, corner) && slips {
                return false;
            }
        }
    }
    true
}

fn at(point: Point) -> Vec2 {
    Vec2::new(point.0 as f32, point.1 as f32) / STEPS as f32
}

/// Compares lines between random points of a map with a test of every cell.
fn compare(size: IVec2, ids: &[u8], draw: impl Fn(u64, i64) -> i64) -> Result<(), TestCaseError> {
    let costs = costs_of(size, ids);
    let level: Vec<u8> = ids
        .iter()
        .map(|&id| if id == BLOCKED { id } else { 1 })
        .collect();
    let level = costs_of(size, &level);
    let (columns, rows) = (i64::from(size.x) * STEPS, i64::from(size.y) * STEPS);
    for pair in 0..20 {
        let point = |what: u64| (draw(what, columns), draw(what + 1, rows));
        let (from, to) = (point(1000 + 4 * pair), point(1002 + 4 * pair));
        let seen = (
            costs.has_line_of_sight(at(from), at(to)),
            costs.is_in_sight(at(from), at(to)),
        );
        let expected = (plain_sight(&costs, from, to), plain_sight(&level, from, to));
        prop_assert_eq!(seen, expected, "{:?} to {:?} on {:?}", from, to, ids);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn it_equals_a_test_of_every_cell(
        size in (1_i32..9, 1_i32..9).prop_map(IVec2::from),
        palette in prop::sample::select(vec![&[1_u8, 1, 1, 1, BLOCKED][..], &[1, 1, 1, 2], &[1, BLOCKED]]),
        seed in any::<u64>(),
    ) {
        let draw = |what: u64, end: i64| (flow_swarm::random::keyed(seed, what, 0) % end as u64) as i64;
        let ids: Vec<u8> = (0..size.x * size.y)
            .map(|cell| palette[draw(cell as u64, palette.len() as i64) as usize])
            .collect();
        compare(size, &ids, draw)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn it_does_on_ground_that_is_alike_over_many_cells(
        size in (1_i32..150, 40_i32..150).prop_map(IVec2::from),
        one_in in 50_i64..4000,
        seed in any::<u64>(),
    ) {
        let draw = |what: u64, end: i64| {
            (flow_swarm::random::keyed(seed, what, 0) % end as u64) as i64
        };
        let ids: Vec<u8> = (0..size.x * size.y)
            .map(|cell| match draw(100_000 + cell as u64, one_in) {
                0 => BLOCKED,
                1 => 2,
                _ => 1,
            })
            .collect();
        compare(size, &ids, draw)?;
    }
}

fn world(rows: &[&str]) -> FlowWorld {
    let size = IVec2::new(rows[0].len() as i32, rows.len() as i32);
    let grid = Grid::new(size, 2.0, Vec2::new(-3.0, 5.0)).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let id = |byte: u8| match byte {
        b'#' => BLOCKED,
        b'~' => 5,
        _ => 1,
    };
    let ids: Vec<u8> = rows.iter().flat_map(|row| row.bytes().map(id)).collect();
    world.set_terrain_bytes(&ids).expect("one id per cell");
    world
}

fn middle(world: &FlowWorld, x: i32, y: i32) -> Vec2 {
    world.grid().center_of(IVec2::new(x, y))
}

#[test]
fn a_goal_is_seen_past_walls_but_not_through_them() {
    let mut world = world(&["......", "..#...", "......", "...~.."]);
    let seen = |world: &mut FlowWorld, goal, x, y| {
        let from = middle(world, x, y);
        world.has_line_of_sight(goal, from, 0).expect("inside")
    };
    let targets = [middle(&world, 5, 1)];
    let goal = world.create_goal(&targets).expect("inside");
    assert!(seen(&mut world, goal, 3, 1));
    assert!(!seen(&mut world, goal, 1, 1), "behind the wall");
    assert!(!seen(&mut world, goal, 2, 1), "in the wall");
    assert!(seen(&mut world, goal, 3, 0), "past it");
    assert!(!seen(&mut world, goal, 3, 3), "other ground");
    assert!(!seen(&mut world, goal, 2, 3), "over other ground");
    world.set_terrain(IVec2::new(2, 1), 1).expect("inside");
    assert!(seen(&mut world, goal, 1, 1), "at once when the wall goes");
    let either = [middle(&world, 0, 3), middle(&world, 5, 1)];
    world
        .set_terrain(IVec2::new(2, 1), BLOCKED)
        .expect("inside");
    world.move_goal(goal, &either).expect("inside");
    assert!(seen(&mut world, goal, 1, 3), "the other target");
    assert!(world.has_line_of_sight(GoalId(9), either[0], 0).is_err());
    assert!(world.has_line_of_sight(goal, either[0], 1).is_err());
    assert!(world.has_line_of_sight(goal, Vec2::NAN, 0).is_err());
    assert!(world.has_line_of_sight(goal, Vec2::splat(-9.0), 0).is_err());
}

#[test]
fn the_sight_map_is_the_sight_from_every_middle() {
    let rows = ["......#.", "..#.....", "#.....~.", "...~...#", "........"];
    let mut world = world(&rows);
    let targets = [middle(&world, 5, 1) + 0.3, middle(&world, 0, 4)];
    let goal = world.create_goal(&targets).expect("inside");
    let map = world.sight_map(goal, 0).expect("known");
    assert_eq!(map.len(), 40);
    for (index, &seen) in map.iter().enumerate() {
        let from = middle(&world, index as i32 % 8, index as i32 / 8);
        let exact = world.has_line_of_sight(goal, from, 0).expect("inside");
        assert_eq!(exact, seen == 1, "cell {index}");
    }
    assert!(map.contains(&1) && map.contains(&0));
    assert!(world.sight_map(GoalId(9), 0).is_err());
    assert!(world.sight_map(goal, 1).is_err());
}

#[test]
fn only_walls_end_the_sight_between_positions() {
    let mut world = world(&["......", "..#...", "......", "...~.."]);
    let sees = |world: &mut FlowWorld, from: (i32, i32), to: (i32, i32), movement| {
        let [from, to] = [from, to].map(|(x, y)| middle(world, x, y));
        world.is_in_sight(from, to, movement).expect("inside")
    };
    assert!(sees(&mut world, (0, 3), (5, 3), 0), "over other ground");
    assert!(sees(&mut world, (3, 3), (3, 1), 0), "from other ground");
    assert!(!sees(&mut world, (0, 1), (5, 1), 0), "a wall");
    assert!(!sees(&mut world, (2, 1), (5, 1), 0), "from a wall");
    assert!(!sees(&mut world, (5, 1), (2, 1), 0), "to a wall");
    world.set_terrain(IVec2::new(2, 1), 1).expect("inside");
    assert!(sees(&mut world, (0, 1), (5, 1), 0), "every edit counts");
    world
        .set_terrain(IVec2::new(2, 1), BLOCKED)
        .expect("inside");
    // One type cannot pass beside the wall, the other can cross it.
    let wide = Clearance::new(1.0).expect("in range");
    let mut costs = [1; 256];
    costs[0] = BLOCKED;
    let kinds = [
        MovementType::default().with_clearance(wide),
        MovementType::new(&costs, WallPenalty::default()).expect("valid"),
    ];
    world.set_movement_types(&kinds).expect("two");
    assert_eq!(world.cost(IVec2::new(2, 2), 0), Ok(BLOCKED));
    assert!(
        sees(&mut world, (0, 2), (5, 2), 0),
        "what is narrow can be seen"
    );
    assert!(sees(&mut world, (0, 1), (5, 1), 1), "its own walls count");
    let at = middle(&world, 1, 1);
    assert!(world.is_in_sight(at, Vec2::NAN, 0).is_err());
    assert!(world.is_in_sight(Vec2::splat(-9.0), at, 0).is_err());
    assert!(world.is_in_sight(at, at, 2).is_err());
}
