//! Large crowds among bodies, areas and force fields, and sorted by y: work that several threads share.

use crate::common::{center_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::swarm::{
    AgentType, AreaId, BodyId, CustomData, Force, ForceKind, InstanceLayout, Packer, Plane, Pose,
    Shape, Swarm, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};

const AGENTS: usize = 40_000;
const SIZE: usize = 200;
const DT: f32 = 1.0 / 30.0;

/// A walking crowd with bodies, areas and force fields all over it, some inside each other, some at the map's edge.
fn crowd(threads: usize) -> (FlowWorld, Swarm, Vec<BodyId>, Vec<AreaId>) {
    let map = open(SIZE, SIZE);
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let goal = world
        .create_goal(&[center_of(&map, map.len() - 1)])
        .expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(5);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let mut random = SplitMix64::new(9);
    let mut place = || {
        let mut along = || (random.unit() * SIZE as f64) as f32;
        Vec2::new(along(), along())
    };
    let places: Vec<Vec2> = (0..AGENTS).map(|_| place()).collect();
    swarm.spawn(&world, &places, 0, 0).expect("inside");
    let (mut bodies, mut areas) = (Vec::new(), Vec::new());
    for number in 0..60 {
        let pose = Pose::turned(place(), Vec2::new(1.0, number as f32)).expect("finite");
        let shape = if number % 2 == 0 {
            Shape::Disc(1.5)
        } else {
            Shape::Box(Vec2::new(4.0, 0.7))
        };
        let body = swarm.add_body(shape, pose, number % 5 != 0);
        bodies.push(body.expect("valid"));
        let area = swarm.add_area(Shape::Disc(9.0), Pose::at(place()).expect("finite"));
        areas.push(area.expect("valid"));
        let kind = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex][number % 3];
        let force = Force {
            kind,
            strength: 30.0,
        };
        swarm.add_force_field(place(), 8.0, force).expect("valid");
    }
    (world, swarm, bodies, areas)
}

#[test]
fn any_number_of_threads_leads_to_the_same_crowd_and_events() {
    let play = |threads: usize| {
        let (world, mut swarm, bodies, areas) = crowd(threads);
        let mut heard = Vec::new();
        for step in 0..12 {
            for (number, &body) in bodies.iter().enumerate() {
                let place = swarm.body_pose(body).expect("known").position();
                let way = Vec2::new(0.3, if number % 2 == 0 { 0.2 } else { -0.2 });
                let pose = Pose::turned(place + way, Vec2::new(1.0, step as f32));
                swarm.move_body(body, pose.expect("finite")).expect("known");
            }
            swarm.step(&world, DT).expect("valid");
            let events = swarm.events();
            heard.push((
                events.contacted.clone(),
                events.entered.clone(),
                events.exited.clone(),
            ));
        }
        assert!(heard.iter().all(|(contacted, ..)| !contacted.is_empty()));
        // The agents in an area, by a test of all agents.
        let (area, pose) = (areas[3], swarm.area_pose(areas[3]).expect("known"));
        let mut inside: Vec<_> = (swarm.ids().iter().zip(swarm.positions()))
            .filter(|(_, at)| at.distance(pose.position()) <= 9.0)
            .map(|(&id, _)| id)
            .collect();
        inside.sort_unstable();
        assert!(inside.len() > 100, "{}", inside.len());
        assert_eq!(swarm.area_agents(area).expect("known"), inside);
        (swarm.state_hash(), heard)
    };
    let alone = play(1);
    for threads in [2, 3, 8] {
        assert!(play(threads) == alone, "{threads} threads");
    }
}

#[test]
fn the_order_of_y_is_that_of_a_plain_sort() {
    for threads in [1, 2, 3, 8] {
        let (world, mut swarm, ..) = crowd(threads);
        // Many agents at one height.
        let middle: Vec<Vec2> = (0..3000)
            .map(|number| Vec2::new(number as f32 * 0.05, 77.0))
            .collect();
        swarm.spawn(&world, &middle, 0, 0).expect("inside");
        swarm.step(&world, DT).expect("valid");
        let layout = InstanceLayout {
            plane: Plane::Xy,
            color: false,
            custom: CustomData::None,
            face_movement: false,
            size: 1.0,
            height: 0.0,
            height_offset_2d: 0.0,
        };
        let mut packer = Packer::default();
        let mut buffer = vec![0.0; swarm.len() * layout.stride()];
        let view = View {
            y_sort: true,
            ..View::default()
        };
        let workers = world.workers();
        let shown = swarm.instances(&layout, &view, &mut packer, workers);
        shown
            .expect("valid")
            .write(&mut buffer, workers)
            .expect("room");
        let drawn: Vec<Vec2> = buffer
            .chunks(layout.stride())
            .map(|row| Vec2::new(row[3], row[7]))
            .collect();
        let heights: Vec<f32> = swarm.positions().iter().map(|at| at.y).collect();
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let levels = ((1 << 22) - 1) as f32;
        let level = |index: usize| {
            (((heights[index] - low) * (levels / (high - low))) as u32).min(levels as u32)
        };
        let mut order: Vec<usize> = (0..swarm.len()).collect();
        order.sort_by_key(|&index| (level(index), swarm.ids()[index]));
        for (row, &index) in order.iter().enumerate() {
            assert_eq!(
                drawn[row],
                swarm.positions()[index],
                "row {row}, {threads} threads"
            );
        }
    }
}
