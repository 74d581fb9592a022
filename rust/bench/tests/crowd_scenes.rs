//! The crowd, sections 2 and 9: every scene of the harness `crowd` ends as it always did, for any number of threads,
//! with nobody in a wall; and where arriving is the point everybody arrives.
//!
//! The hashes are in `golden/crowd_scenes.txt`. When a change is meant, look at the scenes (`crowd --scene NAME` tells
//! how agents fare), run these tests with `FLOW_SWARM_RECORD=1` in the environment, which writes the file anew, and say
//! why in the commit.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// All scenes of the harness.
const SCENES: [&str; 8] = [
    "open",
    "circle",
    "blocks",
    "doorway",
    "crossing",
    "headon",
    "twodoors",
    "fourdoors",
];
/// Those in which everybody is to arrive.
const JOURNEYS: [&str; 5] = ["headon", "crossing", "blocks", "circle", "doorway"];
const WAYS: [&str; 2] = ["separation", "orca"];
/// The deepest that agents that avoid each other may overlap, as a fraction of a radius.
const MOST_OVERLAP: f64 = 0.05;

fn play(scene: &str, avoidance: &str, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_crowd"))
        .args(["--scene", scene, "--avoidance", avoidance, "--json"])
        .args(arguments)
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // It ends with an error, too, where two numbers of threads lead to different states.
    assert!(output.status.success(), "{scene}, {avoidance}: {errors}");
    let last = text.lines().last().expect("the harness prints something");
    let report: Value = serde_json::from_str(last).expect("a line of JSON");
    check(scene, avoidance, &report);
    report
}

/// Nobody is in a wall, and who avoids others keeps clear of them.
fn check(scene: &str, avoidance: &str, report: &Value) {
    assert_eq!(report["wall_overlap"], 0.0, "{scene}, {avoidance}");
    let overlap = report["max_overlap"].as_f64().expect("a number");
    assert!(
        avoidance != "orca" || overlap < MOST_OVERLAP,
        "{scene}: agents overlap by {overlap} of a radius"
    );
}

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/crowd_scenes.txt")
}

/// Enough agents for several pieces of parallel work in every phase of a step.
#[test]
fn scenes_end_as_they_always_did_for_any_number_of_threads() {
    let arguments = ["--agents", "2400", "--steps", "40", "--threads", "1,2,3,8"];
    let mut found = String::new();
    for scene in SCENES {
        for avoidance in WAYS {
            let report = play(scene, avoidance, &arguments);
            assert_eq!(report["runs"].as_array().map(Vec::len), Some(4));
            let hash = report["state_hash"].as_str().expect("a text");
            found += &format!("{scene} {avoidance} {hash}\n");
        }
    }
    if std::env::var_os("FLOW_SWARM_RECORD").is_some() {
        fs::write(golden(), &found).expect("the file can be written");
    }
    let expected = fs::read_to_string(golden()).expect("the file is there");
    assert_eq!(found, expected, "what was found is on the left");
}

#[test]
fn everybody_arrives_and_nobody_is_deadlocked() {
    for scene in JOURNEYS {
        for avoidance in WAYS {
            let report = play(scene, avoidance, &["--agents", "120", "--threads", "1"]);
            assert_eq!(report["arrived"], 120, "{scene}, {avoidance}: {report}");
            assert_eq!(report["deadlocked"], 0, "{scene}, {avoidance}: {report}");
            assert_eq!(report["lost"], 0, "{scene}, {avoidance}: {report}");
        }
    }
}

/// Knots of few agents are the most stubborn, and depend on where each of them stands.
#[test]
fn small_crowds_that_push_arrive_from_wherever_they_start() {
    let mut scenes = JOURNEYS.to_vec();
    scenes.push("fourdoors");
    for scene in scenes {
        for agents in ["6", "14", "31", "60"] {
            for seed in ["1", "2", "3"] {
                let arguments = ["--agents", agents, "--seed", seed, "--threads", "1"];
                let report = play(scene, "separation", &arguments);
                assert_eq!(
                    report["arrived"], report["agents"],
                    "{scene}, {agents}: {report}"
                );
                assert_eq!(report["deadlocked"], 0, "{scene}, {agents}: {report}");
            }
        }
    }
}
