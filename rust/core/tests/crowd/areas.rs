//! Areas know the agents inside them, and force fields move the agents inside them.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, AreaId, ArrivalAction, Force, ForceKind, Pose, Settings, Shape,
    Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn world() -> FlowWorld {
    world_of(&open(64, 64), Workers::serial())
}

fn disc() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: 4.0,
        acceleration: 10.0,
        ..AgentType::default()
    }
}

fn swarm_of(kinds: &[AgentType]) -> Swarm {
    let mut swarm = Swarm::new(1);
    swarm.set_types(kinds).expect("valid");
    swarm
}

fn at(x: f32, y: f32) -> Pose {
    Pose::at(Vec2::new(x, y)).expect("valid")
}

fn force(kind: ForceKind, strength: f32) -> Force {
    Force { kind, strength }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Compares with a test of all agents in every step, while agents enter, leave and are removed.
    #[test]
    fn areas_hold_whose_centres_are_inside(seed in 0_u64..1_000_000) {
        let mut world = world();
        let goal = world.create_goal(&[Vec2::splat(32.5)]).expect("inside");
        world.require(goal, 0).expect("known");
        let mut swarm = swarm_of(&[disc()]);
        let settings = Settings { arrival: ArrivalAction::Despawn, ..Settings::default() };
        swarm.set_settings(settings).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let mut random = SplitMix64::new(seed);
        let mut place = || Vec2::new(random.unit() as f32, random.unit() as f32) * 63.0;
        let starts: Vec<Vec2> = (0..300).map(|_| place()).collect();
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        let mut zones: Vec<(AreaId, Vec2, f32, Vec<AgentId>)> = (0..6)
            .map(|number| {
                let (center, size) = (place(), 1.0 + 0.2 * place().x);
                let shape = match number % 2 {
                    0 => Shape::Disc(size),
                    _ => Shape::Box(Vec2::splat(size)),
                };
                let pose = Pose::at(center).expect("valid");
                (swarm.add_area(shape, pose).expect("valid"), center, size, Vec::new())
            })
            .collect();
        for tick in 0..60 {
            let center = place();
            zones[tick % 6].1 = center;
            let pose = Pose::at(center).expect("valid");
            swarm.move_area(zones[tick % 6].0, pose).expect("there");
            if tick % 10 == 9 {
                let gone = [swarm.ids()[0], swarm.ids()[5]];
                swarm.despawn(&gone);
            }
            swarm.step(&world, DT).expect("valid");
            let (mut came, mut left) = (Vec::new(), Vec::new());
            for (number, (id, center, size, before)) in zones.iter_mut().enumerate() {
                let found = swarm.area_agents(*id).expect("there");
                for (&agent, &at) in swarm.ids().iter().zip(swarm.positions()) {
                    let away = (at - *center).as_dvec2();
                    let distance = match number % 2 {
                        0 => away.length(),
                        _ => away.abs().max_element(),
                    };
                    let inside = f64::from(*size) - distance;
                    if inside.abs() > 1.0e-4 {
                        prop_assert_eq!(found.contains(&agent), inside > 0.0, "{} inside", inside);
                    }
                }
                prop_assert!(found.iter().all(|&agent| swarm.contains(agent)));
                let new = found.iter().filter(|agent| !before.contains(agent));
                came.extend(new.map(|&agent| (*id, agent)));
                let gone = before.iter().filter(|agent| !found.contains(agent));
                left.extend(gone.filter(|&&agent| swarm.contains(agent)).map(|&agent| (*id, agent)));
                *before = found;
            }
            prop_assert_eq!(&swarm.events().entered, &came);
            prop_assert_eq!(&swarm.events().exited, &left);
        }
    }

    /// Compares the effect of a field on an agent that cannot resist with the definition.
    #[test]
    fn a_field_accelerates_by_its_strength(
        away in (-6.0_f32..6.0, -6.0_f32..6.0),
        strength in -500.0_f32..500.0,
        mass in 0.2_f32..20.0,
        number in 0_usize..3,
    ) {
        let world = world();
        let limp = AgentType { acceleration: 1.0e-6, mass, ..disc() };
        let mut swarm = swarm_of(&[limp]);
        let away = Vec2::new(away.0, away.1);
        let center = Vec2::splat(32.0);
        let ids = swarm.spawn(&world, &[center + away], 0, 0).expect("inside");
        swarm.set_state(&ids, AgentState::Idle).expect("alive");
        let kind = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex][number];
        swarm.add_force_field(center, 5.0, force(kind, strength)).expect("valid");
        swarm.step(&world, DT).expect("valid");
        let distance = away.length();
        prop_assume!(distance > 0.01);
        let outwards = away / distance;
        let direction = [-outwards, outwards, Vec2::new(-outwards.y, outwards.x)][number];
        let expected = direction * (strength * (1.0 - distance / 5.0).max(0.0) * DT / mass);
        let found = swarm.velocities()[0];
        prop_assert!(found.distance(expected) <= 1.0e-3 * (1.0 + expected.length()), "{found}, not {expected}");
    }
}

/// A crowd that tries to stay where it is, after some seconds in fields.
fn after(fields: &[Force], seconds: f32) -> (Vec<Vec2>, Swarm) {
    let world = world();
    let mut swarm = swarm_of(&[disc()]);
    let starts: Vec<Vec2> = (0..100_u8)
        .map(|index| Vec2::new(27.0 + f32::from(index % 10), 27.0 + f32::from(index / 10)))
        .collect();
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    for &field in fields {
        swarm
            .add_force_field(Vec2::splat(31.5), 12.0, field)
            .expect("valid");
    }
    for _ in 0..(seconds / DT) as u32 {
        swarm.step(&world, DT).expect("valid");
    }
    (starts, swarm)
}

fn mean_distance(places: &[Vec2]) -> f32 {
    let center = Vec2::splat(31.5);
    places.iter().map(|at| at.distance(center)).sum::<f32>() / places.len() as f32
}

#[test]
fn pull_gathers_push_scatters_and_a_whirl_turns() {
    let (starts, pulled) = after(&[force(ForceKind::Pull, 60.0)], 2.0);
    assert!(mean_distance(pulled.positions()) < 0.8 * mean_distance(&starts));
    let (_, pushed) = after(&[force(ForceKind::Push, 60.0)], 2.0);
    assert!(mean_distance(pushed.positions()) > 1.4 * mean_distance(&starts));
    // A whirlwind: agents are drawn in and spun.
    let whirl = [force(ForceKind::Pull, 60.0), force(ForceKind::Vortex, 25.0)];
    let (_, whirled) = after(&whirl, 2.0);
    let distance = mean_distance(whirled.positions());
    assert!(
        distance < 8.0,
        "held in the whirl, {distance} from its centre"
    );
    let places = whirled.positions().iter().zip(whirled.velocities());
    let spin: f32 = places
        .map(|(&at, &velocity)| (at - 31.5).normalize_or_zero().perp_dot(velocity))
        .sum();
    assert!(spin / 100.0 > 0.5, "they circle at {}", spin / 100.0);
    let (_, back) = after(&[force(ForceKind::Vortex, -60.0)], 1.0);
    let places = back.positions().iter().zip(back.velocities());
    let spin: f32 = places
        .map(|(&at, &velocity)| (at - 31.5).perp_dot(velocity))
        .sum();
    assert!(spin < 0.0, "the other way");
}

#[test]
fn agents_resist_weak_fields_and_heavy_ones_strong_fields() {
    let (starts, held) = after(&[force(ForceKind::Pull, 9.0)], 2.0);
    assert_eq!(
        held.positions(),
        starts,
        "weaker than their own acceleration"
    );
    let world = world();
    let heavy = AgentType {
        mass: 10.0,
        ..disc()
    };
    let mut swarm = swarm_of(&[disc(), heavy]);
    let start = Vec2::new(28.0, 32.0);
    swarm.spawn(&world, &[start], 0, 0).expect("inside");
    swarm
        .spawn(&world, &[start + Vec2::new(0.0, 5.0)], 1, 0)
        .expect("inside");
    for y in [32.0, 37.0] {
        let center = Vec2::new(32.0, y);
        swarm
            .add_force_field(center, 8.0, force(ForceKind::Pull, 90.0))
            .expect("valid");
    }
    // Each agent is in reach of both fields; only the light one cannot keep its place.
    for _ in 0..30 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(swarm.positions()[0].x > 29.0);
    assert_eq!(swarm.positions()[1], start + Vec2::new(0.0, 5.0));
}

#[test]
fn scripted_agents_feel_nothing_and_removed_fields_do_nothing() {
    let world = world();
    let mut swarm = swarm_of(&[disc()]);
    let start = Vec2::new(30.0, 32.0);
    let ids = swarm.spawn(&world, &[start], 0, 0).expect("inside");
    let field = swarm
        .add_force_field(Vec2::splat(32.0), 8.0, force(ForceKind::Push, 1.0e6))
        .expect("valid");
    swarm.set_state(&ids, AgentState::Scripted).expect("alive");
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.positions(), [start]);
    assert_eq!(
        swarm.events().entered,
        [(field, ids[0])],
        "a field is an area"
    );
    swarm.remove_area(field).expect("there");
    swarm.set_state(&ids, AgentState::Idle).expect("alive");
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.positions(), [start]);
    assert!(
        swarm.events().exited.is_empty(),
        "no agent leaves what is gone"
    );
}

#[test]
fn stale_ids_and_bad_areas_are_refused() {
    let mut swarm = swarm_of(&[disc()]);
    let area = swarm
        .add_area(Shape::Disc(1.0), at(1.0, 1.0))
        .expect("valid");
    swarm.remove_area(area).expect("there");
    for stale in [area, AreaId(0), AreaId(i64::MIN)] {
        let unknown = Error::UnknownId {
            name: "area",
            id: stale.0,
        };
        assert_eq!(swarm.remove_area(stale), Err(unknown.clone()));
        assert_eq!(swarm.move_area(stale, at(0.0, 0.0)), Err(unknown.clone()));
        assert_eq!(swarm.area_pose(stale), Err(unknown.clone()));
        assert_eq!(swarm.area_agents(stale), Err(unknown));
    }
    for bad in [f32::NAN, f32::INFINITY, 1.1e6, -1.1e6] {
        let center = Vec2::ONE;
        let field = force(ForceKind::Push, bad);
        assert!(swarm.add_force_field(center, 1.0, field).is_err());
        let field = force(ForceKind::Push, 1.0);
        assert!(swarm.add_force_field(center, bad, field).is_err());
        if !bad.is_finite() {
            let center = Vec2::new(bad, 0.0);
            assert!(swarm.add_force_field(center, 1.0, field).is_err());
        }
    }
    assert!(swarm.add_area(Shape::Disc(0.0), at(0.0, 0.0)).is_err());
}
