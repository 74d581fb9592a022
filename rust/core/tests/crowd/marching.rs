//! Formations that keep their shape on the way, squeeze through what is narrow and form up at their destination.

use crate::common::world_on;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{AgentId, AgentType, Formation, FormationShape, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const DT: f32 = 1.0 / 30.0;
const SPEED: f32 = 6.0;

fn world() -> FlowWorld {
    let grid = Grid::new(IVec2::new(120, 60), 1.0, Vec2::ZERO).expect("valid");
    world_on(grid, &open(120, 60), Workers::new(2).expect("threads"))
}

fn wall(world: &mut FlowWorld, low: IVec2, high: IVec2) {
    let rect = CellRect { low, high };
    world.set_terrain_rect(rect, 255).expect("inside");
}

fn swarm() -> Swarm {
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.4,
        max_speed: SPEED,
        acceleration: 24.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm
}

fn tick(swarm: &mut Swarm, world: &mut FlowWorld) {
    world.update();
    swarm.request_routes(world).expect("valid");
    swarm.step(world, DT).expect("valid");
}

fn ticks(swarm: &mut Swarm, world: &mut FlowWorld, count: usize) {
    for _ in 0..count {
        tick(swarm, world);
    }
}

fn places(swarm: &Swarm, ids: &[AgentId]) -> Vec<Vec2> {
    let place = |&id| swarm.positions()[swarm.index_of(id).expect("alive")];
    ids.iter().map(place).collect()
}

/// A crowd of agents in no order.
fn crowd(swarm: &mut Swarm, world: &FlowWorld, count: usize) -> Vec<AgentId> {
    let starts: Vec<Vec2> = (0..count)
        .map(|n| {
            Vec2::new(
                6.0 + 1.1 * (n * 7 % count / 6) as f32,
                26.0 + 1.1 * (n % 6) as f32,
            )
        })
        .collect();
    swarm.spawn(world, &starts, 0, 0).expect("inside")
}

fn middle(places: &[Vec2]) -> Vec2 {
    places.iter().sum::<Vec2>() / places.len() as f32
}

/// The depth and the width of a crowd that goes along the x axis.
fn extent(places: &[Vec2]) -> Vec2 {
    let low = places.iter().copied().reduce(Vec2::min).expect("some");
    let high = places.iter().copied().reduce(Vec2::max).expect("some");
    high - low
}

fn block() -> Formation {
    Formation {
        spacing: 1.2,
        ..Formation::default()
    }
}

#[test]
fn a_block_keeps_its_shape_on_the_way() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let (mut world, mut swarm) = (world(), swarm());
        let ids = crowd(&mut swarm, &world, 24);
        let goal = swarm
            .send_in_formation(&mut world, &ids, Vec2::new(110.0, 29.0), mode, &block())
            .expect("valid");
        assert!(goal.is_some());
        ticks(&mut swarm, &mut world, 150);
        // Six files and four ranks.
        let expected = Vec2::new(3.0 * 1.2, 5.0 * 1.2);
        let mut before = middle(&places(&swarm, &ids)).x;
        for _ in 0..8 {
            ticks(&mut swarm, &mut world, 20);
            let now = places(&swarm, &ids);
            let found = extent(&now);
            assert!(
                (found - expected).abs().max_element() < 1.0,
                "{mode:?}: {found}"
            );
            let (gone, x) = (middle(&now).x - before, middle(&now).x);
            assert!(
                gone > 0.75 * SPEED * 20.0 * DT,
                "{mode:?}: only {gone} at {x}"
            );
            before = x;
        }
    }
}

#[test]
fn a_formation_squeezes_through_a_door_and_forms_up_behind() {
    let (mut world, mut swarm) = (world(), swarm());
    wall(&mut world, IVec2::new(40, 0), IVec2::new(43, 28));
    wall(&mut world, IVec2::new(40, 31), IVec2::new(43, 60));
    let ids = crowd(&mut swarm, &world, 24);
    let formation = Formation {
        heading: Vec2::Y,
        ..block()
    };
    let to = Vec2::new(90.0, 40.0);
    swarm
        .send_in_formation(&mut world, &ids, to, GoalMode::Full, &formation)
        .expect("valid");
    let mut widest_after = 0.0_f32;
    for _ in 0..900 {
        tick(&mut swarm, &mut world);
        let now = places(&swarm, &ids);
        if now.iter().all(|at| at.x > 48.0 && at.x < 76.0) {
            widest_after = widest_after.max(extent(&now).y);
        }
    }
    assert!(widest_after > 4.0, "it widens again: {widest_after}");
    let now = places(&swarm, &ids);
    assert!(middle(&now).distance(to) < 1.0, "at {}", middle(&now));
    // It faces along y at the end: the block is as wide in x as it was in y.
    let found = extent(&now);
    assert!(
        (found - Vec2::new(6.0, 3.6)).abs().max_element() < 0.8,
        "{found}"
    );
    assert_eq!(swarm.stats().arrived_now, 24);
    assert_eq!(swarm.stats().stuck, 0);
}

#[test]
fn a_column_follows_its_leader_round_a_corner() {
    let (mut world, mut swarm) = (world(), swarm());
    // A corridor three cells wide that turns.
    wall(&mut world, IVec2::new(20, 0), IVec2::new(64, 27));
    wall(&mut world, IVec2::new(20, 30), IVec2::new(60, 60));
    wall(&mut world, IVec2::new(64, 0), IVec2::new(66, 60));
    wall(&mut world, IVec2::new(60, 58), IVec2::new(64, 60));
    let ids = crowd(&mut swarm, &world, 18);
    let to = Vec2::new(62.0, 55.0);
    for shape in [
        FormationShape::Block,
        FormationShape::Wedge,
        FormationShape::Disc,
    ] {
        let formation = Formation { shape, ..block() };
        swarm
            .send_in_formation(&mut world, &ids, to, GoalMode::Full, &formation)
            .expect("valid");
        ticks(&mut swarm, &mut world, 700);
        let now = places(&swarm, &ids);
        let there = now.iter().filter(|at| at.distance(to) < 14.0).count();
        assert_eq!(there, 18, "{shape:?}: {now:?}");
        let back = swarm.send_in_formation(
            &mut world,
            &ids,
            Vec2::new(9.0, 29.0),
            GoalMode::Tiled,
            &formation,
        );
        assert!(back.expect("valid").is_some());
        ticks(&mut swarm, &mut world, 700);
        let now = places(&swarm, &ids);
        let there = now.iter().filter(|at| at.x < 20.0).count();
        assert_eq!(there, 18, "{shape:?}: back at {now:?}");
    }
}

#[test]
fn agents_leave_a_march_by_other_orders_and_by_dying() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = crowd(&mut swarm, &world, 12);
    let to = Vec2::new(110.0, 29.0);
    let goal = swarm
        .send_in_formation(&mut world, &ids, to, GoalMode::Full, &block())
        .expect("valid")
        .expect("agents");
    ticks(&mut swarm, &mut world, 60);
    let (apart, alone, home) = (Vec2::new(30.5, 50.5), ids[0], Vec2::new(6.5, 6.5));
    swarm
        .set_targets(&world, &[alone], &[apart])
        .expect("inside");
    swarm.clear_targets(&ids[1..2]).expect("alive");
    swarm
        .send(&mut world, &ids[2..4], &[home], GoalMode::Full)
        .expect("inside");
    swarm.despawn(&ids[4..6]);
    ticks(&mut swarm, &mut world, 700);
    assert!(
        places(&swarm, &ids[..1])[0].distance(apart) < 1.0,
        "its own target"
    );
    assert!(
        places(&swarm, &ids[1..2])[0].distance(to) < 6.0,
        "the goal of the march"
    );
    assert!(
        places(&swarm, &ids[2..4])
            .iter()
            .all(|at| at.distance(home) < 3.0)
    );
    assert!(
        places(&swarm, &ids[6..])
            .iter()
            .all(|at| at.distance(to) < 4.0)
    );
    assert_eq!(swarm.goal_of(ids[8]), Ok(Some(goal)));
    swarm.clear();
    world.update();
    assert_eq!(world.goal_ids().count(), 0);
}

#[test]
fn a_march_without_a_route_ends_and_its_agents_are_lost() {
    let (mut world, mut swarm) = (world(), swarm());
    wall(&mut world, IVec2::new(40, 0), IVec2::new(43, 60));
    let ids = crowd(&mut swarm, &world, 6);
    swarm
        .send_in_formation(
            &mut world,
            &ids,
            Vec2::new(90.0, 30.0),
            GoalMode::Full,
            &block(),
        )
        .expect("valid");
    ticks(&mut swarm, &mut world, 5);
    assert_eq!(swarm.stats().lost, 6);
    assert_eq!(swarm.target_of(ids[0]), Ok(None));
}

#[test]
fn a_march_repeats_from_a_save() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = crowd(&mut swarm, &world, 20);
    let formation = Formation {
        shape: FormationShape::Wedge,
        ..block()
    };
    swarm
        .send_in_formation(
            &mut world,
            &ids,
            Vec2::new(100.0, 40.0),
            GoalMode::Full,
            &formation,
        )
        .expect("valid");
    ticks(&mut swarm, &mut world, 90);
    let saved = swarm.save();
    ticks(&mut swarm, &mut world, 200);
    let first = (swarm.state_hash(), swarm.save());
    swarm.load(&saved).expect("just saved");
    assert_eq!(swarm.save(), saved);
    ticks(&mut swarm, &mut world, 200);
    assert_eq!((swarm.state_hash(), swarm.save()), first);
}

/// Its order's number may be given again before the next step, which removes it.
#[test]
fn a_march_that_has_ended_does_not_come_back_with_the_next_one() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = crowd(&mut swarm, &world, 20);
    let send = |world: &mut FlowWorld, swarm: &mut Swarm, to: Vec2| {
        let sent = swarm.send_in_formation(world, &ids, to, GoalMode::Full, &block());
        sent.expect("valid");
    };
    send(&mut world, &mut swarm, Vec2::new(100.0, 40.0));
    ticks(&mut swarm, &mut world, 90);
    swarm.clear_goals(&ids).expect("alive");
    let (world_before, before) = (world.snapshot(), swarm.save());
    let mut courses = Vec::new();
    for is_loaded in [false, true] {
        if is_loaded {
            world.restore(&world_before).expect("of this world");
            swarm.load_in(&world, &before).expect("its own");
        }
        send(&mut world, &mut swarm, Vec2::new(20.0, 10.0));
        let begun = swarm.state_hash();
        ticks(&mut swarm, &mut world, 60);
        courses.push((begun, swarm.state_hash(), swarm.save()));
    }
    assert!(courses[0] == courses[1], "the first march goes on");
}

#[test]
fn bad_marches_are_refused_and_change_nothing() {
    let (mut world, mut swarm) = (world(), swarm());
    let ids = crowd(&mut swarm, &world, 4);
    let to = Vec2::new(50.0, 30.0);
    let before = swarm.save();
    let mut refused = |ids: &[AgentId], to: Vec2, formation: Formation| {
        let sent = swarm.send_in_formation(&mut world, ids, to, GoalMode::Full, &formation);
        assert!(sent.is_err(), "{sent:?}");
        assert_eq!(swarm.save(), before);
        assert_eq!(world.goal_ids().count(), 0);
    };
    refused(&ids, Vec2::new(-1.0, 3.0), block());
    refused(&ids, Vec2::NAN, block());
    refused(&[ids[0], AgentId::from_bits(77)], to, block());
    for spacing in [-1.0, f32::NAN, 1.0e7] {
        refused(&ids, to, Formation { spacing, ..block() });
    }
    let heading = Vec2::new(f32::INFINITY, 0.0);
    refused(&ids, to, Formation { heading, ..block() });
    let none = swarm.send_in_formation(&mut world, &[], to, GoalMode::Full, &block());
    assert_eq!(none, Ok(None));
}
