//! Section 5 of flow tiles: a short version of the long game with orders, stamps and painted cells. The harness `soak`
//! says what it checks, and fails if a check does.

use std::process::Command;

use serde_json::Value;

fn soak(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_soak"))
        .args(arguments)
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    let last = text.lines().last().expect("the harness prints something");
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

#[test]
fn a_game_in_short_keeps_every_promise() {
    let runs: [&[&str]; 3] = [
        &["--ticks", "500"],
        &[
            "--ticks", "300", "--seed", "7", "--sector", "10", "--tiles", "5",
        ],
        &[
            "--ticks",
            "200",
            "--seed",
            "3",
            "--side",
            "96",
            "--cache-bytes",
            "1",
        ],
    ];
    for arguments in runs {
        let mut with_few = vec!["--units", "160", "--burst", "500"];
        with_few.extend(arguments);
        let report = soak(&with_few);
        for seen in [
            "orders",
            "refused",
            "edits",
            "directions_checked",
            "cells_compared",
        ] {
            assert!(report[seen].as_u64() > Some(0), "{seen}: {report}");
        }
    }
}

#[test]
fn numbers_that_make_no_game_are_refused() {
    for bad in [["--units", "7"], ["--side", "63"], ["--ticks", "-1"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_soak")).args(bad).output();
        assert!(!output.expect("the harness can be started").status.success());
    }
}
