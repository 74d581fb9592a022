//! Discs with contacts do not overlap in extreme cases: radii above a cell, very different masses, walls painted and
//! doors closed on them, long steps, types that change, masks of 0.

use crate::common::discs::{DT, RADIUS, assert_sound, crowd, deepest_overlap, disc, walls_around};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Avoidance, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, WALL, open};

/// A crowd with one goal, which is in the last room of the map.
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

/// Steps for some seconds, and checks the walls in each step.
fn play(world: &mut FlowWorld, swarm: &mut Swarm, map: &CostMap, seconds: u32, dt: f32) {
    for _ in 0..(seconds as f32 / dt) as u32 {
        world.update();
        swarm.step(world, dt).expect("valid");
        assert_sound(map, swarm);
    }
}

/// Rows of agents with distances between them, starting at a corner.
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

/// Two rooms separated by a wall of one cell, which has a door of one cell.
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
    // There are few heavy agents, because the light ones do not fit between heavy ones that stand side by side.
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
    // A step covers half the width of the door. With longer strides a single agent would step past it.
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
        // The larger discs would reach into walls if there were any, but in the middle there are none.
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
