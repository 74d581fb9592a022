//! emscripten: the compiler and linker for WebAssembly in browsers.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::unpacked::{self, Wanted, text};
use crate::{apt, private_apt, process};

/// Its own dependencies would include a Node and a Python; those of the system start it.
const WANTED: Wanted = Wanted {
    what: "emscripten (430 MB)",
    with_dependencies: &[
        "binaryen",
        "libclang-common-21-dev",
        "libclang-cpp21",
        "libllvm21",
        "lld-21",
    ],
    alone: &["clang-21", "emscripten", "llvm-21", "node-acorn"],
    programs: &["usr/bin", "usr/lib/llvm-21/bin"],
};

/// emscripten, with its settings.
pub(crate) struct Emscripten {
    /// The folder of its programs.
    programs: PathBuf,
    config: PathBuf,
    version: String,
}

impl Emscripten {
    pub(crate) fn find_or_fetch(cache: &Path) -> Result<Self> {
        let node = apt::node()?;
        let root = unpacked::find_or_fetch(cache, "emscripten", &WANTED)?;
        link_modules(&root)?;
        let config = cache.join("web/emscripten.py");
        let settings = format!(
            "LLVM_ROOT = '{0}/usr/lib/llvm-21/bin'\nBINARYEN_ROOT = '{0}/usr'\nNODE_JS = '{1}'\nCACHE = '{2}'\n",
            text(&root)?,
            text(&node)?,
            text(&cache.join("web/emscripten-cache"))?
        );
        // A newer file would make emscripten forget the system libraries that it has compiled.
        if fs::read_to_string(&config).ok().as_ref() != Some(&settings) {
            fs::write(&config, settings)
                .with_context(|| format!("cannot write {}", config.display()))?;
        }
        let mut emscripten = Self {
            programs: root.join("usr/share/emscripten"),
            config,
            version: String::new(),
        };
        let mut command = Command::new(emscripten.compiler());
        emscripten.apply_to(&mut command)?;
        command.arg("--version");
        let printed = process::quietly(command).context("emscripten does not start")?;
        emscripten.version = version(&printed)
            .with_context(|| format!("emscripten printed no version: {printed}"))?
            .to_owned();
        Ok(emscripten)
    }

    pub(crate) fn compiler(&self) -> PathBuf {
        self.programs.join("emcc")
    }

    /// The version, such as `6.0.5`. What different versions have compiled does not fit together.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Lets a program find it.
    pub(crate) fn apply_to(&self, command: &mut Command) -> Result<()> {
        let mut path = OsString::from(&self.programs);
        path.push(":");
        path.push(std::env::var_os("PATH").context("there is no PATH")?);
        command.env("PATH", path).env("EM_CONFIG", &self.config);
        Ok(())
    }
}

/// Lets Node find the modules of emscripten's scripts: Debian's Node alone looks where Debian installs them.
fn link_modules(root: &Path) -> Result<()> {
    let link = root.join("usr/share/node_modules");
    if link.exists() {
        return Ok(());
    }
    private_apt::link(Path::new("nodejs"), &link)
}

/// The version in `emcc (…) 6.0.5 ()`.
fn version(printed: &str) -> Option<&str> {
    let line = printed.lines().find(|line| line.starts_with("emcc "))?;
    line.split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_is_read_beside_other_lines() {
        let printed = "shared:INFO: checks 1.0\nemcc (Emscripten gcc/clang-like replacement + linker) 6.0.5 ()\n";
        assert_eq!(version(printed), Some("6.0.5"));
        assert_eq!(version("emcc: error: no clang\n"), None);
    }
}
