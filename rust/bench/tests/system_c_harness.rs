//! System C's experiment runs, and all methods except the potential field lead every agent to the goal.

use std::process::Command;

use serde_json::Value;

fn run(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_system_c"))
        .args(arguments)
        .output()
        .expect("the harness can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().expect("the harness prints something");
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

#[test]
fn all_agents_arrive_by_every_method_but_the_potential_field() {
    for (density, seed) in [("0", "1"), ("10", "1"), ("30", "5")] {
        let report = run(&["--rounds", "1", "--density", density, "--seed", seed]);
        assert_eq!(
            report["agents"],
            serde_json::json!([1, 10, 20, 50, 100, 200])
        );
        let methods = report["methods"].as_array().expect("a list");
        assert_eq!(methods.len(), 8);
        for method in methods {
            let name = method["method"].as_str().expect("a name");
            for key in ["finding_ms", "walking_ms"] {
                let times = method[key].as_array().expect("a list");
                assert_eq!(times.len(), 6, "{name}: {key}");
                assert!(
                    times.iter().all(|time| time.as_f64() > Some(0.0)),
                    "{name}: {key}"
                );
            }
            if name == "potential field" {
                continue;
            }
            for key in ["caught", "faults"] {
                assert_eq!(
                    method[key],
                    serde_json::json!([0, 0, 0, 0, 0, 0]),
                    "{name}: {key}"
                );
            }
            // From the far corner no path is shorter than the straight line, at 3 cells per second.
            let last = method["arrival_s"][5].as_f64().expect("a time");
            assert!((15.0..40.0).contains(&last), "{name}: {last} s");
        }
    }
}
