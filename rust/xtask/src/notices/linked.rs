//! The crates that the packed libraries link, as cargo resolves them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;
use crate::repo::Repo;

/// The crate whose libraries are packed.
const EXTENSION: &str = "flow_swarm_godot";

/// The targets of the packed libraries. All systems use this list, so that all of them write the same file.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
];

/// A crate that is not from this repository.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
    /// The folder with its sources.
    pub(super) folder: PathBuf,
}

/// Returns the crates that any of the libraries links, sorted.
pub(super) fn crates(repo: &Repo) -> Result<Vec<Crate>> {
    let mut found = BTreeSet::new();
    for target in TARGETS {
        let mut command = repo.cargo("metadata");
        command.args(["--quiet", "--format-version", "1", "--filter-platform"]);
        command.arg(target);
        let text = process::quietly(command)?;
        let line = text.lines().find(|line| line.starts_with('{'));
        let metadata = serde_json::from_str(line.context("cargo printed no metadata")?)
            .context("cargo's metadata cannot be read")?;
        found.extend(linked(&metadata)?);
    }
    Ok(found.into_iter().collect())
}

/// Follows the dependencies that are linked. Those of build scripts, tests and procedural macros are not.
fn linked(metadata: &Value) -> Result<Vec<Crate>> {
    let packages: BTreeMap<&str, &Value> = items(&metadata["packages"])
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let nodes: BTreeMap<&str, &Value> = items(&metadata["resolve"]["nodes"])
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let (root, _) = packages
        .iter()
        .find(|(_, package)| package["name"] == EXTENSION)
        .with_context(|| format!("cargo's metadata has no package {EXTENSION}"))?;
    let mut open = vec![*root];
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        let package = packages
            .get(id)
            .with_context(|| format!("cargo's metadata has no package {id}"))?;
        if is_macro(package) || !seen.insert(id) {
            continue;
        }
        if !package["source"].is_null() {
            found.push(described(package)?);
        }
        let dependencies = nodes.get(id).map(|node| &node["deps"]);
        open.extend(
            dependencies
                .into_iter()
                .flat_map(items)
                .filter(|dependency| items(&dependency["dep_kinds"]).any(|it| it["kind"].is_null()))
                .filter_map(|dependency| dependency["pkg"].as_str()),
        );
    }
    Ok(found)
}

fn is_macro(package: &Value) -> bool {
    items(&package["targets"])
        .flat_map(|target| items(&target["kind"]))
        .any(|kind| kind == "proc-macro")
}

fn described(package: &Value) -> Result<Crate> {
    let text = |key: &str| {
        package[key]
            .as_str()
            .map(str::to_owned)
            .with_context(|| format!("the crate {} has no {key}", package["name"]))
    };
    let mut folder = PathBuf::from(text("manifest_path")?);
    folder.pop();
    Ok(Crate {
        name: text("name")?,
        version: text("version")?,
        licence: text("license")?,
        folder,
    })
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, kind: &str, registry: bool) -> Value {
        json!({
            "id": name, "name": name, "version": "1.0.0", "license": "MIT",
            "source": registry.then_some("registry"),
            "manifest_path": format!("/crates/{name}/Cargo.toml"),
            "targets": [{"kind": [kind]}, {"kind": ["custom-build"]}],
        })
    }

    fn depends(id: &str, on: &[(&str, &[Option<&str>])]) -> Value {
        let deps: Vec<_> = on
            .iter()
            .map(|(pkg, kinds)| {
                let kinds: Vec<_> = kinds.iter().map(|kind| json!({"kind": kind})).collect();
                json!({"pkg": pkg, "dep_kinds": kinds})
            })
            .collect();
        json!({"id": id, "deps": deps})
    }

    #[test]
    fn only_what_is_linked_is_found() {
        let metadata = json!({
            "packages": [
                package(EXTENSION, "cdylib", false),
                package("core", "lib", false),
                package("linked", "lib", true),
                package("both", "lib", true),
                package("macros", "proc-macro", true),
                package("only_of_macros", "lib", true),
                package("builds", "lib", true),
                package("tests", "lib", true),
                package("elsewhere", "lib", true),
            ],
            "resolve": {"nodes": [
                depends(EXTENSION, &[("core", &[None]), ("macros", &[None]), ("builds", &[Some("build")])]),
                depends("core", &[("linked", &[None]), ("tests", &[Some("dev")])]),
                depends("linked", &[("both", &[Some("build"), None]), ("core", &[Some("dev")])]),
                depends("macros", &[("only_of_macros", &[None])]),
                depends("elsewhere", &[]),
            ]},
        });
        let found = linked(&metadata).expect("it is well formed");
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["linked", "both"]);
        assert_eq!(found[0].folder, PathBuf::from("/crates/linked"));
    }

    #[test]
    fn metadata_without_the_extension_is_an_error() {
        let metadata = json!({"packages": [], "resolve": {"nodes": []}});
        linked(&metadata).expect_err("there is no root");
    }
}
