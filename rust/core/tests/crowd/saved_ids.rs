//! Ids after loading a save: no id ever names two agents, and a repeated run is the same.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentState, AgentType, Pose, Shape, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn game() -> (FlowWorld, Swarm) {
    let mut world = world_of(&open(40, 30), Workers::serial());
    let goal = world.create_goal(&[Vec2::new(30.5, 20.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(5);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 3.0,
        acceleration: 12.0,
        speed_variation: 0.5,
        lateral_bias: 0.5,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let everywhere = Shape::Box(Vec2::splat(12.0));
    let pose = Pose::at(Vec2::splat(10.0)).expect("valid");
    swarm.add_area(everywhere, pose).expect("valid");
    (world, swarm)
}

/// Spawns, removes and pushes agents, and steps. What happens depends on `tick` and the agents' slots.
fn play(world: &FlowWorld, swarm: &mut Swarm, tick: u64) -> Vec<AgentId> {
    let mut random = SplitMix64::new(tick);
    let at = |random: &mut SplitMix64| {
        Vec2::new(random.below(38) as f32 + 1.0, random.below(28) as f32 + 1.0)
    };
    // Some agents on one point, where the direction of separation is random.
    let places: Vec<Vec2> = (0..random.below(4))
        .flat_map(|_| [at(&mut random); 2])
        .collect();
    let spawned = swarm.spawn(world, &places, 0, 0).expect("inside");
    let alive = swarm.ids().to_vec();
    let gone = alive
        .iter()
        .filter(|id| (id.slot() as u64 + tick).is_multiple_of(7));
    swarm.despawn(&gone.copied().collect::<Vec<_>>());
    swarm
        .apply_radial_impulse(world, at(&mut random), 5.0, 2.0)
        .expect("valid");
    swarm.step(world, 0.05).expect("valid");
    spawned
}

/// The hash, the events by slot, all slots in order, and the positions of their agents.
type Told = (u64, Vec<Vec<usize>>, Vec<usize>, Vec<(u32, u32)>);

fn told(swarm: &Swarm) -> Told {
    let events = swarm.events();
    let slots = |ids: &[AgentId]| ids.iter().map(|id| id.slot()).collect::<Vec<_>>();
    let came: Vec<AgentId> = events.entered.iter().map(|entry| entry.1).collect();
    let left: Vec<AgentId> = events.exited.iter().map(|entry| entry.1).collect();
    let happened = [&events.arrived, &events.stuck, &came, &left].map(|ids| slots(ids));
    let places = swarm
        .positions()
        .iter()
        .map(|at| (at.x.to_bits(), at.y.to_bits()));
    (
        swarm.state_hash(),
        happened.to_vec(),
        slots(swarm.ids()),
        places.collect(),
    )
}

#[test]
fn an_id_issued_since_the_save_is_not_issued_again() {
    let (world, mut swarm) = game();
    let saved = swarm.save();
    let before = swarm.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside")[0];
    swarm.load(&saved).expect("just saved");
    let after = swarm
        .spawn(&world, &[Vec2::splat(3.0)], 0, 0)
        .expect("inside")[0];
    assert_ne!(before, after);
    assert!(!swarm.contains(before) && swarm.contains(after));
    assert_eq!(swarm.despawn(&[before]), (0, Some(before)));
    assert_eq!(
        (before.slot(), swarm.id_in_slot(before.slot())),
        (after.slot(), Some(after))
    );
}

#[test]
fn the_leader_of_a_group_is_no_other_agent_after_a_load() {
    let (world, mut swarm) = game();
    let saved = swarm.save();
    let leader = swarm.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside")[0];
    swarm.set_group_leader(3, Some(leader)).expect("alive");
    swarm.load(&saved).expect("just saved");
    swarm.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside");
    assert_eq!(swarm.group_leader(3), Ok(None));
}

#[test]
fn a_run_that_is_repeated_from_a_save_is_the_same_but_for_generations() {
    let (world, mut swarm) = game();
    (0..30).for_each(|tick| drop(play(&world, &mut swarm, tick)));
    let saved = swarm.save();
    let known = swarm.ids().to_vec();
    let mut issued = Vec::new();
    let mut trace = Vec::new();
    for tick in 30..60 {
        issued.extend(play(&world, &mut swarm, tick));
        trace.push(told(&swarm));
    }
    for _ in 0..3 {
        swarm.load(&saved).expect("just saved");
        assert_eq!(swarm.ids(), known, "the saved ids are valid again");
        for (tick, expected) in (30..60).zip(&trace) {
            let spawned = play(&world, &mut swarm, tick);
            assert!(spawned.iter().all(|id| !issued.contains(id)), "tick {tick}");
            issued.extend(spawned);
            assert_eq!(&told(&swarm), expected, "tick {tick}");
        }
    }
    // A new swarm continues with the same ids, after any number of loads.
    let saved = swarm.save();
    let (_, mut fresh) = game();
    fresh.load(&saved).expect("just saved");
    assert_eq!(fresh.save(), saved);
    for tick in 60..90 {
        assert_eq!(
            play(&world, &mut fresh, tick),
            play(&world, &mut swarm, tick)
        );
        assert_eq!(told(&fresh), told(&swarm), "tick {tick}");
        assert_eq!(fresh.ids(), swarm.ids());
    }
    assert_eq!(fresh.save(), swarm.save());
}

proptest! {
    /// Compares with a record of the agent of each id ever issued, whose number is in a user column.
    #[test]
    fn no_id_ever_names_two_agents(actions in prop::collection::vec((0_u8..10, any::<usize>()), 1..120)) {
        let (world, mut swarm) = game();
        let mut agents: BTreeMap<AgentId, i32> = BTreeMap::new();
        let mut saves = vec![swarm.save()];
        for (number, (action, pick)) in actions.into_iter().enumerate() {
            match action {
                0..5 => {
                    let ids = swarm.spawn(&world, &[Vec2::ONE; 2], 0, 0).expect("inside");
                    for (id, agent) in ids.into_iter().zip(2 * number as i32 + 1..) {
                        prop_assert_eq!(agents.insert(id, agent), None, "issued twice");
                        swarm.set_user_ints(0, &[id], &[agent]).expect("alive");
                    }
                }
                5 | 6 => {
                    let ids = swarm.ids().to_vec();
                    swarm.despawn(&ids[..pick % (ids.len() + 1)]);
                }
                7 => saves.push(swarm.save()),
                8 => {
                    let before = swarm.ids().to_vec();
                    prop_assert!(swarm.load(&saves[0][..7]).is_err());
                    prop_assert_eq!(swarm.ids(), before);
                }
                _ => swarm.load(&saves[pick % saves.len()]).expect("its own"),
            }
            for (&id, &agent) in &agents {
                if swarm.contains(id) {
                    prop_assert_eq!(swarm.user_int(0, id), Ok(agent));
                }
            }
        }
    }
}

#[test]
fn the_same_agents_have_the_same_hash_whatever_came_before() {
    let (world, mut one) = game();
    let (_, mut other) = game();
    one.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside");
    let ids = other
        .spawn(&world, &[Vec2::ONE, Vec2::splat(2.0)], 0, 0)
        .expect("inside");
    assert_ne!(one.state_hash(), other.state_hash());
    other.despawn(&ids[1..]);
    assert_eq!(one.ids(), other.ids());
    assert_eq!(
        one.state_hash(),
        other.state_hash(),
        "of one that was there and is gone"
    );
}

#[test]
fn the_order_in_memory_is_no_part_of_the_hash() {
    let places = [1.0, 2.0, 3.0, 4.0, 5.0].map(Vec2::splat);
    let remaining = |gone: [usize; 2]| {
        let (world, mut swarm) = game();
        let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
        let numbers: Vec<i32> = (0..5).collect();
        swarm.set_user_ints(2, &ids, &numbers).expect("alive");
        for agent in gone {
            swarm.despawn(&[ids[agent]]);
        }
        swarm
    };
    let (one, other) = (remaining([0, 1]), remaining([1, 0]));
    assert_ne!(one.ids(), other.ids());
    assert_eq!(one.state_hash(), other.state_hash());
}

/// Any difference of an agent, or of its owner, leads to another hash.
#[test]
fn whatever_decides_the_future_is_part_of_the_hash() {
    type Change = fn(&mut Swarm, &FlowWorld, AgentId);
    let changes: [(&str, Change); 11] = [
        ("nothing", |_, _, _| ()),
        ("position", |swarm, world, id| {
            swarm
                .set_positions(world, &[id], &[Vec2::new(7.0, 7.5)])
                .expect("inside");
        }),
        ("velocity", |swarm, _, id| {
            swarm.apply_impulse(&[id], Vec2::X).expect("valid")
        }),
        ("scripted velocity", |swarm, _, id| {
            swarm
                .set_scripted_velocities(&[id], &[Vec2::Y])
                .expect("valid");
        }),
        ("state", |swarm, _, id| {
            swarm.set_state(&[id], AgentState::Idle).expect("alive")
        }),
        ("group", |swarm, _, id| {
            swarm.set_group(&[id], 9).expect("a group")
        }),
        ("target", |swarm, world, id| {
            swarm
                .set_targets(world, &[id], &[Vec2::splat(9.0)])
                .expect("inside");
        }),
        ("another target", |swarm, world, id| {
            swarm
                .set_targets(world, &[id], &[Vec2::splat(8.0)])
                .expect("inside");
        }),
        ("an integer", |swarm, _, id| {
            swarm.set_user_ints(1, &[id], &[3]).expect("valid")
        }),
        ("an integer elsewhere", |swarm, _, id| {
            swarm.set_user_ints(2, &[id], &[3]).expect("valid");
        }),
        ("a float", |swarm, _, id| {
            swarm.set_user_floats(1, &[id], &[3.0]).expect("valid")
        }),
    ];
    let mut hashes = BTreeMap::new();
    for (what, change) in changes {
        for agent in 0..2 {
            let (world, mut swarm) = game();
            let ids = swarm
                .spawn(&world, &[Vec2::splat(7.0); 2], 0, 0)
                .expect("inside");
            swarm
                .set_positions(&world, &ids, &[Vec2::splat(7.0); 2])
                .expect("inside");
            change(&mut swarm, &world, ids[agent]);
            let known = hashes.insert(swarm.state_hash(), what);
            assert_eq!(
                known,
                (what == "nothing" && agent == 1).then_some(what),
                "{what}"
            );
        }
    }
    let (world, mut swarm) = game();
    // The first step detects the targets of the goal.
    let hashes = [(); 3].map(|()| {
        swarm.step(&world, 0.1).expect("valid");
        swarm.state_hash()
    });
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2], "the tick");
}
