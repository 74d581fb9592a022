//! Single agents follow goals of their own, which end with the last of them, and find the way to their own targets.

use crate::common::world_on;
use flow_swarm::error::Error;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::MovementType;
use flow_swarm::swarm::{AgentId, AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const DT: f32 = 0.05;

fn world() -> FlowWorld {
    let grid = Grid::new(IVec2::new(64, 48), 1.0, Vec2::ZERO).expect("valid");
    world_on(grid, &open(64, 48), Workers::new(2).expect("threads"))
}

fn swarm() -> Swarm {
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 8.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind; 2]).expect("valid");
    swarm
}

fn tick(swarm: &mut Swarm, world: &mut FlowWorld) {
    world.update();
    swarm.request_routes(world).expect("valid");
    swarm.step(world, DT).expect("valid");
}

fn ticks(swarm: &mut Swarm, world: &mut FlowWorld, count: usize) {
    for _ in 0..count {
        tick(swarm, world);
    }
}

fn place_of(swarm: &Swarm, id: AgentId) -> Vec2 {
    swarm.positions()[swarm.index_of(id).expect("alive")]
}

/// A column of agents at the left edge.
fn column(count: usize) -> Vec<Vec2> {
    (0..count)
        .map(|n| Vec2::new(3.5, 3.5 + 2.0 * n as f32))
        .collect()
}

#[test]
fn agents_of_a_group_go_to_goals_of_their_own() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let (mut world, mut swarm) = (world(), swarm());
        let home = world.create_goal(&[Vec2::new(60.5, 4.5)]).expect("inside");
        swarm.set_group_goal(7, Some(home)).expect("a group");
        let ids = swarm.spawn(&world, &column(9), 0, 7).expect("inside");
        let (north, south) = (Vec2::new(30.5, 2.5), Vec2::new(30.5, 45.5));
        let first = swarm
            .send(&mut world, &ids[..3], &[north], mode)
            .expect("valid");
        let second = swarm
            .send(&mut world, &ids[3..6], &[south], mode)
            .expect("valid");
        assert_ne!(first, second);
        let goals = ids.iter().map(|&id| swarm.goal_of(id).expect("alive"));
        let expected = [first, second, home].map(|goal| [Some(goal); 3]).concat();
        assert_eq!(goals.collect::<Vec<_>>(), expected);
        assert!(
            swarm.groups().iter().all(|&group| group == 7),
            "they stay in their group"
        );
        ticks(&mut swarm, &mut world, 260);
        for (number, target) in [north, south, Vec2::new(60.5, 4.5)].into_iter().enumerate() {
            for &id in &ids[3 * number..][..3] {
                let place = place_of(&swarm, id);
                assert!(
                    place.distance(target) < 3.0,
                    "{mode:?}: {place}, not {target}"
                );
            }
        }
        // Back to the goal of the group.
        swarm.clear_goals(&ids).expect("alive");
        ticks(&mut swarm, &mut world, 260);
        for &id in &ids {
            assert!(place_of(&swarm, id).distance(Vec2::new(60.5, 4.5)) < 4.0);
        }
    }
}

#[test]
fn temporary_goals_are_shared_and_end_with_their_last_agent() {
    let (mut world, mut swarm, mut other) = (world(), swarm(), self::swarm());
    let ids = swarm.spawn(&world, &column(6), 0, 0).expect("inside");
    let others = other.spawn(&world, &column(2), 0, 0).expect("inside");
    let at = [Vec2::new(40.5, 20.5)];
    let goal = swarm
        .send(&mut world, &ids[..2], &at, GoalMode::Full)
        .expect("valid");
    let again = swarm
        .send(&mut world, &ids[2..4], &at, GoalMode::Full)
        .expect("valid");
    let theirs = other
        .send(&mut world, &others, &at, GoalMode::Full)
        .expect("valid");
    assert_eq!((again, theirs), (goal, goal), "one field for all of them");
    let tiled = swarm
        .send(&mut world, &ids[4..], &at, GoalMode::Tiled)
        .expect("valid");
    assert_ne!(tiled, goal, "another mode is another goal");
    // Another order, a removal, and the end of a swarm: each drops a hold.
    tick(&mut swarm, &mut world);
    swarm
        .send(&mut world, &ids[..2], &[Vec2::ONE * 9.5], GoalMode::Full)
        .expect("valid");
    swarm.despawn(&ids[2..3]);
    drop(other);
    tick(&mut swarm, &mut world);
    assert!(world.has_goal(goal), "one agent still goes there");
    swarm.clear_goals(&ids[3..4]).expect("alive");
    tick(&mut swarm, &mut world);
    assert!(!world.has_goal(goal), "no agent does any more");
    swarm.clear();
    world.update();
    assert_eq!(world.goal_ids().count(), 0);
    // A goal that the game has created stays.
    let kept = world.create_goal(&at).expect("inside");
    let ids = swarm.spawn(&world, &column(2), 0, 0).expect("inside");
    swarm.set_goal(&world, &ids, kept).expect("known");
    tick(&mut swarm, &mut world);
    swarm.despawn(&ids);
    tick(&mut swarm, &mut world);
    assert!(world.has_goal(kept));
}

#[test]
fn agents_that_despawn_at_their_goal_let_go_of_it() {
    let (mut world, mut swarm) = (world(), swarm());
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..*swarm.settings()
    };
    swarm.set_settings(settings).expect("valid");
    let ids = swarm.spawn(&world, &column(4), 1, 3).expect("inside");
    let goal = swarm.send(&mut world, &ids, &[Vec2::new(12.5, 6.5)], GoalMode::Full);
    ticks(&mut swarm, &mut world, 120);
    assert!(swarm.is_empty());
    world.update();
    assert!(!world.has_goal(goal.expect("valid")));
}

#[test]
fn there_may_be_more_goals_than_groups() {
    let (mut world, mut swarm) = (world(), swarm());
    let places: Vec<Vec2> = (0..600)
        .map(|n| Vec2::new(1.5 + (n % 60) as f32, 1.5 + 4.0 * (n / 60) as f32))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    let targets: Vec<Vec2> = places.iter().map(|&at| at + Vec2::new(0.0, 2.0)).collect();
    for (&id, &target) in ids.iter().zip(&targets) {
        swarm
            .send(&mut world, &[id], &[target], GoalMode::Tiled)
            .expect("valid");
    }
    assert_eq!(world.goal_ids().count(), 600);
    ticks(&mut swarm, &mut world, 60);
    let there = |(&id, &target): (&AgentId, &Vec2)| place_of(&swarm, id).distance(target) < 1.0;
    let count = ids.iter().zip(&targets).filter(|&pair| there(pair)).count();
    assert!(count > 590, "{count} of 600 have arrived");
    // Numbers of orders that have ended are used again.
    for _ in 0..200 {
        swarm
            .send(&mut world, &ids, &[targets[0]], GoalMode::Tiled)
            .expect("valid");
        swarm
            .send(&mut world, &ids, &[targets[1]], GoalMode::Tiled)
            .expect("valid");
    }
    world.update();
    assert_eq!(world.goal_ids().count(), 1);
}

#[test]
fn orders_are_saved_and_a_run_repeats_from_a_save() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = swarm.spawn(&world, &column(12), 0, 2).expect("inside");
    let kept = world.create_goal(&[Vec2::new(60.5, 40.5)]).expect("inside");
    swarm.set_goal(&world, &ids[..3], kept).expect("known");
    let at = [Vec2::new(50.5, 5.5)];
    let goal = swarm
        .send(&mut world, &ids[3..8], &at, GoalMode::Full)
        .expect("valid");
    swarm
        .set_targets(&world, &ids[8..9], &[Vec2::splat(30.5)])
        .expect("inside");
    ticks(&mut swarm, &mut world, 20);
    let saved = swarm.save();
    let run = |swarm: &mut Swarm, world: &mut FlowWorld| {
        ticks(swarm, world, 60);
        swarm.state_hash()
    };
    let first = run(&mut swarm, &mut world);
    swarm.load(&saved).expect("just saved");
    assert_eq!(swarm.save(), saved);
    assert_eq!(swarm.goal_of(ids[4]), Ok(Some(goal)));
    assert_eq!(run(&mut swarm, &mut world), first);
    // Loading forgets orders that were given since.
    let late = swarm.send(&mut world, &ids, &[Vec2::splat(20.5)], GoalMode::Full);
    world.update();
    assert!(!world.has_goal(goal), "all have left it");
    swarm.load(&saved).expect("just saved");
    let before = place_of(&swarm, ids[4]);
    assert_eq!(swarm.goal_of(ids[4]), Ok(Some(goal)), "it is gone");
    for step in 0..40 {
        world.update();
        let told = swarm.request_routes(&mut world);
        let is_told = matches!(told, Err(Error::GoalReleased { .. }));
        assert_eq!(is_told, step == 0, "{step}: {told:?}");
        swarm.step(&world, DT).expect("valid");
    }
    assert!(!world.has_goal(late.expect("valid")));
    assert_eq!(swarm.goal_of(ids[4]), Ok(None), "that of its group");
    assert_eq!(swarm.goal_of(ids[0]), Ok(Some(kept)));
    // Only those that still have a goal push it about.
    let after = place_of(&swarm, ids[4]);
    assert!(after.distance(before) < 2.0, "it waits for another order");
}

/// The fields of all types that have followed an order are required, also after a load.
#[test]
fn types_that_have_left_an_order_are_saved() {
    let (mut world, mut swarm) = (world(), swarm());
    world
        .set_movement_types(&[MovementType::default(), MovementType::default()])
        .expect("few");
    let walker = swarm.types()[0];
    let swimmer = AgentType {
        movement: 1,
        ..walker
    };
    swarm.set_types(&[walker, swimmer]).expect("valid");
    let walkers = swarm.spawn(&world, &column(2), 0, 2).expect("inside");
    let swimmers = swarm.spawn(&world, &column(2), 1, 2).expect("inside");
    let all = [walkers, swimmers.clone()].concat();
    let at = [Vec2::new(50.5, 5.5)];
    let goal = swarm
        .send(&mut world, &all, &at, GoalMode::Full)
        .expect("valid");
    let required = [(goal, 0), (goal, 1)];
    assert_eq!(swarm.needed_fields(&world), required);
    swarm.despawn(&swimmers);
    assert_eq!(swarm.needed_fields(&world), required);
    let saved = swarm.save();
    let mut other = Swarm::new(1);
    other.set_types(&[walker, swimmer]).expect("valid");
    other.load(&saved).expect("just saved");
    assert_eq!(other.needed_fields(&world), required);
    assert_eq!(other.save(), saved);
}

#[test]
fn orders_replace_own_targets_and_outlast_a_change_of_group() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = swarm.spawn(&world, &column(2), 0, 0).expect("inside");
    swarm
        .set_targets(&world, &ids, &[Vec2::splat(2.0); 2])
        .expect("inside");
    let at = Vec2::new(40.5, 20.5);
    let goal = swarm
        .send(&mut world, &ids, &[at], GoalMode::Full)
        .expect("valid");
    assert_eq!(swarm.target_of(ids[0]), Ok(None));
    swarm.set_group(&ids, 9).expect("a group");
    swarm.set_type(&ids[..1], 1).expect("a type");
    assert_eq!(swarm.goal_of(ids[0]), Ok(Some(goal)));
    ticks(&mut swarm, &mut world, 160);
    for &id in &ids {
        assert!(place_of(&swarm, id).distance(at) < 2.0);
    }
}

/// A wall with one door at the far end, between the agents and their targets.
fn divided_world() -> FlowWorld {
    let mut world = world();
    let wall = CellRect {
        low: IVec2::new(30, 0),
        high: IVec2::new(32, 44),
    };
    world.set_terrain_rect(wall, 255).expect("inside");
    world.update();
    world
}

#[test]
fn agents_find_the_way_round_walls_to_their_own_targets() {
    let (mut world, mut swarm) = (divided_world(), swarm());
    let starts: Vec<Vec2> = (0..8)
        .map(|n| Vec2::new(24.5, 4.5 + 2.0 * n as f32))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let targets: Vec<Vec2> = starts.iter().map(|&at| at + Vec2::new(14.0, 0.0)).collect();
    swarm.set_targets(&world, &ids, &targets).expect("inside");
    ticks(&mut swarm, &mut world, 400);
    for (&id, &target) in ids.iter().zip(&targets) {
        let place = place_of(&swarm, id);
        assert!(place.distance(target) < 0.5, "{place}, not {target}");
    }
    // Their routes end with their targets.
    assert_eq!(world.goal_ids().count(), 8);
    swarm
        .set_targets(&world, &ids[..4], &starts[..4])
        .expect("inside");
    swarm.clear_targets(&ids[4..]).expect("alive");
    world.update();
    assert_eq!(world.goal_ids().count(), 0);
    ticks(&mut swarm, &mut world, 400);
    for (&id, &start) in ids[..4].iter().zip(&starts) {
        assert!(place_of(&swarm, id).distance(start) < 0.5);
    }
}

#[test]
fn a_target_in_sight_needs_no_route() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = swarm.spawn(&world, &column(5), 0, 0).expect("inside");
    let targets = vec![Vec2::new(50.5, 20.5); 5];
    swarm.set_targets(&world, &ids, &targets).expect("inside");
    for _ in 0..60 {
        tick(&mut swarm, &mut world);
        assert_eq!(world.goal_ids().count(), 0);
    }
}

#[test]
fn a_target_that_cannot_be_reached_makes_an_agent_lost() {
    let (mut world, mut swarm) = (divided_world(), swarm());
    let door = CellRect {
        low: IVec2::new(30, 44),
        high: IVec2::new(32, 48),
    };
    world.set_terrain_rect(door, 255).expect("inside");
    let ids = swarm
        .spawn(&world, &[Vec2::new(24.5, 9.5)], 0, 0)
        .expect("inside");
    swarm
        .set_targets(&world, &ids, &[Vec2::new(40.5, 9.5)])
        .expect("inside");
    let mut lost = 0;
    for _ in 0..60 {
        tick(&mut swarm, &mut world);
        lost += swarm.events().lost.len();
    }
    assert_eq!(lost, 1);
}

#[test]
fn bad_orders_are_refused_and_change_nothing() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = swarm.spawn(&world, &column(3), 0, 0).expect("inside");
    let goal = world.create_goal(&[Vec2::splat(9.5)]).expect("inside");
    world.release_goal(goal).expect("known");
    let unknown = |result: flow_swarm::Result<()>, what| {
        assert!(
            matches!(result, Err(Error::UnknownId { name, .. }) if name == what),
            "{result:?}"
        );
    };
    unknown(swarm.set_goal(&world, &ids, goal), "goal");
    unknown(swarm.set_goal(&world, &ids, GoalId(77)), "goal");
    swarm.despawn(&ids[1..2]);
    let kept = world.create_goal(&[Vec2::splat(9.5)]).expect("inside");
    let before = swarm.save();
    unknown(swarm.set_goal(&world, &ids, kept), "agent");
    unknown(swarm.clear_goals(&ids), "agent");
    let at = [Vec2::splat(20.5)];
    let sent = swarm.send(&mut world, &ids, &at, GoalMode::Full);
    unknown(sent.map(drop), "agent");
    assert!(swarm.goal_of(ids[1]).is_err());
    let rest = [ids[0], ids[2]];
    for targets in [vec![], vec![Vec2::NAN], vec![Vec2::splat(-9.0)]] {
        assert!(
            swarm
                .send(&mut world, &rest, &targets, GoalMode::Full)
                .is_err()
        );
    }
    assert_eq!(swarm.save(), before);
    assert_eq!(world.goal_ids().collect::<Vec<_>>(), [kept]);
}

#[test]
fn released_goals_are_reported_once_and_left() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = swarm.spawn(&world, &column(4), 0, 3).expect("inside");
    let goal = world.create_goal(&[Vec2::new(60.5, 4.5)]).expect("inside");
    let home = world.create_goal(&[Vec2::new(60.5, 40.5)]).expect("inside");
    swarm.set_group_goal(5, Some(goal)).expect("a group");
    swarm.set_group_goal(3, Some(home)).expect("a group");
    swarm.set_group(&ids[..1], 5).expect("alive");
    swarm.set_goal(&world, &ids[1..2], goal).expect("alive");
    ticks(&mut swarm, &mut world, 20);
    world.release_goal(goal).expect("known");
    world.update();
    let told = swarm.request_routes(&mut world);
    assert_eq!(told, Err(Error::GoalReleased { goal: goal.0 }));
    assert_eq!(swarm.group_goal(5), Ok(None));
    assert_eq!(swarm.group_goal(3), Ok(Some(home)), "others keep theirs");
    assert_eq!(swarm.goal_of(ids[1]), Ok(Some(home)), "its group's again");
    ticks(&mut swarm, &mut world, 200);
    assert!(place_of(&swarm, ids[1]).y > 30.0, "it goes there");
    assert!(place_of(&swarm, ids[0]).x < 30.0, "it stands");
    assert_eq!(swarm.stats().lost, 0);
}
