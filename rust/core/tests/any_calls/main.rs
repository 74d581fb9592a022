//! Random calls with random arguments in random order: no call panics, and the invariants hold.
//!
//! A run is a seed and a list of call numbers. Each call draws its arguments from its own generator, keyed by seed and
//! number. If some calls are left out, the others stay the same, so a failing run can be reduced.
//!
//! Some seeds are fixed, and some are new in every run. To replay a failure, set `ANY_CALLS_SEED` and `ANY_CALLS_COUNT`
//! to the printed values. With `ANY_CALLS_SHRINK` set as well, calls are left out as long as the run still fails, and
//! the names of the remaining ones are printed.
//!
//! Order of reading: `caller` (the state and the list of calls), `arguments`, the files of calls by topic, `checks` and
//! `brute_force` (the invariants), `replay`, `returns` (snapshots and saves between any calls), `surface`.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod arguments;
mod brute_force;
mod caller;
mod checks;
mod drawing;
mod goals;
mod ground;
mod imports;
mod orders;
mod overlays;
mod replay;
mod returns;
mod sites;
mod surface;
mod worlds;

use caller::Setting;
use replay::{replayed, run_all};
use returns::run_with_returns;

/// A small world in which many things happen at a time.
const GAME: Setting = Setting {
    most_agents: 80,
    spawned_at_once: 5,
    side: 30,
    odd_sizes_percent: 30,
    is_in_background: false,
};

#[test]
fn a_hundred_thousand_calls() {
    let (seed, count) = replayed(1, 100_000);
    run_all(seed, count, &[1, 2], GAME);
}

#[test]
fn calls_by_other_seeds() {
    for seed in 2..6 {
        run_all(seed, 8_000, &[1, 3], GAME);
    }
}

/// New calls in every run. A failure prints its seed.
#[test]
fn calls_by_fresh_seeds() {
    for seed in common::fresh_seeds(6, 20) {
        run_all(seed, 4_000, &[1, 3], GAME);
    }
}

/// Snapshots and saves at random moments change nothing about what follows. The first seed once asked for a field whose
/// parts reach more cells than the rest of it, and the second went back to a swarm that held none of its goals.
#[test]
fn calls_over_which_the_caller_goes_back() {
    for seed in [127_024_017, 170_349_875, 30, 31, 32, 33]
        .into_iter()
        .chain(common::fresh_seeds(2, 10))
    {
        run_with_returns(seed, 3_000, GAME);
    }
}

/// The calls of these seeds once led to squares of lengths that exceed `f32`.
#[test]
fn calls_that_asked_for_huge_cells() {
    for seed in [5008, 6002, 6007, 6023] {
        run_all(seed, 8_000, &[1, 3], GAME);
    }
}

/// Enough agents for several pieces of parallel work.
#[test]
fn calls_on_a_crowd() {
    let crowd = Setting {
        most_agents: 2_600,
        spawned_at_once: 900,
        side: 110,
        odd_sizes_percent: 3,
        ..GAME
    };
    run_all(11, 1_500, &[1, 2, 3, 8], crowd);
}

/// The time at which a field is ready depends on the machine, so runs differ. The invariants hold nevertheless.
#[test]
fn calls_while_fields_are_built_in_the_background() {
    let behind = Setting {
        is_in_background: true,
        ..GAME
    };
    run_all(21, 10_000, &[2], behind);
}
