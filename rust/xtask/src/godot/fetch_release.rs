//! The engine's official release, and the export templates published with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{checksum, process};

const VERSION: &str = "4.6.3-stable";

/// A file of the release for one system.
struct File {
    /// The part of its name after the version.
    suffix: &'static str,
    /// Its published SHA-256.
    sha256: &'static str,
}

const LINUX_X86_64: File = File {
    suffix: "linux.x86_64.zip",
    sha256: "d0bc2113065e481c9c2c2b2c37daa4e8be3fe9e27f0ab9ab0b6096e9a37907f3",
};
const LINUX_ARM64: File = File {
    suffix: "linux.arm64.zip",
    sha256: "90c70382eee1542904bf507b9bdc6e62a230ac73fd214bf3887a9e0a4d85aeed",
};
const WINDOWS_X86_64: File = File {
    suffix: "win64.exe.zip",
    sha256: "e39986a178d585ce7ac198fb8de6ea436366dc0cc00e594810c2e3e104c04b90",
};
const MACOS: File = File {
    suffix: "macos.universal.zip",
    sha256: "30630f3e9b11e10b35c1f90ba8814185dcec43fae1a48345159be7552c64bfe8",
};
const TEMPLATES: File = File {
    suffix: "export_templates.tpz",
    sha256: "3fbe2c0e2dec9d537ab9ec97bcf8da91dcf23357fc51f67092dd068d839290a8",
};

/// The release file for this system.
fn editor() -> Option<File> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some(LINUX_X86_64),
        ("linux", "aarch64") => Some(LINUX_ARM64),
        ("windows", "x86_64") => Some(WINDOWS_X86_64),
        ("macos", _) => Some(MACOS),
        _ => None,
    }
}

/// The path of the fetched program.
pub(super) fn program(folder: &Path) -> PathBuf {
    let release = folder.join("release");
    match editor() {
        Some(file) if file.suffix != MACOS.suffix => {
            let name = file.suffix.trim_end_matches(".zip");
            release.join(format!("Godot_v{VERSION}_{name}"))
        }
        _ => release.join("Godot.app/Contents/MacOS/Godot"),
    }
}

/// Returns `true` if an engine that prints this version is the release that is fetched here.
pub(super) fn is_release(build: &str) -> bool {
    let version = VERSION.replace('-', ".");
    build
        .strip_prefix(version.as_str())
        .is_some_and(|rest| rest.starts_with(".official"))
}

/// Downloads and unpacks the release.
pub(super) fn fetch(folder: &Path) -> Result<PathBuf> {
    let file = editor().context("there is none for this system")?;
    let archive = download(&file, folder)?;
    unpack(&archive, &folder.join("release"))?;
    fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))?;
    Ok(program(folder))
}

/// Downloads the published templates for all systems, and keeps those with the given names in `folder`.
pub(super) fn fetch_templates(folder: &Path, names: &[&str]) -> Result<()> {
    println!("taking the export templates from the official release (about 1.3 GB, once)");
    let archive = download(&TEMPLATES, folder)?;
    take_templates(&archive, folder, names)?;
    fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))
}

fn take_templates(archive: &Path, folder: &Path, names: &[&str]) -> Result<()> {
    let context = || format!("cannot unpack {}", archive.display());
    let file = fs::File::open(archive).with_context(context)?;
    let mut zip = zip::ZipArchive::new(file).with_context(context)?;
    for name in names {
        let mut entry = zip
            .by_name(&format!("templates/{name}"))
            .with_context(context)?;
        let path = folder.join(name);
        let mut target =
            fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        std::io::copy(&mut entry, &mut target).with_context(context)?;
    }
    Ok(())
}

/// Downloads a file with curl, which all current systems include. A file with another checksum is deleted.
fn download(file: &File, folder: &Path) -> Result<PathBuf> {
    let curl = which::which("curl").ok().context("there is no curl")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let archive = folder.join("release.zip");
    let url = format!(
        "https://github.com/godotengine/godot/releases/download/{VERSION}/Godot_v{VERSION}_{}",
        file.suffix
    );
    let mut command = Command::new(curl);
    command
        .args(["--fail", "--location", "--silent", "--show-error"])
        // Behind a firewall the next source must soon be tried, but a slow connection may take its time.
        .args(["--connect-timeout", "5"])
        .args(["--speed-limit", "1000", "--speed-time", "20"])
        .arg("--output")
        .arg(&archive)
        .arg(&url);
    let output = process::capture(command, process::Echo::Nothing, Duration::from_secs(1800))?;
    if !output.is_success() {
        // A leftover is harmless, because the next download overwrites it.
        let _ = fs::remove_file(&archive);
        bail!("{}", output.text.trim());
    }
    accept(&archive, file)?;
    Ok(archive)
}

/// Checks that a download is the published file, and deletes it otherwise.
fn accept(archive: &Path, file: &File) -> Result<()> {
    let verified = checksum::verify(archive, file.sha256);
    if verified.is_err() {
        fs::remove_file(archive).with_context(|| format!("cannot remove {}", archive.display()))?;
    }
    verified
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let file =
        fs::File::open(archive).with_context(|| format!("cannot open {}", archive.display()))?;
    zip::ZipArchive::new(file)
        .and_then(|mut archive| archive.extract(folder))
        .with_context(|| format!("cannot unpack {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;
    use std::io::Write;

    #[test]
    fn every_file_has_a_whole_checksum_of_its_own() {
        let files = [LINUX_X86_64, LINUX_ARM64, WINDOWS_X86_64, MACOS, TEMPLATES];
        for file in &files {
            assert_eq!(file.sha256.len(), 64, "{}", file.suffix);
            assert!(file.sha256.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let same = files.iter().filter(|other| other.sha256 == file.sha256);
            assert_eq!(same.count(), 1, "{}", file.suffix);
        }
    }

    #[test]
    fn an_altered_download_is_refused_and_removed() {
        let folder =
            std::env::temp_dir().join(format!("flow_swarm_release_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        let archive = folder.join("release.zip");
        let file = File {
            suffix: "test",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        };
        fs::write(&archive, "abc").expect("a file");
        accept(&archive, &file).expect("it is the published file");
        assert!(archive.exists());
        fs::write(&archive, "abd").expect("a file");
        accept(&archive, &file).expect_err("it is another file");
        assert!(!archive.exists());
        fs::remove_dir_all(folder).expect("cleaning up");
    }

    #[test]
    fn templates_are_taken_out_of_the_archive_by_name() {
        const NAMES: [&str; 2] = ["linux_release.x86_64", "linux_debug.x86_64"];
        let folder = std::env::temp_dir().join(format!("flow_swarm_tpz_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        let archive = folder.join("templates.tpz");
        let mut zip = zip::ZipWriter::new(fs::File::create(&archive).expect("a file"));
        for name in NAMES.iter().chain(&["version.txt"]) {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(format!("templates/{name}"), options)
                .expect("an entry");
            zip.write_all(name.as_bytes()).expect("its content");
        }
        zip.finish().expect("a zip");
        take_templates(&archive, &folder, &NAMES).expect("both are in it");
        for name in NAMES {
            let text = fs::read_to_string(folder.join(name)).expect("it was taken");
            assert_eq!(text, name);
        }
        assert!(!folder.join("version.txt").exists());
        fs::remove_dir_all(folder).expect("cleaning up");
    }

    #[test]
    fn only_the_same_official_version_is_the_release() {
        assert!(is_release("4.6.3.stable.official.7d41c59c4"));
        for other in [
            "4.6.2.stable.official.71f334935",
            "4.6.3.stable.debian4.6.3+ds-3",
            "4.6.3.stable.custom_build",
            "",
        ] {
            assert!(!is_release(other), "{other}");
        }
    }
}
