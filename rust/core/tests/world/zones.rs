//! Zones of FLEE and RANGE goals in games: edits, moves, layers, links, wide movement types, threads, crowds.

use crate::common::linked::random_link;
use crate::common::{SOLVERS_AND_RULES, edit_like_a_game, fresh_seeds, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MovementType, WallPenalty};
use flow_swarm::swarm::{AgentStatus, AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{Field, FlowWorld, GoalId, GoalKind, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, rooms};

const KINDS: [GoalKind; 4] = [
    GoalKind::Flee { reach: 6.0 },
    GoalKind::Flee { reach: 15.0 },
    GoalKind::Range {
        least: 4.0,
        most: 9.0,
    },
    GoalKind::Range {
        least: 0.0,
        most: 5.0,
    },
];

fn movement_types() -> [MovementType; 2] {
    let near = WallPenalty::new(9, 2, true).expect("in range");
    let clearance = Clearance::new(1.2).expect("in range");
    let wide = MovementType::with_wall_penalty(near).with_clearance(clearance);
    [MovementType::default(), wide]
}

fn random_place(random: &mut SplitMix64, grid: &Grid) -> Vec2 {
    loop {
        let cell = grid.cell(random.below(grid.cell_count()));
        if grid.is_on_layer(cell) {
            let unit = Vec2::new(random.unit() as f32, random.unit() as f32);
            return grid.center_of(cell) + (unit - 0.5) * 0.9;
        }
    }
}

fn assert_same(found: &Field, expected: &Field, grid: &Grid, what: &str) {
    for cell in (0..grid.cell_count()).map(|index| grid.cell(index)) {
        assert_eq!(
            found.cost_at(cell),
            expected.cost_at(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            found.direction_at(cell),
            expected.direction_at(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            found.is_goal(cell),
            expected.is_goal(cell),
            "{what}: {cell}"
        );
        assert_eq!(
            found.link_from(cell),
            expected.link_from(cell),
            "{what}: {cell}"
        );
        let at = cell.as_vec2() + Vec2::new(0.3, 0.6);
        assert_eq!(
            found.sample_for(at, 0.3),
            expected.sample_for(at, 0.3),
            "{what}: {at}"
        );
    }
}

/// Edits, moved targets, links and layers lead to the fields of a world that was so from the beginning.
#[test]
fn after_edits_and_moves_fields_equal_new_ones() {
    for seed in fresh_seeds(30, 25) {
        let mut random = SplitMix64::new(seed);
        let layers = 1 + random.below(2) as u32;
        let grid = Grid::layered(IVec2::new(40, 24), 1.0, Vec2::ZERO, layers).expect("small");
        let size = grid.size();
        let maps = every_kind(size.x as usize, size.y as usize, seed);
        let map = &maps[random.below(maps.len())].1;
        let threads = 1 + random.below(3);
        let mut world = FlowWorld::new(grid, Workers::new(threads).expect("threads"));
        world.set_terrain_bytes(&map.cost).expect("the same size");
        world.set_movement_types(&movement_types()).expect("few");
        // The far part of a goal that walks would be of another time.
        world.set_walking_cells(0);
        world.set_background(random.percent(20));
        let (solver, rule) = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
        world.set_solver(solver);
        world.set_direction_rule(rule);
        let mut links: Vec<Link> = Vec::new();
        let mut targets = vec![random_place(&mut random, &grid)];
        let goals: Vec<GoalId> = KINDS
            .iter()
            .map(|&kind| world.create_goal_of_kind(&targets, kind).expect("inside"))
            .collect();
        for &goal in &goals {
            world.require(goal, random.below(2)).expect("known");
        }
        for tick in 0..6 {
            match random.below(4) {
                0 if tick > 0 => {
                    let link = random_link(&mut random, &grid);
                    world.add_link(link).expect("valid");
                    links.push(link);
                }
                1 => {
                    targets = (0..1 + random.below(3))
                        .map(|_| random_place(&mut random, &grid))
                        .collect();
                    for &goal in &goals {
                        world.move_goal(goal, &targets).expect("inside");
                    }
                }
                _ => {
                    let cells: Vec<IVec2> = targets.iter().map(|&at| grid.cell_at(at)).collect();
                    edit_like_a_game(&mut random, size, &cells, |rect, id| {
                        world.set_terrain_rect(rect, id).expect("inside");
                    });
                }
            }
            world.update();
            let mut new = FlowWorld::new(grid, Workers::serial());
            let bytes = world.terrain().to_bytes();
            new.set_terrain_bytes(&bytes).expect("the same size");
            new.set_movement_types(&movement_types()).expect("few");
            new.set_solver(solver);
            new.set_direction_rule(rule);
            for &link in &links {
                new.add_link(link).expect("valid");
            }
            for (&goal, &kind) in goals.iter().zip(&KINDS) {
                let same = new.create_goal_of_kind(&targets, kind).expect("inside");
                for movement in 0..2 {
                    let expected = new
                        .whole_field(same, movement)
                        .expect("known")
                        .expect("built");
                    let found = loop {
                        if let Some(found) = world.whole_field(goal, movement).expect("known") {
                            world.set_background(false);
                            world.update();
                            break found;
                        }
                        std::thread::yield_now();
                    };
                    drop(found);
                    let found = world
                        .whole_field(goal, movement)
                        .expect("known")
                        .expect("built");
                    let what = format!("tick {tick}, {kind:?}, movement type {movement}");
                    assert_same(&found, &expected, &grid, &what);
                }
            }
        }
    }
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let mut world = world_of(&open(20, 20), Workers::serial());
    let at = [Vec2::splat(9.5)];
    let flee = |reach| GoalKind::Flee { reach };
    let range = |least, most| GoalKind::Range { least, most };
    let mut told = |targets: &[Vec2], kind| {
        let refused = world.create_goal_of_kind(targets, kind);
        refused.expect_err("to be refused").to_string()
    };
    for (kind, expected) in [
        (flee(0.0), "reach must be a finite number above 0, not 0"),
        (
            flee(-3.5),
            "reach must be a finite number above 0, not -3.5",
        ),
        (
            flee(f32::NAN),
            "reach must be a finite number above 0, not NaN",
        ),
        (flee(2.0e6), "reach must be from 0 to 1000000, not 2000000"),
        (range(-1.0, 3.0), "least must be from 0 to 1000000, not -1"),
        (
            range(f32::NAN, 3.0),
            "least must be from 0 to 1000000, not NaN",
        ),
        (range(4.0, 3.0), "most must be from 4 to 1000000, not 3"),
        (
            range(0.0, 0.0),
            "most must be a finite number above 0, not 0",
        ),
        (
            range(0.0, f32::INFINITY),
            "most must be a finite number above 0, not inf",
        ),
    ] {
        assert_eq!(told(&at, kind), expected);
    }
    for kind in [flee(3.0), range(1.0, 3.0)] {
        assert_eq!(told(&[], kind), "targets must have at least 1 entry, not 0");
        assert!(told(&[Vec2::splat(30.0)], kind).starts_with("target (30, 30) is outside"));
        assert!(told(&[Vec2::NAN], kind).contains("target"));
    }
    assert_eq!(world.goal_ids().count(), 0);
    let goal = world.create_goal_of_kind(&at, flee(3.0)).expect("valid");
    let refused = world.move_goal_with_costs(goal, &[Vec2::ONE], &[5.0]);
    let kind = "FLEE";
    let expected = Error::NoInitialCosts { goal: goal.0, kind };
    assert_eq!(refused, Err(expected));
    assert!(world.move_goal(goal, &[]).is_err());
    assert_eq!(world.goal_targets(goal), Ok(&at[..]));
    assert_eq!(world.goal_kind(goal), Ok(flee(3.0)));
    assert_eq!(world.goal_mode(goal), Ok(GoalMode::Full));
    assert!(world.goal_kind(GoalId(99)).is_err());
}

/// A hero whose cell is a wall is fled from where it stands, and one in the midst of walls is not.
#[test]
fn threats_in_walls_count_in_the_open_cell_beside_them() {
    let mut world = world_of(&open(30, 30), Workers::serial());
    let wall = CellRect {
        low: IVec2::new(0, 0),
        high: IVec2::new(30, 10),
    };
    world.set_terrain_rect(wall, WALL).expect("inside");
    let kind = GoalKind::Flee { reach: 5.0 };
    let goal = world
        .create_goal_of_kind(&[Vec2::new(15.4, 9.8)], kind)
        .expect("inside");
    let at = Vec2::new(15.5, 12.5);
    let cost = |world: &mut FlowWorld| world.cost_to_goal(goal, at, 0).expect("inside");
    assert!(cost(&mut world) > Some(1.0));
    world
        .move_goal(goal, &[Vec2::new(15.4, 7.5)])
        .expect("inside");
    assert_eq!(cost(&mut world), Some(0.0));
    let status = world.query_status(goal, at, 0).expect("inside");
    assert_eq!(status, QueryStatus::Ok);
    let in_wall = world
        .query_status(goal, Vec2::splat(3.5), 0)
        .expect("inside");
    assert_eq!(in_wall, QueryStatus::StartBlocked);
}

/// A one-way link out of a closed room saves those inside from a threat in it; one into it does not.
#[test]
fn one_way_links_are_taken_only_forward() {
    let mut map = open(60, 20);
    for y in 0..20 {
        map.cost[y * 60 + 10] = WALL;
    }
    for is_out in [true, false] {
        let mut world = world_of(&map, Workers::serial());
        let (inside, outside) = (IVec2::new(2, 2), IVec2::new(50, 10));
        let (from, to) = if is_out {
            (inside, outside)
        } else {
            (outside, inside)
        };
        let link = Link {
            from,
            to,
            cost: 20.0,
            both_ways: false,
            travel: Travel::AtOnce,
        };
        world.add_link(link).expect("valid");
        let kind = GoalKind::Flee { reach: 12.0 };
        // The room is 20 cells high, so its other end is safe from a threat at this one only.
        let goal = world
            .create_goal_of_kind(&[Vec2::new(5.5, 10.5)], kind)
            .expect("inside");
        let start = Vec2::new(4.5, 5.5);
        let path = world.path_from(goal, start, 0).expect("inside");
        let end = *path.last().expect("a path");
        assert_eq!(end == Vec2::new(50.5, 10.5), is_out, "{end}");
        assert!(is_out || end.y < 1.0, "{end}");
        let there = world
            .cost_to_goal(goal, Vec2::new(50.5, 10.5), 0)
            .expect("inside");
        assert_eq!(there, Some(0.0));
    }
}

/// A corridor with a dead end on the other side of each room, and a threat that chases.
fn burrow() -> CostMap {
    let mut map = rooms(72, 48, 12, 5);
    for (x, y) in [(8, 8), (30, 20), (50, 30)] {
        for step in 0..9 {
            for (dx, dy) in [(step, 0), (step, 3), (8, step.min(3))] {
                map.cost[(y + dy) * 72 + x + dx] = WALL;
            }
        }
    }
    map
}

fn villagers(kind: GoalKind, arrival: ArrivalAction, threads: usize) -> (FlowWorld, Swarm, GoalId) {
    let mut world = world_of(&burrow(), Workers::new(threads).expect("threads"));
    let mut random = SplitMix64::new(3);
    let goal = world
        .create_goal_of_kind(&[Vec2::new(20.5, 20.5)], kind)
        .expect("inside");
    let mut swarm = Swarm::new(9);
    let villager = AgentType {
        radius: 0.35,
        max_speed: 5.0,
        acceleration: 30.0,
        ..AgentType::default()
    };
    swarm.set_types(&[villager]).expect("valid");
    let settings = Settings {
        arrival,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let mut places = Vec::new();
    while places.len() < 200 {
        let at = random_place(&mut random, world.grid());
        if world.costs(0).is_open(world.grid().cell_at(at)) {
            places.push(at);
        }
    }
    swarm.spawn(&world, &places, 0, 0).expect("inside");
    (world, swarm, goal)
}

/// Steps a chaser that runs to the nearest villager, slower than they are.
fn chase(world: &mut FlowWorld, swarm: &mut Swarm, goal: GoalId, at: &mut Vec2, ticks: usize) {
    for _ in 0..ticks {
        let nearest = swarm.positions().iter().copied().min_by(|one, other| {
            let [one, other] = [one, other].map(|place| place.distance_squared(*at));
            one.total_cmp(&other)
        });
        let prey = world
            .create_goal(&[nearest.expect("villagers")])
            .expect("inside");
        let path = world.path_from(prey, *at, 0).expect("inside");
        world.release_goal(prey).expect("known");
        if let Some(&next) = path.get(1) {
            *at += (next - *at).clamp_length_max(2.5 * 0.05);
        }
        world.move_goal(goal, &[*at]).expect("inside");
        world.update();
        swarm.request_routes(world).expect("known");
        swarm.step(world, 0.05).expect("valid");
    }
}

#[test]
fn a_crowd_escapes_a_chaser_out_of_dead_ends() {
    let kind = GoalKind::Flee { reach: 9.0 };
    for arrival in [ArrivalAction::Stop, ArrivalAction::KeepGoing] {
        let (mut world, mut swarm, goal) = villagers(kind, arrival, 2);
        let mut at = Vec2::new(20.5, 20.5);
        chase(&mut world, &mut swarm, goal, &mut at, 600);
        // The chaser stops, and the last of them get away.
        for _ in 0..400 {
            world.update();
            swarm.request_routes(&mut world).expect("known");
            swarm.step(&world, 0.05).expect("valid");
        }
        let field = world.field(goal, 0).expect("built").clone();
        let near = swarm.positions().iter().filter(|&&place| {
            let cell = world.grid().cell_at(place);
            let path = field.path_from(cell);
            // Those that have a path to a safe cell.
            let end = path.last().copied().unwrap_or(cell);
            !field.is_goal(cell) && path.len() > 1 && world.grid().center_of(end).distance(at) > 9.0
        });
        let trapped = near.count();
        assert!(trapped <= 4, "{trapped} of 200 are trapped");
        assert_eq!(swarm.stats().lost, 0);
    }
}

#[test]
fn archers_keep_their_distance_and_threads_make_no_difference() {
    let kind = GoalKind::Range {
        least: 4.0,
        most: 8.0,
    };
    let mut hashes = Vec::new();
    for threads in [1, 3] {
        let (mut world, mut swarm, goal) = villagers(kind, ArrivalAction::Stop, threads);
        let mut at = Vec2::new(20.5, 20.5);
        chase(&mut world, &mut swarm, goal, &mut at, 150);
        hashes.push(swarm.state_hash());
        for _ in 0..600 {
            world.update();
            swarm.request_routes(&mut world).expect("known");
            swarm.step(&world, 0.05).expect("valid");
        }
        let too_near = swarm
            .positions()
            .iter()
            .filter(|place| place.distance(at) < 3.0);
        assert!(too_near.count() <= 4);
        let in_ring = swarm
            .positions()
            .iter()
            .filter(|place| (3.3..=8.7).contains(&place.distance(at)));
        let in_ring = in_ring.count();
        assert!(in_ring > 80, "{in_ring} of 200 in the ring");
    }
    assert_eq!(hashes[0], hashes[1]);
}

/// Agents that stand where they are safe are told once that they have arrived, however often the threat moves.
#[test]
fn agents_arrive_once_and_follow_again_when_a_threat_comes() {
    let mut world = world_of(&open(60, 20), Workers::serial());
    let kind = GoalKind::Flee { reach: 8.0 };
    let goal = world
        .create_goal_of_kind(&[Vec2::new(4.5, 10.5)], kind)
        .expect("inside");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let ids = swarm
        .spawn(&world, &[Vec2::new(20.5, 10.5)], 0, 0)
        .expect("inside");
    let mut arrived = 0;
    for tick in 0..160 {
        world
            .move_goal(goal, &[Vec2::new(4.5 + 0.1 * tick as f32, 10.5)])
            .expect("inside");
        world.update();
        swarm.request_routes(&mut world).expect("known");
        swarm.step(&world, 0.05).expect("valid");
        arrived += swarm.events().arrived.len();
        if tick == 40 {
            assert_eq!(arrived, 1);
            let status = swarm.status(ids[0]).expect("there");
            assert_eq!(status, AgentStatus::Arrived);
        }
    }
    let position = swarm.positions()[0];
    assert!(position.x > 26.0, "{position}");
}
