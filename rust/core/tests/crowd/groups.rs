//! Agents that are moved into another group follow that group's goal, and only they do.

use crate::common::crowds::{DT, tick, tiled};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{AgentId, AgentType, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;

const LEFT: i64 = 3;
const RIGHT: i64 = 200;

/// Ten agents in a column in the middle, all in a group without a goal; two other groups have tiled goals at the left
/// and at the right.
fn scene() -> (FlowWorld, Swarm, Vec<AgentId>) {
    let map = open(64, 32);
    let mut world = world_of(&map, Workers::serial());
    let mut swarm = Swarm::new(1);
    swarm
        .set_types(&[AgentType {
            radius: 0.3,
            max_speed: 4.0,
            acceleration: 40.0,
            ..AgentType::default()
        }])
        .expect("valid");
    for (group, x) in [(LEFT, 1.5), (RIGHT, 62.5)] {
        let goal = tiled(&mut world, Vec2::new(x, 16.5));
        swarm.set_group_goal(group, Some(goal)).expect("a group");
    }
    let starts: Vec<Vec2> = (0..10)
        .map(|row| Vec2::new(32.5, 3.5 + 2.5 * row as f32))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    (world, swarm, ids)
}

fn run(world: &mut FlowWorld, swarm: &mut Swarm, ticks: usize) {
    for _ in 0..ticks {
        tick(world, swarm);
    }
}

fn place(swarm: &Swarm, id: AgentId) -> Vec2 {
    swarm.positions()[swarm.index_of(id).expect("alive")]
}

#[test]
fn members_go_where_their_group_goes() {
    let (mut world, mut swarm, ids) = scene();
    swarm.set_group(&ids[..4], LEFT).expect("known");
    swarm.set_group(&ids[4..7], RIGHT).expect("known");
    run(&mut world, &mut swarm, (2.0 / DT) as usize);
    for (number, &id) in ids.iter().enumerate() {
        let way = place(&swarm, id).x - 32.5;
        let (group, low, high) = match number {
            0..4 => (LEFT, -9.0, -5.0),
            4..7 => (RIGHT, 5.0, 9.0),
            _ => (0, -0.5, 0.5),
        };
        assert!((low..high).contains(&way), "agent {number}: {way}");
        let index = swarm.index_of(id).expect("alive");
        assert_eq!(i64::from(swarm.groups()[index]), group);
    }
}

#[test]
fn those_that_have_arrived_set_out_again() {
    let (mut world, mut swarm, ids) = scene();
    let settings = Settings {
        settle_in_crowds: true,
        ..*swarm.settings()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group(&ids, LEFT).expect("known");
    run(&mut world, &mut swarm, (20.0 / DT) as usize);
    assert_eq!(swarm.stats().arrived_now, ids.len());
    // Moving agents into the group that they are in has no effect.
    let hash = swarm.state_hash();
    swarm.set_group(&ids, LEFT).expect("known");
    assert_eq!(swarm.state_hash(), hash);
    swarm.set_group(&ids[..5], RIGHT).expect("known");
    assert_eq!(swarm.stats().arrived_now, 5);
    run(&mut world, &mut swarm, (30.0 / DT) as usize);
    for (number, &id) in ids.iter().enumerate() {
        let x = place(&swarm, id).x;
        assert_eq!(x > 55.0, number < 5, "agent {number} is at {x}");
    }
    assert_eq!(swarm.stats().arrived_now, ids.len());
}

#[test]
fn a_target_of_its_own_counts_for_more_than_the_group() {
    let (mut world, mut swarm, ids) = scene();
    let own = Vec2::new(14.5, 3.5);
    swarm.set_targets(&world, &ids[..1], &[own]).expect("valid");
    swarm.set_group(&ids[..2], RIGHT).expect("known");
    run(&mut world, &mut swarm, (12.0 / DT) as usize);
    assert!(place(&swarm, ids[0]).distance(own) < 0.6);
    assert!(place(&swarm, ids[1]).x > 55.0);
}

#[test]
fn all_change_their_group_or_none() {
    let (_, mut swarm, ids) = scene();
    swarm.despawn(&ids[3..4]);
    let hash = swarm.state_hash();
    let refused = swarm.set_group(&ids, LEFT);
    assert!(matches!(refused, Err(Error::UnknownId { .. })));
    assert_eq!(swarm.state_hash(), hash);
    assert!(swarm.set_group(&[], LEFT).is_ok());
}
