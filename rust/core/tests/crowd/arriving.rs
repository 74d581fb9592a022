//! Agents come to rest on their targets: they brake in time, and do not overshoot at any length of a step.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::{CostMap, open};
use proptest::prelude::*;

/// How an agent finds its target.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lead {
    Field,
    Tiles,
    /// A tiled goal without any built tiles.
    Unbuilt,
    OwnTarget,
}

const LEADS: [Lead; 4] = [Lead::Field, Lead::Tiles, Lead::Unbuilt, Lead::OwnTarget];
const START: Vec2 = Vec2::new(3.5, 6.5);

/// One agent that walks along the middle of a map.
struct Ride {
    world: FlowWorld,
    swarm: Swarm,
    rider: AgentId,
    target: Vec2,
    dt: f32,
    seconds: f32,
    /// The greatest distance beyond the target, in the direction of the walk.
    beyond: f32,
    /// The least distance from the target.
    nearest: f32,
}

impl Ride {
    fn new(
        map: &CostMap,
        kind: AgentType,
        target: Vec2,
        (lead, arrival): (Lead, ArrivalAction),
        dt: f32,
    ) -> Self {
        let mut world = world_of(map, Workers::serial());
        let mut swarm = Swarm::new(3);
        swarm.set_types(&[kind]).expect("valid");
        let settings = Settings {
            arrival,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        let rider = swarm.spawn(&world, &[START], 0, 0).expect("inside")[0];
        if lead == Lead::OwnTarget {
            swarm
                .set_targets(&world, &[rider], &[target])
                .expect("inside");
        } else {
            let mode = match lead {
                Lead::Field => GoalMode::Full,
                _ => GoalMode::Tiled,
            };
            let goal = world
                .create_goal_with_mode(&[target], &[0.0], mode)
                .expect("inside");
            swarm.set_group_goal(0, Some(goal)).expect("a group");
        }
        let mut ride = Self {
            world,
            swarm,
            rider,
            target,
            dt,
            seconds: 0.0,
            beyond: f32::NEG_INFINITY,
            nearest: f32::INFINITY,
        };
        if lead == Lead::Unbuilt {
            ride.swarm.request_routes(&mut ride.world).expect("known");
        } else {
            ride.update();
        }
        ride
    }

    fn update(&mut self) {
        self.swarm.request_routes(&mut self.world).expect("known");
        self.world.update();
    }

    fn at(&self) -> Vec2 {
        let index = self.swarm.index_of(self.rider).expect("lives");
        self.swarm.positions()[index]
    }

    fn speed(&self) -> f32 {
        let index = self.swarm.index_of(self.rider).expect("lives");
        self.swarm.velocities()[index].length()
    }

    fn step(&mut self) {
        self.swarm.step(&self.world, self.dt).expect("valid");
        self.seconds += self.dt;
        if self.swarm.contains(self.rider) {
            let ahead = (self.target - START).normalize();
            let offset = self.at() - self.target;
            self.beyond = self.beyond.max(offset.dot(ahead));
            self.nearest = self.nearest.min(offset.length());
        }
    }

    /// Steps until the agent is within a distance of its target and slower than a speed. Returns the seconds since the
    /// start.
    fn rest(&mut self, distance: f32, speed: f32, most_seconds: f32) -> f32 {
        while self.at().distance(self.target) > distance || self.speed() > speed {
            self.step();
            let left = self.target - self.at();
            assert!(
                self.seconds < most_seconds,
                "{left} left at {} a second",
                self.speed()
            );
        }
        self.seconds
    }
}

fn kind(max_speed: f32, acceleration: f32) -> AgentType {
    AgentType {
        radius: 0.4,
        max_speed,
        acceleration,
        ..AgentType::default()
    }
}

/// The seconds that it takes to cover a distance from rest to rest.
fn kinematics(distance: f32, speed: f32, acceleration: f32) -> f32 {
    let ramp = speed * speed / acceleration;
    if ramp <= distance {
        distance / speed + speed / acceleration
    } else {
        2.0 * (distance / acceleration).sqrt()
    }
}

#[test]
fn no_agent_passes_its_target_at_any_length_of_a_step() {
    let map = open(60, 13);
    for lead in LEADS {
        for dt in [1.0 / 60.0, 1.0 / 20.0, 0.5] {
            // From agents that stop at once to agents that need half the map.
            for (speed, acceleration) in [(4.0, 16.0), (12.0, 15.0), (12.0, 4.0), (2.0, 400.0)] {
                for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
                    let kind = AgentType {
                        avoidance,
                        ..kind(speed, acceleration)
                    };
                    let how = (lead, ArrivalAction::KeepGoing);
                    let mut ride = Ride::new(&map, kind, Vec2::new(50.5, 6.5), how, dt);
                    let what =
                        format!("{lead:?}, dt {dt}, {speed} by {acceleration}, {avoidance:?}");
                    let expected = kinematics(47.0, speed, acceleration);
                    let seconds = ride.rest(0.05, 0.05, 1.15 * expected + 6.0 * dt + 1.0);
                    assert!(
                        seconds > 0.95 * expected - dt,
                        "{what}: {seconds} s of {expected}"
                    );
                    for _ in 0..60 {
                        ride.step();
                    }
                    assert!(ride.beyond < 0.02, "{what}: {} beyond", ride.beyond);
                    assert!(
                        ride.at().distance(ride.target) < 0.02,
                        "{what}: at {}",
                        ride.at()
                    );
                    assert!(ride.speed() < 0.02, "{what}: {} a second", ride.speed());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn agents_brake_by_their_own_acceleration(
        speed in 0.5f32..20.0,
        acceleration in 1.0f32..200.0,
        milliseconds in 4u32..500,
        smoothing in 0.3f32..=1.0,
        target in (20.0f32..55.0, 1.0f32..12.0),
        lead in prop::sample::select(&LEADS[..]),
        stops in any::<bool>(),
    ) {
        let dt = milliseconds as f32 / 1000.0;
        let kind = AgentType { position_smoothing: smoothing, ..kind(speed, acceleration) };
        let arrival = if stops { ArrivalAction::Stop } else { ArrivalAction::KeepGoing };
        let target = Vec2::from(target);
        let mut ride = Ride::new(&open(60, 13), kind, target, (lead, arrival), dt);
        let expected = kinematics(START.distance(target) / smoothing, speed, acceleration);
        // An agent that stops in a goal's cell has arrived.
        let near = if stops && lead != Lead::OwnTarget { 1.5 } else { 0.05 };
        let seconds = ride.rest(near, 0.05, 1.2 * expected + 8.0 * dt + 2.0);
        prop_assert!(stops || seconds > 0.9 * expected - 2.0 * dt, "{} s of {}", seconds, expected);
        for _ in 0..40 {
            ride.step();
        }
        // One that stops in a goal's cell may pass beside the target, as fast as it can brake within that distance.
        let beside = if stops { ride.nearest } else { 0.0 };
        prop_assert!(ride.beyond < 0.05 + beside, "{} beyond, {} beside", ride.beyond, beside);
        prop_assert!(ride.speed() < 0.05, "{} a second", ride.speed());
    }
}

#[test]
fn agents_that_are_removed_do_not_brake() {
    for lead in [Lead::Field, Lead::Tiles, Lead::OwnTarget] {
        let how = (lead, ArrivalAction::Despawn);
        let mut ride = Ride::new(
            &open(60, 13),
            kind(12.0, 15.0),
            Vec2::new(50.5, 6.5),
            how,
            0.05,
        );
        let mut last = 0.0;
        while ride.swarm.contains(ride.rider) {
            last = ride.speed();
            ride.step();
            assert!(ride.seconds < 8.0, "{lead:?}");
        }
        assert!(last > 11.0, "{lead:?}: {last}");
    }
}

#[test]
fn braking_knows_slow_ground() {
    let mut map = open(60, 13);
    for cell in 0..map.len() {
        if map.position(cell).0 >= 30 {
            map.cost[cell] = 4;
        }
    }
    for lead in [Lead::Field, Lead::OwnTarget] {
        let how = (lead, ArrivalAction::KeepGoing);
        let mut ride = Ride::new(&map, kind(8.0, 4.0), Vec2::new(40.5, 6.5), how, 0.05);
        while ride.at().x < 39.5 {
            ride.step();
        }
        // Half a cell before the target it is still as fast as the ground permits.
        assert!(
            (ride.speed() - 2.0).abs() < 0.01,
            "{lead:?}: {}",
            ride.speed()
        );
        ride.rest(0.05, 0.05, 30.0);
        assert!(ride.beyond < 0.02, "{lead:?}: {}", ride.beyond);
    }
}

#[test]
fn a_target_that_is_passed_by_stops_no_agent() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let map = open(60, 13);
        let mut ride = Ride::new(
            &map,
            kind(12.0, 15.0),
            Vec2::new(55.5, 6.5),
            (Lead::OwnTarget, ArrivalAction::KeepGoing),
            0.05,
        );
        ride.swarm.clear_targets(&[ride.rider]).expect("known");
        let targets = [Vec2::new(25.5, 6.5), Vec2::new(55.5, 6.5)];
        let goal = ride
            .world
            .create_goal_with_mode(&targets, &[100.0, 0.0], mode)
            .expect("inside");
        ride.swarm.set_group_goal(0, Some(goal)).expect("a group");
        while ride.at().x < 30.0 {
            ride.update();
            ride.step();
            assert!(
                ride.at().x < 20.0 || ride.speed() > 11.9,
                "{mode:?}: {}",
                ride.speed()
            );
        }
    }
}

#[test]
fn crowds_of_targets_are_as_single_ones() {
    // More targets than cells within reach, so the search goes through the cells.
    let map = open(60, 13);
    let column: Vec<Vec2> = (0..400)
        .map(|index| Vec2::new(50.1 + (index % 32) as f32 * 0.25, 0.5 + (index / 32) as f32))
        .collect();
    let how = (Lead::OwnTarget, ArrivalAction::Stop);
    let mut ride = Ride::new(&map, kind(6.0, 6.0), Vec2::new(50.1, 6.5), how, 1.0 / 60.0);
    ride.swarm.clear_targets(&[ride.rider]).expect("known");
    let goal = ride.world.create_goal(&column).expect("inside");
    ride.swarm.set_group_goal(0, Some(goal)).expect("a group");
    ride.update();
    ride.rest(1.0, 0.01, 15.0);
    assert!(ride.beyond < 0.02, "{}", ride.beyond);
}
