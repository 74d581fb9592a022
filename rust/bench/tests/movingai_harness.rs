//! The harness `movingai` prints the figures that its last line promises, and finds no fault in the core.
//!
//! Set `FLOW_SWARM_MOVINGAI` to a folder with pairs of `NAME.map` and `NAME.map.scen` to check those maps too. Without
//! it a line says that they were not checked.

mod known_maps;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const SOLVERS: [&str; 2] = ["octile", "eikonal"];

fn run(arguments: &[&str], map: &Path, scenario: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_movingai"))
        .args(arguments)
        .args([map, scenario])
        .output()
        .expect("the harness can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", map.display());
    let last = text.lines().last().expect("the harness prints something");
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

/// The greatest ratio of walked lengths to shortest ones by the Eikonal solver, on average over a map and in a single
/// walk.
const LONGEST_MEAN: f64 = 1.015;
const LONGEST_MEAN_IN_ROOMS: f64 = 1.05;
const LONGEST: f64 = 1.04;

fn walks_hardly_farther_than_needed(report: &Value) {
    let figure = |key: &str| report[key].as_f64();
    let (Some(mean), Some(worst)) = (figure("any_angle_mean"), figure("any_angle_max")) else {
        eprintln!("{} has no table of optima", report["map"]);
        return;
    };
    let has_rooms = report["map"]
        .as_str()
        .is_some_and(|map| map.contains("room"));
    let longest_mean = if has_rooms {
        LONGEST_MEAN_IN_ROOMS
    } else {
        LONGEST_MEAN
    };
    assert!(mean <= longest_mean && worst <= LONGEST, "{report}");
}

fn finds_nothing_wrong(report: &Value) {
    if report["mode"] == "whole" {
        assert_eq!(report["cost_mismatches"], 0, "{report}");
    }
    assert_eq!(report["arrived"], report["walks"], "{report}");
    let everywhere = &report["all_starts"];
    assert_eq!(
        everywhere["starts_arrived"], everywhere["starts"],
        "{report}"
    );
    for walks in [report, everywhere] {
        assert_eq!(walks["wall_hits"], 0, "{report}");
        assert_eq!(walks["corner_cuts"], 0, "{report}");
    }
}

/// Writes a map, its scenario and related files into a new folder.
fn write(folder: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a temporary file");
    }
    folder
}

const MAP: &str = "type octile\nheight 5\nwidth 7\nmap\n\
    .......\n\
    .@@@@@.\n\
    .......\n\
    @@@.@@@\n\
    ..@.@..\n";
const SCENARIO: &str = "version 1\n\
    0\tsmall.map\t7\t5\t0\t0\t6\t0\t6\n\
    0\tsmall.map\t7\t5\t0\t2\t3\t4\t5\n";

#[test]
fn a_map_without_a_table_is_walked_and_compared_with_nothing() {
    // Also with CRLF line ends, and with spaces instead of tabs.
    let crlf = |text: &str| text.replace('\t', " ").replace('\n', "\r\n");
    let folder = write(
        "without_table",
        &[
            ("small.map", &crlf(MAP)),
            ("small.map.scen", &crlf(SCENARIO)),
        ],
    );
    for solver in SOLVERS {
        let report = run(
            &["--solver", solver],
            &folder.join("small.map"),
            &folder.join("small.map.scen"),
        );
        finds_nothing_wrong(&report);
        assert_eq!(
            (&report["map"], &report["queries"]),
            (&"small".into(), &2.into())
        );
        assert_eq!(report["walks"], 2);
        // All cells but the two in each lower corner.
        assert_eq!(report["all_starts"]["starts"], 18);
        for absent in [
            "any_angle_mean",
            "any_angle_p95",
            "any_angle_max",
            "any_angle_queries",
        ] {
            assert!(report[absent].is_null(), "{report}");
        }
        for measured in ["build_ms", "mcells_per_s", "heap_ratio"] {
            assert!(
                report[measured].as_f64().is_some_and(|figure| figure > 0.0),
                "{report}"
            );
        }
    }
}

#[test]
fn a_table_beside_the_map_is_used_and_wrong_optima_are_counted() {
    let table = "start_x,start_y,goal_x,goal_y,octile_optimal,any_angle_optimal\n\
        0,0,6,0,6.0,6.0\n0,0,6,0,6.0,3.0\n0,2,3,4,5.0,5.0\n";
    let folder = write(
        "with_table",
        &[
            ("small.map", MAP),
            ("small.map.scen", &SCENARIO.replace("4\t5\n", "4\t4.99\n")),
            ("small.anyangle.csv", table),
        ],
    );
    let report = run(
        &["--rounds", "0", "--all-starts", "0"],
        &folder.join("small.map"),
        &folder.join("small.map.scen"),
    );
    assert_eq!(report["cost_mismatches"], 1);
    assert_eq!(
        (&report["any_angle_queries"], &report["arrived"]),
        (&3.into(), &3.into())
    );
    let worst = report["any_angle_max"].as_f64().expect("a number");
    assert!((worst - 2.0).abs() < 1e-5, "{report}");
    assert!(report["build_ms"].is_null());
    assert_eq!(report["all_starts"]["starts"], 0);
}

#[test]
fn every_rule_leads_all_agents_to_the_goal() {
    let folder = write("rules", &[("small.map", MAP), ("small.map.scen", SCENARIO)]);
    for rule in ["best-neighbour", "negative-gradient", "predecessor"] {
        let report = run(
            &["--rule", rule, "--rounds", "1"],
            &folder.join("small.map"),
            &folder.join("small.map.scen"),
        );
        finds_nothing_wrong(&report);
        assert_eq!(report["all_starts"]["starts"], 18, "{rule}");
    }
}

/// The limits on walks along tiles with carried-over costs.
const LONGEST_TILED_MEAN: f64 = 1.04;
const LONGEST_TILED_P95: f64 = 1.08;

#[test]
fn tiled_goals_are_walked_to_with_sectors_of_any_size() {
    let folder = write("tiled", &[("small.map", MAP), ("small.map.scen", SCENARIO)]);
    for solver in SOLVERS {
        for sector in ["4", "16", "64"] {
            let report = run(
                &["--mode", "tiled", "--solver", solver, "--sector", sector],
                &folder.join("small.map"),
                &folder.join("small.map.scen"),
            );
            finds_nothing_wrong(&report);
            assert_eq!(report["all_starts"]["starts"], 18, "{report}");
            for measured in [
                "init_ms",
                "route_ms",
                "tile_us",
                "edit_ms",
                "peer_edit_ratio",
            ] {
                let figure = report[measured].as_f64();
                assert!(figure.is_some_and(|figure| figure > 0.0), "{report}");
            }
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_movingai"))
        .args(["--mode", "tiled", "--rule", "predecessor"])
        .args([folder.join("small.map"), folder.join("small.map.scen")])
        .output()
        .expect("the harness can be started");
    assert!(!output.status.success(), "tiles have no such rule");
}

#[test]
fn tiled_walks_are_short_on_two_known_maps() {
    let Some(folder) = known_maps::folder() else {
        return;
    };
    for name in ["arena2", "random512-10-0"] {
        let map = folder.join(name).with_extension("map");
        if !map.exists() {
            eprintln!("skipped: {} is not there", map.display());
            continue;
        }
        let mut arguments = vec!["--mode", "tiled", "--solver", "eikonal"];
        arguments.extend(["--sector", "10", "--every", "211"]);
        let report = run(&arguments, &map, &map.with_extension("map.scen"));
        finds_nothing_wrong(&report);
        let figure = |key: &str| report[key].as_f64().unwrap_or(f64::INFINITY);
        assert!(figure("any_angle_mean") <= LONGEST_TILED_MEAN, "{report}");
        assert!(figure("any_angle_p95") <= LONGEST_TILED_P95, "{report}");
        eprintln!("{report}");
    }
}

#[test]
fn a_scenario_of_another_map_is_refused() {
    let folder = write(
        "of_another_map",
        &[
            ("small.map", MAP),
            ("small.map.scen", &SCENARIO.replace("\t7\t5\t", "\t9\t9\t")),
        ],
    );
    let output = Command::new(env!("CARGO_BIN_EXE_movingai"))
        .args([folder.join("small.map"), folder.join("small.map.scen")])
        .output()
        .expect("the harness can be started");
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("the scenario is for 9 by 9 cells"),
        "{errors}"
    );
}

#[test]
fn nothing_is_wrong_on_any_known_map() {
    for map in known_maps::all() {
        for solver in SOLVERS {
            let arguments = ["--solver", solver, "--rounds", "0", "--every", "37"];
            let report = run(&arguments, &map, &map.with_extension("map.scen"));
            finds_nothing_wrong(&report);
            if solver == "eikonal" {
                walks_hardly_farther_than_needed(&report);
            }
            eprintln!("{} {solver}: {report}", map.display());
        }
    }
}
