//! Options of the harness `crowd`: runs that end early, pictures, and refusals.

use std::process::{Command, Output};

use serde_json::Value;

fn crowd(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowd"))
        .args(["--threads", "1"])
        .args(arguments)
        .output()
        .expect("the harness can be started")
}

fn report(arguments: &[&str]) -> Value {
    let output = crowd(arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().expect("the harness prints something");
    serde_json::from_str(last).expect("a line of JSON")
}

#[test]
fn a_scene_without_arrivals_ends_where_a_jam_is_asked_for() {
    let scene = ["--scene", "rimea1", "--json"];
    let whole = report(&scene);
    assert_eq!(whole["arrived"], 1, "{whole}");
    assert_eq!(whole["quiet_seconds"].as_f64().map(f64::floor), Some(0.0));
    let ended = report(&[&scene[..], &["--jam", "2"]].concat());
    assert_eq!(
        (&ended["arrived"], &ended["seconds"]),
        (&0.into(), &Value::Null)
    );
    let seconds = ended["simulated_seconds"].as_f64().expect("a number");
    // Crowds take turns of ten steps.
    assert!((2.0..=2.51).contains(&seconds), "{seconds}");
    assert_eq!(ended["quiet_seconds"], seconds);
}

#[test]
fn a_picture_is_drawn_instead_of_figures() {
    let path = std::env::temp_dir().join("flow_swarm_crowd.png");
    let file = path.to_str().expect("a path in UTF-8");
    let mut arguments = vec!["--scene", "doorway", "--agents", "50", "--picture", file];
    arguments.extend(["--at", "1", "--across", "12"]);
    let output = crowd(&arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let bytes = std::fs::read(&path).expect("a picture");
    // A PNG's header: its signature, then width and height.
    assert_eq!(bytes[1..4], *b"PNG");
    assert_eq!(bytes[16..24], [0, 0, 1, 224, 0, 0, 1, 224]);
}

#[test]
fn what_a_picture_cannot_show_is_refused_by_name() {
    for (argument, value) in [("--at", "-1"), ("--at", "nan"), ("--across", "0")] {
        let text = format!("{argument}={value}");
        let output = crowd(&["--scene", "doorway", "--picture", "/nowhere/a.png", &text]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{text}");
        assert!(
            errors.contains(argument) && errors.contains(value),
            "{errors}"
        );
    }
    let output = crowd(&["--picture", "a.png"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("--scene"), "{errors}");
}
