//! Single agents and bodies: doors, towers, carts, ploughs and presses.

use crate::common::bodies::{DT, Known, disc, unit, world};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{AgentState, AgentType, Avoidance, BodyId, Pose, Settings, Shape, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, SplitMix64};
use flow_swarm_bench::oracle::wall_depth;

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
fn a_closed_door_holds_agents_of_any_speed() {
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
            // At such speeds the agent runs past its goal and back.
            assert!(swarm.positions()[0].x > 40.0, "the door is open");
        }
    }
}

#[test]
fn agents_slide_round_a_disc_to_their_goal() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca, Avoidance::Contact] {
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
            // The agent sees the tower from a distance, and does not slide along it for long.
            assert!(swarm.tick() == 900 && nearest >= 0.0);
        }
    }
}

#[test]
fn agents_with_avoidance_make_way_for_a_body_that_comes() {
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
fn a_body_that_is_not_solid_moves_no_agent() {
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
