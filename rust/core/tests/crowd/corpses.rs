//! A corpse lies where it fell, without collisions, until it is removed or rises.

use crate::common::world_on;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentState, AgentStatus, AgentType, Avoidance, CustomData, Force,
    ForceKind, InstanceLayout, Outline, Packer, Plane, Pose, Shape, Swarm, Tracking, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const DT: f32 = 1.0 / 60.0;

fn world() -> FlowWorld {
    let grid = Grid::new(IVec2::new(60, 20), 2.0, Vec2::ZERO).expect("valid");
    let map = open(60, 20);
    world_on(grid, &map, Workers::new(2).expect("threads"))
}

fn swarm(avoidance: Avoidance) -> Swarm {
    let mut swarm = Swarm::new(3);
    let kind = AgentType {
        radius: 0.5,
        max_speed: 8.0,
        avoidance,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm
}

fn step(swarm: &mut Swarm, world: &mut FlowWorld) {
    swarm.request_routes(world).expect("valid");
    world.update();
    swarm.step(world, DT).expect("valid");
}

fn everywhere(swarm: &mut Swarm, world: &FlowWorld) -> Vec<AgentId> {
    let (low, high) = world.grid().bounds();
    swarm
        .query_rect(world, (low, high), &AgentQuery::default())
        .expect("valid")
}

/// A marching block of agents, with the positions of all after some steps.
fn march(avoidance: Avoidance, corpses: &[Vec2]) -> Vec<Vec2> {
    let mut world = world();
    let goal = world
        .create_goal(&[Vec2::new(110.0, 20.0)])
        .expect("inside");
    let mut swarm = swarm(avoidance);
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let rows = |n: usize| Vec2::new(4.0 + (n % 12) as f32, 14.0 + (n / 12) as f32);
    let places: Vec<Vec2> = (0..144).map(rows).collect();
    let living = swarm.spawn(&world, &places, 0, 0).expect("inside");
    let dead = swarm.spawn(&world, corpses, 0, 0).expect("inside");
    swarm.set_state(&dead, AgentState::Corpse).expect("alive");
    for _ in 0..240 {
        step(&mut swarm, &mut world);
    }
    for (&id, &place) in dead.iter().zip(corpses) {
        let index = swarm.index_of(id).expect("there");
        assert_eq!(swarm.positions()[index], place, "a corpse does not move");
        assert_eq!(swarm.velocities()[index], Vec2::ZERO);
    }
    assert!(swarm.events().stuck.is_empty());
    let place = |&id| swarm.positions()[swarm.index_of(id).expect("alive")];
    living.iter().map(place).collect()
}

#[test]
fn agents_walk_over_corpses_as_if_there_were_none() {
    for avoidance in Avoidance::ALL {
        let without = march(avoidance, &[]);
        // In the block, in its way, and two that lie in each other.
        let corpses: Vec<Vec2> = (0..40)
            .map(|n| Vec2::new(6.0 + 0.7 * n as f32, 15.0 + 0.2 * n as f32))
            .chain([Vec2::splat(30.0); 2])
            .collect();
        let with = march(avoidance, &corpses);
        assert_eq!(with, without, "{avoidance:?}");
    }
}

#[test]
fn many_corpses_do_not_change_a_crowd_that_is_sorted_by_several_threads() {
    let corpses: Vec<Vec2> = (0..9000)
        .map(|n| Vec2::new(1.0 + (n % 118) as f32, 1.0 + 0.5 * (n / 118) as f32))
        .collect();
    let with = march(Avoidance::Contact, &corpses);
    assert_eq!(with.len(), 144);
    let without = march(Avoidance::Contact, &[]);
    // More buckets, for more agents, give other roundings but the same crowd.
    for (one, other) in with.iter().zip(&without) {
        assert!(one.distance(*other) < 4.0, "{one} and {other}");
    }
}

#[test]
fn queries_do_not_find_corpses_and_find_agents_that_rise() {
    let mut world = world();
    let mut swarm = swarm(Avoidance::Contact);
    let places: Vec<Vec2> = (0..30)
        .map(|n| Vec2::new(10.0 + 2.0 * n as f32, 20.0))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    for when in 0..3 {
        let (dead, rest) = ids.split_at(10);
        swarm.set_state(dead, AgentState::Corpse).expect("alive");
        assert_eq!(everywhere(&mut swarm, &world), rest, "round {when}");
        let near = swarm.nearest(&world, places[3], 100.0, &AgentQuery::default());
        assert_eq!(near, Ok(Some(ids[10])));
        assert_eq!(swarm.with_status(AgentStatus::Corpse), dead);
        assert_eq!((swarm.stats().corpses, swarm.len()), (10, 30));
        // The last agent takes the row of a removed one, also if one of them is a corpse.
        if when == 2 {
            swarm.despawn(&[ids[0], ids[29], ids[4], ids[28]]);
            assert_eq!(everywhere(&mut swarm, &world), &ids[10..28]);
            return;
        }
        step(&mut swarm, &mut world);
        assert_eq!(everywhere(&mut swarm, &world), rest, "after a step");
        swarm.set_state(dead, AgentState::Idle).expect("there");
        assert_eq!(everywhere(&mut swarm, &world), ids, "they rise");
    }
}

#[test]
fn removing_agents_does_not_uncover_a_corpse() {
    let world = world();
    let mut swarm = swarm(Avoidance::Contact);
    let places: Vec<Vec2> = (0..5)
        .map(|n| Vec2::new(10.0 + 2.0 * n as f32, 20.0))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    assert_eq!(everywhere(&mut swarm, &world), ids);
    // The last one becomes a corpse and then takes the row of the first.
    swarm
        .set_state(&ids[4..], AgentState::Corpse)
        .expect("alive");
    swarm.despawn(&ids[..1]);
    assert_eq!(everywhere(&mut swarm, &world), &ids[1..4]);
}

#[test]
fn forces_bodies_areas_and_other_swarms_leave_corpses_alone() {
    let mut world = world();
    let mut swarm = swarm(Avoidance::Contact);
    let at = Vec2::new(40.0, 20.0);
    let ids = swarm.spawn(&world, &[at], 0, 0).expect("inside");
    swarm.set_state(&ids, AgentState::Corpse).expect("alive");
    let pose = Pose::at(at + 0.1).expect("finite");
    swarm.add_body(Shape::Disc(2.0), pose, true).expect("valid");
    let area = swarm.add_area(Shape::Disc(3.0), pose).expect("valid");
    let force = Force {
        kind: ForceKind::Push,
        strength: 500.0,
    };
    swarm.add_force_field(at + 1.0, 9.0, force).expect("valid");
    for _ in 0..30 {
        step(&mut swarm, &mut world);
    }
    assert_eq!(swarm.positions(), [at]);
    assert!(swarm.area_agents(area).expect("an area").is_empty());
    let mut outline = Outline::default();
    swarm.outline(&world, u32::MAX, true, &mut outline);
    assert!(outline.is_empty(), "others do not see it");
    assert_eq!(swarm.overlaps(&world), [0.0]);
}

#[test]
fn shaders_play_the_last_clip_once() {
    let mut world = world();
    let mut swarm = swarm(Avoidance::Contact);
    swarm
        .set_tracking(Tracking {
            between_steps: false,
            walk_cycle: Some(4.0),
        })
        .expect("valid");
    let ids = swarm
        .spawn(&world, &[Vec2::splat(20.0); 2], 0, 0)
        .expect("inside");
    step(&mut swarm, &mut world);
    swarm.set_user_ints(0, &ids[..1], &[7]).expect("alive");
    swarm
        .set_state(&ids[..1], AgentState::Corpse)
        .expect("alive");
    let custom = |swarm: &Swarm, index: usize| -> [f32; 4] {
        let layout = InstanceLayout {
            plane: Plane::Xy,
            custom: CustomData::Sprite,
            ..InstanceLayout::default()
        };
        let mut packer = Packer::default();
        let workers = Workers::serial();
        let instances = swarm.instances(&layout, &View::default(), &mut packer, &workers);
        let instances = instances.expect("valid");
        let mut out = vec![0.0; instances.len() * layout.stride()];
        instances.write(&mut out, &workers).expect("as long");
        let row = &out[index * layout.stride()..][..layout.stride()];
        row[layout.stride() - 4..].try_into().expect("four")
    };
    assert_eq!(custom(&swarm, 0)[0], 0.0, "it begins at once");
    for _ in 0..90 {
        step(&mut swarm, &mut world);
    }
    let [seconds, _, speed, clip] = custom(&swarm, 0);
    assert!((seconds - 1.5).abs() < 1.0e-3, "{seconds} s");
    assert_eq!((speed, clip), (-1.0, 7.0));
    assert_eq!(custom(&swarm, 1)[2], 0.0, "the other one only stands");
    let saved = swarm.save();
    let mut loaded = self::swarm(Avoidance::Contact);
    loaded.set_tracking(swarm.tracking()).expect("valid");
    loaded.load(&saved).expect("just saved");
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    step(&mut loaded, &mut world);
    assert_eq!(loaded.status(ids[0]), Ok(AgentStatus::Corpse));
    assert!(custom(&loaded, 0)[0] > 10.0, "its animation is over");
}
