//! A crowd, and a check that a refused call does not change it.

use super::world_of;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;

pub const NOT_FINITE: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// Three agents that walk to a goal.
pub fn scene() -> (FlowWorld, Swarm) {
    let mut world = world_of(&open(12, 9), Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(7.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 2.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let positions = [Vec2::ONE, Vec2::splat(4.0), Vec2::splat(4.1)];
    swarm.spawn(&world, &positions, 0, 0).expect("inside");
    swarm.step(&world, 0.1).expect("valid");
    (world, swarm)
}

/// Makes a call that must fail and leave the crowd unchanged.
pub fn refused<T: std::fmt::Debug>(
    what: &str,
    swarm: &mut Swarm,
    call: impl FnOnce(&mut Swarm) -> flow_swarm::Result<T>,
) -> Error {
    let (hash, settings, types) = (
        swarm.state_hash(),
        *swarm.settings(),
        swarm.types().to_vec(),
    );
    let result = call(swarm);
    let Err(error) = result else {
        panic!("{what} was not refused: {result:?}");
    };
    assert_eq!(swarm.state_hash(), hash, "{what} changed something");
    assert_eq!(*swarm.settings(), settings, "{what} changed the settings");
    assert_eq!(swarm.types(), types, "{what} changed the types");
    assert!(!error.to_string().is_empty());
    error
}
