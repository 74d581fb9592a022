//! A folder with an unpacked distribution, beside the launcher that starts its engine.
//!
//! The engine is built for a newer C library than the system's, so the folder's own dynamic loader starts its programs.
//! Then the engine takes the loader for itself, and cannot start itself again, as the editor does to run a game. A copy
//! whose file names that loader can.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::files;

/// The loader that programs for x86_64 name, with the zero that ends it.
const INTERPRETER: &[u8] = b"/lib64/ld-linux-x86-64.so.2\0";

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

    /// Writes a copy of the engine to `folder` that can start itself again, and returns its launcher. `None` if
    /// programs name their loader otherwise.
    pub(super) fn restartable(&self, folder: &Path) -> Result<Option<PathBuf>> {
        let (Some(engine), Some((loader, libraries))) = (self.program("godot"), self.loader())
        else {
            return Ok(None);
        };
        let bytes =
            fs::read(&engine).with_context(|| format!("cannot read {}", engine.display()))?;
        // The name in the file has little room, so the loader gets a short one.
        let link = std::env::temp_dir().join(format!("fs{}", std::process::id()));
        let Some(bytes) = with_interpreter(bytes, &link) else {
            return Ok(None);
        };
        files::fresh_folder(folder)?;
        let copy = folder.join("engine");
        files::copy(&engine, &copy)?;
        fs::write(&copy, bytes).with_context(|| format!("cannot write {}", copy.display()))?;
        let launcher = folder.join("godot");
        let text = format!(
            "#!/bin/sh\nln -sf '{}' '{}'\nroot='{}'\nlib=$(dirname '{}')\n\
             export LIBGL_DRIVERS_PATH=\"$lib/dri\" GBM_BACKENDS_PATH=\"$lib/gbm\"\n\
             export __EGL_VENDOR_LIBRARY_DIRS=\"$root/usr/share/glvnd/egl_vendor.d\" VK_DRIVER_FILES=\"$root/lavapipe.json\"\n\
             LD_LIBRARY_PATH='{}' exec '{}' \"$@\"\n",
            loader.display(),
            link.display(),
            self.root.display(),
            loader.display(),
            libraries.display(),
            copy.display()
        );
        files::write_program(&launcher, &text)?;
        Ok(Some(launcher))
    }
}

/// A program that names another loader; `None` if there is no room for the name, or the program names none.
fn with_interpreter(mut program: Vec<u8>, loader: &Path) -> Option<Vec<u8>> {
    let name = loader.as_os_str().as_encoded_bytes();
    let at = program
        .windows(INTERPRETER.len())
        .position(|bytes| bytes == INTERPRETER)?;
    if name.len() >= INTERPRETER.len() {
        return None;
    }
    let room = program.get_mut(at..at + INTERPRETER.len())?;
    room.fill(0);
    room.get_mut(..name.len())?.copy_from_slice(name);
    Some(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_another_loader_of_a_shorter_name_only() {
        let program = [b"ELF".as_slice(), INTERPRETER, b"rest"].concat();
        let changed =
            with_interpreter(program.clone(), Path::new("/tmp/ld")).expect("there is room");
        assert_eq!(changed.len(), program.len());
        assert!(changed.starts_with(b"ELF/tmp/ld\0\0"));
        assert!(changed.ends_with(b"\0rest"));
        let long = Path::new("/a/path/that/is/longer/than/that");
        assert_eq!(with_interpreter(program, long), None);
        assert_eq!(
            with_interpreter(b"a script".to_vec(), Path::new("/ld")),
            None
        );
    }

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
