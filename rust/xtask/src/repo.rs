//! Paths in the repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The repository that contains this program.
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// Locates the repository through cargo, so that the commands work in all of its folders.
    pub(crate) fn locate() -> Result<Self> {
        // The variable has priority. If several checkouts share a target folder, the program then serves the one for
        // which it is run.
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

    /// The folder of the workspace's Cargo.toml.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The addon that a user installs.
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

    /// The folder of Moving AI maps, if there is one beside the checkout. They are not part of the repository.
    pub(crate) fn movingai(&self) -> Option<PathBuf> {
        self.root.join("../shared/movingai").canonicalize().ok()
    }

    /// Screenshots and logs; ignored by git.
    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// Returns a command that runs a subcommand of the cargo that started this program, with exactly the versions in
    /// Cargo.lock.
    pub(crate) fn cargo(&self, subcommand: &str) -> std::process::Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = std::process::Command::new(cargo);
        command.current_dir(&self.root).arg(subcommand);
        // `cargo fmt` resolves no dependencies and does not know this flag.
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
