//! The instances that are drawn for a crowd: which agents, in which order, where and in which colours.

use crate::common::{center_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, CustomData, InstanceLayout, Packer, Palette, Plane, Swarm,
    Tracking, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

const WIDTH: usize = 60;
const HEIGHT: usize = 40;
const RADII: [f32; 2] = [0.3, 0.9];
const DT: f32 = 0.05;

fn layout(custom: CustomData) -> InstanceLayout {
    InstanceLayout {
        plane: Plane::Xy,
        color: true,
        custom,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    }
}

/// A crowd of two types and two groups that walks to the right, spread over the map.
fn crowd(threads: usize, agents: usize) -> (FlowWorld, Swarm) {
    let map = open(WIDTH, HEIGHT);
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let goal = world.create_goal(&[Vec2::new(58.0, 20.0)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(11);
    let kinds = RADII.map(|radius| AgentType {
        radius,
        max_speed: 3.0,
        color: [0.5, 1.0, 1.0, 1.0],
        ..AgentType::default()
    });
    swarm.set_types(&kinds).expect("valid");
    for number in 0..agents {
        let at = center_of(&map, number * 37 % (WIDTH * HEIGHT));
        let (kind, group) = ((number % 2) as i64, (number / 2 % 2) as i64);
        swarm.spawn(&world, &[at], kind, group).expect("inside");
    }
    for group in 0..2 {
        swarm.set_group_goal(group, Some(goal)).expect("a group");
    }
    (world, swarm)
}

/// The rows of the buffer that are drawn.
fn rows(world: &FlowWorld, swarm: &Swarm, layout: &InstanceLayout, view: &View) -> Vec<Vec<f32>> {
    let mut packer = Packer::default();
    let workers = world.workers();
    let instances = swarm
        .instances(layout, view, &mut packer, workers)
        .expect("valid");
    let mut buffer = vec![f32::NAN; instances.len() * layout.stride()];
    instances.write(&mut buffer, workers).expect("long enough");
    assert!(buffer.iter().all(|number| number.is_finite()));
    buffer
        .chunks(layout.stride())
        .map(<[f32]>::to_vec)
        .collect()
}

fn place(row: &[f32]) -> Vec2 {
    Vec2::new(row[3], row[7])
}

fn moved(world: &FlowWorld, swarm: &mut Swarm, steps: usize) {
    for _ in 0..steps {
        swarm.step(world, DT).expect("valid");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Compares with a test of every agent.
    #[test]
    fn agents_that_reach_into_the_view_are_drawn(
        (x, y) in (-5.0_f32..65.0, -5.0_f32..45.0),
        (width, height) in (0.0_f32..30.0, 0.0_f32..30.0),
        margin in prop_oneof![Just(0.0_f32), 0.0_f32..4.0],
        y_sort in any::<bool>(),
        threads in 1_usize..3,
    ) {
        let (world, mut swarm) = crowd(threads, 9000);
        moved(&world, &mut swarm, 1);
        let (low, high) = (Vec2::new(x, y), Vec2::new(x + width, y + height));
        let view = View { rect: Some((low, high)), margin, y_sort, ..View::default() };
        let drawn = rows(&world, &swarm, &layout(CustomData::None), &view);
        let expected: Vec<usize> = (0..swarm.len()).filter(|&index| {
            let at = swarm.positions()[index];
            let reach = RADII[usize::from(swarm.kinds()[index])] * 2.0_f32.sqrt() + margin;
            let off = (at - at.clamp(low, high)).abs().max_element();
            off <= reach
        }).collect();
        prop_assert_eq!(drawn.len(), expected.len());
        if y_sort {
            prop_assert!(drawn.is_sorted_by(|one, two| one[7] <= two[7] + 1.0e-4));
        } else {
            for (row, index) in drawn.iter().zip(expected) {
                prop_assert_eq!(place(row), swarm.positions()[index]);
            }
        }
    }
}

#[test]
fn a_sorted_crowd_is_drawn_from_top_to_bottom() {
    let (world, mut swarm) = crowd(2, 20_000);
    moved(&world, &mut swarm, 3);
    let view = View {
        y_sort: true,
        ..View::default()
    };
    let drawn = rows(&world, &swarm, &layout(CustomData::None), &view);
    assert_eq!(drawn.len(), swarm.len());
    // The levels of the sort are a four-millionth of the crowd's height.
    assert!(drawn.is_sorted_by(|one, two| one[7] <= two[7] + HEIGHT as f32 / 4.0e6));
    let sorted =
        |rows: &mut Vec<Vec2>| rows.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut places: Vec<Vec2> = drawn.iter().map(|row| place(row)).collect();
    let mut expected = swarm.positions().to_vec();
    sorted(&mut places);
    sorted(&mut expected);
    assert_eq!(places, expected, "each once");
}

#[test]
fn of_the_same_height_the_ids_decide() {
    let (world, mut swarm) = crowd(1, 0);
    let places: Vec<Vec2> = (0..50)
        .map(|number| Vec2::new(number as f32, 5.0))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    // The last agent takes the place of the first one in the columns.
    swarm.despawn(&ids[..1]);
    let numbers: Vec<i32> = (1..50).collect();
    swarm.set_user_ints(0, &ids[1..], &numbers).expect("alive");
    let view = View {
        y_sort: true,
        ..View::default()
    };
    let drawn = rows(&world, &swarm, &layout(CustomData::User), &view);
    let order: Vec<i32> = drawn.iter().map(|row| row[14] as i32).collect();
    assert_eq!(order, numbers);
}

#[test]
fn of_single_agents_only_known_ones_and_fractions_can_be_read() {
    let (world, mut swarm) = crowd(1, 2);
    let id = swarm.ids()[0];
    let velocity = Vec2::new(3.0, -1.0);
    assert_eq!(swarm.scripted_velocity(id), Ok(Vec2::ZERO));
    swarm
        .set_scripted_velocities(&[id], &[velocity])
        .expect("alive");
    moved(&world, &mut swarm, 1);
    assert_eq!(swarm.scripted_velocity(id), Ok(velocity));
    for fraction in [-0.1, 1.1, f32::NAN] {
        assert!(swarm.drawn_pose(id, fraction).is_err());
    }
    swarm.despawn(&[id]);
    assert!(swarm.scripted_velocity(id).is_err());
    assert!(swarm.drawn_pose(id, 1.0).is_err());
}

#[test]
fn between_steps_agents_are_between_their_places() {
    let (world, mut swarm) = crowd(2, 9000);
    let between_steps = true;
    swarm
        .set_tracking(Tracking {
            between_steps,
            ..Tracking::default()
        })
        .expect("valid");
    let shown = |world: &FlowWorld, swarm: &Swarm, fraction: f32| {
        let view = View {
            fraction,
            ..View::default()
        };
        rows(world, swarm, &layout(CustomData::Motion), &view)
    };
    let first = shown(&world, &swarm, 0.0);
    assert!(
        first
            .iter()
            .zip(swarm.positions())
            .all(|(row, &at)| place(row) == at),
        "no step yet"
    );
    for _ in 0..12 {
        let before: Vec<(AgentId, Vec2)> = swarm
            .ids()
            .iter()
            .copied()
            .zip(swarm.positions().iter().copied())
            .collect();
        moved(&world, &mut swarm, 1);
        for fraction in [0.0, 0.3, 1.0] {
            let drawn = shown(&world, &swarm, fraction);
            for &(id, from) in &before {
                let index = swarm.index_of(id).expect("alive");
                let expected = from.lerp(swarm.positions()[index], fraction);
                assert!(place(&drawn[index]).distance(expected) < 1.0e-4);
                let heading = Vec2::new(drawn[index][12], drawn[index][13]);
                assert!((heading.length() - 1.0).abs() < 1.0e-4);
                let drawn = (place(&drawn[index]), heading);
                assert_eq!(swarm.drawn_pose(id, fraction), Ok(drawn));
            }
        }
    }
    // Agents that were teleported or have just spawned are not interpolated.
    let id = swarm.ids()[4];
    swarm
        .set_positions(&world, &[id], &[Vec2::new(50.0, 3.0)])
        .expect("inside");
    let new = swarm
        .spawn(&world, &[Vec2::new(2.0, 2.0)], 0, 0)
        .expect("inside")[0];
    let gone = swarm.ids()[0];
    swarm.despawn(&[gone]);
    let drawn = shown(&world, &swarm, 0.25);
    for (id, at) in [(id, Vec2::new(50.0, 3.0)), (new, Vec2::new(2.0, 2.0))] {
        assert_eq!(place(&drawn[swarm.index_of(id).expect("alive")]), at);
    }
    let save = swarm.save();
    swarm.load(&save).expect("just saved");
    let drawn = shown(&world, &swarm, 0.5);
    assert!(
        drawn
            .iter()
            .zip(swarm.positions())
            .all(|(row, &at)| place(row) == at),
        "loaded"
    );
}

#[test]
fn nothing_that_is_drawn_changes_the_crowd() {
    let hashes = [false, true].map(|watched| {
        let (world, mut swarm) = crowd(2, 9000);
        if watched {
            let tracking = Tracking {
                between_steps: true,
                walk_cycle: Some(2.0),
            };
            swarm.set_tracking(tracking).expect("valid");
            swarm.set_palette(Palette::new(&[[0.1; 4]; 3], &[[0.2; 4]; 9]).expect("valid"));
        }
        moved(&world, &mut swarm, 10);
        if watched {
            let rect = Some((Vec2::ZERO, Vec2::splat(9.0)));
            let view = View {
                rect,
                y_sort: true,
                fraction: 0.5,
                ..View::default()
            };
            rows(&world, &swarm, &layout(CustomData::Sprite), &view);
        }
        moved(&world, &mut swarm, 10);
        swarm.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn phases_follow_the_way() {
    const CYCLE: f32 = 2.5;
    let (world, mut swarm) = crowd(2, 9000);
    let tracking = Tracking {
        between_steps: true,
        walk_cycle: Some(CYCLE),
    };
    swarm.set_tracking(tracking).expect("valid");
    moved(&world, &mut swarm, 1);
    let sprites = layout(CustomData::Sprite);
    let first = rows(&world, &swarm, &sprites, &View::default());
    let sum: f32 = first.iter().map(|row| row[12]).sum();
    assert!(
        (sum / first.len() as f32 - 0.5).abs() < 0.02,
        "they begin anywhere"
    );
    let mut phases: std::collections::BTreeMap<AgentId, f32> = swarm
        .ids()
        .iter()
        .copied()
        .zip(first.iter().map(|row| row[12]))
        .collect();
    for step in 0..25 {
        let before: std::collections::BTreeMap<AgentId, Vec2> = swarm
            .ids()
            .iter()
            .copied()
            .zip(swarm.positions().iter().copied())
            .collect();
        if step == 10 {
            let gone: Vec<AgentId> = swarm.ids().iter().copied().step_by(7).collect();
            swarm.despawn(&gone);
        }
        moved(&world, &mut swarm, 1);
        let now = rows(&world, &swarm, &sprites, &View::default());
        let begin = rows(
            &world,
            &swarm,
            &sprites,
            &View {
                fraction: 0.0,
                ..View::default()
            },
        );
        for (index, id) in swarm.ids().iter().enumerate() {
            let diameter = 2.0 * RADII[usize::from(swarm.kinds()[index])];
            let way = swarm.positions()[index].distance(before[id]);
            let expected = phases[id] + way / (CYCLE * diameter);
            let (now, begin) = (now[index][12], begin[index][12]);
            let off = |one: f32, two: f32| ((one - two + 1.5).rem_euclid(1.0) - 0.5).abs();
            assert!(off(now, expected) < 1.0e-4, "{now} for {expected}");
            assert!(
                off(begin, phases[id]) < 1.0e-4,
                "{begin} for {}",
                phases[id]
            );
            phases.insert(*id, now);
        }
    }
}

#[test]
fn presets_have_what_they_promise() {
    let (world, mut swarm) = crowd(1, 0);
    let id = swarm
        .spawn(&world, &[Vec2::new(5.0, 5.0)], 0, 1)
        .expect("inside");
    swarm.set_state(&id, AgentState::Scripted).expect("alive");
    // Half of the greatest speed, downwards on the screen.
    swarm
        .set_scripted_velocities(&id, &[Vec2::new(0.0, 1.5)])
        .expect("alive");
    moved(&world, &mut swarm, 40);
    swarm.set_user_ints(0, &id, &[3]).expect("alive");
    swarm.set_user_ints(1, &id, &[-4]).expect("alive");
    swarm.set_user_floats(0, &id, &[0.25]).expect("alive");
    swarm.set_user_floats(1, &id, &[-8.5]).expect("alive");
    let custom = |preset| {
        let layout = layout(preset);
        let row = &rows(&world, &swarm, &layout, &View::default())[0];
        row[row.len() - 4..].to_vec()
    };
    let close = |preset, expected: [f32; 4]| {
        let found = custom(preset);
        let close = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1.0e-3);
        assert!(close, "{preset:?}: {found:?}");
    };
    close(CustomData::Motion, [0.0, 1.0, 0.5, 2.0]);
    close(CustomData::Sprite, [0.0, 0.25, 0.5, 3.0]);
    close(CustomData::Vertices, [0.0, 0.5, 3.0, 0.25]);
    close(CustomData::User, [0.25, -8.5, 3.0, -4.0]);
}

#[test]
fn colors_are_products() {
    let (world, mut swarm) = crowd(1, 8);
    let ids = swarm.ids().to_vec();
    swarm.set_state(&ids[..4], AgentState::Idle).expect("alive");
    let states = [[1.0; 4], [1.0, 0.5, 1.0, 1.0]];
    let groups = [[1.0; 4], [1.0, 1.0, 0.25, 0.5]];
    assert!(swarm.has_colors(), "the types have");
    swarm.set_palette(Palette::new(&states, &groups).expect("valid"));
    let drawn = rows(&world, &swarm, &layout(CustomData::None), &View::default());
    for (number, row) in drawn.iter().enumerate() {
        let green = if number < 4 { 0.5 } else { 1.0 };
        let (blue, alpha) = if number / 2 % 2 == 1 {
            (0.25, 0.5)
        } else {
            (1.0, 1.0)
        };
        assert_eq!(row[8..12], [0.5, green, blue, alpha], "agent {number}");
    }
    let mut plain = Swarm::new(1);
    assert!(!plain.has_colors());
    plain.set_palette(Palette::new(&[[1.0; 4]; 3], &[]).expect("valid"));
    assert!(!plain.has_colors());
    plain.set_palette(Palette::new(&[], &[[1.0; 4], [1.0, 0.9, 1.0, 1.0]]).expect("valid"));
    assert!(plain.has_colors());
}
