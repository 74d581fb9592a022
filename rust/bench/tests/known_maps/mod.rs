//! The maps of the Moving AI benchmarks in the folder `FLOW_SWARM_MOVINGAI`.

use std::path::PathBuf;
use std::{env, fs};

/// Returns the folder. Without the variable it prints a line and returns `None`.
pub fn folder() -> Option<PathBuf> {
    let folder = env::var_os("FLOW_SWARM_MOVINGAI").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: FLOW_SWARM_MOVINGAI names no folder of maps");
    }
    folder
}

/// Returns the paths of all maps in the folder, sorted.
pub fn all() -> Vec<PathBuf> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let mut maps: Vec<_> = fs::read_dir(&folder)
        .expect("FLOW_SWARM_MOVINGAI has to be a folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "map"))
        .collect();
    maps.sort();
    assert!(!maps.is_empty(), "no .map file in {}", folder.display());
    maps
}
