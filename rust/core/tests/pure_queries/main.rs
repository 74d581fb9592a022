//! Queries change nothing that the simulation reads: two games with the same orders stay equal in every tick, although
//! one of them is also queried at random times.
//!
//! Order of reading: `game` (the orders), `queries` (all queries), `surface` (no query is forgotten).

#[path = "../common/mod.rs"]
mod common;

mod game;
mod queries;
mod surface;

use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, TileVariant};
use flow_swarm::{IVec2, Vec2};
use game::{Game, Setting};
use queries::Asker;

/// The settings of a game, by the number of its seed.
fn setting(seed: u64) -> Setting {
    let number = seed as usize;
    Setting {
        variant: [TileVariant::Seamless, TileVariant::Plain][number % 2],
        layers: [1, 1, 2][number / 2 % 3],
        has_links: number % 5 == 3,
        crowd_penalty: [0, 0, 12][number / 4 % 3],
        walking_cells: [200, 1000, 0, 4096][number % 4],
        update_cells: [0, 700, 90, 2000][number / 2 % 4],
        route_limit: [1, 64, 3][number / 3 % 3],
        tile_limit: [256, 2, 9][number % 3],
        cache_bytes: [1 << 26, 40_000, 1][number / 5 % 3],
        is_requested_first: number.is_multiple_of(2),
    }
}

/// The part of a text from shortly before its first difference to another.
fn difference(text: &str, other: &str) -> String {
    let same = text
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other);
    let from = same.count().saturating_sub(200);
    text.chars().skip(from).take(400).collect()
}

fn play(seed: u64, ticks: usize) {
    let setting = setting(seed);
    let (mut quiet, mut asked) = (Game::new(seed, setting), Game::new(seed, setting));
    let mut asker = Asker::new(seed);
    for tick in 0..ticks {
        for part in 0..Game::PARTS {
            quiet.play_part(part);
            for _ in 0..asker.draw(4) {
                asker.ask(&mut asked);
            }
            asked.play_part(part);
        }
        for (expected, found) in quiet.state().into_iter().zip(asked.state()) {
            let (what, last) = (expected.0, &asker.last);
            assert!(
                expected == found,
                "seed {seed}, tick {tick}, {setting:?}: {what} after {last:?}\n{}\n{}",
                difference(&expected.1, &found.1),
                difference(&found.1, &expected.1)
            );
        }
        asker.last.clear();
    }
    // The cache, with the order in which tiles were used, and the portal graphs.
    assert!(
        quiet.world.save_tiles() == asked.world.save_tiles(),
        "seed {seed}: other tiles in the cache"
    );
}

#[test]
fn games_that_are_asked_go_on_as_if_they_were_not() {
    for seed in 0..24 {
        play(seed, 60);
    }
}

#[test]
fn a_long_game_goes_on_as_if_it_were_not_asked() {
    play(100, 400);
    play(103, 400);
}

/// A whole field that was built for a query leads no agent. Agents follow only fields that were required.
#[test]
fn agents_do_not_follow_what_was_only_asked_about() {
    let grid = Grid::new(IVec2::splat(20), 1.0, Vec2::ZERO).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(17.5)]).expect("inside");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        acceleration: 40.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let start = Vec2::splat(3.5);
    swarm.spawn(&world, &[start], 0, 0).expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    assert!(
        world
            .cost_to_goal(goal, start, 0)
            .expect("inside")
            .is_some()
    );
    swarm.step(&world, 0.1).expect("valid");
    assert_eq!(swarm.positions(), [start]);
    world.require(goal, 0).expect("known");
    swarm.step(&world, 0.1).expect("valid");
    assert_ne!(swarm.positions(), [start]);
    // A new grid removes fields, but not the record of which are required.
    let wider = Grid::new(IVec2::splat(21), 1.0, Vec2::ZERO).expect("valid");
    world.set_grid(wider);
    world.update();
    let before = swarm.positions().to_vec();
    swarm.step(&world, 0.1).expect("valid");
    assert_ne!(swarm.positions(), before);
}
