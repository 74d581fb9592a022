//! Goals of the kind FLEE: from every cell near a threat that has a path to a safe one, agents get there.

use crate::common::{SOLVERS_AND_RULES, cell_of, every_map, fresh_seeds, index_of, world_of};
use flow_swarm::grid::STEPS;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalKind};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::{legal_step, shortest_lengths};
use flow_swarm_bench::steps::Corners;

/// The most that the solver's lengths are off, in cells.
const OFF: f64 = 0.6;

/// The cells from which steps that keep away from the threats lead to a cell for which `is_end` holds.
fn leads(map: &CostMap, lengths: &[f64], is_end: impl Fn(usize) -> bool) -> Vec<bool> {
    let is_free = |cell: usize| map.is_passable(cell) && lengths[cell] > 1.0;
    let mut leads: Vec<bool> = (0..map.len())
        .map(|cell| is_free(cell) && is_end(cell))
        .collect();
    let mut open: Vec<usize> = (0..map.len()).filter(|&cell| leads[cell]).collect();
    while let Some(cell) = open.pop() {
        for step in STEPS {
            let next = cell_of(map, cell) + step;
            let is_inside = next.x >= 0
                && next.y >= 0
                && (next.x as usize) < map.width
                && (next.y as usize) < map.height;
            if !is_inside {
                continue;
            }
            let next = index_of(map, next);
            // Corners of cells beside threats are not cut either.
            let is_straight = step.x == 0 || step.y == 0;
            let beside = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
            let clears = |by: &IVec2| is_free(index_of(map, cell_of(map, cell) + *by));
            let is_legal = legal_step(map, next, cell, Corners::Closed)
                && (is_straight || beside.iter().all(clears));
            if is_free(next) && is_legal && !leads[next] {
                leads[next] = true;
                open.push(next);
            }
        }
    }
    leads
}

fn flee(world: &mut FlowWorld, map: &CostMap, threats: &[usize], reach: f32) -> GoalId {
    let places: Vec<Vec2> = threats
        .iter()
        .map(|&cell| cell_of(map, cell).as_vec2() + 0.5)
        .collect();
    world
        .create_goal_of_kind(&places, GoalKind::Flee { reach })
        .expect("inside")
}

/// Checks the paths from every cell.
fn check(world: &mut FlowWorld, map: &CostMap, goal: GoalId, threats: &[usize], reach: f64) {
    let field = world.whole_field(goal, 0).expect("known").expect("built");
    let from_threats = shortest_lengths(map, threats);
    let is_surely_safe = |cell: usize| from_threats[cell] >= reach + OFF;
    let escapes = leads(map, &from_threats, is_surely_safe);
    for start in (0..map.len()).filter(|&cell| map.is_passable(cell)) {
        let cell = cell_of(map, start);
        assert!(field.cost_at(cell).is_some(), "no cost at {cell}");
        let path = field.path_from(cell);
        let last = *path.last().expect("a path from everywhere");
        assert!(field.is_goal(last), "from {cell} to {last}");
        let end = from_threats[index_of(map, last)];
        let begin = from_threats[start];
        if begin >= reach + OFF {
            assert_eq!(path.len(), 1, "{cell} is safe, and {begin} away");
        }
        if escapes[start] {
            assert!(end >= reach - OFF, "from {cell} to {last}, {end} away");
        }
        let turns = path.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(turns.into_iter().all(|step| step.abs().max_element() == 1));
        if begin > 1.0 {
            let past = path
                .iter()
                .find(|&&cell| from_threats[index_of(map, cell)] <= 1.0);
            assert_eq!(past, None, "from {cell} past a threat");
        }
        // Samples lead on.
        let sample = field.sample_for(cell.as_vec2() + 0.5, 0.3);
        assert_eq!(sample == Vec2::ZERO, field.is_goal(cell), "at {cell}");
    }
}

fn random_cell(random: &mut SplitMix64, map: &CostMap) -> Option<usize> {
    let open: Vec<usize> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .collect();
    (!open.is_empty()).then(|| open[random.below(open.len())])
}

#[test]
fn from_every_cell_with_a_path_to_a_safe_one_agents_get_there() {
    for seed in fresh_seeds(20, 25) {
        let mut random = SplitMix64::new(seed);
        for (name, map) in every_map(24, 18, seed) {
            let Some(first) = random_cell(&mut random, &map) else {
                continue;
            };
            let mut threats = vec![first];
            while random.percent(40) {
                threats.extend(random_cell(&mut random, &map));
            }
            let reach = [0.5, 1.7, 4.0, 8.0, 13.0][random.below(5)];
            let (solver, rule) = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
            eprintln!("{name} {threats:?} {reach} {solver:?} {rule:?}");
            let mut world = world_of(&map, Workers::serial());
            world.set_solver(solver);
            world.set_direction_rule(rule);
            let goal = flee(&mut world, &map, &threats, reach);
            check(&mut world, &map, goal, &threats, f64::from(reach));
        }
    }
}

#[test]
fn in_the_open_directions_lead_straight_away() {
    let map = open(101, 101);
    for reach in [10.0, 20.0, 40.0] {
        let mut world = world_of(&map, Workers::serial());
        let middle = Vec2::splat(50.5);
        let kind = GoalKind::Flee { reach };
        let goal = world.create_goal_of_kind(&[middle], kind).expect("inside");
        let (mut worst, mut sum) = (0.0_f32, 0.0);
        let count = 20_000;
        for number in 0..count {
            let angle = number as f32 * 0.618_034;
            let distance = 1.5 + (reach - 2.5) * ((number % 997) as f32 / 997.0);
            let at = middle + Vec2::from_angle(angle) * distance;
            let direction = world.flow_vector(goal, at, 0).expect("inside");
            let off = direction.angle_to(at - middle).abs().to_degrees();
            worst = worst.max(off);
            sum += off;
        }
        let mean = sum / count as f32;
        assert!(worst < 3.0, "reach {reach}: up to {worst} degrees off");
        assert!(mean < 0.5, "reach {reach}: {mean} degrees off on average");
    }
}

/// A threat in the mouth of a dead end drives those inside to its end, and those outside away from it.
#[test]
fn a_threat_in_the_only_way_out_is_not_passed() {
    let mut map = open(40, 9);
    for index in 0..map.len() {
        let (x, y) = map.position(index);
        if y != 4 || x == 0 {
            map.cost[index] = WALL;
        }
    }
    let mut world = world_of(&map, Workers::serial());
    let kind = GoalKind::Flee { reach: 15.0 };
    let goal = world
        .create_goal_of_kind(&[Vec2::new(10.5, 4.5)], kind)
        .expect("inside");
    let end = |world: &mut FlowWorld, x: f32| {
        let path = world.path_from(goal, Vec2::new(x, 4.5), 0).expect("inside");
        path.last().expect("a path").x
    };
    assert_eq!(end(&mut world, 7.5), 1.5, "into the end");
    assert_eq!(end(&mut world, 12.5), 25.5, "out");
    // Beside the threat they run out too.
    assert_eq!(end(&mut world, 9.5), 25.5, "out");
    // A wall that closes the way out, and one that opens another.
    world.set_terrain(IVec2::new(20, 4), WALL).expect("inside");
    assert_eq!(end(&mut world, 12.5), 19.5, "as far as they can");
    for y in 0..4 {
        world.set_terrain(IVec2::new(3, y), 1).expect("inside");
    }
    for x in 3..39 {
        world.set_terrain(IVec2::new(x, 0), 1).expect("inside");
    }
    assert!(end(&mut world, 7.5) > 5.5, "the new way");
}

/// Ground that costs more is avoided, but does not make a place safer.
#[test]
fn the_reach_is_a_length_whatever_the_ground_costs() {
    let mut map = open(40, 20);
    map.cost.fill(20);
    let mut world = world_of(&map, Workers::serial());
    let kind = GoalKind::Flee { reach: 10.0 };
    let goal = world
        .create_goal_of_kind(&[Vec2::new(10.5, 10.5)], kind)
        .expect("inside");
    let at = |x: f32| Vec2::new(x, 10.5);
    let cost = |world: &mut FlowWorld, x: f32| world.cost_to_goal(goal, at(x), 0).expect("inside");
    assert!(cost(&mut world, 19.5) > Some(0.0));
    assert_eq!(cost(&mut world, 20.5), Some(0.0));
}
