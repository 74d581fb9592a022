//! The extension for the web, with Rust's standard library.

use std::path::PathBuf;

use anyhow::Result;

use super::emscripten::Emscripten;
use crate::extension;
use crate::repo::Repo;
use crate::toolchain::Toolchain;

const TARGET: &str = "wasm32-unknown-emscripten";

/// A library that the engine loads. The engine has no exceptions, so a panic ends the game.
const FLAGS: &str = "-Clink-args=-sSIDE_MODULE=2 -Cllvm-args=-enable-emscripten-cxx-exceptions=0 \
    -Zdefault-visibility=hidden -Zlink-native-libraries=no -Cpanic=abort";

/// Builds the library, and returns its path.
pub(super) fn build(
    repo: &Repo,
    toolchain: &Toolchain,
    emscripten: &Emscripten,
) -> Result<PathBuf> {
    let mut command = extension::cargo(repo);
    emscripten.apply_to(&mut command)?;
    command
        .args(["--target", TARGET, "-Zbuild-std=std,panic_abort"])
        .env("RUSTC", toolchain.rustc())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", repo.root().join("target/web"))
        .env("CARGO_TARGET_WASM32_UNKNOWN_EMSCRIPTEN_RUSTFLAGS", FLAGS)
        // Flags for this machine's compiler are not for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    // Without the first one the compiler looks for a linker of its own.
    let linker = format!("-Clinker={}", emscripten.compiler().display());
    command.args(["--", "-Clink-self-contained=no", &linker]);
    extension::built_by(command)
}
