//! Crowds large enough to be sorted by place, and crowds that are partly out of view.

use crate::common::{center_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentType, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, rooms};

const AGENTS: usize = 10_000;
const DT: f32 = 1.0 / 30.0;

/// Agents at random places in rooms, alternately of two types and in two groups that cross each other.
fn crowd(threads: usize) -> (FlowWorld, Swarm, Vec<AgentId>) {
    let map = rooms(120, 90, 15, 3);
    let open: Vec<usize> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .collect();
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let mut swarm = Swarm::new(5);
    let small = AgentType {
        radius: 0.2,
        max_speed: 4.0,
        acceleration: 16.0,
        ..AgentType::default()
    };
    let large = AgentType {
        radius: 0.3,
        ..small
    };
    swarm.set_types(&[small, large]).expect("valid");
    for (group, cell) in [open[0], open[open.len() - 1]].into_iter().enumerate() {
        let goal = world.create_goal(&[center_of(&map, cell)]).expect("inside");
        world.require(goal, 0).expect("known");
        swarm
            .set_group_goal(group as i64, Some(goal))
            .expect("a group");
    }
    world.update();
    let mut random = SplitMix64::new(9);
    let mut ids = Vec::new();
    for agent in 0..AGENTS {
        let at = center_of(&map, open[random.below(open.len())]);
        let (kind, group) = (agent as i64 % 2, agent as i64 / 2 % 2);
        ids.extend(swarm.spawn(&world, &[at], kind, group).expect("inside"));
    }
    (world, swarm, ids)
}

fn step(world: &FlowWorld, swarm: &mut Swarm, steps: usize) {
    for _ in 0..steps {
        swarm.step(world, DT).expect("valid");
    }
}

#[test]
fn ids_keep_naming_their_agents_when_these_are_put_in_order() {
    let (world, mut swarm, ids) = crowd(2);
    let before: Vec<Vec2> = swarm.positions().to_vec();
    step(&world, &mut swarm, 1);
    assert_ne!(swarm.ids(), ids, "strangers beside each other are parted");
    for (number, &id) in ids.iter().enumerate() {
        let index = swarm.index_of(id).expect("alive");
        assert_eq!(swarm.ids()[index], id);
        assert_eq!(usize::from(swarm.kinds()[index]), number % 2);
        let way = swarm.positions()[index].distance(before[number]);
        assert!(way < 1.0, "agent {number} has jumped by {way}");
    }
    let in_order = swarm.ids().to_vec();
    step(&world, &mut swarm, 1);
    assert_eq!(swarm.ids(), in_order, "they are close already");
    assert_eq!(swarm.despawn(&ids[..AGENTS / 2]), (AGENTS / 2, None));
    step(&world, &mut swarm, 20);
    for (number, &id) in ids.iter().enumerate().skip(AGENTS / 2) {
        let index = swarm.index_of(id).expect("alive");
        assert_eq!(usize::from(swarm.kinds()[index]), number % 2);
    }
}

#[test]
fn any_number_of_threads_leads_to_the_same_crowd() {
    for far_agents_every in [1, 4] {
        let settings = Settings {
            far_agents_every,
            focus: Some((Vec2::splat(20.0), Vec2::splat(60.0))),
            ..Settings::default()
        };
        let crowds = [1, 2, 3, 8].map(|threads| {
            let (world, mut swarm, ids) = crowd(threads);
            swarm.set_settings(settings).expect("valid");
            step(&world, &mut swarm, 20);
            swarm.despawn(&ids[..1000]);
            step(&world, &mut swarm, 10);
            (swarm.state_hash(), swarm.ids().to_vec())
        });
        for other in &crowds[1..] {
            assert_eq!(crowds[0], *other, "in every {far_agents_every} steps");
        }
    }
}

#[test]
fn a_loaded_crowd_is_put_in_order_when_the_saved_one_is() {
    let (world, mut swarm, _) = crowd(2);
    step(&world, &mut swarm, 5);
    let (_, mut other, _) = crowd(1);
    other.load(&swarm.save()).expect("its own");
    for _ in 0..60 {
        step(&world, &mut swarm, 1);
        step(&world, &mut other, 1);
        assert_eq!(swarm.ids(), other.ids());
    }
    assert_eq!(swarm.state_hash(), other.state_hash());
}

#[test]
fn far_agents_decide_in_turns_and_the_others_always() {
    let (world, mut swarm, _) = crowd(1);
    // Contacts change velocities in every step, even of agents that are not steered.
    let pushed = swarm.types().iter().map(|&kind| AgentType {
        avoidance: Avoidance::Separation,
        ..kind
    });
    let pushed: Vec<AgentType> = pushed.collect();
    swarm.set_types(&pushed).expect("valid");
    let focus = (Vec2::ZERO, Vec2::new(60.0, 90.0));
    let settings = Settings {
        far_agents_every: 4,
        focus: Some(focus),
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    // Beside walls velocities change without steering, so shares are compared and not single agents.
    step(&world, &mut swarm, 30);
    let before: Vec<(AgentId, Vec2)> = swarm
        .ids()
        .iter()
        .copied()
        .zip(swarm.velocities().iter().copied())
        .collect();
    step(&world, &mut swarm, 1);
    let (mut near, mut near_changed, mut far, mut far_changed) = (0, 0, 0, 0);
    for (id, velocity) in before {
        let index = swarm.index_of(id).expect("alive");
        let changed = usize::from(swarm.velocities()[index] != velocity);
        if swarm.positions()[index].x < focus.1.x - 1.0 {
            near += 1;
            near_changed += changed;
        } else if swarm.positions()[index].x > focus.1.x + 1.0 {
            far += 1;
            far_changed += changed;
        }
    }
    assert!(near > 2000 && far > 2000, "{near} near, {far} far");
    let (near_share, far_share) = (near_changed * 100 / near, far_changed * 100 / far);
    assert!(near_share > 2 * far_share, "{near_share} %, {far_share} %");
    assert!(far_share > 10, "{far_share} % of them decide");
}

#[test]
fn a_crowd_out_of_sight_gets_to_its_goals_too() {
    let arrived = [1, 4].map(|far_agents_every| {
        let (world, mut swarm, _) = crowd(2);
        let settings = Settings {
            far_agents_every,
            focus: Some((Vec2::ZERO, Vec2::ZERO)),
            arrival: flow_swarm::swarm::ArrivalAction::Despawn,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        step(&world, &mut swarm, 600);
        swarm.stats().arrived
    });
    // Crowds jam at goals of one cell. How many arrive depends on steering.
    assert!(arrived[0] > 500, "{arrived:?}");
    assert!(10 * arrived[1] > 7 * arrived[0], "{arrived:?}");
}

#[test]
fn bad_levels_of_detail_are_refused() {
    let (_, mut swarm, _) = crowd(1);
    let before = *swarm.settings();
    let corner = Vec2::ONE;
    for (far_agents_every, focus) in [
        (0, None),
        (61, None),
        (2, Some((corner, Vec2::new(0.0, 2.0)))),
        (2, Some((Vec2::new(f32::NAN, 0.0), corner))),
        (2, Some((corner, Vec2::splat(f32::INFINITY)))),
    ] {
        let settings = Settings {
            far_agents_every,
            focus,
            ..before
        };
        assert!(swarm.set_settings(settings).is_err(), "{settings:?}");
        assert_eq!(*swarm.settings(), before);
    }
}
