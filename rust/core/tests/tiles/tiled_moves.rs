//! Flow tiles, section 5: the dynamic world. Tiled goals while the world changes: doors close and open, edits, goals
//! that move.

use crate::common::crowds::{
    arrive, crowd_on_the_left, one_door, random_starts, swarm_of, tick, tiled, two_doors,
    walk_over_edits,
};
use crate::common::{center_of, central_goal, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::swarm::Swarm;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{WALL, open, rooms};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

#[test]
fn a_door_shut_in_front_of_a_crowd_sends_it_to_the_other_one() {
    let (map, door) = two_doors();
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(4);
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..140 {
        tick(&mut world, &mut swarm);
    }
    let farthest = swarm
        .positions()
        .iter()
        .fold(0.0_f32, |most, at| most.max(at.x));
    assert!((40.0..60.0).contains(&farthest), "on the way: {farthest}");
    world.set_terrain_rect(door, WALL).expect("inside");
    arrive("by the other door", &mut world, &mut swarm, 120.0);
}

#[test]
fn a_crowd_waits_at_a_shut_door_and_goes_on_when_it_opens() {
    let (map, door) = one_door();
    let mut world = world_of(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..140 {
        tick(&mut world, &mut swarm);
    }
    world.set_terrain_rect(door, WALL).expect("inside");
    for _ in 0..200 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.len(), 80, "no agent gets through a shut door");
    let place = swarm.positions()[0];
    let status = world.query_status(goal, place, 0).expect("known");
    assert_eq!(status, QueryStatus::Disconnected);
    assert_eq!(world.cost_to_goal(goal, place, 0).expect("known"), None);
    assert_eq!(world.path_from(goal, place, 0).expect("known"), []);
    world.set_terrain_rect(door, 1).expect("inside");
    arrive("the door is open", &mut world, &mut swarm, 80.0);
}

#[test]
fn edits_under_a_moving_crowd_stop_no_agent() {
    for seed in (0..6).chain(crate::common::fresh_seeds(1, 10)) {
        let map = rooms(130, 100, 14, seed);
        let target = central_goal(&map).expect("open");
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let mut world = world_of(&map, Workers::serial());
        world.set_tile_limit(12);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 150, seed), goal);
        walk_over_edits(&map, target, seed, &mut world, &mut swarm);
        arrive(&format!("seed {seed}"), &mut world, &mut swarm, 400.0);
    }
}

#[test]
fn a_goal_that_moves_is_followed_by_old_tiles_until_new_ones_are_there() {
    let map = open(160, 160);
    let mut world = world_of(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(150.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    world.set_tile_limit(2);
    world
        .move_goal(goal, &[Vec2::new(20.5, 150.5)])
        .expect("inside");
    tick(&mut world, &mut swarm);
    let velocity = swarm.velocities()[0];
    assert!(velocity.x > 4.0, "still by the old tiles: {velocity}");
    for _ in 0..200 {
        tick(&mut world, &mut swarm);
    }
    let velocity = swarm.velocities()[0];
    assert!(velocity.y > 4.0, "by the new ones: {velocity}");
    arrive("at the new place", &mut world, &mut swarm, 60.0);
}

#[test]
fn a_goal_that_moves_in_every_tick_is_caught() {
    let map = open(100, 100);
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(30);
    let at = |number: i32| Vec2::new(60.5 + 0.05 * number as f32, 70.5 - 0.05 * number as f32);
    let goal = tiled(&mut world, at(0));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for number in 1..700 {
        world.move_goal(goal, &[at(number)]).expect("inside");
        tick(&mut world, &mut swarm);
    }
    assert!(swarm.len() < 40, "{} have not come near", swarm.len());
}

#[test]
fn agents_cut_off_from_an_old_target_go_to_the_new_one() {
    // An island on the right with an agent on it. The goal moves within the left half, and then to the island.
    let mut map = open(96, 64);
    for y in 0..64 {
        let index = map.index(70, y);
        map.cost[index] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    world.set_tile_limit(1);
    let goal = tiled(&mut world, Vec2::new(5.5, 5.5));
    let mut starts = crowd_on_the_left();
    let islander = Vec2::new(90.5, 50.5);
    starts.push(islander);
    let mut swarm = swarm_of(&world, &starts, goal);
    let id = swarm.ids()[80];
    let place = |swarm: &Swarm| swarm.positions()[swarm.index_of(id).expect("alive")];
    for _ in 0..5 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(place(&swarm), islander);
    world
        .move_goal(goal, &[Vec2::new(60.5, 60.5)])
        .expect("inside");
    tick(&mut world, &mut swarm);
    assert_eq!(place(&swarm), islander);
    world
        .move_goal(goal, &[Vec2::new(75.5, 10.5)])
        .expect("inside");
    tick(&mut world, &mut swarm);
    assert!(!swarm.events().lost.contains(&id));
    assert_ne!(place(&swarm), islander, "goes at once");
    // An agent without any path does not delay the tiles of others.
    world
        .move_goal(goal, &[Vec2::new(60.5, 60.5)])
        .expect("inside");
    arrive_all_but_one(&mut world, &mut swarm);
}

fn arrive_all_but_one(world: &mut FlowWorld, swarm: &mut Swarm) {
    for _ in 0..1500 {
        tick(world, swarm);
    }
    assert_eq!(swarm.len(), 1);
}

#[test]
fn a_goal_in_a_wall_is_reached_when_the_wall_goes() {
    let map = open(70, 70);
    let mut world = world_of(&map, Workers::serial());
    let rect = CellRect {
        low: IVec2::new(50, 50),
        high: IVec2::new(56, 56),
    };
    world.set_terrain_rect(rect, WALL).expect("inside");
    let goal = tiled(&mut world, Vec2::new(53.5, 53.5));
    let starts = crowd_on_the_left();
    let mut swarm = swarm_of(&world, &starts, goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    let status = world.query_status(goal, starts[0], 0);
    assert_eq!(status, Ok(QueryStatus::GoalBlocked));
    world.set_terrain_rect(rect, 1).expect("inside");
    for _ in 0..40 {
        tick(&mut world, &mut swarm);
    }
    world.set_terrain_rect(rect, WALL).expect("inside");
    for _ in 0..40 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.len(), 80);
    world.set_terrain_rect(rect, 1).expect("inside");
    arrive("the wall has gone", &mut world, &mut swarm, 60.0);
}
