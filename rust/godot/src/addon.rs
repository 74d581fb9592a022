//! Where the addon lies in the project: a game may keep it in any folder.

use godot::classes::GDExtensionManager;
use godot::prelude::*;

/// The file that the engine loads this library by.
const MANIFEST: &str = "flow_swarm.gdextension";
/// Where the addon lies if the engine does not tell, as for a library that a test loads by another manifest.
const USUAL_FOLDER: &str = "res://addons/flow_swarm";

/// The path of a file of the addon, which is named relative to the addon's folder.
pub fn path_of(file: &str) -> String {
    let loaded = GDExtensionManager::singleton().get_loaded_extensions();
    let paths: Vec<String> = loaded.as_slice().iter().map(GString::to_string).collect();
    format!("{}/{file}", folder(&paths))
}

/// The folder of the manifest, which is among those that are loaded.
fn folder(loaded: &[String]) -> &str {
    loaded
        .iter()
        .find_map(|path| path.strip_suffix(MANIFEST)?.strip_suffix('/'))
        .unwrap_or(USUAL_FOLDER)
}
