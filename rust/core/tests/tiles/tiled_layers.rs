//! Flow tiles, section 9: layers (Emerson, Game AI Pro, 23.16). Crowds walk from floor to floor to tiled goals while
//! links and walls are added and removed.

use crate::common::crowds::{DT, arrive, swarm_of, tick, tiled};
use flow_swarm::error::Error;
use flow_swarm::grid::links::{Link, LinkId};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{Avoidance, Swarm};
use flow_swarm::terrain::{CLEAR, WALL};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, rooms};

const SIZE: IVec2 = IVec2::new(70, 55);
const FLOORS: u32 = 3;

fn cell(world: &FlowWorld, x: i32, y: i32, layer: i64) -> IVec2 {
    let cell = world.grid().place_of(IVec2::new(x, y), layer);
    cell.expect("inside")
}

fn middle(world: &FlowWorld, cell: IVec2) -> Vec2 {
    world.grid().center_of(cell)
}

fn set(world: &mut FlowWorld, cell: IVec2, id: u8) {
    world.set_terrain(cell, id).expect("inside");
}

/// A house with rooms on each floor and stairs two cells wide, each at its own place.
fn house(workers: Workers, seed: u64) -> (FlowWorld, Vec<LinkId>) {
    let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, FLOORS).expect("small");
    let mut world = FlowWorld::new(grid, workers);
    for layer in 0..FLOORS {
        let floor = rooms(
            SIZE.x as usize,
            SIZE.y as usize,
            11,
            seed + u64::from(layer),
        );
        world
            .set_layer_bytes(i64::from(layer), &floor.cost)
            .expect("a floor");
    }
    let mut links = Vec::new();
    for layer in 1..i64::from(FLOORS) {
        for (number, x) in [8, 50].into_iter().enumerate() {
            let y = 12 + 20 * number as i32;
            let steps = [0, 1].map(|at| Link {
                from: cell(&world, x + at, y, layer - 1),
                to: cell(&world, x + at, y + 3, layer),
                cost: 4.0,
                both_ways: true,
                travel: Travel::AtOnce,
            });
            for step in steps {
                set(&mut world, step.from, CLEAR);
                set(&mut world, step.to, CLEAR);
            }
            links.extend(world.add_links(&steps).expect("valid"));
        }
    }
    world.update();
    (world, links)
}

/// Places on all floors from which a whole field leads to `target`, with their costs.
fn starts(world: &mut FlowWorld, target: Vec2, count: usize, seed: u64) -> Vec<(Vec2, f64)> {
    let whole = world.create_goal(&[target]).expect("inside");
    let mut random = SplitMix64::new(seed);
    let mut places = Vec::new();
    while places.len() < count {
        let (x, y) = (random.below(SIZE.x as usize), random.below(SIZE.y as usize));
        let layer = random.below(FLOORS as usize) as i64;
        let at = cell(world, x as i32, y as i32, layer);
        let at = middle(world, at);
        if let Some(cost) = world.cost_to_goal(whole, at, 0).expect("inside") {
            places.push((at, cost));
        }
    }
    world.release_goal(whole).expect("there");
    places
}

fn top_floor(world: &mut FlowWorld) -> Vec2 {
    let target = cell(world, 33, 27, i64::from(FLOORS) - 1);
    set(world, target, CLEAR);
    middle(world, target)
}

fn layers_of(world: &FlowWorld, swarm: &Swarm) -> [usize; FLOORS as usize] {
    let mut counts = [0; FLOORS as usize];
    for &at in swarm.positions() {
        counts[world.grid().layers().at(at) as usize] += 1;
    }
    counts
}

#[test]
fn section_9_a_crowd_goes_from_floor_to_floor_over_tiles() {
    for (seed, limit) in [(1, 0), (2, 1), (3, 5), (4, 1000)] {
        for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
            let (mut world, _) = house(Workers::serial(), seed);
            world.set_tile_limit(limit);
            let target = top_floor(&mut world);
            let places = starts(&mut world, target, 120, seed);
            let farthest = places.iter().fold(0.0, |most, place| place.1.max(most));
            let places: Vec<Vec2> = places.iter().map(|place| place.0).collect();
            let goal = tiled(&mut world, target);
            let mut swarm = swarm_of(&world, &places, goal);
            let mut kind = swarm.types()[0];
            kind.avoidance = avoidance;
            kind.neighbour_radius = 6.0;
            swarm.set_types(&[kind]).expect("valid");
            let begun = layers_of(&world, &swarm);
            assert!(begun.iter().all(|&count| count > 20), "{begun:?}");
            let name = format!("house {seed}, {limit} tiles a tick, {avoidance:?}");
            arrive(&name, &mut world, &mut swarm, 1.5 * farthest + 40.0);
            assert_eq!(world.tile_stats().built > 0, limit > 0, "{name}");
        }
    }
}

#[test]
fn all_agents_move_in_the_tick_of_the_order_and_keep_to_legal_cells() {
    let (mut world, _) = house(Workers::serial(), 5);
    world.set_tile_limit(0);
    let target = top_floor(&mut world);
    let places = starts(&mut world, target, 200, 9);
    let places: Vec<Vec2> = places.iter().map(|place| place.0).collect();
    let goal = tiled(&mut world, target);
    let mut swarm = swarm_of(&world, &places, goal);
    swarm.request_routes(&mut world).expect("known");
    swarm.step(&world, DT).expect("valid");
    for (&start, &now) in places.iter().zip(swarm.positions()) {
        assert!(start == target || start != now, "{start} stands still");
    }
    assert!(swarm.events().lost.is_empty());
}

#[test]
fn queries_lead_over_links_as_those_of_whole_goals_do() {
    for seed in 0..4 {
        let (mut world, links) = house(Workers::serial(), seed);
        let target = top_floor(&mut world);
        let places = starts(&mut world, target, 150, seed);
        let (part, whole) = (tiled(&mut world, target), world.create_goal(&[target]));
        let whole = whole.expect("inside");
        // Three stages: nothing has been requested; all has been requested but nothing is built; all is built.
        for stage in [QueryStatus::Ok, QueryStatus::Pending, QueryStatus::Ok] {
            for &(place, cost) in &places {
                let status = world.query_status(part, place, 0).expect("known");
                assert_eq!(status, stage, "{place}");
                let route = world.cost_to_goal(part, place, 0).expect("known");
                let route = route.expect("there is one");
                assert!(
                    route >= 0.95 * cost && route <= 1.35 * cost + 12.0,
                    "{place}: {route} for {cost}"
                );
                let path = world.path_from(part, place, 0).expect("known");
                assert_eq!(path.first(), Some(&place));
                assert_eq!(path.last(), Some(&target), "from {place}");
                for pair in path.windows(2) {
                    let is_step = pair[0].distance(pair[1]) < 1.5;
                    assert!(is_step || is_link(&world, &links, pair), "{pair:?}");
                }
            }
            if world.tile_stats().routes == 0 {
                world.set_route_limit(usize::MAX).expect("in range");
                for &(place, _) in &places {
                    world.request_route(part, 0, place).expect("inside");
                }
                continue;
            }
            while world.tile_stats().waiting > 0 {
                world.update();
            }
        }
        // Once all tiles are built, links are used at the same cells as by a whole field.
        for &id in &links {
            let link = *world.link(id).expect("there");
            for end in [link.from, link.to] {
                let at = middle(&world, end);
                world.request_route(part, 0, at).expect("inside");
                while world.tile_stats().waiting > 0 {
                    world.update();
                }
                let by_tiles = world.link_ahead(part, at, 0).expect("inside");
                assert_eq!(
                    by_tiles,
                    world.link_ahead(whole, at, 0).expect("inside"),
                    "{at}"
                );
                let flow = world.flow_vector(part, at, 0).expect("inside");
                assert_eq!(by_tiles.is_some(), flow == Vec2::ZERO, "{at}");
            }
        }
    }
}

fn is_link(world: &FlowWorld, links: &[LinkId], pair: &[Vec2]) -> bool {
    let ends = [pair[0], pair[1]].map(|at| world.grid().cell_at(at));
    links.iter().any(|&id| {
        let link = world.link(id).expect("there");
        [link.from, link.to] == ends || [link.to, link.from] == ends
    })
}

#[test]
fn links_that_come_and_go_and_walls_at_their_ends_are_minded_under_way() {
    for (seed, limit) in [(1, 0), (2, 3), (3, 1000)] {
        let (mut world, mut links) = house(Workers::serial(), seed);
        world.set_tile_limit(limit);
        let target = top_floor(&mut world);
        let places = starts(&mut world, target, 100, seed);
        let places: Vec<Vec2> = places.iter().map(|place| place.0).collect();
        let goal = tiled(&mut world, target);
        let mut swarm = swarm_of(&world, &places, goal);
        let mut random = SplitMix64::new(seed);
        let mut shut: Vec<IVec2> = Vec::new();
        for number in 0..240 {
            tick(&mut world, &mut swarm);
            for &at in swarm.positions() {
                let inside = world.costs(0).is_open(world.grid().cell_at(at));
                assert!(inside || !shut.is_empty(), "{at}");
            }
            if number % 8 != 0 {
                continue;
            }
            let chosen = random.below(links.len());
            let link = *world.link(links[chosen]).expect("there");
            match random.below(4) {
                // A stair moves while the crowd walks to its former place.
                0 => {
                    world.remove_link(links[chosen]).expect("there");
                    links[chosen] = world.add_link(link).expect("valid");
                }
                1 => {
                    world.remove_link(links[chosen]).expect("there");
                    let cost = [1.0, 4.0, 60.0][random.below(3)];
                    let dearer = Link { cost, ..link };
                    links[chosen] = world.add_link(dearer).expect("valid");
                }
                2 => {
                    let end = [link.from, link.to][random.below(2)];
                    set(&mut world, end, WALL);
                    shut.push(end);
                }
                _ => {
                    for end in shut.drain(..) {
                        set(&mut world, end, CLEAR);
                    }
                }
            }
        }
        for end in shut.drain(..) {
            set(&mut world, end, CLEAR);
        }
        let name = format!("house {seed}, {limit} tiles a tick");
        arrive(&name, &mut world, &mut swarm, 200.0);
    }
}

#[test]
fn without_any_way_up_the_crowd_is_told_so_and_goes_when_there_is_one() {
    let (mut world, links) = house(Workers::serial(), 6);
    let target = top_floor(&mut world);
    let from = cell(&world, 8, 12, 0);
    let foot = middle(&world, from);
    let goal = tiled(&mut world, target);
    assert_eq!(world.query_status(goal, foot, 0), Ok(QueryStatus::Ok));
    assert_eq!(world.request_route(goal, 0, foot), Ok(true));
    assert_eq!(world.query_status(goal, foot, 0), Ok(QueryStatus::Pending));
    let removed: Vec<Link> = links
        .iter()
        .map(|&id| {
            let link = *world.link(id).expect("there");
            world.remove_link(id).expect("there");
            link
        })
        .collect();
    assert_eq!(
        world.query_status(goal, foot, 0),
        Ok(QueryStatus::Disconnected)
    );
    assert_eq!(world.link_ahead(goal, foot, 0), Ok(None));
    let mut swarm = swarm_of(&world, &[foot], goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(swarm.positions(), [foot]);
    world.add_links(&removed).expect("valid");
    arrive("with stairs again", &mut world, &mut swarm, 100.0);
}

#[test]
fn a_goal_that_moves_to_other_floors_is_followed() {
    let (mut world, _) = house(Workers::serial(), 7);
    world.set_tile_limit(20);
    let target = top_floor(&mut world);
    let places = starts(&mut world, target, 60, 7);
    let targets: Vec<Vec2> = places[..4].iter().map(|place| place.0).collect();
    let places: Vec<Vec2> = places[4..].iter().map(|place| place.0).collect();
    let goal = tiled(&mut world, target);
    let mut swarm = swarm_of(&world, &places, goal);
    for target in targets {
        for _ in 0..40 {
            tick(&mut world, &mut swarm);
        }
        world.move_goal(goal, &[target]).expect("inside");
    }
    arrive("moved goals", &mut world, &mut swarm, 120.0);
}

/// A teleporter is a link within a layer.
#[test]
fn a_teleporter_is_taken_where_it_is_shorter() {
    let grid = Grid::new(IVec2::new(200, 60), 1.0, Vec2::ZERO).expect("small");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let (near, far) = (IVec2::new(20, 30), IVec2::new(180, 30));
    let gate = Link {
        from: near,
        to: far,
        cost: 5.0,
        both_ways: false,
        travel: Travel::AtOnce,
    };
    world.add_link(gate).expect("valid");
    let target = Vec2::new(190.5, 30.5);
    let goal = tiled(&mut world, target);
    let west = Vec2::new(5.5, 30.5);
    let cost = world.cost_to_goal(goal, west, 0).expect("inside");
    assert!(
        (28.9..40.0).contains(&cost.expect("there is one")),
        "{cost:?}"
    );
    let mut swarm = swarm_of(&world, &[west], goal);
    let mut ticks = 0;
    while !swarm.is_empty() {
        tick(&mut world, &mut swarm);
        ticks += 1;
        assert!(ticks < 150, "{:?}", swarm.positions());
    }
    // From its end no agent goes back to it.
    let back = tiled(&mut world, west);
    let cost = world.cost_to_goal(back, target, 0).expect("inside");
    assert!(cost.expect("there is one") > 180.0);
}

#[test]
fn threads_change_nothing() {
    let run = |threads: usize| {
        let (mut world, links) = house(Workers::new(threads).expect("threads"), 8);
        world.set_tile_limit(7);
        let target = top_floor(&mut world);
        let places = starts(&mut world, target, 1500, 8);
        let places: Vec<Vec2> = places.iter().map(|place| place.0).collect();
        let goal = tiled(&mut world, target);
        let mut swarm = swarm_of(&world, &places, goal);
        for number in 0..90 {
            tick(&mut world, &mut swarm);
            if number == 30 {
                world.remove_link(links[0]).expect("there");
            }
            if number == 50 {
                let end = world.link(links[3]).expect("there").to;
                set(&mut world, end, WALL);
            }
        }
        (swarm.state_hash(), world.tile_stats())
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn saved_tiles_hold_for_the_same_links_only() {
    let order = |world: &mut FlowWorld| {
        let target = top_floor(world);
        let goal = tiled(world, target);
        for (place, _) in starts(world, target, 20, 4) {
            world.request_route(goal, 0, place).expect("inside");
        }
        while world.tile_stats().waiting > 0 {
            world.update();
        }
        goal
    };
    let (mut built, _) = house(Workers::serial(), 9);
    let goal = order(&mut built);
    let saved = built.save_tiles();
    let (mut loaded, links) = house(Workers::serial(), 9);
    top_floor(&mut loaded);
    assert!(loaded.load_tiles(&saved).expect("of the same world") > 0);
    assert!(loaded.save_tiles() == saved);
    assert!(built.portal_graph(0) == loaded.portal_graph(0));
    let again = order(&mut loaded);
    assert_eq!(loaded.tile_stats().cache.misses, 0);
    let directions = built.direction_map(goal, 0);
    assert_eq!(directions, loaded.direction_map(again, 0));
    let (mut other, _) = house(Workers::serial(), 9);
    top_floor(&mut other);
    let id = other.link_ids().next().expect("some");
    other.remove_link(id).expect("there");
    let refused = other.load_tiles(&saved);
    assert!(
        matches!(&refused, Err(Error::BadBytes { reason, .. }) if reason.contains("links")),
        "{refused:?}"
    );
    drop(links);
}

#[test]
fn another_grid_keeps_links_and_tiled_goals() {
    let (mut world, links) = house(Workers::serial(), 10);
    let target = top_floor(&mut world);
    let goal = tiled(&mut world, target);
    let place = starts(&mut world, target, 1, 3)[0].0;
    let (flat, layer) = {
        let layers = world.grid().layers();
        (layers.flat(place), layers.at(place))
    };
    let larger = Grid::layered(SIZE + 9, 1.0, Vec2::ZERO, FLOORS).expect("small");
    let lost = world.set_grid(larger);
    assert!(lost.links.is_empty() && lost.goals.is_empty(), "{lost:?}");
    assert_eq!(world.link_ids().count(), links.len());
    let place = world.grid().layers().place(flat, layer);
    let mut swarm = swarm_of(&world, &[place], goal);
    arrive("a larger house", &mut world, &mut swarm, 100.0);
    // Walls painted over a whole floor.
    let floor = world.grid().layers().cells(1, world.grid().width());
    let CellRect { low, high } = floor;
    world
        .set_terrain_rect(CellRect { low, high }, WALL)
        .expect("inside");
    let ground = cell(&world, 8, 12, 0);
    let ground = middle(&world, ground);
    assert_eq!(
        world.query_status(goal, ground, 0),
        Ok(QueryStatus::Disconnected)
    );
}
