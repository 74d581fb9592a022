//! WebAssembly with its system interface and without threads, in Node.

use anyhow::Result;

use super::{Tools, text};
use crate::toolchain::Toolchain;
use crate::{apt, files};

/// Starts a program with its arguments and no access to files.
const STARTER: &str = include_str!("wasi.mjs");

pub(super) fn tools(toolchain: &Toolchain) -> Result<Tools> {
    let node = apt::node()?;
    let starter = toolchain.folder().join("wasi.mjs");
    std::fs::write(&starter, STARTER)?;
    let linker = toolchain.folder().join("link-wasm");
    // rustc names the kind of linker first, which this one knows by its name.
    files::write_program(
        &linker,
        &format!(
            "#!/bin/sh\n[ \"$1\" = -flavor ] && shift 2\nexec '{}' -m ziglang wasm-ld \"$@\"\n",
            toolchain.zig()?.display()
        ),
    )?;
    Ok(Tools {
        linker: text(&linker)?,
        // Node before version 20 has the system interface only with the option; later ones ignore it.
        runner: format!(
            "{} --no-warnings --experimental-wasi-unstable-preview1 {}",
            text(&node)?,
            text(&starter)?
        ),
        flags: "-C linker-flavor=wasm-ld",
    })
}
