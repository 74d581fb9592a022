//! Agents push each other apart, and move within the limits of their type.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, ArrivalAction, Avoidance, Settings, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};

const DT: f32 = 1.0 / 60.0;

fn world() -> FlowWorld {
    world_of(&open(64, 64), Workers::serial())
}

fn disc() -> AgentType {
    AgentType {
        radius: 0.5,
        max_speed: 4.0,
        acceleration: 16.0,
        avoidance: Avoidance::Separation,
        ..AgentType::default()
    }
}

fn swarm_of(kind: AgentType, seed: u64) -> Swarm {
    let mut swarm = Swarm::new(seed);
    swarm.set_types(&[kind]).expect("valid");
    swarm
}

#[test]
fn two_that_overlap_separate_along_the_line_between_them() {
    let world = world();
    let mut swarm = swarm_of(disc(), 1);
    let positions = [Vec2::new(20.0, 20.0), Vec2::new(20.3, 20.4)];
    let line = (positions[1] - positions[0]).normalize();
    swarm.spawn(&world, &positions, 0, 0).expect("inside");
    let mut distance = positions[0].distance(positions[1]);
    for _ in 0..240 {
        swarm.step(&world, DT).expect("valid");
        let at = swarm.positions();
        let apart = at[1] - at[0];
        assert!(apart.length() >= distance - 1.0e-4, "never nearer");
        assert!(apart.normalize().dot(line) > 0.999, "straight apart");
        let middle = (at[0] + at[1]) / 2.0;
        assert!(
            middle.distance(Vec2::new(20.15, 20.2)) < 1.0e-3,
            "both give way alike"
        );
        distance = apart.length();
    }
    // They are pushed apart at most at full speed, and then decelerate over v²/2a: 4² / (2 * 16).
    assert!(
        (1.0..1.0 + 2.0 * 0.5).contains(&distance),
        "they end {distance} apart"
    );
    assert!(
        swarm
            .velocities()
            .iter()
            .all(|velocity| velocity.length() < 0.1)
    );
}

#[test]
fn agents_without_contact_keep_their_velocity() {
    let world = world();
    let mut swarm = swarm_of(disc(), 1);
    let positions = [
        Vec2::new(20.0, 20.0),
        Vec2::new(21.0, 20.0),
        Vec2::new(20.0, 21.5),
    ];
    swarm.spawn(&world, &positions, 0, 0).expect("inside");
    for _ in 0..10 {
        swarm.step(&world, DT).expect("valid");
    }
    assert_eq!(swarm.positions(), positions);
}

#[test]
fn separation_can_be_switched_off() {
    let world = world();
    let positions = [Vec2::new(20.0, 20.0), Vec2::new(20.1, 20.0)];
    let mut off = swarm_of(disc(), 1);
    let settings = Settings {
        separation: false,
        ..Settings::default()
    };
    off.set_settings(settings).expect("valid");
    let mut weightless = swarm_of(
        AgentType {
            separation_weight: 0.0,
            ..disc()
        },
        1,
    );
    for swarm in [&mut off, &mut weightless] {
        swarm.spawn(&world, &positions, 0, 0).expect("inside");
        swarm.step(&world, DT).expect("valid");
        assert_eq!(swarm.positions(), positions);
    }
}

#[test]
fn the_deeper_the_harder_and_no_faster_than_the_limit() {
    let world = world();
    let pushed = |distance: f32| {
        let kind = AgentType {
            acceleration: 1.0e6,
            separation_weight: 2.0,
            ..disc()
        };
        let mut swarm = swarm_of(kind, 1);
        let positions = [Vec2::splat(20.0), Vec2::new(20.0 + distance, 20.0)];
        swarm.spawn(&world, &positions, 0, 0).expect("inside");
        swarm.step(&world, DT).expect("valid");
        -swarm.velocities()[0].x
    };
    // The overlap as a fraction, times the speed of 4, times the weight of 2.
    for (distance, expected) in [(0.9, 0.8), (0.75, 2.0), (0.5, 4.0), (0.2, 4.0)] {
        let found = pushed(distance);
        assert!(
            (found - expected).abs() < 1.0e-3,
            "{distance}: {found}, not {expected}"
        );
    }
}

/// The position of each agent of a pile after some steps, by id.
fn pile(count: usize, seed: u64, order: impl Fn(&mut Vec<AgentId>)) -> Vec<(AgentId, Vec2)> {
    let world = world();
    let mut swarm = swarm_of(disc(), seed);
    swarm
        .spawn(&world, &vec![Vec2::splat(30.0); count], 0, 0)
        .expect("inside");
    // Removing others first changes the order of the columns, but not the ids of the remaining agents.
    let mut gone: Vec<AgentId> = swarm.ids()[2..].to_vec();
    order(&mut gone);
    swarm.despawn(&gone);
    for _ in 0..120 {
        swarm.step(&world, DT).expect("valid");
    }
    let mut found: Vec<_> = swarm
        .ids()
        .iter()
        .copied()
        .zip(swarm.positions().iter().copied())
        .collect();
    found.sort_by_key(|entry| entry.0);
    found
}

#[test]
fn coincident_agents_separate_the_same_way_whatever_their_order() {
    let plain = pile(2, 5, |_| {});
    assert_eq!(plain.len(), 2);
    assert!(plain[0].1.distance(plain[1].1) > 0.9, "{plain:?}");
    assert_eq!(pile(2, 5, |_| {}), plain);
    assert_eq!(pile(9, 5, |_| {}), plain);
    assert_eq!(pile(9, 5, |gone| gone.reverse()), plain);
    assert_ne!(pile(2, 6, |_| {}), plain, "the seed matters");
}

#[test]
fn the_columns_order_does_not_matter_to_a_pair() {
    let world = world();
    let run = |swap: bool| {
        let mut swarm = swarm_of(disc(), 3);
        let at = Vec2::splat(30.0);
        // The ids of a and b are the same in both runs, but their indices differ.
        let ids = swarm.spawn(&world, &[at; 3], 0, 0).expect("inside");
        let (a, b) = (ids[1], ids[2]);
        if swap {
            // The last agent takes the index of the first.
            swarm.despawn(&[ids[0]]);
            assert_eq!(swarm.ids(), [b, a]);
        } else {
            swarm
                .set_positions(&world, &[ids[0]], &[Vec2::splat(5.0)])
                .expect("inside");
        }
        for _ in 0..60 {
            swarm.step(&world, DT).expect("valid");
        }
        [a, b].map(|id| swarm.positions()[swarm.index_of(id).expect("alive")])
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn a_pile_spreads_until_overlaps_are_small() {
    let world = world();
    let mut swarm = swarm_of(disc(), 8);
    swarm
        .spawn(&world, &[Vec2::splat(32.0); 200], 0, 0)
        .expect("inside");
    for _ in 0..1_200 {
        swarm.step(&world, DT).expect("valid");
    }
    let at = swarm.positions();
    let mut worst = f32::INFINITY;
    for one in 0..at.len() {
        for other in 0..one {
            worst = worst.min(at[one].distance(at[other]));
        }
    }
    assert!(
        worst > 0.8,
        "two are still {worst} apart, their radii sum to 1"
    );
}

#[test]
fn smoothing_moves_the_position_by_a_share_of_its_way() {
    // System A moves a unit to lerp(old, old + velocity * dt, 0.8) and keeps the velocity.
    let world = world();
    let kind = AgentType {
        position_smoothing: 0.8,
        ..disc()
    };
    let mut swarm = swarm_of(kind, 1);
    let ids = swarm
        .spawn(&world, &[Vec2::splat(9.0)], 0, 0)
        .expect("inside");
    let velocity = Vec2::new(3.0, -2.0);
    swarm.set_state(&ids, AgentState::Scripted).expect("alive");
    swarm
        .set_scripted_velocities(&ids, &[velocity])
        .expect("alive");
    let mut expected = Vec2::splat(9.0);
    for _ in 0..60 {
        expected = expected.lerp(expected + velocity * DT, 0.8);
        swarm.step(&world, DT).expect("valid");
        assert!(swarm.positions()[0].distance(expected) < 1.0e-4);
        assert_eq!(swarm.velocities()[0], velocity);
    }
}

/// A crowd that walks to a goal, checked in every step.
fn watch_limits(kind: AgentType, dt: f32) {
    let mut world = world();
    let goal = world.create_goal(&[Vec2::new(60.5, 50.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = swarm_of(kind, 2);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let mut random = SplitMix64::new(3);
    let positions: Vec<Vec2> = (0..150)
        .map(|_| Vec2::new(random.unit() as f32, random.unit() as f32) * 12.0 + 20.0)
        .collect();
    swarm.spawn(&world, &positions, 0, 0).expect("inside");
    for _ in 0..100 {
        let (at, velocities) = (swarm.positions().to_vec(), swarm.velocities().to_vec());
        swarm.step(&world, dt).expect("valid");
        for index in 0..at.len() {
            let velocity = swarm.velocities()[index];
            assert!(
                velocity.length() <= kind.max_speed * 1.0001,
                "speed {}",
                velocity.length()
            );
            let at_the_edge = swarm.positions()[index].min_element() < 1.0
                || swarm.positions()[index].max_element() > 63.0;
            if at_the_edge {
                // A wall may take away any amount of speed.
                continue;
            }
            let change = (velocity - velocities[index]).length();
            assert!(
                change <= kind.acceleration * dt * 1.001 + 1.0e-4,
                "change {change} in {dt} s"
            );
            let way = swarm.positions()[index].distance(at[index]);
            assert!(way <= kind.max_speed * dt * 1.001 + 1.0e-4, "way {way}");
        }
    }
}

#[test]
fn speed_and_acceleration_stay_within_the_type() {
    for acceleration in [2.0, 16.0, 1.0e5] {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 0.2] {
            watch_limits(
                AgentType {
                    acceleration,
                    ..disc()
                },
                dt,
            );
        }
    }
}

#[test]
fn the_velocity_moves_towards_what_is_wanted() {
    let mut world = world();
    let goal = world.create_goal(&[Vec2::new(60.5, 20.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = swarm_of(disc(), 2);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    swarm
        .spawn(&world, &[Vec2::new(5.5, 20.5)], 0, 0)
        .expect("inside");
    let mut speed = 0.0_f32;
    for _ in 0..30 {
        swarm.step(&world, DT).expect("valid");
        speed = (speed + 16.0 * DT).min(4.0);
        assert!(swarm.velocities()[0].distance(Vec2::new(speed, 0.0)) < 1.0e-3);
    }
    assert!(
        (speed - 4.0).abs() < 1.0e-6,
        "at full speed after a quarter of a second"
    );
}

#[test]
fn an_impulse_decays_at_the_agents_own_acceleration() {
    let world = world();
    let mut swarm = swarm_of(disc(), 2);
    let ids = swarm
        .spawn(&world, &[Vec2::splat(9.0)], 0, 0)
        .expect("inside");
    swarm
        .apply_impulse(&ids, Vec2::new(10.0, 0.0))
        .expect("alive");
    let mut speed = 10.0_f32;
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
        speed = (speed - 16.0 * DT).max(0.0);
        assert!(
            (swarm.velocities()[0].x - speed).abs() < 1.0e-3,
            "above the limit, and slowing"
        );
    }
    assert_eq!(swarm.velocities(), [Vec2::ZERO]);
    let expected = 9.0 + 10.0 * 10.0 / (2.0 * 16.0);
    assert!(
        (swarm.positions()[0].x - expected).abs() < 0.1,
        "v²/2a: {}",
        swarm.positions()[0]
    );
}

#[test]
fn a_radial_impulse_pushes_away_and_fades() {
    let world = world();
    let mut swarm = swarm_of(disc(), 2);
    let center = Vec2::splat(30.0);
    let offsets = [
        Vec2::new(1.0, 0.0),
        Vec2::new(0.0, -2.0),
        Vec2::new(3.9, 0.0),
        Vec2::new(4.1, 0.0),
        Vec2::ZERO,
    ];
    let positions = offsets.map(|offset| center + offset);
    swarm.spawn(&world, &positions, 0, 0).expect("inside");
    assert_eq!(swarm.apply_radial_impulse(&world, center, 4.0, 8.0), Ok(4));
    let velocities = swarm.velocities();
    assert!(velocities[0].distance(Vec2::new(6.0, 0.0)) < 1.0e-4);
    assert!(velocities[1].distance(Vec2::new(0.0, -4.0)) < 1.0e-4);
    assert!((velocities[2].x - 0.2).abs() < 1.0e-4);
    assert_eq!(velocities[3], Vec2::ZERO);
    assert!(
        (velocities[4].length() - 8.0).abs() < 1.0e-3,
        "somewhere, but with full strength"
    );
    assert_eq!(
        swarm.apply_radial_impulse(&world, center + Vec2::X, 0.5, -3.0),
        Ok(1)
    );
}

#[test]
fn idle_agents_stand_and_can_be_pushed() {
    let mut world = world();
    let goal = world.create_goal(&[Vec2::new(60.5, 20.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = swarm_of(disc(), 2);
    let settings = Settings {
        arrival: ArrivalAction::KeepGoing,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let ids = swarm
        .spawn(&world, &[Vec2::new(9.0, 20.5), Vec2::new(12.0, 20.4)], 0, 0)
        .expect("inside");
    swarm.set_state(&ids[1..], AgentState::Idle).expect("alive");
    for _ in 0..30 {
        swarm.step(&world, DT).expect("valid");
    }
    assert_eq!(
        swarm.positions()[1],
        Vec2::new(12.0, 20.4),
        "no agent has come near"
    );
    for _ in 0..120 {
        swarm.step(&world, DT).expect("valid");
    }
    assert_ne!(swarm.positions()[1], Vec2::new(12.0, 20.4), "pushed aside");
    assert!(swarm.positions()[0].x > 13.0, "and passed");
    swarm
        .set_state(&ids[1..], AgentState::Following)
        .expect("alive");
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(swarm.velocities()[1].x > 3.0, "on its way");
}
