//! Installs system packages on Debian and Ubuntu, or names the command that does.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process;

/// A missing program that only the user may install.
#[derive(Clone, Debug)]
pub(crate) struct MissingTool {
    /// What is missing.
    pub(crate) what: String,
    /// The command or advice by which to install it.
    pub(crate) remedy: String,
}

impl fmt::Display for MissingTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is missing: {}", self.what, self.remedy)
    }
}

impl std::error::Error for MissingTool {}

/// The path of Node, which runs WebAssembly.
pub(crate) fn node() -> Result<PathBuf, MissingTool> {
    which::which("node").map_err(|_| MissingTool {
        what: "Node".into(),
        remedy: "sudo apt-get install -y nodejs".into(),
    })
}

/// Returns `true` if this system installs software with apt-get.
pub(crate) fn is_available() -> bool {
    cfg!(target_os = "linux") && which::which("apt-get").is_ok()
}

/// Installs `packages` for `what` if that needs no password; otherwise fails with the command.
pub(crate) fn install(what: &str, packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    let missing = |remedy: String| MissingTool {
        what: what.to_owned(),
        remedy,
    };
    if !is_available() {
        return Err(missing(format!("install what your system calls {names}")).into());
    }
    if !is_root() {
        return Err(missing(format!("sudo apt-get install -y {names}")).into());
    }
    println!("installing {what}: apt-get install {names}");
    // Without package lists apt finds no package, so they are updated first. A single broken source must not prevent
    // that.
    let update = process::quietly(apt_get(&["-q", "update"]));
    let mut arguments = vec!["-q", "install", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    process::quietly(apt_get(&arguments)).map_err(|error| match update {
        Ok(_) => error,
        Err(update) => error.context(format!("{update:#}")),
    })?;
    Ok(())
}

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(arguments);
    command
}

fn is_root() -> bool {
    let mut id = Command::new("id");
    id.arg("-u");
    process::quietly(id).is_ok_and(|text| text.trim() == "0")
}
