//! Agents stay out of solid bodies, and bodies know who touches them.

mod common;

use common::{wall_depth, world_of};
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, Avoidance, BodyId, Pose, Settings, Shape, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, SplitMix64, open};
use glam::DVec2;
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn world(threads: usize) -> FlowWorld {
    world_of(&open(64, 64), Workers::new(threads).expect("threads"))
}

fn disc() -> AgentType {
    AgentType {
        radius: 0.4,
        max_speed: 5.0,
        acceleration: 40.0,
        ..AgentType::default()
    }
}

/// A body as the test knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: BodyId,
    shape: Shape,
    at: Vec2,
    ahead: Vec2,
}

impl Known {
    fn add(swarm: &mut Swarm, shape: Shape, at: Vec2, ahead: Vec2, is_solid: bool) -> Self {
        let pose = Pose::turned(at, ahead).expect("valid");
        let id = swarm.add_body(shape, pose, is_solid).expect("valid");
        Self {
            id,
            shape,
            at,
            ahead,
        }
    }

    fn put(&mut self, swarm: &mut Swarm, at: Vec2, ahead: Vec2) {
        (self.at, self.ahead) = (at, ahead);
        let pose = Pose::turned(at, ahead).expect("valid");
        swarm.move_body(self.id, pose).expect("there");
    }

    /// How far a point is from the body, in `f64`; negative inside of it.
    fn distance(&self, point: Vec2) -> f64 {
        let away = (point - self.at).as_dvec2();
        match self.shape {
            Shape::Disc(radius) => away.length() - f64::from(radius),
            Shape::Box(half) => {
                let (half, ahead) = (half.as_dvec2(), self.ahead.as_dvec2().normalize());
                let turned = DVec2::new(ahead.dot(away), ahead.perp_dot(away));
                let nearest = turned.clamp(-half, half);
                if nearest == turned {
                    (turned.abs() - half).max_element()
                } else {
                    turned.distance(nearest)
                }
            }
        }
    }
}

fn unit(random: &mut SplitMix64) -> Vec2 {
    let any = Vec2::new(random.unit() as f32 - 0.5, random.unit() as f32 - 0.5);
    any.normalize_or(Vec2::X)
}

fn somewhere(random: &mut SplitMix64, low: f32, high: f32) -> Vec2 {
    Vec2::splat(low) + Vec2::new(random.unit() as f32, random.unit() as f32) * (high - low)
}

/// Nine bodies, far enough apart for any agent to stand between them.
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

/// A crowd of all sizes and speeds among bodies that move; `check` sees each step.
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
    fn nobody_ends_a_step_in_a_solid_body(seed in 0_u64..1_000_000) {
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

    /// Against looking at everybody, and the events against the contacts of the step before.
    #[test]
    fn contacts_are_those_that_touch(seed in 0_u64..1_000_000) {
        let mut before: Vec<Vec<AgentId>> = vec![Vec::new(); 9];
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
        });
        prop_assert!(before.iter().any(|found| !found.is_empty()), "somebody touches something");
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

fn alone(kind: AgentType, start: Vec2, goal: Vec2) -> (FlowWorld, Swarm) {
    let mut world = world(1);
    let goal = world.create_goal(&[goal]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    swarm.spawn(&world, &[start], 0, 0).expect("inside");
    (world, swarm)
}

#[test]
fn a_closed_door_holds_whoever_runs_against_it_however_fast() {
    for speed in [3.0, 40.0, 700.0] {
        for thickness in [0.02, 1.0] {
            let kind = AgentType {
                max_speed: speed,
                acceleration: 1.0e5,
                ..disc()
            };
            let (world, mut swarm) = alone(kind, Vec2::new(20.0, 32.5), Vec2::new(60.5, 32.5));
            let half = Vec2::new(0.5 * thickness, 50.0);
            let door = Known::add(
                &mut swarm,
                Shape::Box(half),
                Vec2::new(31.0, 32.0),
                Vec2::X,
                true,
            );
            for _ in 0..300 {
                swarm.step(&world, DT).expect("valid");
            }
            let at = swarm.positions()[0];
            let gap = f64::from(31.0 - 0.5 * thickness - 0.4) - f64::from(at.x);
            assert!(
                (-1.0e-3..0.1).contains(&gap),
                "speed {speed}: at {at}, {gap} from the door"
            );
            assert!(swarm.velocities()[0].length() < 0.02 * speed);
            assert_eq!(swarm.body_contacts(door.id), Ok(swarm.ids().to_vec()));
            swarm.remove_body(door.id).expect("there");
            for _ in 0..900 {
                swarm.step(&world, DT).expect("valid");
            }
            // At such speeds it runs past its goal and back.
            assert!(swarm.positions()[0].x > 40.0, "the door is open");
        }
    }
}

#[test]
fn agents_slide_round_a_disc_to_their_goal() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        let kind = AgentType {
            avoidance,
            ..disc()
        };
        let (world, mut swarm) = alone(kind, Vec2::new(20.0, 32.3), Vec2::new(50.5, 32.5));
        let tower = Known::add(
            &mut swarm,
            Shape::Disc(3.0),
            Vec2::new(33.0, 32.5),
            Vec2::X,
            true,
        );
        let mut nearest = f64::INFINITY;
        for _ in 0..900 {
            swarm.step(&world, DT).expect("valid");
            nearest = nearest.min(tower.distance(swarm.positions()[0]) - 0.4);
        }
        let at = swarm.positions()[0];
        assert!(at.x > 49.5, "{avoidance:?}: at {at}");
        assert!(nearest > -1.0e-3, "{avoidance:?}: {nearest}");
        if avoidance == Avoidance::Orca {
            // It sees the tower from afar and does not brush along it for long.
            assert!(swarm.tick() == 900 && nearest >= 0.0);
        }
    }
}

#[test]
fn who_avoids_others_makes_way_for_a_body_that_comes() {
    let touched = |avoidance| {
        let mut world = world(1);
        let goal = world.create_goal(&[Vec2::new(10.5, 32.5)]).expect("inside");
        world.require(goal, 0).expect("known");
        let mut swarm = Swarm::new(1);
        let kind = AgentType {
            avoidance,
            neighbour_radius: 8.0,
            ..disc()
        };
        swarm.set_types(&[kind]).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let starts = [Vec2::new(40.0, 32.3)];
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        let mut cart = Known::add(
            &mut swarm,
            Shape::Disc(1.0),
            Vec2::new(15.0, 32.5),
            Vec2::X,
            true,
        );
        let mut contacts = 0;
        for _ in 0..420 {
            let at = cart.at + Vec2::new(4.0 * DT, 0.0);
            cart.put(&mut swarm, at, Vec2::X);
            swarm.step(&world, DT).expect("valid");
            contacts += swarm.body_contacts(cart.id).expect("there").len();
        }
        contacts
    };
    let (blind, careful) = (touched(Avoidance::Separation), touched(Avoidance::Orca));
    assert!(blind >= 8, "for {blind} steps it is pushed along");
    assert!(careful * 2 <= blind, "for {careful} of {blind} steps");
}

#[test]
fn a_plough_moves_those_that_stand_and_leaves_them_standing() {
    let world = world(1);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[disc()]).expect("valid");
    let starts = [Vec2::new(20.0, 30.0), Vec2::new(22.0, 30.4)];
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    swarm.set_state(&ids, AgentState::Idle).expect("alive");
    let mut plough = Known::add(
        &mut swarm,
        Shape::Box(Vec2::new(0.3, 3.0)),
        Vec2::new(18.0, 30.0),
        Vec2::X,
        true,
    );
    for _ in 0..120 {
        let at = plough.at + Vec2::new(0.1, 0.0);
        plough.put(&mut swarm, at, Vec2::X);
        swarm.step(&world, DT).expect("valid");
    }
    for &at in swarm.positions() {
        assert!(at.x >= 30.0 + 0.3 + 0.4 - 1.0e-2, "carried along to {at}");
    }
    let kept = swarm.positions().to_vec();
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    for (&at, kept) in swarm.positions().iter().zip(kept) {
        assert!(at.distance(kept) < 0.5, "from {kept} to {at}");
    }
}

#[test]
fn walls_have_the_last_word() {
    let map = CostMap::from_rows(&[
        "########", "#......#", "#......#", "#..##..#", "#......#", "########",
    ]);
    let world = world_of(&map, Workers::serial());
    let mut random = SplitMix64::new(3);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[disc()]).expect("valid");
    let starts = [[1.5, 1.5], [6.5, 1.5], [1.5, 4.5], [4.5, 4.5], [2.5, 2.5]].map(Vec2::from);
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let mut press = Known::add(
        &mut swarm,
        Shape::Disc(2.5),
        Vec2::new(4.0, 3.0),
        Vec2::X,
        true,
    );
    let mut was_pressed = false;
    for _ in 0..400 {
        let at = (press.at + 0.5 * unit(&mut random)).clamp(Vec2::ZERO, Vec2::new(8.0, 6.0));
        press.put(&mut swarm, at, Vec2::X);
        swarm.step(&world, DT).expect("valid");
        for &at in swarm.positions() {
            let depth = wall_depth(&map, at, 0.4);
            assert!(depth <= 2.1e-3, "{depth} deep at {at}");
            was_pressed |= press.distance(at) < 0.2;
        }
    }
    assert!(was_pressed, "some had no room but in the press");
}

#[test]
fn a_body_that_is_not_solid_moves_nobody() {
    let world = world(1);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[disc()]).expect("valid");
    let starts = [Vec2::splat(20.0), Vec2::splat(25.0)];
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let aura = Known::add(
        &mut swarm,
        Shape::Disc(2.0),
        Vec2::splat(19.5),
        Vec2::X,
        false,
    );
    assert_eq!(
        swarm.body_contacts(aura.id),
        Ok(Vec::new()),
        "before its first step"
    );
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.positions(), starts);
    assert_eq!(swarm.events().contacted, [(aura.id, ids[0])]);
    swarm.step(&world, DT).expect("valid");
    assert!(swarm.events().contacted.is_empty(), "told once");
    assert_eq!(swarm.body_contacts(aura.id), Ok(vec![ids[0]]));
    swarm.despawn(&ids[..1]);
    assert_eq!(
        swarm.body_contacts(aura.id),
        Ok(Vec::new()),
        "the dead touch nothing"
    );
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

#[test]
fn stale_ids_and_bad_bodies_are_refused() {
    let mut swarm = Swarm::new(1);
    let pose = Pose::at(Vec2::ONE).expect("valid");
    let body = swarm.add_body(Shape::Disc(1.0), pose, true).expect("valid");
    swarm.remove_body(body).expect("there");
    let next = swarm.add_body(Shape::Disc(1.0), pose, true).expect("valid");
    assert_ne!(body, next, "ids do not come back");
    for stale in [body, BodyId(0), BodyId(-1), BodyId(i64::MAX)] {
        let unknown = Error::UnknownId {
            name: "body",
            id: stale.0,
        };
        assert_eq!(swarm.remove_body(stale), Err(unknown.clone()));
        assert_eq!(swarm.move_body(stale, pose), Err(unknown.clone()));
        assert_eq!(swarm.body_pose(stale), Err(unknown.clone()));
        assert_eq!(swarm.body_contacts(stale), Err(unknown));
    }
    for bad in [0.0, -1.0, 1.0e7, f32::NAN, f32::INFINITY] {
        assert!(swarm.add_body(Shape::Disc(bad), pose, true).is_err());
        let half = Vec2::new(1.0, bad);
        assert!(swarm.add_body(Shape::Box(half), pose, true).is_err());
        if !bad.is_finite() {
            assert!(Pose::at(half).is_err());
            assert!(Pose::turned(Vec2::ONE, half).is_err());
        }
    }
    assert!(Pose::turned(Vec2::ONE, Vec2::ZERO).is_err());
    let settings = Settings {
        wall_correction: false,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    for _ in 1..flow_swarm::swarm::MAX_SITES {
        swarm.add_body(Shape::Disc(1.0), pose, true).expect("room");
    }
    assert!(
        swarm.add_body(Shape::Disc(1.0), pose, true).is_err(),
        "too many"
    );
}
