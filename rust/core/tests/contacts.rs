//! Agents with contacts are discs that keep their room: whatever presses on them, whatever they weigh, however they
//! were put there.

mod common;

use common::world_of;
use flow_swarm::Vec2;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::swarm::{AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::wall_depth;
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.25;

fn disc() -> AgentType {
    AgentType {
        radius: RADIUS,
        max_speed: 4.0,
        acceleration: 16.0,
        avoidance: Avoidance::Contact,
        ..AgentType::default()
    }
}

fn crowd(world: &FlowWorld, types: &[AgentType], starts: &[(Vec2, usize)]) -> Swarm {
    let mut swarm = Swarm::new(1);
    swarm.set_types(types).expect("valid");
    for &(start, kind) in starts {
        swarm
            .spawn(world, &[start], kind as i64, 0)
            .expect("inside");
    }
    swarm
}

/// The deepest overlap of any two agents, as a share of the smaller radius.
fn deepest_overlap(swarm: &Swarm) -> f32 {
    let radius = |kind: u8| swarm.types()[usize::from(kind)].radius;
    let places = swarm.positions().iter().copied();
    let mut discs: Vec<(Vec2, f32)> = places
        .zip(swarm.kinds().iter().map(|&kind| radius(kind)))
        .collect();
    discs.sort_by(|one, other| one.0.x.total_cmp(&other.0.x));
    let largest = discs.iter().map(|disc| disc.1).fold(0.0, f32::max);
    let mut deepest = 0.0_f32;
    for (number, &(at, radius)) in discs.iter().enumerate() {
        let end = at.x + radius + largest;
        for &(other, its_radius) in discs[number + 1..].iter().take_while(|it| it.0.x < end) {
            let overlap = radius + its_radius - at.distance(other);
            deepest = deepest.max(overlap / radius.min(its_radius));
        }
    }
    deepest
}

fn walls_around(width: usize, height: usize) -> CostMap {
    let mut map = open(width, height);
    for cell in 0..map.len() {
        let (x, y) = (cell % width, cell / width);
        if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
            map.cost[cell] = WALL;
        }
    }
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Of two that overlap both move, along the line between them, each by its share of the masses, and end up apart.
    #[test]
    fn two_that_overlap_part_by_their_masses(
        angle in 0.0_f32..std::f32::consts::TAU,
        depth in 0.02_f32..0.3,
        ratio in 0.01_f32..100.0,
    ) {
        let world = world_of(&open(64, 64), Workers::serial());
        let apart = Vec2::from_angle(angle) * (2.0 * RADIUS * (1.0 - depth));
        // Near the origin, where places are finer than what a mass of 100 moves.
        let starts = [Vec2::splat(2.0), Vec2::splat(2.0) + apart];
        let types = [disc(), AgentType { mass: ratio, ..disc() }];
        let mut swarm = crowd(&world, &types, &[(starts[0], 0), (starts[1], 1)]);
        swarm.step(&world, DT).expect("valid");
        let moved: Vec<Vec2> = (0..2).map(|index| swarm.positions()[index] - starts[index]).collect();
        prop_assert!(moved[0].dot(apart) <= 0.0 && moved[1].dot(apart) >= 0.0, "{moved:?}");
        let impulses = [moved[0], moved[1] * ratio];
        let sum = impulses[0] + impulses[1];
        prop_assert!(sum.length() < 0.02 * impulses[0].length().max(1.0e-4), "{impulses:?}");
        for _ in 0..30 {
            swarm.step(&world, DT).expect("valid");
        }
        prop_assert!(deepest_overlap(&swarm) < 0.01, "{}", deepest_overlap(&swarm));
    }

    /// Whatever presses a crowd into a closed room, no agent's disc ends up in the wall around it.
    #[test]
    fn pressure_pushes_no_agent_into_a_wall(
        seed in any::<u64>(),
        agents in 20_usize..120,
        speed in 1.0_f32..80.0,
        dt in prop::sample::select(vec![1.0 / 120.0, DT, 0.05, 0.25, 0.5]),
    ) {
        let map = walls_around(9, 8);
        let world = world_of(&map, Workers::serial());
        let kind = AgentType { max_speed: speed, acceleration: 8.0 * speed, ..disc() };
        let mut random = SplitMix64::new(seed);
        let mut place = || Vec2::new(
            1.3 + 6.4 * random.unit() as f32,
            1.3 + 5.4 * random.unit() as f32,
        );
        let starts: Vec<(Vec2, usize)> = (0..agents).map(|_| (place(), 0)).collect();
        let mut swarm = crowd(&world, &[kind], &starts);
        let ids = swarm.ids().to_vec();
        let corner = vec![Vec2::new(7.6, 6.6); agents];
        swarm.set_targets(&world, &ids, &corner).expect("inside");
        for step in 0..80 {
            swarm.step(&world, dt).expect("valid");
            for &at in swarm.positions() {
                let depth = wall_depth(&map, at, RADIUS);
                prop_assert!(depth <= 2.1e-3, "step {step}: {depth} deep at {at}");
            }
        }
        prop_assert!(swarm.events().quarantined.is_empty());
    }
}

/// Where each of two agents that overlap goes in a step.
fn ways(types: [AgentType; 2]) -> [f32; 2] {
    let world = world_of(&open(32, 32), Workers::serial());
    let starts = [Vec2::splat(16.0), Vec2::new(16.0 + 1.5 * RADIUS, 16.0)];
    let mut swarm = crowd(&world, &types, &[(starts[0], 0), (starts[1], 1)]);
    swarm.step(&world, DT).expect("valid");
    [0, 1].map(|index| swarm.positions()[index].distance(starts[index]))
}

#[test]
fn only_agents_whose_mask_has_the_layer_of_the_other_move() {
    let sees = AgentType {
        collision_layer: 0b01,
        collision_mask: 0b10,
        ..disc()
    };
    let seen = AgentType {
        collision_layer: 0b10,
        collision_mask: 0,
        ..disc()
    };
    let [way, stays] = ways([sees, seen]);
    assert!(
        way > 0.1 * RADIUS,
        "the one that sees the other moves by {way}"
    );
    assert_eq!(stays, 0.0, "the other does not");
    let ghost = AgentType {
        collision_layer: 0,
        collision_mask: 0,
        ..disc()
    };
    assert_eq!(
        ways([ghost, disc()]),
        [0.0, 0.0],
        "ghosts and others pass through each other"
    );
    let [one, other] = ways([disc(), disc()]);
    assert!(one > 0.0 && one == other);
}

#[test]
fn agents_that_avoid_nothing_neither_push_nor_are_pushed() {
    let none = AgentType {
        avoidance: Avoidance::None,
        ..disc()
    };
    assert_eq!(ways([none, disc()]), [0.0, 0.0]);
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        let other = AgentType {
            avoidance,
            ..disc()
        };
        let [_, way] = ways([other, disc()]);
        assert!(way > 0.0, "{avoidance:?} is solid for contacts");
    }
}

/// How deep the deepest disc is in a wall.
fn deepest_in_wall(map: &CostMap, swarm: &Swarm) -> f64 {
    let kinds = swarm.kinds().iter().map(|&kind| usize::from(kind));
    let depths = swarm.positions().iter().zip(kinds);
    depths
        .map(|(&at, kind)| wall_depth(map, at, swarm.types()[kind].radius))
        .fold(0.0, f64::max)
}

fn assert_sound(map: &CostMap, swarm: &Swarm) {
    assert!(swarm.positions().iter().all(|at| at.is_finite()));
    assert!(swarm.velocities().iter().all(|speed| speed.is_finite()));
    assert_eq!(swarm.stats().quarantined, 0);
    let depth = deepest_in_wall(map, swarm);
    assert!(depth <= 2.1e-3, "a disc is {depth} deep in a wall");
}

/// How many agents overlap another one by more than a share of their radius, all radii being alike.
fn overlapping(swarm: &Swarm, share: f32) -> usize {
    let mut at = swarm.positions().to_vec();
    at.sort_by(|one, other| one.x.total_cmp(&other.x));
    let near = (2.0 - share) * RADIUS;
    let mut overlaps = vec![false; at.len()];
    for one in 0..at.len() {
        let end = at[one].x + near;
        for other in (one + 1..at.len()).take_while(|&other| at[other].x < end) {
            if at[one].distance(at[other]) < near {
                (overlaps[one], overlaps[other]) = (true, true);
            }
        }
    }
    overlaps.iter().filter(|&&overlaps| overlaps).count()
}

#[test]
fn a_crowd_spawned_on_one_point_spreads() {
    const AGENTS: usize = 2_000;
    let map = walls_around(60, 60);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &[Vec2::splat(30.0); AGENTS], 0, 0)
        .expect("inside");
    for _ in 0..300 {
        swarm.step(&world, DT).expect("valid");
        assert!(swarm.positions().iter().all(|at| at.is_finite()));
    }
    assert!(deepest_overlap(&swarm) < 0.5, "{}", deepest_overlap(&swarm));
    assert_sound(&map, &swarm);
}

#[test]
fn ten_thousand_spawned_on_one_point_spread() {
    const AGENTS: usize = 10_000;
    let map = walls_around(60, 60);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &[Vec2::splat(30.0); AGENTS], 0, 0)
        .expect("inside");
    for seconds in 1..=10 {
        for _ in 0..60 {
            swarm.step(&world, DT).expect("valid");
        }
        assert_sound(&map, &swarm);
        if seconds == 5 {
            let deep = overlapping(&swarm, 0.4);
            assert!(deep < AGENTS / 4, "{deep} overlap deeply after 5 s");
        }
    }
    // None are caught at one place.
    assert!(deepest_overlap(&swarm) < 0.8, "{}", deepest_overlap(&swarm));
    let deep = overlapping(&swarm, 0.4);
    assert!(deep < AGENTS / 1000, "{deep} overlap deeply");
}

#[test]
fn a_crowd_round_a_goal_packs_and_rests() {
    const AGENTS: usize = 600;
    let mut world = world_of(&open(64, 64), Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(32.5)]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let starts: Vec<(Vec2, usize)> = (0..AGENTS)
        .map(|index| {
            (
                Vec2::new((index % 25) as f32, (index / 25) as f32) * 2.4 + 2.0,
                0,
            )
        })
        .collect();
    let mut swarm = crowd(&world, &[disc()], &starts);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for _ in 0..30 * 60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(
        deepest_overlap(&swarm) < 0.05,
        "{}",
        deepest_overlap(&swarm)
    );
    // Inside the circle that they would fill if they covered 0.72 of it, 0.8 of the densest packing.
    let reach = RADIUS * (AGENTS as f32 / 0.72).sqrt();
    let inside = swarm
        .positions()
        .iter()
        .filter(|at| at.distance(Vec2::splat(32.5)) <= reach);
    assert!(inside.count() > AGENTS * 9 / 10);
    let before = swarm.positions().to_vec();
    let ids = swarm.ids().to_vec();
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    let shifts: Vec<f32> = ids
        .iter()
        .zip(before)
        .map(|(&id, before)| {
            let index = swarm.index_of(id).expect("alive");
            swarm.positions()[index].distance(before)
        })
        .collect();
    let mean = shifts.iter().sum::<f32>() / AGENTS as f32;
    assert!(mean < 0.1 * RADIUS, "they move by {mean} in a second");
}

/// How many of a crowd are left before a door of one cell, in a wall 3 cells thick, after a minute.
fn left_at_a_narrow_door(movement: MovementType, radius: f32, agents: usize) -> usize {
    let (width, height) = (30, 11);
    let mut map = walls_around(width, height);
    for y in (0..height).filter(|&y| y != 5) {
        for x in 10..13 {
            map.cost[y * width + x] = WALL;
        }
    }
    let mut world = world_of(&map, Workers::serial());
    world.set_movement_types(&[movement]).expect("valid");
    let goal = world.create_goal(&[Vec2::new(28.5, 5.5)]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let kind = AgentType {
        radius,
        max_speed: 5.0,
        acceleration: 15.0,
        avoidance: Avoidance::Contact,
        ..AgentType::default()
    };
    let place = |index: usize| Vec2::new((index % 8) as f32, (index / 8) as f32);
    let starts: Vec<(Vec2, usize)> = (0..agents)
        .map(|index| (0.875 * place(index) + Vec2::new(1.6, 1.9), 0))
        .collect();
    let mut swarm = crowd(&world, &[kind], &starts);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    for _ in 0..60 * 60 {
        swarm.step(&world, DT).expect("valid");
    }
    swarm.len()
}

#[test]
fn no_agent_jams_at_a_door_of_one_cell() {
    let mut jams = Vec::new();
    let plain = MovementType::default();
    let dear = MovementType::with_wall_penalty(WallPenalty::new(20, 4, true).expect("in range"));
    for (movement, near_walls) in [(plain, "even"), (dear, "dear")] {
        for radius in [0.3125, 0.375, 0.40625, 0.4375, 0.46875, 0.5] {
            for agents in [8, 20, 60] {
                let left = left_at_a_narrow_door(movement.clone(), radius, agents);
                if left > 0 {
                    jams.push((near_walls, radius, agents, left));
                }
            }
        }
    }
    assert!(jams.is_empty(), "ground, radius, agents, left: {jams:?}");
}

#[test]
fn giants_and_flung_agents_keep_their_room() {
    let giant = AgentType {
        radius: 8.0 * RADIUS,
        mass: 64.0,
        ..disc()
    };
    let world = world_of(&open(64, 64), Workers::serial());
    let mut starts: Vec<(Vec2, usize)> = (0..400)
        .map(|index| {
            (
                Vec2::new((index % 20) as f32, (index / 20) as f32) * 0.6 + 26.0,
                0,
            )
        })
        .collect();
    starts.push((Vec2::new(31.9, 31.8), 1));
    let mut swarm = crowd(&world, &[disc(), giant], &starts);
    for _ in 0..240 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.2, "{}", deepest_overlap(&swarm));
    let ids = swarm.ids().to_vec();
    // Farther in a step than its bucket is wide.
    swarm
        .apply_impulse(&ids[..1], Vec2::new(120.0, 0.0))
        .expect("alive");
    for _ in 0..240 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.2, "{}", deepest_overlap(&swarm));
}

#[test]
fn settings_do_not_take_walls_away_from_contacts_alone() {
    let map = walls_around(8, 8);
    let world = world_of(&map, Workers::serial());
    let starts = [(Vec2::new(1.3, 1.3), 0), (Vec2::new(1.5, 1.3), 0)];
    let mut swarm = crowd(&world, &[disc()], &starts);
    let settings = Settings {
        wall_correction: false,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.01);
}

/// A crowd on one goal, which is in the last room of the map.
fn crowd_on_its_way(
    map: &CostMap,
    types: &[AgentType],
    starts: &[(Vec2, usize)],
    goal: Vec2,
) -> (FlowWorld, Swarm) {
    let mut world = world_of(map, Workers::serial());
    let goal = world.create_goal(&[goal]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let mut swarm = crowd(&world, types, starts);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    (world, swarm)
}

/// Steps for some seconds, and looks at walls in each.
fn play(world: &mut FlowWorld, swarm: &mut Swarm, map: &CostMap, seconds: u32, dt: f32) {
    for _ in 0..(seconds as f32 / dt) as u32 {
        world.update();
        swarm.step(world, dt).expect("valid");
        assert_sound(map, swarm);
    }
}

/// Rows of agents with room between them, from a corner on.
fn ranks(corner: Vec2, columns: usize, count: usize, pitch: f32) -> Vec<(Vec2, usize)> {
    let place = |index: usize| {
        let (column, row) = (index % columns, index / columns);
        (
            corner + Vec2::new(column as f32, row as f32) * pitch,
            index & 1,
        )
    };
    (0..count).map(place).collect()
}

/// Two rooms with a wall of one cell between them, which has a door of one cell.
fn two_rooms(width: usize, height: usize) -> CostMap {
    let mut map = walls_around(width, height);
    for y in 0..height {
        let cell = map.index(width / 2, y);
        map.cost[cell] = if y == height / 2 { 1 } else { WALL };
    }
    map
}

#[test]
fn agents_larger_than_a_cell_keep_their_room() {
    let map = walls_around(60, 60);
    let large = AgentType {
        radius: 2.5,
        ..disc()
    };
    let starts = ranks(Vec2::splat(6.0), 7, 42, 7.5);
    let goal = Vec2::splat(29.5);
    let (mut world, mut swarm) = crowd_on_its_way(&map, &[large, large], &starts, goal);
    let spread = |swarm: &Swarm| {
        let distances = swarm.positions().iter().map(|at| at.distance(goal));
        distances.sum::<f32>() / 42.0
    };
    let before = spread(&swarm);
    play(&mut world, &mut swarm, &map, 30, DT);
    assert!(deepest_overlap(&swarm) < 0.1, "{}", deepest_overlap(&swarm));
    let after = spread(&swarm);
    assert!(
        after < 0.75 * before,
        "they come together: {before}, {after}"
    );
}

#[test]
fn the_lightest_part_from_the_heaviest_which_do_not_notice() {
    let map = walls_around(24, 24);
    let [light, heavy] = [1.0e-3, 1.0e6].map(|mass| AgentType { mass, ..disc() });
    // Few heavy ones: where they stand side by side there is no room for the light ones between them.
    let starts: Vec<(Vec2, usize)> = ranks(Vec2::splat(8.0), 17, 272, 1.5 * RADIUS)
        .into_iter()
        .enumerate()
        .map(|(index, (start, _))| (start, usize::from(index % 8 == 3)))
        .collect();
    let mut world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[light, heavy], &starts);
    play(&mut world, &mut swarm, &map, 10, DT);
    assert!(deepest_overlap(&swarm) < 0.1, "{}", deepest_overlap(&swarm));

    let world = world_of(&open(32, 32), Workers::serial());
    let start = Vec2::splat(16.0);
    let beside = start + Vec2::X * RADIUS;
    let mut pair = crowd(&world, &[light, heavy], &[(start, 0), (beside, 1)]);
    for _ in 0..60 {
        pair.step(&world, DT).expect("valid");
    }
    assert_eq!(pair.positions()[1], beside, "the heavy one stays");
    assert!(deepest_overlap(&pair) < 0.01, "{}", deepest_overlap(&pair));
}

#[test]
fn a_wall_painted_over_a_packed_crowd_moves_it_out() {
    let map = walls_around(40, 40);
    let starts = ranks(Vec2::splat(10.0), 20, 400, 2.0 * RADIUS);
    let (mut world, mut swarm) =
        crowd_on_its_way(&map, &[disc(), disc()], &starts, Vec2::splat(15.5));
    play(&mut world, &mut swarm, &map, 10, DT);
    let mut painted = map.clone();
    for y in 12..19 {
        let cell = painted.index(15, y);
        painted.cost[cell] = WALL;
    }
    world.set_terrain_bytes(&painted.cost).expect("as large");
    world.update();
    swarm.step(&world, DT).expect("valid");
    play(&mut world, &mut swarm, &painted, 10, DT);
    assert!(deepest_overlap(&swarm) < 0.1, "{}", deepest_overlap(&swarm));
}

#[test]
fn a_door_closed_and_opened_on_a_packed_crowd_lets_all_of_it_through() {
    const AGENTS: usize = 60;
    let map = two_rooms(21, 13);
    let goal = Vec2::new(16.5, 6.5);
    let starts = ranks(Vec2::new(2.0, 3.0), 8, AGENTS, 2.2 * RADIUS);
    let (mut world, mut swarm) = crowd_on_its_way(&map, &[disc(), disc()], &starts, goal);
    let door = map.index(10, 6);
    let mut closed = map.clone();
    closed.cost[door] = WALL;
    for terrain in [&map, &closed, &map, &closed] {
        world.set_terrain_bytes(&terrain.cost).expect("as large");
        world.update();
        swarm.step(&world, DT).expect("valid");
        play(&mut world, &mut swarm, terrain, 4, DT);
    }
    assert!(deepest_overlap(&swarm) < 0.1, "{}", deepest_overlap(&swarm));
    world.set_terrain_bytes(&map.cost).expect("as large");
    play(&mut world, &mut swarm, &map, 90, DT);
    let through = swarm.positions().iter().filter(|at| at.x > 11.0);
    assert_eq!(through.count(), AGENTS);
}

#[test]
fn half_second_steps_lead_a_crowd_through_a_door_all_the_same() {
    const AGENTS: usize = 60;
    let map = two_rooms(21, 13);
    // Half the width of the door in a step: with longer strides even an agent alone steps past it.
    let slow = AgentType {
        max_speed: 1.0,
        ..disc()
    };
    let starts = ranks(Vec2::new(2.0, 3.0), 8, AGENTS, 2.2 * RADIUS);
    let goal = Vec2::new(16.5, 6.5);
    let (mut world, mut swarm) = crowd_on_its_way(&map, &[slow, slow], &starts, goal);
    play(&mut world, &mut swarm, &map, 240, 0.5);
    let through = swarm.positions().iter().filter(|at| at.x > 11.0);
    assert_eq!(through.count(), AGENTS);
}

#[test]
fn a_packed_crowd_makes_room_when_its_type_changes() {
    let map = walls_around(40, 40);
    let starts = ranks(Vec2::splat(12.0), 20, 400, 2.0 * RADIUS);
    let (mut world, mut swarm) =
        crowd_on_its_way(&map, &[disc(), disc()], &starts, Vec2::splat(20.5));
    play(&mut world, &mut swarm, &map, 10, DT);
    let larger = AgentType {
        radius: 1.6 * RADIUS,
        ..disc()
    };
    let heap = AgentType {
        avoidance: Avoidance::Separation,
        ..disc()
    };
    for types in [[larger; 2], [heap; 2], [disc(), larger]] {
        swarm.set_types(&types).expect("valid");
        // Where they stood they now reach into walls, if any are there: none are, in the middle.
        play(&mut world, &mut swarm, &map, 10, DT);
        if types[0] != heap {
            assert!(deepest_overlap(&swarm) < 0.1, "{}", deepest_overlap(&swarm));
        }
    }
}

#[test]
fn crowds_with_a_mask_of_0_pass_through_each_other() {
    const AGENTS: usize = 200;
    let ghost = AgentType {
        collision_mask: 0,
        ..disc()
    };
    let map = walls_around(40, 12);
    let starts = vec![(Vec2::new(4.5, 6.5), 0); AGENTS];
    let (mut world, mut swarm) = crowd_on_its_way(&map, &[ghost], &starts, Vec2::new(34.5, 6.5));
    play(&mut world, &mut swarm, &map, 5, DT);
    let at = swarm.positions();
    assert!(at[0].x > 20.0, "they are under way: {}", at[0]);
    assert!(at.iter().all(|&other| other == at[0]), "as one");
}
