//! The files of the core, and their code.

use std::fs;
use std::path::{Path, PathBuf};

/// Adds the Rust files of a folder and its subfolders to `found`.
pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
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

/// The code of a file, without comments and without the tests at its end.
pub fn code(path: &Path) -> Vec<(usize, String)> {
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

/// All files of the core, in order.
pub fn core_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    assert!(found.len() > 20, "only {} files found", found.len());
    found.sort();
    found
}
