//! Lists and copies files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Returns all files under `folder`, sorted, without those in hidden folders. Links are not followed.
pub(crate) fn walk(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            let kind = entry
                .file_type()
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Replaces `target` by a copy of `source` in one step.
///
/// The copy is made beside the target and then moved over it, because a library that a running editor has mapped must
/// not change.
pub(crate) fn replace(source: &Path, target: &Path) -> Result<()> {
    let fresh = target.with_extension("new");
    fs::copy(source, &fresh)
        .and_then(|_| fs::rename(&fresh, target))
        .with_context(|| format!("cannot copy {} to {}", source.display(), target.display()))
}

/// Copies a file and creates its target folder.
pub(crate) fn copy(source: &Path, target: &Path) -> Result<()> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(source, target)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", source.display(), target.display()))
}

/// Writes a script that can be started.
pub(crate) fn write_program(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    make_executable(path)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> Result<()> {
    Ok(())
}

/// Creates an empty folder and removes an existing one.
pub(crate) fn fresh_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}
