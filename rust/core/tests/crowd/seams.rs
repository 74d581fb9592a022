//! Clearance and discs reach over links on foot, where the floor of one layer continues on another one.

use flow_swarm::grid::links::{Link, LinkId};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::swarm::{AgentState, AgentType, ArrivalAction, Avoidance, Settings, Swarm};
use flow_swarm::terrain::WALL;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;

const SIZE: IVec2 = IVec2::new(40, 17);
/// The first column of the upper floor. The lower one ends before it.
const MIDDLE: i32 = 20;
const DT: f32 = 1.0 / 30.0;

fn cell(world: &FlowWorld, x: i32, y: i32, layer: i64) -> IVec2 {
    let place = world.grid().place_of(IVec2::new(x, y), layer);
    place.expect("inside")
}

fn kind(radius: f32) -> MovementType {
    MovementType::default().with_clearance(Clearance::new(radius).expect("in range"))
}

/// A floor that is on layer 0 in the west and on layer 1 in the east. `is_wall` says where it has walls.
fn split_floor(radius: f32, is_wall: impl Fn(IVec2) -> bool) -> FlowWorld {
    let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, 2).expect("small");
    let mut world = FlowWorld::new(grid, Workers::serial());
    world.set_movement_types(&[kind(radius)]).expect("one");
    for layer in 0..2 {
        for at in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| IVec2::new(x, y))) {
            let is_here = (at.x < MIDDLE) == (layer == 0);
            if !is_here || is_wall(at) {
                let place = cell(&world, at.x, at.y, layer);
                world.set_terrain(place, WALL).expect("inside");
            }
        }
    }
    world
}

fn seam(world: &FlowWorld, y: i32) -> Link {
    Link {
        from: cell(world, MIDDLE - 1, y, 0),
        to: cell(world, MIDDLE, y, 1),
        cost: 1.0,
        both_ways: true,
        travel: Travel::Walk,
    }
}

fn join(world: &mut FlowWorld, rows: impl Iterator<Item = i32>) -> Vec<LinkId> {
    let links: Vec<Link> = rows.map(|y| seam(world, y)).collect();
    world.add_links(&links).expect("valid")
}

/// Whether a lattice of posts has one in a cell. All cells between are connected.
fn has_post(seed: u64, at: IVec2) -> bool {
    let drawn = SplitMix64::new(seed ^ (at.x * 1000 + at.y) as u64).next_u64();
    at.x % 3 == 1 && at.y % 3 == 1 && drawn.is_multiple_of(3)
}

#[test]
fn clearance_is_that_of_one_floor() {
    for radius in [0.9, 1.2, 1.7, 2.5, 4.0] {
        for seed in 0..20 {
            let mut split = split_floor(radius, |at| has_post(seed, at));
            join(&mut split, 0..SIZE.y);
            split.update();
            let grid = Grid::new(SIZE, 1.0, Vec2::ZERO).expect("small");
            let mut whole = FlowWorld::new(grid, Workers::serial());
            whole.set_movement_types(&[kind(radius)]).expect("one");
            for at in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| IVec2::new(x, y))) {
                if has_post(seed, at) {
                    whole.set_terrain(at, WALL).expect("inside");
                }
            }
            whole.update();
            let mut open = 0;
            for at in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| IVec2::new(x, y))) {
                let place = cell(&split, at.x, at.y, i64::from(at.x >= MIDDLE));
                let is_open = whole.costs(0).is_open(at);
                assert_eq!(
                    split.costs(0).is_open(place),
                    is_open,
                    "{at}, radius {radius}, seed {seed}"
                );
                open += usize::from(is_open);
                // Walls stay walls, whatever reaches over them.
                let beyond = cell(&split, at.x, at.y, i64::from(at.x < MIDDLE));
                assert!(split.costs(0).is_wall(beyond) && !split.costs(0).is_open(beyond));
            }
            assert!(radius > 2.0 || open > 100, "{radius}: {open}");
        }
    }
}

fn goal_in_the_east(world: &mut FlowWorld, mode: GoalMode) -> GoalId {
    let target = world.grid().center_of(cell(world, SIZE.x - 5, 8, 1));
    let goal = world.create_goal_with_mode(&[target], &[0.0], mode);
    goal.expect("inside")
}

#[test]
fn wide_agents_walk_over_a_seam() {
    for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
        for clearance in [0.0, 1.4] {
            for mode in [GoalMode::Full, GoalMode::Tiled] {
                let what = format!("{avoidance:?}, clearance {clearance}, {mode:?}");
                let mut world = split_floor(clearance, |_| false);
                join(&mut world, 6..11);
                let goal = goal_in_the_east(&mut world, mode);
                let mut swarm = Swarm::new(3);
                let wide = AgentType {
                    radius: 1.4,
                    max_speed: 3.0,
                    acceleration: 20.0,
                    avoidance,
                    neighbour_radius: 5.0,
                    ..AgentType::default()
                };
                swarm.set_types(&[wide]).expect("valid");
                let settings = Settings {
                    arrival: ArrivalAction::Despawn,
                    ..Settings::default()
                };
                swarm.set_settings(settings).expect("valid");
                swarm.set_group_goal(0, Some(goal)).expect("a group");
                let starts = [(4, 4), (4, 8), (4, 12), (9, 4), (9, 12)];
                let starts = starts.map(|(x, y)| world.grid().center_of(cell(&world, x, y, 0)));
                swarm.spawn(&world, &starts, 0, 0).expect("inside");
                let mut ticks = 0;
                let is_over = |swarm: &Swarm| {
                    let mut places = swarm.positions().iter();
                    places.all(|&at| swarm.layers().at(at) == 1)
                };
                while !is_over(&swarm) {
                    ticks += 1;
                    assert!(ticks < 1800, "{what}: {:?}", swarm.positions());
                    swarm.request_routes(&mut world).expect("known");
                    world.update();
                    swarm.step(&world, DT).expect("valid");
                    assert_eq!(swarm.events().lost, [], "{what}");
                    let agents = swarm.positions().iter().zip(swarm.states());
                    for (&at, _) in agents.filter(|(_, state)| **state == AgentState::Following) {
                        assert!(!world.costs(0).is_wall(world.grid().cell_at(at)), "{what}");
                    }
                }
            }
        }
    }
}

/// A world that is built at once, of the terrain and links of another one.
fn rebuilt(world: &FlowWorld, radius: f32) -> FlowWorld {
    let mut fresh = FlowWorld::new(*world.grid(), Workers::serial());
    fresh.set_movement_types(&[kind(radius)]).expect("one");
    let terrain = world.base_terrain_bytes();
    fresh.set_terrain_bytes(&terrain).expect("of this size");
    let links: Vec<Link> = world
        .link_ids()
        .map(|id| *world.link(id).expect("there"))
        .collect();
    fresh.add_links(&links).expect("valid");
    fresh
}

#[test]
fn edits_on_either_side_of_a_seam_are_noticed_on_the_other() {
    for radius in [0.0, 0.9, 1.7, 3.2] {
        for (seed, mode) in [
            (1, GoalMode::Full),
            (2, GoalMode::Tiled),
            (3, GoalMode::Full),
        ] {
            let mut random = SplitMix64::new(seed);
            let mut below = |most: i32| (random.next_u64() % most as u64) as i32;
            let mut world = split_floor(radius, |_| false);
            let mut links = join(&mut world, 3..14);
            let goal = goal_in_the_east(&mut world, mode);
            for edit in 0..60 {
                match below(6) {
                    0 if !links.is_empty() => {
                        let gone = links.swap_remove(below(links.len() as i32) as usize);
                        world.remove_link(gone).expect("there");
                    }
                    1 => links.extend(join(&mut world, std::iter::once(below(SIZE.y)))),
                    kind => {
                        let layer = i64::from(below(2));
                        let (x, y) = (MIDDLE - 6 + below(12), below(SIZE.y - 2));
                        let low = cell(&world, x, y, layer);
                        let rect = CellRect {
                            low,
                            high: low + IVec2::new(1 + below(2), 1 + below(2)),
                        };
                        let is_floor = (x < MIDDLE - 2) == (layer == 0) && kind != 2;
                        let id = if is_floor { 1 } else { WALL };
                        world.set_terrain_rect(rect, id).expect("inside");
                    }
                }
                if below(3) == 0 {
                    // A query between two updates applies edits ahead.
                    let at = world.grid().center_of(cell(&world, 3, 3, 0));
                    world.query_status(goal, at, 0).expect("known");
                }
                if below(3) == 0 {
                    continue;
                }
                world.update();
                let mut fresh = rebuilt(&world, radius);
                fresh.update();
                let what = format!("radius {radius}, seed {seed}, edit {edit}");
                assert!(world.costs(0).costs() == fresh.costs(0).costs(), "{what}");
                let fresh_goal = goal_in_the_east(&mut fresh, mode);
                for (x, y, layer) in [(2, 2, 0), (MIDDLE - 2, 8, 0), (MIDDLE + 2, 12, 1)] {
                    let at = world.grid().center_of(cell(&world, x, y, layer));
                    let ask = |world: &mut FlowWorld, goal| world.query_status(goal, at, 0);
                    assert_eq!(ask(&mut world, goal), ask(&mut fresh, fresh_goal), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_seam_that_is_removed_leaves_walls_although_another_one_stays() {
    for radius in [0.0, 1.7] {
        let mut world = split_floor(radius, |_| false);
        let links = join(&mut world, [1, 15].into_iter());
        world.update();
        world.remove_link(links[0]).expect("there");
        world.update();
        let mut fresh = rebuilt(&world, radius);
        fresh.update();
        for index in 0..world.grid().cell_count() {
            let at = world.grid().cell(index);
            let ground = |world: &FlowWorld| {
                let costs = world.costs(0);
                (costs.cost_at(at), costs.is_obstacle(at))
            };
            assert_eq!(ground(&world), ground(&fresh), "radius {radius}: {at}");
        }
    }
}

#[test]
fn a_seam_whose_other_side_is_closed_is_a_wall_again() {
    let mut world = split_floor(1.6, |_| false);
    join(&mut world, 6..11);
    let goal = goal_in_the_east(&mut world, GoalMode::Full);
    let west = world.grid().center_of(cell(&world, 5, 8, 0));
    assert_eq!(world.query_status(goal, west, 0), Ok(QueryStatus::Ok));
    let low = cell(&world, MIDDLE + 1, 0, 1);
    let gate = CellRect {
        low,
        high: low + IVec2::new(1, SIZE.y),
    };
    for _ in 0..2 {
        world.set_terrain_rect(gate, WALL).expect("inside");
        let closed = world.query_status(goal, west, 0).expect("known");
        assert_ne!(closed, QueryStatus::Ok);
        let end = cell(&world, MIDDLE - 1, 8, 0);
        assert!(!world.costs(0).is_open(end), "the gate is too near");
        world.set_terrain_rect(gate, 1).expect("inside");
        assert_eq!(world.query_status(goal, west, 0), Ok(QueryStatus::Ok));
    }
}

#[test]
fn a_crowd_that_presses_keeps_to_its_layer() {
    let mut world = split_floor(0.0, |at| at.x < 12);
    join(&mut world, 0..SIZE.y);
    let target = world.grid().center_of(cell(&world, MIDDLE - 1, 8, 0));
    let goal = world.create_goal(&[target]).expect("inside");
    let mut swarm = Swarm::new(3);
    let kinds = [0.3, 0.9].map(|radius| AgentType {
        radius,
        max_speed: 3.0,
        ..AgentType::default()
    });
    swarm.set_types(&kinds).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let starts = (0..96).map(|n| cell(&world, 12 + n % 8, n / 8, 0));
    let starts: Vec<Vec2> = starts.map(|at| world.grid().center_of(at)).collect();
    let (small, large) = starts.split_at(70);
    swarm.spawn(&world, small, 0, 0).expect("inside");
    swarm.spawn(&world, large, 1, 0).expect("inside");
    for tick in 0..300 {
        swarm.request_routes(&mut world).expect("known");
        world.update();
        swarm.step(&world, DT).expect("valid");
        for &at in swarm.positions() {
            assert!(
                !world.costs(0).is_wall(world.grid().cell_at(at)),
                "tick {tick}: {at}"
            );
        }
    }
}
