//! Agents with a lateral bias, or that keep to their group: they spread, and still arrive.

use crate::common::{SOLVERS_AND_RULES, SolverAndRule, center_of, central_goal, world_of};
use flow_swarm::Vec2;
use flow_swarm::flow::LOOKAHEAD;
use flow_swarm::swarm::{AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, open};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

const DT: f32 = 0.05;
/// Cells per second.
const SPEED: f32 = 4.0;

fn leaner() -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 6.0 * SPEED,
        lateral_bias: 1.0,
        ..AgentType::default()
    }
}

fn tick(world: &mut FlowWorld, swarm: &mut Swarm) {
    let news = world.update();
    assert!(news.failed.is_empty(), "{:?}", news.failed);
    swarm.request_routes(world).expect("known");
    swarm.step(world, DT).expect("valid");
}

/// Points that change sides at every stride.
#[test]
fn agents_that_lean_descend() {
    for (name, map) in every_kind(29, 31, 7) {
        let goal_cell = central_goal(&map).expect("an open cell");
        let costs = exact_costs(&map, &[goal_cell], &StepRule::default());
        for (solver, rule) in SOLVERS_AND_RULES {
            let mut world = world_of(&map, Workers::serial());
            world.set_solver(solver);
            world.set_direction_rule(rule);
            let goal = world
                .create_goal(&[center_of(&map, goal_cell)])
                .expect("inside");
            world.require(goal, 0).expect("known");
            world.update();
            let field = world.field(goal, 0).expect("built");
            let mut random = SplitMix64::new(11);
            for cell in (0..map.len()).filter(|&cell| costs[cell].is_finite()) {
                let mut at = center_of(&map, cell);
                let mut strides = 0;
                let always = random.percent(50).then(|| random.unit() as f32 * 2.0 - 1.0);
                while !field.flow.is_goal(at.floor().as_ivec2()) {
                    let side = always.unwrap_or(random.unit() as f32 * 2.0 - 1.0);
                    let ahead = field.flow.sample_for(at, 0.3);
                    let leaning = field.flow.lean(at, 0.3, ahead, side);
                    at += leaning * LOOKAHEAD;
                    strides += 1;
                    let most = 40 * (costs[cell] as usize + 10);
                    assert!(
                        strides < most,
                        "{name}, {solver:?}, {rule:?}: stuck at {at}"
                    );
                    let inside = map.index(at.x as usize, at.y as usize);
                    assert!(map.is_passable(inside), "{name}: in a wall at {at}");
                }
            }
        }
    }
}

fn all_agents_arrive(name: &str, map: &CostMap, (solver, rule): SolverAndRule, mode: GoalMode) {
    const AGENTS: usize = 120;
    let goal_cell = central_goal(map).expect("an open cell");
    let costs = exact_costs(map, &[goal_cell], &StepRule::default());
    let connected: Vec<usize> = (0..map.len())
        .filter(|&cell| costs[cell].is_finite())
        .collect();
    let mut world = world_of(map, Workers::serial());
    world.set_solver(solver);
    world.set_direction_rule(rule);
    let goal = world
        .create_goal_with_mode(&[center_of(map, goal_cell)], &[0.0], mode)
        .expect("inside");
    let mut swarm = Swarm::new(2);
    let kind = AgentType {
        cohesion: 1.0,
        ..leaner()
    };
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let mut random = SplitMix64::new(3);
    let starts: Vec<Vec2> = (0..AGENTS)
        .map(|_| center_of(map, connected[random.below(connected.len())]))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    swarm.set_group_leader(0, Some(ids[7])).expect("alive");
    let farthest = connected
        .iter()
        .map(|&cell| costs[cell])
        .fold(0.0, f64::max);
    let seconds = 8.0 * (farthest as f32 + AGENTS as f32) / SPEED + 10.0;
    for _ in 0..(seconds / DT) as usize {
        tick(&mut world, &mut swarm);
        assert!(swarm.events().lost.is_empty(), "{name}: an agent is lost");
        if swarm.is_empty() {
            return;
        }
    }
    panic!(
        "{name}, {solver:?}, {rule:?}, {mode:?}: {:?}",
        swarm.stats()
    );
}

#[test]
fn all_agents_arrive_on_every_map() {
    for (name, map) in every_kind(37, 41, 5) {
        for pair in SOLVERS_AND_RULES {
            all_agents_arrive(name, &map, pair, GoalMode::Full);
        }
        all_agents_arrive(name, &map, SolverAndRule::default(), GoalMode::Tiled);
    }
}

/// A file of agents that crosses open ground. Returns how far they deviate to both sides, and the steps of the last
/// one.
fn file(kind: AgentType) -> (f32, f32, usize) {
    let mut world = world_of(&open(80, 41), Workers::serial());
    let goal = world.create_goal(&[Vec2::new(77.5, 20.5)]).expect("inside");
    let mut swarm = Swarm::new(2);
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let starts: Vec<Vec2> = (0..40)
        .map(|index| Vec2::new(1.0 + index as f32 * 0.7, 20.5))
        .collect();
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let (mut left, mut right) = (0.0_f32, 0.0_f32);
    for steps in 0..2000 {
        tick(&mut world, &mut swarm);
        for at in swarm.positions() {
            left = left.max(20.5 - at.y);
            right = right.max(at.y - 20.5);
        }
        if swarm.is_empty() {
            return (left, right, steps);
        }
    }
    panic!("an agent is left: {:?}", swarm.stats());
}

#[test]
fn a_file_becomes_a_front() {
    let straight = AgentType {
        lateral_bias: 0.0,
        ..leaner()
    };
    let (left, right, steps) = file(straight);
    assert!(left < 1.0 && right < 1.0, "{left} and {right}");
    let (wide_left, wide_right, longer) = file(leaner());
    assert!(
        wide_left > 3.0 && wide_right > 3.0,
        "{wide_left} and {wide_right}"
    );
    assert!(
        longer as f32 <= 1.3 * steps as f32,
        "{longer} steps instead of {steps}"
    );
}

/// The length of a group after a march, by `kind`, with one of its agents as leader or without a leader.
fn stretched(kind: AgentType, leader: bool) -> f32 {
    let mut world = world_of(&open(90, 31), Workers::serial());
    let goal = world.create_goal(&[Vec2::new(88.5, 15.5)]).expect("inside");
    let mut swarm = Swarm::new(2);
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let starts: Vec<Vec2> = (0..36)
        .map(|index| Vec2::new(4.0 + (index % 6) as f32, 12.0 + (index / 6) as f32))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    if leader {
        swarm.set_group_leader(0, Some(ids[14])).expect("alive");
        assert_eq!(swarm.group_leader(0), Ok(Some(ids[14])));
    }
    for _ in 0..260 {
        tick(&mut world, &mut swarm);
    }
    let along = swarm.positions().iter().map(|at| at.x);
    along.clone().fold(0.0, f32::max) - along.fold(f32::INFINITY, f32::min)
}

#[test]
fn groups_keep_together() {
    let kind = |cohesion| AgentType {
        lateral_bias: 0.0,
        speed_variation: 0.4,
        cohesion,
        ..leaner()
    };
    let apart = stretched(kind(0.0), false);
    for leader in [false, true] {
        let together = stretched(kind(1.0), leader);
        assert!(
            together < 0.75 * apart,
            "{together} instead of {apart}, leader: {leader}"
        );
    }
}

#[test]
fn a_removed_leader_leads_no_agent() {
    let world = world_of(&open(12, 12), Workers::serial());
    let mut swarm = Swarm::new(2);
    let ids = swarm
        .spawn(&world, &[Vec2::splat(3.0), Vec2::splat(6.0)], 0, 0)
        .expect("inside");
    assert_eq!(swarm.group_leader(4), Ok(None));
    swarm.set_group_leader(4, Some(ids[0])).expect("alive");
    assert_eq!(swarm.group_leader(4), Ok(Some(ids[0])));
    swarm.despawn(&ids[..1]);
    assert_eq!(swarm.group_leader(4), Ok(None));
    assert!(swarm.set_group_leader(4, Some(ids[0])).is_err(), "stale");
    assert!(swarm.set_group_leader(256, None).is_err());
    assert!(swarm.group_leader(-1).is_err());
}
