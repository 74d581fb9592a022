//! Methods of `FlowFieldManager` that save and load the tiles of TILED goals.

use super::FlowFieldManager;
use crate::report::{code, refuse};
use godot::classes::file_access::ModeFlags;
use godot::classes::{DirAccess, FileAccess};
use godot::global::Error;
use godot::prelude::*;

/// The suffix of a file's name while the file is written.
const UNFINISHED: &str = ".unfinished";

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Writes the tiles in the cache and the portal graphs to a file. To save the tiles of certain goals, request routes to them and call update() until no route and no tile waits, with a tile_cache_bytes that is large enough for all of them. Returns OK, or another code after an error, which is reported. The file is first written under its name with ".unfinished" added, and replaces the old file when it is complete. After an error the old file is unchanged.
    #[func]
    fn save_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.save_tiles";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let bytes = PackedByteArray::from(world.save_tiles());
        let unfinished = GString::from(&format!("{path}{UNFINISHED}"));
        if let Err(error) = write_whole(&unfinished, &bytes) {
            DirAccess::remove_absolute(&unfinished);
            refuse(METHOD, format_args!("cannot write {path}: {error:?}"));
            return error;
        }
        let renamed = DirAccess::rename_absolute(&unfinished, &path);
        if renamed != Error::OK {
            DirAccess::remove_absolute(&unfinished);
            refuse(METHOD, format_args!("cannot replace {path}: {renamed:?}"));
        }
        renamed
    }

    /// Loads a file that save_tiles() has written for the same grid, terrain, links, movement types, solver and sector_size, and with the same crowds and cost overlays; load before there are any. These tiles are then not built again, nor are the portal graphs, for which the first order on a large map would otherwise wait. Returns OK, or another code after an error, which is reported: ERR_INVALID_DATA if the file has another version, is cut short or altered, or was written for another world. After an error nothing is changed.
    #[func]
    fn load_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.load_tiles";
        let bytes = FileAccess::get_file_as_bytes(&path);
        let error = FileAccess::get_open_error();
        if bytes.is_empty() && error != Error::OK {
            refuse(METHOD, format_args!("cannot open {path}: {error:?}"));
            return error;
        }
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        code(METHOD, world.load_tiles(bytes.as_slice()))
    }
}

/// Writes a file and checks its length: a full disk may be noticed only when the file is closed.
fn write_whole(path: &GString, bytes: &PackedByteArray) -> Result<(), Error> {
    let Some(mut file) = FileAccess::open(path, ModeFlags::WRITE) else {
        return Err(FileAccess::get_open_error());
    };
    let is_stored = file.store_buffer(bytes);
    file.close();
    drop(file);
    let written = FileAccess::open(path, ModeFlags::READ);
    let length = written.map_or(0, |file| file.get_length());
    if is_stored && length == bytes.len() as u64 {
        Ok(())
    } else {
        Err(Error::ERR_FILE_CANT_WRITE)
    }
}
