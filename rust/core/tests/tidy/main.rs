//! Checks of the source text: no engine, I/O, clock or global state in the core, no operations whose results differ
//! between machines, module order, names, and lists in the documentation.
//!
//! Order of reading: `sources` (the files), this file, `circles` (imports), `map` (ARCHITECTURE.md).

mod circles;
mod map;
mod recipes;
mod sources;
mod store;
mod tutorials;

use sources::{code, core_sources};
use std::fs;
use std::path::Path;

/// The crates on which the core may depend.
const DEPENDENCIES: [&str; 5] = ["glam", "lz4_flex", "parking_lot", "rayon", "thiserror"];

/// Text that must not occur in the core, and why.
const FORBIDDEN: [(&str, &str); 23] = [
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

/// Types whose statics can change.
const CHANGEABLE: [&str; 5] = ["Lock<", "Cell<", "Mutex<", "Atomic", "Once"];

/// Trigonometry of the platform's library, as methods and in glam.
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
            let is_static = line.contains("static ") && !line.contains("'static ");
            if let Some(word) = CHANGEABLE
                .iter()
                .find(|word| is_static && line.contains(*word))
            {
                faults.push(format!(
                    "{}:{number}: {word}: no global state",
                    path.display()
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The formatter leaves comments as they are.
#[test]
fn comments_are_as_narrow_as_code() {
    let mut faults = Vec::new();
    for path in core_sources() {
        let text = fs::read_to_string(&path).expect("readable");
        for (number, line) in text.lines().enumerate() {
            if line.contains("//") && line.chars().count() > 120 {
                faults.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "over 120 characters: {faults:#?}");
}

#[test]
fn tests_come_last_in_their_file() {
    // Otherwise the test above would skip code after them.
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
    // The order of data flow. A module uses only those before it.
    const ORDER: [&str; 18] = [
        "error",
        "random",
        "bytes",
        "retired",
        "workers",
        "grid",
        "ground",
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
        "snapshots",
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
            // Otherwise another module could be named without `crate`.
            assert!(
                !is_root || !line.contains("super::"),
                "{}:{number}: a module of the root names others by `crate`",
                inside.display()
            );
            for used in line.split("crate::").skip(1) {
                let used = used.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                // Names that are not modules are exported from the root. A group of several names would be skipped.
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

/// Retired names, and the standard term for each.
const RETIRED: [(&str, &str); 33] = [
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
    ("onward", "canonical_successors or exit_costs"),
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
    ("Way", "LinkEdge or TimedLink"),
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

#[test]
fn the_glossary_has_every_public_type() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/glossary.md");
    let glossary = fs::read_to_string(path).expect("the glossary is there");
    let mut missing = Vec::new();
    let mut found = 0;
    for path in core_sources() {
        for (_, line) in code(&path) {
            let mut words = line
                .trim_start()
                .split(|letter: char| !letter.is_alphanumeric());
            let is_type = words.next() == Some("pub")
                && matches!(words.next(), Some("struct" | "enum" | "trait" | "type"));
            if !is_type {
                continue;
            }
            found += 1;
            let name = words.next().unwrap_or_default();
            if !name.is_empty() && !glossary.contains(&format!("`{name}`")) {
                missing.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(found > 90, "only {found} public types found");
    assert!(missing.is_empty(), "not in the glossary: {missing:#?}");
}
