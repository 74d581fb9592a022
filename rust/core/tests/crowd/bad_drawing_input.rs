//! Invalid numbers for drawing are refused with an error, and nothing is written.

use crate::common::refusals::{NOT_FINITE, refused, scene};
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{CustomData, InstanceLayout, Packer, Palette, Plane, Tracking, View};

#[test]
fn packing() {
    let (world, swarm) = scene();
    let layout = InstanceLayout {
        plane: Plane::Xy,
        color: true,
        custom: CustomData::Motion,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    let mut buffer = vec![7.0; 3 * layout.stride() + 5];
    for length in [0, 1, 3 * layout.stride() - 1] {
        let packed = swarm.pack(&layout, &mut buffer[..length], world.workers());
        assert!(matches!(
            packed,
            Err(Error::TooShort { name: "buffer", .. })
        ));
    }
    for value in NOT_FINITE {
        let bad = InstanceLayout {
            size: value,
            ..layout
        };
        assert!(swarm.pack(&bad, &mut buffer, world.workers()).is_err());
        let bad = InstanceLayout {
            height: value,
            ..layout
        };
        assert!(swarm.pack(&bad, &mut buffer, world.workers()).is_err());
    }
    assert!(
        buffer.iter().all(|&number| number == 7.0),
        "nothing was written"
    );
    swarm
        .pack(&layout, &mut buffer, world.workers())
        .expect("long enough");
    assert_eq!(
        buffer[3 * layout.stride()..],
        [7.0; 5],
        "nothing beyond the agents"
    );
    assert!(buffer.iter().all(|number| number.is_finite()));
}

#[test]
fn views() {
    let (world, swarm) = scene();
    let layout = InstanceLayout {
        plane: Plane::Xy,
        color: false,
        custom: CustomData::None,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    let (mut packer, everything) = (Packer::default(), View::default());
    let mut refuse = |what: &str, layout: InstanceLayout, view: View| {
        let instances = swarm.instances(&layout, &view, &mut packer, world.workers());
        assert!(instances.is_err(), "{what}");
    };
    for bad in [-0.1, 1.1].into_iter().chain(NOT_FINITE) {
        let fraction = bad;
        refuse(
            "a fraction",
            layout,
            View {
                fraction,
                ..everything
            },
        );
    }
    for bad in [-1.0, 1.0e7].into_iter().chain(NOT_FINITE) {
        let margin = bad;
        refuse(
            "a margin",
            layout,
            View {
                margin,
                ..everything
            },
        );
        refuse(
            "a size",
            InstanceLayout {
                size: bad,
                ..layout
            },
            everything,
        );
    }
    for corner in NOT_FINITE.map(|bad| Vec2::new(bad, 1.0)) {
        for rect in [(corner, Vec2::ONE), (Vec2::ONE, corner)] {
            let rect = Some(rect);
            refuse("a rectangle", layout, View { rect, ..everything });
        }
    }
    let rect = Some((Vec2::ONE, Vec2::ZERO));
    refuse(
        "corners the wrong way round",
        layout,
        View { rect, ..everything },
    );
    let all = swarm.instances(&layout, &everything, &mut packer, world.workers());
    let all = all.expect("valid");
    let mut short = vec![0.0; all.len() * layout.stride() - 1];
    let written = all.write(&mut short, world.workers());
    assert!(matches!(
        written,
        Err(Error::TooShort { name: "buffer", .. })
    ));
}

#[test]
fn palettes_and_tracking() {
    let (_, mut swarm) = scene();
    assert!(Palette::new(&[[1.0; 4]; 6], &[]).is_err(), "six states");
    assert!(Palette::new(&[], &[[1.0; 4]; 257]).is_err(), "257 groups");
    for value in NOT_FINITE {
        assert!(Palette::new(&[[value; 4]], &[]).is_err());
        assert!(Palette::new(&[], &[[1.0; 4], [1.0, value, 0.0, 0.0]]).is_err());
    }
    for cycle in [0.0, -1.0, 1.0e7].into_iter().chain(NOT_FINITE) {
        let tracking = Tracking {
            walk_cycle: Some(cycle),
            ..Tracking::default()
        };
        refused("a walk cycle", &mut swarm, |swarm| {
            swarm.set_tracking(tracking)
        });
    }
    assert_eq!(swarm.tracking(), Tracking::default());
}
