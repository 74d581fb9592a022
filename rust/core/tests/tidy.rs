//! The core has no engine, I/O, clock or global state, and computes the same on every machine.

use std::fs;
use std::path::{Path, PathBuf};

/// What the core may depend on.
const DEPENDENCIES: [&str; 5] = ["glam", "lz4_flex", "parking_lot", "rayon", "thiserror"];

/// What has no place in the core, and why.
const FORBIDDEN: [(&str, &str); 24] = [
    ("std::time", "time comes in as dt"),
    ("Instant", "time comes in as dt"),
    ("SystemTime", "time comes in as dt"),
    ("std::fs", "no I/O"),
    ("std::io", "no I/O"),
    ("std::net", "no I/O"),
    ("std::env", "no I/O"),
    ("std::process", "no I/O"),
    ("println!", "no I/O"),
    ("eprintln!", "no I/O"),
    ("print!", "no I/O"),
    ("dbg!", "no I/O"),
    ("static mut", "no global state"),
    ("thread_local!", "no global state"),
    ("OnceLock", "no global state"),
    ("LazyLock", "no global state"),
    ("godot", "no engine"),
    ("RandomState", "hash order is random"),
    ("mul_add", "fused on some machines only"),
    (".powf(", "libm differs between machines"),
    (".exp(", "libm differs between machines"),
    (".ln(", "libm differs between machines"),
    (".hypot(", "libm differs between machines"),
    (".rotate(", "libm differs between machines"),
];

/// Calls of the platform's trigonometry, as methods and of glam's.
const TRIGONOMETRY: [&str; 14] = [
    ".sin(",
    ".cos(",
    ".tan(",
    ".sin_cos(",
    ".asin(",
    ".acos(",
    ".atan(",
    ".atan2(",
    ".to_angle(",
    "from_angle(",
    ".angle_to(",
    ".angle_between(",
    ".sinh(",
    ".tanh(",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the sources are there");
    for entry in entries {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file: without comments, and without the tests at its end.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).expect("readable");
    text.lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .enumerate()
        .map(|(number, line)| {
            let code = line.split("//").next().unwrap_or_default();
            (number + 1, code.to_owned())
        })
        .collect()
}

fn core_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    assert!(found.len() > 20, "only {} files found", found.len());
    found.sort();
    found
}

#[test]
fn the_core_holds_nothing_that_it_must_not() {
    let mut faults = Vec::new();
    let trigonometry = TRIGONOMETRY.map(|call| (call, "libm differs between machines"));
    for path in core_sources() {
        for (number, line) in code(&path) {
            for (word, reason) in FORBIDDEN.into_iter().chain(trigonometry) {
                if line.contains(word) {
                    faults.push(format!("{}:{number}: {word}: {reason}", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn tests_come_last_in_their_file() {
    // Otherwise the test above would pass over code behind them.
    for path in core_sources() {
        let text = fs::read_to_string(&path).expect("readable");
        let marks: Vec<usize> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim() == "#[cfg(test)]")
            .map(|(number, _)| number)
            .collect();
        let Some(&first) = marks.first() else {
            continue;
        };
        assert_eq!(marks.len(), 1, "{}", path.display());
        let after: Vec<&str> = text.lines().skip(first + 1).collect();
        assert!(after[0].starts_with("mod "), "{}", path.display());
        let ends = after.iter().position(|line| *line == "}").expect("closed");
        assert_eq!(
            ends,
            after.len() - 1,
            "{}: code after the tests",
            path.display()
        );
    }
}

#[test]
fn the_core_depends_on_what_is_listed_and_nothing_else() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("readable");
    let found: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(found, DEPENDENCIES);
    assert!(!text.contains("[build-dependencies]") && !text.contains("[target."));
}

#[test]
fn modules_depend_one_way() {
    // The order in which data flows; a module uses only those before it.
    const ORDER: [&str; 19] = [
        "error",
        "random",
        "bytes",
        "workers",
        "cell_rect",
        "cell_set",
        "layers",
        "grid",
        "links",
        "terrain",
        "import",
        "movement",
        "direction",
        "integrate",
        "flow",
        "route",
        "entities",
        "world",
        "swarm",
    ];
    let place = |module: &str| ORDER.iter().position(|known| *known == module);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in core_sources() {
        let inside = path.strip_prefix(&root).expect("in src");
        let first = inside.iter().next().expect("not empty");
        let module = Path::new(first)
            .file_stem()
            .expect("named")
            .to_string_lossy();
        if module == "lib" {
            continue;
        }
        let own = place(&module);
        let own = own.unwrap_or_else(|| panic!("{module} is not in the order of modules"));
        let is_root = inside.iter().count() == 1 || inside.ends_with("mod.rs");
        let is_root = is_root && inside.iter().count() <= 2;
        for (number, line) in code(&path) {
            // Else another module could be named without `crate`.
            assert!(
                !is_root || !line.contains("super::"),
                "{}:{number}: a module of the root names others by `crate`",
                inside.display()
            );
            for used in line.split("crate::").skip(1) {
                let used = used.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                // What is no module is exported from the root; a group of several would be passed over.
                let used = used.into_iter().next().unwrap_or_default();
                assert!(
                    !used.is_empty(),
                    "{}:{number}: name one module",
                    inside.display()
                );
                let Some(used) = place(used) else {
                    continue;
                };
                assert!(
                    used <= own,
                    "{}:{number}: {module} uses {}, which comes after it",
                    inside.display(),
                    ORDER[used]
                );
            }
        }
    }
}

/// Words that named things here once, and the field's word for each.
const RETIRED: [(&str, &str); 31] = [
    ("Aim", "SearchTarget, GoalVersion or Objective"),
    ("Asker", "RequestPriority"),
    ("Busy", "PendingWork"),
    ("coasts", "skips_update"),
    ("comers", "entered_since"),
    ("FarAway", "UpdateLod"),
    ("giants", "oversized"),
    ("Guide", "ClusterHeuristic or FlowSource"),
    ("hear_of_moved_goals", "detect_goal_changes"),
    ("held_up", "corner_recovery"),
    ("in_sight", "visible_cells"),
    ("in_the_open", "uniform_ground"),
    ("Lack", "RouteNeed"),
    ("look_around", "update_contacts"),
    ("meet", "sync_layers"),
    ("Moved", "StepResult"),
    ("Offer", "Candidate"),
    ("Onward", "ExitCost"),
    ("patience", "expansion_budget"),
    ("Placed", "SortedAgent or PlacedStamp"),
    ("push_left", "push_after_friction"),
    ("Rally", "GroupCenter"),
    ("Rim", "WindowBoundary"),
    ("Site", "Collider"),
    ("Spent", "BudgetUsed"),
    ("Stay", "Overlap"),
    ("strive", "limit_acceleration"),
    ("usual_radius", "regular_radius"),
    ("way_left", "remaining_cost"),
    ("Ways", "TiledGoalState"),
    ("Wish", "PreferredVelocity"),
];

#[test]
fn names_are_the_words_of_the_field() {
    let mut faults = Vec::new();
    for path in core_sources() {
        for (number, line) in code(&path) {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            for word in line.split(|letter| !is_part(letter)) {
                if let Some((_, instead)) = RETIRED.iter().find(|(retired, _)| *retired == word) {
                    faults.push(format!("{}:{number}: {word}: {instead}", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn architecture() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    fs::read_to_string(path).expect("the map is there")
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_map_names_files_that_are_there() {
    let rust = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["core", "godot/src", "bench", "xtask"] {
        sources(&rust.join(folder), &mut files);
    }
    let map = architecture();
    let named: Vec<&str> = quoted(&map).filter(|name| name.ends_with(".rs")).collect();
    assert!(named.len() > 60, "only {} files named", named.len());
    for name in named {
        let name = name.trim_start_matches("rust/");
        let is_there = files.iter().any(|file| file.ends_with(name));
        assert!(is_there, "there is no file {name}");
    }
}

/// The stages in a table of the map, with their files.
fn stages<'a>(map: &'a str, heading: &str) -> Vec<(&'a str, &'a str)> {
    let table = map.split(heading).nth(1).expect("the heading is there");
    let table = table.split("\n#").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = quoted(row);
        let stage = cells.next().expect("a stage");
        (stage, cells.next().expect("a file"))
    })
    .collect()
}

#[test]
fn the_map_has_the_stages_in_their_order() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let map = architecture();
    let tables = [
        (
            "### The stages of an update",
            "world/fields.rs",
            "pub fn update(",
        ),
        (
            "### The stages of a step",
            "swarm/step/mod.rs",
            "pub fn step_among(",
        ),
    ];
    for (heading, file, function) in tables {
        let text = fs::read_to_string(src.join(file)).expect("readable");
        let body = text.split(function).nth(1).expect("the function is there");
        let body = body.split("\n    }\n").next().expect("it ends");
        let stages = stages(&map, heading);
        assert!(stages.len() > 8, "{heading}: {} stages", stages.len());
        let mut from = 0;
        for (stage, home) in stages {
            let call = format!(".{stage}(");
            let found = body[from..].find(&call);
            let found = found.unwrap_or_else(|| panic!("{heading}: {stage} is not called there"));
            from += found + call.len();
            let home = fs::read_to_string(src.join(home)).expect("readable");
            let is_there = home.contains(&format!("fn {stage}("));
            assert!(is_there, "{stage} is not in the file that the map names");
        }
    }
}
