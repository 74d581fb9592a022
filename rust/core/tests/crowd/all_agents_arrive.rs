//! Crowds arrive at their goals, and agents that cannot are reported.

use crate::common::{
    SOLVERS_AND_RULES, SolverAndRule, center_of, central_goal, system_a_penalty, world_of,
};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::MovementType;
use flow_swarm::swarm::{AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, maze, open, serpentine};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

const AGENTS: usize = 300;
/// Cells per second.
const SPEED: f32 = 6.0;
const DT: f32 = 0.05;

fn agent_type() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 6.0 * SPEED,
        ..AgentType::default()
    }
}

fn crowd(world: &FlowWorld, map: &CostMap, arrival: ArrivalAction, seed: u64) -> (Swarm, f64) {
    let goal = central_goal(map).expect("an open cell");
    let costs = exact_costs(map, &[goal], &StepRule::default());
    let connected: Vec<usize> = (0..map.len())
        .filter(|&cell| costs[cell].is_finite())
        .collect();
    let mut swarm = Swarm::new(seed);
    swarm.set_types(&[agent_type()]).expect("valid");
    let settings = Settings {
        arrival,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    let mut random = SplitMix64::new(seed);
    let starts: Vec<Vec2> = (0..AGENTS)
        .map(|_| center_of(map, connected[random.below(connected.len())]))
        .collect();
    swarm.spawn(world, &starts, 0, 0).expect("inside");
    // Terrain slows agents at most as much as it costs.
    let farthest = connected
        .iter()
        .map(|&cell| costs[cell])
        .fold(0.0, f64::max);
    (swarm, farthest)
}

fn all_arrive(
    name: &str,
    map: &CostMap,
    kind: &MovementType,
    (solver, rule): SolverAndRule,
    body: (f32, Avoidance),
) {
    let mut world = world_of(map, Workers::serial());
    world
        .set_movement_types(std::slice::from_ref(kind))
        .expect("one");
    world.set_solver(solver);
    world.set_direction_rule(rule);
    let goal_cell = central_goal(map).expect("an open cell");
    let goal = world
        .create_goal(&[center_of(map, goal_cell)])
        .expect("inside");
    world.require(goal, 0).expect("known");
    let (mut swarm, farthest) = crowd(&world, map, ArrivalAction::Despawn, 4);
    let kind = AgentType {
        radius: body.0,
        avoidance: body.1,
        ..agent_type()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    // The farthest agent alone takes farthest / speed seconds; the rest is for a queue of single agents.
    let seconds = 4.0 * (farthest as f32 + AGENTS as f32) / SPEED + 10.0;
    let most = (seconds / DT) as usize;
    let mut arrived = 0;
    for _ in 0..most {
        swarm.step(&world, DT).expect("valid");
        arrived += swarm.events().arrived.len();
        assert!(swarm.events().lost.is_empty(), "{name}: an agent is lost");
        if swarm.is_empty() {
            break;
        }
    }
    let left = swarm.stats();
    assert!(
        swarm.is_empty(),
        "{name}: after {most} ticks {left:?}, first at {}",
        swarm.positions()[0]
    );
    assert_eq!((arrived, left.arrived), (AGENTS, AGENTS as u64), "{name}");
}

#[test]
fn on_every_map_by_both_rules_with_and_without_wall_penalty() {
    let mut maps: Vec<(&str, CostMap)> = every_kind(37, 41, 5);
    // Winding corridors one cell wide. By its author's account, system A cannot pass them with a wall penalty.
    maps.push(("narrow serpentine", serpentine(25, 21, 1)));
    maps.push(("another maze", maze(31, 33, 8)));
    maps.push(("corridor", open(40, 1)));
    maps.push(("shaft", open(1, 40)));
    maps.push(("cell", open(1, 1)));
    for (name, map) in maps {
        let kinds = [
            MovementType::default(),
            MovementType::with_wall_penalty(system_a_penalty()),
        ];
        // The larger discs just fit into a corridor of one cell.
        for body in [(0.3, Avoidance::Contact), (0.49, Avoidance::Separation)] {
            for (penalty, kind) in ["", ", wall penalty"].into_iter().zip(&kinds) {
                for pair in SOLVERS_AND_RULES {
                    let name = format!("{name}{penalty}, {pair:?}, {body:?}");
                    all_arrive(&name, &map, kind, pair, body);
                }
            }
        }
    }
}

#[test]
fn those_without_a_route_stop_and_go_on_when_a_wall_opens() {
    let mut world = world_of(&open(30, 12), Workers::serial());
    let wall = CellRect {
        low: IVec2::new(15, 0),
        high: IVec2::new(16, 12),
    };
    world.set_terrain_rect(wall, WALL).expect("inside");
    let goal = world.create_goal(&[Vec2::new(28.5, 6.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    world.update();
    let mut swarm = Swarm::new(9);
    swarm.set_types(&[agent_type()]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let starts: Vec<Vec2> = (0..60)
        .map(|agent| Vec2::new(1.5 + (agent % 10) as f32, 2.5 + (agent / 10) as f32))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.events().lost, ids, "each reported, in order");
    assert_eq!(swarm.stats().lost, 60);
    for _ in 0..100 {
        swarm.step(&world, DT).expect("valid");
        assert!(swarm.events().lost.is_empty(), "reported once");
        assert!(swarm.events().stuck.is_empty(), "the lost are not stuck");
    }
    assert_eq!(swarm.positions(), starts, "no agent has moved");
    assert_eq!(swarm.velocities(), [Vec2::ZERO; 60]);
    assert_eq!(swarm.stats().lost, 60);

    world.set_terrain(IVec2::new(15, 3), 1).expect("inside");
    world.update();
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.stats().lost, 0);
    let mut arrived = 0;
    for _ in 0..2_000 {
        swarm.step(&world, DT).expect("valid");
        arrived += swarm.events().arrived.len();
    }
    // Agents stop there, so the goal's cell fills up and the last ones may have to wait outside.
    assert!(arrived >= 1 && swarm.stats().arrived as usize == arrived);
    assert!(
        swarm.positions().iter().all(|at| at.x > 16.0),
        "all are through the gap"
    );

    // When they are enclosed again they are lost again, and reported again.
    world.set_terrain(IVec2::new(15, 3), WALL).expect("inside");
    world
        .move_goal(goal, &[Vec2::new(2.5, 2.5)])
        .expect("known");
    world.update();
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.events().lost.len(), 60);
}

#[test]
fn agents_are_lost_if_their_goal_is_in_a_wall_and_wait_if_it_is_released() {
    let mut world = world_of(&open(8, 8), Workers::serial());
    let goal = world.create_goal(&[Vec2::new(6.5, 6.5)]).expect("inside");
    let mut swarm = Swarm::new(9);
    swarm.set_types(&[agent_type()]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let ids = swarm
        .spawn(&world, &[Vec2::new(1.5, 1.5)], 0, 0)
        .expect("inside");
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.stats().lost, 0, "no field yet: it waits");
    world.require(goal, 0).expect("known");
    swarm.step(&world, DT).expect("valid");
    assert!(swarm.velocities()[0].length() > 0.0);
    world.set_terrain(IVec2::new(6, 6), WALL).expect("inside");
    world.update();
    swarm.step(&world, DT).expect("valid");
    assert_eq!(swarm.events().lost, ids);
    world.release_goal(goal).expect("known");
    for _ in 0..60 {
        swarm.step(&world, DT).expect("valid");
    }
    assert_eq!(swarm.stats().lost, 0);
    assert_eq!(swarm.velocities(), [Vec2::ZERO]);
}

#[test]
fn the_arrival_actions_do_what_they_say() {
    let run = |arrival| {
        let mut world = world_of(&open(12, 5), Workers::serial());
        let goal = world.create_goal(&[Vec2::new(9.9, 2.2)]).expect("inside");
        world.require(goal, 0).expect("known");
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[agent_type()]).expect("valid");
        let settings = Settings {
            arrival,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let ids = swarm
            .spawn(&world, &[Vec2::new(1.5, 2.5)], 0, 0)
            .expect("inside");
        let mut arrivals = Vec::new();
        for _ in 0..200 {
            swarm.step(&world, DT).expect("valid");
            arrivals.extend_from_slice(&swarm.events().arrived);
        }
        assert_eq!(arrivals, ids, "{arrival:?}: told once");
        (world, goal, swarm)
    };
    let (_, _, swarm) = run(ArrivalAction::Despawn);
    assert!(swarm.is_empty());
    let (_, _, swarm) = run(ArrivalAction::KeepGoing);
    assert!(swarm.positions()[0].distance(Vec2::new(9.9, 2.2)) < 0.01);
    assert_eq!(swarm.stats().arrived_now, 1);
    let (mut world, goal, mut swarm) = run(ArrivalAction::Stop);
    assert_eq!(swarm.velocities(), [Vec2::ZERO]);
    assert_eq!(world.grid().cell_at(swarm.positions()[0]), IVec2::new(9, 2));
    // The agent continues when its goal moves, and arrives again.
    world
        .move_goal(goal, &[Vec2::new(1.5, 2.5)])
        .expect("known");
    world.update();
    for _ in 0..200 {
        swarm.step(&world, DT).expect("valid");
    }
    assert_eq!(world.grid().cell_at(swarm.positions()[0]), IVec2::new(1, 2));
    assert_eq!(swarm.stats().arrived, 2);
}

#[test]
fn an_arrival_radius_is_enough() {
    let mut world = world_of(&open(20, 9), Workers::serial());
    let target = Vec2::new(15.5, 4.5);
    let goal = world.create_goal(&[target]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[agent_type()]).expect("valid");
    let settings = Settings {
        arrival_radius: 3.0,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    swarm
        .spawn(&world, &[Vec2::new(1.5, 4.5)], 0, 0)
        .expect("inside");
    for _ in 0..200 {
        swarm.step(&world, DT).expect("valid");
    }
    let distance = swarm.positions()[0].distance(target);
    assert!((2.0..=3.0).contains(&distance), "stopped {distance} away");
    assert_eq!(swarm.stats().arrived_now, 1);
}

#[test]
fn those_that_get_nowhere_are_stuck_once_and_counted() {
    // Too wide for the gap, in a movement type without clearance.
    let map = CostMap::from_rows(&[".....#.....", "...........", ".....#....."]);
    let mut world = world_of(&map, Workers::serial());
    let goal = world.create_goal(&[Vec2::new(9.5, 1.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let mut swarm = Swarm::new(1);
    let wide = AgentType {
        radius: 0.8,
        ..agent_type()
    };
    swarm.set_types(&[wide]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let ids = swarm
        .spawn(&world, &[Vec2::new(2.5, 1.5)], 0, 0)
        .expect("inside");
    let mut stuck = Vec::new();
    for _ in 0..200 {
        swarm.step(&world, DT).expect("valid");
        stuck.extend_from_slice(&swarm.events().stuck);
    }
    assert_eq!(stuck, ids);
    assert_eq!(swarm.stats().stuck, 1);
}
