//! Files that replace others only when they are complete.

use crate::report::refuse;
use godot::classes::file_access::ModeFlags;
use godot::classes::{DirAccess, FileAccess};
use godot::global::Error;
use godot::prelude::*;

/// The suffix of a file's name while the file is written.
const UNFINISHED: &str = ".unfinished";

/// A complete file under another name than its own. Dropping it removes it.
pub(super) struct NewFile {
    /// Empty once it has its own name.
    unfinished: String,
}

impl NewFile {
    /// Writes a file beside the one that it is to replace, on any thread.
    pub(super) fn write(path: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        let unfinished = format!("{path}{UNFINISHED}");
        // From here on an error removes what there is of it.
        let file = Self { unfinished };
        write_whole(&file.name(), &PackedByteArray::from(bytes))?;
        Ok(file)
    }

    fn name(&self) -> GString {
        GString::from(&self.unfinished)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.unfinished.is_empty() {
            DirAccess::remove_absolute(&self.name());
        }
    }
}

/// Writes a file and lets it replace the old one. Errors are reported.
pub(super) fn replace_file(method: &str, path: &GString, bytes: Vec<u8>) -> Error {
    put_in_place(method, path, NewFile::write(&path.to_string(), bytes))
}

/// Gives a new file its name, in place of the old one. Errors are reported, also those of writing it.
pub(super) fn put_in_place(method: &str, path: &GString, file: Result<NewFile, Error>) -> Error {
    let mut file = match file {
        Ok(file) => file,
        Err(error) => {
            refuse(method, format_args!("cannot write {path}: {error:?}"));
            return error;
        }
    };
    let renamed = DirAccess::rename_absolute(&file.name(), path);
    if renamed == Error::OK {
        file.unfinished.clear();
    } else {
        refuse(method, format_args!("cannot replace {path}: {renamed:?}"));
    }
    renamed
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
