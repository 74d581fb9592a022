//! Agents that avoid each other arrive, and overlap little on the way.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, ArrivalAction, Avoidance, Settings, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, WALL, open};

const DT: f32 = 0.05;
const RADIUS: f32 = 0.3;
/// The greatest overlap of two agents, as a fraction of a radius.
const MOST_OVERLAP: f32 = 0.05;

fn avoider() -> AgentType {
    AgentType {
        radius: RADIUS,
        max_speed: 1.5,
        acceleration: 10.0,
        avoidance: Avoidance::Orca,
        neighbour_radius: 5.0,
        ..AgentType::default()
    }
}

/// A crowd in which each agent has its own target.
fn crowd(map: &CostMap, kinds: &[AgentType], threads: usize) -> (FlowWorld, Swarm) {
    let world = world_of(map, Workers::new(threads).expect("threads"));
    let mut swarm = Swarm::new(5);
    swarm.set_types(kinds).expect("valid");
    (world, swarm)
}

fn send(swarm: &mut Swarm, world: &FlowWorld, ways: &[(Vec2, Vec2)]) -> Vec<AgentId> {
    let (starts, targets): (Vec<_>, Vec<_>) = ways.iter().copied().unzip();
    let ids = swarm.spawn(world, &starts, 0, 0).expect("inside");
    swarm.set_targets(world, &ids, &targets).expect("inside");
    ids
}

/// The deepest overlap of any two agents, as a fraction of [`RADIUS`].
fn overlap(swarm: &Swarm) -> f32 {
    let places = swarm.positions();
    let mut deepest = 0.0_f32;
    for (index, one) in places.iter().enumerate() {
        for (other, place) in places.iter().enumerate().skip(index + 1) {
            let radius = |index: usize| swarm.types()[usize::from(swarm.kinds()[index])].radius;
            let touching = radius(index) + radius(other);
            deepest = deepest.max((touching - one.distance(*place)) / RADIUS);
        }
    }
    deepest
}

/// Steps until all agents have arrived. Returns the time, and the deepest overlap on the way.
fn play(swarm: &mut Swarm, world: &FlowWorld, seconds: f32) -> (f32, f32) {
    let agents = swarm.len() as u64;
    let mut deepest = 0.0_f32;
    let mut time = 0.0;
    while swarm.stats().arrived < agents {
        assert!(time < seconds, "{:?} after {time} s", swarm.stats());
        swarm.step(world, DT).expect("valid");
        deepest = deepest.max(overlap(swarm));
        time += DT;
    }
    (time, deepest)
}

#[test]
fn two_that_meet_head_on_pass_each_other() {
    for gap in [3.0, 8.0, 8.01] {
        let (world, mut swarm) = crowd(&open(24, 10), &[avoider()], 1);
        let (left, right) = (Vec2::new(12.0 - gap, 5.0), Vec2::new(12.0 + gap, 5.0));
        send(&mut swarm, &world, &[(left, right), (right, left)]);
        let (time, deepest) = play(&mut swarm, &world, 30.0);
        let straight = 2.0 * gap / 1.5;
        assert!(time < 1.25 * straight + 1.0, "{time} s for {straight} s");
        assert!(deepest <= 0.001, "they overlap by {deepest} radii");
    }
}

#[test]
fn a_ring_changes_places() {
    // Points of a square lattice at almost equal distances from the centre, symmetric in eight ways.
    let center = Vec2::splat(20.0);
    let ring: Vec<Vec2> = (-12..=12)
        .flat_map(|y| (-12..=12).map(move |x| Vec2::new(x as f32, y as f32)))
        .filter(|at| (10.5..11.2).contains(&at.length()))
        .collect();
    assert!(ring.len() >= 36, "{}", ring.len());
    let ways: Vec<_> = ring.iter().map(|&at| (center + at, center - at)).collect();
    let (world, mut swarm) = crowd(&open(40, 40), &[avoider()], 1);
    send(&mut swarm, &world, &ways);
    let (_, deepest) = play(&mut swarm, &world, 90.0);
    assert!(deepest < MOST_OVERLAP, "{deepest}");
}

#[test]
fn crossing_streams_get_through() {
    let rows = |across: Vec2, along: Vec2| {
        (0..48).map(move |index| {
            let (lane, rank) = ((index % 6) as f32, (index / 6) as f32);
            let start = across * (16.0 + 1.2 * lane) + along * (1.0 + 1.2 * rank);
            (start, start + along * 27.0)
        })
    };
    let ways: Vec<_> = rows(Vec2::Y, Vec2::X)
        .chain(rows(Vec2::X, Vec2::Y))
        .collect();
    let (world, mut swarm) = crowd(&open(40, 40), &[avoider()], 1);
    send(&mut swarm, &world, &ways);
    let (_, deepest) = play(&mut swarm, &world, 120.0);
    assert!(deepest < MOST_OVERLAP, "{deepest}");
}

/// A room with a door of one cell and agents inside that leave.
fn room(threads: usize, agents: usize) -> (FlowWorld, Swarm) {
    let mut map = open(30, 15);
    for y in (0..15).filter(|&y| y != 7) {
        let cell = map.index(14, y);
        map.cost[cell] = WALL;
    }
    let (mut world, mut swarm) = crowd(&map, &[avoider()], threads);
    let goal = world.create_goal(&[Vec2::new(28.5, 7.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    let starts: Vec<Vec2> = (0..agents)
        .map(|index| {
            Vec2::new(
                1.0 + (index % 15) as f32 * 0.8,
                0.6 + (index / 15) as f32 * 0.8,
            )
        })
        .collect();
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    (world, swarm)
}

#[test]
fn all_agents_leave_through_the_door() {
    let (world, mut swarm) = room(1, 150);
    let (_, deepest) = play(&mut swarm, &world, 900.0);
    assert!(deepest < MOST_OVERLAP, "{deepest}");
}

#[test]
fn threads_do_not_matter() {
    let hash = |threads| {
        let (world, mut swarm) = room(threads, 150);
        // Enough agents for several pieces of parallel work, densely packed, so that all cases occur.
        let more: Vec<Vec2> = (0..4000)
            .map(|index| {
                Vec2::new(
                    16.0 + (index % 90) as f32 * 0.15,
                    0.2 + (index / 90) as f32 * 0.3,
                )
            })
            .collect();
        swarm.spawn(&world, &more, 0, 0).expect("inside");
        for _ in 0..60 {
            swarm.step(&world, DT).expect("valid");
        }
        swarm.state_hash()
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

#[test]
fn agents_without_avoidance_are_avoided_by_others() {
    let pusher = AgentType {
        avoidance: Avoidance::Separation,
        ..avoider()
    };
    for state in [
        AgentState::Idle,
        AgentState::Scripted,
        AgentState::Following,
    ] {
        let (world, mut swarm) = crowd(&open(30, 12), &[avoider(), pusher], 1);
        let way = (Vec2::new(4.0, 6.0), Vec2::new(26.0, 6.0));
        send(&mut swarm, &world, &[way]);
        let other = swarm
            .spawn(&world, &[Vec2::new(18.0, 6.0)], 1, 0)
            .expect("inside");
        swarm.set_state(&other, state).expect("alive");
        if state == AgentState::Scripted {
            swarm
                .set_scripted_velocities(&other, &[Vec2::new(-1.0, 0.0)])
                .expect("alive");
        }
        let mut deepest = 0.0_f32;
        for _ in 0..500 {
            let old = swarm.positions()[1];
            swarm.step(&world, DT).expect("valid");
            deepest = deepest.max(overlap(&swarm));
            let moved = swarm.positions()[1] - old;
            assert!(
                moved.y.abs() < 1.0e-6,
                "{state:?}: the other was pushed by {moved}"
            );
        }
        assert_eq!(swarm.stats().arrived, 1, "{state:?}");
        assert!(deepest < 0.02, "{state:?}: {deepest}");
    }
}

#[test]
fn the_one_with_priority_gives_way_less() {
    let with = |priority| AgentType {
        priority,
        ..avoider()
    };
    let (world, mut swarm) = crowd(&open(30, 12), &[with(1.0), with(0.0)], 1);
    let (left, right) = (Vec2::new(4.0, 6.0), Vec2::new(26.0, 6.1));
    let one = swarm.spawn(&world, &[left], 0, 0).expect("inside");
    let two = swarm.spawn(&world, &[right], 1, 0).expect("inside");
    let targets = [Vec2::new(26.0, 6.0), Vec2::new(4.0, 6.1)];
    swarm
        .set_targets(&world, &[one[0], two[0]], &targets)
        .expect("inside");
    let mut strayed = Vec2::ZERO;
    for _ in 0..400 {
        swarm.step(&world, DT).expect("valid");
        let places = swarm.positions();
        let aside = Vec2::new((places[0].y - 6.0).abs(), (places[1].y - 6.1).abs());
        strayed = strayed.max(aside);
    }
    assert_eq!(swarm.stats().arrived, 2);
    assert!(strayed.x < 0.1 && strayed.y > 0.4, "{strayed}");
}

#[test]
fn agents_at_one_point_part() {
    let (world, mut swarm) = crowd(&open(12, 12), &[avoider()], 1);
    swarm
        .spawn(&world, &[Vec2::splat(6.0); 12], 0, 0)
        .expect("inside");
    for _ in 0..200 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(overlap(&swarm) < MOST_OVERLAP, "{}", overlap(&swarm));
}

#[test]
fn own_targets_lie_behind_walls_by_the_groups_field() {
    let mut map = open(20, 20);
    for y in 3..20 {
        let cell = map.index(10, y);
        map.cost[cell] = WALL;
    }
    let (mut world, mut swarm) = crowd(&map, &[avoider()], 1);
    let goal = world.create_goal(&[Vec2::new(15.5, 16.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let target = Vec2::new(18.2, 12.3);
    let ids = send(&mut swarm, &world, &[(Vec2::new(3.0, 17.0), target)]);
    play(&mut swarm, &world, 60.0);
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(swarm.positions()[0].distance(target) < 0.05);
    // The target is kept, saved and removed again.
    let saved = swarm.save();
    let mut other = Swarm::new(5);
    other.set_types(&[avoider()]).expect("valid");
    other.load(&saved).expect("whole");
    assert_eq!(other.target_of(ids[0]), Ok(Some(target)));
    assert_eq!(other.state_hash(), swarm.state_hash());
    swarm
        .apply_impulse(&ids, Vec2::new(-3.0, 0.0))
        .expect("alive");
    for _ in 0..80 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(swarm.positions()[0].distance(target) < 0.05);
    swarm.clear_targets(&ids).expect("alive");
    assert_eq!(swarm.target_of(ids[0]), Ok(None));
    for _ in 0..200 {
        swarm.step(&world, DT).expect("valid");
    }
    assert!(swarm.positions()[0].distance(Vec2::new(15.5, 16.5)) < 1.0);
}

#[test]
fn a_crowd_settles_around_its_goal() {
    for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
        let kind = AgentType {
            avoidance,
            ..avoider()
        };
        let (mut world, mut swarm) = crowd(&open(40, 40), &[kind], 1);
        let center = Vec2::splat(20.5);
        let goal = world.create_goal(&[center]).expect("inside");
        world.require(goal, 0).expect("known");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let settings = Settings {
            settle_in_crowds: true,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        let starts: Vec<Vec2> = (0..400)
            .map(|index| Vec2::new((index % 20) as f32, (index / 20) as f32) * 1.9 + 1.0)
            .filter(|at| at.distance(center) > 6.0)
            .collect();
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        play(&mut swarm, &world, 120.0);
        for _ in 0..100 {
            swarm.step(&world, DT).expect("valid");
        }
        let before = swarm.positions().to_vec();
        for _ in 0..100 {
            swarm.step(&world, DT).expect("valid");
        }
        let farthest = swarm
            .positions()
            .iter()
            .map(|at| at.distance(center))
            .fold(0.0, f32::max);
        // The radius of a disc loosely packed with as many agents, plus one ring.
        let room = RADIUS * (starts.len() as f32 / 0.5).sqrt() + 3.0 * RADIUS;
        assert!(farthest < room, "{avoidance:?}: {farthest} of {room}");
        let moved = before.iter().zip(swarm.positions());
        let most = moved
            .map(|(old, new)| old.distance(*new))
            .fold(0.0, f32::max);
        assert!(
            most < 0.1 * RADIUS,
            "{avoidance:?}: an agent still moves by {most}"
        );
    }
}

#[test]
fn paces_vary_within_their_limits() {
    let kind = AgentType {
        avoidance: Avoidance::None,
        speed_variation: 0.3,
        ..avoider()
    };
    let (world, mut swarm) = crowd(&open(60, 60), &[kind], 1);
    let ways: Vec<_> = (0..50)
        .map(|row| {
            (
                Vec2::new(1.0, row as f32 + 1.0),
                Vec2::new(58.0, row as f32 + 1.0),
            )
        })
        .collect();
    send(&mut swarm, &world, &ways);
    for _ in 0..40 {
        swarm.step(&world, DT).expect("valid");
    }
    let speeds: Vec<f32> = swarm.velocities().iter().map(|at| at.length()).collect();
    let slowest = speeds.iter().copied().fold(f32::INFINITY, f32::min);
    let fastest = speeds.iter().copied().fold(0.0, f32::max);
    assert!((1.5 * 0.699..1.5 * 0.75).contains(&slowest), "{slowest}");
    assert!(fastest <= 1.5001 && fastest > 1.5 * 0.95, "{fastest}");
}
