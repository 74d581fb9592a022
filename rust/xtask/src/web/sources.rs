//! Archives of source packages from Debian.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::private_apt::Apt;
use crate::{files, process};

/// Where a package is looked for. A mirror may list a version and lack its archive; that of another suite then does.
const SUITES: &[&str] = &["sid", "testing", "stable"];

/// Debian's source packages.
pub(super) struct Sources {
    apt: Apt,
}

impl Sources {
    pub(super) fn new(work: &Path) -> Result<Self> {
        Ok(Self {
            apt: Apt::for_debian_sources(work.to_owned(), SUITES)?,
        })
    }

    /// Unpacks the archive of a package into `folder`, without Debian's own part.
    ///
    /// # Errors
    /// If no suite's archive can be downloaded: then the error states what each suite gave.
    pub(super) fn unpack(&self, package: &str, folder: &Path) -> Result<()> {
        let archive = folder.with_extension("archive");
        let mut failures = String::new();
        for suite in SUITES {
            match self.download(package, suite, &archive) {
                Ok(()) => return unpack(&archive, folder),
                Err(error) => failures += &format!("\n{suite}: {error:#}"),
            }
        }
        bail!("no suite of Debian gave the source of {package}:{failures}")
    }

    fn download(&self, package: &str, suite: &str, target: &Path) -> Result<()> {
        let lines = self.apt.source_uris(package, suite)?;
        let archive = main_archive(&lines).context("its source names no main archive")?;
        self.apt.download_file(archive.uri, target, archive.sha256)
    }
}

#[derive(Debug, Eq, PartialEq)]
struct Archive<'a> {
    uri: &'a str,
    sha256: &'a str,
}

/// The archive of the program itself, in what apt prints about a source: it may have parts beside it, and signatures.
fn main_archive(lines: &str) -> Option<Archive<'_>> {
    lines.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let uri = words.next()?.strip_prefix('\'')?.strip_suffix('\'')?;
        let (_, kind) = words.next()?.rsplit_once(".orig.")?;
        let sha256 = words.nth(1)?.strip_prefix("SHA256:")?;
        let is_main = kind.starts_with("tar.") && !kind.ends_with(".asc");
        is_main.then_some(Archive { uri, sha256 })
    })
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    files::fresh_folder(folder)?;
    let mut command = Command::new("tar");
    command
        .args(["-x", "--strip-components=1", "--no-same-owner", "-f"])
        .arg(archive)
        .arg("-C")
        .arg(folder);
    process::quietly(command)?;
    fs::remove_file(archive).with_context(|| format!("cannot remove {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_archive_is_found_among_parts_and_signatures() {
        let lines = "Selected version '2.14.3+dfsg-3' (sid) for freetype\n\
            'http://mirror.example/f_2.dsc' f_2.dsc 4011 SHA256:1\n\
            'http://mirror.example/f_2.orig-docs.tar.xz' f_2.orig-docs.tar.xz 347960 SHA256:2\n\
            'http://mirror.example/f_2.orig.tar.xz.asc' f_2.orig.tar.xz.asc 833 SHA256:3\n\
            'http://mirror.example/f_2%2b.orig.tar.xz' f_2+.orig.tar.xz 2247556 SHA256:4\n\
            'http://mirror.example/f_2.debian.tar.xz' f_2.debian.tar.xz 45428 SHA256:5\n";
        assert_eq!(
            main_archive(lines),
            Some(Archive {
                uri: "http://mirror.example/f_2%2b.orig.tar.xz",
                sha256: "4"
            })
        );
        assert_eq!(main_archive("E: Unable to find a source package\n"), None);
    }
}
