//! Methods of `FlowFieldManager` that keep the tiles of TILED goals in files.

use super::FlowFieldManager;
use crate::report::{code, refuse};
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Writes the tiles that are in the cache, and the portal graphs, to a file. To have those of some goals, request routes to them and update until no route and no tile is waiting, with a tile_cache_bytes that holds them all. Returns OK or, after an error that says why, another code; a file that could not be written whole is refused by load_tiles.
    #[func]
    fn save_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.save_tiles";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let bytes = PackedByteArray::from(world.save_tiles());
        let Some(mut file) = FileAccess::open(&path, ModeFlags::WRITE) else {
            return cannot_open(METHOD, &path);
        };
        if !file.store_buffer(&bytes) {
            let error = file.get_error();
            refuse(METHOD, format_args!("cannot write {path}: {error:?}"));
            return Error::ERR_FILE_CANT_WRITE;
        }
        Error::OK
    }

    /// Takes over the tiles of a file that save_tiles has written for the same grid, terrain, movement types, solver and sector_size: they need not be built then, nor the portal graph for the first order. Returns OK or, after an error that says why, another code: ERR_INVALID_DATA where the file is of another version, cut short or altered, or was written for something else; nothing is changed then.
    #[func]
    fn load_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.load_tiles";
        let bytes = FileAccess::get_file_as_bytes(&path);
        if bytes.is_empty() && FileAccess::get_open_error() != Error::OK {
            return cannot_open(METHOD, &path);
        }
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        code(METHOD, world.load_tiles(bytes.as_slice()))
    }
}

fn cannot_open(method: &str, path: &GString) -> Error {
    let error = FileAccess::get_open_error();
    refuse(method, format_args!("cannot open {path}: {error:?}"));
    error
}
