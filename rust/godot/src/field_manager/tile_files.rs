//! Methods of `FlowFieldManager` that save and load the tiles of TILED goals.

use super::FlowFieldManager;
use super::background_bake::BackgroundBake;
use super::new_file::replace_file;
use crate::report::{code, refuse};
use flow_swarm::route::tiles::ReadBytes;
use flow_swarm::world::FlowWorld;
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::global::Error;
use godot::prelude::*;

/// The number of bytes by which files of tiles are told apart.
const MAGIC: u64 = 8;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Writes the tiles in the cache and the portal graphs to a file. To save the tiles of certain goals, request routes to them and call update() until no route and no tile waits, with a tile_cache_bytes that is large enough for all of them. Returns OK, or another code after an error, which is reported. The file is first written under its name with ".unfinished" added, and replaces the old file when it is complete. After an error the old file is unchanged.
    #[func]
    fn save_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.save_tiles";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        replace_file(METHOD, &path, world.save_tiles())
    }

    /// Writes the PLAIN tiles of all sectors and movement types to a file, and the portal graphs, for load_tiles(): those to every part of every portal, whatever the goals will be. For a million cells of varied terrain it takes about a second and the file 60 MB. Maps with links are refused with ERR_UNAVAILABLE, as their tiles are always SEAMLESS. Otherwise it returns what save_tiles() returns, and writes the file as that does.
    #[func]
    fn bake_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.bake_tiles";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        match world.bake_tiles() {
            Ok(bytes) => replace_file(METHOD, &path, bytes),
            Err(error) => {
                refuse(METHOD, error);
                Error::ERR_UNAVAILABLE
            }
        }
    }

    /// Starts bake_tiles() on background threads and returns. Tiles are those of the ground at the time of the call, which also brings portal graphs that exist up to date. The file is written there too; it gets its name in the next physics frame, and then bake_finished is emitted. Until then get_bake_progress() and bake_progress tell how far the bake is. With worker_threads = 1 the bake is done within the call. Only one bake may run at a time.
    ///
    /// Returns OK, or another code after an error, which is reported: ERR_BUSY while another bake runs, ERR_UNAVAILABLE on maps with links.
    #[func]
    fn bake_tiles_async(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.bake_tiles_async";
        if !self.background_bake.may_start(METHOD) {
            return Error::ERR_BUSY;
        }
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let bake = match world.begin_tile_bake() {
            Ok(bake) => bake,
            Err(error) => {
                refuse(METHOD, error);
                return Error::ERR_UNAVAILABLE;
            }
        };
        self.background_bake = BackgroundBake::of_tiles(bake, path.to_string(), world.workers());
        Error::OK
    }

    /// Loads a file that save_tiles() or bake_tiles() has written for the same grid, terrain, links, movement types, solver and sector_size, and with the same crowds and cost overlays; load before there are any. These tiles are then not built again, nor are the portal graphs, for which the first order on a large map would otherwise wait. They do not count as built, nor towards tiles_per_tick. So load files while the scene is set up, before the first tick: what follows a rollback or a loaded state repeats exactly only with the same files, and all machines of a lockstep game must load the same ones.
    ///
    /// A file of bake_tiles() replaces the one before, stays in use and must stay as it is: the tiles of a sector are read from it when they are first needed, and up to tile_cache_bytes of them are kept. They are used while tile_variant is PLAIN, in sectors that are as they were when the file was written. If a sector cannot be read later, an error is reported and its tiles are built.
    ///
    /// Returns OK, or another code after an error, which is reported: ERR_INVALID_DATA if the file has another version, is cut short or altered, or was written for another world. After an error nothing is changed.
    #[func]
    fn load_tiles(&mut self, path: GString) -> Error {
        const METHOD: &str = "FlowFieldManager.load_tiles";
        let Some(mut file) = FileAccess::open(&path, ModeFlags::READ) else {
            let error = FileAccess::get_open_error();
            refuse(METHOD, format_args!("cannot open {path}: {error:?}"));
            return error;
        };
        let length = file.get_length();
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let begin = file.get_buffer(length.min(MAGIC) as i64);
        drop(file);
        if FlowWorld::are_baked_tiles(begin.as_slice()) {
            return code(METHOD, world.open_tiles(reader_of(&path), length));
        }
        let bytes = FileAccess::get_file_as_bytes(&path);
        code(METHOD, world.load_tiles(bytes.as_slice()))
    }
}

/// Reads parts of a file. It is opened each time, as an open file belongs to one thread.
fn reader_of(path: &GString) -> ReadBytes {
    let path = path.to_string();
    Box::new(move |from, length| {
        let mut file = FileAccess::open(&GString::from(&path), ModeFlags::READ)?;
        file.seek(from);
        let bytes = file.get_buffer(i64::try_from(length).ok()?);
        Some(bytes.to_vec())
    })
}
