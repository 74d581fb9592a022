//! Oversized agents: agents of very different sizes detect and touch each other, whatever the size of buckets.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentState, AgentType, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

const DT: f32 = 0.05;
/// Width of the map, in cells of 1 unit.
const SIZE: f32 = 60.0;

fn world(threads: usize) -> FlowWorld {
    world_of(
        &open(SIZE as usize, SIZE as usize),
        Workers::new(threads).expect("threads"),
    )
}

fn avoider(radius: f32) -> AgentType {
    AgentType {
        radius,
        max_speed: 3.0,
        acceleration: 20.0,
        avoidance: Avoidance::Orca,
        neighbour_radius: 5.0,
        ..AgentType::default()
    }
}

/// The greatest depth of an agent of the first type in one of the second, in world units.
fn depth(swarm: &Swarm) -> f32 {
    let places = |kind: u8| {
        let all = swarm.positions().iter().zip(swarm.kinds());
        all.filter(move |(_, of)| **of == kind)
            .map(|(place, _)| *place)
    };
    let touching = swarm.types()[0].radius + swarm.types()[1].radius;
    let pairs = places(0).flat_map(|one| places(1).map(move |other| one.distance(other)));
    pairs.fold(0.0, |deepest, distance| deepest.max(touching - distance))
}

/// The greatest depth of an agent in an oversized one that walks through `count` times `count` agents with a spacing of
/// `spacing`. Most have more than ten regular neighbours nearer than the oversized agent's centre ever comes.
fn walk_through(count: usize, spacing: f32) -> f32 {
    let world = world(1);
    let mut swarm = Swarm::new(3);
    let kinds = [avoider(0.3), avoider(5.0)];
    swarm.set_types(&kinds).expect("valid");
    let crowd: Vec<Vec2> = (0..count * count)
        .map(|index| {
            let place = Vec2::new((index % count) as f32, (index / count) as f32);
            Vec2::new(22.0, 30.0 - 0.5 * spacing * count as f32) + spacing * place
        })
        .collect();
    swarm.spawn(&world, &crowd, 0, 0).expect("inside");
    let giant = swarm
        .spawn(&world, &[Vec2::new(10.0, 30.2)], 1, 0)
        .expect("inside");
    swarm
        .set_state(&giant, AgentState::Scripted)
        .expect("known");
    swarm
        .set_scripted_velocities(&giant, &[Vec2::new(1.0, 0.0)])
        .expect("known");
    let mut deepest = 0.0_f32;
    for _ in 0..(38.0 / DT) as usize {
        swarm.step(&world, DT).expect("valid");
        deepest = deepest.max(depth(&swarm));
    }
    deepest
}

#[test]
fn a_crowd_makes_way_for_a_giant() {
    for (count, spacing) in [(4, 1.5), (8, 2.2)] {
        let deepest = walk_through(count, spacing);
        assert!(
            deepest < 0.03,
            "{deepest} deep in the giant, {count} in a row"
        );
    }
}

/// The share of the sum of two radii below which agents are pushed in a random direction.
const COINCIDENT: f64 = 1.0e-3;

/// The velocity to which an agent is pushed: a known vector, plus a length in random directions.
#[derive(Debug, Default)]
struct Push {
    x: f64,
    y: f64,
    anywhere: f64,
}

/// The velocities from the pushes of all pairs, in double precision.
fn pushes(places: &[(Vec2, usize)], kinds: &[AgentType]) -> Vec<Push> {
    let velocity = |(number, &(own, kind)): (usize, &(Vec2, usize))| {
        let kind = &kinds[kind];
        let mut push = Push::default();
        for (_, &(other, other_kind)) in places.iter().enumerate().filter(|it| it.0 != number) {
            let other_kind = &kinds[other_kind];
            let (x, y) = (
                f64::from(own.x) - f64::from(other.x),
                f64::from(own.y) - f64::from(other.y),
            );
            let distance = x.hypot(y);
            let touching = f64::from(kind.radius) + f64::from(other_kind.radius);
            if distance >= touching {
                continue;
            }
            let share = 2.0 * f64::from(other_kind.mass)
                / (f64::from(kind.mass) + f64::from(other_kind.mass));
            let strength = (touching - distance) / touching
                * f64::from(kind.max_speed.max(other_kind.max_speed))
                * f64::from(kind.separation_weight)
                * share;
            if distance < COINCIDENT * touching {
                push.anywhere += strength;
            } else {
                push.x += x / distance * strength;
                push.y += y / distance * strength;
            }
        }
        push
    };
    places.iter().enumerate().map(velocity).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Compares with all pairs: crowds of one size, of slightly different sizes, and with some oversized agents.
    #[test]
    fn overlapping_agents_are_pushed(
        places in prop::collection::vec((0.5_f32..59.5, 0.5_f32..59.5, 0_u32..40), 2..1400),
        cramped in 0.3_f32..1.0,
        radii in (0.05_f32..0.4, 0.05_f32..0.5, 1.0_f32..9.0),
        masses in (0.5_f32..2.0, 0.5_f32..8.0),
        has_giants in any::<bool>(),
        far_every in 1_u32..3,
        threads in 1_usize..4,
    ) {
        let kind = |radius: f32, mass: f32| AgentType {
            radius,
            mass,
            max_speed: 1000.0,
            acceleration: 1.0e9,
            separation_weight: 0.01,
            avoidance: Avoidance::Separation,
            ..AgentType::default()
        };
        let kinds = [kind(radii.0, 1.0), kind(radii.1, masses.0), kind(radii.2, masses.1)];
        let places: Vec<(Vec2, usize)> = places
            .into_iter()
            .map(|(x, y, kind)| {
                let kind = match kind {
                    0 if has_giants => 2,
                    1..=12 => 1,
                    _ => 0,
                };
                (Vec2::new(x, y) * cramped, kind)
            })
            .collect();
        let world = world(threads);
        let mut swarm = Swarm::new(1);
        swarm.set_types(&kinds).expect("valid");
        // No agents are far away, but the swarm has to test for them.
        swarm
            .set_settings(Settings {
                far_agents_every: far_every,
                focus: Some((Vec2::ZERO, Vec2::splat(SIZE))),
                wall_correction: false,
                ..Settings::default()
            })
            .expect("valid");
        let ids: Vec<_> = places
            .iter()
            .map(|&(at, kind)| swarm.spawn(&world, &[at], kind as i64, 0).expect("inside")[0])
            .collect();
        swarm.step(&world, 1.0e-3).expect("valid");
        for (id, expected) in ids.iter().zip(pushes(&places, &kinds)) {
            let found = swarm.velocities()[swarm.index_of(*id).expect("alive")];
            let error = (f64::from(found.x) - expected.x).hypot(f64::from(found.y) - expected.y);
            let size = expected.x.hypot(expected.y) + expected.anywhere;
            prop_assume!(size < 999.0);
            let most = 1.0e-3 + 1.0e-4 * size + expected.anywhere;
            prop_assert!(error <= most, "{found} and not {expected:?}");
        }
    }
}
