//! The engine: finds one that is new enough or fetches one, and starts it.
//!
//! Order of reading: `version`, `find`, then the sources of an engine: `fetch_release`, and `fetch_debian` with
//! `unpacked`. `templates` finds export templates.

mod fetch_debian;
mod fetch_release;
mod find;
mod templates;
mod unpacked;
mod version;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

pub(crate) use find::find_or_fetch;
pub(crate) use templates::{Kind, Templates};

use unpacked::Unpacked;
use version::Version;

/// An engine that has been started once and is new enough.
pub(crate) struct Godot {
    program: PathBuf,
    version: Version,
    /// The version that it prints, such as `4.6.3.stable.official.7d41c59c4`.
    build: String,
}

impl Godot {
    /// The numbers of its version, such as `4.6.3`. The first release of a minor version has two.
    pub(crate) fn numbers(&self) -> String {
        let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let numbers: Vec<&str> = self.build.split('.').take_while(is_number).collect();
        numbers.join(".")
    }

    /// The folder for fetched engines in `cache`.
    fn folder(cache: &Path) -> PathBuf {
        cache.join("godot")
    }

    /// Returns a command that starts the engine as the user would.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// Returns a command that starts the engine with its own settings, user data and shader caches under `cache`.
    ///
    /// Tests then neither see nor change the user's editor settings, and work without a home folder.
    pub(crate) fn isolated(&self, cache: &Path) -> Command {
        let mut command = self.command();
        isolate(&mut command, cache);
        command
    }

    /// Returns an isolated command of an engine that can start itself again, as the editor does to run a game.
    pub(crate) fn restartable(&self, cache: &Path, folder: &Path) -> Result<Command> {
        let copy = match Unpacked::beside(&self.program) {
            Some(unpacked) => unpacked.restartable(folder)?,
            None => None,
        };
        let mut command = Command::new(copy.as_ref().unwrap_or(&self.program));
        isolate(&mut command, cache);
        Ok(command)
    }

    /// The templates with which this engine exports games for this machine.
    pub(crate) fn templates(&self, cache: &Path) -> Result<Templates> {
        templates::find_or_fetch(self, cache)
    }

    /// Returns `true` if the engine includes the libraries that it needs for windows and drawing.
    pub(crate) fn has_own_libraries(&self) -> bool {
        Unpacked::beside(&self.program).is_some()
    }
}

/// Sets a folder for user data for a program of the engine, and disables sound.
fn isolate(command: &mut Command, cache: &Path) {
    let home = cache.join("godot-home");
    for (variable, folder) in [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
    ] {
        command.env(variable, home.join(folder));
    }
    command.args(["--audio-driver", "Dummy"]);
}

impl std::fmt::Display for Godot {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "Godot {} ({})",
            self.version,
            self.program.display()
        )
    }
}
