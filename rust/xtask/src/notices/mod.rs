//! `addons/flow_swarm/THIRD_PARTY.md`: the crates that the packed libraries link, with their licences.
//!
//! The file follows from what cargo resolves and from the licence files of the crates. A suite of `cargo xtask test`
//! fails if the file is outdated, if deny.toml does not allow a licence, or if a crate is linked in two versions.
//!
//! Order of reading: `linked` (the crates), `licence`, `page`.

mod licence;
mod linked;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::repo::Repo;
use linked::Crate;

/// Writes the file.
pub(crate) fn write(repo: &Repo) -> Result<()> {
    let path = path(repo);
    fs::write(&path, text(repo)?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// Fails if the file is outdated.
pub(crate) fn check(repo: &Repo) -> Result<()> {
    let written = fs::read_to_string(path(repo)).unwrap_or_default();
    ensure!(
        written == text(repo)?,
        "{} is out of date: run cargo xtask notices",
        path(repo).display()
    );
    Ok(())
}

fn path(repo: &Repo) -> PathBuf {
    repo.addon().join("THIRD_PARTY.md")
}

fn text(repo: &Repo) -> Result<String> {
    let crates = linked::crates(repo)?;
    ensure_one_version(&crates)?;
    let policy =
        fs::read_to_string(repo.root().join("deny.toml")).context("cannot read deny.toml")?;
    let allowed = licence::allowed(&policy);
    let mut entries = Vec::new();
    for linked in &crates {
        let licence = licence::choose(&linked.licence, &allowed)
            .with_context(|| format!("the crate {} {}", linked.name, linked.version))?;
        let text = licence_text(&linked.folder, &licence)
            .with_context(|| format!("the crate {} {}", linked.name, linked.version))?;
        entries.push(page::Entry {
            linked,
            licence,
            text,
        });
    }
    Ok(page::render(&entries))
}

/// Two versions of a crate double its code and have types of equal names that are incompatible.
fn ensure_one_version(crates: &[Crate]) -> Result<()> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for linked in crates {
        versions
            .entry(&linked.name)
            .or_default()
            .push(&linked.version);
    }
    let twice: Vec<_> = versions
        .iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, versions)| format!("{name} ({})", versions.join(", ")))
        .collect();
    ensure!(
        twice.is_empty(),
        "linked in several versions: {}",
        twice.join("; ")
    );
    Ok(())
}

/// Returns the licence's text from the crate's own files. Crates under the Mozilla licence need not include its text,
/// so a copy is kept here.
fn licence_text(folder: &Path, licence: &str) -> Result<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let found = licence::files(licence)
        .iter()
        .find_map(|wanted| names.iter().find(|name| name.eq_ignore_ascii_case(wanted)));
    match found {
        Some(name) => fs::read_to_string(folder.join(name))
            .map(|text| text.replace('\r', ""))
            .with_context(|| format!("cannot read its file {name}")),
        None if licence == "MPL-2.0" => Ok(include_str!("MPL-2.0.txt").to_owned()),
        None => anyhow::bail!("it has no file with the text of its licence {licence}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(name: &str, version: &str) -> Crate {
        Crate {
            name: name.into(),
            version: version.into(),
            licence: "MIT".into(),
            folder: PathBuf::new(),
        }
    }

    #[test]
    fn a_crate_in_two_versions_is_named() {
        let crates = [linked("a", "1.0.0"), linked("glam", "0.32.1")];
        ensure_one_version(&crates).expect("each is there once");
        let crates = [
            linked("a", "1.0.0"),
            linked("glam", "0.32.1"),
            linked("glam", "0.34.2"),
        ];
        let error = ensure_one_version(&crates).expect_err("one is there twice");
        assert_eq!(
            error.to_string(),
            "linked in several versions: glam (0.32.1, 0.34.2)"
        );
    }

    #[test]
    fn a_crate_without_its_licence_is_an_error() {
        let folder =
            std::env::temp_dir().join(format!("flow_swarm_notices_{}", std::process::id()));
        crate::files::fresh_folder(&folder).expect("a temporary folder");
        licence_text(&folder, "MIT").expect_err("there is none");
        licence_text(&folder, "MPL-2.0").expect("its text is known");
        fs::write(folder.join("license-mit"), "the text\r\n").expect("a file");
        assert_eq!(
            licence_text(&folder, "MIT").expect("there is one"),
            "the text\n"
        );
        licence_text(&folder, "Apache-2.0").expect_err("that is another one");
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
