//! After warm-up neither a step nor packing nor a snapshot of a swarm allocates memory.
//!
//! With threads, rayon's queue of incoming jobs allocates a block about every 31 jobs. A step or a packing submits only
//! a few jobs to the pool, whatever the size of the crowd.

#![allow(
    unsafe_code,
    reason = "counting allocations takes a GlobalAlloc, whose methods are unsafe"
)]

mod common;

use common::{center_of, central_goal, world_of};
use flow_swarm::Vec2;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{
    AgentType, Avoidance, Band, Channels, CustomData, Eye, Force, ForceKind, InstanceLayout,
    Others, Outline, Packer, Palette, Plane, Pose, Settings, Shape, Swarm, SwarmSnapshot, Tracking,
    View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::rooms;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator, which upholds the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System` through this allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the pointer came from `System` through this allocator, with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STEPS: usize = 100;

fn crowd(threads: usize) -> (FlowWorld, Swarm) {
    let map = rooms(80, 80, 16, 2);
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let goal = center_of(&map, central_goal(&map).expect("an open cell"));
    let goal = world.create_goal(&[goal]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.25,
        max_speed: 2.0,
        avoidance: Avoidance::Separation,
        ..AgentType::default()
    };
    let careful = AgentType {
        avoidance: Avoidance::Orca,
        neighbour_radius: 3.0,
        lateral_bias: 0.5,
        cohesion: 0.5,
        ..kind
    };
    let contact = AgentType {
        avoidance: Avoidance::Contact,
        ..kind
    };
    swarm.set_types(&[kind, careful, contact]).expect("valid");
    let settings = Settings {
        settle_in_crowds: true,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let open: Vec<Vec2> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| center_of(&map, cell))
        .collect();
    swarm.spawn(&world, &open, 0, 0).expect("inside");
    swarm.spawn(&world, &open[..2500], 2, 0).expect("inside");
    swarm
        .spawn(&world, &open[2500..3000], 1, 0)
        .expect("inside");
    let pose = |x: f32| Pose::at(Vec2::new(x, 40.0)).expect("valid");
    for (number, x) in [10.0, 40.0, 60.0].into_iter().enumerate() {
        let (disc, square) = (Shape::Disc(3.0), Shape::Box(Vec2::splat(9.0)));
        swarm.add_body(disc, pose(x), number < 2).expect("valid");
        swarm.add_area(square, pose(x + 5.0)).expect("valid");
    }
    let whirl = Force {
        kind: ForceKind::Vortex,
        strength: 20.0,
    };
    swarm
        .add_force_field(Vec2::splat(30.0), 12.0, whirl)
        .expect("valid");
    let ids = swarm.ids().to_vec();
    swarm
        .set_user_ints(0, &ids, &vec![1; ids.len()])
        .expect("finite");
    swarm.set_user_floats(3, &ids[..1], &[2.0]).expect("finite");
    let tracking = Tracking {
        between_steps: true,
        walk_cycle: Some(3.0),
    };
    swarm.set_tracking(tracking).expect("valid");
    let palette = Palette::new(&[[0.5; 4]], &[[0.5; 4]]).expect("valid");
    swarm.set_palette(palette);
    (world, swarm)
}

/// Agents with and without avoidance, some of them oversized, with groups that keep together and settle, own targets,
/// links, crowd penalties, and goals of each mode: whole fields, tiles that have been built, and routes that wait to be
/// searched.
fn busy_crowd(threads: usize) -> (FlowWorld, Swarm) {
    let map = rooms(80, 80, 16, 2);
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let penalty = CrowdPenalty::new(20).expect("in range");
    let kind = MovementType::default().with_crowd_penalty(penalty);
    world.set_movement_types(&[kind]).expect("one");
    let open: Vec<Vec2> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| center_of(&map, cell))
        .collect();
    let cell = |number: usize| world.grid().cell_at(open[number]);
    let link = Link {
        from: cell(10),
        to: cell(open.len() - 10),
        cost: 1.0,
        both_ways: true,
        travel: Travel::AtOnce,
    };
    let slow = Link {
        from: cell(20),
        to: cell(open.len() - 30),
        travel: Travel::Timed {
            seconds: 0.5,
            arc: 1.0,
        },
        ..link
    };
    world.add_links(&[link, slow]).expect("two cells each");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.25,
        max_speed: 2.0,
        cohesion: 0.5,
        lateral_bias: 0.5,
        speed_variation: 0.3,
        ..AgentType::default()
    };
    let avoider = AgentType {
        avoidance: Avoidance::Orca,
        neighbour_radius: 2.0,
        mass: 2.0,
        ..kind
    };
    let giant = AgentType {
        radius: 1.4,
        ..avoider
    };
    swarm.set_types(&[kind, avoider, giant]).expect("valid");
    let settings = Settings {
        settle_in_crowds: true,
        far_agents_every: 4,
        focus: Some((Vec2::splat(20.0), Vec2::splat(60.0))),
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    for (group, share) in (0..12).zip(1..) {
        let target = [open[share * (open.len() / 14)]];
        let mode = if group < 3 {
            GoalMode::Full
        } else {
            GoalMode::Tiled
        };
        let goal = world
            .create_goal_with_mode(&target, &[0.0], mode)
            .expect("inside");
        swarm.set_group_goal(group, Some(goal)).expect("a group");
        swarm
            .set_group_shares_field(group, group % 2 == 0)
            .expect("a group");
        let own = open.iter().skip(share).step_by(13).copied();
        let places: Vec<Vec2> = own.collect();
        let (few, many) = places.split_at(places.len() / 9);
        swarm.spawn(&world, many, group % 2, group).expect("inside");
        swarm.spawn(&world, &few[..1], 2, group).expect("inside");
        let ids = swarm.spawn(&world, few, 0, group).expect("inside");
        swarm.set_targets(&world, &ids, few).expect("inside");
        swarm
            .set_group_leader(group, ids.first().copied())
            .expect("alive");
    }
    // The routes of the first goals are searched at once; those of the last ones wait.
    world.set_route_limit(1).expect("in range");
    swarm.request_routes(&mut world).expect("known");
    for _ in 0..3 {
        world.update();
    }
    assert!(world.tile_stats().queued > 3, "{:?}", world.tile_stats());
    assert!(world.tile_stats().built > 0, "{:?}", world.tile_stats());
    (world, swarm)
}

/// Counts allocations in many steps and packings after warm-up.
fn allocations((world, mut swarm): (FlowWorld, Swarm)) -> usize {
    let layout = InstanceLayout {
        plane: Plane::Xz,
        color: true,
        custom: CustomData::Sprite,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    let view = View {
        rect: Some((Vec2::splat(20.0), Vec2::splat(60.0))),
        y_sort: true,
        fraction: 0.5,
        ..View::default()
    };
    let eye = Some(Eye::At {
        position: Vec2::splat(40.0),
        height: 5.0,
    });
    let watched = View { eye, ..view };
    let bands = [0.0, 20.0].map(|from| Band {
        from,
        channel: Some(u16::from(from > 0.0)),
    });
    let channels = Channels::new(&[bands]).expect("valid");
    let mut packer = Packer::default();
    let mut buffer = vec![0.0; swarm.len() * layout.stride()];
    let mut kept = SwarmSnapshot::default();
    let mut run = |swarm: &mut Swarm, steps| {
        for _ in 0..steps {
            swarm.step(&world, 1.0 / 60.0).expect("valid");
            swarm.take_snapshot(&mut kept);
            swarm
                .pack(&layout, &mut buffer, world.workers())
                .expect("long enough");
            let seen = swarm.instances(&layout, &view, &mut packer, world.workers());
            let seen = seen.expect("valid");
            seen.write(&mut buffer, world.workers())
                .expect("long enough");
            let parts = swarm.instances_by_channel(
                &layout,
                &watched,
                &channels,
                &mut packer,
                world.workers(),
            );
            let parts = parts.expect("valid");
            for channel in 0..parts.count() {
                parts
                    .of(channel)
                    .write(&mut buffer, world.workers())
                    .expect("long enough");
            }
        }
    };
    // Long enough for the first agents to be stuck, to arrive and to be reported.
    run(&mut swarm, 130);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    run(&mut swarm, STEPS);
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// Counts allocations in many steps of two swarms that collide, after warm-up.
fn allocations_of_two(threads: usize) -> usize {
    let (world, mut one) = crowd(threads);
    let (_, mut other) = crowd(1);
    let mut outlines = [Outline::default(), Outline::default()];
    let mut run = |steps| {
        for _ in 0..steps {
            for (swarm, outline) in [&mut one, &mut other].into_iter().zip(&mut outlines) {
                let layers = swarm.contact_mask();
                swarm.outline(&world, layers, true, outline);
                assert!(!outline.is_empty());
            }
            let [first, second] = &outlines;
            let (before, after) = ([first], [second]);
            let others = [
                Others {
                    before: &[],
                    after: &after,
                },
                Others {
                    before: &before,
                    after: &[],
                },
            ];
            for (swarm, others) in [&mut one, &mut other].into_iter().zip(others) {
                swarm.step_among(&world, 1.0 / 60.0, others).expect("valid");
            }
        }
    };
    run(130);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    run(STEPS);
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// The only test of this file, because allocations of others would be counted too.
#[test]
fn a_warm_step_allocates_nothing() {
    assert_eq!(allocations_of_two(1), 0, "two swarms, serial");
    for (name, crowd) in [
        ("crowd", crowd as fn(usize) -> _),
        ("busy crowd", busy_crowd),
    ] {
        assert_eq!(allocations(crowd(1)), 0, "{name}, serial");
        let most = 4 * STEPS / 31 + 4;
        for threads in [2, 4] {
            let found = allocations(crowd(threads));
            assert!(
                found <= most,
                "{name}: {found} allocations in {STEPS} steps with {threads} threads, {most} are rayon's"
            );
        }
    }
}
