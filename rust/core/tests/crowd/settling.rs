//! Crowds settle around their goal: all agents arrive, and those inside are not pushed.

use crate::common::world_of;
use flow_swarm::Vec2;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{AgentId, AgentType, Avoidance, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, WALL, open};

const DT: f32 = 0.05;
const RADIUS: f32 = 0.25;

/// A crowd that gathers at a goal of one cell.
fn gathering(map: &CostMap, target: Vec2, kind: AgentType, penalty: i64) -> (FlowWorld, Swarm) {
    let mut world = world_of(map, Workers::serial());
    let shuns = CrowdPenalty::new(penalty).expect("in range");
    let movement = MovementType::default().with_crowd_penalty(shuns);
    world.set_movement_types(&[movement]).expect("one");
    let goal = world.create_goal(&[target]).expect("inside");
    let mut swarm = Swarm::new(5);
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        settle_in_crowds: true,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    (world, swarm)
}

fn agent(avoidance: Avoidance) -> AgentType {
    AgentType {
        radius: RADIUS,
        max_speed: 3.75,
        acceleration: 15.0,
        neighbour_radius: 2.5,
        avoidance,
        ..AgentType::default()
    }
}

fn block(corner: Vec2, columns: usize, count: usize) -> Vec<Vec2> {
    (0..count)
        .map(|index| corner + Vec2::new((index % columns) as f32, (index / columns) as f32) * 0.6)
        .collect()
}

fn tick(world: &mut FlowWorld, swarm: &mut Swarm) {
    world.update();
    swarm.report_crowding(world);
    swarm.request_routes(world).expect("known");
    swarm.step(world, DT).expect("valid");
}

/// Runs ticks until all agents count as arrived.
fn settle(name: &str, world: &mut FlowWorld, swarm: &mut Swarm, seconds: f32) {
    for _ in 0..(seconds / DT) as usize {
        tick(world, swarm);
        if swarm.stats().arrived_now == swarm.len() {
            return;
        }
    }
    panic!("{name}: {:?}", swarm.stats());
}

fn places(swarm: &Swarm, ids: &[AgentId]) -> Vec<Vec2> {
    let place = |id: &AgentId| swarm.positions()[swarm.index_of(*id).expect("alive")];
    ids.iter().map(place).collect()
}

fn mean_way(from: &[Vec2], to: &[Vec2]) -> f32 {
    let ways = from.iter().zip(to).map(|(from, to)| from.distance(*to));
    ways.sum::<f32>() / from.len() as f32
}

#[test]
fn no_agent_at_the_rim_is_left_out() {
    // On open ground, in a corner, at a wall, and at the end of a narrow corridor.
    let mut wall = open(30, 24);
    for y in 0..20 {
        let cell = wall.index(16, y);
        wall.cost[cell] = WALL;
    }
    let mut lane = open(40, 9);
    for x in 12..40 {
        for y in (0..9).filter(|y| !(3..6).contains(y)) {
            let cell = lane.index(x, y);
            lane.cost[cell] = WALL;
        }
    }
    let maps = [
        ("open", open(30, 24), Vec2::new(20.5, 12.5)),
        ("corner", open(30, 24), Vec2::new(29.5, 0.5)),
        ("wall", wall, Vec2::new(15.5, 8.5)),
        ("lane", lane, Vec2::new(39.5, 4.5)),
    ];
    for (name, map, target) in maps {
        for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
            for penalty in [0, 10] {
                let name = format!("{name}, {avoidance:?}, penalty {penalty}");
                let kind = agent(avoidance);
                let (mut world, mut swarm) = gathering(&map, target, kind, penalty);
                let starts = block(Vec2::new(1.0, 0.5), 10, 60);
                swarm.spawn(&world, &starts, 0, 0).expect("inside");
                settle(&name, &mut world, &mut swarm, 60.0);
            }
        }
    }
}

#[test]
fn late_agents_do_not_push_arrived_agents_about() {
    for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
        let (map, target) = (open(30, 24), Vec2::new(15.5, 12.5));
        let (mut world, mut swarm) = gathering(&map, target, agent(avoidance), 0);
        let first = swarm
            .spawn(&world, &block(Vec2::new(1.0, 9.0), 10, 60), 0, 0)
            .expect("inside");
        settle("the first", &mut world, &mut swarm, 60.0);
        for _ in 0..60 {
            tick(&mut world, &mut swarm);
        }
        let before = places(&swarm, &first);
        // From both sides.
        for corner in [Vec2::new(1.0, 9.0), Vec2::new(24.0, 2.0)] {
            let starts = block(corner, 9, 60);
            swarm.spawn(&world, &starts, 0, 0).expect("inside");
        }
        settle("late comers", &mut world, &mut swarm, 60.0);
        let pushed = mean_way(&before, &places(&swarm, &first));
        // From then on all agents stand.
        for _ in 0..60 {
            tick(&mut world, &mut swarm);
        }
        let all = swarm.ids().to_vec();
        let settled = places(&swarm, &all);
        let mut jitter = 0.0;
        let mut last = settled.clone();
        for _ in 0..200 {
            tick(&mut world, &mut swarm);
            let now = places(&swarm, &all);
            jitter += mean_way(&last, &now);
            last = now;
        }
        let drift = mean_way(&settled, &last);
        assert!(
            pushed < RADIUS,
            "{avoidance:?}: pushed by {pushed} on average"
        );
        assert!(
            jitter < 0.02 * RADIUS,
            "{avoidance:?}: {jitter} in ten seconds"
        );
        assert!(
            drift < 0.02 * RADIUS,
            "{avoidance:?}: {drift} in ten seconds"
        );
    }
}
