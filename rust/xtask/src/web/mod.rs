//! `cargo xtask web`: builds the engine and the extension for the web, exports the horde demo and plays it in a
//! browser.
//!
//! All that it needs is fetched from Debian into `.cache/web`; the system does not change. The engine is compiled once,
//! which takes long. docs/decisions/0033-web.md has the reasons.
//!
//! Order of reading: `unpacked` (programs of Debian), `emscripten`, `template` with `sources`, `export`,
//! then `play` with `browser`, `server` and `figures`.

mod browser;
pub(crate) mod emscripten;
mod export;
mod figures;
mod play;
mod server;
mod sources;
mod template;
mod unpacked;

use anyhow::Result;
use clap::Args;

use crate::repo::Repo;
use crate::toolchain::Toolchain;
use crate::{EngineArgs, extension, godot};
use emscripten::Emscripten;

#[derive(Args)]
pub(crate) struct WebArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Play what the last run has exported, without building.
    #[arg(long)]
    play_only: bool,
}

pub(crate) fn run(repo: &Repo, args: &WebArgs) -> Result<()> {
    if !args.play_only {
        let godot = godot::find_or_fetch(repo, args.engine.godot.as_deref())?;
        let emscripten = Emscripten::find_or_fetch(&repo.cache())?;
        let template = template::find_or_build(repo, &emscripten, &godot)?;
        let toolchain = Toolchain::find_or_fetch(repo)?;
        let library = extension::build_for_the_web(repo, &toolchain, &emscripten)?;
        export::export(repo, &godot, &template, &library)?;
    }
    play::check(repo)
}
