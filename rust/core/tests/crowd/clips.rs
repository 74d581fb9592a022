//! Clips of characters: what agents play, and what shaders are told of it.

use crate::common::world_on;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, Avoidance, CharacterClips, Clip, CustomData, InstanceLayout,
    Packer, Plane, Stride, Swarm, Tracking, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const DT: f32 = 1.0 / 64.0;
/// 2 diameters a second.
const WALK: Stride = Stride {
    distance: 2.0,
    seconds: 1.0,
};
const ATTACK: Clip = Clip {
    number: 5,
    seconds: 1.0,
    once: true,
    blend: 0.25,
};

fn game(count: usize) -> (FlowWorld, Swarm, Vec<AgentId>) {
    let grid = Grid::new(IVec2::new(80, 40), 1.0, Vec2::ZERO).expect("valid");
    let mut world = world_on(grid, &open(80, 40), Workers::new(2).expect("threads"));
    world.update();
    let mut swarm = Swarm::new(1);
    let clips = CharacterClips {
        idle_seconds: 4.0,
        walk: Some(WALK),
        run: Some(Stride {
            distance: 3.0,
            seconds: 0.5,
        }),
        death: Some((7, 1.5)),
    };
    let kind = AgentType {
        radius: 0.5,
        max_speed: 20.0,
        acceleration: 1.0e6,
        avoidance: Avoidance::None,
        clips,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_tracking(tracking()).expect("valid");
    let places: Vec<Vec2> = (0..count)
        .map(|n| Vec2::new(5.5, 1.5 + 0.9 * n as f32))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    swarm.set_state(&ids, AgentState::Scripted).expect("alive");
    (world, swarm, ids)
}

fn tracking() -> Tracking {
    Tracking {
        between_steps: true,
        walk_cycle: Some(4.0),
    }
}

fn steps(world: &mut FlowWorld, swarm: &mut Swarm, count: usize) {
    for _ in 0..count {
        swarm.request_routes(world).expect("valid");
        world.update();
        swarm.step(world, DT).expect("valid");
    }
}

/// What shaders read of an agent, at a fraction of the last step.
fn custom_at(swarm: &Swarm, id: AgentId, fraction: f32) -> [f32; 4] {
    let layout = InstanceLayout {
        plane: Plane::Xz,
        custom: CustomData::Character,
        ..InstanceLayout::default()
    };
    let view = View {
        fraction,
        ..View::default()
    };
    let (mut packer, workers) = (Packer::default(), Workers::serial());
    let instances = swarm.instances(&layout, &view, &mut packer, &workers);
    let instances = instances.expect("valid");
    let mut out = vec![0.0; instances.len() * layout.stride()];
    instances.write(&mut out, &workers).expect("as long");
    let index = swarm.index_of(id).expect("alive");
    let row = &out[index * layout.stride()..][..layout.stride()];
    row[layout.stride() - 4..].try_into().expect("four")
}

fn custom(swarm: &Swarm, id: AgentId) -> [f32; 4] {
    custom_at(swarm, id, 1.0)
}

fn apart(one: f32, two: f32) -> f32 {
    ((one - two + 1.5).rem_euclid(1.0) - 0.5).abs()
}

#[test]
fn phases_follow_the_ground_covered_by_each_size() {
    let (mut world, mut swarm, ids) = game(4);
    swarm.set_size_factors(&ids[1..2], &[2.0]).expect("valid");
    // Walks, the second one at the same strides a second; stands; runs.
    let speeds = [2.0, 4.0, 0.0, 6.0].map(|speed| Vec2::new(speed, 0.0));
    swarm.set_scripted_velocities(&ids, &speeds).expect("valid");
    steps(&mut world, &mut swarm, 128);
    let before: Vec<_> = ids.iter().map(|&id| custom(&swarm, id)).collect();
    assert_eq!(
        [0, 1, 2, 3].map(|index| before[index][1]),
        [1.0, 1.0, 0.0, 2.0]
    );
    steps(&mut world, &mut swarm, 16);
    let cycles = [0.25, 0.25, 0.25 / 4.0, 0.5];
    for ((&id, before), cycles) in ids.iter().zip(before).zip(cycles) {
        let after = custom(&swarm, id);
        assert!(
            apart(after[0], before[0] + cycles) < 1.0e-4,
            "{before:?} to {after:?}"
        );
        assert_eq!(after[2..], [0.0, 0.0], "nothing plays over it");
        let half = custom_at(&swarm, id, 0.5);
        assert!(
            apart(half[0], after[0] - cycles / 32.0) < 1.0e-4,
            "between two steps"
        );
    }
}

#[test]
fn a_clip_plays_once_from_its_start() {
    let (mut world, mut swarm, ids) = game(3);
    steps(&mut world, &mut swarm, 8);
    swarm.play_clips(&ids[..1], &[ATTACK]).expect("alive");
    assert_eq!(swarm.clip(ids[0]), Ok(Some(5)));
    assert_eq!(custom(&swarm, ids[0])[2..], [192.0, 0.0], "not seen yet");
    steps(&mut world, &mut swarm, 8);
    assert_eq!(
        custom(&swarm, ids[0])[2..],
        [192.0 + 16.0, 0.125],
        "half in"
    );
    assert_eq!(custom_at(&swarm, ids[0], 0.5)[3], 0.125 - 0.5 * DT);
    steps(&mut world, &mut swarm, 24);
    assert_eq!(custom(&swarm, ids[0])[2..], [192.0 + 31.0, 0.5]);
    assert_eq!(custom(&swarm, ids[1])[2..], [0.0, 0.0], "another agent");
    steps(&mut world, &mut swarm, 24);
    assert_eq!(
        custom(&swarm, ids[0])[2..],
        [192.0 + 16.0, 0.875],
        "half out"
    );
    steps(&mut world, &mut swarm, 8);
    assert_eq!(swarm.clip(ids[0]), Ok(None));
    assert_eq!(custom(&swarm, ids[0])[2..], [0.0, 0.0], "over");
}

#[test]
fn a_clip_is_blended_in_from_the_one_before() {
    let (mut world, mut swarm, ids) = game(1);
    steps(&mut world, &mut swarm, 8);
    swarm.play_clips(&ids, &[ATTACK]).expect("alive");
    steps(&mut world, &mut swarm, 32);
    let hit = Clip {
        number: 2,
        ..ATTACK
    };
    swarm.play_clips(&ids, &[hit]).expect("alive");
    steps(&mut world, &mut swarm, 8);
    assert_eq!(custom(&swarm, ids[0]), [0.5, -6.0, 96.0 + 16.0, 0.125]);
    steps(&mut world, &mut swarm, 8);
    assert_eq!(
        custom(&swarm, ids[0])[1],
        0.0,
        "later it goes back to the movement"
    );
}

#[test]
fn clips_that_repeat_end_when_they_are_stopped() {
    let (mut world, mut swarm, ids) = game(2);
    let cheer = Clip {
        once: false,
        ..ATTACK
    };
    swarm.play_clips(&ids, &[cheer, ATTACK]).expect("alive");
    steps(&mut world, &mut swarm, 64 * 3 + 16);
    assert_eq!(custom(&swarm, ids[0])[2..], [192.0 + 31.0, 0.25]);
    assert_eq!(swarm.clip(ids[1]), Ok(None));
    swarm.stop_clips(&ids).expect("alive");
    steps(&mut world, &mut swarm, 8);
    assert_eq!(custom(&swarm, ids[0])[2..], [192.0 + 16.0, 0.375]);
    steps(&mut world, &mut swarm, 8);
    assert_eq!(swarm.clip(ids[0]), Ok(None));
}

#[test]
fn the_dead_fall_from_their_walk_and_lie_still() {
    let (mut world, mut swarm, ids) = game(2);
    let speed = [Vec2::new(2.0, 0.0)];
    swarm
        .set_scripted_velocities(&ids[..1], &speed)
        .expect("valid");
    steps(&mut world, &mut swarm, 64);
    let alive = custom(&swarm, ids[0]);
    swarm
        .set_state(&ids[..1], AgentState::Corpse)
        .expect("alive");
    assert_eq!(swarm.clip(ids[0]), Ok(Some(7)));
    steps(&mut world, &mut swarm, 4);
    let [phase, gait, code, share] = custom(&swarm, ids[0]);
    assert_eq!(
        [phase, gait],
        [alive[0], alive[1]],
        "the pose in which it died"
    );
    assert!(code > 256.0 && code < 256.0 + 31.0, "{code} is blended in");
    assert!((share - 4.0 * DT / 1.5).abs() < 1.0e-6);
    steps(&mut world, &mut swarm, 300);
    assert_eq!(custom(&swarm, ids[0])[2..], [256.0 + 31.0, 1.0]);
    assert_eq!(swarm.clip(ids[0]), Ok(Some(7)), "it holds the last frame");
    // It gets up again.
    swarm.set_state(&ids[..1], AgentState::Idle).expect("alive");
    assert_eq!(swarm.clip(ids[0]), Ok(None));
}

#[test]
fn clips_follow_their_agents_and_are_saved_exactly() {
    let (mut world, mut swarm, ids) = game(40);
    let idle = swarm.state_hash();
    swarm.play_clips(&ids[3..6], &[ATTACK]).expect("alive");
    assert_ne!(swarm.state_hash(), idle);
    swarm
        .set_state(&ids[9..10], AgentState::Corpse)
        .expect("alive");
    swarm.despawn(&[ids[0], ids[4], ids[39]]);
    steps(&mut world, &mut swarm, 20);
    let saved = swarm.save();
    let mut loaded = Swarm::new(1);
    loaded.set_types(swarm.types()).expect("valid");
    loaded.set_tracking(tracking()).expect("valid");
    loaded.load(&saved).expect("just saved");
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    for swarm in [&mut swarm, &mut loaded] {
        steps(&mut world, swarm, 10);
        for (id, clip) in [(3, Some(5)), (5, Some(5)), (9, Some(7)), (1, None)] {
            assert_eq!(swarm.clip(ids[id]), Ok(clip));
        }
        assert_eq!(custom(swarm, ids[5])[3], 30.0 * DT);
        assert!((custom(swarm, ids[9])[3] - 30.0 * DT / 1.5).abs() < 1.0e-6);
    }
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    let late = swarm.spawn(&world, &[Vec2::splat(9.0)], 0, 0);
    assert_eq!(swarm.clip(late.expect("inside")[0]), Ok(None));
}

#[test]
fn bad_clips_are_refused_and_change_nothing() {
    let (_, mut swarm, ids) = game(3);
    let before = swarm.save();
    let bad = [
        (
            "clip",
            Clip {
                number: 63,
                ..ATTACK
            },
        ),
        (
            "length of clip",
            Clip {
                seconds: 0.0,
                ..ATTACK
            },
        ),
        (
            "length of clip",
            Clip {
                seconds: f32::NAN,
                ..ATTACK
            },
        ),
        (
            "blend",
            Clip {
                blend: -1.0,
                ..ATTACK
            },
        ),
        (
            "blend",
            Clip {
                blend: f32::INFINITY,
                ..ATTACK
            },
        ),
    ];
    for (expected, clip) in bad {
        let played = swarm.play_clips(&ids, &[ATTACK, clip, ATTACK]);
        assert!(
            matches!(played, Err(Error::OutOfRange { name, .. }) if name == expected),
            "{played:?}"
        );
    }
    assert!(matches!(
        swarm.play_clips(&ids, &[ATTACK; 2]),
        Err(Error::Length { .. })
    ));
    assert_eq!(swarm.save(), before);
    swarm.play_clips(&ids[..1], &[ATTACK]).expect("alive");
    swarm.despawn(&ids[1..2]);
    let before = swarm.save();
    for refused in [swarm.play_clips(&ids, &[ATTACK]), swarm.stop_clips(&ids)] {
        assert!(matches!(refused, Err(Error::UnknownId { .. })));
    }
    assert!(swarm.clip(ids[1]).is_err());
    assert_eq!(swarm.save(), before);
}

#[test]
fn types_refuse_strides_and_lengths_that_make_no_sense() {
    let walk = |distance, seconds| CharacterClips {
        walk: Some(Stride { distance, seconds }),
        ..CharacterClips::default()
    };
    let death = |clip, seconds| CharacterClips {
        death: Some((clip, seconds)),
        ..CharacterClips::default()
    };
    let idle = |idle_seconds| CharacterClips {
        idle_seconds,
        ..CharacterClips::default()
    };
    let bad = [
        walk(0.0, 1.0),
        walk(f32::NAN, 1.0),
        walk(1.0, 0.0),
        death(63, 1.0),
        death(0, f32::INFINITY),
        idle(-1.0),
    ];
    for clips in bad {
        let kind = AgentType {
            clips,
            ..AgentType::default()
        };
        assert!(Swarm::new(0).set_types(&[kind]).is_err(), "{clips:?}");
    }
}

#[test]
fn a_new_type_plays_its_own_clip_at_the_same_share() {
    let (mut world, mut swarm, ids) = game(4);
    let kinds = [swarm.types()[0]; 2];
    swarm.set_types(&kinds).expect("valid");
    steps(&mut world, &mut swarm, 8);
    let wave = Clip {
        number: 9,
        ..ATTACK
    };
    swarm
        .play_clips(&ids, &[ATTACK, ATTACK, wave, ATTACK])
        .expect("alive");
    steps(&mut world, &mut swarm, 32);
    // The second one blends from one clip into another.
    let hit = Clip {
        number: 2,
        ..ATTACK
    };
    swarm.play_clips(&ids[1..2], &[hit]).expect("alive");
    steps(&mut world, &mut swarm, 8);
    let before = ids.clone().into_iter().map(|id| custom(&swarm, id));
    let before: Vec<_> = before.collect();
    let counterpart = |kind: u8, clip: u8| {
        assert_eq!(kind, 0);
        (clip != wave.number).then_some((clip + 10, 2.0))
    };
    // Twice in the list it is changed once.
    let changed = [ids[0], ids[0], ids[1], ids[2]];
    swarm
        .set_type_and_clips(&changed, 1, counterpart)
        .expect("valid");
    let now: Vec<_> = ids.iter().map(|&id| custom(&swarm, id)).collect();
    let code = |numbers: [f32; 4]| (numbers[2] / 32.0) as i32 - 1;
    assert_eq!(code(before[0]), 5);
    assert_eq!(
        (code(now[0]), now[0][3]),
        (15, before[0][3]),
        "at the same share"
    );
    assert_eq!(
        (code(now[1]), now[1][1]),
        (12, -16.0),
        "what it blends from, too"
    );
    assert_eq!(now[2][2..], [0.0, 0.0], "it has no such clip");
    assert_eq!(now[3], before[3], "another agent");
    assert_eq!(swarm.kinds(), [1, 1, 1, 0]);
    steps(&mut world, &mut swarm, 16);
    let later = custom(&swarm, ids[0]);
    assert_eq!(later[3], before[0][3] + 0.125, "it is twice as long");
}

#[test]
fn a_type_with_a_bad_clip_changes_nothing() {
    let (mut world, mut swarm, ids) = game(2);
    steps(&mut world, &mut swarm, 2);
    let kinds = [swarm.types()[0]; 2];
    swarm.set_types(&kinds).expect("valid");
    swarm.play_clips(&ids, &[ATTACK]).expect("alive");
    let before: Vec<_> = ids.iter().map(|&id| custom(&swarm, id)).collect();
    for counterpart in [(63, 1.0), (1, f32::NAN), (1, 0.0)] {
        let changed = swarm.set_type_and_clips(&ids, 1, |_, _| Some(counterpart));
        assert!(matches!(changed, Err(Error::OutOfRange { .. })));
    }
    let same = |_, clip| Some((clip, 1.0));
    assert!(
        swarm.set_type_and_clips(&ids, 2, same).is_err(),
        "no such type"
    );
    swarm.despawn(&ids[1..]);
    assert!(matches!(
        swarm.set_type_and_clips(&ids, 1, same),
        Err(Error::UnknownId { .. })
    ));
    assert_eq!(swarm.kinds(), [0]);
    assert_eq!(custom(&swarm, ids[0]), before[0]);
}
