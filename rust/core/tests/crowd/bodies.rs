//! Agents stay out of solid bodies, and bodies report the agents that touch them: crowds among random bodies.
//! `body_scenes.rs` has single agents.

use crate::common::bodies::{DT, Known, disc, unit, world};
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentState, AgentType, Avoidance, Shape, Swarm};
use flow_swarm_bench::maps::SplitMix64;
use proptest::prelude::*;

fn somewhere(random: &mut SplitMix64, low: f32, high: f32) -> Vec2 {
    Vec2::splat(low) + Vec2::new(random.unit() as f32, random.unit() as f32) * (high - low)
}

/// Nine bodies with enough distance for any agent between them.
fn nine_bodies(swarm: &mut Swarm, random: &mut SplitMix64) -> Vec<Known> {
    (0..9_u8)
        .map(|number| {
            let slot = Vec2::new(f32::from(number % 3), f32::from(number / 3));
            let shape = match number % 2 {
                0 => Shape::Disc(0.3 + 2.0 * random.unit() as f32),
                _ => Shape::Box(Vec2::new(0.1, 0.2) + 1.6 * random.unit() as f32),
            };
            Known::add(swarm, shape, slot * 14.0 + 18.0, unit(random), true)
        })
        .collect()
}

/// A crowd of all sizes and speeds among moving bodies; `check` is called after each step.
fn play(seed: u64, threads: usize, mut check: impl FnMut(&Swarm, &[Known])) -> Swarm {
    let mut world = world(threads);
    let mut random = SplitMix64::new(seed);
    let mut swarm = Swarm::new(seed);
    let kinds: Vec<AgentType> = (0..6_usize)
        .map(|number| AgentType {
            radius: [0.1, 0.3, 0.5, 0.9, 0.4, 0.3][number],
            max_speed: [2.0, 6.0, 60.0, 3.0, 5.0, 4.0][number],
            acceleration: 200.0,
            avoidance: [Avoidance::Separation, Avoidance::Orca][usize::from(number > 3)],
            neighbour_radius: 4.0,
            mass: [1.0, 5.0][number % 2],
            ..AgentType::default()
        })
        .collect();
    swarm.set_types(&kinds).expect("valid");
    let goal = world.create_goal(&[Vec2::splat(50.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for kind in 0..6 {
        let starts: Vec<Vec2> = (0..60)
            .map(|_| somewhere(&mut random, 10.0, 54.0))
            .collect();
        let ids = swarm
            .spawn(&world, &starts, kind, i64::from(kind == 3))
            .expect("inside");
        swarm
            .set_state(&ids[..6], AgentState::Scripted)
            .expect("alive");
        let velocities: Vec<Vec2> = (0..6).map(|_| unit(&mut random) * 30.0).collect();
        swarm
            .set_scripted_velocities(&ids[..6], &velocities)
            .expect("alive");
    }
    let mut bodies = nine_bodies(&mut swarm, &mut random);
    let homes: Vec<Vec2> = bodies.iter().map(|body| body.at).collect();
    for tick in 0..40 {
        for (body, &home) in bodies.iter_mut().zip(&homes) {
            if random.percent(70) {
                let at = (body.at + 0.3 * unit(&mut random)).clamp(home - 1.5, home + 1.5);
                let ahead = body.ahead + 0.2 * unit(&mut random);
                body.put(&mut swarm, at, ahead);
            }
        }
        if tick % 9 == 8 {
            let ids: Vec<AgentId> = swarm.ids().iter().step_by(13).copied().collect();
            swarm
                .apply_impulse(&ids, 40.0 * unit(&mut random))
                .expect("alive");
            swarm.despawn(&ids[..5]);
        }
        world.update();
        let dt = [DT, 0.1][random.below(2)];
        swarm.step(&world, dt).expect("valid");
        check(&swarm, &bodies);
    }
    swarm
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_agent_ends_a_step_in_a_solid_body(seed in 0_u64..1_000_000) {
        play(seed, 1, |swarm, bodies| {
            for (index, &at) in swarm.positions().iter().enumerate() {
                let radius = swarm.types()[usize::from(swarm.kinds()[index])].radius;
                // At the map's edge walls may leave no room.
                if (at - 32.0).abs().max_element() + radius > 31.5 {
                    continue;
                }
                for body in bodies {
                    let gap = body.distance(at) - f64::from(radius);
                    let deep = -2.0e-3 * f64::from(radius) - 1.0e-5;
                    assert!(gap >= deep, "agent {index} of radius {radius} at {at}: {gap} in {body:?}");
                }
            }
        });
    }

    /// Compares contacts with a test of all agents, and events with the contacts of the step before.
    #[test]
    fn contacts_are_those_that_touch(seed in 0_u64..1_000_000) {
        let mut before: Vec<Vec<AgentId>> = vec![Vec::new(); 9];
        let mut contacts = 0;
        play(seed, 1, |swarm, bodies| {
            let mut begun = Vec::new();
            for (body, before) in bodies.iter().zip(&mut before) {
                let found = swarm.body_contacts(body.id).expect("there");
                assert!(found.is_sorted());
                for (index, &id) in swarm.ids().iter().enumerate() {
                    let radius = f64::from(swarm.types()[usize::from(swarm.kinds()[index])].radius);
                    let gap = body.distance(swarm.positions()[index]) - 1.05 * radius;
                    if gap.abs() > 1.0e-4 {
                        assert_eq!(found.contains(&id), gap < 0.0, "{gap} from {body:?}");
                    }
                }
                let new = found.iter().filter(|id| !before.contains(id));
                begun.extend(new.map(|&id| (body.id, id)));
                *before = found;
            }
            assert_eq!(swarm.events().contacted, begun);
            contacts += begun.len();
        });
        prop_assert!(contacts > 0, "an agent touches something");
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let run = |threads| {
        let mut events = Vec::new();
        let swarm = play(7, threads, |swarm, _| {
            events.extend(swarm.events().contacted.iter().copied());
        });
        (swarm.state_hash(), events)
    };
    let serial = run(1);
    assert!(serial.1.len() > 20, "{} contacts", serial.1.len());
    assert_eq!(run(2), serial);
    assert_eq!(run(4), serial);
}

#[test]
fn a_loaded_crowd_goes_on_as_it_was() {
    let mut random = SplitMix64::new(5);
    let world = world(1);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[disc()]).expect("valid");
    let starts: Vec<Vec2> = (0..80)
        .map(|_| somewhere(&mut random, 28.0, 36.0))
        .collect();
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let shape = Shape::Disc(2.0);
    let mut body = Known::add(&mut swarm, shape, Vec2::splat(32.0), Vec2::X, true);
    for _ in 0..10 {
        swarm.step(&world, DT).expect("valid");
    }
    let saved = swarm.save();
    let mut other = Swarm::new(1);
    other.set_types(&[disc()]).expect("valid");
    let mut twin = Known::add(&mut other, shape, body.at, Vec2::X, true);
    other.load(&saved).expect("just saved");
    for _ in 0..60 {
        let at = body.at + Vec2::new(0.1, 0.05);
        body.put(&mut swarm, at, Vec2::X);
        twin.put(&mut other, at, Vec2::X);
        swarm.step(&world, DT).expect("valid");
        other.step(&world, DT).expect("valid");
        assert_eq!(swarm.state_hash(), other.state_hash());
        assert_eq!(swarm.events().contacted, other.events().contacted);
    }
}
