//! `docs/reference.md`, written from the doc comments of the Godot classes.
//!
//! The editor shows the same comments, so the three cannot disagree; a test fails when the file is not
//! what the sources say.

mod parse;
mod render;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::repo::Repo;

/// Writes `docs/reference.md`.
pub(crate) fn write(repo: &Repo) -> Result<()> {
    let path = path(repo);
    let text = text(repo)?;
    std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn path(repo: &Repo) -> PathBuf {
    repo.root().join("docs/reference.md")
}

fn text(repo: &Repo) -> Result<String> {
    let mut sources = Vec::new();
    collect(&repo.root().join("rust/godot/src"), &mut sources)?;
    // Topic files come after the file that declares their class.
    sources.sort_by_key(|path| {
        (
            path.file_name().is_none_or(|name| name != "mod.rs"),
            path.clone(),
        )
    });
    let mut classes = parse::Classes::default();
    for source in sources {
        let text = std::fs::read_to_string(&source)
            .with_context(|| format!("{} cannot be read", source.display()))?;
        classes.read(&text);
    }
    Ok(render::page(&classes))
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_what_the_sources_say() {
        let repo = Repo::locate().expect("the tests run in the repository");
        let written = std::fs::read_to_string(path(&repo)).unwrap_or_default();
        let current = text(&repo).expect("the sources can be read");
        assert!(
            written == current,
            "docs/reference.md is out of date: run cargo xtask reference"
        );
    }
}
