//! The same calls lead to bit-identical states for any number of threads, and after saving and loading.

use crate::common::{system_a_penalty, world_of};
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::grid::CellRect;
use flow_swarm::movement::MovementType;
use flow_swarm::random::mix;
use flow_swarm::swarm::{
    AgentQuery, AgentState, AgentType, ArrivalAction, Avoidance, Settings, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm_bench::maps::{SplitMix64, WALL, rooms};
use proptest::prelude::*;
use proptest::sample::Index;

const TICKS: usize = 50;
/// Enough agents for several pieces of parallel work in every phase of a step.
const AGENTS: usize = 6_000;

fn types() -> [AgentType; 3] {
    let plain = AgentType {
        radius: 0.2,
        max_speed: 3.0,
        acceleration: 12.0,
        ..AgentType::default()
    };
    [
        plain,
        AgentType {
            radius: 0.45,
            max_speed: 1.5,
            movement: 1,
            ..plain
        },
        AgentType {
            position_smoothing: 0.8,
            avoidance: Avoidance::Contact,
            ..plain
        },
    ]
}

/// A world and a crowd that use all features of a game.
struct Scene {
    world: FlowWorld,
    swarm: Swarm,
    goals: Vec<GoalId>,
    open: Vec<Vec2>,
}

fn scene(threads: usize) -> Scene {
    let map = rooms(96, 70, 12, 3);
    let open: Vec<Vec2> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| crate::common::center_of(&map, cell))
        .collect();
    let mut world = world_of(&map, Workers::new(threads).expect("threads"));
    let kinds = [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
    ];
    world.set_movement_types(&kinds).expect("two");
    let mut swarm = Swarm::new(77);
    swarm.set_types(&types()).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        stuck_seconds: 0.5,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    let goals: Vec<GoalId> = (0..3)
        .map(|number| {
            let targets = [open[number * 300], open[number * 700 + 90]];
            world.create_goal(&targets).expect("inside")
        })
        .collect();
    let mut scene = Scene {
        world,
        swarm,
        goals,
        open,
    };
    scene.set_group_goals();
    let positions: Vec<Vec2> = (0..AGENTS)
        .map(|agent| scene.open[agent * 7 % scene.open.len()])
        .collect();
    for (number, part) in positions.chunks(AGENTS / 5).enumerate() {
        let (kind, group) = (number % 3, number % 4);
        let spawned = scene
            .swarm
            .spawn(&scene.world, part, kind as i64, group as i64);
        spawned.expect("inside");
    }
    scene
}

impl Scene {
    fn set_group_goals(&mut self) {
        for (group, &goal) in self.goals.iter().enumerate() {
            self.swarm
                .set_group_goal(group as i64, Some(goal))
                .expect("a group");
        }
    }

    /// The game's actions before step `tick`. They depend only on the tick and the crowd.
    fn act(&mut self, tick: usize) {
        let mut random = SplitMix64::new(tick as u64);
        let place = |random: &mut SplitMix64| self.open[random.below(self.open.len())];
        match tick % 8 {
            0 => {
                let positions: Vec<Vec2> = (0..40).map(|_| place(&mut random)).collect();
                self.swarm
                    .spawn(&self.world, &positions, 2, 1)
                    .expect("inside");
            }
            1 => {
                let ids: Vec<_> = self.swarm.ids().iter().step_by(97).copied().collect();
                self.swarm.despawn(&ids);
            }
            2 => {
                let center = place(&mut random);
                self.swarm
                    .apply_radial_impulse(&self.world, center, 9.0, 20.0)
                    .expect("valid");
            }
            3 => {
                let goal = self.goals[random.below(3)];
                let target = place(&mut random);
                self.world.move_goal(goal, &[target]).expect("inside");
            }
            4 => {
                let cell = self.world.grid().cell_at(place(&mut random));
                let rect = CellRect::cell(cell)
                    .grown(1)
                    .intersection(&self.world.grid().cells());
                let id = [1, WALL][random.below(2)];
                self.world.set_terrain_rect(rect, id).expect("inside");
            }
            5 => {
                let ids: Vec<_> = self
                    .swarm
                    .ids()
                    .iter()
                    .skip(tick)
                    .step_by(53)
                    .copied()
                    .collect();
                let state = [
                    AgentState::Idle,
                    AgentState::Scripted,
                    AgentState::Following,
                ];
                self.swarm
                    .set_state(&ids, state[random.below(3)])
                    .expect("alive");
                let velocities = vec![Vec2::new(0.5, -1.0); ids.len()];
                self.swarm
                    .set_scripted_velocities(&ids, &velocities)
                    .expect("alive");
            }
            6 => {
                let ids = [self.swarm.ids()[random.below(self.swarm.len())]];
                self.swarm
                    .apply_impulse(&ids, Vec2::new(8.0, 3.0))
                    .expect("alive");
            }
            _ => {
                // Queries must not change anything.
                let found = self.swarm.query_circle(
                    &self.world,
                    place(&mut random),
                    4.0,
                    &AgentQuery::default(),
                );
                found.expect("valid");
            }
        }
    }

    fn step(&mut self) -> u64 {
        for (goal, movement) in self.swarm.needed_fields(&self.world) {
            self.world.require(goal, movement).expect("known");
        }
        self.world.update();
        self.swarm.step(&self.world, 1.0 / 30.0).expect("valid");
        self.swarm.state_hash()
    }
}

#[test]
fn any_number_of_threads_gives_the_same_state_every_tick() {
    let run = |threads| -> Vec<_> {
        let mut scene = scene(threads);
        (0..TICKS)
            .map(|tick| {
                scene.act(tick);
                let hash = scene.step();
                (hash, scene.swarm.events().clone(), scene.swarm.stats())
            })
            .collect()
    };
    let serial = run(1);
    assert!(
        serial
            .iter()
            .any(|(_, events, _)| !events.arrived.is_empty())
    );
    assert!(serial.iter().any(|(_, events, _)| !events.stuck.is_empty()));
    for threads in [2, 3, 8] {
        for (tick, (one, other)) in serial.iter().zip(run(threads)).enumerate() {
            assert_eq!(one.0, other.0, "{threads} threads, tick {tick}");
            assert_eq!(
                one.1.arrived, other.1.arrived,
                "{threads} threads, tick {tick}"
            );
            assert_eq!(one.1.lost, other.1.lost, "{threads} threads, tick {tick}");
            assert_eq!(one.1.stuck, other.1.stuck, "{threads} threads, tick {tick}");
            assert_eq!(one.2, other.2, "{threads} threads, tick {tick}");
        }
    }
}

#[test]
fn a_loaded_crowd_goes_on_as_the_saved_one() {
    let mut original = scene(1);
    for tick in 0..TICKS {
        original.act(tick);
        // Saved between the game's actions and the step, after each kind of action.
        let saved = (tick > TICKS / 2).then(|| original.swarm.save());
        let loaded = saved.map(|saved| {
            let mut swarm = Swarm::new(77);
            swarm.set_types(original.swarm.types()).expect("valid");
            swarm
                .set_settings(*original.swarm.settings())
                .expect("valid");
            for (group, &goal) in original.goals.iter().enumerate() {
                swarm
                    .set_group_goal(group as i64, Some(goal))
                    .expect("a group");
            }
            swarm.load(&saved).expect("just saved");
            assert_eq!(
                swarm.save(),
                saved,
                "saving what was loaded gives the same bytes"
            );
            assert_eq!(swarm.state_hash(), original.swarm.state_hash());
            assert_eq!(swarm.stats(), original.swarm.stats());
            swarm
        });
        let hash = original.step();
        if let Some(mut loaded) = loaded {
            loaded.step(&original.world, 1.0 / 30.0).expect("valid");
            assert_eq!(loaded.state_hash(), hash, "tick {tick}");
            assert_eq!(
                loaded.events().arrived,
                original.swarm.events().arrived,
                "tick {tick}"
            );
            assert_eq!(
                loaded.events().lost,
                original.swarm.events().lost,
                "tick {tick}"
            );
            original.swarm = loaded;
        }
    }
}

#[test]
fn what_a_crowd_knows_of_its_goals_is_saved() {
    // An arrived agent rests until its goal moves. After loading, also into a new world, the move must be detected, and
    // loading alone is not a move.
    let map = flow_swarm_bench::maps::open(12, 3);
    let world = |target: Vec2| {
        let mut world = world_of(&map, Workers::serial());
        let goal = world.create_goal(&[target]).expect("inside");
        world.require(goal, 0).expect("known");
        (world, goal)
    };
    let swarm = |goal| {
        let mut swarm = Swarm::new(1);
        swarm.set_types(&types()[..1]).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        swarm
    };
    let (here, there) = (Vec2::new(1.5, 1.5), Vec2::new(10.5, 1.5));
    let (mut first, goal) = world(there);
    let mut original = swarm(goal);
    original.spawn(&first, &[here], 0, 0).expect("inside");
    first.move_goal(goal, &[here]).expect("known");
    first.update();
    original.step(&first, 0.1).expect("valid");
    original.step(&first, 0.1).expect("valid");
    assert_eq!(original.stats().arrived_now, 1);
    let saved = original.save();

    let (mut second, goal) = world(here);
    let mut loaded = swarm(goal);
    loaded.load(&saved).expect("just saved");
    loaded.step(&second, 0.1).expect("valid");
    assert_eq!(loaded.events().arrived, [], "it has arrived long since");
    assert_eq!(loaded.stats().arrived_now, 1);
    let saved = loaded.save();
    second.move_goal(goal, &[there]).expect("known");
    second.update();
    let mut again = swarm(goal);
    again.load(&saved).expect("just saved");
    again.step(&second, 0.1).expect("valid");
    loaded.step(&second, 0.1).expect("valid");
    assert_eq!(again.stats().arrived_now, 0, "its goal has moved");
    assert_eq!(again.state_hash(), loaded.state_hash());
}

/// The bytes of a small crowd after some steps.
fn small_save() -> (Swarm, Vec<u8>) {
    let map = rooms(20, 20, 6, 1);
    let mut world = world_of(&map, Workers::serial());
    let goal = world.create_goal(&[crate::common::center_of(
        &map,
        crate::common::central_goal(&map).expect("open"),
    )]);
    let goal = goal.expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(3);
    swarm.set_types(&types()[..1]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let positions: Vec<Vec2> = (0..30)
        .map(|agent| Vec2::splat(0.6 * agent as f32 + 0.3))
        .collect();
    let ids = swarm.spawn(&world, &positions, 0, 0).expect("inside");
    swarm.despawn(&[ids[3], ids[17], ids[4]]);
    for _ in 0..20 {
        swarm.step(&world, 0.05).expect("valid");
    }
    let saved = swarm.save();
    (swarm, saved)
}

fn assert_refused(swarm: &mut Swarm, bytes: &[u8]) {
    let before = swarm.state_hash();
    let loaded = swarm.load(bytes);
    assert!(
        matches!(loaded, Err(Error::BadBytes { name: "state", .. })),
        "{loaded:?}"
    );
    assert_eq!(
        swarm.state_hash(),
        before,
        "a refused load has changed something"
    );
}

#[test]
fn a_save_cut_short_or_lengthened_is_refused() {
    let (mut swarm, saved) = small_save();
    for length in 0..saved.len() {
        assert_refused(&mut swarm, &saved[..length]);
    }
    let mut longer = saved.clone();
    longer.push(0);
    assert_refused(&mut swarm, &longer);
    swarm.load(&saved).expect("whole");
    assert_refused(&mut Swarm::new(1), b"");
}

#[test]
fn a_save_of_types_that_are_not_there_is_refused() {
    let world = world_of(&rooms(9, 9, 6, 1), Workers::serial());
    let mut swarm = Swarm::new(1);
    swarm.set_types(&types()).expect("valid");
    swarm.spawn(&world, &[Vec2::ONE], 2, 0).expect("inside");
    assert_refused(&mut Swarm::new(1), &swarm.save());
}

#[test]
fn every_single_changed_byte_is_noticed() {
    let (mut swarm, saved) = small_save();
    for at in 0..saved.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut altered = saved.clone();
            altered[at] ^= flip;
            assert_refused(&mut swarm, &altered);
        }
    }
}

/// The checksum of the save format.
fn checksum(bytes: &[u8]) -> u64 {
    let hash = bytes.chunks(8).fold(0, |hash, word| {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        mix(hash ^ u64::from_le_bytes(padded)).wrapping_add(0x9E37_79B9_7F4A_7C15)
    });
    mix(hash ^ bytes.len() as u64)
}

proptest! {
    #[test]
    fn altered_bytes_never_panic(
        flips in prop::collection::vec((any::<Index>(), 1u8..), 1..20),
        cut in prop::option::of(any::<Index>()),
    ) {
        let (mut swarm, saved) = small_save();
        let mut altered = saved.clone();
        for (at, flip) in flips {
            let at = at.index(altered.len());
            altered[at] ^= flip;
        }
        if let Some(cut) = cut {
            altered.truncate(cut.index(altered.len()));
        }
        if altered != saved {
            assert_refused(&mut swarm, &altered);
        }
    }

    /// With a corrected checksum, the content must still be accepted safely or refused. These flips find few faults
    /// beyond those of the parser: a save of one layer without crowds lacks some parts, a flip matters in few of its
    /// bytes, and each case changes three of hundreds of bytes. `forged_saves` covers all parts and fields.
    #[test]
    fn a_forged_save_never_makes_a_step_panic(
        flips in prop::collection::vec((any::<Index>(), 1u8..), 1..4),
    ) {
        let (mut swarm, mut forged) = small_save();
        let length = forged.len() - 8;
        for (at, flip) in flips {
            forged[at.index(length)] ^= flip;
        }
        forged.truncate(length);
        forged.extend(checksum(&forged).to_le_bytes());
        let before = swarm.state_hash();
        if swarm.load(&forged).is_err() {
            prop_assert_eq!(swarm.state_hash(), before);
        }
        let world = world_of(&rooms(20, 20, 6, 1), Workers::serial());
        let ids = swarm.ids().to_vec();
        for _ in 0..3 {
            swarm.step(&world, 0.1).expect("valid");
            prop_assert!(swarm.positions().iter().all(|at| at.is_finite()));
        }
        swarm.despawn(&ids);
        prop_assert!(swarm.is_empty());
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut swarm = Swarm::new(1);
        let mut prefixed = b"FLOWSWRM\x02\0\0\0".to_vec();
        prefixed.extend(&bytes);
        assert_refused(&mut swarm, &bytes);
        assert_refused(&mut swarm, &prefixed);
    }
}
