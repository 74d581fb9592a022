//! Smoothed paths can be walked, and cost no more than the paths of cells.

use crate::common::{cell_of, every_map, fresh_seeds, index_of, world_of};

use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::legal_step;
use flow_swarm_bench::steps::Corners;

/// The cost of a straight leg by many points on it, none of which may be in a closed cell.
fn leg_cost(map: &CostMap, from: Vec2, to: Vec2) -> f64 {
    let count = 64 * (1 + from.distance(to) as usize);
    let length = f64::from(from.distance(to)) / count as f64;
    (0..count).fold(0.0, |sum, number| {
        let at = from.lerp(to, (number as f32 + 0.5) / count as f32);
        let cost = map.cost[index_of(map, at.floor().as_ivec2())];
        assert!(cost != WALL, "from {from} to {to} through {at}");
        sum + length * f64::from(cost)
    })
}

/// The cost of a path of neighbours: each step costs its length times the cost of the cell that it leaves.
fn path_cost(map: &CostMap, path: &[Vec2]) -> f64 {
    let step = |pair: &[Vec2]| {
        let cost = map.cost[index_of(map, pair[0].floor().as_ivec2())];
        f64::from(pair[0].distance(pair[1])) * f64::from(cost)
    };
    path.windows(2).map(step).sum()
}

fn check(map: &CostMap, cells: &[Vec2], smooth: &[Vec2]) {
    assert_eq!(cells.first(), smooth.first());
    assert_eq!(cells.last(), smooth.last());
    let mut rest = cells.iter();
    assert!(
        smooth.iter().all(|at| rest.any(|cell| cell == at)),
        "in order"
    );
    let mut cost = 0.0;
    for leg in smooth.windows(2) {
        let [from, to] = [leg[0], leg[1]].map(|at| index_of(map, at.floor().as_ivec2()));
        if leg[0].distance(leg[1]) < 1.5 {
            assert!(legal_step(map, from, to, Corners::Closed), "{leg:?}");
            cost += path_cost(map, leg);
        } else {
            cost += leg_cost(map, leg[0], leg[1]);
        }
    }
    let most = path_cost(map, cells);
    assert!(cost <= most * 1.000_01 + 0.001, "{cost} instead of {most}");
}

#[test]
fn every_leg_can_be_walked_and_none_costs_more() {
    let (mut before, mut after) = (0, 0);
    for seed in fresh_seeds(12, 20) {
        let mut random = SplitMix64::new(seed);
        for (name, map) in every_map(31, 23, seed) {
            let mut world = world_of(&map, Workers::serial());
            let wide = Clearance::new([0.5, 1.5][random.below(2)]).expect("in range");
            let kinds = [
                MovementType::default(),
                MovementType::default().with_clearance(wide),
            ];
            world.set_movement_types(&kinds).expect("two");
            let target = cell_of(&map, random.below(map.len())).as_vec2() + 0.5;
            let mode = [GoalMode::Full, GoalMode::Tiled][random.below(2)];
            let goal = world
                .create_goal_with_mode(&[target], &[0.0], mode)
                .expect("inside");
            for movement in 0..2 {
                let costs = crate::common::as_map(world.fresh_costs(movement));
                for _ in 0..20 {
                    let at = cell_of(&map, random.below(map.len())).as_vec2() + 0.5;
                    let cells = world.path_from(goal, at, movement).expect("inside");
                    let smooth = world.smooth_path_from(goal, at, movement).expect("inside");
                    if !world.fresh_costs(movement).is_open(at.as_ivec2()) {
                        continue; // The path leaves a narrow cell.
                    }
                    eprintln!("{name} {target} {mode:?} {movement} {at}");
                    check(&costs, &cells, &smooth);
                    (before, after) = (before + cells.len(), after + smooth.len());
                }
            }
        }
    }
    assert!(2 * after < before, "{after} of {before} cells are left");
}

fn smooth(world: &mut FlowWorld, to: IVec2, from: IVec2) -> Vec<Vec2> {
    let goal = world.create_goal(&[to.as_vec2() + 0.5]).expect("inside");
    let path = world.smooth_path_from(goal, from.as_vec2() + 0.5, 0);
    path.expect("inside")
}

#[test]
fn in_the_open_it_is_one_line_and_around_a_wall_two() {
    let mut map = open(60, 40);
    let ends = [IVec2::new(55, 33), IVec2::new(3, 2)];
    let line = ends.map(|cell| cell.as_vec2() + 0.5);
    let mut world = world_of(&map, Workers::serial());
    assert_eq!(smooth(&mut world, ends[0], ends[1]), [line[1], line[0]]);
    assert_eq!(smooth(&mut world, ends[0], ends[0]), [line[0]]);
    for y in 0..30 {
        map.cost[y * 60 + 30] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let path = smooth(&mut world, IVec2::new(57, 3), IVec2::new(3, 3));
    assert!((3..=5).contains(&path.len()), "{path:?}");
    let beyond = world.create_goal(&[Vec2::new(30.5, 3.5)]).expect("inside");
    let none = world.smooth_path_from(beyond, Vec2::new(3.5, 3.5), 0);
    assert_eq!(none, Ok(Vec::new()), "without a path");
}

/// A road is cheaper than the straight line over equal ground on both sides.
#[test]
fn a_cheap_detour_is_kept() {
    let mut map = open(40, 9);
    for (index, cost) in map.cost.iter_mut().enumerate() {
        *cost = if index / 40 == 6 { 1 } else { 9 };
    }
    let mut world = world_of(&map, Workers::serial());
    let path = smooth(&mut world, IVec2::new(37, 4), IVec2::new(2, 4));
    assert!(path.iter().any(|at| at.y == 6.5), "{path:?}");
}

#[test]
fn both_ends_of_a_link_are_kept() {
    let mut map = open(40, 9);
    for y in 0..9 {
        map.cost[y * 40 + 20] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let ends = [IVec2::new(12, 4), IVec2::new(28, 4)];
    let link = Link {
        from: ends[0],
        to: ends[1],
        cost: 1.0,
        both_ways: false,
        travel: Travel::AtOnce,
    };
    world.add_link(link).expect("inside");
    let path = smooth(&mut world, IVec2::new(37, 4), IVec2::new(2, 4));
    let at = |x: f32| Vec2::new(x, 4.5);
    assert_eq!(path, [at(2.5), at(12.5), at(28.5), at(37.5)]);
}
