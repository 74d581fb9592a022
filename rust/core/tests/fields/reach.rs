//! What a budget suffices for is what a plain search finds, and what octile fields cost.

use crate::common::linked::random_link;
use crate::common::world_of;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::{MAX_REACH, Solver};
use flow_swarm::movement::{Clearance, MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, open};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::f64::consts::SQRT_2;

fn kinds() -> [MovementType; 3] {
    let penalty = WallPenalty::new(9, 2, true).expect("in range");
    let room = Clearance::new(1.2).expect("in range");
    [
        MovementType::default(),
        MovementType::with_wall_penalty(penalty),
        MovementType::with_wall_penalty(penalty).with_clearance(room),
    ]
}

/// A world of a few layers with links, and edits that nothing has seen yet.
fn scene(random: &mut SplitMix64) -> FlowWorld {
    let layers = 1 + random.below(3) as u32;
    let size = IVec2::new(1 + random.below(70) as i32, 1 + random.below(40) as i32);
    let grid = Grid::layered(size, 0.5, Vec2::new(7.0, -3.0), layers).expect("small");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let grounds: [&[u8]; 4] = [&[1], &[7], &[1, 1, 2, 9], &[3, 3, 3, 200]];
    let ground = grounds[random.below(4)];
    let walls = [0, 10, 30, 45][random.below(4)];
    let terrain: Vec<u8> = (0..grid.cell_count())
        .map(|_| match random.percent(walls) {
            true => WALL,
            false => ground[random.below(ground.len())],
        })
        .collect();
    world.set_terrain_bytes(&terrain).expect("right length");
    world.set_movement_types(&kinds()).expect("few");
    world.update();
    if grid.cell_count() > 1 {
        for _ in 0..random.below(8) {
            let link = random_link(random, &grid);
            world.add_link(link).expect("inside");
            world.set_terrain(link.from, 2).expect("inside");
        }
    }
    world
}

/// Dijkstra's algorithm over steps that are worked out from the costs alone.
fn plain_costs(world: &mut FlowWorld, movement: usize, start: IVec2) -> BTreeMap<(i32, i32), f64> {
    let links: Vec<Link> = world
        .link_ids()
        .map(|id| *world.link(id).expect("there"))
        .collect();
    let costs = world.fresh_costs(movement);
    let mut best = BTreeMap::new();
    // Numbers that are not negative are in the order of their bits.
    let mut waiting = BinaryHeap::from([Reverse((0.0_f64.to_bits(), start.x, start.y))]);
    while let Some(Reverse((known, x, y))) = waiting.pop() {
        let (cell, known) = (IVec2::new(x, y), f64::from_bits(known));
        if !costs.is_open(cell) || best.contains_key(&(x, y)) {
            continue;
        }
        best.insert((x, y), known);
        let own = f64::from(costs.cost_at(cell));
        let mut ways = Vec::new();
        for y in -1..=1 {
            for x in -1..=1 {
                let beside = [IVec2::new(x, 0), IVec2::new(0, y)];
                let is_legal = beside.iter().all(|&by| costs.is_open(cell + by));
                let length = [0.0, 1.0, SQRT_2][(x.abs() + y.abs()) as usize];
                if is_legal && length > 0.0 {
                    ways.push((cell + IVec2::new(x, y), own * length));
                }
            }
        }
        for link in &links {
            if link.from == cell {
                ways.push((link.to, f64::from(link.cost)));
            }
            if link.both_ways && link.to == cell {
                ways.push((link.from, f64::from(link.cost)));
            }
        }
        let candidates = ways.into_iter();
        waiting.extend(
            candidates.map(|(next, more)| Reverse(((known + more).to_bits(), next.x, next.y))),
        );
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_reach_is_what_a_plain_search_finds(
        seed in any::<u64>(),
        budget in prop_oneof![Just(0.0), 0.0_f64..4.0, 0.0..60.0, Just(MAX_REACH)],
        movement in 0..kinds().len(),
    ) {
        let mut random = SplitMix64::new(seed);
        let mut world = scene(&mut random);
        let grid = *world.grid();
        let layer = random.below(grid.layers().count() as usize) as u32;
        let low = grid.layers().cells(layer, grid.width()).low;
        let size = grid.layer_size();
        let start = low + IVec2::new(
            random.below(size.x as usize) as i32,
            random.below(size.y as usize) as i32,
        );
        let expected = plain_costs(&mut world, movement, start);
        world.set_solver([Solver::Octile, Solver::Eikonal][random.below(2)]);
        let known = format!("{world:?}");
        let reached = world.reach(grid.center_of(start), budget, movement).expect("inside");
        prop_assert_eq!(format!("{world:?}"), known, "the question has changed something");
        let found: BTreeMap<(i32, i32), f64> = reached
            .iter()
            .map(|&(cell, cost)| ((cell.x, cell.y), cost))
            .collect();
        prop_assert_eq!(found.len(), reached.len(), "a cell is named twice");
        let order = |&(cell, cost): &(IVec2, f64)| (cost, cell.y, cell.x);
        prop_assert!(reached.is_sorted_by_key(order));
        prop_assert_eq!(reached.first().map(|first| first.0), found.get(&(start.x, start.y)).map(|_| start));
        for (cell, &cost) in &found {
            let exact = expected.get(cell).copied().unwrap_or(f64::INFINITY);
            prop_assert!((cost - exact).abs() <= 1e-6 * (1.0 + exact), "{:?}: {}, not {}", cell, cost, exact);
        }
        for (cell, &cost) in &expected {
            let is_near = cost <= budget * (1.0 + 1e-7);
            let is_far = cost > budget * (1.0 + 1e-6);
            prop_assert!(!is_near || found.contains_key(cell), "{:?} at {} is missing", cell, cost);
            prop_assert!(!is_far || !found.contains_key(cell), "{:?} at {} is too much", cell, cost);
        }
    }

    /// To the last bit.
    #[test]
    fn costs_are_those_of_octile_fields_to_each_cell(seed in any::<u64>(), movement in 0..kinds().len()) {
        let mut random = SplitMix64::new(seed);
        let mut world = scene(&mut random);
        world.set_solver(Solver::Octile);
        let grid = *world.grid();
        let from = grid.center_of(IVec2::ZERO);
        let reached = world.reach(from, MAX_REACH, movement).expect("inside");
        for _ in 0..reached.len().min(6) {
            let (cell, cost) = reached[random.below(reached.len())];
            let goal = world.create_goal(&[grid.center_of(cell)]).expect("inside");
            prop_assert_eq!(world.cost_to_goal(goal, from, movement), Ok(Some(cost)), "to {}", cell);
            world.release_goal(goal).expect("there");
        }
    }
}

fn cells(reached: &[(IVec2, f64)]) -> Vec<(i32, i32)> {
    reached.iter().map(|(cell, _)| (cell.x, cell.y)).collect()
}

#[test]
fn a_step_costs_what_the_cell_that_it_leaves_costs() {
    let mut world = world_of(&open(4, 1), Workers::serial());
    world.set_terrain(IVec2::new(1, 0), 5).expect("inside");
    let [left, swamp] = [0.5, 1.5].map(|x| Vec2::new(x, 0.5));
    let mut reach = |from, budget| world.reach(from, budget, 0).expect("inside");
    assert_eq!(cells(&reach(left, 1.0)), [(0, 0), (1, 0)]);
    assert_eq!(cells(&reach(left, 5.9)), [(0, 0), (1, 0)]);
    assert_eq!(cells(&reach(left, 6.0)), [(0, 0), (1, 0), (2, 0)]);
    assert_eq!(cells(&reach(swamp, 4.9)), [(1, 0)]);
    assert_eq!(
        reach(swamp, 5.0),
        [((1, 0), 0.0), ((0, 0), 5.0), ((2, 0), 5.0)].map(|(cell, cost)| (cell.into(), cost))
    );
}

#[test]
fn links_are_taken_in_their_direction() {
    let mut world = world_of(&open(9, 1), Workers::serial());
    let (from, to) = (IVec2::new(1, 0), IVec2::new(7, 0));
    let both_ways = false;
    let link = Link {
        from,
        to,
        cost: 2.0,
        both_ways,
        travel: Travel::AtOnce,
    };
    world.add_link(link).expect("inside");
    let mut reach = |x: f32| cells(&world.reach(Vec2::new(x, 0.5), 2.5, 0).expect("inside"));
    assert_eq!(reach(1.5), [(1, 0), (0, 0), (2, 0), (3, 0), (7, 0)]);
    assert_eq!(reach(7.5), [(7, 0), (6, 0), (8, 0), (5, 0)]);
}

/// What a game computes as a budget is not off by a rounding.
#[test]
fn a_budget_suffices_for_what_costs_just_as_much() {
    let mut world = world_of(&open(80, 80), Workers::serial());
    let from = Vec2::splat(0.5);
    for steps in 1..80 {
        let corner = IVec2::splat(steps);
        for budget in [
            f64::from(steps) * SQRT_2,
            f64::from(steps as f32 * std::f32::consts::SQRT_2),
        ] {
            let reached = world.reach(from, budget, 0).expect("inside");
            assert!(cells(&reached).contains(&(corner.x, corner.y)), "{steps}");
        }
    }
}

#[test]
fn a_start_in_a_wall_or_without_room_reaches_nothing() {
    let mut world = world_of(&open(9, 9), Workers::serial());
    world.set_movement_types(&kinds()).expect("few");
    world.set_terrain(IVec2::splat(4), WALL).expect("inside");
    let mut count = |at: f32, movement| {
        let reached = world.reach(Vec2::splat(at), MAX_REACH, movement);
        reached.expect("inside").len()
    };
    assert_eq!(count(4.5, 0), 0, "in a wall");
    assert_eq!(count(3.5, 2), 0, "too narrow");
    assert_eq!(count(3.5, 0), 80);
}

#[test]
fn bad_questions_are_refused() {
    let mut world = world_of(&open(9, 5), Workers::serial());
    let inside = Vec2::splat(1.5);
    for budget in [-0.1, -0.0001, MAX_REACH * 1.001, f64::NAN, f64::INFINITY] {
        let refused = world.reach(inside, budget, 0);
        assert!(
            matches!(refused, Err(Error::OutOfRange { name: "budget", .. })),
            "{budget}"
        );
    }
    assert!(world.reach(Vec2::new(9.5, 1.0), 1.0, 0).is_err());
    assert!(world.reach(Vec2::NAN, 1.0, 0).is_err());
    assert!(world.reach(inside, 1.0, 1).is_err());
    assert_eq!(world.reach(inside, 0.0, 0), Ok(vec![(IVec2::ONE, 0.0)]));
}
