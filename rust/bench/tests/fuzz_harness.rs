//! A few altered saves of every format. The harness `fuzz` says what must hold for them, and fails if it does not.

use std::process::Command;

use serde_json::Value;

fn fuzz(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_fuzz"))
        .args(arguments)
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {text}{errors}");
    let last = text.lines().last().expect("the harness prints something");
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

fn counts(report: &Value, format: &str) -> [u64; 2] {
    ["accepted", "refused"].map(|fate| {
        let count = &report["formats"][format][fate];
        count.as_u64().expect("a number")
    })
}

#[test]
fn some_inputs_of_every_format_are_accepted_and_some_refused() {
    let report = fuzz(&["--count", "4000", "--threads", "2"]);
    assert_eq!(report["inputs"], 4000, "{report}");
    for format in ["world", "swarm", "tiles", "baked", "arrays"] {
        let [accepted, refused] = counts(&report, format);
        let all = accepted + refused;
        let most = all * 9 / 10;
        assert!(accepted < most && refused < most && all > 200, "{report}");
    }
}

/// What an input is and what becomes of it depends on its seed alone.
#[test]
fn single_inputs_are_those_of_a_longer_run() {
    let whole = fuzz(&["--seed", "70", "--count", "12", "--threads", "2"]);
    let mut sums = [[0; 2]; 5];
    for seed in 70..82 {
        let one = fuzz(&["--seed", &seed.to_string(), "--count", "1"]);
        for (sum, format) in sums
            .iter_mut()
            .zip(["world", "swarm", "tiles", "baked", "arrays"])
        {
            let found = counts(&one, format);
            *sum = [sum[0] + found[0], sum[1] + found[1]];
        }
    }
    for (sum, format) in sums
        .into_iter()
        .zip(["world", "swarm", "tiles", "baked", "arrays"])
    {
        assert_eq!(sum, counts(&whole, format), "{format}");
    }
    let worlds = fuzz(&["--count", "40", "--format", "world"]);
    assert_eq!(counts(&worlds, "world").iter().sum::<u64>(), 40);
}

/// An input that takes longer than the limit ends the run with its seed.
#[test]
fn an_input_that_takes_too_long_fails_the_run() {
    let output = Command::new(env!("CARGO_BIN_EXE_fuzz"))
        .args(["--count", "100000", "--limit", "0"])
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("--count 1: it takes too long"), "{text}");
}
