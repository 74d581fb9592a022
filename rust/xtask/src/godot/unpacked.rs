//! A folder with an unpacked distribution, beside the launcher that starts its engine.
//!
//! The engine is built for a newer C library than the system's, so the folder's own dynamic loader starts its programs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the unpacked file system.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Unpacked {
    root: PathBuf,
}

impl Unpacked {
    /// Returns the distribution beside a launcher, if there is one.
    pub(super) fn beside(launcher: &Path) -> Option<Self> {
        // The launcher may be started through a link from another folder.
        let launcher = launcher.canonicalize().unwrap_or_else(|_| launcher.into());
        let folder = launcher.parent()?;
        let mut roots: Vec<PathBuf> = fs::read_dir(folder)
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join("usr/bin/godot").is_file())
            .collect();
        roots.sort();
        roots.into_iter().next().map(|root| Self { root })
    }

    /// Returns the program of a name, if it exists.
    pub(super) fn program(&self, name: &str) -> Option<PathBuf> {
        let path = self.root.join("usr/bin").join(name);
        path.is_file().then_some(path)
    }

    /// Returns the dynamic loader, and its library folders in the format of `--library-path`.
    pub(super) fn loader(&self) -> Option<(PathBuf, OsString)> {
        let (folder, name) = match std::env::consts::ARCH {
            "x86_64" => ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
            "aarch64" => ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
            _ => return None,
        };
        let libraries = self.root.join("usr/lib").join(folder);
        let loader = libraries.join(name);
        if !loader.is_file() {
            return None;
        }
        let mut path = libraries.clone().into_os_string();
        path.push(":");
        path.push(libraries.join("pulseaudio"));
        Some((loader, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

    #[test]
    fn it_is_found_by_its_engine_whatever_its_name() {
        let folder =
            std::env::temp_dir().join(format!("flow_swarm_unpacked_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        let launcher = folder.join("godot");
        assert_eq!(Unpacked::beside(&launcher), None);
        for other in ["apt/usr/bin", "some_root/usr/bin"] {
            fs::create_dir_all(folder.join(other)).expect("a folder");
        }
        fs::write(folder.join("some_root/usr/bin/godot"), "").expect("a file");
        let unpacked = Unpacked::beside(&launcher).expect("it is there now");
        assert_eq!(unpacked.root, folder.join("some_root"));
        assert_eq!(unpacked.program("godot-template-release"), None);
        assert_eq!(unpacked.loader(), None);
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
