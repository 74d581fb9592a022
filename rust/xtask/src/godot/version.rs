//! Engine versions.

use std::fmt;

/// The oldest engine that can load the extension, equal to `compatibility_minimum` in the .gdextension.
pub(super) const MINIMUM: Version = Version { major: 4, minor: 5 };

/// The part of an engine's version that determines whether the extension loads.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Version {
    major: u32,
    minor: u32,
}

impl Version {
    /// Parses the output of `godot --version`, such as `4.6.3.stable.official.abc`. Drivers may print lines before it.
    pub(super) fn parse(output: &str) -> Option<Self> {
        output.lines().rev().find_map(Self::of_line)
    }

    /// Returns the line of that output that contains the version.
    pub(super) fn line(output: &str) -> Option<String> {
        let mut lines = output.lines().rev();
        let line = lines.find(|line| Self::of_line(line).is_some())?;
        Some(line.trim().to_owned())
    }

    fn of_line(line: &str) -> Option<Self> {
        let mut parts = line.trim().split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        // The version of a beta is 4.7.beta1 or 4.7-beta1.
        let digits = minor
            .split(|character: char| !character.is_ascii_digit())
            .next()?;
        Some(Self {
            major,
            minor: digits.parse().ok()?,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(major: u32, minor: u32) -> Option<Version> {
        Some(Version { major, minor })
    }

    #[test]
    fn versions_as_engines_print_them() {
        assert_eq!(
            Version::parse("4.5.stable.official.876b29033"),
            version(4, 5)
        );
        assert_eq!(
            Version::parse("4.6.3.stable.debian4.6.3+ds-3\n"),
            version(4, 6)
        );
        assert_eq!(
            Version::parse("warning: no GPU\n4.10.1.rc2.mono.custom_build\n"),
            version(4, 10)
        );
        assert_eq!(Version::parse("3.5.3.stable.flathub"), version(3, 5));
        assert_eq!(Version::parse("4.7-beta1"), version(4, 7));
    }

    #[test]
    fn the_whole_line_is_kept() {
        let output = "warning: no GPU\n 4.6.3.stable.official.7d41c59c4\n";
        assert_eq!(
            Version::line(output).as_deref(),
            Some("4.6.3.stable.official.7d41c59c4")
        );
        assert_eq!(Version::line("godot: command not found"), None);
    }

    #[test]
    fn other_output_is_no_version() {
        assert_eq!(Version::parse(""), None);
        assert_eq!(Version::parse("godot: command not found"), None);
    }

    #[test]
    fn minor_versions_compare_as_numbers() {
        assert!(version(4, 10) > version(4, 5));
        assert!(version(4, 4) < Some(MINIMUM));
        assert!(version(3, 6) < Some(MINIMUM));
    }
}
