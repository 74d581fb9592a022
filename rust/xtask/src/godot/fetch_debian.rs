//! The engine from a Debian archive, without changes to the system.
//!
//! Stable Debian has no Godot 4, but its development suite does. That package and all its dependencies, including the C
//! library, are unpacked into one folder and started by that folder's own dynamic loader. The system's packages and
//! package lists do not change.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::unpacked::Unpacked;
use crate::files;
use crate::private_apt::{self, Apt};

/// The engine, its export templates, and software OpenGL and Vulkan drivers, which are plug-ins on which no package
/// depends.
const PACKAGES: &[&str] = &[
    "godot",
    "godot-template-debug",
    "godot-template-release",
    "libgl1",
    "libgl1-mesa-dri",
    "libglx-mesa0",
    "libegl1",
    "libvulkan1",
    "mesa-vulkan-drivers",
];

/// The path of the launcher. It is written last, so its presence means that the rest is complete.
pub(super) fn program(folder: &Path) -> PathBuf {
    folder.join("godot")
}

/// Returns `true` if all parts have been fetched.
pub(super) fn is_complete(folder: &Path) -> bool {
    let programs = PACKAGES.iter().filter(|name| name.starts_with("godot"));
    Unpacked::beside(&program(folder)).is_some_and(|unpacked| {
        programs
            .into_iter()
            .all(|name| unpacked.program(name).is_some())
    })
}

/// Downloads and unpacks the packages, and writes the launcher.
pub(super) fn fetch(folder: &Path) -> Result<PathBuf> {
    ensure!(
        crate::apt::is_available(),
        "this is no Debian or Ubuntu with apt-get"
    );
    let system = System::of_this_machine()?;
    let work = folder.join("apt");
    files::fresh_folder(&work)?;
    let apt = Apt::new(work)?;

    let archive = apt.archive()?;
    println!("taking Godot from the system's package archive (about 300 MB, once)");
    apt.use_source(&archive.source_line())?;
    apt.update()?;
    let packages = apt.closure(PACKAGES).with_context(|| archive.advice())?;
    apt.download(&packages)?;

    let root = folder.join("debian");
    private_apt::new_root(&root)?;
    apt.unpack_into(&root)?;
    fs::remove_dir_all(folder.join("apt"))?;

    localise_vulkan_driver(&root, &system)?;
    let launcher = program(folder);
    files::write_program(&launcher, &system.launcher())?;
    Ok(launcher)
}

/// Names that differ between processors.
struct System {
    libraries: &'static str,
    loader: &'static str,
}

impl System {
    fn of_this_machine() -> Result<Self> {
        match std::env::consts::ARCH {
            "x86_64" => Ok(Self {
                libraries: "x86_64-linux-gnu",
                loader: "ld-linux-x86-64.so.2",
            }),
            "aarch64" => Ok(Self {
                libraries: "aarch64-linux-gnu",
                loader: "ld-linux-aarch64.so.1",
            }),
            other => bail!("not prepared for the processor {other}"),
        }
    }

    /// Returns a script that starts the unpacked engine, wherever its folder is.
    fn launcher(&self) -> String {
        let Self { libraries, loader } = self;
        format!(
            r#"#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/debian
lib=$root/usr/lib/{libraries}
export LIBGL_DRIVERS_PATH="$lib/dri" GBM_BACKENDS_PATH="$lib/gbm"
export __EGL_VENDOR_LIBRARY_DIRS="$root/usr/share/glvnd/egl_vendor.d" VK_DRIVER_FILES="$root/lavapipe.json"
exec "$lib/{loader}" --library-path "$lib:$lib/pulseaudio" "$root/usr/bin/godot" "$@"
"#
        )
    }
}

/// Vulkan finds a driver through a manifest. A path relative to the manifest stays valid when the folder moves.
fn localise_vulkan_driver(root: &Path, system: &System) -> Result<()> {
    let manifest = format!(
        r#"{{"file_format_version": "1.0.1", "ICD": {{"library_path": "./usr/lib/{}/libvulkan_lvp.so", "api_version": "1.4.0"}}}}"#,
        system.libraries
    );
    fs::write(root.join("lavapipe.json"), manifest).context("cannot write the Vulkan manifest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_export_templates_is_not_complete() {
        let folder = std::env::temp_dir().join(format!("flow_swarm_debian_{}", std::process::id()));
        let programs = folder.join("debian/usr/bin");
        files::fresh_folder(&programs).expect("a temporary folder");
        fs::write(program(&folder), "").expect("a file");
        for name in ["godot", "godot-template-release", "godot-template-debug"] {
            assert!(!is_complete(&folder), "{name} is missing");
            fs::write(programs.join(name), "").expect("a file");
        }
        assert!(is_complete(&folder));
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
