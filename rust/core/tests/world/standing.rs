//! Agents on the heights of the ground: instances that stand on it and are tilted along it, and speeds on slopes.

use crate::ground::{Numbers, rect, world};
use flow_swarm::movement::{MovementType, SlopeSpeed};
use flow_swarm::swarm::{
    AgentType, CustomData, InstanceLayout, LayerView, Packer, Plane, Swarm, Tracking, View,
};
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};

/// Smooth hills, up to 4 units high and nowhere steeper than 45 degrees.
fn hill(at: Vec2) -> f32 {
    2.0 + (0.25 * at.x).sin() + (0.2 * at.y + 0.1 * at.x).cos()
}

fn hilly(size: IVec2, cell_size: f32) -> FlowWorld {
    let mut world = world(size, cell_size, Vec2::ZERO, 1);
    let corner = |index: i32| {
        let corner = IVec2::new(index % (size.x + 1), index / (size.x + 1));
        hill(world.grid().to_world(corner.as_vec2()))
    };
    let heights: Vec<f32> = (0..(size.x + 1) * (size.y + 1)).map(corner).collect();
    world.set_heights(0, &heights).expect("corners");
    world
}

fn walker() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: 1.4,
        acceleration: 100.0,
        ..AgentType::default()
    }
}

const LAYOUT: InstanceLayout = InstanceLayout {
    plane: Plane::Xz,
    color: false,
    custom: CustomData::None,
    face_movement: true,
    size: 1.0,
    height: 0.25,
    height_offset_2d: 0.0,
};

/// The instances at a fraction of the last step.
fn packed(world: &FlowWorld, swarm: &Swarm, layout: &InstanceLayout, fraction: f32) -> Vec<f32> {
    let view = View {
        fraction,
        ..View::default()
    };
    let mut packer = Packer::default();
    let chosen = swarm
        .instances(layout, &view, &mut packer, world.workers())
        .expect("valid");
    let mut buffer = vec![f32::NAN; chosen.len() * layout.stride()];
    chosen
        .write(&mut buffer, world.workers())
        .expect("long enough");
    assert!(buffer.iter().all(|number| number.is_finite()));
    buffer
}

#[test]
fn an_agent_walks_over_hills_without_a_step() {
    let mut world = hilly(IVec2::new(80, 24), 0.5);
    let goal = world.create_goal(&[Vec2::new(39.0, 6.0)]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let mut swarm = Swarm::new(3);
    swarm.set_types(&[walker()]).expect("valid");
    swarm
        .set_tracking(Tracking {
            between_steps: true,
            walk_cycle: None,
        })
        .expect("valid");
    let id = swarm
        .spawn(&world, &[Vec2::new(1.0, 4.0)], 0, 0)
        .expect("inside")[0];
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let (mut last, mut climbed) = (None::<f32>, 0.0);
    // 20 steps and 60 frames a second.
    for _ in 0..20 * 20 {
        swarm.step(&world, 0.05).expect("valid");
        for fraction in [1.0 / 3.0, 2.0 / 3.0, 1.0] {
            let row = packed(&world, &swarm, &LAYOUT, fraction);
            let (at, y) = (Vec2::new(row[3], row[11]), row[7]);
            let ground = world.height_at(at).expect("a height");
            assert!((y - 0.25 - ground).abs() < 1.0e-3, "{y} at {at}");
            assert!((ground - hill(at)).abs() < 0.01, "{ground} at {at}");
            assert_eq!(swarm.drawn_height(id, fraction, 0.25), Ok(y));
            let step = (y - last.unwrap_or(y)).abs();
            assert!(step < 0.05, "{step} at {at}");
            climbed += step;
            last = Some(y);
        }
    }
    assert!(swarm.positions()[0].x > 20.0 && climbed > 3.0, "{climbed}");
}

#[test]
fn instances_stand_on_their_layer_and_in_holes_at_the_last_height() {
    let mut world = world(IVec2::new(20, 20), 1.0, Vec2::ZERO, 3);
    let mut swarm = Swarm::new(3);
    let at = Vec2::new(10.5, 10.5);
    let places: Vec<Vec2> = (0..3)
        .map(|layer| world.grid().layers().place(at, layer))
        .collect();
    swarm.spawn(&world, &places, 0, 0).expect("inside");
    let view = LayerView {
        height: 4.0,
        only: None,
    };
    swarm.set_layer_view(view).expect("valid");
    swarm.step(&world, 0.01).expect("valid");
    let heights = |world: &FlowWorld, swarm: &Swarm| {
        let rows = packed(world, swarm, &LAYOUT, 1.0);
        [rows[7], rows[19], rows[31]]
    };
    assert_eq!(heights(&world, &swarm), [0.25, 4.25, 8.25]);
    assert_eq!(swarm.drawn_heights(&world, 0.25), (0.25, 8.25));
    world.set_heights(1, &[30.0; 441]).expect("corners");
    // Heights count once the swarm has been told of them.
    assert_eq!(heights(&world, &swarm), [0.25, 4.25, 8.25]);
    swarm.set_ground(world.ground());
    assert_eq!(heights(&world, &swarm), [0.25, 30.25, 8.25]);
    assert_eq!(swarm.drawn_heights(&world, 0.25), (0.25, 30.25));
    world.set_heights(1, &[f32::NAN; 441]).expect("corners");
    swarm.step(&world, 0.01).expect("valid");
    assert_eq!(heights(&world, &swarm), [0.25, 30.25, 8.25]);
    for layer in [0, 2] {
        world.set_heights(layer, &[-3.0; 400]).expect("centres");
    }
    swarm.step(&world, 0.01).expect("valid");
    assert_eq!(heights(&world, &swarm), [-2.75, 30.25, -2.75]);
    assert_eq!(swarm.drawn_heights(&world, 0.25), (-2.75, 30.25));
}

#[test]
fn instances_are_tilted_along_the_ground_up_to_the_limit() {
    // The ground rises by 1 for each 2 units along x, and falls as much along y.
    let mut world = world(IVec2::new(30, 30), 1.0, Vec2::ZERO, 1);
    let heights: Vec<f32> = (0..31 * 31)
        .map(|at| 0.5 * (at % 31) as f32 - 0.5 * (at / 31) as f32)
        .collect();
    world.set_heights(0, &heights).expect("corners");
    let normal = glam::Vec3::new(-0.5, 1.0, 0.5).normalize();
    // The tilt, its limit, and the greatest angle to the normal, as the cosine.
    let steepness = 0.5_f32.sqrt();
    for (tilt, max_tilt, slope) in [
        (0.0, 1.0, 0.0),
        (1.0, 10.0, steepness),
        (0.5, 10.0, 0.5 * steepness),
        (1.0, 0.2, 0.2),
        (1.0, 0.0, 0.0),
    ] {
        for face_movement in [true, false] {
            let mut swarm = Swarm::new(3);
            let kind = AgentType {
                tilt,
                max_tilt,
                ..walker()
            };
            swarm.set_types(&[kind]).expect("valid");
            let id = swarm
                .spawn(&world, &[Vec2::splat(9.3)], 0, 0)
                .expect("inside")[0];
            swarm.step(&world, 0.01).expect("valid");
            let layout = InstanceLayout {
                face_movement,
                ..LAYOUT
            };
            let row = packed(&world, &swarm, &layout, 1.0);
            let column = |at: usize| glam::Vec3::new(row[at], row[at + 4], row[at + 8]) / 0.6;
            let (right, up, back) = (column(0), column(1), column(2));
            let expected =
                (glam::Vec3::Y + slope / steepness * glam::Vec3::new(-0.5, 0.0, 0.5)).normalize();
            assert!(
                up.distance(expected) < 1.0e-5,
                "{tilt} {max_tilt}: {up} {expected}"
            );
            assert!(tilt < 1.0 || max_tilt < 10.0 || up.distance(normal) < 1.0e-5);
            for axis in [right, up, back] {
                assert!((axis.length() - 1.0).abs() < 1.0e-5);
            }
            assert!(right.cross(up).distance(back) < 1.0e-5);
            let front = if face_movement {
                swarm.drawn_pose(id, 1.0).expect("alive").1
            } else {
                Vec2::NEG_Y
            };
            let flat = Vec2::new(-back.x, -back.z).normalize();
            assert!(flat.distance(front) < 1.0e-5, "{flat} {front}");
        }
    }
}

#[test]
fn in_a_crowd_each_instance_stands_on_its_own_ground() {
    // Several blocks on two layers. The second layer has heights in one corner only.
    let (size, cell_size) = (IVec2::splat(100), 0.5);
    let mut world = world(size, cell_size, Vec2::new(-3.0, 7.0), 2);
    let heights: Vec<f32> = (0..101 * 101)
        .map(|at| hill(Vec2::new((at % 101) as f32, (at / 101) as f32)))
        .collect();
    world.set_heights(0, &heights).expect("corners");
    let part = rect(IVec2::ZERO, IVec2::splat(40));
    world
        .set_heights_rect(1, part, &heights[..1600])
        .expect("inside");
    let mut numbers = Numbers(5);
    let mut swarm = Swarm::new(3);
    let tilted = AgentType {
        tilt: 1.0,
        max_tilt: 10.0,
        ..walker()
    };
    swarm.set_types(&[walker(), tilted]).expect("valid");
    for index in 0..333_u32 {
        let mut along = || 0.3 + 49.4 * numbers.next() as f32;
        let at = Vec2::new(along() - 3.0, along() + 7.0);
        let place = world.grid().layers().place(at, index % 2);
        let kind = i64::from(index / 2 % 2);
        swarm.spawn(&world, &[place], kind, 0).expect("inside");
    }
    swarm.step(&world, 0.01).expect("valid");
    let layout = InstanceLayout {
        color: true,
        custom: CustomData::User,
        ..LAYOUT
    };
    let rows = packed(&world, &swarm, &layout, 1.0);
    let mut tilts = 0;
    for (row, (index, &id)) in rows.chunks(20).zip(swarm.ids().iter().enumerate()) {
        let layers = world.grid().layers();
        let place = swarm.positions()[index];
        let (height, rise) = world
            .ground()
            .standing(layers.at(place), layers.flat(place))
            .expect("a height");
        assert_eq!(row[7], 0.25 + height);
        assert_eq!(swarm.drawn_height(id, 1.0, 0.25), Ok(row[7]));
        let up = glam::Vec3::new(row[1], row[5], row[9]) / 0.6;
        let is_tilted = swarm.kinds()[index] == 1;
        let normal = if is_tilted {
            glam::Vec3::new(-rise.x, 1.0, -rise.y).normalize()
        } else {
            glam::Vec3::Y
        };
        assert!(up.distance(normal) < 1.0e-5, "{index}: {up} {normal}");
        assert_eq!(row[12..16], [1.0; 4]);
        tilts += usize::from(normal.y < 0.99);
    }
    assert!(tilts > 50, "{tilts}");
}

#[test]
fn in_2d_heights_move_instances_up_if_wanted() {
    let mut world = hilly(IVec2::new(40, 40), 1.0);
    let mut swarm = Swarm::new(3);
    let places: Vec<Vec2> = (0..30).map(|at| Vec2::splat(1.5 + at as f32)).collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    swarm.step(&world, 0.01).expect("valid");
    let flat = InstanceLayout {
        plane: Plane::Xy,
        ..LAYOUT
    };
    let offset = InstanceLayout {
        height_offset_2d: 3.0,
        ..flat
    };
    let (before, after) = (
        packed(&world, &swarm, &flat, 1.0),
        packed(&world, &swarm, &offset, 1.0),
    );
    let (up, down) = swarm.drawn_offsets(3.0);
    for ((one, two), id) in before.chunks(8).zip(after.chunks(8)).zip(ids) {
        let ground = world
            .height_at(Vec2::new(one[3], one[7]))
            .expect("a height");
        assert_eq!(one[3], two[3]);
        assert!((one[7] - 3.0 * ground - two[7]).abs() < 1.0e-4);
        assert_eq!(swarm.drawn_offset(id, 1.0, 3.0), Ok(-3.0 * ground));
        assert!((up..=down).contains(&(-3.0 * ground)));
    }
    // A view that shows only what is drawn there has it.
    let y = after[15 * 8 + 7];
    let view = View {
        rect: Some((Vec2::new(16.4, y - 0.01), Vec2::new(16.6, y + 0.01))),
        ..View::default()
    };
    let mut packer = Packer::default();
    let chosen = swarm.instances(&offset, &view, &mut packer, world.workers());
    let count = chosen.expect("valid").len();
    assert!((1..30).contains(&count), "{count}");
    world.clear_heights(0).expect("a layer");
    swarm.set_ground(world.ground());
    let cleared: Vec<u32> = packed(&world, &swarm, &offset, 1.0)
        .iter()
        .map(|it| it.to_bits())
        .collect();
    let before: Vec<u32> = before.iter().map(|it| it.to_bits()).collect();
    assert_eq!(cleared, before);
}

/// The seconds that an agent takes to cross 30 units of ground that rises by `rise` along x.
fn crossing(rise: f32, speed: SlopeSpeed) -> f32 {
    let mut world = world(IVec2::new(40, 5), 1.0, Vec2::ZERO, 1);
    let heights: Vec<f32> = (0..41 * 6).map(|at| rise * (at % 41) as f32).collect();
    world.set_heights(0, &heights).expect("corners");
    let kind = MovementType::default().with_slope_speed(speed);
    world.set_movement_types(&[kind]).expect("one");
    let goal = world.create_goal(&[Vec2::new(39.5, 2.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let mut swarm = Swarm::new(3);
    swarm.set_types(&[walker()]).expect("valid");
    swarm
        .spawn(&world, &[Vec2::new(1.5, 2.5)], 0, 0)
        .expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for step in 1..20_000 {
        swarm.step(&world, 0.02).expect("valid");
        if swarm.positions()[0].x > 31.5 {
            return step as f32 * 0.02;
        }
    }
    f32::INFINITY
}

#[test]
fn slopes_change_speeds_up_and_down_apart() {
    let speed = SlopeSpeed::new(0.5, 1.6).expect("in range");
    let level = 30.0 / 1.4;
    for (rise, factor) in [
        (0.0, 1.0),
        (0.5, 0.75),
        (1.0, 0.5),
        (3.0, 0.5),
        (-0.5, 1.3),
        (-1.0, 1.6),
    ] {
        let seconds = crossing(rise, speed);
        assert!(
            (seconds * factor - level).abs() < 0.03 * level,
            "{rise}: {seconds}"
        );
    }
    assert_eq!(
        crossing(1.0, SlopeSpeed::default()),
        crossing(0.0, SlopeSpeed::default())
    );
}
