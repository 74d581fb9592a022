//! Crowds at the limits: all agents removed at once, agents that fit nowhere, types that change while agents walk.
//! `bad_input.rs` covers what is refused.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentQuery, AgentType, Avoidance, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::wall_depth;

const DT: f32 = 1.0 / 30.0;
const AVOIDANCES: [Avoidance; 4] = [
    Avoidance::None,
    Avoidance::Separation,
    Avoidance::Orca,
    Avoidance::Contact,
];

/// A world on a map, and a swarm that walks to a place in it.
fn on_the_way(map: &CostMap, target: Vec2, threads: usize) -> (FlowWorld, Swarm) {
    let mut world = world_of(map, Workers::new(threads).expect("threads"));
    let goal = world.create_goal(&[target]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(5);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    (world, swarm)
}

fn places(random: &mut SplitMix64, size: f32, count: usize) -> Vec<Vec2> {
    let mut draw = || random.unit() as f32 * size;
    (0..count).map(|_| Vec2::new(draw(), draw())).collect()
}

fn assert_sound(swarm: &Swarm, size: f32) {
    let inside = |at: &Vec2| at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::splat(size)).all();
    assert!(
        swarm
            .positions()
            .iter()
            .all(|at| at.is_finite() && inside(at))
    );
    assert!(
        swarm
            .velocities()
            .iter()
            .all(|velocity| velocity.is_finite())
    );
    assert_eq!(swarm.stats().quarantined, 0);
}

#[test]
fn a_million_are_removed_in_one_call() {
    const COUNT: usize = 1_000_000;
    let mut random = SplitMix64::new(1);
    let (world, mut swarm) = on_the_way(&open(64, 64), Vec2::splat(32.5), 2);
    let ids = swarm
        .spawn(&world, &places(&mut random, 64.0, COUNT), 0, 0)
        .expect("inside");
    let last = swarm
        .spawn(&world, &[Vec2::splat(9.5)], 0, 0)
        .expect("inside");
    // In an order unrelated to that of the columns, and some ids twice.
    let mut doomed: Vec<AgentId> = ids.iter().chain(&ids[..1000]).copied().collect();
    for place in (1..doomed.len()).rev() {
        doomed.swap(place, random.below(place + 1));
    }
    let (removed, stale) = swarm.despawn(&doomed);
    assert_eq!(removed, COUNT);
    assert!(stale.is_some(), "some were named twice");
    assert_eq!(swarm.ids(), last);
    assert!(ids.iter().all(|&id| !swarm.contains(id)));
    swarm.step(&world, DT).expect("valid");
    let again = swarm.spawn(&world, &[Vec2::ONE; 3], 0, 0).expect("inside");
    assert!(
        again.iter().all(|id| !doomed.contains(id)),
        "an id came back"
    );
}

#[test]
fn agents_may_be_larger_than_the_map() {
    for avoidance in AVOIDANCES {
        for radius in [3.0, 9.0, 1.0e4, 1.0e6] {
            let (world, mut swarm) = on_the_way(&open(16, 16), Vec2::splat(12.5), 1);
            let kind = AgentType {
                radius,
                avoidance,
                ..AgentType::default()
            };
            let small = AgentType {
                radius: 0.2,
                ..kind
            };
            swarm.set_types(&[kind, small]).expect("valid");
            let mut random = SplitMix64::new(2);
            for number in 0..2 {
                let places = places(&mut random, 16.0, 30);
                swarm.spawn(&world, &places, number, 0).expect("inside");
            }
            for _ in 0..60 {
                swarm.step(&world, DT).expect("valid");
                assert_sound(&swarm, 16.0);
            }
            let found = swarm.query_circle(&world, Vec2::splat(8.0), 100.0, &AgentQuery::default());
            assert_eq!(found.map(|ids| ids.len()), Ok(60), "radius {radius}");
        }
    }
}

/// The types differ in everything on which buckets, avoidance and walls depend.
#[test]
fn types_may_change_in_every_step() {
    let mut map = open(24, 24);
    for cell in 0..16 {
        let wall = map.index(12, cell);
        map.cost[wall] = WALL;
    }
    let play = |threads: usize| {
        let (world, mut swarm) = on_the_way(&map, Vec2::new(20.5, 4.5), threads);
        let mut random = SplitMix64::new(3);
        let starts: Vec<Vec2> = places(&mut random, 9.0, 1500);
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        for _ in 0..80 {
            let before: Vec<Vec2> = swarm.positions().to_vec();
            let order: Vec<AgentId> = swarm.ids().to_vec();
            let kind = AgentType {
                radius: 0.1 + 0.5 * random.unit() as f32,
                max_speed: 1.0 + 8.0 * random.unit() as f32,
                acceleration: 30.0,
                mass: 1.0 + random.unit() as f32,
                avoidance: AVOIDANCES[random.below(4)],
                neighbour_radius: 3.0,
                ..AgentType::default()
            };
            swarm.set_types(&[kind]).expect("valid");
            swarm.step(&world, DT).expect("valid");
            assert_sound(&swarm, 24.0);
            for (id, old) in order.into_iter().zip(before) {
                let now = swarm.positions()[swarm.index_of(id).expect("alive")];
                let deeper =
                    wall_depth(&map, now, kind.radius) - wall_depth(&map, old, kind.radius);
                assert!(deeper <= 2.1e-3, "{id:?} went {deeper} deeper");
            }
        }
        swarm.state_hash()
    };
    assert_eq!(play(1), play(3));
}
