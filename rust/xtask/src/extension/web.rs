//! How the extension is compiled for browsers, with Rust's standard library, by an emscripten that is set up.

use std::process::Command;

pub(super) const TARGET: &str = "wasm32-unknown-emscripten";

/// A library that the engine loads. The engine has no exceptions, so a panic ends the game.
const FLAGS: &str = "-Clink-args=-sSIDE_MODULE=2 -Cllvm-args=-enable-emscripten-cxx-exceptions=0 \
    -Zdefault-visibility=hidden -Zlink-native-libraries=no -Cpanic=abort";
/// For a template with threads, which share their memory.
const THREADS: &str = "-Ctarget-feature=+atomics -Clink-args=-pthread";
/// Without the first one the compiler looks for a linker of its own.
const LINKER: &[&str] = &["-Clink-self-contained=no", "-Clinker=emcc"];

/// Lets a cargo compile for browsers. The standard library is compiled too, from the compiler's sources.
pub(super) fn apply_to(command: &mut Command, has_threads: bool) {
    let flags = match has_threads {
        true => format!("{FLAGS} {THREADS}"),
        false => FLAGS.to_owned(),
    };
    command
        .args(["--target", TARGET, "-Zbuild-std=std,panic_abort"])
        // Allows options that are not stable.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_EMSCRIPTEN_RUSTFLAGS", flags)
        // Flags for this machine's compiler are not for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .arg("--")
        .args(LINKER);
}
