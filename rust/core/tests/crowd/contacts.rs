//! Discs with contacts do not overlap, whatever the pressure, their masses and their start positions.

use crate::common::discs::{
    DT, RADIUS, assert_sound, crowd, deepest_overlap, disc, overlapping, walls_around,
};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Avoidance, Settings};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{SplitMix64, open};
use flow_swarm_bench::oracle::wall_depth;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Two overlapping agents both move along the line between them, each by its share of the masses, and end without
    /// overlap.
    #[test]
    fn two_that_overlap_part_by_their_masses(
        angle in 0.0_f32..std::f32::consts::TAU,
        depth in 0.02_f32..0.3,
        ratio in 0.01_f32..100.0,
    ) {
        let world = world_of(&open(64, 64), Workers::serial());
        let apart = Vec2::from_angle(angle) * (2.0 * RADIUS * (1.0 - depth));
        // Near the origin, where positions are finer than the displacement of a mass of 100.
        let starts = [Vec2::splat(2.0), Vec2::splat(2.0) + apart];
        let types = [disc(), AgentType { mass: ratio, ..disc() }];
        let mut swarm = crowd(&world, &types, &[(starts[0], 0), (starts[1], 1)]);
        swarm.step(&world, DT).expect("valid");
        let moved: Vec<Vec2> = (0..2).map(|index| swarm.positions()[index] - starts[index]).collect();
        prop_assert!(moved[0].dot(apart) <= 0.0 && moved[1].dot(apart) >= 0.0, "{moved:?}");
        let impulses = [moved[0], moved[1] * ratio];
        let sum = impulses[0] + impulses[1];
        prop_assert!(sum.length() < 0.02 * impulses[0].length().max(1.0e-4), "{impulses:?}");
        for _ in 0..30 {
            swarm.step(&world, DT).expect("valid");
        }
        prop_assert!(deepest_overlap(&swarm) < 0.01, "{}", deepest_overlap(&swarm));
    }

    /// Under any pressure in a closed room, no disc ends in the walls around it.
    #[test]
    fn pressure_pushes_no_agent_into_a_wall(
        seed in any::<u64>(),
        agents in 20_usize..120,
        speed in 1.0_f32..80.0,
        dt in prop::sample::select(vec![1.0 / 120.0, DT, 0.05, 0.25, 0.5]),
    ) {
        let map = walls_around(9, 8);
        let world = world_of(&map, Workers::serial());
        let kind = AgentType { max_speed: speed, acceleration: 8.0 * speed, ..disc() };
        let mut random = SplitMix64::new(seed);
        let mut place = || Vec2::new(
            1.3 + 6.4 * random.unit() as f32,
            1.3 + 5.4 * random.unit() as f32,
        );
        let starts: Vec<(Vec2, usize)> = (0..agents).map(|_| (place(), 0)).collect();
        let mut swarm = crowd(&world, &[kind], &starts);
        let ids = swarm.ids().to_vec();
        let corner = vec![Vec2::new(7.6, 6.6); agents];
        swarm.set_targets(&world, &ids, &corner).expect("inside");
        for step in 0..80 {
            swarm.step(&world, dt).expect("valid");
            for &at in swarm.positions() {
                let depth = wall_depth(&map, at, RADIUS);
                prop_assert!(depth <= 2.1e-3, "step {step}: {depth} deep at {at}");
            }
        }
        prop_assert!(swarm.events().quarantined.is_empty());
    }
}

/// The displacement of each of two overlapping agents in a step.
fn ways(types: [AgentType; 2]) -> [f32; 2] {
    let world = world_of(&open(32, 32), Workers::serial());
    let starts = [Vec2::splat(16.0), Vec2::new(16.0 + 1.5 * RADIUS, 16.0)];
    let mut swarm = crowd(&world, &types, &[(starts[0], 0), (starts[1], 1)]);
    swarm.step(&world, DT).expect("valid");
    [0, 1].map(|index| swarm.positions()[index].distance(starts[index]))
}

#[test]
fn only_agents_whose_mask_has_the_layer_of_the_other_move() {
    let sees = AgentType {
        collision_layer: 0b01,
        collision_mask: 0b10,
        ..disc()
    };
    let seen = AgentType {
        collision_layer: 0b10,
        collision_mask: 0,
        ..disc()
    };
    let [way, stays] = ways([sees, seen]);
    assert!(
        way > 0.1 * RADIUS,
        "the one that sees the other moves by {way}"
    );
    assert_eq!(stays, 0.0, "the other does not");
    let ghost = AgentType {
        collision_layer: 0,
        collision_mask: 0,
        ..disc()
    };
    assert_eq!(
        ways([ghost, disc()]),
        [0.0, 0.0],
        "ghosts and others pass through each other"
    );
    let [one, other] = ways([disc(), disc()]);
    assert!(one > 0.0 && one == other);
}

#[test]
fn agents_that_avoid_nothing_neither_push_nor_are_pushed() {
    let none = AgentType {
        avoidance: Avoidance::None,
        ..disc()
    };
    assert_eq!(ways([none, disc()]), [0.0, 0.0]);
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        let other = AgentType {
            avoidance,
            ..disc()
        };
        let [_, way] = ways([other, disc()]);
        assert!(way > 0.0, "{avoidance:?} is solid for contacts");
    }
}

#[test]
fn a_crowd_spawned_on_one_point_spreads() {
    const AGENTS: usize = 2_000;
    let map = walls_around(60, 60);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &[Vec2::splat(30.0); AGENTS], 0, 0)
        .expect("inside");
    for _ in 0..300 {
        swarm.step(&world, DT).expect("valid");
        assert!(swarm.positions().iter().all(|at| at.is_finite()));
    }
    assert!(deepest_overlap(&swarm) < 0.5, "{}", deepest_overlap(&swarm));
    assert_sound(&map, &swarm);
}

#[test]
fn ten_thousand_spawned_on_one_point_spread() {
    const AGENTS: usize = 10_000;
    let map = walls_around(60, 60);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &[Vec2::splat(30.0); AGENTS], 0, 0)
        .expect("inside");
    for seconds in 1..=10 {
        for _ in 0..60 {
            swarm.step(&world, DT).expect("valid");
        }
        assert_sound(&map, &swarm);
        if seconds == 5 {
            let deep = overlapping(&swarm, 0.4);
            assert!(deep < AGENTS / 100, "{deep} overlap deeply after 5 s");
        }
    }
    // No agents stay on one place.
    assert!(deepest_overlap(&swarm) < 0.8, "{}", deepest_overlap(&swarm));
    let deep = overlapping(&swarm, 0.4);
    assert!(deep < AGENTS / 1000, "{deep} overlap deeply");
}

#[test]
fn a_crowd_round_a_goal_packs_and_rests() {
    const AGENTS: usize = 600;
    let mut world = world_of(&open(64, 64), Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(32.5)]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let starts: Vec<(Vec2, usize)> = (0..AGENTS)
        .map(|index| {
            (
                Vec2::new((index % 25) as f32, (index / 25) as f32) * 2.4 + 2.0,
                0,
            )
        })
        .collect();
    let mut swarm = crowd(&world, &[disc()], &starts);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for _ in 0..30 * 60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(
        deepest_overlap(&swarm) < 0.05,
        "{}",
        deepest_overlap(&swarm)
    );
    // Inside the circle that they would fill at a density of 0.72, which is 0.8 of the densest packing.
    let reach = RADIUS * (AGENTS as f32 / 0.72).sqrt();
    let inside = swarm
        .positions()
        .iter()
        .filter(|at| at.distance(Vec2::splat(32.5)) <= reach);
    assert!(inside.count() > AGENTS * 9 / 10);
    let before = swarm.positions().to_vec();
    let ids = swarm.ids().to_vec();
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    let shifts: Vec<f32> = ids
        .iter()
        .zip(before)
        .map(|(&id, before)| {
            let index = swarm.index_of(id).expect("alive");
            swarm.positions()[index].distance(before)
        })
        .collect();
    let mean = shifts.iter().sum::<f32>() / AGENTS as f32;
    assert!(mean < 0.1 * RADIUS, "they move by {mean} in a second");
}

#[test]
fn giants_and_flung_agents_keep_their_room() {
    let giant = AgentType {
        radius: 8.0 * RADIUS,
        mass: 64.0,
        ..disc()
    };
    let world = world_of(&open(64, 64), Workers::serial());
    let mut starts: Vec<(Vec2, usize)> = (0..400)
        .map(|index| {
            (
                Vec2::new((index % 20) as f32, (index / 20) as f32) * 0.6 + 26.0,
                0,
            )
        })
        .collect();
    starts.push((Vec2::new(31.9, 31.8), 1));
    let mut swarm = crowd(&world, &[disc(), giant], &starts);
    for _ in 0..240 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.2, "{}", deepest_overlap(&swarm));
    let ids = swarm.ids().to_vec();
    // The agent moves farther in a step than its bucket is wide.
    swarm
        .apply_impulse(&ids[..1], Vec2::new(120.0, 0.0))
        .expect("alive");
    for _ in 0..240 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.2, "{}", deepest_overlap(&swarm));
}

#[test]
fn settings_do_not_take_walls_away_from_contacts_alone() {
    let map = walls_around(8, 8);
    let world = world_of(&map, Workers::serial());
    let starts = [(Vec2::new(1.3, 1.3), 0), (Vec2::new(1.5, 1.3), 0)];
    let mut swarm = crowd(&world, &[disc()], &starts);
    let settings = Settings {
        wall_correction: false,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(deepest_overlap(&swarm) < 0.01);
}
