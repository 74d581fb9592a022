//! Clearance: a large disc is led only where it fits, by exact distance, and walls stay walls.

use crate::common::{
    SOLVERS_AND_RULES, cell_of, center_of, central_goal, cost_field, every_map, field_by,
    random_rect, unit_grid, world_of,
};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{
    CLEARANCE_TOLERANCE, Clearance, CostField, MAX_CLEARANCE, MovementType, WallPenalty,
};
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::wall_depth;

fn room_for(radius: f32) -> MovementType {
    MovementType::default().with_clearance(Clearance::new(radius).expect("in range"))
}

fn rows(rows: &[&str]) -> CostMap {
    let cells = rows.iter().flat_map(|row| row.bytes());
    CostMap {
        width: rows[0].len(),
        height: rows.len(),
        cost: cells
            .map(|byte| if byte == b'#' { WALL } else { 1 })
            .collect(),
    }
}

#[test]
fn open_cells_are_those_where_the_disc_fits() {
    for (name, map) in every_map(43, 31, 7) {
        for radius in [0.3, 0.5, 0.6, 0.9, 1.0, 1.5, 1.7, 2.2, 2.5, 4.0, 7.3, 16.0] {
            let costs = cost_field(&map, &room_for(radius));
            for index in 0..map.len() {
                let depth = wall_depth(&map, center_of(&map, index), radius);
                // A small disc fits wherever its centre is on open ground.
                let fits = map.is_passable(index) && depth <= f64::from(CLEARANCE_TOLERANCE);
                let cell = cell_of(&map, index);
                assert_eq!(costs.is_open(cell), fits, "{name}: {cell}, radius {radius}");
                assert_eq!(
                    costs.is_wall(cell),
                    !map.is_passable(index),
                    "{name}: {cell}"
                );
                if fits {
                    assert_eq!(costs.cost_at(cell), map.cost[index].max(1));
                }
            }
            let walls = map.cost.iter().filter(|&&cost| cost == WALL).count();
            assert_eq!(costs.wall_count(), walls);
        }
    }
}

#[test]
fn up_to_half_a_cell_changes_nothing() {
    for (name, map) in every_map(23, 19, 2) {
        let plain = cost_field(&map, &MovementType::default());
        for radius in [0.0, 0.2, 0.5] {
            let costs = cost_field(&map, &room_for(radius));
            assert_eq!(costs.costs(), plain.costs(), "{name}: {radius}");
            assert!(!costs.has_clearance());
        }
    }
}

#[test]
fn a_gap_as_wide_as_the_disc_is_open_whatever_the_rounding() {
    let map = rows(&["########", "#......#", "#......#", "#......#", "########"]);
    let opens = |radius: f32| cost_field(&map, &room_for(radius)).open_cell_count() > 0;
    assert!(opens(1.5));
    // Values that a division by the cell size may produce.
    assert!(opens(1.5_f32.next_up()));
    assert!(opens(1.500_5));
    assert!(!opens(1.502));
}

#[test]
fn radii_out_of_range_are_refused() {
    for radius in [-0.1, MAX_CLEARANCE.next_up(), f32::NAN, f32::INFINITY] {
        assert!(Clearance::new(radius).is_err(), "{radius}");
    }
    assert!(Clearance::new(MAX_CLEARANCE).is_ok());
}

#[test]
fn an_updated_field_is_the_field_built_anew() {
    for (name, map) in every_map(41, 35, 6) {
        for (radius, weight, reach) in [(0.8, 0, 0), (1.5, 20, 1), (2.6, 90, 4), (9.0, 10, 2)] {
            let penalty = WallPenalty::new(weight, reach, true).expect("in range");
            let clearance = Clearance::new(radius).expect("in range");
            let kind = MovementType::with_wall_penalty(penalty).with_clearance(clearance);
            let grid = unit_grid(&map);
            let mut terrain = Terrain::new(&grid);
            terrain.set_bytes(&map.cost).expect("same size");
            let mut costs = CostField::new(&grid, &terrain, &kind);
            let mut random = SplitMix64::new(8);
            for edit in 0..30 {
                let rect = random_rect(&mut random, grid.size(), 6);
                let id = [1, 1, WALL, random.below(256) as u8][random.below(4)];
                terrain.fill_rect(rect, id).expect("inside");
                costs.update(&terrain, &kind, &[rect]);
                let whole = CostField::new(&grid, &terrain, &kind);
                let what = format!("{name}, radius {radius}, edit {edit} of {rect:?}");
                assert_eq!(costs.costs(), whole.costs(), "{what}: costs");
                assert_eq!(costs.steps(), whole.steps(), "{what}: legal steps");
                assert_eq!(costs.cheapest(), whole.cheapest(), "{what}: cheapest");
                assert_eq!(costs.open_cell_count(), whole.open_cell_count(), "{what}");
                assert_eq!(costs.wall_count(), whole.wall_count(), "{what}: walls");
                for index in 0..costs.cell_count() {
                    assert_eq!(costs.is_wall_at(index), whole.is_wall_at(index), "{what}");
                }
            }
        }
    }
}

/// The proof in the module's documentation, by trial: between cell centres the disc is nowhere deeper in a wall than at
/// them.
#[test]
fn a_disc_that_walks_the_field_touches_no_wall() {
    for (name, map) in every_map(33, 27, 11) {
        for radius in [0.7, 1.0, 1.5, 2.1] {
            let costs = cost_field(&map, &room_for(radius));
            let reachable = CostMap {
                cost: costs.to_bytes(),
                ..map.clone()
            };
            let Some(goal) = central_goal(&reachable) else {
                continue;
            };
            for pair in SOLVERS_AND_RULES {
                let (_, field) = field_by(&costs, &map, &[goal], pair);
                for start in 0..map.len() {
                    for pair in field.path_from(cell_of(&map, start)).windows(2) {
                        let ends = [pair[0], pair[1]].map(|cell| cell.as_vec2() + 0.5);
                        for part in 0..=8 {
                            let at = ends[0].lerp(ends[1], part as f32 / 8.0);
                            let depth = wall_depth(&map, at, radius);
                            assert!(
                                depth <= f64::from(CLEARANCE_TOLERANCE) + 1.0e-6,
                                "{name}: radius {radius} is {depth} deep in a wall at {at}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A wall with a gap that only the small agent fits through, a wide gap farther away, and a goal behind it.
fn two_gaps() -> (CostMap, FlowWorld, GoalId, Swarm) {
    let map = rows(&[
        "#####################",
        "#.........#.........#",
        "#.........#.........#",
        "#...................#",
        "#...................#",
        "#.........#.........#",
        "#.........#.........#",
        "#.........#.........#",
        "#...................#",
        "#...................#",
        "#...................#",
        "#.........#.........#",
        "#####################",
    ]);
    let mut world = world_of(&map, Workers::serial());
    world
        .set_movement_types(&[room_for(0.0), room_for(1.4)])
        .expect("two");
    let goal = world.create_goal(&[Vec2::new(17.5, 4.0)]).expect("inside");
    let disc = |radius, movement| AgentType {
        radius,
        movement,
        max_speed: 4.0,
        acceleration: 40.0,
        ..AgentType::default()
    };
    let mut swarm = Swarm::new(1);
    swarm
        .set_types(&[disc(0.4, 0), disc(1.4, 1)])
        .expect("valid");
    (map, world, goal, swarm)
}

#[test]
fn large_agents_take_the_wide_gap_and_small_ones_the_near_one() {
    let (map, mut world, goal, mut swarm) = two_gaps();
    let start = Vec2::new(3.5, 3.5);
    swarm.spawn(&world, &[start], 0, 0).expect("inside");
    swarm.spawn(&world, &[start], 1, 1).expect("inside");
    for group in 0..2 {
        swarm.set_group_goal(group, Some(goal)).expect("in range");
    }
    let mut crossings = [None; 2];
    for _ in 0..1200 {
        for (goal, movement) in swarm.needed_fields(&world) {
            world.require(goal, movement).expect("known");
        }
        swarm.step(&world, 1.0 / 60.0).expect("a step");
        for (agent, &at) in swarm.positions().iter().enumerate() {
            let depth = wall_depth(&map, at, [0.4, 1.4][agent]);
            assert!(depth <= 2.1e-3, "agent {agent} is {depth} deep at {at}");
            if at.x > 10.5 {
                crossings[agent].get_or_insert(at.y);
            }
        }
    }
    assert!(crossings[0].is_some_and(|y| y < 5.0), "{crossings:?}");
    assert!(crossings[1].is_some_and(|y| y > 8.0), "{crossings:?}");
    assert_eq!(swarm.stats().arrived, 2);
}

/// A disc beside a wall is in a cell that lacks clearance, but its position is valid.
#[test]
fn an_agent_beside_a_wall_is_not_taken_for_one_inside_it() {
    let map = open(12, 12);
    let mut world = world_of(&map, Workers::serial());
    world.set_movement_types(&[room_for(2.0)]).expect("one");
    let mut swarm = Swarm::new(1);
    let disc = AgentType {
        radius: 0.9,
        ..AgentType::default()
    };
    swarm.set_types(&[disc]).expect("valid");
    let beside = Vec2::new(6.0, 0.95);
    assert!(!world.costs(0).is_open(IVec2::new(6, 0)));
    swarm.spawn(&world, &[beside], 0, 0).expect("inside");
    swarm.step(&world, 0.1).expect("a step");
    assert_eq!(swarm.positions(), [beside]);
}

#[test]
fn an_agent_in_a_wall_is_moved_to_where_it_fits() {
    let mut map = open(16, 16);
    for y in 0..16 {
        for x in 0..7 {
            map.cost[y * 16 + x] = WALL;
        }
    }
    let mut world = world_of(&map, Workers::serial());
    world.set_movement_types(&[room_for(1.4)]).expect("one");
    let mut swarm = Swarm::new(1);
    let disc = AgentType {
        radius: 1.4,
        ..AgentType::default()
    };
    swarm.set_types(&[disc]).expect("valid");
    swarm
        .spawn(&world, &[Vec2::new(5.2, 8.1)], 0, 0)
        .expect("inside");
    swarm.step(&world, 0.1).expect("a step");
    let depth = wall_depth(&map, swarm.positions()[0], 1.4);
    assert!(depth <= 2.1e-3, "{depth} deep at {}", swarm.positions()[0]);
}

/// The same distances from the other side: walls near a point are walls.
#[test]
fn cells_that_lack_clearance_are_no_walls() {
    let mut map = open(9, 9);
    map.cost[4 * 9 + 4] = WALL;
    let mut world = world_of(&map, Workers::serial());
    world.set_movement_types(&[room_for(1.5)]).expect("one");
    let walls = world.closest_walls(Vec2::new(4.5, 2.0), 3.0, 0);
    assert_eq!(walls, Ok(vec![Vec2::new(4.5, 4.0)]));
}

/// Two rooms, joined by a door three cells wide, and a cell that is not connected to them.
fn rooms() -> CostMap {
    rows(&[
        "###################",
        "#.......#.......#.#",
        "#.......#.......###",
        "#...............###",
        "#...............###",
        "#...............###",
        "#.......#.......###",
        "#.......#.......###",
        "###################",
    ])
}

#[test]
fn a_path_that_is_too_narrow_has_its_own_status() {
    let mut world = world_of(&rooms(), Workers::serial());
    world
        .set_movement_types(&[room_for(1.5), room_for(1.6)])
        .expect("two");
    let (left, right) = (Vec2::new(3.5, 4.5), Vec2::new(12.5, 4.5));
    let pocket = Vec2::new(17.5, 1.5);
    let beside_wall = Vec2::new(12.5, 1.5);
    let wall = Vec2::new(8.5, 1.5);
    let goal = world.create_goal(&[right]).expect("inside");
    let narrow_goal = world.create_goal(&[pocket, wall]).expect("inside");
    let wall_goal = world.create_goal(&[wall]).expect("inside");
    let hugging_goal = world.create_goal(&[beside_wall]).expect("inside");
    let mut status = |goal, at, movement| world.query_status(goal, at, movement).expect("valid");
    assert_eq!(status(goal, left, 0), QueryStatus::Ok);
    assert_eq!(status(goal, left, 1), QueryStatus::TooNarrow, "the doors");
    assert_eq!(status(goal, right, 1), QueryStatus::Ok);
    assert_eq!(
        status(goal, beside_wall, 1),
        QueryStatus::TooNarrow,
        "start"
    );
    assert_eq!(status(goal, wall, 1), QueryStatus::StartBlocked);
    assert_eq!(status(goal, pocket, 0), QueryStatus::Disconnected);
    assert_eq!(status(narrow_goal, left, 0), QueryStatus::Disconnected);
    assert_eq!(status(narrow_goal, pocket, 0), QueryStatus::TooNarrow);
    assert_eq!(status(wall_goal, left, 1), QueryStatus::GoalBlocked);
    assert_eq!(status(wall_goal, beside_wall, 1), QueryStatus::GoalBlocked);
    assert_eq!(status(hugging_goal, right, 1), QueryStatus::TooNarrow);
    assert_eq!(
        status(hugging_goal, Vec2::new(-1.0, 0.0), 1),
        QueryStatus::OutOfBounds
    );
    // Each door, closed and opened, changes the answer at once.
    for (id, expected) in [
        (WALL, QueryStatus::Disconnected),
        (1, QueryStatus::TooNarrow),
    ] {
        for y in 1..8 {
            let closes = id == WALL || (3..6).contains(&y);
            let id = if closes { id } else { WALL };
            world.set_terrain(IVec2::new(8, y), id).expect("inside");
        }
        assert_eq!(world.query_status(goal, left, 1), Ok(expected));
    }
    // A wall in a cell that already lacks clearance changes no cost, but it changes the answer.
    for y in 3..6 {
        world.set_terrain(IVec2::new(8, y), WALL).expect("inside");
    }
    let status = world.query_status(goal, left, 1);
    assert_eq!(status, Ok(QueryStatus::Disconnected));
}

#[test]
fn links_join_places_that_are_too_narrow() {
    let mut world = world_of(&rooms(), Workers::serial());
    world.set_movement_types(&[room_for(1.6)]).expect("one");
    let beside_wall = Vec2::new(4.5, 2.5);
    let goal = world.create_goal(&[Vec2::new(12.5, 4.5)]).expect("inside");
    for y in 1..8 {
        world.set_terrain(IVec2::new(8, y), WALL).expect("inside");
    }
    let status = world.query_status(goal, beside_wall, 0);
    assert_eq!(status, Ok(QueryStatus::Disconnected));
    let (left, right) = (IVec2::new(4, 4), IVec2::new(12, 4));
    let one_way = |from, to| Link {
        from,
        to,
        cost: 2.0,
        both_ways: false,
        travel: Travel::AtOnce,
    };
    world.add_link(one_way(right, left)).expect("inside");
    let status = world.query_status(goal, beside_wall, 0);
    assert_eq!(status, Ok(QueryStatus::Disconnected), "only back");
    world.add_link(one_way(left, right)).expect("inside");
    let status = world.query_status(goal, beside_wall, 0);
    assert_eq!(status, Ok(QueryStatus::TooNarrow));
}

#[test]
fn the_most_restrictive_type_goes_where_all_can() {
    let mut table = [1; 256];
    table[usize::from(WALL)] = WALL;
    let kind = |walls: &[u8], radius: f32| {
        let mut table = table;
        for &id in walls {
            table[usize::from(id)] = WALL;
        }
        MovementType::new(&table, WallPenalty::default())
            .expect("valid")
            .with_clearance(Clearance::new(radius).expect("in range"))
    };
    let (water, land) = (7, 8);
    let jet = kind(&[], 0.0);
    let tank = kind(&[water], 0.5);
    let giant = kind(&[water], 2.0);
    let boat = kind(&[land], 0.0);
    let mut world = world_of(&open(4, 4), Workers::serial());
    world
        .set_movement_types(&[jet, tank, giant, boat])
        .expect("four");
    let chosen = |among: &[usize]| -> Vec<usize> {
        let choose = |&own: &usize| world.most_restrictive(own, among.iter().copied());
        among.iter().map(choose).collect()
    };
    assert_eq!(chosen(&[0]), [0]);
    assert_eq!(chosen(&[0, 1]), [1, 1]);
    assert_eq!(chosen(&[0, 1, 2]), [2, 2, 2]);
    assert_eq!(chosen(&[2, 1, 0]), [2, 2, 2]);
    // Boat and tank have no common ground; the jet uses the first of the best-fitting types.
    assert_eq!(chosen(&[1, 3]), [1, 3]);
    assert_eq!(chosen(&[0, 1, 3]), [1, 1, 3]);
    assert_eq!(chosen(&[0, 1, 2, 3]), [2, 2, 2, 3]);
}

#[test]
fn a_group_that_shares_a_field_stays_together() {
    let (_, mut world, goal, mut swarm) = two_gaps();
    swarm.set_group_goal(0, Some(goal)).expect("in range");
    swarm.set_group_goal(1, Some(goal)).expect("in range");
    assert!(swarm.set_group_shares_field(256, true).is_err());
    swarm.set_group_shares_field(0, true).expect("in range");
    assert_eq!(swarm.group_shares_field(0), Ok(true));
    assert_eq!(swarm.group_shares_field(1), Ok(false));
    let small = swarm
        .spawn(&world, &[Vec2::new(3.5, 3.5)], 0, 0)
        .expect("inside");
    assert_eq!(
        swarm.needed_fields(&world),
        [(goal, 0), (goal, 1)],
        "group 1 may have members of both"
    );
    swarm.set_group_goal(1, None).expect("in range");
    assert_eq!(swarm.needed_fields(&world), [(goal, 0)], "only small ones");
    let large = swarm
        .spawn(&world, &[Vec2::new(7.5, 9.5)], 1, 0)
        .expect("inside");
    assert_eq!(swarm.needed_fields(&world), [(goal, 1)], "shared");
    let mut crossing = None;
    for _ in 0..1200 {
        for (goal, movement) in swarm.needed_fields(&world) {
            world.require(goal, movement).expect("known");
        }
        swarm.step(&world, 1.0 / 60.0).expect("a step");
        let at = swarm.positions()[swarm.index_of(small[0]).expect("alive")];
        if at.x > 10.5 {
            crossing.get_or_insert(at.y);
        }
    }
    assert!(crossing.is_some_and(|y| y > 8.0), "{crossing:?}");
    swarm.despawn(&large);
    assert_eq!(swarm.needed_fields(&world), [(goal, 0)], "on its own again");
    swarm.set_group_shares_field(0, false).expect("in range");
    assert_eq!(swarm.needed_fields(&world), [(goal, 0), (goal, 1)]);
}

#[test]
fn closed_cells_are_left_after_edits_as_in_a_new_world() {
    let mut random = SplitMix64::new(4);
    for (name, map) in every_map(27, 21, 9) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let world = |map: &CostMap| {
            let mut world = world_of(map, Workers::serial());
            world.set_movement_types(&[room_for(0.6)]).expect("one");
            let goal = world.create_goal(&[center_of(map, target)]);
            (world, goal.expect("inside"))
        };
        // Of all cells, including closed ones.
        let middles: Vec<Vec2> = (0..map.len()).map(|index| center_of(&map, index)).collect();
        let directions = |world: &mut FlowWorld, goal| {
            let directions = world.flow_vectors(goal, &middles, 0);
            directions.expect("inside")
        };
        let (mut edited, goal) = world(&map);
        let mut now = map.clone();
        directions(&mut edited, goal);
        for _ in 0..40 {
            for _ in 0..3 {
                let index = random.below(now.len());
                if index != target {
                    now.cost[index] = if now.is_passable(index) { WALL } else { 1 };
                    let set = edited.set_terrain(cell_of(&now, index), now.cost[index]);
                    set.expect("inside");
                }
            }
            let found = directions(&mut edited, goal);
            let (mut fresh, goal) = world(&now);
            let expected = directions(&mut fresh, goal);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{name}: {}", cell_of(&now, index));
            }
        }
    }
}
