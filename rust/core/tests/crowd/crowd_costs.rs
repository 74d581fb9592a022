//! Crowd penalties: agents that come later go around standing ones, and a crowd spreads over doors.

use crate::common::crowds::DT;
use crate::common::world_of;
use flow_swarm::movement::{CrowdPenalty, MAX_COST, MovementType, WallPenalty};
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, ArrivalAction, Avoidance, Settings, Swarm, SwarmSnapshot,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, open};
use std::collections::BTreeMap;

const RADIUS: f32 = 0.3;

/// A wall across a room, with doors in it.
struct Doors {
    map: CostMap,
    wall: usize,
    /// The first row of each door, and the row after the last.
    doors: Vec<(usize, usize)>,
}

impl Doors {
    fn new((width, height): (usize, usize), wall: usize, doors: &[(usize, usize)]) -> Self {
        let mut map = open(width, height);
        let is_open = |y: usize| doors.iter().any(|&(low, high)| (low..high).contains(&y));
        for y in (0..height).filter(|&y| !is_open(y)) {
            let cell = map.index(wall, y);
            map.cost[cell] = WALL;
        }
        Self {
            map,
            wall,
            doors: doors.to_vec(),
        }
    }
}

/// Places in rows, starting at `corner`.
fn rows(corner: Vec2, columns: usize, count: usize, spacing: f32) -> Vec<Vec2> {
    (0..count)
        .map(|index| {
            let place = Vec2::new((index % columns) as f32, (index / columns) as f32);
            corner + place * spacing
        })
        .collect()
}

fn shunning(penalty: i64) -> MovementType {
    MovementType::default().with_crowd_penalty(CrowdPenalty::new(penalty).expect("in range"))
}

/// A crowd that walks to one goal and leaves there.
struct Play {
    world: FlowWorld,
    swarm: Swarm,
    goal: GoalId,
}

impl Play {
    fn new(map: &CostMap, penalty: i64, target: Vec2, mode: GoalMode, threads: usize) -> Self {
        let mut world = world_of(map, Workers::new(threads).expect("threads"));
        world.set_movement_types(&[shunning(penalty)]).expect("one");
        let goal = world
            .create_goal_with_mode(&[target], &[0.0], mode)
            .expect("inside");
        let mut swarm = Swarm::new(3);
        let kind = AgentType {
            radius: RADIUS,
            max_speed: 3.0,
            acceleration: 15.0,
            ..AgentType::default()
        };
        swarm.set_types(&[kind]).expect("valid");
        let settings = Settings {
            arrival: ArrivalAction::Despawn,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        Self { world, swarm, goal }
    }

    fn stand(&mut self, places: &[Vec2]) -> Vec<AgentId> {
        let ids = self.swarm.spawn(&self.world, places, 0, 1).expect("inside");
        self.swarm.set_state(&ids, AgentState::Idle).expect("alive");
        ids
    }

    fn send(&mut self, starts: &[Vec2]) -> Vec<AgentId> {
        self.swarm.spawn(&self.world, starts, 0, 0).expect("inside")
    }

    fn tick(&mut self) {
        let news = self.world.update();
        assert!(news.failed.is_empty(), "{:?}", news.failed);
        self.swarm.report_crowding(&mut self.world);
        self.swarm.request_routes(&mut self.world).expect("known");
        self.swarm.step(&self.world, DT).expect("valid");
    }

    fn tick_for(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT) as usize {
            self.tick();
        }
    }

    /// Runs ticks until `ids` are through the wall or `seconds` have passed. Returns the number that used each door,
    /// and the ticks.
    fn through(&mut self, room: &Doors, ids: &[AgentId], seconds: f32) -> (Vec<usize>, usize) {
        let mut taken: BTreeMap<AgentId, usize> = BTreeMap::new();
        let mut ticks = 0;
        while taken.len() < ids.len() && ticks < (seconds / DT) as usize {
            self.tick();
            ticks += 1;
            for id in ids {
                let Ok(index) = self.swarm.index_of(*id) else {
                    continue;
                };
                let at = self.swarm.positions()[index];
                if at.x.floor() as usize == room.wall {
                    let y = at.y as usize;
                    let door = room
                        .doors
                        .iter()
                        .position(|&(low, high)| (low..high).contains(&y));
                    taken.insert(*id, door.expect("no other way"));
                }
            }
        }
        let count = |door: usize| taken.values().filter(|&&taken| taken == door).count();
        ((0..room.doors.len()).map(count).collect(), ticks)
    }
}

fn two_doors() -> Doors {
    Doors::new((44, 32), 22, &[(6, 10), (22, 26)])
}

/// How many late agents use each of two doors. A standing crowd blocks the first, nearer one.
fn late_comers(penalty: i64, mode: GoalMode) -> Vec<usize> {
    let room = two_doors();
    let mut play = Play::new(&room.map, penalty, Vec2::new(40.5, 10.5), mode, 1);
    play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    play.tick_for(3.0);
    let late = play.send(&rows(Vec2::new(2.5, 6.5), 8, 60, 0.7));
    play.through(&room, &late, 60.0).0
}

#[test]
fn a_standing_crowd_sends_late_comers_through_the_other_door() {
    let before = late_comers(0, GoalMode::Full);
    assert!(before[1] * 10 < 60, "without it they took {before:?}");
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let after = late_comers(12, mode);
        assert_eq!(after.iter().sum::<usize>(), 60, "{mode:?}: all are through");
        assert!(after[1] * 100 >= 60 * 40, "{mode:?}: they took {after:?}");
    }
}

#[test]
fn a_crowd_spreads_over_doors() {
    let room = Doors::new((60, 44), 40, &[(4, 7), (16, 19), (28, 31), (40, 43)]);
    let taken = |avoidance, penalty| {
        let target = Vec2::new(57.5, 20.5);
        let mut play = Play::new(&room.map, penalty, target, GoalMode::Full, 1);
        let kind = AgentType {
            avoidance,
            ..play.swarm.types()[0]
        };
        play.swarm.set_types(&[kind]).expect("valid");
        let ids = play.send(&rows(Vec2::new(1.0, 1.0), 36, 1000, 0.65));
        let (doors, ticks) = play.through(&room, &ids, 200.0);
        assert_eq!(doors.iter().sum::<usize>(), 1000, "{penalty}: {doors:?}");
        (doors, ticks)
    };
    // First nearly all use the door on the direct path; with the penalty each door that is no great detour gets a fair
    // share.
    let (without, _) = taken(Avoidance::Separation, 0);
    assert!(without[1] > 800, "without it: {without:?}");
    for penalty in [12, 30] {
        let (flowing, flowing_ticks) = taken(Avoidance::Separation, penalty);
        for count in &flowing[..3] {
            assert!((200..500).contains(count), "{penalty}: {flowing:?}");
        }
        // Discs go around a jam without penalties too, so the shares differ less, and they cannot pass through each
        // other.
        let (bodies, bodies_ticks) = taken(Avoidance::Contact, penalty);
        for count in &bodies[..3] {
            assert!(*count >= 200, "{penalty}: {bodies:?}");
        }
        assert!(
            4 * bodies_ticks <= 5 * flowing_ticks,
            "{penalty}: {bodies_ticks} ticks, {flowing_ticks} if they flow through each other"
        );
    }
}

#[test]
fn costs_are_as_before_when_the_crowd_has_gone() {
    let room = two_doors();
    let mut play = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    let plain = play.world.costs(0).to_bytes();
    let ids = play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    play.tick_for(8.0);
    let crowded = play.world.costs(0).to_bytes();
    assert!(
        plain
            .iter()
            .zip(&crowded)
            .all(|(plain, crowded)| plain <= crowded)
    );
    assert!(
        crowded.contains(&13),
        "a full cell costs the whole penalty more"
    );
    let is_wall = |costs: &[u8]| costs.iter().map(|&cost| cost == WALL).collect::<Vec<_>>();
    assert_eq!(is_wall(&plain), is_wall(&crowded), "no way is shut");
    assert_eq!(play.world.crowding_at(Vec2::new(20.5, 7.5)), Ok(1.0));
    assert_eq!(play.world.crowding_at(Vec2::new(3.5, 7.5)), Ok(0.0));
    // The crowd is removed, and its penalty fades.
    play.swarm.despawn(&ids);
    play.tick_for(1.0);
    let crowding = play
        .world
        .crowding_at(Vec2::new(20.5, 7.5))
        .expect("inside");
    assert!(crowding > 0.0 && crowding <= 1.0, "{crowding}");
    play.tick_for(30.0);
    assert_eq!(play.world.costs(0).to_bytes(), plain);
}

#[test]
fn what_a_swarm_has_reported_goes_with_it() {
    let room = two_doors();
    let mut play = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    let plain = play.world.costs(0).to_bytes();
    let places = rows(Vec2::new(18.0, 5.6), 8, 64, 0.6);
    play.stand(&places);
    // A second swarm at the same place; a single one would suffice.
    let mut other = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    other.stand(&places);
    other.tick_for(3.0);
    play.tick_for(3.0);
    let one = play.world.costs(0).to_bytes();
    assert_ne!(one, plain);
    let Play { world, swarm, .. } = &mut play;
    other.swarm.report_crowding(world);
    world.update();
    let both = world.costs(0).to_bytes();
    assert!(
        one.iter().zip(&both).all(|(one, both)| one <= both),
        "they add up"
    );
    assert!(
        both.iter().all(|&cost| cost <= 13 || cost == WALL),
        "up to a full cell"
    );
    // A swarm that reports to another world no longer counts here.
    other.swarm.report_crowding(&mut other.world);
    other.swarm.step(&other.world, DT).expect("valid");
    world.update();
    assert_eq!(world.costs(0).to_bytes(), one);
    *swarm = Swarm::new(3);
    world.update();
    assert_eq!(world.costs(0).to_bytes(), plain);
}

#[test]
fn a_report_that_was_brought_back_goes_with_its_swarm() {
    let room = two_doors();
    let mut play = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    let plain = play.world.costs(0).to_bytes();
    play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    let Play { swarm, .. } = &mut play;
    let before_all_reports = swarm.save();
    play.tick_for(3.0);
    let Play { world, swarm, .. } = &mut play;
    let crowded = world.costs(0).to_bytes();
    assert_ne!(crowded, plain);
    let (kept_world, mut kept_swarm) = (world.snapshot(), SwarmSnapshot::default());
    swarm.take_snapshot(&mut kept_swarm);
    let (saved_world, saved_swarm) = (world.save_state().expect("settled"), swarm.save());
    for by_snapshot in [true, false] {
        swarm.load(&before_all_reports).expect("its own");
        world.update();
        assert_eq!(world.costs(0).to_bytes(), plain);
        if by_snapshot {
            world.restore(&kept_world).expect("its own");
            swarm.restore(world, &kept_swarm).expect("its own");
        } else {
            world.load_state(&saved_world).expect("its own");
            swarm.load_in(world, &saved_swarm).expect("its own");
        }
        world.update();
        assert_eq!(
            world.costs(0).to_bytes(),
            crowded,
            "it waited for its swarm"
        );
    }
    swarm.load(&before_all_reports).expect("its own");
    world.update();
    assert_eq!(world.costs(0).to_bytes(), plain);
}

#[test]
fn other_types_and_new_types_have_their_own_penalties() {
    let room = two_doors();
    let mut play = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    play.tick_for(8.0);
    let walls = WallPenalty::new(250, 1, false).expect("valid");
    let dear = MovementType::with_wall_penalty(walls);
    let near = dear
        .clone()
        .with_crowd_penalty(CrowdPenalty::new(253).expect("in range"));
    let kinds = [shunning(12), dear, near];
    play.world.set_movement_types(&kinds).expect("three");
    play.world.update();
    let cell = IVec2::new(20, 7);
    assert_eq!(play.world.costs(0).cost_at(cell), 13);
    assert_eq!(play.world.costs(1).cost_at(cell), 1);
    assert_eq!(play.world.costs(2).cost_at(cell), MAX_COST);
    // Painting terrain and walls under a crowd keeps its penalty.
    play.world.set_terrain(cell, 5).expect("inside");
    play.world.update();
    assert_eq!(play.world.costs(0).cost_at(cell), 17);
    assert_eq!(play.world.costs(0).plain_cost_at(cell), 5);
    play.world.set_terrain(cell, WALL).expect("inside");
    play.world.update();
    assert_eq!(play.world.costs(0).cost_at(cell), WALL);
    play.world.set_terrain(cell, 1).expect("inside");
    play.world.update();
    assert_eq!(play.world.costs(0).cost_at(cell), 13);
    // Without a type with a crowd penalty nothing is measured.
    play.world.set_movement_types(&[]).expect("one");
    play.tick();
    play.tick();
    assert_eq!(play.world.crowding_at(cell.as_vec2() + 0.5), Ok(0.0));
    assert!(
        play.world
            .costs(0)
            .to_bytes()
            .iter()
            .all(|&cost| cost == 1 || cost == WALL)
    );
}

#[test]
fn repaired_fields_are_those_of_a_new_world() {
    let room = two_doors();
    let target = Vec2::new(40.5, 10.5);
    let mut play = Play::new(&room.map, 9, target, GoalMode::Full, 2);
    play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    play.send(&rows(Vec2::new(2.5, 6.5), 8, 60, 0.7));
    for _ in 0..12 {
        play.tick_for(1.0);
        play.world.update();
        let mut costs = room.map.clone();
        costs.cost = play.world.costs(0).to_bytes();
        let mut fresh = world_of(&costs, Workers::serial());
        let goal = fresh.create_goal(&[target]).expect("inside");
        fresh.require(goal, 0).expect("known");
        fresh.update();
        let [one, other] = [(&play.world, play.goal), (&fresh, goal)].map(|(world, goal)| {
            world
                .field(goal, 0)
                .expect("built")
                .integration
                .stored()
                .to_vec()
        });
        assert_eq!(one, other);
    }
    assert!(play.world.build_stats().repairs > 0);
}

#[test]
fn threads_and_saving_do_not_matter() {
    let room = two_doors();
    let target = Vec2::new(40.5, 10.5);
    let make = |threads| Play::new(&room.map, 12, target, GoalMode::Full, threads);
    let begin = |threads| {
        let mut play = make(threads);
        play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
        // Enough agents for several pieces of parallel work.
        play.send(&rows(Vec2::new(1.0, 1.0), 50, 2500, 0.3));
        play.tick_for(6.0);
        play
    };
    let mut one = begin(1);
    let saved = one.swarm.save();
    let mut loaded = make(3);
    loaded.swarm.load(&saved).expect("whole");
    assert_eq!(loaded.swarm.state_hash(), one.swarm.state_hash());
    let mut other = begin(4);
    for _ in 0..100 {
        for play in [&mut one, &mut loaded, &mut other] {
            play.tick();
        }
        let hash = one.swarm.state_hash();
        assert_eq!(loaded.swarm.state_hash(), hash, "loaded");
        assert_eq!(other.swarm.state_hash(), hash, "4 threads");
    }
    // A save with crowds is checked like any other save.
    for end in (0..saved.len()).step_by(997) {
        assert!(loaded.swarm.load(&saved[..end]).is_err());
    }
}

#[test]
fn a_standing_crowd_leaves_costs_alone_after_a_while() {
    let room = two_doors();
    let mut play = Play::new(&room.map, 12, Vec2::new(40.5, 10.5), GoalMode::Full, 1);
    play.stand(&rows(Vec2::new(18.0, 5.6), 8, 64, 0.6));
    play.tick_for(12.0);
    let (costs, stats) = (play.world.costs(0).to_bytes(), play.world.build_stats());
    play.tick_for(5.0);
    assert_eq!(play.world.costs(0).to_bytes(), costs);
    let after = play.world.build_stats();
    assert_eq!(
        (after.full_solves, after.repairs),
        (stats.full_solves, stats.repairs)
    );
}
