//! Crowds in the costs: who comes late goes round those who stand, and a crowd spreads over doors.

mod common;

use common::crowds::DT;
use common::world_of;
use flow_swarm::movement::{CrowdPenalty, MAX_COST, MovementType, WallPenalty};
use flow_swarm::swarm::{AgentId, AgentState, AgentType, ArrivalAction, Settings, Swarm};
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
    /// First row and row after the last of each.
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

/// Places in rows, from `corner` on.
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

/// A crowd that goes to one goal and leaves there.
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

    /// Ticks until `ids` are through the wall or `seconds` are over; how many took each door.
    fn through(&mut self, room: &Doors, ids: &[AgentId], seconds: f32) -> Vec<usize> {
        let mut taken: BTreeMap<AgentId, usize> = BTreeMap::new();
        for _ in 0..(seconds / DT) as usize {
            self.tick();
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
            if taken.len() == ids.len() {
                break;
            }
        }
        let count = |door: usize| taken.values().filter(|&&taken| taken == door).count();
        (0..room.doors.len()).map(count).collect()
    }
}

fn two_doors() -> Doors {
    Doors::new((44, 32), 22, &[(6, 10), (22, 26)])
}

/// How many late comers take each of two doors, the first and nearer of which a crowd stands across.
fn late_comers(penalty: i64, mode: GoalMode) -> Vec<usize> {
    let room = two_doors();
    let mut play = Play::new(&room.map, penalty, Vec2::new(40.5, 10.5), mode, 1);
    play.stand(&rows(Vec2::new(18.4, 5.4), 8, 64, 0.65));
    play.tick_for(3.0);
    let late = play.send(&rows(Vec2::new(2.5, 6.5), 8, 60, 0.7));
    play.through(&room, &late, 60.0)
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
    let mut taken = Vec::new();
    for penalty in [0, 12] {
        let target = Vec2::new(57.5, 6.5);
        let mut play = Play::new(&room.map, penalty, target, GoalMode::Full, 1);
        let ids = play.send(&rows(Vec2::new(1.0, 1.0), 36, 1000, 0.65));
        let through = play.through(&room, &ids, 200.0);
        assert_eq!(
            through.iter().sum::<usize>(),
            1000,
            "{penalty}: {through:?}"
        );
        taken.push(through);
    }
    eprintln!("{taken:?}");
    assert!(taken[0][0] > 600, "without it: {:?}", taken[0]);
    let share = taken[1].iter().map(|&count| count as f32 / 1000.0);
    for share in share {
        assert!((0.1..0.45).contains(&share), "{:?}", taken[1]);
    }
}
