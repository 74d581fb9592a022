//! A harness of the bench crate, built once and started many times.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::repo::Repo;

/// A program of the bench crate.
pub(super) struct Harness {
    program: PathBuf,
}

impl Harness {
    /// Builds a program in the release profile.
    pub(super) fn build(repo: &Repo, name: &str) -> Result<Self> {
        println!("building {name}");
        let output = repo
            .cargo("build")
            .args(["--release", "--package", "flow_swarm_bench", "--bin", name])
            .arg("--message-format=json-render-diagnostics")
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        ensure!(output.status.success(), "{name} did not build");
        let messages = String::from_utf8_lossy(&output.stdout);
        let program = messages
            .lines()
            .find_map(|line| program_in_message(line, name));
        Ok(Self {
            program: program.with_context(|| format!("cargo built no program {name}"))?,
        })
    }

    /// Returns a command that starts the program.
    pub(super) fn command(&self) -> Command {
        Command::new(&self.program)
    }
}

/// The path of the program, if one of cargo's JSON messages states it.
fn program_in_message(line: &str, name: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_its = message["target"]["name"] == name;
    is_its.then_some(message["executable"].as_str()?.into())
}

#[cfg(test)]
mod tests {
    use super::program_in_message;
    use std::path::PathBuf;

    #[test]
    fn the_program_is_found_in_cargos_messages() {
        let line =
            r#"{"reason":"compiler-artifact","target":{"name":"crowd"},"executable":"t/crowd"}"#;
        assert_eq!(
            program_in_message(line, "crowd"),
            Some(PathBuf::from("t/crowd"))
        );
        assert_eq!(program_in_message(line, "fields"), None);
        let library =
            r#"{"reason":"compiler-artifact","target":{"name":"crowd"},"executable":null}"#;
        assert_eq!(program_in_message(library, "crowd"), None);
        assert_eq!(program_in_message("not json", "crowd"), None);
    }
}
