//! Crowds that walk to tiled goals.

use flow_swarm::grid::CellRect;
use flow_swarm::swarm::{AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};

use super::{cell_of, center_of};

/// Cells per second.
pub const SPEED: f32 = 6.0;
pub const DT: f32 = 0.05;

pub fn swarm_of(world: &FlowWorld, starts: &[Vec2], goal: GoalId) -> Swarm {
    let mut swarm = Swarm::new(5);
    let kind = AgentType {
        radius: 0.3,
        max_speed: SPEED,
        acceleration: 6.0 * SPEED,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.spawn(world, starts, 0, 0).expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    swarm
}

pub fn tick(world: &mut FlowWorld, swarm: &mut Swarm) {
    let news = world.update();
    assert!(news.failed.is_empty(), "{:?}", news.failed);
    swarm.request_routes(world).expect("known");
    swarm.step(world, DT).expect("valid");
}

pub fn tiled(world: &mut FlowWorld, target: Vec2) -> GoalId {
    world
        .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)
        .expect("inside")
}

/// The direction that agents at a place follow. Unlike a query, it does not search a route if there is none.
pub fn followed(world: &FlowWorld, goal: GoalId, at: Vec2) -> Vec2 {
    let route = world.route(goal, 0);
    let point = world.grid().to_cell_space(at);
    route.map_or(Vec2::ZERO, |route| route.sample_for(point, 0.0))
}

pub fn random_starts(map: &CostMap, costs: &[f64], count: usize, seed: u64) -> Vec<Vec2> {
    let open: Vec<usize> = (0..map.len())
        .filter(|&cell| costs[cell].is_finite())
        .collect();
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| center_of(map, open[random.below(open.len())]))
        .collect()
}

/// Runs ticks in which single cells other than the target's become walls or stop being walls, and finally restores the
/// ground.
pub fn walk_over_edits(
    map: &CostMap,
    target: usize,
    seed: u64,
    world: &mut FlowWorld,
    swarm: &mut Swarm,
) {
    let mut random = SplitMix64::new(seed);
    let mut undo = Vec::new();
    for number in 0..400 {
        tick(world, swarm);
        if number % 7 == 0 {
            let cell = cell_of(map, random.below(map.len()));
            if cell != cell_of(map, target) {
                let id = world.terrain().get(cell).expect("inside");
                undo.push((cell, id));
                let new = if id == WALL { 1 } else { WALL };
                world.set_terrain(cell, new).expect("inside");
            }
        }
    }
    for (cell, id) in undo.into_iter().rev() {
        world.set_terrain(cell, id).expect("inside");
    }
}

/// Runs ticks until all agents have arrived; panics if this takes longer than `seconds`.
pub fn arrive(name: &str, world: &mut FlowWorld, swarm: &mut Swarm, seconds: f64) {
    let most = (seconds / f64::from(DT)) as usize;
    for _ in 0..most {
        if swarm.is_empty() {
            return;
        }
        tick(world, swarm);
    }
    let left = &swarm.positions()[..swarm.len().min(3)];
    assert!(
        swarm.is_empty(),
        "{name}: {} left, at {left:?}",
        swarm.len()
    );
}

pub fn crowd_on_the_left() -> Vec<Vec2> {
    (0..80)
        .map(|number| Vec2::new(5.5 + (number % 10) as f32, 10.5 + (number / 10) as f32))
        .collect()
}

/// A map in two halves, with a door of four cells in the wall between them and another door far from it.
pub fn two_doors() -> (CostMap, CellRect) {
    let mut map = open(120, 90);
    for y in 0..map.height {
        let index = map.index(60, y);
        let is_door = (20..24).contains(&y) || (80..82).contains(&y);
        if !is_door {
            map.cost[index] = WALL;
        }
    }
    let door = CellRect {
        low: IVec2::new(60, 20),
        high: IVec2::new(61, 24),
    };
    (map, door)
}

/// [`two_doors`] without the far one.
pub fn one_door() -> (CostMap, CellRect) {
    let (mut map, door) = two_doors();
    for y in 80..82 {
        let index = map.index(60, y);
        map.cost[index] = WALL;
    }
    (map, door)
}
