//! Discs with contacts, and their overlaps with each other and with walls.

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Avoidance, Swarm};
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, WALL, open};
use flow_swarm_bench::oracle::wall_depth;

pub const DT: f32 = 1.0 / 60.0;
pub const RADIUS: f32 = 0.25;

pub fn disc() -> AgentType {
    AgentType {
        radius: RADIUS,
        max_speed: 4.0,
        acceleration: 16.0,
        avoidance: Avoidance::Contact,
        ..AgentType::default()
    }
}

pub fn crowd(world: &FlowWorld, types: &[AgentType], starts: &[(Vec2, usize)]) -> Swarm {
    let mut swarm = Swarm::new(1);
    swarm.set_types(types).expect("valid");
    for &(start, kind) in starts {
        swarm
            .spawn(world, &[start], kind as i64, 0)
            .expect("inside");
    }
    swarm
}

/// The deepest overlap of any two agents, as a share of the smaller radius.
pub fn deepest_overlap(swarm: &Swarm) -> f32 {
    let radius = |kind: u8| swarm.types()[usize::from(kind)].radius;
    let places = swarm.positions().iter().copied();
    let mut discs: Vec<(Vec2, f32)> = places
        .zip(swarm.kinds().iter().map(|&kind| radius(kind)))
        .collect();
    discs.sort_by(|one, other| one.0.x.total_cmp(&other.0.x));
    let largest = discs.iter().map(|disc| disc.1).fold(0.0, f32::max);
    let mut deepest = 0.0_f32;
    for (number, &(at, radius)) in discs.iter().enumerate() {
        let end = at.x + radius + largest;
        for &(other, its_radius) in discs[number + 1..].iter().take_while(|it| it.0.x < end) {
            let overlap = radius + its_radius - at.distance(other);
            deepest = deepest.max(overlap / radius.min(its_radius));
        }
    }
    deepest
}

pub fn walls_around(width: usize, height: usize) -> CostMap {
    let mut map = open(width, height);
    for cell in 0..map.len() {
        let (x, y) = (cell % width, cell / width);
        if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
            map.cost[cell] = WALL;
        }
    }
    map
}

/// The depth of the deepest disc in a wall.
pub fn deepest_in_wall(map: &CostMap, swarm: &Swarm) -> f64 {
    let kinds = swarm.kinds().iter().map(|&kind| usize::from(kind));
    let depths = swarm.positions().iter().zip(kinds);
    depths
        .map(|(&at, kind)| wall_depth(map, at, swarm.types()[kind].radius))
        .fold(0.0, f64::max)
}

pub fn assert_sound(map: &CostMap, swarm: &Swarm) {
    assert!(swarm.positions().iter().all(|at| at.is_finite()));
    assert!(swarm.velocities().iter().all(|speed| speed.is_finite()));
    assert_eq!(swarm.stats().quarantined, 0);
    let depth = deepest_in_wall(map, swarm);
    assert!(depth <= 2.1e-3, "a disc is {depth} deep in a wall");
}

/// The number of agents that overlap another by more than a share of their radius. All radii are equal.
pub fn overlapping(swarm: &Swarm, share: f32) -> usize {
    let mut at = swarm.positions().to_vec();
    at.sort_by(|one, other| one.x.total_cmp(&other.x));
    let near = (2.0 - share) * RADIUS;
    let mut overlaps = vec![false; at.len()];
    for one in 0..at.len() {
        let end = at[one].x + near;
        for other in (one + 1..at.len()).take_while(|&other| at[other].x < end) {
            if at[one].distance(at[other]) < near {
                (overlaps[one], overlaps[other]) = (true, true);
            }
        }
    }
    overlaps.iter().filter(|&&overlaps| overlaps).count()
}
