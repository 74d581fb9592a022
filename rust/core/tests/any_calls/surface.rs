//! Every public function is called, including new ones.

use std::fs;
use std::path::{Path, PathBuf};

/// The parts of `src` that are covered.
const DRIVEN: [&str; 5] = ["world", "swarm", "import", "terrain", "entities.rs"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        found.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).expect("it is there") {
        files(&entry.expect("readable").path(), found);
    }
}

fn text_of(paths: &[PathBuf]) -> String {
    let read = |path| fs::read_to_string(path).expect("readable");
    paths.iter().map(read).collect()
}

/// The names of all public functions. Functions that are `pub` within a module only are not included.
fn public_functions(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    let rests = lines.filter_map(|line| line.strip_prefix("pub fn "));
    rests
        .filter_map(|rest| rest.split(['(', '<']).next())
        .collect()
}

#[test]
fn every_public_function_is_called() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut calls = Vec::new();
    files(&root.join("tests/any_calls"), &mut calls);
    let calls = text_of(&calls);
    let mut sources = Vec::new();
    for driven in DRIVEN {
        files(&root.join("src").join(driven), &mut sources);
    }
    let sources = text_of(&sources);
    let names = public_functions(&sources);
    assert!(names.len() > 120, "only {} functions found", names.len());
    let is_called = |name: &&str| {
        let call = format!("{name}(");
        let before = calls.match_indices(&call).map(|(at, _)| &calls[..at]);
        let is_whole =
            |text: &str| !text.ends_with(|end: char| end == '_' || end.is_alphanumeric());
        before
            .filter(|text| is_whole(text))
            .any(|text| !text.ends_with("fn "))
    };
    let forgotten: Vec<_> = names.into_iter().filter(|name| !is_called(name)).collect();
    assert!(forgotten.is_empty(), "never called: {forgotten:#?}");
}
