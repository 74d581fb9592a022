//! Factors of single agents on the speed, size and colour of their type.

use crate::common::world_on;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AGENT_SPEED_FACTORS, AgentId, AgentType, Avoidance, InstanceLayout, Packer, Swarm, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const DT: f32 = 1.0 / 60.0;
const SPEED: f32 = 8.0;

fn game(avoidance: Avoidance, count: usize) -> (FlowWorld, Swarm, Vec<AgentId>) {
    let grid = Grid::new(IVec2::new(80, 40), 1.0, Vec2::ZERO).expect("valid");
    let mut world = world_on(grid, &open(80, 40), Workers::new(2).expect("threads"));
    let goal = world.create_goal(&[Vec2::new(78.5, 20.5)]).expect("inside");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 100.0,
        avoidance,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let places: Vec<Vec2> = (0..count)
        .map(|n| Vec2::new(3.0, 1.5 + 37.0 * n as f32 / count as f32))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    (world, swarm, ids)
}

fn steps(world: &mut FlowWorld, swarm: &mut Swarm, count: usize) {
    for _ in 0..count {
        swarm.request_routes(world).expect("valid");
        world.update();
        swarm.step(world, DT).expect("valid");
    }
}

fn speed_of(swarm: &Swarm, id: AgentId) -> f32 {
    swarm.velocities()[swarm.index_of(id).expect("alive")].length()
}

#[test]
fn agents_walk_at_their_own_factor_of_the_speed_of_their_type() {
    for avoidance in Avoidance::ALL {
        let (mut world, mut swarm, ids) = game(avoidance, 8);
        let factors = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0, 1.0];
        swarm.set_speed_factors(&ids, &factors).expect("valid");
        steps(&mut world, &mut swarm, 30);
        for (&id, factor) in ids.iter().zip(factors) {
            let speed = speed_of(&swarm, id);
            let expected = factor * SPEED;
            assert!(
                (speed - expected).abs() < 0.02 * expected,
                "{avoidance:?}: {speed}, not {expected}"
            );
            assert_eq!(swarm.speed_factor(id), Ok(factor));
        }
        assert!(swarm.events().stuck.is_empty());
        // One factor for all.
        swarm.set_speed_factors(&ids[..7], &[1.0]).expect("valid");
        steps(&mut world, &mut swarm, 30);
        let all = ids.iter().map(|&id| speed_of(&swarm, id));
        assert!(
            all.into_iter()
                .all(|speed| (speed - SPEED).abs() < 0.02 * SPEED)
        );
    }
}

#[test]
fn a_slow_agent_is_not_stuck() {
    let (mut world, mut swarm, ids) = game(Avoidance::None, 2);
    let mut settings = *swarm.settings();
    // At a tenth of its speed an agent leaves a circle of its radius in 0.375 s.
    settings.stuck_seconds = 0.2;
    swarm.set_settings(settings).expect("valid");
    swarm.set_speed_factors(&ids[..1], &[0.1]).expect("valid");
    for _ in 0..120 {
        steps(&mut world, &mut swarm, 1);
        assert!(swarm.events().stuck.is_empty());
    }
}

#[test]
fn factors_follow_their_agents_and_are_saved() {
    let (mut world, mut swarm, ids) = game(Avoidance::Contact, 40);
    let hash = swarm.state_hash();
    swarm
        .set_size_factors(&ids[..2], &[3.0, 0.5])
        .expect("valid");
    swarm
        .set_colors(&ids[3..4], &[[1.0, 0.5, 0.0, 1.0]])
        .expect("valid");
    assert_eq!(swarm.state_hash(), hash, "steps do not depend on looks");
    swarm.set_speed_factors(&ids[5..6], &[0.5]).expect("valid");
    assert_ne!(swarm.state_hash(), hash, "they depend on speeds");
    swarm.despawn(&[ids[0], ids[39], ids[2]]);
    let late = swarm
        .spawn(&world, &[Vec2::splat(9.0)], 0, 0)
        .expect("inside");
    steps(&mut world, &mut swarm, 10);
    let saved = swarm.save();
    let mut loaded = Swarm::new(1);
    loaded.set_types(swarm.types()).expect("valid");
    loaded.load(&saved).expect("just saved");
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    for swarm in [&swarm, &loaded] {
        assert_eq!(swarm.size_factor(ids[1]), Ok(0.5));
        assert_eq!(swarm.color(ids[3]), Ok([1.0, 0.5, 0.0, 1.0]));
        assert_eq!(swarm.speed_factor(ids[5]), Ok(0.5));
        let plain = (
            swarm.speed_factor(late[0]),
            swarm.size_factor(late[0]),
            swarm.color(late[0]),
        );
        assert_eq!(plain, (Ok(1.0), Ok(1.0), Ok([1.0; 4])));
    }
    swarm.set_speed_factors(&ids[5..6], &[1.0]).expect("valid");
    swarm.set_size_factors(&ids[1..2], &[1.0]).expect("valid");
    swarm.set_colors(&ids[3..4], &[[1.0; 4]]).expect("valid");
    assert_eq!(swarm.save().len() + 4 + 4 + 38 * (4 + 4 + 16), saved.len());
}

#[test]
fn instances_have_the_size_and_colour_of_their_agents() {
    let (world, mut swarm, ids) = game(Avoidance::Contact, 3);
    assert!(!swarm.has_colors());
    swarm.set_size_factors(&ids[1..2], &[2.5]).expect("valid");
    swarm
        .set_colors(&ids[2..], &[[0.5, 0.25, 1.0, 1.0]])
        .expect("valid");
    assert!(swarm.has_colors());
    let layout = InstanceLayout {
        color: true,
        face_movement: false,
        size: 2.0,
        ..InstanceLayout::default()
    };
    let mut packer = Packer::default();
    // The view begins beside the agents, which have a diameter of 0.6: only the large one reaches into it.
    let reach = 0.5 * 0.6 * 2.0 * 2.0_f32.sqrt();
    let view = View {
        rect: Some((Vec2::new(3.0 + 1.5 * reach, 0.0), Vec2::new(60.0, 60.0))),
        ..View::default()
    };
    let seen = swarm.instances(&layout, &view, &mut packer, world.workers());
    assert_eq!(seen.expect("valid").len(), 1);
    let instances = swarm.instances(&layout, &View::default(), &mut packer, world.workers());
    let instances = instances.expect("valid");
    let mut out = vec![0.0; 3 * layout.stride()];
    instances.write(&mut out, world.workers()).expect("as long");
    let rows: Vec<&[f32]> = out.chunks(layout.stride()).collect();
    let widths: Vec<f32> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(widths, [1.2, 3.0, 1.2]);
    assert_eq!(rows[2][8..12], [0.5, 0.25, 1.0, 1.0]);
    assert_eq!(rows[0][8..12], [1.0; 4]);
}

#[test]
fn bad_factors_are_refused_and_change_nothing() {
    let (_, mut swarm, ids) = game(Avoidance::Contact, 3);
    let before = swarm.save();
    let (least, most) = AGENT_SPEED_FACTORS;
    for factor in [0.5 * least, 2.0 * most, f32::NAN, -1.0] {
        let set = swarm.set_speed_factors(&ids, &[1.5, factor, 1.5]);
        assert!(matches!(
            set,
            Err(Error::OutOfRange {
                name: "speed factor",
                ..
            })
        ));
    }
    for factor in [-0.1, f32::INFINITY, f32::NAN] {
        let set = swarm.set_size_factors(&ids, &[factor]);
        assert!(matches!(
            set,
            Err(Error::OutOfRange {
                name: "size factor",
                ..
            })
        ));
    }
    assert!(swarm.set_colors(&ids, &[[f32::NAN; 4]]).is_err());
    for count in [0, 2, 4] {
        let values = vec![2.0; count];
        let length = Error::Length {
            name: "values",
            expected: 3,
            actual: count,
        };
        assert_eq!(swarm.set_speed_factors(&ids, &values), Err(length.clone()));
        assert_eq!(swarm.set_size_factors(&ids, &values), Err(length));
    }
    swarm.despawn(&ids[1..2]);
    let before_stale = swarm.save();
    assert!(matches!(
        swarm.set_speed_factors(&ids, &[2.0]),
        Err(Error::UnknownId { .. })
    ));
    assert_eq!(swarm.save(), before_stale);
    assert_ne!(before, before_stale);
}
