//! WebAssembly with threads, linked by emscripten, in Node.

use std::fs;

use anyhow::{Context, Result};

use super::{Tools, text};
use crate::toolchain::Toolchain;
use crate::web::emscripten::Emscripten;
use crate::{apt, files};

/// The first thread starts all others, so what a program does is on another one, which may wait for them. Its stack of
/// 64 KB is too small for the test harness.
const LINKED: &str = "-pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -Wno-pthreads-mem-growth \
    -sSTACK_SIZE=2MB";

pub(super) fn tools(toolchain: &Toolchain, emscripten: &Emscripten) -> Result<Tools> {
    let entry = toolchain.folder().join("entry.c");
    fs::write(&entry, include_str!("entry.c"))
        .with_context(|| format!("cannot write {}", entry.display()))?;
    let linker = toolchain.folder().join("link-wasm-threads");
    files::write_program(
        &linker,
        &format!(
            "#!/bin/sh\nexec '{}' \"$@\" '{}' {LINKED}\n",
            emscripten.compiler().display(),
            entry.display()
        ),
    )?;
    Ok(Tools {
        linker: text(&linker)?,
        runner: text(&apt::node()?)?,
        // Without the second one the compiler looks for a linker of its own.
        flags: "-Ctarget-feature=+atomics -Clink-self-contained=no",
    })
}
