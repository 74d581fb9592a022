//! SHA-256 checksums of files: downloads are compared with known ones, and packages get one.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

/// Fails unless the file's checksum is the expected one, in hexadecimal digits.
pub(crate) fn verify(path: &Path, expected: &str) -> Result<()> {
    let found = of(path)?;
    ensure!(
        found.eq_ignore_ascii_case(expected),
        "{} is not the file it should be: its SHA-256 is {found} instead of {expected}",
        path.display()
    );
    Ok(())
}

/// Returns the file's line for a list that `sha256sum --check` reads.
pub(crate) fn line(path: &Path) -> Result<String> {
    let name = path
        .file_name()
        .with_context(|| format!("{} is no file", path.display()))?;
    Ok(format!("{}  {}\n", of(path)?, name.to_string_lossy()))
}

fn of(path: &Path) -> Result<String> {
    let context = || format!("cannot read {}", path.display());
    let mut file = BufReader::new(File::open(path).with_context(context)?);
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let length = file.read(&mut block).with_context(context)?;
        if length == 0 {
            break;
        }
        hash.update(&block[..length]);
    }
    Ok(hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2's one-block example.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn file(name: &str, content: &[u8]) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("flow_swarm_{}_{name}", std::process::id()));
        std::fs::write(&path, content).expect("a temporary file");
        path
    }

    #[test]
    fn a_file_is_compared_with_its_known_checksum() {
        let path = file("known", b"abc");
        verify(&path, ABC).expect("it is the right one");
        verify(&path, &ABC.to_uppercase()).expect("digits may be large");
        std::fs::remove_file(path).expect("cleaning up");
    }

    #[test]
    fn an_altered_file_is_refused_by_name() {
        let path = file("altered", b"abd");
        let error = verify(&path, ABC).expect_err("one bit differs").to_string();
        assert!(error.contains("altered"), "{error}");
        assert!(error.contains(ABC), "{error}");
        verify(&path, "").expect_err("no checksum is no pass");
        std::fs::remove_file(path).expect("cleaning up");
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let path = std::env::temp_dir().join("flow_swarm_that_is_not_there");
        assert!(verify(&path, ABC).is_err());
        assert!(line(&path).is_err());
    }

    #[test]
    fn a_line_is_what_sha256sum_reads() {
        let path = file("line", b"abc");
        let name = path.file_name().expect("a name").to_string_lossy();
        assert_eq!(line(&path).expect("a line"), format!("{ABC}  {name}\n"));
        std::fs::remove_file(&path).expect("cleaning up");
    }
}
