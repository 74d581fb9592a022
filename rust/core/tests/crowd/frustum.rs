//! Agents that a camera in 3D shows are drawn, and hardly any others.

use crate::common::{center_of, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentType, Avoidance, Extent, Frustum, InstanceLayout, LayerView, MAX_FRUSTUM_PLANES, Packer,
    Plane, Swarm, Tracking, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2, Vec3};
use flow_swarm_bench::maps::open;
use glam::DVec3;
use proptest::prelude::*;

const WIDTH: usize = 60;
const HEIGHT: usize = 40;
const AGENTS: usize = 9000;
const DT: f32 = 0.05;
/// A slim figure whose foot is above the ground.
const EXTENT: Extent = Extent {
    radius: 0.4,
    low: 0.25,
    high: 2.0,
};
const LAYOUT: InstanceLayout = InstanceLayout {
    plane: Plane::Xz,
    color: false,
    custom: flow_swarm::swarm::CustomData::None,
    face_movement: true,
    size: 1.5,
    height: 0.5,
    height_offset_2d: 0.0,
};

/// A crowd on hills and on a plain floor above them: upright, tilted, and with a size of their own.
fn crowd(threads: usize) -> (FlowWorld, Swarm) {
    let map = open(WIDTH, HEIGHT);
    let size = IVec2::new(WIDTH as i32, HEIGHT as i32);
    let grid = Grid::layered(size, 1.0, Vec2::ZERO, 2).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::new(threads).expect("threads"));
    let corners = (0..=HEIGHT).flat_map(|y| (0..=WIDTH).map(move |x| (x as f32, y as f32)));
    let heights: Vec<f32> = corners
        .map(|(x, y)| 4.0 * (0.3 * x).sin() * (0.4 * y).cos())
        .collect();
    world.set_heights(0, &heights).expect("corners");
    let mut swarm = Swarm::new(11);
    let upright = AgentType {
        radius: 0.3,
        avoidance: Avoidance::None,
        ..AgentType::default()
    };
    let kinds = [
        upright,
        AgentType {
            radius: 0.6,
            tilt: 1.0,
            ..upright
        },
        AgentType {
            instance_size: 4.0,
            ..upright
        },
    ];
    swarm.set_types(&kinds).expect("valid");
    let view = LayerView {
        height: 9.0,
        only: None,
    };
    swarm.set_layer_view(view).expect("valid");
    swarm
        .set_tracking(Tracking {
            between_steps: true,
            walk_cycle: None,
        })
        .expect("valid");
    for number in 0..AGENTS {
        let at = center_of(&map, number * 37 % (WIDTH * HEIGHT));
        // No two agents are at the same place.
        let at = at + Vec2::new(number as f32 / AGENTS as f32 - 0.5, 0.0) * 0.9;
        let place = world.grid().layers().place(at, (number % 3 / 2) as u32);
        let kind = (number % 5 % 3) as i64;
        let ids = swarm.spawn(&world, &[place], kind, 0).expect("inside");
        if number % 7 == 0 {
            swarm.set_size_factors(&ids, &[2.5]).expect("valid");
        }
    }
    let ids = swarm.ids().to_vec();
    let state = flow_swarm::swarm::AgentState::Scripted;
    swarm.set_state(&ids, state).expect("alive");
    swarm
        .set_scripted_velocities(&ids, &vec![Vec2::new(3.0, 1.0); AGENTS])
        .expect("valid");
    swarm.step(&world, DT).expect("valid");
    (world, swarm)
}

/// A plane in double precision: its normal and its offset.
type Exact = (DVec3, f64);

#[derive(Debug, Clone, Copy)]
struct Camera {
    at: DVec3,
    yaw: f64,
    pitch: f64,
    /// Half the height of what is seen at a distance of 1, or of all if it is parallel.
    half: f64,
    is_parallel: bool,
    far: f64,
}

impl Camera {
    fn planes(&self) -> Vec<Exact> {
        let (sin, cos) = self.pitch.sin_cos();
        let ahead = DVec3::new(self.yaw.cos() * cos, sin, self.yaw.sin() * cos);
        let right = ahead.cross(DVec3::Y).normalize();
        let up = right.cross(ahead);
        let mut planes = vec![
            (-ahead, -ahead.dot(self.at) - 0.1),
            (ahead, ahead.dot(self.at) + self.far),
        ];
        for (side, half) in [
            (right, 1.5 * self.half),
            (-right, 1.5 * self.half),
            (up, self.half),
            (-up, self.half),
        ] {
            planes.push(if self.is_parallel {
                (side, side.dot(self.at) + half)
            } else {
                let normal = (side - ahead * half).normalize();
                (normal, normal.dot(self.at))
            });
        }
        planes
    }
}

fn camera() -> impl Strategy<Value = Camera> {
    let at = (-20.0..80.0, -5.0..40.0, -20.0..60.0);
    let turn = (0.0..std::f64::consts::TAU, -1.5..1.0);
    (at, turn, 0.2..1.2, any::<bool>(), 10.0..100.0).prop_map(
        |((x, y, z), (yaw, pitch), half, is_parallel, far)| Camera {
            at: DVec3::new(x, y, z),
            yaw,
            pitch,
            half: if is_parallel { 10.0 * half } else { half },
            is_parallel,
            far,
        },
    )
}

fn frustum(planes: &[Exact], lengths: f32) -> Frustum {
    let planes: Vec<(Vec3, f32)> = planes
        .iter()
        .map(|&(normal, offset)| (normal.as_vec3() * lengths, offset as f32 * lengths))
        .collect();
    Frustum::new(&planes, EXTENT).expect("valid")
}

/// The rows of the buffer that are drawn.
fn rows(world: &FlowWorld, swarm: &Swarm, view: &View) -> Vec<Vec<f32>> {
    let (mut packer, workers) = (Packer::default(), world.workers());
    let instances = swarm.instances(&LAYOUT, view, &mut packer, workers);
    let instances = instances.expect("valid");
    let mut buffer = vec![f32::NAN; instances.len() * LAYOUT.stride()];
    instances.write(&mut buffer, workers).expect("long enough");
    buffer
        .chunks(LAYOUT.stride())
        .map(<[f32]>::to_vec)
        .collect()
}

/// Points on both rims of the cylinder that an instance's mesh is in, where they are drawn.
fn rims(row: &[f32]) -> Vec<DVec3> {
    let [x, y, z, origin] = [0, 1, 2, 3].map(|column| {
        let [x, y, z] = [0, 4, 8].map(|line| f64::from(row[line + column]));
        DVec3::new(x, y, z)
    });
    let mut points = Vec::new();
    for height in [EXTENT.low, EXTENT.high] {
        for part in 0..64 {
            let angle = f64::from(part) * std::f64::consts::TAU / 64.0;
            let (sin, cos) = angle.sin_cos();
            let radius = f64::from(EXTENT.radius);
            let flat = x * (radius * cos) + z * (radius * sin);
            points.push(origin + flat + y * f64::from(height));
        }
    }
    points
}

/// How far the nearest of some points is in front of a plane.
fn distance(points: &[DVec3], &(normal, offset): &Exact) -> f64 {
    let distances = points.iter().map(|point| normal.dot(*point) - offset);
    distances.fold(f64::INFINITY, f64::min)
}

/// Whether a plane tells that an instance is out of view by more than `slack`.
fn is_outside(row: &[f32], planes: &[Exact], slack: f64) -> bool {
    let points = rims(row);
    planes.iter().any(|plane| distance(&points, plane) > slack)
}

/// Whether some point of an instance is in view by more than a millimetre.
fn is_seen(row: &[f32], planes: &[Exact]) -> bool {
    let is_inside = |point: &DVec3| {
        planes
            .iter()
            .all(|plane| distance(&[*point], plane) < -1.0e-3)
    };
    rims(row).iter().any(is_inside)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Tests points of every instance as it is drawn.
    #[test]
    fn instances_that_a_camera_shows_are_drawn_and_few_others(
        camera in camera(),
        margin in prop_oneof![Just(0.0_f32), 0.0_f32..3.0],
        fraction in prop_oneof![Just(1.0_f32), 0.0_f32..1.0],
        lengths in prop_oneof![Just(1.0_f32), 0.01_f32..100.0],
        threads in 1_usize..3,
    ) {
        let (world, swarm) = crowd(threads);
        let planes = camera.planes();
        let everything = View { fraction, ..View::default() };
        let view = View { frustum: Some(frustum(&planes, lengths)), margin, ..everything };
        let drawn = rows(&world, &swarm, &view);
        let mut drawn = drawn.iter().peekable();
        for (index, row) in rows(&world, &swarm, &everything).iter().enumerate() {
            let is_drawn = drawn.next_if(|next| *next == row).is_some();
            if is_drawn {
                // Tilted ones may reach as far in any direction.
                let is_tilted = swarm.kinds()[index] == 1;
                let width = DVec3::new(row[0].into(), row[4].into(), row[8].into()).length();
                let slack = if is_tilted { 4.2 * width } else { 0.01 * width };
                let slack = slack + f64::from(margin) + 1.0e-3;
                prop_assert!(!is_outside(row, &planes, slack), "agent {index} is out of view");
            } else {
                prop_assert!(!is_seen(row, &planes), "agent {index} is in view");
                let is_near = !is_outside(row, &planes, f64::from(margin) - 1.0e-3);
                prop_assert!(!is_near, "agent {index} is within the margin");
            }
        }
        prop_assert!(drawn.next().is_none(), "they keep their order");
    }
}

/// A camera that looks down at a part of the crowd from its side.
fn usual() -> Camera {
    Camera {
        at: DVec3::new(20.0, 12.0, -10.0),
        yaw: 1.2,
        pitch: -0.4,
        half: 0.5,
        is_parallel: false,
        far: 60.0,
    }
}

#[test]
fn a_frustum_counts_beside_a_rectangle_and_the_order() {
    let (world, swarm) = crowd(1);
    let planes = usual().planes();
    let seen = View {
        frustum: Some(frustum(&planes, 1.0)),
        ..View::default()
    };
    let rect = Some((Vec2::ZERO, Vec2::new(26.0, 40.0)));
    let both = View {
        rect,
        y_sort: true,
        ..seen
    };
    let bits = |view: &View| {
        let rows = rows(&world, &swarm, view);
        let mut rows: Vec<Vec<u32>> = rows
            .iter()
            .map(|row| row.iter().map(|number| number.to_bits()).collect())
            .collect();
        rows.sort_unstable();
        rows
    };
    let in_rect = bits(&View {
        rect,
        ..View::default()
    });
    let in_frustum = bits(&seen);
    let expected: Vec<_> = in_rect
        .iter()
        .filter(|row| in_frustum.binary_search(row).is_ok())
        .cloned()
        .collect();
    let counts = [expected.len(), in_rect.len(), in_frustum.len()];
    assert!(
        counts[0] > 100 && counts[0] < counts[1].min(counts[2]),
        "{counts:?}"
    );
    assert_eq!(bits(&both), expected);
    let sorted = rows(&world, &swarm, &both);
    assert!(sorted.is_sorted_by(|one, two| one[11] <= two[11] + 1.0e-4));
}

#[test]
fn in_2d_a_frustum_does_not_count() {
    let (world, swarm) = crowd(1);
    let nothing = Frustum::new(&[(Vec3::Y, -1.0e6)], EXTENT).expect("valid");
    let view = View {
        frustum: Some(nothing),
        ..View::default()
    };
    assert_eq!(rows(&world, &swarm, &view).len(), 0);
    let flat = InstanceLayout {
        plane: Plane::Xy,
        ..LAYOUT
    };
    let mut packer = Packer::default();
    let all = swarm.instances(&flat, &view, &mut packer, world.workers());
    assert_eq!(all.expect("valid").len(), AGENTS);
}

#[test]
fn without_planes_all_of_space_is_seen() {
    let (world, swarm) = crowd(1);
    let view = View {
        frustum: Some(Frustum::new(&[], EXTENT).expect("valid")),
        ..View::default()
    };
    assert_eq!(rows(&world, &swarm, &view).len(), AGENTS);
}

#[test]
fn bad_frustums_are_refused_by_name() {
    let refused = |planes: &[(Vec3, f32)], extent: Extent| {
        let error = Frustum::new(planes, extent).expect_err("refused");
        error.to_string()
    };
    let plane = (Vec3::Y, 1.0);
    for (name, planes) in [
        ("number of planes", vec![plane; MAX_FRUSTUM_PLANES + 1]),
        (
            "normal of plane",
            vec![plane, (Vec3::new(f32::NAN, 0.0, 0.0), 1.0)],
        ),
        ("length of normal", vec![(Vec3::ZERO, 1.0)]),
        ("length of normal", vec![(Vec3::splat(1.0e30), 1.0)]),
        ("offset of plane", vec![(Vec3::Y, f32::INFINITY)]),
        ("offset of plane", vec![(Vec3::Y, f32::NAN)]),
        ("offset of plane", vec![(Vec3::Y * 1.0e-9, 1.0e38)]),
    ] {
        let text = refused(&planes, EXTENT);
        assert!(text.contains(name), "{name} in {text}");
    }
    for (name, extent) in [
        (
            "radius",
            Extent {
                radius: -0.1,
                ..EXTENT
            },
        ),
        (
            "radius",
            Extent {
                radius: f32::NAN,
                ..EXTENT
            },
        ),
        (
            "low end",
            Extent {
                low: -2.0e6,
                ..EXTENT
            },
        ),
        (
            "high end",
            Extent {
                high: 0.2,
                ..EXTENT
            },
        ),
        (
            "high end",
            Extent {
                high: f32::INFINITY,
                ..EXTENT
            },
        ),
    ] {
        let text = refused(&[plane], extent);
        assert!(text.contains(name), "{name} in {text}");
    }
    assert!(matches!(
        Frustum::new(&[(Vec3::NAN, 0.0)], EXTENT),
        Err(Error::NotFinite3d { .. })
    ));
}

#[test]
fn agents_on_links_are_seen_where_they_are_drawn() {
    use flow_swarm::grid::links::Link;
    use flow_swarm::grid::travel::Travel;
    let map = open(12, 3);
    let mut world = world_of(&map, Workers::serial());
    let link = Link {
        from: IVec2::new(2, 1),
        to: IVec2::new(9, 1),
        cost: 1.0,
        both_ways: false,
        travel: Travel::Timed {
            seconds: 1.0,
            arc: 8.0,
        },
    };
    world.add_link(link).expect("inside");
    let goal = world.create_goal(&[Vec2::new(10.5, 1.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let mut swarm = Swarm::new(1);
    swarm
        .set_types(&[AgentType {
            radius: 0.3,
            ..AgentType::default()
        }])
        .expect("valid");
    swarm
        .spawn(&world, &[Vec2::new(2.5, 1.5)], 0, 0)
        .expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for _ in 0..11 {
        swarm.request_routes(&mut world).expect("valid");
        world.update();
        swarm.step(&world, DT).expect("valid");
    }
    let above = |height: f32| View {
        frustum: Some(Frustum::new(&[(Vec3::NEG_Y, -height)], EXTENT).expect("valid")),
        ..View::default()
    };
    let top = rows(&world, &swarm, &View::default())[0][7];
    assert!(top > 7.0, "it is on its arc: {top}");
    assert_eq!(rows(&world, &swarm, &above(top - 0.5)).len(), 1);
    assert_eq!(rows(&world, &swarm, &above(top + 2.5)).len(), 0);
    let (low, high) = swarm.drawn_heights(&world, 0.5);
    assert_eq!((low, high), (0.5, 8.5), "the ground, and the arc above it");
    assert!((low..=high).contains(&top));
}
