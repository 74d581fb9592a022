//! Paths in the repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The repository this program belongs to.
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// Finds the repository through cargo, so that the commands work from every folder in it.
    pub(crate) fn locate() -> Result<Self> {
        // The variable first: a program built in a target folder shared by several checkouts serves the one it is run
        // for.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .ancestors()
            .nth(2)
            .context("the manifest folder of xtask has no repository above it")?;
        Ok(Self {
            root: root.to_path_buf(),
        })
    }

    /// The folder with the workspace's Cargo.toml.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What a user installs.
    pub(crate) fn addon(&self) -> PathBuf {
        self.root.join("addons/flow_swarm")
    }

    /// The Godot project with the demos and tests.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("godot_project")
    }

    /// Programs fetched for this checkout; ignored by git.
    pub(crate) fn cache(&self) -> PathBuf {
        self.root.join(".cache")
    }

    /// The folder of Moving AI maps, where there is one beside the checkout. They may not be part of it.
    pub(crate) fn movingai(&self) -> Option<PathBuf> {
        self.root.join("../shared/movingai").canonicalize().ok()
    }

    /// Screenshots and logs; ignored by git.
    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// A command that runs a subcommand of the cargo that this program was started by, with the versions that
    /// Cargo.lock names and no others.
    pub(crate) fn cargo(&self, subcommand: &str) -> std::process::Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = std::process::Command::new(cargo);
        command.current_dir(&self.root).arg(subcommand);
        // Formatting resolves nothing and knows no such flag.
        if subcommand != "fmt" {
            command.arg("--locked");
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_keeps_to_the_lock_file() {
        let repo = Repo::locate().expect("the tests run in the repository");
        for subcommand in ["build", "test", "clippy", "doc", "run", "metadata"] {
            let command = repo.cargo(subcommand);
            let arguments: Vec<_> = command.get_args().collect();
            assert_eq!(arguments, [subcommand, "--locked"]);
        }
    }
}
