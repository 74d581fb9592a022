//! The engine: finding one that is new enough, or fetching one, and starting it.

mod fetch_debian;
mod fetch_release;
mod find;
mod private_apt;
mod version;

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use find::find_or_fetch;

use version::Version;

/// A Godot that was started once and is new enough.
pub(crate) struct Godot {
    program: PathBuf,
    version: Version,
}

impl Godot {
    /// The folder for engines that were fetched for `cache`.
    fn folder(cache: &Path) -> PathBuf {
        cache.join("godot")
    }

    /// Starts the engine as the user would.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// Starts the engine with settings, user data and shader caches of its own under `cache`.
    ///
    /// Tests then neither see nor change the user's editor settings, and work where there is no home folder.
    pub(crate) fn isolated(&self, cache: &Path) -> Command {
        let home = cache.join("godot-home");
        let mut command = self.command();
        for (variable, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(variable, home.join(folder));
        }
        command.args(["--audio-driver", "Dummy"]);
        command
    }

    /// Whether the engine brings the libraries that it needs for windows and drawing.
    pub(crate) fn has_own_libraries(&self) -> bool {
        fetch_debian::is_own_layout(&self.program)
    }
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
