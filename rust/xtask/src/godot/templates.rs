//! Export templates: the engine's programs from which exported games are made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::fetch_release;
use super::unpacked::Unpacked;
use super::{Godot, isolate};
use crate::apt::MissingTool;

/// The two kinds of export.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Release,
    Debug,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Debug => "debug",
        }
    }
}

/// The templates with which an engine exports games for this machine.
#[derive(Debug)]
pub(crate) struct Templates {
    release: PathBuf,
    debug: PathBuf,
    unpacked: Option<Unpacked>,
}

impl Templates {
    pub(crate) fn of(&self, kind: Kind) -> &Path {
        match kind {
            Kind::Release => &self.release,
            Kind::Debug => &self.debug,
        }
    }

    /// Returns a command that starts a game exported to `game`.
    ///
    /// A template of an unpacked distribution needs its loader. A game looks for its data and for libraries of
    /// extensions beside the running program, which is then the loader. So a copy of the loader is put beside the game,
    /// under the name for which the game looks for the same data.
    pub(crate) fn start(&self, game: &Path, cache: &Path) -> Result<Command> {
        let mut command = match self.unpacked.as_ref().and_then(Unpacked::loader) {
            None => Command::new(game),
            Some((loader, libraries)) => {
                let copy = game.with_extension("");
                fs::copy(&loader, &copy)
                    .with_context(|| format!("cannot copy the loader to {}", copy.display()))?;
                let mut command = Command::new(copy);
                command.arg("--library-path").arg(libraries).arg(game);
                command
            }
        };
        isolate(&mut command, cache);
        command.arg("--headless");
        Ok(command)
    }

    fn in_folder(folder: &Path, names: [&str; 2], unpacked: Option<Unpacked>) -> Option<Self> {
        let [release, debug] = names.map(|name| folder.join(name));
        (release.is_file() && debug.is_file()).then_some(Self {
            release,
            debug,
            unpacked,
        })
    }
}

/// The names under which Debian's packages install the templates.
const PROGRAMS: [&str; 2] = ["godot-template-release", "godot-template-debug"];

/// The names under which the editor stores the templates.
pub(super) fn files() -> [&'static str; 2] {
    match std::env::consts::ARCH {
        "aarch64" => ["linux_release.arm64", "linux_debug.arm64"],
        _ => ["linux_release.x86_64", "linux_debug.x86_64"],
    }
}

/// Returns the engine's templates: those beside it, otherwise those that the user has installed, otherwise the
/// published ones.
pub(super) fn find_or_fetch(godot: &Godot, cache: &Path) -> Result<Templates> {
    let missing = |reason: &str| MissingTool {
        what: format!("the export templates of {godot}"),
        remedy: reason.to_owned(),
    };
    if !cfg!(target_os = "linux") {
        return Err(missing("the suite exports for Linux, on Linux").into());
    }
    let folders = folders(godot);
    if let Some(found) = beside(&godot.program).or_else(|| {
        folders
            .iter()
            .find_map(|folder| Templates::in_folder(folder, files(), None))
    }) {
        return Ok(found);
    }
    if !fetch_release::is_release(&godot.build) {
        let looked: Vec<_> = folders
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(missing(&format!(
            "install them in the editor (Editor > Manage Export Templates); they are not in {}",
            looked.join(", ")
        ))
        .into());
    }
    let folder = Godot::folder(cache).join("templates");
    if let Some(kept) = Templates::in_folder(&folder, files(), None) {
        return Ok(kept);
    }
    fetch_release::fetch_templates(&folder, &files())?;
    Templates::in_folder(&folder, files(), None)
        .context("the release's templates hold none for this machine")
}

/// The templates of the engine's distribution, unpacked beside its launcher or installed.
fn beside(program: &Path) -> Option<Templates> {
    if let Some(unpacked) = Unpacked::beside(program) {
        let [release, debug] = PROGRAMS.map(|name| unpacked.program(name));
        return Some(Templates {
            release: release?,
            debug: debug?,
            unpacked: Some(unpacked),
        });
    }
    let program = program.canonicalize().ok()?;
    Templates::in_folder(program.parent()?, PROGRAMS, None)
}

/// The folders in which the editor stores templates: its own folder if it is self-contained, and the user's data.
fn folders(godot: &Godot) -> Vec<PathBuf> {
    let Some(version) = folder_name(&godot.build) else {
        return Vec::new();
    };
    let data = match std::env::var_os("XDG_DATA_HOME").filter(|value| !value.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => std::env::home_dir().map(|home| home.join(".local/share")),
    };
    let own = godot
        .program
        .parent()
        .map(|folder| folder.join("editor_data"));
    [own, data.map(|folder| folder.join("godot"))]
        .into_iter()
        .flatten()
        .map(|folder| folder.join("export_templates").join(&version))
        .collect()
}

/// The version up to its status, as the editor names the folder: `4.6.3.stable` of `4.6.3.stable.official.7d41c59c4`.
fn folder_name(build: &str) -> Option<String> {
    let parts: Vec<&str> = build.split('.').collect();
    let numbers = parts
        .iter()
        .take_while(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        .count();
    parts.get(..=numbers).map(|parts| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files as tree;

    #[test]
    fn the_folder_is_named_after_version_and_status() {
        for (build, folder) in [
            ("4.6.3.stable.official.7d41c59c4", "4.6.3.stable"),
            ("4.5.stable.official.876b29033", "4.5.stable"),
            ("4.7.rc2.custom_build", "4.7.rc2"),
        ] {
            assert_eq!(folder_name(build).as_deref(), Some(folder));
        }
        assert_eq!(folder_name("4.6"), None);
    }

    #[test]
    fn templates_of_a_distribution_lie_beside_its_engine() {
        let folder = std::env::temp_dir().join(format!("flow_swarm_beside_{}", std::process::id()));
        tree::fresh_folder(&folder).expect("a temporary folder");
        // On some systems that folder is a link.
        let folder = folder.canonicalize().expect("it is there");
        let programs = folder.join("root/usr/bin");
        tree::fresh_folder(&programs).expect("a temporary folder");
        let launcher = folder.join("godot");
        fs::write(&launcher, "").expect("a file");
        for name in ["godot", PROGRAMS[0]] {
            fs::write(programs.join(name), "").expect("a file");
        }
        assert!(beside(&launcher).is_none(), "one of them is missing");
        fs::write(programs.join(PROGRAMS[1]), "").expect("a file");
        let found = beside(&launcher).expect("both are there");
        assert_eq!(found.of(Kind::Release), programs.join(PROGRAMS[0]));
        assert_eq!(found.of(Kind::Debug), programs.join(PROGRAMS[1]));
        // An installed engine has its templates in its own folder.
        let installed = beside(&programs.join("godot")).expect("both are there");
        assert_eq!(installed.unpacked, None);
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
