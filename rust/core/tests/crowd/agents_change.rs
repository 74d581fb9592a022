//! Agents change their type during their life, and are found by their group and status.

use crate::common::crowds::{DT, tick, tiled};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentState, AgentStatus, AgentType, Avoidance, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

/// Three types that differ in everything that a step reads.
fn types() -> [AgentType; 3] {
    let kind = |radius, max_speed, avoidance| AgentType {
        radius,
        max_speed,
        acceleration: 40.0,
        avoidance,
        ..AgentType::default()
    };
    [
        kind(0.3, 4.0, Avoidance::Contact),
        kind(0.8, 2.0, Avoidance::Separation),
        kind(0.5, 3.0, Avoidance::Orca),
    ]
}

fn scene() -> (FlowWorld, Swarm) {
    let mut world = world_of(&open(64, 32), Workers::serial());
    let mut swarm = Swarm::new(1);
    swarm.set_types(&types()).expect("valid");
    let goal = tiled(&mut world, Vec2::new(60.5, 16.5));
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    (world, swarm)
}

fn places(count: usize) -> Vec<Vec2> {
    let place =
        |number: usize| Vec2::new(4.0 + 0.7 * (number % 6) as f32, 4.0 + number as f32 / 3.0);
    (0..count).map(place).collect()
}

fn status(swarm: &Swarm, id: AgentId) -> AgentStatus {
    swarm.status(id).expect("alive")
}

proptest! {
    /// A change of type before the first step has the same effect as spawning agents with the new type.
    #[test]
    fn agents_with_another_type_are_as_if_spawned_with_it(kinds in prop::collection::vec(0..3_i64, 1..60)) {
        let (mut world, mut changed) = scene();
        let (mut other_world, mut spawned) = scene();
        let ids = changed.spawn(&world, &places(kinds.len()), 0, 0).expect("inside");
        for (&id, &kind) in ids.iter().zip(&kinds) {
            changed.set_type(&[id], kind).expect("known");
        }
        for (&place, &kind) in places(kinds.len()).iter().zip(&kinds) {
            spawned.spawn(&other_world, &[place], kind, 0).expect("inside");
        }
        prop_assert_eq!(changed.kinds(), spawned.kinds());
        for _ in 0..20 {
            tick(&mut world, &mut changed);
            tick(&mut other_world, &mut spawned);
        }
        prop_assert_eq!(changed.state_hash(), spawned.state_hash());
    }
}

#[test]
fn an_agent_goes_on_at_the_speed_of_its_new_type() {
    let (mut world, mut swarm) = scene();
    let ids = swarm.spawn(&world, &places(1), 0, 0).expect("inside");
    let run = |world: &mut FlowWorld, swarm: &mut Swarm| {
        for _ in 0..(1.0 / DT) as usize {
            tick(world, swarm);
        }
        swarm.velocities()[0].length()
    };
    assert!((run(&mut world, &mut swarm) - 4.0).abs() < 0.1);
    let before = swarm.positions()[0];
    swarm.set_type(&ids, 1).expect("known");
    assert_eq!(swarm.positions()[0], before);
    assert!((run(&mut world, &mut swarm) - 2.0).abs() < 0.1);
    let saved = swarm.save();
    swarm.set_type(&ids, 2).expect("known");
    swarm.load(&saved).expect("sound");
    assert_eq!(swarm.kinds(), [1]);
}

/// A query between a change and the next step sees the new radius.
#[test]
fn queries_see_the_new_size_at_once() {
    let (mut world, mut swarm) = scene();
    let ids = swarm
        .spawn(&world, &[Vec2::splat(8.0)], 0, 0)
        .expect("inside");
    tick(&mut world, &mut swarm);
    let at = swarm.positions()[0];
    let beside = (at + Vec2::new(-5.0, 0.7), at + Vec2::new(5.0, 0.7));
    let hit = |swarm: &mut Swarm| {
        swarm
            .query_segment(&world, (beside.0, beside.1), 0.0, &AgentQuery::default())
            .expect("valid")
            .len()
    };
    assert_eq!(hit(&mut swarm), 0);
    swarm.set_type(&ids, 1).expect("known");
    assert_eq!(hit(&mut swarm), 1);
}

#[test]
fn all_change_their_type_or_none() {
    let (world, mut swarm) = scene();
    let ids = swarm.spawn(&world, &places(5), 0, 0).expect("inside");
    swarm.despawn(&ids[3..4]);
    let hash = swarm.state_hash();
    assert!(matches!(
        swarm.set_type(&ids, 1),
        Err(Error::UnknownId { .. })
    ));
    for kind in [-1, 3, i64::MIN, i64::MAX] {
        let refused = swarm.set_type(&ids[..2], kind);
        assert!(
            matches!(refused, Err(Error::OutOfRange { name: "type", .. })),
            "{kind}"
        );
    }
    assert_eq!(swarm.state_hash(), hash);
    assert!(swarm.set_type(&[], 1).is_ok());
    // A type that is in use cannot be removed.
    swarm.set_type(&ids[..1], 2).expect("known");
    assert!(swarm.set_types(&types()[..2]).is_err());
}

#[test]
fn agents_are_found_by_group_and_status() {
    let (mut world, mut swarm) = scene();
    let ids = swarm.spawn(&world, &places(9), 0, 0).expect("inside");
    swarm.set_group(&ids[6..], 200).expect("a group");
    swarm.set_state(&ids[..1], AgentState::Idle).expect("known");
    swarm
        .set_state(&ids[1..2], AgentState::Scripted)
        .expect("known");
    swarm.despawn(&ids[5..6]);
    assert_eq!(swarm.group_members(0).expect("a group"), ids[..5]);
    assert_eq!(swarm.group_members(200).expect("a group"), ids[6..]);
    assert_eq!(swarm.group_members(7).expect("a group"), []);
    for group in [-1, 256] {
        assert!(swarm.group_members(group).is_err(), "{group}");
    }
    assert_eq!(status(&swarm, ids[0]), AgentStatus::Idle);
    assert_eq!(status(&swarm, ids[1]), AgentStatus::Scripted);
    assert!(swarm.status(ids[5]).is_err());
    assert_eq!(swarm.with_status(AgentStatus::Arrived), []);
    // The group without a goal waits; the others arrive in time.
    for _ in 0..(40.0 / DT) as usize {
        tick(&mut world, &mut swarm);
    }
    let arrived = swarm.with_status(AgentStatus::Arrived);
    assert!(!arrived.is_empty());
    assert!(
        arrived.iter().all(|id| ids[2..5].contains(id)),
        "{arrived:?}"
    );
    assert_eq!(arrived.len(), swarm.stats().arrived_now);
    assert_eq!(
        swarm.with_status(AgentStatus::Following).len() + arrived.len() + 2,
        swarm.len() - swarm.stats().stuck - swarm.stats().lost
    );
    let statuses: Vec<AgentStatus> = swarm.statuses().collect();
    for (&id, &found) in swarm.ids().iter().zip(&statuses) {
        assert_eq!(status(&swarm, id), found);
    }
}

#[test]
fn statuses_have_numbers() {
    for (number, status) in AgentStatus::ALL.into_iter().enumerate() {
        assert_eq!(status as usize, number);
        assert_eq!(AgentStatus::from_number(number as i64), Ok(status));
    }
    for number in [-1, 9, i64::MAX] {
        assert!(AgentStatus::from_number(number).is_err());
    }
}

/// What is put elsewhere begins anew: a place is no order.
#[test]
fn agents_that_had_arrived_go_on_from_where_they_are_put() {
    let (mut world, mut swarm) = scene();
    let goal = Vec2::new(60.5, 16.5);
    let id = swarm.spawn(&world, &[goal], 0, 0).expect("inside")[0];
    let arrives = |swarm: &mut Swarm, world: &mut FlowWorld, ticks: usize| {
        (0..ticks).any(|_| {
            tick(world, swarm);
            swarm.events().arrived == [id]
        })
    };
    assert!(arrives(&mut swarm, &mut world, 30));
    assert!(!arrives(&mut swarm, &mut world, 30), "once");
    swarm
        .set_positions(&world, &[id], &[Vec2::new(50.5, 16.5)])
        .expect("inside");
    assert_eq!(swarm.status(id), Ok(AgentStatus::Following));
    assert!(arrives(&mut swarm, &mut world, 200), "it walks back");
    swarm.set_positions(&world, &[id], &[goal]).expect("inside");
    assert!(arrives(&mut swarm, &mut world, 30), "also where it is put");
}
