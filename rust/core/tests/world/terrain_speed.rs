//! Terrain slows agents by its cost or by the movement type's factors, and nothing else does.

use crate::common::{cell_of, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{CrowdPenalty, MovementType, TerrainSpeed, WallPenalty};
use flow_swarm::swarm::{
    AgentId, AgentType, ArrivalAction, Avoidance, CustomData, InstanceLayout, Plane, Settings,
    Swarm,
};
use flow_swarm::terrain::Stamp;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, open};
use proptest::prelude::*;

/// Cells per second.
const SPEED: f32 = 4.0;
const DT: f32 = 1.0 / 60.0;

/// How agents are led to the other end of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lead {
    Field,
    Tiles,
    OwnTarget,
}

/// A walk along the middle row of a map, from its first column to its last.
struct Walk {
    world: FlowWorld,
    swarm: Swarm,
    walker: AgentId,
    seconds: f32,
}

fn kind() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 1000.0,
        ..AgentType::default()
    }
}

impl Walk {
    fn new(map: &CostMap, movement: MovementType, kind: AgentType, lead: Lead) -> Self {
        let mut world = world_of(map, Workers::serial());
        world.set_movement_types(&[movement]).expect("one");
        let mut swarm = Swarm::new(7);
        swarm.set_types(&[kind]).expect("valid");
        let settings = Settings {
            arrival: ArrivalAction::KeepGoing,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        let row = map.height as f32 * 0.5;
        let target = Vec2::new(map.width as f32 - 0.5, row);
        let walker = swarm
            .spawn(&world, &[Vec2::new(0.5, row)], 0, 0)
            .expect("inside")[0];
        let mode = match lead {
            Lead::Field => GoalMode::Full,
            Lead::Tiles => GoalMode::Tiled,
            Lead::OwnTarget => {
                swarm
                    .set_targets(&world, &[walker], &[target])
                    .expect("inside");
                GoalMode::Full
            }
        };
        if lead != Lead::OwnTarget {
            let goal = world
                .create_goal_with_mode(&[target], &[0.0], mode)
                .expect("inside");
            swarm.set_group_goal(0, Some(goal)).expect("a group");
        }
        Self {
            world,
            swarm,
            walker,
            seconds: 0.0,
        }
    }

    fn step(&mut self) {
        self.world.update();
        self.swarm.request_routes(&mut self.world).expect("known");
        self.swarm.step(&self.world, DT).expect("valid");
        self.seconds += DT;
    }

    fn index(&self) -> usize {
        self.swarm.index_of(self.walker).expect("lives")
    }

    fn speed(&self) -> f32 {
        self.swarm.velocities()[self.index()].length()
    }

    /// The time, to a fraction of a step, at which the agent passes the left edge of a column.
    fn time_at(&mut self, x: f32) -> f32 {
        loop {
            let before = self.swarm.positions()[self.index()].x;
            self.step();
            let now = self.swarm.positions()[self.index()].x;
            if now >= x {
                return self.seconds - DT * (now - x) / (now - before);
            }
            assert!(self.seconds < 600.0, "at {now}");
        }
    }
}

/// Open ground with strips of terrain across it, each with a width and an id.
fn strips(of: &[(usize, u8)]) -> CostMap {
    let columns: Vec<u8> = of
        .iter()
        .flat_map(|&(width, id)| std::iter::repeat_n(id, width))
        .collect();
    let mut map = open(columns.len(), 9);
    for cell in 0..map.len() {
        map.cost[cell] = columns[map.position(cell).0];
    }
    map
}

fn assert_near(found: f32, expected: f32, what: &str) {
    let share = (found / expected - 1.0).abs();
    assert!(share < 0.03, "{what}: {found} s, not {expected} s");
}

#[test]
fn ground_takes_as_long_as_it_costs() {
    let avoidances = [
        Avoidance::None,
        Avoidance::Contact,
        Avoidance::Separation,
        Avoidance::Orca,
    ];
    for (id, slower) in [(1, 1.0), (2, 2.0), (5, 5.0), (10, 10.0), (60, 10.0)] {
        let map = strips(&[(4, 1), (6, id), (4, 1)]);
        for avoidance in avoidances {
            for lead in [Lead::Field, Lead::Tiles, Lead::OwnTarget] {
                let kind = AgentType {
                    avoidance,
                    ..kind()
                };
                let mut walk = Walk::new(&map, MovementType::default(), kind, lead);
                let (enters, leaves) = (walk.time_at(4.0), walk.time_at(10.0));
                let what = format!("terrain {id}, {avoidance:?}, {lead:?}");
                assert_near(leaves - enters, 6.0 * slower / SPEED, &what);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_walk_takes_as_long_as_the_field_says(
        ground in prop::collection::vec((2usize..7, 1u8..=10), 2..7),
    ) {
        let ground = [&[(3, 1)], ground.as_slice(), &[(6, 1)]].concat();
        let map = strips(&ground);
        let cells: f32 = map.cost[3..map.width - 6].iter().map(|&cost| f32::from(cost)).sum();
        let mut walk = Walk::new(&map, MovementType::default(), kind(), Lead::Field);
        let end = map.width as f32 - 6.0;
        let seconds = -walk.time_at(3.0) + walk.time_at(end);
        let expected = cells / SPEED;
        // The distance of a step at full speed into each strip.
        let slack = 0.02 * expected + DT * ground.len() as f32;
        prop_assert!((seconds - expected).abs() < slack, "{} s, not {}", seconds, expected);
    }
}

/// The agent's speed in the middle of a map.
fn cruising_speed(map: &CostMap, movement: MovementType) -> f32 {
    let mut walk = Walk::new(map, movement, kind(), Lead::Field);
    walk.time_at(map.width as f32 * 0.5);
    walk.speed()
}

#[test]
fn penalties_do_not_slow() {
    let mut corridor = strips(&[(30, 1)]);
    for cell in 0..corridor.len() {
        if corridor.position(cell).1.is_multiple_of(8) {
            corridor.cost[cell] = WALL;
        }
    }
    let far = WallPenalty::new(50, 5, false).expect("in range");
    let crowds = CrowdPenalty::new(50).expect("in range");
    let shy = MovementType::with_wall_penalty(far).with_crowd_penalty(crowds);
    assert!((cruising_speed(&corridor, shy.clone()) - SPEED).abs() < 1.0e-3);
    // Where it stands, the crowd has increased the cost of the ground.
    let mut walk = Walk::new(&corridor, shy, kind(), Lead::Field);
    let crowd: Vec<Vec2> = (0..24)
        .map(|index| Vec2::new(14.0 + (index / 4) as f32, 2.0 + (index % 4) as f32))
        .collect();
    walk.swarm.spawn(&walk.world, &crowd, 0, 1).expect("inside");
    for _ in 0..180 {
        walk.swarm.report_crowding(&mut walk.world);
        walk.step();
        let at = walk.swarm.positions()[walk.index()];
        assert_eq!(walk.world.speed_factor(0, at), 1.0, "{at}");
    }
    assert!(
        walk.world.costs(0).cost_at(IVec2::new(15, 3)) > 55,
        "dear by crowds"
    );
    assert_eq!(walk.world.speed_factor(0, Vec2::new(15.5, 3.5)), 1.0);
}

#[test]
fn factors_go_before_costs_and_cost_need_not_slow() {
    let map = strips(&[(20, 5)]);
    let road = TerrainSpeed::default()
        .with_factor(5, 1.5)
        .expect("in range");
    let mud = TerrainSpeed::even().with_factor(5, 0.1).expect("in range");
    for (speed, factor) in [
        (TerrainSpeed::default(), 0.2),
        (TerrainSpeed::even(), 1.0),
        (road, 1.5),
        (mud, 0.1),
    ] {
        let kind = MovementType::default().with_terrain_speed(&speed);
        let found = cruising_speed(&map, kind) / SPEED;
        assert!((found - factor).abs() < 1.0e-3, "{found}, not {factor}");
    }
}

#[test]
fn edits_and_stamps_change_the_speed_with_the_next_step() {
    let map = strips(&[(60, 1)]);
    let mut walk = Walk::new(&map, MovementType::default(), kind(), Lead::Field);
    let all = CellRect {
        low: IVec2::ZERO,
        high: IVec2::new(60, 9),
    };
    walk.step();
    let mut speed_after = |edit: &mut dyn FnMut(&mut FlowWorld)| {
        edit(&mut walk.world);
        // There is no update between the edit and the step.
        walk.swarm.step(&walk.world, DT).expect("valid");
        (walk.speed() / SPEED * 100.0).round()
    };
    assert_eq!(speed_after(&mut |_| {}), 100.0);
    let paint = |id: u8| {
        move |world: &mut FlowWorld| {
            world.set_terrain_rect(all, id).expect("inside");
        }
    };
    assert_eq!(speed_after(&mut paint(4)), 25.0);
    let mud = Stamp::new(all.high, &[10; 540], None).expect("valid");
    let mut stamp = None;
    let found = speed_after(&mut |world| {
        stamp = Some(world.place_stamp(IVec2::ZERO, &mud).expect("inside"));
    });
    assert_eq!(found, 10.0, "a stamp is terrain");
    let found =
        speed_after(&mut |world| world.remove_stamp(stamp.expect("placed")).expect("known"));
    assert_eq!(found, 25.0);
    let found = speed_after(&mut |world| {
        world.set_terrain_bytes(&[2; 540]).expect("as many");
    });
    assert_eq!(found, 50.0);
    assert_eq!(speed_after(&mut paint(1)), 100.0);
}

#[test]
fn another_speed_builds_no_field() {
    let map = strips(&[(30, 2)]);
    let mut walk = Walk::new(&map, MovementType::default(), kind(), Lead::Field);
    walk.time_at(5.0);
    let before = walk.world.build_stats();
    let fast = TerrainSpeed::default()
        .with_factor(2, 2.0)
        .expect("in range");
    let fast = MovementType::default().with_terrain_speed(&fast);
    walk.world.set_movement_types(&[fast]).expect("one");
    walk.step();
    walk.step();
    assert_eq!(walk.world.build_stats(), before);
    assert!(
        (walk.speed() - 2.0 * SPEED).abs() < 1.0e-3,
        "{}",
        walk.speed()
    );
}

#[test]
fn slow_ground_is_no_obstacle() {
    // Half a radius per second.
    let kind = AgentType {
        radius: 2.0,
        max_speed: 10.0,
        ..kind()
    };
    let settings = Settings {
        arrival: ArrivalAction::KeepGoing,
        stuck_seconds: 1.5,
        ..Settings::default()
    };
    let crowds = CrowdPenalty::new(50).expect("in range");
    let shy = MovementType::default().with_crowd_penalty(crowds);
    let mut walk = Walk::new(&strips(&[(30, 10)]), shy, kind, Lead::Field);
    walk.swarm.set_settings(settings).expect("valid");
    for _ in 0..900 {
        walk.swarm.report_crowding(&mut walk.world);
        walk.step();
        assert_eq!(walk.swarm.stats().stuck, 0, "after {} s", walk.seconds);
    }
    let dearest = walk.world.costs(0).dearest();
    assert_eq!(dearest, 10, "an agent under way is no crowd");
    assert!(walk.swarm.positions()[0].x > 14.0, "it gets on");
}

#[test]
fn agents_that_cross_walls_are_not_slowed_by_them() {
    let mut map = strips(&[(30, 1)]);
    let mut walk = Walk::new(&map, MovementType::default(), kind(), Lead::OwnTarget);
    let flying = Settings {
        wall_correction: false,
        ..*walk.swarm.settings()
    };
    walk.swarm.set_settings(flying).expect("valid");
    for cell in 0..map.len() {
        let at = cell_of(&map, cell);
        if (10..20).contains(&at.x) {
            map.cost[cell] = WALL;
        }
    }
    walk.world.set_terrain_bytes(&map.cost).expect("as many");
    let (enters, leaves) = (walk.time_at(10.0), walk.time_at(20.0));
    assert_near(leaves - enters, 10.0 / SPEED, "walls");
}

#[test]
fn agents_on_slow_ground_face_where_they_go() {
    let map = strips(&[(20, 10)]);
    let mut walk = Walk::new(&map, MovementType::default(), kind(), Lead::OwnTarget);
    let layout = InstanceLayout {
        plane: Plane::Xy,
        color: false,
        custom: CustomData::None,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    walk.time_at(3.0);
    let back = Vec2::new(0.5, 0.5);
    let ids = [walk.walker];
    walk.swarm
        .set_targets(&walk.world, &ids, &[back])
        .expect("inside");
    walk.time_at(0.0);
    for _ in 0..120 {
        walk.step();
    }
    let mut row = vec![0.0; layout.stride()];
    walk.swarm
        .pack(&layout, &mut row, walk.world.workers())
        .expect("room");
    let ahead = (back - walk.swarm.positions()[0]).normalize();
    // The first column of the basis.
    let faced = Vec2::new(row[0], row[4]).normalize();
    assert!(faced.dot(ahead) > 0.99, "{faced}, not {ahead}");
}
