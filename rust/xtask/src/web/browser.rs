//! Chromium without a window: the system's own, or Debian's.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use super::unpacked::{self, Wanted};
use crate::files;

/// Chromium without the libraries of windows.
const WANTED: Wanted = Wanted {
    what: "Chromium (700 MB)",
    with_dependencies: &["chromium-headless-shell"],
    alone: &[],
    programs: &["usr/lib/chromium"],
};
/// The system's programs that are used, if there are any.
const INSTALLED: &[&str] = &["chromium-headless-shell", "chromium", "google-chrome"];

/// A browser that shows one page, and ends on drop.
pub(super) struct Browser {
    program: Child,
}

/// Returns the path of a browser, and fetches one if there is none.
pub(super) fn find_or_fetch(cache: &Path) -> Result<PathBuf> {
    let installed = INSTALLED.iter().find_map(|name| which::which(name).ok());
    match installed {
        Some(program) => Ok(program),
        None => {
            let root = unpacked::find_or_fetch(cache, "chromium", &WANTED)?;
            Ok(root.join("usr/lib/chromium/chromium-headless-shell"))
        }
    }
}

impl Browser {
    /// Opens a page, with settings of its own. It draws by the processor.
    pub(super) fn open(program: &Path, address: &str, home: &Path, log: &Path) -> Result<Self> {
        files::fresh_folder(home)?;
        let log = std::fs::File::create(log)
            .with_context(|| format!("cannot write {}", log.display()))?;
        let program = Command::new(program)
            .arg("--headless")
            // Only this game's page is opened, and root has no sandbox.
            .arg("--no-sandbox")
            .arg(format!("--user-data-dir={}", home.display()))
            .args(["--use-gl=angle", "--use-angle=swiftshader"])
            .arg("--enable-unsafe-swiftshader")
            .args(["--window-size=1600,900", "--enable-logging=stderr"])
            .arg("--autoplay-policy=no-user-gesture-required")
            .arg(address)
            .env("HOME", home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Self { program })
    }

    /// Returns how it ended, if it did.
    pub(super) fn ended(&mut self) -> Result<Option<String>> {
        let status = self.program.try_wait();
        let status = status.context("cannot ask for the browser's state")?;
        Ok(status.map(|status| status.to_string()))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
