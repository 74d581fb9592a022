//! Crowds pass doors and ways that are hardly wider than one of their agents.

use crate::common::discs::{DT, crowd, walls_around};
use crate::common::{center_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::swarm::{AgentType, ArrivalAction, Avoidance, Settings};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{
    CostMap, SplitMix64, WALL, largest_component, maze, rooms, serpentine,
};

fn disc(radius: f32, max_speed: f32, acceleration: f32) -> AgentType {
    AgentType {
        radius,
        max_speed,
        acceleration,
        avoidance: Avoidance::Contact,
        ..AgentType::default()
    }
}

/// The number of agents that have not arrived after some seconds.
fn left(
    world: &mut FlowWorld,
    kind: AgentType,
    (starts, goal): (&[Vec2], Vec2),
    (dt, seconds): (f32, f32),
) -> usize {
    let goal = world.create_goal(&[goal]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let starts: Vec<(Vec2, usize)> = starts.iter().map(|&start| (start, 0)).collect();
    let mut swarm = crowd(world, &[kind], &starts);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    let mut steps = 0..(seconds / dt) as usize;
    while !swarm.is_empty() && steps.next().is_some() {
        swarm.step(world, dt).expect("valid");
    }
    swarm.len()
}

/// A door of one cell in a wall 3 cells thick.
fn narrow_door() -> CostMap {
    let (width, height) = (30, 11);
    let mut map = walls_around(width, height);
    for y in (0..height).filter(|&y| y != 5) {
        for x in 10..13 {
            map.cost[y * width + x] = WALL;
        }
    }
    map
}

/// The number of agents that are still in front of a door of one cell after a minute.
fn left_at_a_narrow_door(movement: MovementType, kind: AgentType, agents: usize) -> usize {
    let mut world = world_of(&narrow_door(), Workers::serial());
    world.set_movement_types(&[movement]).expect("valid");
    let place = |index: usize| Vec2::new((index % 8) as f32, (index / 8) as f32);
    let starts: Vec<Vec2> = (0..agents)
        .map(|index| 0.875 * place(index) + Vec2::new(1.6, 1.9))
        .collect();
    left(
        &mut world,
        kind,
        (&starts, Vec2::new(28.5, 5.5)),
        (DT, 60.0),
    )
}

/// In these crowds the column that stands along the wall beside the door holds the agent before it out of the door,
/// until an agent steps back.
#[test]
fn no_column_along_a_wall_shuts_a_door() {
    for (radius, agents) in [(0.45, 62), (0.484, 10), (0.484, 32), (0.484, 51), (0.5, 49)] {
        let left = left_at_a_narrow_door(MovementType::default(), disc(radius, 5.0, 15.0), agents);
        assert_eq!(left, 0, "of {agents} agents of radius {radius}");
    }
}

#[test]
fn no_agent_jams_at_a_door_of_one_cell() {
    let mut jams = Vec::new();
    let plain = MovementType::default();
    let dear = MovementType::with_wall_penalty(WallPenalty::new(20, 4, true).expect("in range"));
    for (movement, near_walls) in [(plain, "even"), (dear, "dear")] {
        for radius in [0.3125, 0.375, 0.40625, 0.4375, 0.46875, 0.5] {
            for agents in [8, 20, 60] {
                let left = left_at_a_narrow_door(movement.clone(), disc(radius, 5.0, 15.0), agents);
                if left > 0 {
                    jams.push((near_walls, radius, agents, left));
                }
            }
        }
    }
    assert!(jams.is_empty(), "ground, radius, agents, left: {jams:?}");
}

#[test]
fn agents_stand_before_a_door_that_is_too_small_for_them() {
    for agents in [1, 2, 20] {
        let mut world = world_of(&narrow_door(), Workers::serial());
        let place = |index: usize| Vec2::new((index % 7) as f32, (index / 7) as f32);
        let starts: Vec<(Vec2, usize)> = (0..agents)
            .map(|index| (1.15 * place(index) + Vec2::new(1.6, 1.9), 0))
            .collect();
        let goal = world.create_goal(&[Vec2::new(28.5, 5.5)]).expect("inside");
        world.require(goal, 0).expect("a goal");
        world.update();
        let mut swarm = crowd(&world, &[disc(0.55, 5.0, 15.0)], &starts);
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let mut fastest = 0.0_f32;
        for step in 0..40 * 60 {
            swarm.step(&world, DT).expect("valid");
            if step > 20 * 60 {
                let speeds = swarm.velocities().iter().map(|velocity| velocity.length());
                fastest = speeds.fold(fastest, f32::max);
            }
        }
        let first = swarm.positions().iter().map(|at| at.x).fold(0.0, f32::max);
        assert!((9.5..10.0).contains(&first), "at the door: {first}");
        assert!(fastest < 0.01, "{agents} agents: {fastest} cells a second");
    }
}

/// By separation too: there, agents that are stuck pass through those that shut the door.
#[test]
fn no_agent_jams_at_a_door_by_separation() {
    let mut jams = Vec::new();
    for radius in [0.4375, 0.46875, 0.484, 0.5] {
        for agents in [12, 20, 40] {
            let kind = AgentType {
                avoidance: Avoidance::Separation,
                ..disc(radius, 5.0, 50.0)
            };
            let left = left_at_a_narrow_door(MovementType::default(), kind, agents);
            if left > 0 {
                jams.push((radius, agents, left));
            }
        }
    }
    assert!(jams.is_empty(), "radius, agents, left: {jams:?}");
}

/// The number of agents that have not arrived after three minutes, of 200 that start in cells of their own.
fn left_in(map: &CostMap, seed: u64, radius: f32, dt: f32) -> usize {
    let agents = 200;
    let mut cells = largest_component(map);
    let mut random = SplitMix64::new(1000 * seed + agents as u64);
    for index in 0..=agents {
        let other = index + random.below(cells.len() - index);
        cells.swap(index, other);
    }
    let places: Vec<Vec2> = cells.iter().map(|&cell| center_of(map, cell)).collect();
    let mut world = world_of(map, Workers::serial());
    let kind = disc(radius, 6.0, 36.0);
    left(
        &mut world,
        kind,
        (&places[..agents], places[agents]),
        (dt, 180.0),
    )
}

/// In these crowds a whole column in a way one cell wide holds the agent before it back where two ways meet, until its
/// agents step back.
#[test]
fn no_column_shuts_a_way_one_cell_wide() {
    let crowds = [
        (2, 0.42, 0.02),
        (3, 0.44, 0.0333),
        (5, 0.42, 0.0333),
        (8, 0.45, DT),
        (9, 0.45, 0.02),
    ];
    for (seed, radius, dt) in crowds {
        let left = left_in(&maze(37, 41, seed), seed, radius, dt);
        assert_eq!(left, 0, "maze {seed}, radius {radius}, steps of {dt} s");
    }
}

/// The number of agents that have not arrived after four minutes, of 300 that start in cells drawn at random, so that
/// several start in one.
fn left_of_heaps(map: &CostMap, movement: MovementType, seed: u64, radius: f32) -> usize {
    let cells = largest_component(map);
    let mut random = SplitMix64::new(seed);
    let mut place = || center_of(map, cells[random.below(cells.len())]);
    let goal = place();
    let starts: Vec<Vec2> = (0..300).map(|_| place()).collect();
    let mut world = world_of(map, Workers::serial());
    world.set_movement_types(&[movement]).expect("valid");
    let kind = disc(radius, 6.0, 36.0);
    left(&mut world, kind, (&starts, goal), (DT, 240.0))
}

/// In these crowds those behind press the head of a column into the corner of a bend, until it goes ahead at its full
/// speed.
#[test]
fn no_column_is_stuck_in_a_bend() {
    for (map, seed) in [
        (serpentine(25, 21, 1), 1),
        (serpentine(25, 21, 1), 5),
        (maze(31, 33, 7), 4),
        (maze(31, 33, 8), 5),
        (maze(31, 33, 9), 6),
    ] {
        let left = left_of_heaps(&map, MovementType::default(), seed, 0.45);
        assert_eq!(left, 0, "map of {} columns, seed {seed}", map.width);
    }
}

/// In these crowds too many agents start between the two ends of a straight way, and the only way out branches off
/// between them. Each end holds a column, and neither head fits into the branch, until one of them steps back at its
/// full speed, and agents in the bends do so round the corner.
#[test]
fn no_columns_wedge_each_other_before_a_branch() {
    for (seed, radius) in [(5, 0.45), (6, 0.45), (12, 0.49), (20, 0.4), (21, 0.49)] {
        let map = maze(31, 33, seed);
        let left = left_of_heaps(&map, MovementType::default(), seed, radius);
        assert_eq!(left, 0, "maze {seed}, radius {radius}");
    }
}

/// In this crowd four agents fill a dead end. The one at its open end stands in a bend, and the one behind it, which is
/// nearer to the goal round the corner, cannot go first.
#[test]
fn no_agent_in_a_bend_follows_one_behind_it() {
    let left = left_of_heaps(&maze(31, 33, 14), MovementType::default(), 14, 0.42);
    assert_eq!(left, 0);
}

/// In these crowds two agents stand wedged between those along the wall, and against each other, before a door of one
/// cell: ways avoid the cells beside walls, so those along the wall are not in front. They are free once they step
/// back, though no wall is beside them.
#[test]
fn no_arch_shuts_a_door() {
    for (seed, radius) in [(3, 0.49), (5, 0.49), (10, 0.45), (12, 0.49)] {
        let dear = WallPenalty::new(20, 1, false).expect("in range");
        let movement = MovementType::with_wall_penalty(dear);
        let left = left_of_heaps(&rooms(37, 41, 12, seed), movement, seed, radius);
        assert_eq!(left, 0, "rooms {seed}, radius {radius}");
    }
}
