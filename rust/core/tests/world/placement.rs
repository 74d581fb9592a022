//! What a stamp would cut is what is cut once it lies there; and costs for many positions are those of each.

use crate::common::linked::random_link;
use crate::common::{cell_of, center_of, every_map, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::{CellRect, Grid, STEPS};
use flow_swarm::movement::{BLOCKED, Clearance, CrowdPenalty, MovementType, WallPenalty};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, open};
use std::collections::BTreeSet;

const SEE_THROUGH: u8 = 9;
/// A wall for one movement type alone.
const WATER: u8 = 40;

fn kinds() -> [MovementType; 4] {
    let mut table: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
    table[usize::from(WATER)] = BLOCKED;
    let penalty = WallPenalty::new(250, 2, true).expect("in range");
    let crowds = CrowdPenalty::new(30).expect("in range");
    let room = |radius| Clearance::new(radius).expect("in range");
    [
        MovementType::default(),
        MovementType::new(&table, penalty).expect("valid"),
        MovementType::default().with_clearance(room(1.2)),
        MovementType::new(&table, penalty)
            .expect("valid")
            .with_clearance(room(2.6))
            .with_crowd_penalty(crowds),
    ]
}

/// A cell of any layer.
fn random_cell(random: &mut SplitMix64, grid: &Grid) -> IVec2 {
    random_link(random, grid).from
}

fn random_stamp(random: &mut SplitMix64, grid: &Grid) -> (IVec2, Stamp) {
    let most = [1, 2, 4, 9, 40][random.below(5)];
    let CellRect { mut low, mut high } = crate::common::random_rect(random, grid.size(), most);
    match random.below(4) {
        // Across the whole map.
        0 => (low.x, high.x) = (0, grid.size().x),
        1 => (low.y, high.y) = (0, grid.size().y),
        _ => {}
    }
    let size = high - low;
    let ids: [&[u8]; 4] = [&[WALL], &[1], &[WATER, WALL], &[1, WALL, SEE_THROUGH]];
    let ids = ids[random.below(4)];
    let ids: Vec<u8> = (0..size.element_product())
        .map(|_| ids[random.below(ids.len())])
        .collect();
    let stamp = Stamp::new(size, &ids, Some(SEE_THROUGH)).expect("right length");
    let turns = random.below(4) as i64;
    let turned = stamp.turned(turns);
    let fits = (low + turned.size()).cmple(grid.size()).all();
    (low, if fits { turned } else { stamp })
}

/// A world of a few layers with links, stamps and edits that nothing has seen yet.
fn scene(seed: u64) -> FlowWorld {
    let mut random = SplitMix64::new(seed);
    let layers = 1 + random.below(3) as u32;
    let size = IVec2::new(3 + random.below(30) as i32, 3 + random.below(24) as i32);
    let grid = Grid::layered(size, 1.0, Vec2::new(-3.0, 2.0), layers).expect("small");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let walls = [0, 0, 3, 10, 30][random.below(5)];
    let terrain: Vec<u8> = (0..grid.cell_count())
        .map(|_| match random.percent(walls) {
            true => WALL,
            false => [1, 1, 7, WATER][random.below(4)],
        })
        .collect();
    world.set_terrain_bytes(&terrain).expect("right length");
    world.set_movement_types(&kinds()).expect("few");
    for _ in 0..random.below(8) {
        let link = random_link(&mut random, &grid);
        world.add_link(link).expect("inside");
    }
    if random.percent(30) {
        let target = grid.center_of(random_cell(&mut random, &grid));
        let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
        let goal = goal.expect("inside");
        world.require(goal, 0).expect("known");
    }
    world.update();
    for _ in 0..random.below(4) {
        world
            .place_stamps(&[random_stamp(&mut random, &grid)])
            .expect("inside");
    }
    world
}

/// A plain search over open cells, steps and links.
fn are_joined(world: &mut FlowWorld, movement: usize, from: IVec2, to: IVec2) -> bool {
    let links: Vec<_> = world
        .link_ids()
        .map(|id| *world.link(id).expect("there"))
        .collect();
    let costs = world.fresh_costs(movement);
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(cell) = waiting.pop() {
        if !costs.is_open(cell) || !seen.insert((cell.x, cell.y)) {
            continue;
        }
        waiting.extend((0..8).step_by(2).map(|step| cell + STEPS[step]));
        for link in &links {
            if link.from == cell {
                waiting.push(link.to);
            }
            if link.both_ways && link.to == cell {
                waiting.push(link.from);
            }
        }
    }
    seen.contains(&(to.x, to.y))
}

#[test]
fn what_a_stamp_would_cut_is_cut_once_it_is_placed() {
    let mut random = SplitMix64::new(64);
    let (mut cut_some, mut cut_none, mut joined_some) = (0, 0, 0);
    for seed in 0..600 {
        let (mut asked, mut quiet) = (scene(seed), scene(seed));
        let grid = *asked.grid();
        for number in 0..4 {
            let (cell, stamp) = random_stamp(&mut random, &grid);
            let movement = random.below(kinds().len());
            let pair = |_| {
                (
                    random_cell(&mut random, &grid),
                    random_cell(&mut random, &grid),
                )
            };
            let cells: Vec<(IVec2, IVec2)> = (0..16).map(pair).collect();
            let center = |cell| grid.center_of(cell);
            let pairs: Vec<(Vec2, Vec2)> = cells
                .iter()
                .map(|&(from, to)| (center(from), center(to)))
                .collect();
            // Sometimes the first question about an edit is this one.
            let is_known = random.percent(60);
            let mut before = Vec::new();
            if is_known {
                for world in [&mut asked, &mut quiet] {
                    before = pairs
                        .iter()
                        .map(|&(from, to)| world.is_reachable(from, to, movement))
                        .map(|answer| answer.expect("inside"))
                        .collect();
                }
            }
            let known = format!("{asked:?}");
            let cut = asked.cut_pairs(cell, &stamp, &pairs, movement);
            let cut = cut.expect("inside");
            if is_known {
                assert!(format!("{asked:?}") == known, "seed {seed}: changed");
            }
            let again = asked.cut_pairs(cell, &stamp, &pairs, movement);
            assert_eq!(again.expect("inside"), cut, "seed {seed}");
            let placed = quiet.place_stamp(cell, &stamp).expect("inside");
            let what = format!("seed {seed}, {number}: type {movement}, stamp at {cell}");
            for (index, (&(from, to), &pair)) in pairs.iter().zip(&cells).enumerate() {
                let is_cut = cut.contains(&index);
                let is_reachable = quiet.is_reachable(from, to, movement).expect("inside");
                assert_eq!(is_cut, !is_reachable, "{what}: {pair:?}");
                let is_joined = are_joined(&mut quiet, movement, pair.0, pair.1);
                assert_eq!(is_cut, !is_joined, "{what}: {pair:?}, by a search");
                let was_joined = before.get(index);
                joined_some += usize::from(was_joined == Some(&false) && !is_cut);
                cut_some += usize::from(was_joined == Some(&true) && is_cut);
                cut_none += usize::from(was_joined == Some(&true) && !is_cut);
            }
            assert!(cut.is_sorted());
            let also = asked.place_stamp(cell, &stamp).expect("inside");
            assert_eq!(also, placed, "{what}: another number");
            if random.percent(50) {
                asked.remove_stamp(also).expect("placed");
                quiet.remove_stamp(placed).expect("placed");
            }
        }
        // Whatever was asked, updates go on as if it had not been.
        let news = [&mut asked, &mut quiet].map(FlowWorld::update);
        assert_eq!(
            format!("{:?}", news[0]),
            format!("{:?}", news[1]),
            "seed {seed}"
        );
        for movement in 0..kinds().len() {
            let costs = [&mut asked, &mut quiet].map(|world| world.fresh_costs(movement).clone());
            assert_eq!(
                format!("{:?}", costs[0]),
                format!("{:?}", costs[1]),
                "seed {seed}"
            );
        }
    }
    assert!(cut_some > 300, "only {cut_some} pairs were cut");
    assert!(cut_none > 300, "only {cut_none} pairs stayed");
    assert!(joined_some > 30, "only {joined_some} pairs were joined");
}

#[test]
fn a_wall_across_a_corridor_cuts_it_and_a_tower_beside_it_does_not() {
    let mut world = world_of(&open(9, 5), Workers::serial());
    let ends = [(Vec2::new(0.5, 2.5), Vec2::new(8.5, 2.5))];
    let wall = |height: i32| {
        let ids = vec![WALL; height as usize];
        Stamp::new(IVec2::new(1, height), &ids, None).expect("right length")
    };
    let mut ask = |height, y| world.cut_pairs(IVec2::new(4, y), &wall(height), &ends, 0);
    assert_eq!(ask(4, 0), Ok(vec![]));
    assert_eq!(ask(4, 1), Ok(vec![]));
    assert_eq!(ask(5, 0), Ok(vec![0]));
    // The whole column turned lies along the corridor.
    let turned = wall(5).turned(1);
    let along = world.cut_pairs(IVec2::new(2, 2), &turned, &ends, 0);
    assert_eq!(along, Ok(vec![]));
    let onto_the_start = world.cut_pairs(IVec2::new(0, 2), &turned, &ends, 0);
    assert_eq!(onto_the_start, Ok(vec![0]));
}

#[test]
fn bad_questions_are_refused_and_change_nothing() {
    let mut world = world_of(&open(9, 5), Workers::serial());
    let stamp = Stamp::new(IVec2::new(2, 3), &[WALL; 6], None).expect("right length");
    let (inside, outside) = (Vec2::splat(1.5), Vec2::new(9.5, 1.0));
    let known = format!("{world:?}");
    for cell in [(8, 0), (0, 3), (-1, 0), (0, -1), (i32::MAX, i32::MAX)] {
        let cell = IVec2::from(cell);
        let refused = world.cut_pairs(cell, &stamp, &[], 0);
        assert!(matches!(refused, Err(Error::StampOutside { .. })));
        assert_eq!(
            refused.map(|_| StampId(0)),
            world.place_stamp(cell, &stamp),
            "as if it were placed"
        );
    }
    for pair in [(inside, outside), (outside, inside), (inside, Vec2::NAN)] {
        let pairs = [(inside, inside), pair];
        let refused = world.cut_pairs(IVec2::ZERO, &stamp, &pairs, 0);
        let error = refused.expect_err("a position outside").to_string();
        assert!(error.starts_with("pairs "), "{error}");
    }
    let refused = world.cut_pairs(IVec2::ZERO, &stamp, &[], 1);
    assert!(matches!(refused, Err(Error::OutOfRange { .. })));
    assert_eq!(world.cut_pairs(IVec2::ZERO, &stamp, &[], 0), Ok(vec![]));
    assert_eq!(format!("{world:?}"), known);
}

#[test]
fn costs_of_many_positions_are_those_of_each() {
    for (name, map) in every_map(31, 22, 5) {
        for mode in [GoalMode::Full, GoalMode::Tiled] {
            for threads in [1, 3] {
                let workers = Workers::new(threads).expect("threads");
                let mut world = world_of(&map, workers);
                world.set_movement_types(&kinds()).expect("few");
                let target = center_of(&map, map.len() / 2);
                let goal = world.create_goal_with_mode(&[target], &[0.0], mode);
                let goal = goal.expect("inside");
                let mut positions: Vec<Vec2> = (0..map.len())
                    .map(|index| cell_of(&map, index).as_vec2() + 0.3)
                    .collect();
                let once = positions.clone();
                if mode == GoalMode::Full {
                    // Enough for several pieces.
                    for _ in 0..12 {
                        positions.extend(&once);
                    }
                }
                for movement in [0, 2] {
                    let all = world.costs_to_goal(goal, &positions, movement);
                    let all = all.expect("inside");
                    assert_eq!(all.len(), positions.len());
                    for (index, &cost) in all.iter().enumerate() {
                        let at = once[index % once.len()];
                        let single = world.cost_to_goal(goal, at, movement);
                        assert_eq!(single, Ok(cost), "{name}, {mode:?}, {at}");
                        if index > 2 * once.len() {
                            break;
                        }
                    }
                    let last = all.len() - once.len();
                    assert_eq!(all[last..], all[..once.len()], "{name}");
                }
                assert_eq!(world.costs_to_goal(goal, &[], 0), Ok(vec![]));
                let outside = [once[0], Vec2::splat(1.0e6)];
                assert!(world.costs_to_goal(goal, &outside, 0).is_err());
                assert!(world.costs_to_goal(goal, &once, 9).is_err());
            }
        }
    }
}
