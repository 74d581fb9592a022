//! The engine's official release.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

const VERSION: &str = "4.6.3-stable";

/// The release file for this system, and the program in it.
fn names() -> Option<(&'static str, &'static str)> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some(("linux.x86_64.zip", "linux.x86_64")),
        ("linux", "aarch64") => Some(("linux.arm64.zip", "linux.arm64")),
        ("windows", "x86_64") => Some(("win64.exe.zip", "win64.exe")),
        ("macos", _) => Some(("macos.universal.zip", "")),
        _ => None,
    }
}

/// Where the fetched program lies, once it is there.
pub(super) fn program(folder: &Path) -> PathBuf {
    let release = folder.join("release");
    match names() {
        Some((_, suffix)) if !suffix.is_empty() => {
            release.join(format!("Godot_v{VERSION}_{suffix}"))
        }
        _ => release.join("Godot.app/Contents/MacOS/Godot"),
    }
}

/// Downloads and unpacks the release with curl, which every current system brings.
pub(super) fn fetch(folder: &Path) -> Result<PathBuf> {
    let Some((file, _)) = names() else {
        bail!("there is none for this system");
    };
    let curl = which::which("curl").ok().context("there is no curl")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let archive = folder.join("release.zip");
    let url = format!(
        "https://github.com/godotengine/godot/releases/download/{VERSION}/Godot_v{VERSION}_{file}"
    );
    let mut command = Command::new(curl);
    command
        .args(["--fail", "--location", "--silent", "--show-error"])
        // Behind a firewall this must give way to the next source soon; a slow line may take its time.
        .args([
            "--connect-timeout",
            "5",
            "--speed-limit",
            "1000",
            "--speed-time",
            "20",
        ])
        .arg("--output")
        .arg(&archive)
        .arg(&url);
    let output = process::capture(
        command,
        process::Echo::Nothing,
        std::time::Duration::from_secs(1800),
    )?;
    if !output.is_success() {
        // A leftover is of no use, and the next download overwrites it anyway.
        let _ = fs::remove_file(&archive);
        bail!("{}", output.text.trim());
    }
    unpack(&archive, &folder.join("release"))?;
    fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))?;
    Ok(program(folder))
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let file =
        fs::File::open(archive).with_context(|| format!("cannot open {}", archive.display()))?;
    zip::ZipArchive::new(file)
        .and_then(|mut archive| archive.extract(folder))
        .with_context(|| format!("cannot unpack {}", archive.display()))
}
