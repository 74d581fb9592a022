//! `docs/reference.md` and the editor's help, written from the doc comments of the Godot classes.
//!
//! A test fails if a file differs from what the sources say, so the three cannot disagree. The bindings could embed the
//! help in the library themselves. But exported games would then need another library without it, and with it a second
//! build of all bindings.
//!
//! Order of reading: `parse` with `enums`, then `render` (the page) and `help` with `links` (the editor's help).

mod enums;
mod help;
mod links;
mod parse;
mod render;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::repo::Repo;

/// Writes both files.
pub(crate) fn write(repo: &Repo) -> Result<()> {
    for (path, text) in pages(repo)? {
        std::fs::write(&path, text)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

/// Returns the path and the content of each file.
fn pages(repo: &Repo) -> Result<[(PathBuf, String); 2]> {
    let classes = classes(repo)?;
    Ok([
        (
            repo.root().join("docs/reference.md"),
            render::page(&classes),
        ),
        (
            repo.root().join("rust/godot/src/editor_help.xml"),
            help::document(&links::mark(classes)),
        ),
    ])
}

fn classes(repo: &Repo) -> Result<parse::Classes> {
    let mut sources = Vec::new();
    collect(&repo.root().join("rust/godot/src"), &mut sources)?;
    // Topic files are read after the file that declares their class.
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
    enums::resolve(&mut classes);
    Ok(classes)
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
        for (path, current) in pages(&repo).expect("the sources can be read") {
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                written == current,
                "{} is out of date: run cargo xtask reference",
                path.display()
            );
        }
    }
}
