//! Games that are saved and loaded at random moments.

use crate::common::fresh_seeds;
use crate::game::{Game, Setting};
use flow_swarm::flow::DirectionRule;
use flow_swarm::integrate::Solver;
use flow_swarm::world::TileVariant;
use flow_swarm_bench::maps::SplitMix64;

/// The settings of a game, by the number of its seed.
pub fn setting(seed: u64) -> Setting {
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

/// Puts the world and the swarm of a game into those of `other`, a game with the same settings that has gone elsewhere.
fn move_into(game: &mut Game, mut other: Game) {
    let (world, swarm) = (game.world.save_state(), game.swarm.save());
    let world = world.expect("nothing hinders");
    other.world.set_grid(*game.world.grid());
    let size = game.world.sector_size();
    other.world.set_sector_size(size).expect("in range");
    other.set_movement_types(game.kinds);
    let rules = [DirectionRule::Characteristic, DirectionRule::BestNeighbour];
    let solvers = [Solver::Octile, Solver::Eikonal];
    let pairs = rules
        .iter()
        .flat_map(|&rule| solvers.map(|solver| (rule, solver)));
    let mut refused = Vec::new();
    let is_loaded = pairs.into_iter().any(|(rule, solver)| {
        other.world.set_direction_rule(rule);
        other.world.set_solver(solver);
        let loaded = other.world.load_state(&world);
        refused.extend(loaded.as_ref().err().map(ToString::to_string));
        loaded.is_ok()
    });
    assert!(is_loaded, "{refused:?}");
    assert_eq!(other.world.world_hash(), game.world.world_hash());
    let loaded = other.swarm.load_in(&other.world, &swarm);
    loaded.expect("just saved");
    assert!(
        other.swarm.save() == swarm,
        "a swarm is another after a load"
    );
    game.world = other.world;
    game.swarm = other.swarm;
}

/// Counts of work and memory are not saved.
pub fn state(game: &Game) -> Vec<(&'static str, String)> {
    let mut state = game.state();
    state.retain(|(what, _)| !["tiles", "memory", "events"].contains(what));
    state
}

fn play(seed: u64, ticks: usize) {
    let setting = setting(seed);
    let (mut quiet, mut saved) = (Game::new(seed, setting), Game::new(seed, setting));
    let mut random = SplitMix64::new(seed ^ 77);
    for tick in 0..ticks {
        let mut moves = Vec::new();
        for part in 0..Game::PARTS {
            quiet.play_part(part);
            if random.percent(8) {
                let mut other = Game::new(seed ^ random.next_u64() >> 50, setting);
                for other_part in 0..random.below(3 * Game::PARTS) {
                    other.play_part(other_part % Game::PARTS);
                }
                move_into(&mut saved, other);
                moves.push(part);
            }
            saved.play_part(part);
            assert_eq!(
                quiet.world.world_hash(),
                saved.world.world_hash(),
                "seed {seed}, tick {tick}, part {part}, {setting:?}, loads before parts {moves:?}"
            );
        }
        for (expected, found) in state(&quiet).into_iter().zip(state(&saved)) {
            assert!(
                expected == found,
                "seed {seed}, tick {tick}, {setting:?}: {} after loads before parts {moves:?}\n{}\n{}",
                expected.0,
                &expected.1[..expected.1.len().min(600)],
                &found.1[..found.1.len().min(600)],
            );
        }
    }
}

#[test]
fn games_that_are_loaded_go_on_as_if_they_were_not() {
    for seed in 0..24 {
        play(seed, 60);
    }
}

#[test]
fn other_games_are_loaded_in_each_run() {
    for seed in fresh_seeds(8, 20) {
        play(seed, 40);
    }
}
