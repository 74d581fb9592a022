//! The heavier of two agents is moved less, and equal masses make no difference.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Avoidance, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn world() -> FlowWorld {
    world_of(&open(64, 64), Workers::serial())
}

fn disc(mass: f32) -> AgentType {
    AgentType {
        radius: 0.5,
        max_speed: 4.0,
        acceleration: 1.0e4,
        // No push reaches the greatest speed.
        separation_weight: 0.5,
        avoidance: Avoidance::Separation,
        mass,
        ..AgentType::default()
    }
}

/// The displacement of each of two overlapping agents after a step.
fn parted(masses: [f32; 2], gap: Vec2) -> [f32; 2] {
    let world = world();
    let mut swarm = Swarm::new(1);
    swarm.set_types(&masses.map(disc)).expect("valid");
    let starts = [Vec2::splat(20.0), Vec2::splat(20.0) + gap];
    for (kind, start) in starts.iter().enumerate() {
        swarm
            .spawn(&world, &[*start], kind as i64, 0)
            .expect("inside");
    }
    swarm.step(&world, DT).expect("valid");
    [0, 1].map(|index| swarm.velocities()[index].length() * DT)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Conservation of momentum: displacement times mass is equal for both.
    #[test]
    fn momentum_is_shared(
        one in 0.05_f32..50.0,
        ratio in 0.1_f32..10.0,
        gap in (0.2_f32..0.6, 0.2_f32..0.6),
    ) {
        let masses = [one, one * ratio];
        let [first, second] = parted(masses, Vec2::new(gap.0, gap.1));
        let (left, right) = (first * masses[0], second * masses[1]);
        prop_assert!((left - right).abs() <= 1.0e-3 * left.max(right), "{left} and {right}");
        prop_assert!(first > 0.0 && second > 0.0);
        let [equal, _] = parted([one; 2], Vec2::new(gap.0, gap.1));
        prop_assert!((first + second - 2.0 * equal).abs() < 1.0e-3 * equal, "they part as fast");
    }

    /// Knocks are impulses: the change of velocity is the impulse divided by the mass.
    #[test]
    fn knocks_are_divided_by_the_mass(mass in 0.001_f32..1.0e6, strength in 0.1_f32..1.0e3) {
        let world = world();
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[disc(mass)]).expect("valid");
        let ids = swarm.spawn(&world, &[Vec2::splat(9.0); 2], 0, 0).expect("inside");
        swarm.apply_impulse(&ids[..1], Vec2::new(strength, 0.0)).expect("alive");
        let expected = (strength / mass).min(1.0e6);
        let found = swarm.velocities()[0].x;
        prop_assert!((found - expected).abs() <= 1.0e-5 * expected, "{found}");
        prop_assume!(strength / mass < 1.0e6);
        swarm.apply_radial_impulse(&world, Vec2::new(8.0, 9.0), 4.0, strength).expect("valid");
        let found = swarm.velocities()[1].x;
        prop_assert!((found - 0.75 * expected).abs() <= 1.0e-5 * expected, "{found}");
    }
}

/// Equal masses of any size lead to the same bits as masses of 1.
#[test]
fn equal_masses_make_no_difference() {
    let run = |mass: f32, avoidance| {
        let mut world = world();
        let goal = world.create_goal(&[Vec2::new(60.5, 32.5)]).expect("inside");
        world.require(goal, 0).expect("known");
        let mut swarm = Swarm::new(3);
        let kind = AgentType {
            acceleration: 16.0,
            avoidance,
            ..disc(mass)
        };
        swarm.set_types(&[kind; 3]).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        for row in 0..12_i16 {
            let starts: Vec<Vec2> = (0..12_i16)
                .map(|column| {
                    Vec2::new(20.0 + 0.7 * f32::from(column), 28.0 + 0.7 * f32::from(row))
                })
                .collect();
            swarm
                .spawn(&world, &starts, i64::from(row % 3), 0)
                .expect("inside");
        }
        for _ in 0..60 {
            swarm.step(&world, DT).expect("valid");
        }
        swarm.state_hash()
    };
    assert_eq!(
        run(1.0, Avoidance::Separation),
        run(37.5, Avoidance::Separation)
    );
    let plain = run(1.0, Avoidance::Orca);
    assert_eq!(plain, run(1.0, Avoidance::Orca));
    assert_ne!(plain, run(1.0, Avoidance::Separation));
}

/// An oversized agent among standing tanks. Returns its distance, and the mean displacement of the tanks.
fn giant_among_tanks(mass: f32, avoidance: Avoidance) -> (f32, f32) {
    let mut world = world();
    let goal = world.create_goal(&[Vec2::new(60.5, 32.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(3);
    let giant = AgentType {
        radius: 2.0,
        max_speed: 3.0,
        acceleration: 12.0,
        mass,
        avoidance,
        ..AgentType::default()
    };
    let tank = AgentType {
        radius: 0.5,
        max_speed: 4.0,
        mass: 1.0,
        ..giant
    };
    swarm.set_types(&[giant, tank]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let starts: Vec<Vec2> = (0..200_i16)
        .map(|index| {
            let (column, row) = (index % 10, index / 10);
            Vec2::new(
                20.0 + 1.05 * f32::from(column),
                22.0 + 1.05 * f32::from(row),
            )
        })
        .collect();
    let tanks = swarm.spawn(&world, &starts, 1, 1).expect("inside");
    let giant = swarm
        .spawn(&world, &[Vec2::new(15.0, 32.5)], 0, 0)
        .expect("inside")[0];
    for _ in 0..300 {
        swarm.step(&world, DT).expect("valid");
    }
    let at = |id| swarm.positions()[swarm.index_of(id).expect("alive")];
    let moved: f32 = tanks
        .iter()
        .zip(&starts)
        .map(|(&id, start)| at(id).distance(*start))
        .sum();
    (at(giant).x - 15.0, moved / starts.len() as f32)
}

#[test]
fn a_giant_pushes_tanks_and_they_do_not_push_it() {
    let [heaviest, heavy, light] =
        [1000.0, 100.0, 0.1].map(|mass| giant_among_tanks(mass, Avoidance::Separation));
    // Alone it would cover 15 - 0.375 units.
    assert!(heaviest.0 > 13.0, "the giant came {} far", heaviest.0);
    assert!(heavy.0 > 8.0, "a lighter one {}", heavy.0);
    assert!(light.0 < 0.6 * heavy.0, "a light one {}", light.0);
    assert!(heaviest.1 > 0.1, "the tanks made way by {}", heaviest.1);
}

#[test]
fn those_that_avoid_each_other_give_way_to_the_heavier() {
    // Two agents meet head-on on one line: which one leaves it, and by how much?
    let aside = |mass: f32| {
        let mut world = world();
        let mut swarm = Swarm::new(4);
        let kind = |mass| AgentType {
            acceleration: 16.0,
            avoidance: Avoidance::Orca,
            neighbour_radius: 8.0,
            ..disc(mass)
        };
        swarm.set_types(&[kind(mass), kind(1.0)]).expect("valid");
        let starts = [Vec2::new(20.0, 32.5), Vec2::new(40.0, 32.5)];
        for (index, start) in starts.iter().enumerate() {
            let target = starts[1 - index];
            let goal = world.create_goal(&[target]).expect("inside");
            world.require(goal, 0).expect("known");
            let group = index as i64;
            swarm.set_group_goal(group, Some(goal)).expect("a group");
            swarm
                .spawn(&world, &[*start], group, group)
                .expect("inside");
        }
        let mut most = [0.0_f32; 2];
        for _ in 0..200 {
            swarm.step(&world, DT).expect("valid");
            for (most, at) in most.iter_mut().zip(swarm.positions()) {
                *most = most.max((at.y - 32.5).abs());
            }
        }
        most
    };
    let [heavy, light] = aside(50.0);
    assert!(
        heavy < 0.3 * light,
        "the heavy one {heavy}, the light one {light}"
    );
    let [light, heavy] = aside(0.02);
    assert!(
        heavy < 0.3 * light,
        "the heavy one {heavy}, the light one {light}"
    );
}
