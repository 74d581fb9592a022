//! Methods of `FlowFieldManager` that save and load the tiles of TILED goals.

use super::FlowFieldManager;
use crate::report::{code, refuse};
use godot::classes::file_access::ModeFlags;
use godot::classes::{DirAccess, FileAccess};
use godot::global::Error;
use godot::prelude::*;

/// What is added to the name of a file while it is written.
const UNFINISHED: &str = ".unfinished";

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Writes the tiles that are in the cache, and the portal graphs, to a file. To have those of some goals, request routes to them and update until no route and no tile is waiting, with a tile_cache_bytes that holds them all. Returns OK or, after an error that says why, another code. The file is written beside the old one, under its name with ".unfinished" added, and takes its place once it is whole: after an error the old file is what it was.
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

    /// Takes over the tiles of a file that save_tiles has written for the same grid, terrain, movement types, solver and sector_size: they need not be built then, nor the portal graph for the first order. Returns OK or, after an error that says why, another code: ERR_INVALID_DATA where the file is of another version, cut short or altered, or was written for something else; nothing is changed then.
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

/// Writes a file, and makes sure that all of it is there: a full disk may be noticed as late as when the file is closed.
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
