//! apt with a private list of sources and private state. It changes nothing in the system and needs no special rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::apt::{self, MissingTool};
use crate::{files, process};

/// The distribution's archive from which the system installs packages.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Archive {
    uri: String,
    ubuntu: bool,
}

impl Archive {
    /// Parses the main archive from the lines that `apt-get indextargets` prints. Security archives have other
    /// addresses.
    fn from_targets(lines: &str) -> Option<Self> {
        lines.lines().map(str::trim).find_map(|uri| {
            let path = uri.trim_end_matches('/');
            let ubuntu = path.ends_with("/ubuntu") || path.ends_with("/ubuntu-ports");
            (ubuntu || path.ends_with("/debian")).then(|| Self {
                uri: uri.to_owned(),
                ubuntu,
            })
        })
    }

    /// The source line of the suite in development, which has the newest engine. All suites of a distribution are on
    /// one mirror.
    pub(crate) fn source_line(&self) -> String {
        self.line(if self.ubuntu {
            "devel main universe"
        } else {
            "sid main"
        })
    }

    fn line(&self, suite: &str) -> String {
        self.line_of("deb", suite)
    }

    /// A line of a kind: `deb` for packages, `deb-src` for their sources.
    fn line_of(&self, kind: &str, suite: &str) -> String {
        let keyring = if self.ubuntu {
            "/usr/share/keyrings/ubuntu-archive-keyring.gpg"
        } else {
            "/usr/share/keyrings/debian-archive-keyring.gpg"
        };
        // Newer systems accept a key only for sources that name it.
        let options = if Path::new(keyring).exists() {
            format!("[signed-by={keyring}] ")
        } else {
            String::new()
        };
        format!("{kind} {options}{} {suite}\n", self.uri)
    }

    pub(crate) fn advice(&self) -> String {
        let name = if self.ubuntu { "Ubuntu" } else { "Debian" };
        format!("the development suite of {name} gave no usable package godot")
    }
}

/// apt with its own state under `folder`.
pub(crate) struct Apt {
    folder: PathBuf,
    /// Debian's names of the architectures whose packages may be fetched; the system's own if there are none.
    architectures: &'static [&'static str],
}

impl Apt {
    pub(crate) fn new(folder: PathBuf) -> Result<Self> {
        for part in [
            "system/partial",
            "lists/partial",
            "archives/partial",
            "debs",
        ] {
            fs::create_dir_all(folder.join(part))?;
        }
        Ok(Self {
            folder,
            architectures: &[],
        })
    }

    /// apt for the packages of a suite of Debian, such as `sid`, with fresh state.
    pub(crate) fn for_debian(
        folder: PathBuf,
        suite: &str,
        architectures: &'static [&'static str],
    ) -> Result<Self> {
        Self::with_lines(folder, &[("deb", suite)], architectures)
    }

    /// apt for the sources of packages in suites of Debian, with fresh state.
    pub(crate) fn for_debian_sources(folder: PathBuf, suites: &[&str]) -> Result<Self> {
        let lines: Vec<_> = suites.iter().map(|suite| ("deb-src", *suite)).collect();
        Self::with_lines(folder, &lines, &[])
    }

    fn with_lines(
        folder: PathBuf,
        lines: &[(&str, &str)],
        architectures: &'static [&'static str],
    ) -> Result<Self> {
        let missing = |remedy: &str| MissingTool {
            what: "Debian's archive of packages".into(),
            remedy: remedy.into(),
        };
        let is_known = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        if !is_known || !apt::is_available() {
            return Err(missing("run this on Debian for x86_64, or in a container of it").into());
        }
        files::fresh_folder(&folder)?;
        let apt = Self::new(folder)?.with_architectures(architectures);
        let archive = apt.archive()?;
        if archive.ubuntu {
            return Err(missing("run this in a container of Debian").into());
        }
        let lines = lines
            .iter()
            .map(|(kind, suite)| archive.line_of(kind, &format!("{suite} main")));
        apt.use_source(&lines.collect::<String>())?;
        apt.update()?;
        Ok(apt)
    }

    /// Also fetches packages of other architectures, by names such as `libc6:arm64`. The first one is the system's.
    fn with_architectures(mut self, names: &'static [&'static str]) -> Self {
        self.architectures = names;
        self
    }

    /// Determines the archive from the system's own sources.
    pub(crate) fn archive(&self) -> Result<Archive> {
        let targets = |command: &mut Command| -> Result<Option<Archive>> {
            command.args(["indextargets", "--format", "$(REPO_URI)"]);
            let text = process::quietly(std::mem::replace(command, Command::new("true")))?;
            Ok(Archive::from_targets(&text))
        };
        if let Some(archive) = targets(&mut Command::new("apt-get"))? {
            return Ok(archive);
        }
        // Before the first `apt-get update` apt knows no targets. Only root may update the system's lists, but any user
        // may read its sources into other lists.
        let lists = self.folder.join("system");
        let system = || {
            let mut command = Command::new("apt-get");
            option(&mut command, "Dir::State::Lists", &lists);
            self.common(&mut command);
            command
        };
        let mut update = system();
        update.args(["-q", "update"]);
        let updated = process::quietly(update);
        match targets(&mut system())? {
            Some(archive) => Ok(archive),
            None => bail!(
                "apt's sources name no Debian or Ubuntu archive{}",
                updated
                    .err()
                    .map_or_else(String::new, |error| format!(": {error:#}"))
            ),
        }
    }

    pub(crate) fn use_source(&self, line: &str) -> Result<()> {
        let path = self.folder.join("sources.list");
        fs::write(&path, line).with_context(|| format!("cannot write {}", path.display()))
    }

    pub(crate) fn update(&self) -> Result<()> {
        let mut command = self.private("apt-get");
        command.args(["-q", "update"]);
        // For an ordinary user, hooks of the system may fail after the lists have arrived. The next step shows whether
        // they have.
        if let Err(error) = process::quietly(command)
            && fs::read_dir(self.folder.join("lists"))?.count() < 2
        {
            return Err(error);
        }
        Ok(())
    }

    /// Returns the packages and all their dependencies, whatever is installed in the system.
    pub(crate) fn closure(&self, wanted: &[&str]) -> Result<Vec<String>> {
        let mut command = self.private("apt-cache");
        command.args([
            "depends",
            "--recurse",
            "--no-recommends",
            "--no-suggests",
            "--no-conflicts",
        ]);
        command
            .args(["--no-breaks", "--no-replaces", "--no-enhances"])
            .args(wanted);
        let packages = package_names(&process::quietly(command)?);
        for name in wanted {
            ensure!(
                packages.iter().any(|package| package == name),
                "apt-cache knows no package {name}"
            );
        }
        Ok(packages)
    }

    pub(crate) fn download(&self, packages: &[String]) -> Result<()> {
        let mut command = self.private("apt-get");
        command
            .current_dir(self.folder.join("debs"))
            .args(["-q", "download"])
            .args(packages);
        process::quietly(command).map(drop)
    }

    /// Returns the archives of a package's source in a suite, as lines `'URI' NAME SIZE SHA256:DIGITS`.
    pub(crate) fn source_uris(&self, package: &str, suite: &str) -> Result<String> {
        let mut command = self.private("apt-get");
        command
            .args(["source", "--print-uris", "--download-only"])
            .arg(format!("{package}/{suite}"));
        process::quietly(command)
    }

    /// Downloads one file, and refuses it if its SHA-256 is another.
    pub(crate) fn download_file(&self, uri: &str, target: &Path, sha256: &str) -> Result<()> {
        let mut command = self.private("/usr/lib/apt/apt-helper");
        command
            .arg("download-file")
            .arg(uri)
            .arg(target)
            .arg(format!("SHA256:{sha256}"));
        process::quietly(command).map(drop)
    }

    /// Unpacks what has been downloaded, and removes the packages.
    pub(crate) fn unpack_into(&self, root: &Path) -> Result<()> {
        for package in files::walk(&self.folder.join("debs"))? {
            let mut command = Command::new("sh");
            command
                .arg("-c")
                .arg(r#"dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" --keep-directory-symlink --no-same-owner --exclude='./usr/share/doc*' --exclude=./usr/share/man --exclude=./usr/share/locale"#)
                .arg(&package)
                .arg(root);
            process::quietly(command)?;
            fs::remove_file(&package)
                .with_context(|| format!("cannot remove {}", package.display()))?;
        }
        Ok(())
    }

    fn private(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        option(
            &mut command,
            "Dir::Etc::SourceList",
            &self.folder.join("sources.list"),
        );
        option(
            &mut command,
            "Dir::Etc::SourceParts",
            Path::new("/dev/null"),
        );
        option(
            &mut command,
            "Dir::State::Lists",
            &self.folder.join("lists"),
        );
        // Without it a newer version that the system has from another suite would be the one to download.
        option(&mut command, "Dir::State::status", Path::new("/dev/null"));
        if !self.architectures.is_empty() {
            command.arg("-o").arg(format!(
                "APT::Architectures={}",
                self.architectures.join(",")
            ));
        }
        self.common(&mut command);
        command
    }

    fn common(&self, command: &mut Command) {
        option(
            command,
            "Dir::Cache::archives",
            &self.folder.join("archives"),
        );
        // Empty: without it apt would use the system's cache of the package lists.
        option(command, "Dir::Cache::pkgcache", Path::new(""));
        option(command, "Dir::Cache::srcpkgcache", Path::new(""));
        // If run by root, apt would download as a user without access to this folder.
        option(command, "APT::Sandbox::User", Path::new("root"));
        option(command, "Acquire::Retries", Path::new("3"));
        command.env("LC_ALL", "C");
    }
}

/// Makes an empty file system. The directories of a merged /usr are links; packages use both spellings.
pub(crate) fn new_root(root: &Path) -> Result<()> {
    files::fresh_folder(root)?;
    fs::create_dir_all(root.join("usr"))?;
    for name in ["bin", "lib", "lib64", "sbin"] {
        fs::create_dir(root.join("usr").join(name))?;
        link(&Path::new("usr").join(name), &root.join(name))?;
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn link(target: &Path, path: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, path)
        .with_context(|| format!("cannot make the link {}", path.display()))
}

#[cfg(not(unix))]
pub(crate) fn link(_target: &Path, path: &Path) -> Result<()> {
    bail!("no links here: {}", path.display())
}

fn option(command: &mut Command, name: &str, value: &Path) {
    command.arg("-o").arg(format!("{name}={}", value.display()));
}

/// The package names in the output of `apt-cache depends --recurse`: lines that are neither indented nor `<virtual>`.
fn package_names(output: &str) -> Vec<String> {
    let mut names: Vec<String> = output
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_alphanumeric()))
        .map(str::trim)
        // Packages of a second architecture are written name:arch; warnings contain spaces.
        .filter(|line| !line.contains([':', ' ']))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_archive_is_picked_out_of_the_targets() {
        let targets = "https://mirror.example/debian-security/\nhttps://mirror.example/debian/\n";
        let archive = Archive::from_targets(targets).expect("the second line");
        assert_eq!(
            archive,
            Archive {
                uri: "https://mirror.example/debian/".into(),
                ubuntu: false
            }
        );
        assert!(
            archive
                .source_line()
                .ends_with("https://mirror.example/debian/ sid main\n")
        );
    }

    #[test]
    fn ubuntu_is_told_from_debian() {
        let archive =
            Archive::from_targets("http://ports.example/ubuntu-ports/\n").expect("an archive");
        assert!(archive.ubuntu);
        assert!(archive.source_line().contains(" devel main universe"));
        assert_eq!(
            Archive::from_targets("https://mirror.example/debian-security\n\n"),
            None
        );
    }

    #[test]
    fn package_names_are_the_unindented_lines() {
        let output =
            "godot\n  Depends: libc6\n <awk>\nlibc6:i386\n<virtual>\nlibc6\nW: a warning\nlibc6\n";
        assert_eq!(package_names(output), ["godot", "libc6"]);
    }
}
