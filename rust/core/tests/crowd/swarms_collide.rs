//! Swarms of one world collide with each other as their masks say, in any order of steps.

use crate::common::discs::{DT, RADIUS, disc};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Avoidance, Others, Outline, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};

fn crowd(world: &FlowWorld, kind: AgentType, starts: &[Vec2]) -> Swarm {
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[kind]).expect("valid");
    swarm.spawn(world, starts, 0, 0).expect("inside");
    swarm
}

/// Steps all swarms among each other, in the order of the given numbers.
fn step(world: &FlowWorld, swarms: &mut [Swarm], outlines: &mut [Outline], order: &[usize]) {
    for (number, outline) in outlines.iter_mut().enumerate() {
        let others = (0..swarms.len()).filter(|&other| other != number);
        let layers = others.fold(0, |layers, other| layers | swarms[other].contact_mask());
        swarms[number].outline(world, layers, true, outline);
    }
    let outlines: Vec<&Outline> = outlines.iter().collect();
    for &number in order {
        let others = Others {
            before: &outlines[..number],
            after: &outlines[number + 1..],
        };
        swarms[number].step_among(world, DT, others).expect("valid");
    }
}

fn run(world: &FlowWorld, swarms: &mut [Swarm], order: &[usize], steps: usize) {
    let mut outlines: Vec<Outline> = swarms.iter().map(|_| Outline::default()).collect();
    for _ in 0..steps {
        step(world, swarms, &mut outlines, order);
    }
}

/// All overlaps of two agents, within or between swarms, as shares of their common radius; the deepest last.
fn overlaps(swarms: &[Swarm]) -> Vec<f32> {
    let at: Vec<Vec2> = swarms
        .iter()
        .flat_map(|swarm| swarm.positions().iter().copied())
        .collect();
    let mut overlaps = Vec::new();
    for one in 0..at.len() {
        for other in 0..one {
            let overlap = 2.0 - at[one].distance(at[other]) / RADIUS;
            if overlap > -0.1 {
                overlaps.push(overlap.max(0.0));
            }
        }
    }
    overlaps.sort_unstable_by(f32::total_cmp);
    overlaps
}

fn at_share(sorted: &[f32], share: f32) -> f32 {
    let place = (sorted.len().saturating_sub(1) as f32 * share) as usize;
    sorted.get(place).copied().unwrap_or(0.0)
}

/// Agents on a grid in random order, distributed over `count` swarms that all walk to the middle of the map.
fn mob(workers: Workers, agents: usize, count: usize) -> (FlowWorld, Vec<Swarm>) {
    let mut world = world_of(&open(64, 64), workers);
    let goal = world.create_goal(&[Vec2::splat(32.5)]).expect("inside");
    world.require(goal, 0).expect("a goal");
    world.update();
    let side = (agents as f32).sqrt().ceil() as usize;
    let mut places: Vec<Vec2> = (0..agents)
        .map(|index| Vec2::new((index % side) as f32, (index / side) as f32))
        .map(|place| place * (60.0 / side as f32) + 2.0)
        .collect();
    let mut random = SplitMix64::new(7);
    for index in (1..places.len()).rev() {
        places.swap(index, random.below(index + 1));
    }
    let swarms = places
        .chunks(agents.div_ceil(count))
        .map(|places| {
            let mut swarm = crowd(&world, disc(), places);
            swarm.set_group_goal(0, Some(goal)).expect("a group");
            swarm
        })
        .collect();
    (world, swarms)
}

/// The overlaps and the mean speed of a mob after some seconds, with swarms that collide or not.
fn come_to_rest(count: usize, meet: bool) -> (Vec<f32>, f32) {
    const AGENTS: usize = 600;
    let (world, mut swarms) = mob(Workers::serial(), AGENTS, count);
    for (number, swarm) in swarms.iter_mut().enumerate().filter(|_| !meet) {
        let ghost = AgentType {
            collision_layer: 1 << number,
            collision_mask: 1 << number,
            ..disc()
        };
        swarm.set_types(&[ghost]).expect("valid");
    }
    let order: Vec<usize> = (0..count).collect();
    run(&world, &mut swarms, &order, 20 * 60);
    let velocities = swarms.iter().flat_map(Swarm::velocities);
    let speed = velocities.map(|velocity| velocity.length()).sum::<f32>() / AGENTS as f32;
    (overlaps(&swarms), speed)
}

#[test]
fn a_mob_of_several_swarms_packs_without_a_heap() {
    for count in [1, 2, 3] {
        let (overlaps, speed) = come_to_rest(count, true);
        let [half, most, deepest] = [0.5, 0.99, 1.0].map(|share| at_share(&overlaps, share));
        let found = format!("{count} swarms: p50 {half}, p99 {most}, max {deepest}, speed {speed}");
        assert!(half < 1.0e-3 && most < 0.25, "{found}");
        assert!(speed < 0.15, "{found}");
    }
    let (overlaps, _) = come_to_rest(2, false);
    let most = at_share(&overlaps, 0.99);
    assert!(most > 1.0, "two mobs in one place: p99 {most}");
}

/// An agent of one swarm must pass between agents of another that stand in rows with gaps narrower than its width.
#[test]
fn agents_that_stand_make_way_for_one_of_another_swarm() {
    for gap in [0.1, 0.2, 0.3, 0.4] {
        let world = world_of(&open(32, 32), Workers::serial());
        let place = |index: usize| Vec2::new((index / 8) as f32, (index % 8) as f32 - 3.5);
        let places: Vec<Vec2> = (0..24)
            .map(|index| Vec2::splat(16.0) + place(index) * (2.0 * RADIUS + gap * RADIUS))
            .collect();
        let mut standing = crowd(&world, disc(), &places);
        let ids = standing.ids().to_vec();
        standing.set_targets(&world, &ids, &places).expect("inside");
        let mut goes = crowd(&world, disc(), &[Vec2::new(12.0, 16.0)]);
        let ids = goes.ids().to_vec();
        let target = [Vec2::new(20.0, 16.0)];
        goes.set_targets(&world, &ids, &target).expect("inside");
        let mut swarms = [standing, goes];
        run(&world, &mut swarms, &[0, 1], 10 * 60);
        assert_eq!(swarms[1].stats().arrived, 1, "{gap} radii between them");
    }
}

/// The states of the swarms of a mob after some steps.
fn states(threads: usize, count: usize, order: &[usize]) -> Vec<u64> {
    let workers = Workers::new(threads).expect("threads");
    let (world, mut swarms) = mob(workers, 3_000, count);
    run(&world, &mut swarms, order, 240);
    swarms.iter().map(Swarm::state_hash).collect()
}

#[test]
fn neither_the_order_of_steps_nor_threads_make_a_difference() {
    let expected = states(1, 3, &[0, 1, 2]);
    for order in [[2, 1, 0], [1, 2, 0]] {
        assert_eq!(states(1, 3, &order), expected, "in the order {order:?}");
    }
    for threads in [2, 3] {
        assert_eq!(
            states(threads, 3, &[1, 0, 2]),
            expected,
            "{threads} threads"
        );
    }
}

#[test]
fn loaded_swarms_go_on_as_they_would_have() {
    let (world, mut swarms) = mob(Workers::serial(), 300, 2);
    run(&world, &mut swarms, &[0, 1], 300);
    let saved: Vec<Vec<u8>> = swarms.iter().map(Swarm::save).collect();
    let mut loaded: Vec<Swarm> = saved
        .iter()
        .map(|bytes| {
            let mut swarm = crowd(&world, disc(), &[]);
            let goal = swarms[0].group_goal(0).expect("a group");
            swarm.set_group_goal(0, goal).expect("a group");
            swarm.load(bytes).expect("saved");
            swarm
        })
        .collect();
    for swarms in [&mut swarms, &mut loaded] {
        run(&world, swarms, &[0, 1], 60);
    }
    for (one, other) in swarms.iter().zip(&loaded) {
        assert_eq!(one.state_hash(), other.state_hash());
    }
}

/// The displacements of two agents of one swarm each, which overlap at first.
fn ways(types: [AgentType; 2], steps: usize) -> [f32; 2] {
    let world = world_of(&open(32, 32), Workers::serial());
    let starts = [Vec2::splat(16.0), Vec2::new(16.0 + 1.5 * RADIUS, 16.0)];
    let mut swarms = [0, 1].map(|number| crowd(&world, types[number], &[starts[number]]));
    run(&world, &mut swarms, &[0, 1], steps);
    // Along the line between them.
    [0, 1].map(|number| (swarms[number].positions()[0].x - starts[number].x).abs())
}

#[test]
fn masks_and_masses_count_between_swarms() {
    let kind = |collision_layer, collision_mask| AgentType {
        collision_layer,
        collision_mask,
        ..disc()
    };
    let [one, other] = ways([disc(), disc()], 1);
    assert!((one - other).abs() < 1.0e-4, "{one} {other}");
    assert!(
        (one + other - 0.5 * RADIUS).abs() < 0.1 * RADIUS,
        "{one} {other}"
    );
    let [way, stays] = ways([kind(0b01, 0b10), kind(0b10, 0)], 1);
    assert!((way - 0.5 * RADIUS).abs() < 0.1 * RADIUS, "{way}");
    assert_eq!(stays, 0.0, "it does not see the other");
    assert_eq!(ways([kind(0b01, 0b01), kind(0b10, 0b10)], 9), [0.0, 0.0]);
    let heavy = AgentType {
        mass: 9.0,
        ..disc()
    };
    let [light, little] = ways([disc(), heavy], 1);
    assert!(light > 7.0 * little && little > 0.0, "{light} {little}");
    let with = |avoidance| AgentType {
        avoidance,
        ..disc()
    };
    assert_eq!(ways([with(Avoidance::None), disc()], 9), [0.0, 0.0]);
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        let [stays, way] = ways([with(avoidance), disc()], 1);
        assert_eq!(stays, 0.0, "{avoidance:?} keeps out of no other swarm");
        assert!((way - 0.5 * RADIUS).abs() < 0.1 * RADIUS, "{way}");
    }
}

#[test]
fn agents_of_two_swarms_at_one_place_part() {
    let world = world_of(&open(32, 32), Workers::serial());
    let start = [Vec2::splat(16.0)];
    let mut swarms = [0, 1].map(|_| crowd(&world, disc(), &start));
    run(&world, &mut swarms, &[0, 1], 30);
    assert_eq!(overlaps(&swarms).last().copied().unwrap_or(0.0), 0.0);
}

#[test]
fn giants_of_another_swarm_keep_their_room() {
    let giant = AgentType {
        radius: 8.0 * RADIUS,
        mass: 64.0,
        ..disc()
    };
    let world = world_of(&open(64, 64), Workers::serial());
    let places: Vec<Vec2> = (0..400)
        .map(|index| Vec2::new((index % 20) as f32, (index / 20) as f32) * 0.6 + 26.0)
        .collect();
    let mut giants = Swarm::new(1);
    giants.set_types(&[disc(), giant]).expect("valid");
    giants.spawn(&world, &places[..40], 0, 0).expect("inside");
    let middle = [Vec2::new(31.9, 31.8)];
    giants.spawn(&world, &middle, 1, 0).expect("inside");
    let mut swarms = [giants, crowd(&world, disc(), &places[40..])];
    run(&world, &mut swarms, &[0, 1], 240);
    let giant = swarms[0].positions()[40];
    let nearest = swarms[1].positions().iter().map(|at| at.distance(giant));
    let nearest = nearest.fold(f32::INFINITY, f32::min);
    assert!(nearest > 8.8 * RADIUS, "{nearest}");
    assert!(giant.distance(middle[0]) < 4.0 * RADIUS, "it is heavy");
}

#[test]
fn an_outline_has_the_agents_that_others_keep_out_of() {
    let world = world_of(&open(32, 32), Workers::serial());
    let mut outline = Outline::default();
    let mut is_empty = |kind: AgentType, layers| {
        let mut swarm = crowd(&world, kind, &[Vec2::splat(16.0)]);
        swarm.outline(&world, layers, true, &mut outline);
        outline.is_empty()
    };
    assert!(!is_empty(disc(), 1));
    assert!(is_empty(disc(), 2));
    let none = AgentType {
        avoidance: Avoidance::None,
        ..disc()
    };
    assert!(is_empty(none, 1));
    assert_eq!(crowd(&world, none, &[]).contact_mask(), 0);
    assert_eq!(crowd(&world, disc(), &[]).contact_mask(), 1);
}

/// Two columns, a swarm each, that walk through each other's starting places.
#[test]
fn swarms_that_meet_head_on_pass_each_other() {
    const AGENTS: usize = 100;
    let world = world_of(&open(64, 32), Workers::serial());
    let block = |left: f32| -> Vec<Vec2> {
        (0..AGENTS)
            .map(|index| Vec2::new((index % 10) as f32, (index / 10) as f32) * 0.6)
            .map(|place| place + Vec2::new(left, 13.0))
            .collect()
    };
    let ends = [block(10.0), block(48.0)];
    let mut swarms = [0, 1].map(|number| {
        let mut swarm = crowd(&world, disc(), &ends[number]);
        let ids = swarm.ids().to_vec();
        swarm
            .set_targets(&world, &ids, &ends[1 - number])
            .expect("inside");
        swarm
    });
    let mut deepest = 0.0_f32;
    for _ in 0..40 {
        run(&world, &mut swarms, &[0, 1], 60);
        deepest = deepest.max(at_share(&overlaps(&swarms), 0.99));
    }
    let arrived: Vec<usize> = swarms
        .iter()
        .map(|swarm| swarm.stats().arrived_now)
        .collect();
    assert!(
        arrived.iter().all(|&arrived| arrived >= AGENTS * 9 / 10),
        "{arrived:?}"
    );
    assert!(deepest < 0.4, "{deepest}");
}
