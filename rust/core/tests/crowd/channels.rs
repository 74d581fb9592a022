//! Agents that are divided among channels by their types and distances, as swarms with several looks draw them.

use crate::common::{center_of, world_of};
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentType, Band, Channels, CustomData, Eye, InstanceLayout, LayerView, MAX_BANDS, MAX_CHANNELS,
    Packer, Plane, Swarm, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

const WIDTH: usize = 120;
const HEIGHT: usize = 80;
const TYPES: usize = 5;
/// The height of the agents, and of a layer above the one below.
const LEVEL: f32 = 3.0;

fn layout() -> InstanceLayout {
    InstanceLayout {
        plane: Plane::Xz,
        custom: CustomData::User,
        height: LEVEL,
        ..InstanceLayout::default()
    }
}

/// Standing agents of all types, each with its number in the first integer column.
fn crowd(threads: usize, agents: usize) -> (FlowWorld, Swarm) {
    let map = open(WIDTH, HEIGHT);
    let world = world_of(&map, Workers::new(threads).expect("threads"));
    let mut swarm = Swarm::new(5);
    swarm
        .set_types(&vec![AgentType::default(); TYPES])
        .expect("valid");
    for number in 0..agents {
        let at = center_of(&map, number * 7919 % (WIDTH * HEIGHT));
        let kind = (number * number / 3 % TYPES) as i64;
        let id = swarm.spawn(&world, &[at], kind, 0).expect("inside");
        swarm
            .set_user_ints(0, &id, &[number as i32])
            .expect("alive");
    }
    // The columns no longer have the order of the ids.
    let gone: Vec<_> = swarm.ids().iter().copied().step_by(13).collect();
    swarm.despawn(&gone);
    (world, swarm)
}

fn band(from: f32, channel: impl Into<Option<u16>>) -> Band {
    let channel = channel.into();
    Band { from, channel }
}

/// The numbers of the agents of each channel, in the order in which they are drawn, and the bits of all instances.
fn drawn(
    (world, swarm): &(FlowWorld, Swarm),
    view: &View,
    channels: &Channels,
) -> (Vec<Vec<usize>>, Vec<u32>) {
    let (layout, mut packer) = (layout(), Packer::default());
    let workers = world.workers();
    let parts = swarm
        .instances_by_channel(&layout, view, channels, &mut packer, workers)
        .expect("valid");
    assert_eq!(parts.count(), channels.count());
    assert!(parts.of(parts.count()).is_empty(), "no such channel");
    let mut bits = Vec::new();
    let mut numbers = Vec::new();
    for channel in 0..parts.count() {
        let part = parts.of(channel);
        let mut buffer = vec![f32::NAN; part.len() * layout.stride()];
        part.write(&mut buffer, workers).expect("long enough");
        bits.extend(buffer.iter().map(|number| number.to_bits()));
        let rows = buffer.chunks(layout.stride());
        numbers.push(rows.map(|row| row[14] as usize).collect());
    }
    (numbers, bits)
}

/// The same, from every agent in turn. An agent of type `kind` at a distance has the channel of the last of its bands
/// that begins no farther.
fn expected(
    swarm: &Swarm,
    shown: &[usize],
    bands: &[Vec<Band>],
    count: usize,
    distance_of: impl Fn(Vec2) -> f32,
) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); count];
    for &index in shown {
        let number = swarm.user_ints(0).expect("a column")[index] as usize;
        let own = bands.get(usize::from(swarm.kinds()[index]));
        let own = own.filter(|bands| !bands.is_empty());
        let distance = distance_of(swarm.positions()[index]);
        let channel = match own {
            None => Some(0),
            Some(bands) => {
                let last = bands.iter().rev().find(|band| band.from <= distance);
                last.expect("the first begins at 0").channel
            }
        };
        if let Some(channel) = channel {
            lists[usize::from(channel)].push(number);
        }
    }
    lists
}

fn any_bands() -> impl Strategy<Value = Vec<Vec<Band>>> {
    let rest = prop::collection::vec((1_u8..90, prop::option::weighted(0.8, 0_u16..9)), 0..7);
    let bands = (prop::option::weighted(0.9, 0_u16..9), rest).prop_map(|(first, mut rest)| {
        rest.sort_unstable_by_key(|&(from, _)| from);
        let rest = rest
            .into_iter()
            .map(|(from, channel)| band(f32::from(from), channel));
        std::iter::once(band(0.0, first)).chain(rest).collect()
    });
    prop::collection::vec(prop_oneof![1 => Just(Vec::new()), 3 => bands], 0..TYPES)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Compares with a test of every agent: each is in the channel of its band, in the order of all, and nowhere else.
    #[test]
    fn every_agent_is_drawn_in_the_channel_of_its_band(
        bands in any_bands(),
        agents in prop_oneof![Just(0_usize), 1_usize..300, Just(20_000_usize)],
        (x, y, up) in (-10.0_f32..130.0, -10.0_f32..90.0, 0.0_f32..40.0),
        kind_of_eye in 0..3,
        culled in any::<bool>(),
        threads in 1_usize..4,
    ) {
        let scene = crowd(threads, agents);
        let (low, high) = (Vec2::new(20.0, 10.0), Vec2::new(90.0, 60.0));
        let position = Vec2::new(x, y);
        let eye = match kind_of_eye {
            0 => None,
            1 => Some(Eye::At { position, height: up }),
            _ => Some(Eye::Parallel { distance: up }),
        };
        let view = View { rect: culled.then_some((low, high)), eye, ..View::default() };
        let channels = Channels::new(&bands).expect("valid");
        let greatest = bands.iter().flatten().filter_map(|band| band.channel).max();
        prop_assert_eq!(channels.count(), usize::from(greatest.unwrap_or(0)) + 1);
        let all = 0..scene.1.len();
        let reach = AgentType::default().radius * 2.0_f32.sqrt();
        let shown: Vec<usize> = all.filter(|&index| {
            let at = scene.1.positions()[index];
            !culled || (at - at.clamp(low, high)).abs().max_element() <= reach
        }).collect();
        let distance_of = |at: Vec2| match eye {
            None => 0.0,
            Some(Eye::At { position, height }) => {
                at.extend(LEVEL).distance(position.extend(height))
            }
            Some(Eye::Parallel { distance }) => distance,
        };
        let expected = expected(&scene.1, &shown, &bands, channels.count(), distance_of);
        let (numbers, _) = drawn(&scene, &view, &channels);
        // Where an agent is as far away as a band begins, roundings decide.
        let is_near_an_edge = |number: usize| {
            let ints = scene.1.user_ints(0).expect("a column");
            let index = ints.iter().position(|&other| other as usize == number).expect("drawn");
            let distance = distance_of(scene.1.positions()[index]);
            bands.iter().flatten().any(|band| (band.from - distance).abs() < 1.0e-3)
        };
        for (found, wanted) in numbers.iter().zip(&expected) {
            if found != wanted {
                let keep = |list: &[usize]| -> Vec<usize> {
                    list.iter().copied().filter(|&number| !is_near_an_edge(number)).collect()
                };
                prop_assert_eq!(keep(found), keep(wanted));
            }
        }
    }

    /// The channels of any number of threads are bit-identical.
    #[test]
    fn channels_do_not_depend_on_threads(bands in any_bands(), y_sort in any::<bool>()) {
        let eye = Some(Eye::At { position: Vec2::new(60.0, 40.0), height: 9.0 });
        let view = View { eye, y_sort, ..View::default() };
        let channels = Channels::new(&bands).expect("valid");
        let one = drawn(&crowd(1, 30_000), &view, &channels);
        for threads in 2..4 {
            prop_assert_eq!(&drawn(&crowd(threads, 30_000), &view, &channels), &one);
        }
    }
}

/// Two types with channels of their own; the others have channel 0.
fn two_looks() -> Channels {
    let near_and_far = vec![band(0.0, 1), band(20.0, 2), band(60.0, None)];
    Channels::new(&[vec![], near_and_far, vec![band(0.0, 3)]]).expect("valid")
}

#[test]
fn each_channel_is_sorted_by_y() {
    let scene = crowd(2, 20_000);
    let view = View {
        y_sort: true,
        eye: Some(Eye::At {
            position: Vec2::new(60.0, 0.0),
            height: LEVEL,
        }),
        ..View::default()
    };
    let (numbers, _) = drawn(&scene, &view, &two_looks());
    let ints = scene.1.user_ints(0).expect("a column");
    let mut y_of = vec![f32::NAN; 20_000];
    for (&number, at) in ints.iter().zip(scene.1.positions()) {
        y_of[number as usize] = at.y;
    }
    for channel in &numbers {
        assert!(channel.len() > 100, "{}", channel.len());
        assert!(channel.is_sorted_by(|&one, &two| y_of[one] <= y_of[two] + 1.0e-4));
    }
    let beyond = scene.1.len() - numbers.iter().map(Vec::len).sum::<usize>();
    assert!(beyond > 100, "the far ones are not drawn: {beyond}");
}

#[test]
fn without_looks_instances_are_those_without_channels() {
    let scene = crowd(2, 20_000);
    let (world, swarm) = &scene;
    let rect = Some((Vec2::splat(9.0), Vec2::splat(70.0)));
    for view in [
        View::default(),
        View {
            rect,
            y_sort: true,
            ..View::default()
        },
    ] {
        let layout = layout();
        let mut packer = Packer::default();
        let all = swarm.instances(&layout, &view, &mut packer, world.workers());
        let all = all.expect("valid");
        let mut buffer = vec![0.0; all.len() * layout.stride()];
        all.write(&mut buffer, world.workers())
            .expect("long enough");
        let plain: Vec<u32> = buffer.iter().map(|number| number.to_bits()).collect();
        for channels in [
            Channels::default(),
            Channels::new(&[vec![], vec![band(0.0, 0), band(9.0, 0)]]).expect("valid"),
        ] {
            let (numbers, bits) = drawn(&scene, &view, &channels);
            assert_eq!(numbers.len(), 1);
            assert_eq!(bits, plain);
        }
    }
}

#[test]
fn heights_of_layers_count_for_distances() {
    let grid = Grid::layered(IVec2::new(20, 10), 1.0, Vec2::ZERO, 2).expect("small");
    let world = FlowWorld::new(grid, Workers::serial());
    let mut swarm = Swarm::new(1);
    let at = Vec2::new(5.0, 5.0);
    for layer in 0..2 {
        let place = grid.layers().place(at, layer);
        swarm.spawn(&world, &[place], 0, 0).expect("inside");
    }
    let view = LayerView {
        height: 10.0,
        ..LayerView::default()
    };
    swarm.set_layer_view(view).expect("valid");
    let channels = Channels::new(&[[band(0.0, 0), band(5.0, 1)]]).expect("valid");
    let mut packer = Packer::default();
    for (height, near) in [(LEVEL, 0), (LEVEL + 10.0, 1)] {
        let eye = Some(Eye::At {
            position: at,
            height,
        });
        let view = View {
            eye,
            ..View::default()
        };
        let layout = InstanceLayout {
            custom: CustomData::None,
            ..layout()
        };
        let workers = world.workers();
        let parts = swarm
            .instances_by_channel(&layout, &view, &channels, &mut packer, workers)
            .expect("valid");
        let mut row = vec![0.0; layout.stride()];
        parts.of(0).write(&mut row, workers).expect("one agent");
        assert_eq!([parts.of(0).len(), parts.of(1).len()], [1, 1]);
        assert_eq!(row[7], LEVEL + 10.0 * near as f32, "the agent on its layer");
    }
}

#[test]
fn bad_bands_and_eyes_are_refused() {
    let refused = |bands: Vec<Band>| {
        let channels = Channels::new(&[bands]);
        assert!(channels.is_err(), "{channels:?}");
    };
    refused(vec![band(0.0, 1); MAX_BANDS + 1]);
    refused(vec![band(0.0, MAX_CHANNELS as u16)]);
    refused(vec![band(1.0, 1)]);
    refused(vec![band(0.0, 1), band(5.0, 2), band(4.0, 3)]);
    for bad in [-1.0, 1.1e9, f32::NAN, f32::INFINITY] {
        refused(vec![band(0.0, 1), band(bad, 2)]);
    }
    let many = vec![vec![band(0.0, 1)]; 257];
    assert!(Channels::new(&many).is_err(), "257 types");
    let (world, swarm) = crowd(1, 3);
    for eye in [
        Eye::At {
            position: Vec2::new(f32::NAN, 0.0),
            height: 0.0,
        },
        Eye::At {
            position: Vec2::ZERO,
            height: f32::INFINITY,
        },
        Eye::Parallel { distance: f32::NAN },
        Eye::Parallel { distance: -1.0 },
    ] {
        let view = View {
            eye: Some(eye),
            ..View::default()
        };
        let mut packer = Packer::default();
        let parts = swarm.instances_by_channel(
            &layout(),
            &view,
            &two_looks(),
            &mut packer,
            world.workers(),
        );
        assert!(parts.is_err(), "{eye:?}");
    }
}

#[test]
fn the_farthest_eye_sees_the_last_band() {
    let scene = crowd(1, 100);
    let bands = vec![vec![band(0.0, 1), band(1.0e9, 2)]; TYPES];
    let channels = Channels::new(&bands).expect("valid");
    for eye in [
        Eye::At {
            position: Vec2::splat(f32::MAX),
            height: f32::MAX,
        },
        Eye::Parallel { distance: f32::MAX },
    ] {
        let view = View {
            eye: Some(eye),
            ..View::default()
        };
        let (numbers, _) = drawn(&scene, &view, &channels);
        assert_eq!(numbers[2].len(), scene.1.len());
    }
}
