//! Agents take a link only where there is room at its end, and keep their distance on it.

use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{
    AgentId, AgentState, AgentStatus, AgentType, ArrivalAction, Avoidance, Settings, Swarm,
};
use flow_swarm::terrain::WALL;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};

const SIZE: IVec2 = IVec2::new(30, 13);
const DT: f32 = 1.0 / 30.0;
const RADIUS: f32 = 0.3;
const TIMED: Travel = Travel::Timed {
    seconds: 2.0,
    arc: 0.0,
};
const QUICK: Travel = Travel::Timed {
    seconds: 1.0,
    arc: 0.0,
};
const KINDS: [Travel; 3] = [Travel::AtOnce, Travel::Walk, TIMED];

fn cell(world: &FlowWorld, (x, y, layer): (i32, i32, i64)) -> IVec2 {
    let place = world.grid().place_of(IVec2::new(x, y), layer);
    place.expect("inside")
}

fn place(world: &FlowWorld, at: (i32, i32, i64)) -> Vec2 {
    world.grid().center_of(cell(world, at))
}

/// Two layers of walls, with open rectangles: layer, first cell and size.
fn rooms(threads: usize, rooms: &[(u32, IVec2, IVec2)]) -> FlowWorld {
    let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, 2).expect("small");
    let mut world = FlowWorld::new(grid, Workers::new(threads).expect("threads"));
    let layers = *world.grid().layers();
    for layer in 0..2 {
        let all = layers.cells(layer, SIZE.x as u32);
        world.set_terrain_rect(all, WALL).expect("inside");
    }
    for &(layer, low, size) in rooms {
        let low = layers.cells(layer, 0).low + low;
        let high = low + size;
        world
            .set_terrain_rect(CellRect { low, high }, 1)
            .expect("inside");
    }
    world
}

fn join(
    world: &mut FlowWorld,
    from: (i32, i32, i64),
    to: (i32, i32, i64),
    both_ways: bool,
    travel: Travel,
) {
    let link = Link {
        from: cell(world, from),
        to: cell(world, to),
        cost: 2.0,
        both_ways,
        travel,
    };
    world.add_link(link).expect("valid");
}

fn swarm_of(avoidance: Avoidance, arrival: ArrivalAction) -> Swarm {
    let mut swarm = Swarm::new(5);
    let kind = AgentType {
        radius: RADIUS,
        max_speed: 1.4,
        acceleration: 10.0,
        avoidance,
        neighbour_radius: 2.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let settings = Settings {
        arrival,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    swarm
}

fn lead(world: &mut FlowWorld, swarm: &mut Swarm, group: i64, to: (i32, i32, i64)) {
    let target = place(world, to);
    let goal = world.create_goal(&[target]).expect("inside");
    swarm.set_group_goal(group, Some(goal)).expect("a group");
}

/// Spawns agents side by side in a room of layer `layer`.
fn fill(
    world: &FlowWorld,
    swarm: &mut Swarm,
    group: i64,
    room: (u32, IVec2, IVec2),
    count: usize,
) -> Vec<AgentId> {
    let (layer, low, size) = room;
    let gap = 2.02 * RADIUS;
    let rows = ((size.y as f32 - 2.0 * RADIUS) / gap) as usize + 1;
    let columns = ((size.x as f32 - 2.0 * RADIUS) / gap) as usize + 1;
    assert!(count <= rows * columns, "{count} of {rows} x {columns}");
    let spot = |n: usize| {
        let at = Vec2::new((n / rows) as f32, (n % rows) as f32) * gap + RADIUS * 1.01;
        world.grid().layers().place(low.as_vec2() + at, layer)
    };
    let spots: Vec<Vec2> = (0..count).map(spot).collect();
    swarm.spawn(world, &spots, 0, group).expect("inside")
}

fn step(world: &mut FlowWorld, swarm: &mut Swarm) {
    swarm.request_routes(world).expect("known");
    world.update();
    swarm.step(world, DT).expect("valid");
    assert_eq!(swarm.events().lost, []);
}

fn is_travelling(swarm: &Swarm, id: AgentId) -> bool {
    swarm.status(id) == Ok(AgentStatus::Travelling)
}

/// The positions of the agents that stand on a layer, and are not on their way over a link.
fn on_layer(swarm: &Swarm, layer: u32) -> Vec<Vec2> {
    let agents = swarm.positions().iter().zip(swarm.states());
    let stands = |(at, state): &(&Vec2, &AgentState)| {
        **state != AgentState::Travelling && swarm.layers().at(**at) == layer
    };
    agents.filter(stands).map(|(&at, _)| at).collect()
}

/// For each disc the depth of its deepest overlap with another, in radii: the mean and the greatest.
fn overlaps(at: &[Vec2]) -> (f32, f32) {
    let deepest = |one: usize| {
        let others = (0..at.len()).filter(|&other| other != one);
        let overlap = |other: usize| (2.0 * RADIUS - at[one].distance(at[other])) / RADIUS;
        others.map(overlap).fold(0.0_f32, f32::max)
    };
    let all: Vec<f32> = (0..at.len()).map(deepest).collect();
    let mean = all.iter().sum::<f32>() / all.len().max(1) as f32;
    (mean, all.into_iter().fold(0.0, f32::max))
}

const GROUND: (u32, IVec2, IVec2) = (0, IVec2::new(0, 0), IVec2::new(20, 13));
const DECK: (u32, IVec2, IVec2) = (1, IVec2::new(20, 4), IVec2::new(6, 6));

/// A ramp of three lanes up to a small deck.
fn deck(threads: usize, travel: Travel) -> FlowWorld {
    let mut world = rooms(threads, &[GROUND, DECK]);
    for y in 5..8 {
        join(&mut world, (19, y, 0), (20, y, 1), true, travel);
    }
    world
}

/// The most steps in which a crowd fills the deck.
const FILLING: usize = 1300;

#[test]
fn a_small_deck_is_filled_and_not_overfilled() {
    for avoidance in [Avoidance::Contact, Avoidance::Separation, Avoidance::Orca] {
        for travel in KINDS {
            let mut world = deck(1, travel);
            let mut swarm = swarm_of(avoidance, ArrivalAction::Stop);
            lead(&mut world, &mut swarm, 0, (24, 6, 1));
            let room = (0, IVec2::new(0, 0), IVec2::new(18, 13));
            let ids = fill(&world, &mut swarm, 0, room, 250);
            for _ in 0..FILLING {
                step(&mut world, &mut swarm);
            }
            let above = on_layer(&swarm, 1);
            let (mean, deepest) = overlaps(&above);
            let what = format!("{avoidance:?}, {travel:?}: {} above", above.len());
            // Discs cover between 65 and 75 % of the deck.
            assert!((83..=95).contains(&above.len()), "{what}");
            if avoidance == Avoidance::Contact {
                assert!(mean < 0.15 && deepest < 0.7, "{what}: {mean}, {deepest}");
            }
            let follows = |id: &&AgentId| {
                let status = swarm.status(**id).expect("there");
                matches!(
                    status,
                    AgentStatus::Following | AgentStatus::Arrived | AgentStatus::Stuck
                )
            };
            assert_eq!(ids.iter().filter(follows).count(), ids.len(), "{what}");
        }
    }
}

#[test]
fn links_to_free_floors_let_as_many_through_as_before() {
    // The steps until 100, 200 and 290 of 300 were above when all went at once, and how many percent more are allowed:
    // on a link that takes a given time agents also keep apart.
    for (travel, column, before, more) in [
        (Travel::AtOnce, 23, [479, 714, 946], 3),
        (Travel::Walk, 20, [498, 739, 964], 4),
        (QUICK, 23, [507, 739, 957], 12),
    ] {
        let upper = (1, IVec2::new(20, 0), IVec2::new(10, 13));
        let mut world = rooms(1, &[GROUND, upper]);
        for y in 5..8 {
            join(&mut world, (19, y, 0), (column, y, 1), true, travel);
        }
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Despawn);
        lead(&mut world, &mut swarm, 0, (28, 6, 1));
        let room = (0, IVec2::ZERO, IVec2::new(18, 13));
        fill(&world, &mut swarm, 0, room, 300);
        let mut through = Vec::new();
        for _ in 0..1500 {
            step(&mut world, &mut swarm);
            through.push(300 - on_layer(&swarm, 0).len() - swarm.stats().travelling);
        }
        let after = [100, 200, 290].map(|count| through.iter().position(|&n| n >= count));
        for (after, before) in after.into_iter().zip(before) {
            let after = after.expect("all get through");
            let most = before + before * more / 100;
            assert!(after <= most, "{travel:?}: {after} and not {before}");
        }
    }
}

#[test]
fn full_rooms_swap_their_crowds() {
    let size = IVec2::splat(8);
    let (west, east) = ((0, IVec2::new(2, 2), size), (1, IVec2::new(12, 2), size));
    for travel in KINDS {
        for is_pair in [false, true] {
            let mut hashes = Vec::new();
            let threads: &[usize] = if is_pair { &[1, 3] } else { &[1] };
            for &threads in threads {
                let mut world = rooms(threads, &[west, east]);
                if is_pair {
                    join(&mut world, (9, 4, 0), (12, 4, 1), false, travel);
                    join(&mut world, (12, 6, 1), (9, 6, 0), false, travel);
                } else {
                    join(&mut world, (9, 5, 0), (12, 5, 1), true, travel);
                }
                let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Stop);
                lead(&mut world, &mut swarm, 0, (18, 5, 1));
                lead(&mut world, &mut swarm, 1, (3, 5, 0));
                let groups = [
                    fill(&world, &mut swarm, 0, west, 155),
                    fill(&world, &mut swarm, 1, east, 155),
                ];
                let layer_of = |swarm: &Swarm, id: AgentId| {
                    let at = swarm.positions()[swarm.index_of(id).expect("there")];
                    swarm.layers().at(at)
                };
                let mut all = 0_u64;
                for _ in 0..3000 {
                    step(&mut world, &mut swarm);
                    all = all.rotate_left(7) ^ swarm.state_hash();
                }
                let there = [(0, 1), (1, 0)].map(|(group, layer): (usize, u32)| {
                    let ids = groups[group].iter();
                    ids.filter(|&&id| layer_of(&swarm, id) == layer).count()
                });
                let what = format!("{travel:?}, pair {is_pair}: {there:?} have changed sides");
                assert!(there[0] >= 120 && there[1] >= 120, "{what}");
                hashes.push(all);
            }
            hashes.dedup();
            assert_eq!(hashes.len(), 1, "threads");
        }
    }
}

#[test]
fn climbers_keep_apart_on_a_ladder() {
    for (seconds, arc, both) in [(4.0, 0.0, false), (4.0, 2.0, true), (1.5, 0.0, false)] {
        let upper = (1, IVec2::new(20, 0), IVec2::new(10, 13));
        let mut world = rooms(1, &[GROUND, upper]);
        let travel = Travel::Timed { seconds, arc };
        join(&mut world, (19, 6, 0), (23, 6, 1), both, travel);
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Despawn);
        lead(&mut world, &mut swarm, 0, (28, 6, 1));
        let ids = fill(
            &world,
            &mut swarm,
            0,
            (0, IVec2::new(12, 4), IVec2::new(6, 5)),
            60,
        );
        let (mut least, mut most, mut ticks) = (f32::INFINITY, 0, 0);
        while !swarm.is_empty() {
            step(&mut world, &mut swarm);
            ticks += 1;
            assert!(ticks < 6000, "{seconds}: {:?}", swarm.stats());
            let on_way = ids.iter().filter(|&&id| is_travelling(&swarm, id));
            let at: Vec<Vec2> = on_way
                .map(|&id| swarm.positions()[swarm.index_of(id).expect("there")])
                .map(|at| swarm.layers().flat(at))
                .collect();
            most = most.max(at.len());
            for (number, one) in at.iter().enumerate() {
                for other in &at[..number] {
                    least = least.min(one.distance(*other) / (2.0 * RADIUS));
                }
            }
        }
        assert!(least > 0.9, "{seconds}: {least}");
        assert!(most >= 4, "{seconds}: {most}");
    }
}

#[test]
fn of_two_that_choose_one_landing_one_goes() {
    for travel in [Travel::AtOnce, TIMED] {
        let upper = (1, IVec2::new(20, 0), IVec2::new(10, 13));
        let mut world = rooms(1, &[GROUND, upper]);
        let starts = [(10, 2, 0), (10, 6, 0), (10, 10, 0)];
        for from in starts {
            join(&mut world, from, (23, 6, 1), false, travel);
        }
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Stop);
        lead(&mut world, &mut swarm, 0, (28, 6, 1));
        let spots = starts.map(|at| place(&world, at));
        let ids = swarm.spawn(&world, &spots, 0, 0).expect("inside");
        step(&mut world, &mut swarm);
        let gone = |swarm: &Swarm, id: AgentId| {
            let at = swarm.positions()[swarm.index_of(id).expect("there")];
            is_travelling(swarm, id) || swarm.layers().at(at) == 1
        };
        let first = ids.iter().filter(|&&id| gone(&swarm, id)).count();
        assert_eq!(first, 1, "{travel:?}");
        for _ in 0..60 {
            step(&mut world, &mut swarm);
        }
        assert!(ids.iter().all(|&id| gone(&swarm, id)), "{travel:?}");
    }
}

#[test]
fn one_that_stands_at_the_end_does_not_close_the_link() {
    for travel in KINDS {
        let upper = (1, IVec2::new(20, 0), IVec2::new(10, 13));
        let mut world = rooms(1, &[GROUND, upper]);
        join(&mut world, (19, 6, 0), (23, 6, 1), false, travel);
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Despawn);
        lead(&mut world, &mut swarm, 0, (28, 6, 1));
        let spot = place(&world, (23, 6, 1));
        let guard = swarm.spawn(&world, &[spot], 0, 1).expect("inside");
        swarm.set_state(&guard, AgentState::Idle).expect("alive");
        let ids = fill(
            &world,
            &mut swarm,
            0,
            (0, IVec2::new(16, 5), IVec2::new(2, 3)),
            6,
        );
        for tick in 0..900 {
            step(&mut world, &mut swarm);
            if tick == 10 && travel == Travel::AtOnce {
                assert!(on_layer(&swarm, 1).len() == 1, "it waits first");
            }
        }
        assert_eq!(swarm.len(), 1, "{travel:?}: of {}", ids.len());
    }
}

#[test]
fn an_empty_pad_has_room_for_an_agent_that_fills_it() {
    for travel in KINDS {
        let pad = (1, IVec2::new(20, 6), IVec2::ONE);
        let beyond = (0, IVec2::new(24, 0), IVec2::new(6, 13));
        let mut world = rooms(1, &[GROUND, pad, beyond]);
        join(&mut world, (19, 6, 0), (20, 6, 1), false, travel);
        join(&mut world, (20, 6, 1), (24, 6, 0), false, TIMED);
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Despawn);
        let wide = AgentType {
            radius: 0.5,
            ..swarm.types()[0]
        };
        swarm.set_types(&[wide]).expect("valid");
        lead(&mut world, &mut swarm, 0, (28, 6, 0));
        let starts = [(12, 6, 0), (14, 6, 0), (16, 6, 0)].map(|at| place(&world, at));
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        for _ in 0..900 {
            step(&mut world, &mut swarm);
            assert!(on_layer(&swarm, 1).len() <= 1, "{travel:?}");
        }
        assert_eq!(swarm.len(), 0, "{travel:?}");
    }
}

#[test]
fn climbers_keep_apart_on_an_upright_ladder() {
    let upper = (1, IVec2::new(20, 0), IVec2::new(10, 13));
    let mut world = rooms(1, &[GROUND, upper]);
    let corners = CellRect {
        low: IVec2::ZERO,
        high: SIZE + 1,
    };
    for (layer, height) in [(0, 0.0), (1, 8.0)] {
        let heights = vec![height; corners.cell_count()];
        world
            .set_heights_rect(layer, corners, &heights)
            .expect("valid");
    }
    let travel = Travel::Timed {
        seconds: 4.0,
        arc: 0.0,
    };
    join(&mut world, (19, 6, 0), (20, 6, 1), true, travel);
    let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Despawn);
    lead(&mut world, &mut swarm, 0, (28, 6, 1));
    let room = (0, IVec2::new(12, 4), IVec2::new(6, 5));
    fill(&world, &mut swarm, 0, room, 40);
    let (mut least, mut most) = (f32::INFINITY, 0);
    for _ in 0..900 {
        step(&mut world, &mut swarm);
        let feet = swarm.standing_positions(0.0).into_iter();
        let climbs = |state: &AgentState| *state == AgentState::Travelling;
        let climbers: Vec<_> = feet
            .zip(swarm.states())
            .filter(|(_, state)| climbs(state))
            .map(|(foot, _)| foot)
            .collect();
        most = most.max(climbers.len());
        for (number, one) in climbers.iter().enumerate() {
            for other in &climbers[..number] {
                least = least.min(one.distance(*other) / (2.0 * RADIUS));
            }
        }
    }
    assert!(least > 0.95, "{least} diameters");
    // 8 m, and 0.6 m for each, or less where one begins beside the other.
    assert!((10..=17).contains(&most), "{most}");
    assert_eq!(swarm.len(), 0);
}

/// Of two that swap places one stands deeper in a wall than the other.
#[test]
fn those_that_swap_places_come_no_deeper_into_walls() {
    for by in [0.0, 0.1, -0.15] {
        let pad = IVec2::new(5, 5);
        let mut world = rooms(1, &[(0, pad, IVec2::ONE), (1, pad, IVec2::ONE)]);
        join(&mut world, (5, 5, 0), (5, 5, 1), true, Travel::AtOnce);
        let mut swarm = swarm_of(Avoidance::Contact, ArrivalAction::Stop);
        let wide = AgentType {
            radius: 0.7,
            ..swarm.types()[0]
        };
        swarm.set_types(&[wide]).expect("valid");
        let aside = Vec2::new(by, 0.0);
        let starts = [place(&world, (5, 5, 0)), place(&world, (5, 5, 1)) + aside];
        let mut ids = Vec::new();
        for (group, to) in [(0, (5, 5, 1)), (1, (5, 5, 0))] {
            let start = [starts[group as usize]];
            ids.extend(swarm.spawn(&world, &start, 0, group).expect("inside"));
            lead(&mut world, &mut swarm, group, to);
        }
        step(&mut world, &mut swarm);
        let from_center = |at: Vec2| at.distance(world.grid().center_of(world.grid().cell_at(at)));
        for (number, (&id, start)) in ids.iter().zip(starts).enumerate() {
            let index = swarm.ids().iter().position(|&other| other == id);
            let end = swarm.positions()[index.expect("it exists")];
            let layer = world.grid().layers().at(end) as usize;
            assert_eq!(layer, 1 - number, "{by}: they swap");
            let (before, now) = (from_center(start), from_center(end));
            assert!(now <= before + 1.0e-3, "{by}: {now} after {before}");
        }
    }
}
