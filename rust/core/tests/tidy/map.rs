//! ARCHITECTURE.md matches the files.

use crate::sources::sources;
use std::fs;
use std::path::Path;

fn architecture() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    fs::read_to_string(path).expect("the map is there")
}

/// The texts between backticks.
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

/// The stages in a table of ARCHITECTURE.md, with their files.
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
