//! Sections 2 and 9 of the crowd: every scene of the harness `crowd` ends in the recorded state for any number of
//! threads, with no agent in a wall. In scenes about arrival all agents arrive; overlap, motion and flow stay within
//! limits.
//!
//! The hashes are in `golden/crowd_scenes.txt`. After an intended change, inspect the scenes (`crowd --scene NAME`
//! prints how agents behave), run these tests with `FLOW_SWARM_RECORD=1` in the environment, which writes the file
//! again, and state the reason in the commit.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The scenes whose end state is recorded.
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
/// The scenes in which all agents must arrive.
const JOURNEYS: [&str; 5] = ["headon", "crossing", "blocks", "circle", "doorway"];
const WAYS: [&str; 2] = ["separation", "orca"];
/// The greatest overlap of agents that avoid each other, as a fraction of a radius.
const MOST_OVERLAP: f64 = 0.05;

fn play(scene: &str, avoidance: &str, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_crowd"))
        .args(["--scene", scene, "--avoidance", avoidance, "--json"])
        .args(arguments)
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // The harness also fails if two numbers of threads lead to different states.
    assert!(output.status.success(), "{scene}, {avoidance}: {errors}");
    let last = text.lines().last().expect("the harness prints something");
    let report: Value = serde_json::from_str(last).expect("a line of JSON");
    check(scene, avoidance, &report);
    report
}

/// Checks that no agent is in a wall, and that agents that avoid others do not overlap with them.
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

/// There are enough agents for several pieces of parallel work in every phase of a step.
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
fn all_agents_arrive_without_deadlock() {
    for scene in JOURNEYS {
        for avoidance in WAYS {
            let report = play(scene, avoidance, &["--agents", "120", "--threads", "1"]);
            assert_eq!(report["arrived"], 120, "{scene}, {avoidance}: {report}");
            assert_eq!(report["deadlocked"], 0, "{scene}, {avoidance}: {report}");
            assert_eq!(report["lost"], 0, "{scene}, {avoidance}: {report}");
        }
    }
}

/// Small crowds jam most persistently, and this depends on where each agent starts.
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

/// A run of a scene, and its limits.
struct Limits {
    scene: &'static str,
    avoidance: &'static str,
    arguments: &'static [&'static str],
    /// Whether all agents must arrive.
    all_arrive: bool,
    /// The limits on the overlap of 99 % of touching pairs, and of all, in radii.
    overlap: (f64, f64),
    /// The limits on the change of heading per step, in radians, and of velocity, as a share of the greatest speed.
    jitter: f64,
    roughness: f64,
    /// The least flow between 10 % and 90 % of arrivals, in agents per second; 0 where flow is not measured.
    flow: f64,
}

/// Runs of few agents. For the same scenes with the numbers of the published figures, see `crowd --scene NAME`.
const LIMITS: [Limits; 20] = [
    Limits {
        scene: "corridor",
        avoidance: "contact",
        arguments: &[],
        all_arrive: true,
        overlap: (0.001, 0.001),
        jitter: 0.001,
        roughness: 0.002,
        flow: 50.0,
    },
    Limits {
        scene: "corner",
        avoidance: "contact",
        arguments: &[],
        all_arrive: true,
        overlap: (0.02, 0.3),
        jitter: 0.025,
        roughness: 0.03,
        flow: 32.0,
    },
    Limits {
        scene: "doorway",
        avoidance: "contact",
        arguments: &["--agents", "200", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.003, 0.02),
        jitter: 0.03,
        roughness: 0.05,
        flow: 1.5,
    },
    Limits {
        scene: "doorway",
        avoidance: "contact",
        arguments: &["--agents", "200", "--dt", "1/20"],
        all_arrive: true,
        overlap: (0.003, 0.02),
        jitter: 0.08,
        roughness: 0.09,
        flow: 1.5,
    },
    Limits {
        scene: "bottleneck",
        avoidance: "contact",
        arguments: &["--width", "1.8", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.01, 0.05),
        jitter: 0.08,
        roughness: 0.07,
        flow: 4.8,
    },
    Limits {
        scene: "bottleneck",
        avoidance: "contact",
        arguments: &["--width", "1.2", "--dt", "1/20"],
        all_arrive: true,
        overlap: (0.01, 0.05),
        jitter: 0.165,
        roughness: 0.11,
        flow: 3.25,
    },
    // The ways through these doors go on to one side.
    Limits {
        scene: "fourdoors",
        avoidance: "contact",
        arguments: &["--agents", "400", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.008, 0.06),
        jitter: 0.1,
        roughness: 0.06,
        flow: 5.0,
    },
    Limits {
        scene: "twowaydoor",
        avoidance: "contact",
        arguments: &["--agents", "60", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.01, 0.05),
        jitter: 0.17,
        roughness: 0.1,
        flow: 1.1,
    },
    Limits {
        scene: "headon",
        avoidance: "contact",
        arguments: &["--agents", "200", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.005, 0.02),
        jitter: 0.04,
        roughness: 0.03,
        flow: 4.5,
    },
    Limits {
        scene: "crossing",
        avoidance: "contact",
        arguments: &["--agents", "200", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.015, 0.15),
        jitter: 0.12,
        roughness: 0.1,
        flow: 3.3,
    },
    // An agent that a wall kept from parting was pushed on along it, under others, in steps of this length.
    Limits {
        scene: "blocks",
        avoidance: "contact",
        arguments: &["--dt", "0.0506"],
        all_arrive: true,
        overlap: (0.03, 0.3),
        jitter: 0.2,
        roughness: 0.1,
        flow: 5.0,
    },
    Limits {
        scene: "mob",
        avoidance: "contact",
        arguments: &["--agents", "1000"],
        all_arrive: false,
        overlap: (0.005, 0.02),
        jitter: 0.06,
        roughness: 0.005,
        flow: 0.0,
    },
    Limits {
        scene: "corridor",
        avoidance: "separation",
        arguments: &[],
        all_arrive: true,
        overlap: (0.001, 0.001),
        jitter: 0.001,
        roughness: 0.002,
        flow: 50.0,
    },
    Limits {
        scene: "corner",
        avoidance: "separation",
        arguments: &[],
        all_arrive: true,
        overlap: (0.8, 1.3),
        jitter: 0.03,
        roughness: 0.035,
        flow: 36.0,
    },
    Limits {
        scene: "corridor",
        avoidance: "orca",
        arguments: &["--agents", "160"],
        all_arrive: true,
        overlap: (0.02, 0.05),
        jitter: 0.01,
        roughness: 0.01,
        flow: 8.0,
    },
    Limits {
        scene: "rimea6",
        avoidance: "orca",
        arguments: &[],
        all_arrive: true,
        overlap: (0.02, 0.05),
        jitter: 0.03,
        roughness: 0.03,
        flow: 1.5,
    },
    Limits {
        scene: "mixed",
        avoidance: "contact",
        arguments: &["--agents", "600", "--steps", "1500"],
        all_arrive: false,
        overlap: (0.015, 0.15),
        jitter: 0.12,
        roughness: 0.07,
        flow: 0.0,
    },
    Limits {
        scene: "doorway",
        avoidance: "contact",
        arguments: &["--agents", "120", "--dt", "1/60"],
        all_arrive: true,
        overlap: (0.003, 0.02),
        jitter: 0.03,
        roughness: 0.05,
        flow: 1.5,
    },
    Limits {
        scene: "mob",
        avoidance: "contact",
        arguments: &["--agents", "400", "--steps", "1500"],
        all_arrive: false,
        overlap: (0.01, 0.06),
        jitter: 0.2,
        roughness: 0.02,
        flow: 0.0,
    },
    Limits {
        scene: "rimea6",
        avoidance: "contact",
        arguments: &["--dt", "1/60"],
        all_arrive: true,
        overlap: (0.05, 0.1),
        jitter: 0.05,
        roughness: 0.05,
        flow: 1.8,
    },
];

#[test]
fn scenes_keep_within_their_limits() {
    let mut broken = Vec::new();
    for limits in &LIMITS {
        let arguments = [limits.arguments, &["--threads", "1"]].concat();
        let report = play(limits.scene, limits.avoidance, &arguments);
        let figure = |key: &str| report[key].as_f64().unwrap_or(f64::NAN);
        let mut check = |holds: bool, key: &str| {
            if !holds {
                let run = format!("{}, {}", limits.scene, limits.avoidance);
                broken.push(format!("{run}: {key} is {}", report[key]));
            }
        };
        check(figure("overlap_p99") <= limits.overlap.0, "overlap_p99");
        check(figure("max_overlap") <= limits.overlap.1, "max_overlap");
        check(figure("jitter") <= limits.jitter, "jitter");
        check(figure("roughness") <= limits.roughness, "roughness");
        let flow = "agents_per_second_middle";
        check(limits.flow == 0.0 || figure(flow) >= limits.flow, flow);
        let arrived = report["arrived"] == report["agents"];
        check(!limits.all_arrive || arrived, "arrived");
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A single agent in a corridor of 40 m takes 26 to 34 s, whatever its avoidance.
#[test]
fn a_walk_of_forty_metres_takes_as_long_as_the_guideline_says() {
    for avoidance in ["separation", "contact", "orca"] {
        let report = play("rimea1", avoidance, &["--threads", "1"]);
        let seconds = report["seconds"].as_f64().expect("it arrives");
        assert!((26.0..=34.0).contains(&seconds), "{avoidance}: {seconds} s");
    }
}

/// The answer of another program to a scene is measured like the core's own run.
#[test]
fn replays_are_measured() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (scene, answer) = (folder.join("scene.json"), folder.join("answer.jsonl"));
    let crowd = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_crowd"))
            .args(["--scene", "corridor", "--agents", "8", "--json"])
            .args(arguments)
            .output()
            .expect("the harness can be started");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), output.stdout, errors)
    };
    let path = |path: &PathBuf| path.to_str().expect("a path of characters").to_owned();
    let (written, _, errors) = crowd(&["--export", &path(&scene)]);
    assert!(written, "{errors}");
    let text = fs::read_to_string(&scene).expect("the scene is there");
    let scene: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(scene["starts"].as_array().map(Vec::len), Some(8));
    // Two agents at the same place for ten steps, then none.
    let step = "[0,50.0,50.0,5,50.0,50.0]\n";
    let header = "{\"method\":\"twins\",\"ms_per_simulated_second\":1.5}\n";
    let lines = format!("{header}{}[]\n", step.repeat(10));
    fs::write(&answer, &lines).expect("the file can be written");
    let (read, found, errors) = crowd(&["--replay", &path(&answer)]);
    assert!(read, "{errors}");
    let report: Value = serde_json::from_slice(&found).expect("a line of JSON");
    assert_eq!(report["avoidance"], "twins");
    assert_eq!(
        (&report["max_overlap"], &report["touching_pairs"]),
        (&2.0.into(), &1.into())
    );
    assert_eq!(
        (&report["arrived"], &report["steps"]),
        (&8.into(), &11.into())
    );
    assert_eq!(report["ms_per_simulated_second"], 1.5);
    // An index of an agent that the scene does not have.
    fs::write(&answer, format!("{header}[8,1.0,1.0]\n")).expect("the file can be written");
    let (read, _, errors) = crowd(&["--replay", &path(&answer)]);
    assert!(!read && errors.contains("agent 8 of 8"), "{errors}");
}
