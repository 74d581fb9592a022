//! Large crowds with avoidance and own targets: sorted by place, and out of view.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentType, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};

const AGENTS: usize = 6000;
const SIDE: usize = 100;
const DT: f32 = 1.0 / 30.0;

fn avoider() -> AgentType {
    AgentType {
        radius: 0.2,
        max_speed: 4.0,
        acceleration: 16.0,
        avoidance: Avoidance::Orca,
        neighbour_radius: 2.0,
        ..AgentType::default()
    }
}

fn place(random: &mut SplitMix64) -> Vec2 {
    let side = SIDE as f64;
    Vec2::new((random.unit() * side) as f32, (random.unit() * side) as f32)
}

/// Agents at random places on an open field, every second with avoidance. All but every third have an own target, which
/// is returned too.
fn crowd(threads: usize) -> (FlowWorld, Swarm, Vec<(AgentId, Option<Vec2>)>) {
    let world = world_of(&open(SIDE, SIDE), Workers::new(threads).expect("threads"));
    let mut swarm = Swarm::new(5);
    let pusher = AgentType {
        avoidance: Avoidance::Separation,
        ..avoider()
    };
    swarm.set_types(&[avoider(), pusher]).expect("valid");
    let mut random = SplitMix64::new(9);
    let mut agents = Vec::new();
    for number in 0..AGENTS {
        let at = [place(&mut random)];
        let ids = swarm
            .spawn(&world, &at, number as i64 % 2, 0)
            .expect("inside");
        let target = (number % 3 > 0).then(|| place(&mut random));
        if let Some(target) = target {
            swarm.set_targets(&world, &ids, &[target]).expect("inside");
        }
        agents.push((ids[0], target));
    }
    (world, swarm, agents)
}

fn step(world: &FlowWorld, swarm: &mut Swarm, steps: usize) {
    for _ in 0..steps {
        swarm.step(world, DT).expect("valid");
    }
}

#[test]
fn own_targets_stay_with_their_agents() {
    let (world, mut swarm, agents) = crowd(2);
    let spawned = swarm.ids().to_vec();
    step(&world, &mut swarm, 1);
    assert_ne!(
        swarm.ids(),
        spawned,
        "strangers beside each other are parted"
    );
    let (gone, left) = agents.split_at(AGENTS / 5);
    let gone: Vec<AgentId> = gone.iter().map(|&(id, _)| id).collect();
    assert_eq!(swarm.despawn(&gone), (gone.len(), None));
    step(&world, &mut swarm, 20);
    let mut loaded = crowd(1).1;
    loaded.load(&swarm.save()).expect("its own");
    for &(id, target) in left {
        assert_eq!(swarm.target_of(id).expect("alive"), target);
        assert_eq!(loaded.target_of(id).expect("alive"), target);
    }
    step(&world, &mut swarm, 20);
    step(&world, &mut loaded, 20);
    assert_eq!(swarm.state_hash(), loaded.state_hash());
}

#[test]
fn any_number_of_threads_leads_to_the_same_crowd() {
    for far_agents_every in [1, 4] {
        let settings = Settings {
            far_agents_every,
            focus: Some((Vec2::splat(20.0), Vec2::splat(60.0))),
            ..Settings::default()
        };
        let crowds = [1, 2, 3].map(|threads| {
            let (world, mut swarm, _) = crowd(threads);
            swarm.set_settings(settings).expect("valid");
            step(&world, &mut swarm, 20);
            (swarm.state_hash(), swarm.ids().to_vec())
        });
        for other in &crowds[1..] {
            assert_eq!(crowds[0], *other, "in every {far_agents_every} steps");
        }
    }
}

#[test]
fn agents_out_of_sight_of_their_own_target_reach_it() {
    for far_agents_every in [2, 7, 60] {
        for avoidance in [Avoidance::Orca, Avoidance::Separation] {
            let world = world_of(&open(40, 40), Workers::serial());
            let mut swarm = Swarm::new(5);
            let kind = AgentType {
                avoidance,
                ..avoider()
            };
            swarm.set_types(&[kind]).expect("valid");
            let settings = Settings {
                far_agents_every,
                focus: Some((Vec2::ZERO, Vec2::ZERO)),
                ..Settings::default()
            };
            swarm.set_settings(settings).expect("valid");
            let lane = |number: usize| 2.0 + 4.0 * number as f32;
            for number in 0..9 {
                let (from, to) = (Vec2::new(3.0, lane(number)), Vec2::new(33.3, lane(number)));
                let ids = swarm.spawn(&world, &[from], 0, 0).expect("inside");
                swarm.set_targets(&world, &ids, &[to]).expect("inside");
            }
            step(&world, &mut swarm, 900);
            let stats = swarm.stats();
            assert_eq!(stats.arrived, 9, "in every {far_agents_every} steps");
        }
    }
}
