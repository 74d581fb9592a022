//! Agents with contacts or separation pass each other when they meet in any arrangement, and a crowd around one place
//! stays calm.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, WALL, open};
use proptest::prelude::*;
use std::f32::consts::TAU;

const SIDE: f32 = 64.0;
const MIDDLE: Vec2 = Vec2::splat(0.5 * SIDE);
const RADIUS: f32 = 0.5;
const SPEED: f32 = 4.0;
const DT: f32 = 1.0 / 60.0;

const AVOIDANCES: [Avoidance; 2] = [Avoidance::Contact, Avoidance::Separation];

fn disc(avoidance: Avoidance) -> AgentType {
    AgentType {
        avoidance,
        radius: RADIUS,
        max_speed: SPEED,
        acceleration: 4.0 * SPEED,
        ..AgentType::default()
    }
}

fn world() -> FlowWorld {
    world_of(&open(SIDE as usize, SIDE as usize), Workers::serial())
}

/// The duration, in seconds, of the intervals in which no agent gives way.
const PAUSE: f32 = 64.0 * DT;

/// Agents that walk straight to their own targets.
fn swarm_of(world: &FlowWorld, kind: AgentType, ways: &[(Vec2, Vec2)]) -> Swarm {
    let (starts, targets): (Vec<Vec2>, Vec<Vec2>) = ways.iter().copied().unzip();
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[kind]).expect("valid");
    let ids = swarm.spawn(world, &starts, 0, 0).expect("inside");
    swarm.set_targets(world, &ids, &targets).expect("inside");
    swarm
}

/// The seconds until all agents have arrived; `None` if that takes longer than `most`.
fn seconds_to_arrive(world: &FlowWorld, swarm: &mut Swarm, most: f32) -> Option<f32> {
    let agents = swarm.len() as u64;
    (1..=(most / DT) as u32).find_map(|step| {
        swarm.step(world, DT).expect("valid");
        (swarm.stats().arrived == agents).then_some(step as f32 * DT)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The hardest case: the two agents are symmetric.
    #[test]
    fn two_agents_that_meet_exactly_head_on_pass(
        angle in 0.0..TAU,
        half in 1.0_f32..12.0,
        speed in 0.5_f32..10.0,
        agility in 1.0_f32..20.0,
        avoidance in prop::sample::select(&AVOIDANCES[..]),
    ) {
        let world = world();
        let kind = AgentType { max_speed: speed, acceleration: agility * speed, ..disc(avoidance) };
        let ahead = Vec2::from_angle(angle) * half;
        let ways = [(MIDDLE - ahead, MIDDLE + ahead), (MIDDLE + ahead, MIDDLE - ahead)];
        let mut swarm = swarm_of(&world, kind, &ways);
        // The length of the path, the time for acceleration, and a few agent widths.
        let most = (2.0 * half + 12.0 * RADIUS) / speed + 4.0 / agility + PAUSE;
        prop_assert!(seconds_to_arrive(&world, &mut swarm, most).is_some(), "{:?}", swarm.positions());
    }

    /// Two paths that cross at any angle; both agents reach the crossing at the same time.
    #[test]
    fn two_agents_that_cross_pass(
        one in 0.0..TAU,
        between in 0.2_f32..TAU - 0.2,
        half in 2.0_f32..12.0,
        avoidance in prop::sample::select(&AVOIDANCES[..]),
    ) {
        let world = world();
        let [one, other] = [one, one + between].map(|angle| Vec2::from_angle(angle) * half);
        let mut swarm = swarm_of(&world, disc(avoidance), &[(MIDDLE - one, MIDDLE + one), (MIDDLE - other, MIDDLE + other)]);
        let most = (2.0 * half + 12.0 * RADIUS) / SPEED + 1.0 + PAUSE;
        prop_assert!(seconds_to_arrive(&world, &mut swarm, most).is_some(), "{:?}", swarm.positions());
    }
}

#[test]
fn a_ring_changes_places_across_its_middle() {
    let world = world();
    for (count, avoidance) in (2..=40).flat_map(|count| AVOIDANCES.map(|way| (count, way))) {
        let half = (0.4 * count as f32).max(4.0);
        let ways: Vec<(Vec2, Vec2)> = (0..count)
            .map(|index| Vec2::from_angle(TAU * index as f32 / count as f32) * half)
            .map(|at| (MIDDLE + at, MIDDLE - at))
            .collect();
        let mut swarm = swarm_of(&world, disc(avoidance), &ways);
        let most = 10.0 + count as f32;
        let seconds = seconds_to_arrive(&world, &mut swarm, most);
        assert!(
            seconds.is_some(),
            "{count} agents, {avoidance:?}: {:?}",
            swarm.stats()
        );
    }
}

#[test]
fn ranks_that_meet_exactly_face_to_face_change_places() {
    let world = world();
    for rows in 1..=7 {
        // At 1.2 to 1.4 no agent fits between two that stand, so they make way.
        for spacing in [1.2, 1.3, 1.4, 1.5, 2.0] {
            let mut ways = Vec::new();
            for number in 0..rows * 6 {
                let (row, rank) = ((number % rows) as f32, (number / rows) as f32);
                let at = Vec2::new(
                    5.0 + rank * spacing,
                    (row - 0.5 * (rows - 1) as f32) * spacing,
                );
                let (left, right) = (MIDDLE - at, MIDDLE + Vec2::new(at.x, -at.y));
                ways.extend([(left, right), (right, left)]);
            }
            for avoidance in AVOIDANCES {
                let mut swarm = swarm_of(&world, disc(avoidance), &ways);
                let seconds = seconds_to_arrive(&world, &mut swarm, 60.0);
                assert!(
                    seconds.is_some(),
                    "{rows} rows, {spacing} apart, {avoidance:?}: {:?}",
                    swarm.stats()
                );
            }
        }
    }
}

/// All agents push towards one point permanently. If each push were turned, the crowd would whirl around the point at
/// most of its speed.
#[test]
fn a_crowd_that_presses_around_one_place_does_not_whirl() {
    let mut world = world();
    let goal = world.create_goal(&[MIDDLE]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let crowds = [2_u16, 3, 60, 300];
    for (count, avoidance) in crowds
        .into_iter()
        .flat_map(|count| AVOIDANCES.map(|way| (count, way)))
    {
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[disc(avoidance)]).expect("valid");
        let settings = Settings {
            arrival: ArrivalAction::KeepGoing,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let starts: Vec<Vec2> = (0..count)
            .map(|index| Vec2::new(f32::from(index % 20), f32::from(index / 20)) * 1.1)
            .map(|at| Vec2::new(5.0, 24.0) + at)
            .collect();
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        let mut run = |seconds: f32| {
            for _ in 0..(seconds / DT) as u32 {
                swarm.step(&world, DT).expect("valid");
            }
            swarm.positions().to_vec()
        };
        let before = run(40.0);
        let after = run(5.0);
        let moved: f32 = before
            .iter()
            .zip(&after)
            .map(|(one, other)| one.distance(*other))
            .sum();
        let mean = moved / f32::from(count);
        assert!(
            mean < RADIUS,
            "{count} agents, {avoidance:?}, have moved by {mean} on average"
        );
    }
}

/// A wall across the map at a column, with a door three cells wide that begins at a row.
fn wall_with_door(column: usize, door: usize) -> CostMap {
    let mut map = open(77, 80);
    for row in (0..80).filter(|row| !(door..door + 3).contains(row)) {
        let cell = map.index(column, row);
        map.cost[cell] = WALL;
    }
    map
}

/// Long lines of sight are off by part of a cell, also through the corners of doors, where discs once got stuck.
#[test]
fn a_disc_alone_gets_past_every_corner() {
    for door in [8, 28, 48, 68] {
        let mut world = world_of(&wall_with_door(53, door), Workers::serial());
        for target in [
            Vec2::new(73.5, 40.5),
            Vec2::new(60.5, 75.5),
            Vec2::new(76.5, 2.5),
        ] {
            let goal = world.create_goal(&[target]).expect("inside");
            world.require(goal, 0).expect("known");
            world.update();
            let mut swarm = Swarm::new(1);
            swarm
                .set_types(&[disc(Avoidance::Separation)])
                .expect("valid");
            let settings = Settings {
                // Each agent walks alone, so no other one pushes it past a corner.
                separation: false,
                arrival: ArrivalAction::Despawn,
                ..Settings::default()
            };
            swarm.set_settings(settings).expect("valid");
            swarm.set_group_goal(0, Some(goal)).expect("a group");
            let starts: Vec<Vec2> = (0..2 * 77)
                .map(|index| {
                    Vec2::new(
                        52.4 - 0.3 * (index / 77) as f32,
                        1.0 + index as f32 % 77.0 + 0.017 * index as f32 % 0.9,
                    )
                })
                .collect();
            swarm.spawn(&world, &starts, 0, 0).expect("inside");
            let seconds = seconds_to_arrive(&world, &mut swarm, 60.0);
            assert!(
                seconds.is_some(),
                "door {door} to {target}: {:?}",
                swarm.positions()
            );
        }
    }
}
