//! Heaps spread fast, and only heaps do: packed discs, crowds that may lie on each other and rooms that are full stay as
//! they are.

use crate::common::discs::{DT, RADIUS, assert_sound, crowd, deepest_overlap, disc, walls_around};
use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentState, AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{WALL, open};
use proptest::prelude::*;

/// The middle of the map of [`packed`].
const MIDDLE: Vec2 = Vec2::splat(20.0);

/// The places of packed discs, on a square or hexagonal lattice that is turned and shifted.
fn packed(is_square: bool, turn: f32, shift: Vec2) -> Vec<Vec2> {
    let along = Vec2::from_angle(turn) * (2.002 * RADIUS);
    let angle = if is_square { 90.0_f32 } else { 60.0 };
    let across = Vec2::from_angle(angle.to_radians()).rotate(along);
    let places = (-30..=30).flat_map(|row| (-30..=30).map(move |column| (row, column)));
    places
        .map(|(row, column)| row as f32 * across + column as f32 * along)
        .filter(|at| at.length() < 6.0)
        .map(|at| MIDDLE + at + shift)
        .collect()
}

/// Whether a step of `dt` seconds leaves agents of these types, each at its places, exactly where they are.
fn stay(types: &[AgentType], places: &[Vec<Vec2>], dt: f32) -> bool {
    let world = world_of(&open(40, 40), Workers::serial());
    let mut swarm = crowd(&world, types, &[]);
    for (kind, places) in places.iter().enumerate() {
        swarm.spawn(&world, places, kind as i64, 0).expect("inside");
    }
    let before = swarm.positions().to_vec();
    swarm.step(&world, dt).expect("valid");
    before == swarm.positions()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However wide buckets are, which depends on the speed, and however the lattice lies in them.
    #[test]
    fn packed_discs_are_no_heap(
        is_square: bool,
        is_upright: bool,
        turn in 0.0_f32..1.6,
        shift in (0.0_f32..2.0, 0.0_f32..2.0),
        max_speed in 0.01_f32..40.0,
    ) {
        let turn = if is_upright { 0.0 } else { turn };
        let places = packed(is_square, turn, shift.into());
        let kind = AgentType { max_speed, ..disc() };
        prop_assert!(stay(&[kind], &[places], DT));
    }
}

#[test]
fn packed_discs_around_a_giant_are_no_heap() {
    let giant = AgentType {
        radius: 10.0 * RADIUS,
        ..disc()
    };
    let beside = |at: &Vec2| at.distance(MIDDLE) > 11.01 * RADIUS;
    let places = packed(false, 0.3, Vec2::ZERO).into_iter().filter(beside);
    let kinds = [places.collect(), vec![MIDDLE]];
    assert!(stay(&[disc(), giant], &kinds, DT));
}

#[test]
fn crowds_that_do_not_collide_may_lie_on_each_other() {
    let flyer = AgentType {
        collision_layer: 2,
        collision_mask: 2,
        ..disc()
    };
    let places = || packed(false, 0.3, Vec2::ZERO);
    let walker = AgentType {
        collision_layer: 1,
        collision_mask: 1,
        ..disc()
    };
    let all = [places(), places()];
    assert!(stay(&[walker, flyer], &all, DT));
    assert!(!stay(&[walker, walker], &all, DT));
}

/// A heap of agents in the middle of a room, after some seconds in steps of `dt`.
fn spread(agents: usize, seconds: f32, dt: f32) -> Swarm {
    let map = walls_around(60, 60);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &vec![Vec2::splat(30.0); agents], 0, 0)
        .expect("inside");
    for _ in 0..(seconds / dt) as u32 {
        swarm.step(&world, dt).expect("valid");
    }
    assert_sound(&map, &swarm);
    swarm
}

/// Without moving out of heaps a thousand take 0.9 s in steps of 1/60 s and 3.5 s in those of 1/20 s.
#[test]
fn a_thousand_spread_in_a_second_whatever_the_step() {
    for (seconds, dt) in [(0.7, DT), (1.2, 1.0 / 30.0), (1.5, 0.05)] {
        let deepest = deepest_overlap(&spread(1000, seconds, dt));
        assert!(
            deepest < 0.4,
            "{deepest} after {seconds} s in steps of {dt} s"
        );
    }
}

/// They spread in all directions alike.
#[test]
fn a_heap_stays_around_its_middle() {
    let swarm = spread(1000, 1.0, DT);
    let sum: Vec2 = swarm.positions().iter().map(|at| *at - 30.0).sum();
    assert!(sum.length() / 1000.0 < RADIUS, "{sum}");
}

/// The room holds 183 discs.
#[test]
fn a_heap_in_a_room_that_is_too_small_stays_inside() {
    let mut map = open(30, 30);
    for cell in 0..map.len() {
        let (x, y) = (cell % 30, cell / 30);
        let is_within = |x: usize| (10..=17).contains(&x);
        let is_rim = |x: usize| x == 10 || x == 17;
        if is_within(x) && is_within(y) && (is_rim(x) || is_rim(y)) {
            map.cost[cell] = WALL;
        }
    }
    for dt in [DT, 0.05, 0.5] {
        let world = world_of(&map, Workers::serial());
        let mut swarm = crowd(&world, &[disc()], &[]);
        swarm
            .spawn(&world, &[Vec2::splat(12.0); 300], 0, 0)
            .expect("inside");
        for _ in 0..200 {
            swarm.step(&world, dt).expect("valid");
            assert_sound(&map, &swarm);
        }
        let is_inside =
            |at: &Vec2| at.cmpgt(Vec2::splat(11.0)).all() && at.cmplt(Vec2::splat(17.0)).all();
        assert!(swarm.positions().iter().all(is_inside), "{dt}");
    }
}

#[test]
fn agents_that_the_game_moves_stay_in_a_heap() {
    let world = world_of(&open(40, 40), Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    let beside = MIDDLE + Vec2::new(1.0, 0.0);
    swarm.spawn(&world, &[MIDDLE; 400], 0, 0).expect("inside");
    let ids = swarm.spawn(&world, &[beside], 0, 0).expect("inside");
    swarm
        .set_state(&ids, AgentState::Scripted)
        .expect("an agent");
    for _ in 0..20 {
        swarm.step(&world, DT).expect("valid");
    }
    let last = swarm.len() - 1;
    assert_eq!(swarm.positions()[last], beside);
    assert!(
        swarm.positions()[..last]
            .iter()
            .any(|at| at.distance(MIDDLE) > 2.0)
    );
}

/// The room holds about 1,200 packed discs. Those that have no room cannot rest, but none is thrown to and fro.
#[test]
fn a_room_that_is_too_full_does_not_boil() {
    const AGENTS: usize = 1600;
    let map = walls_around(18, 18);
    let world = world_of(&map, Workers::serial());
    let mut swarm = crowd(&world, &[disc()], &[]);
    swarm
        .spawn(&world, &[Vec2::splat(9.0); AGENTS], 0, 0)
        .expect("inside");
    for _ in 0..400 {
        swarm.step(&world, 0.05).expect("valid");
    }
    let mut moved = 0.0;
    for _ in 0..20 {
        let before = swarm.positions().to_vec();
        swarm.step(&world, 0.05).expect("valid");
        let pairs = before.iter().zip(swarm.positions());
        moved += pairs.map(|(from, to)| from.distance(*to)).sum::<f32>();
    }
    let radii = moved / (20 * AGENTS) as f32 / RADIUS;
    assert!(radii < 1.5, "{radii} radii a step");
}
