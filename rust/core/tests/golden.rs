//! Scenes with recorded results: they reveal unintended changes of behaviour.
//!
//! After an intended change, run with `--nocapture`, check that the scenes still look right, and copy the printed
//! numbers. The changelog states what players will notice.

mod common;

use common::{SolverAndRule, center_of, central_goal, system_a_penalty, world_of};
use flow_swarm::Vec2;
use flow_swarm::flow::DirectionRule;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::MovementType;
use flow_swarm::swarm::{AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::{CostMap, SplitMix64, caves, open, rooms, terrain};

struct Scene {
    map: CostMap,
    pair: SolverAndRule,
    kind: AgentType,
    starts: Vec<Vec2>,
    targets: Vec<Vec2>,
    arrival: ArrivalAction,
}

fn agent() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: 3.0,
        acceleration: 12.0,
        ..AgentType::default()
    }
}

impl Scene {
    /// The hash of the state after 150 ticks.
    fn play(&self) -> u64 {
        let mut world = world_of(&self.map, Workers::new(2).expect("threads"));
        world.set_solver(self.pair.0);
        world.set_direction_rule(self.pair.1);
        let penalised = MovementType::with_wall_penalty(system_a_penalty());
        world
            .set_movement_types(&[MovementType::default(), penalised])
            .expect("two");
        let mut swarm = Swarm::new(2026);
        swarm.set_types(&[self.kind]).expect("valid");
        let settings = Settings {
            arrival: self.arrival,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        for (group, &target) in self.targets.iter().enumerate() {
            let goal = world.create_goal(&[target]).expect("inside");
            world.require(goal, self.kind.movement).expect("known");
            swarm
                .set_group_goal(group as i64, Some(goal))
                .expect("a group");
        }
        let groups = self.targets.len();
        for (index, &start) in self.starts.iter().enumerate() {
            swarm
                .spawn(&world, &[start], 0, (index % groups) as i64)
                .expect("inside");
        }
        for _ in 0..150 {
            world.update();
            swarm.step(&world, 1.0 / 30.0).expect("valid");
        }
        swarm.state_hash()
    }
}

/// Agents on a "circle" (a square, to avoid trigonometry) whose targets are on the opposite side.
fn circle() -> Scene {
    let center = Vec2::splat(20.0);
    let starts: Vec<Vec2> = (0..40)
        .map(|index| {
            let along = (index % 10) as f32 * 2.8 - 14.0;
            let corner = Vec2::new(along, -14.0);
            let turned = (0..index / 10).fold(corner, |at, _| Vec2::new(-at.y, at.x));
            center + turned.normalize() * 14.0
        })
        .collect();
    let targets = starts.iter().map(|start| 2.0 * center - *start).collect();
    Scene {
        map: open(40, 40),
        pair: (Solver::Octile, DirectionRule::NegativeGradient),
        kind: agent(),
        starts,
        targets,
        arrival: ArrivalAction::KeepGoing,
    }
}

/// Many agents from all parts of a map with one goal.
fn gathering(map: CostMap, pair: SolverAndRule, kind: AgentType, arrival: ArrivalAction) -> Scene {
    let open: Vec<usize> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .collect();
    let mut random = SplitMix64::new(1);
    let starts = (0..500)
        .map(|_| center_of(&map, open[random.below(open.len())]))
        .collect();
    let goal = center_of(&map, central_goal(&map).expect("open"));
    Scene {
        map,
        pair,
        kind,
        starts,
        targets: vec![goal],
        arrival,
    }
}

#[test]
fn scenes_end_as_they_always_did() {
    let smooth = AgentType {
        position_smoothing: 0.8,
        movement: 1,
        ..agent()
    };
    let pushed = AgentType {
        avoidance: Avoidance::Separation,
        ..agent()
    };
    let scenes = [
        ("circle", circle(), CIRCLE),
        (
            "rooms",
            gathering(
                rooms(60, 50, 10, 3),
                (Solver::Octile, DirectionRule::BestNeighbour),
                agent(),
                ArrivalAction::Despawn,
            ),
            ROOMS,
        ),
        (
            "rooms by separation",
            gathering(
                rooms(60, 50, 10, 3),
                (Solver::Octile, DirectionRule::BestNeighbour),
                pushed,
                ArrivalAction::Despawn,
            ),
            ROOMS_BY_SEPARATION,
        ),
        (
            "caves",
            gathering(
                caves(55, 61, 4),
                (Solver::Octile, DirectionRule::NegativeGradient),
                smooth,
                ArrivalAction::Stop,
            ),
            CAVES,
        ),
        (
            "terrain",
            gathering(
                terrain(64, 33, 5),
                (Solver::Octile, DirectionRule::BestNeighbour),
                smooth,
                ArrivalAction::KeepGoing,
            ),
            TERRAIN,
        ),
        (
            "any angle",
            gathering(
                rooms(60, 50, 10, 3),
                SolverAndRule::default(),
                agent(),
                ArrivalAction::Stop,
            ),
            ANY_ANGLE,
        ),
        (
            "any angle on terrain",
            gathering(
                terrain(64, 33, 5),
                SolverAndRule::default(),
                smooth,
                ArrivalAction::Despawn,
            ),
            ANY_ANGLE_ON_TERRAIN,
        ),
    ];
    let found: Vec<(&str, u64, u64)> = scenes
        .iter()
        .map(|(name, scene, expected)| (*name, scene.play(), *expected))
        .collect();
    let changed: Vec<String> = found
        .iter()
        .filter(|(_, found, expected)| found != expected)
        .map(|(name, found, expected)| format!("{name}: {found:#018x}, not {expected:#018x}"))
        .collect();
    assert!(changed.is_empty(), "changed: {changed:#?}");
}

/// A world with a tiled goal, and a crowd that follows it.
fn tiled_world(threads: usize) -> (FlowWorld, Swarm) {
    let map = rooms(60, 50, 10, 3);
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let mut swarm = Swarm::new(7);
    swarm.set_types(&[agent()]).expect("valid");
    let target = center_of(&map, central_goal(&map).expect("open"));
    let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
    let goal = goal.expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let open: Vec<Vec2> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| center_of(&map, cell))
        .collect();
    let mut random = SplitMix64::new(3);
    let starts: Vec<Vec2> = (0..300).map(|_| open[random.below(open.len())]).collect();
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    (world, swarm)
}

fn go_on(world: &mut FlowWorld, swarm: &mut Swarm, ticks: usize) {
    for _ in 0..ticks {
        world.update();
        swarm.step(world, 1.0 / 30.0).expect("valid");
    }
}

/// What is saved is the same on every machine, whatever the sizes and the order of bytes of its numbers.
#[test]
fn a_world_on_tiles_is_saved_as_it_always_was() {
    for threads in [1, 3] {
        let (mut world, mut swarm) = tiled_world(threads);
        go_on(&mut world, &mut swarm, 40);
        let saved = world.world_hash().expect("up to date");
        let (bytes, agents) = (world.save_state().expect("up to date"), swarm.save());
        // A machine that has the same bytes can load those of any other.
        let found = [fnv(&bytes), fnv(&agents)];
        assert_eq!(found, SAVED_BYTES, "{found:#x?} with {threads} threads");
        let (mut other, mut others) = tiled_world(threads);
        other.load_state(&bytes).expect("of the same kind");
        others.load_in(&other, &agents).expect("of the same kind");
        for (world, swarm) in [(&mut world, &mut swarm), (&mut other, &mut others)] {
            go_on(world, swarm, 40);
            let later = world.world_hash().expect("up to date");
            let found = [saved, later, swarm.state_hash()];
            assert_eq!(found, SAVED, "{found:#x?} with {threads} threads");
        }
    }
}

/// A hash of bytes (Fowler, Noll and Vo, FNV-1a).
fn fnv(bytes: &[u8]) -> u64 {
    let fold = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold)
}

/// Hashes of the saved world and crowd as bytes.
const SAVED_BYTES: [u64; 2] = [0x0abb_a212_ff22_018b, 0xd5b0_552f_4a5f_b7d5];

/// Hashes of the world when it is saved, and of the world and crowd later.
const SAVED: [u64; 3] = [
    0xaccc_8c89_51b4_956d,
    0xcfe3_20a0_f91a_7e76,
    0xf984_5e6a_0473_f3d8,
];

const CIRCLE: u64 = 0xc4ac_a1ce_b451_c0a3;
const ROOMS: u64 = 0xb917_7c15_5b3f_01d1;
const ROOMS_BY_SEPARATION: u64 = 0xd971_b164_f3c0_4782;
const CAVES: u64 = 0x7f4e_b27a_c05f_6d0c;
const ANY_ANGLE: u64 = 0xedd9_669e_38e6_0539;
const ANY_ANGLE_ON_TERRAIN: u64 = 0x82b3_62c5_5db5_1a4a;
const TERRAIN: u64 = 0xae75_c872_0985_ef5a;
