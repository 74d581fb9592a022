//! Linux on other processors: linked by Zig's linker, which has the C libraries of all of them, and run by an emulator.

use anyhow::Result;

use super::target::Emulated;
use super::{Tools, text};
use crate::files;
use crate::toolchain::Toolchain;

pub(super) fn tools(toolchain: &Toolchain, machine: &Emulated) -> Result<Tools> {
    let linker = toolchain
        .folder()
        .join(format!("link-{}", machine.architecture));
    let python = toolchain.zig()?;
    files::write_program(
        &linker,
        &format!(
            "#!/bin/sh\nexec '{}' -m ziglang cc -target {} \"$@\"\n",
            python.display(),
            machine.linked_for
        ),
    )?;
    Ok(Tools {
        linker: text(&linker)?,
        runner: format!(
            "{} -L {}",
            text(&toolchain.program(machine.emulator))?,
            text(&toolchain.libraries(machine.architecture))?
        ),
        flags: "",
    })
}
